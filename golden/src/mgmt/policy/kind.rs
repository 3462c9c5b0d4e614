//! The policies by name.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::cage::Tc;
use super::costs::Costs;
use super::interval::{Duel, Interval, Params};
use super::lru::Lru;
use super::monitor::Streaming;
use super::opt::Opt;
use super::partition::Static;
use super::pipp::Pipp;
use super::tadip::Tadip;
use super::tap::{ActsOn, Tap};
use super::utility::Ucp;
use super::{cache, Policy};
use crate::llc::cache::Geometry;
use crate::mgmt::drrip;
use crate::model::ParamError;

/// What policies are made with, beside the cache's dimensions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// The GPU's application, a KID.
    pub gpu: usize,
    /// The ways of each application in a static partition; without, one half for the GPU.
    pub partition: Option<Vec<u64>>,
    /// Sets that a utility monitor or the attribution samples, a power of two; all sets if there are
    /// fewer.
    pub sampled: usize,
    /// Leader sets of each policy and application, a power of two; fewer in a small cache.
    pub leaders: usize,
    /// Bits of a re-reference prediction, 1 to 8.
    pub rrpv_w: usize,
    /// Bits of a policy selector, 2 to 16.
    pub psel_w: usize,
    /// What draws begin with, 1 to 2^31 - 1.
    pub seed: usize,
    /// From when on an application streams.
    pub streaming: Streaming,
}

impl Config {
    /// As in the paper: TAP, sections 3.1.4, 3.4 and 5.2.
    ///
    /// ASSUMPTION: 32 sampled sets, 32 leader sets of each policy and application, selectors of 10
    /// bits.
    pub fn new(gpu: usize) -> Self {
        Self {
            gpu,
            partition: None,
            sampled: 32,
            leaders: 32,
            rrpv_w: 2,
            psel_w: 10,
            seed: 0x2545_f491,
            streaming: Streaming::default(),
        }
    }
}

/// A policy's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// [`Lru`].
    Lru,
    /// [`Static`].
    Static,
    /// [`Interval`]: SRRIP.
    Srrip,
    /// [`Interval`]: BRRIP.
    Brrip,
    /// [`Interval`]: thread-aware DRRIP.
    Drrip,
    /// [`Ucp`].
    Ucp,
    /// [`Ucp`] with [`Tap`].
    TapUcp,
    /// [`Interval`] with [`Tap`].
    TapRrip,
    /// [`Ucp`] with [`Tap`], which finds streams.
    TapUcpS,
    /// [`Interval`] with [`Tap`], which finds streams.
    TapRripS,
    /// [`Tadip`].
    Tadip,
    /// [`Pipp`].
    Pipp,
    /// [`Tc`].
    Tc,
    /// [`Costs`].
    Costs,
    /// [`Opt`].
    Opt,
    /// [`Ucp`] with [`Tap`], acting on nothing: what sampling the cores costs.
    TapUcpSampling,
    /// [`Ucp`] with [`Tap`], acting on core sampling alone.
    TapUcpMask,
    /// [`Ucp`] with [`Tap`], acting on XSRATIO alone.
    TapUcpRatio,
    /// [`Interval`] with [`Tap`], acting on nothing.
    TapRripSampling,
    /// [`Interval`] with [`Tap`], acting on core sampling alone.
    TapRripMask,
    /// [`Interval`] with [`Tap`], acting on XSRATIO alone.
    TapRripRatio,
    /// [`Interval`]: DRRIP that inserts all lines of the GPU as distant.
    DrripDistant,
    /// [`Tc`] that judges an application by its monitor.
    TcMonitored,
}

/// Not the name of a policy.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("policy is \"{name}\", expected one of {}", Kind::ALL.map(Kind::name).join(", "))]
pub struct UnknownKind {
    /// The name.
    pub name: String,
}

impl Kind {
    /// The policies that are compared; beside them there are [`PARTS`](Self::PARTS).
    pub const ALL: [Self; 15] = [
        Self::Lru,
        Self::Static,
        Self::Srrip,
        Self::Brrip,
        Self::Drrip,
        Self::Ucp,
        Self::TapUcp,
        Self::TapRrip,
        Self::TapUcpS,
        Self::TapRripS,
        Self::Tadip,
        Self::Pipp,
        Self::Tc,
        Self::Costs,
        Self::Opt,
    ];

    /// Policies with a part changed, in no paper: what each part is worth.
    pub const PARTS: [Self; 8] = [
        Self::TapUcpSampling,
        Self::TapUcpMask,
        Self::TapUcpRatio,
        Self::TapRripSampling,
        Self::TapRripMask,
        Self::TapRripRatio,
        Self::DrripDistant,
        Self::TcMonitored,
    ];

    /// The name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Lru => "lru",
            Self::Static => "static",
            Self::Srrip => "srrip",
            Self::Brrip => "brrip",
            Self::Drrip => "drrip",
            Self::Ucp => "ucp",
            Self::TapUcp => "tap-ucp",
            Self::TapRrip => "tap-rrip",
            Self::TapUcpS => "tap-ucp-s",
            Self::TapRripS => "tap-rrip-s",
            Self::Tadip => "tadip",
            Self::Pipp => "pipp",
            Self::Tc => "tc",
            Self::Costs => "costs",
            Self::Opt => "opt",
            Self::TapUcpSampling => "tap-ucp-sampling",
            Self::TapUcpMask => "tap-ucp-mask",
            Self::TapUcpRatio => "tap-ucp-ratio",
            Self::TapRripSampling => "tap-rrip-sampling",
            Self::TapRripMask => "tap-rrip-mask",
            Self::TapRripRatio => "tap-rrip-ratio",
            Self::DrripDistant => "drrip-distant",
            Self::TcMonitored => "tc-monitored",
        }
    }

    /// What it is, in a few words.
    pub const fn summary(self) -> &'static str {
        match self {
            Self::Lru => "least recently used line",
            Self::Static => "fixed ways: half for the GPU, or as --partition says",
            Self::Srrip => "re-reference intervals, inserted as long",
            Self::Brrip => "the same, mostly inserted as distant",
            Self::Drrip => "duel of both, for each application",
            Self::Ucp => "ways by utility",
            Self::TapUcp => "ucp that knows what the GPU needs",
            Self::TapRrip => "drrip that knows what the GPU needs",
            Self::TapUcpS => "tap-ucp that finds streaming CPU applications",
            Self::TapRripS => "tap-rrip that finds streaming CPU applications",
            Self::Tadip => "duel of insertion at MRU and at LRU, for each application",
            Self::Pipp => "insertion by utility, promotion by one position",
            Self::Tc => "thrashers share a few ways",
            Self::Costs => "ways by the misses that co-runners cause, exactly attributed",
            Self::Opt => "Belady's optimum: a bound; memory grows with the trace",
            Self::TapUcpSampling => "tap-ucp that acts on nothing it finds",
            Self::TapUcpMask => "tap-ucp that acts on core sampling alone",
            Self::TapUcpRatio => "tap-ucp that acts on XSRATIO alone",
            Self::TapRripSampling => "tap-rrip that acts on nothing it finds",
            Self::TapRripMask => "tap-rrip that acts on core sampling alone",
            Self::TapRripRatio => "tap-rrip that acts on XSRATIO alone",
            Self::DrripDistant => "drrip that inserts all lines of the GPU as distant",
            Self::TcMonitored => "tc that judges by what each would miss alone",
        }
    }

    /// Whether it needs the whole stream beforehand.
    pub const fn needs_future(self) -> bool {
        matches!(self, Self::Opt)
    }

    /// Whether it decides at the end of each period.
    pub const fn has_periods(self) -> bool {
        match self {
            Self::Ucp | Self::TapUcp | Self::TapRrip | Self::TapUcpS | Self::TapRripS => true,
            Self::Pipp | Self::Tc | Self::Costs => true,
            Self::TapUcpSampling | Self::TapUcpMask | Self::TapUcpRatio => true,
            Self::TapRripSampling | Self::TapRripMask | Self::TapRripRatio => true,
            Self::TcMonitored => true,
            Self::Lru | Self::Static | Self::Srrip | Self::Brrip => false,
            Self::Drrip | Self::DrripDistant | Self::Tadip | Self::Opt => false,
        }
    }

    /// The policy for an empty cache. `future` are the byte addresses of all accesses to come, which
    /// only those look at that [need](Kind::needs_future) them.
    ///
    /// # Errors
    /// [`ParamError`] when there is no such policy for the cache.
    pub fn policy(
        self,
        geometry: &Geometry,
        config: &Config,
        future: &[u64],
    ) -> Result<Box<dyn Policy>, ParamError> {
        cache::check(geometry)?;
        ParamError::range("gpu", config.gpu as u64, 0, geometry.kernels as u64 - 1)?;
        let Config {
            gpu,
            sampled,
            leaders,
            rrpv_w,
            psel_w,
            seed,
            streaming,
            ..
        } = *config;
        let params = Params {
            rrpv_w,
            psel_w,
            leaders,
            seed,
        };
        let duel = || Duel::new(geometry, &params);
        let decided = |policy| Duel::decided(policy, &params);
        let interval = |duel| Interval::new(geometry, &params, duel);
        let ucp = |tap| Ucp::new(geometry, sampled, streaming, tap);
        let aware = |tap| interval(duel()?)?.aware(geometry, sampled, streaming, tap);
        let tap = |streams| Tap::new(gpu, streams);
        let acting_on = |core_sampling, xsratio| {
            tap(false).acting_on(ActsOn {
                core_sampling,
                xsratio,
            })
        };
        Ok(match self {
            Self::Lru => Box::new(Lru::new(geometry)),
            Self::Static => Box::new(match &config.partition {
                Some(quota) => Static::new(geometry, quota)?,
                None => Static::halves(geometry, gpu)?,
            }),
            Self::Srrip => Box::new(interval(decided(drrip::Policy::Srrip)?)?),
            Self::Brrip => Box::new(interval(decided(drrip::Policy::Brrip)?)?),
            Self::Drrip => Box::new(interval(duel()?)?),
            Self::Ucp => Box::new(ucp(None)?),
            Self::TapUcp => Box::new(ucp(Some(tap(false)))?),
            Self::TapUcpS => Box::new(ucp(Some(tap(true)))?),
            Self::TapRrip => Box::new(aware(tap(false))?),
            Self::TapRripS => Box::new(aware(tap(true))?),
            Self::Tadip => Box::new(Tadip::new(geometry, duel()?)),
            Self::Pipp => Box::new(Pipp::new(geometry, sampled, streaming, seed as u64)?),
            Self::Tc => Box::new(Tc::new(geometry, streaming)?),
            Self::Costs => Box::new(Costs::new(geometry, sampled)?),
            Self::Opt => Box::new(Opt::new(geometry, future)),
            Self::TapUcpSampling => Box::new(ucp(Some(acting_on(false, false)))?),
            Self::TapUcpMask => Box::new(ucp(Some(acting_on(true, false)))?),
            Self::TapUcpRatio => Box::new(ucp(Some(acting_on(false, true)))?),
            Self::TapRripSampling => Box::new(aware(acting_on(false, false))?),
            Self::TapRripMask => Box::new(aware(acting_on(true, false))?),
            Self::TapRripRatio => Box::new(aware(acting_on(false, true))?),
            Self::DrripDistant => Box::new(interval(duel()?)?.inserting_distant(gpu)),
            Self::TcMonitored => {
                Box::new(Tc::new(geometry, streaming)?.monitored(geometry, sampled)?)
            }
        })
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Kind {
    type Err = UnknownKind;

    fn from_str(name: &str) -> Result<Self, UnknownKind> {
        let kind = Self::ALL.into_iter().find(|kind| kind.name() == name);
        kind.ok_or_else(|| UnknownKind {
            name: name.to_owned(),
        })
    }
}
