//! `srrip`, `brrip`, `drrip`, `tap-rrip` and `tap-rrip-s`: re-reference interval prediction.
//!
//! Source: TAP, section 3.4 and table 3; section 5.3 for TAP-S. Predictions are those of the unit
//! [`rrip`], set duelling and draws those of [`drrip`], with
//! their assumptions.
//!
//! ASSUMPTION: TAP-RRIP under TAP-S resets the RRIP-Mask when there are applications of the CPUs and
//! all of them stream.

use super::monitor::{Monitors, Streaming};
use super::tap::Tap;
use super::{Core, Decision, Ended, Lines, Policy, Request};
use crate::llc::cache::Geometry;
use crate::mgmt::drrip::{self, Drrip};
use crate::mgmt::rrip::{self, Rrip};
use crate::model::{limit, Model, ParamError};

/// Parameters of the family.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Params {
    /// Bits of a prediction, 1 to 8.
    pub rrpv_w: usize,
    /// Bits of a policy selector, 2 to 16.
    pub psel_w: usize,
    /// Leader sets of each policy and application, a power of two.
    pub leaders: usize,
    /// What BRRIP's draws begin with, 1 to 2^31 - 1.
    pub seed: usize,
}

/// Who decides how a miss inserts.
#[derive(Debug, Clone)]
pub struct Duel {
    unit: Drrip,
    /// In place of the accessed set and of the application.
    always: Option<u32>,
    /// The RRIP-Mask of each application.
    pub mask: u64,
}

impl Duel {
    /// A duel between sets for each application. ASSUMPTION: there are fewer leader sets than asked
    /// for where they would be more than half of all sets, but at least one.
    ///
    /// # Errors
    /// [`ParamError`] as of the unit.
    pub fn new(geometry: &Geometry, params: &Params) -> Result<Self, ParamError> {
        let Geometry { sets, kernels, .. } = *geometry;
        let half = (sets / (4 * kernels)).max(1);
        let most = (half + 1).next_power_of_two() / 2;
        Self::with_leaders(geometry, params, params.leaders.min(most))
    }

    /// The same with exactly so many leader sets of each policy and application.
    ///
    /// # Errors
    /// [`ParamError`] as of the unit.
    pub fn with_leaders(
        geometry: &Geometry,
        params: &Params,
        leaders: usize,
    ) -> Result<Self, ParamError> {
        let unit = Drrip::new(drrip::Params {
            sets: geometry.sets,
            applications: geometry.kernels,
            leaders,
            psel_w: params.psel_w,
            seed: params.seed,
        })?;
        Ok(Self {
            unit,
            always: None,
            mask: 0,
        })
    }

    /// One policy for all: all sets do as a leader set of it.
    ///
    /// # Errors
    /// [`ParamError`] as of the unit.
    pub fn decided(policy: drrip::Policy, params: &Params) -> Result<Self, ParamError> {
        let unit = Drrip::new(drrip::Params {
            sets: 2,
            applications: 1,
            leaders: 1,
            psel_w: params.psel_w,
            seed: params.seed,
        })?;
        Ok(Self {
            always: Some(unit.params().leader(policy, 0, 0)),
            unit,
            mask: 0,
        })
    }

    /// What an access does.
    pub fn access(&mut self, request: &Request, access_hit: bool) -> drrip::Out {
        let (access_set, access_app) = match self.always {
            Some(set) => (set, 0),
            None => (request.set as u32, request.app as u8),
        };
        self.unit.step(&drrip::In {
            reset: false,
            access_valid: true,
            access_hit,
            access_set,
            access_app,
            rrip_mask: self.mask,
        })
    }

    /// The unit.
    pub fn unit(&self) -> &Drrip {
        &self.unit
    }
}

/// TAP's part in it.
#[derive(Debug, Clone)]
struct Aware {
    tap: Tap,
    monitors: Monitors,
    rule: Streaming,
    streaming: Vec<bool>,
}

/// A policy of the family.
#[derive(Debug, Clone)]
pub struct Interval {
    duel: Duel,
    unit: Rrip,
    /// By set and way.
    rrpv: Vec<u8>,
    /// RRPV of a line that is replaced next.
    lru: u8,
    input: rrip::In,
    tap: Option<Aware>,
    /// The application whose lines are all inserted as distant.
    distant: Option<usize>,
}

impl Interval {
    /// Of an empty cache.
    ///
    /// # Errors
    /// [`ParamError`] as of the unit.
    pub fn new(geometry: &Geometry, params: &Params, duel: Duel) -> Result<Self, ParamError> {
        let Geometry { sets, ways, .. } = *geometry;
        let rrpv_w = params.rrpv_w;
        Ok(Self {
            duel,
            unit: Rrip::new(rrip::Params { ways, rrpv_w })?,
            rrpv: vec![0; sets * ways],
            lru: limit(rrpv_w) as u8,
            input: rrip::In::default(),
            tap: None,
            distant: None,
        })
    }

    /// The same, but all lines of an application are inserted as distant, whatever the duel says: in
    /// no paper, to see what the lines are worth that BRRIP inserts as long.
    pub fn inserting_distant(self, app: usize) -> Self {
        Self {
            distant: Some(app),
            ..self
        }
    }

    /// The same as TAP-RRIP; `sampled` sets are monitored, to estimate whether caching helps and to
    /// find applications that stream.
    ///
    /// # Errors
    /// [`ParamError`] when `sampled` is no power of two.
    pub fn aware(
        self,
        geometry: &Geometry,
        sampled: usize,
        rule: Streaming,
        tap: Tap,
    ) -> Result<Self, ParamError> {
        let tap = Some(Aware {
            tap,
            monitors: Monitors::new(geometry, sampled)?,
            rule,
            streaming: vec![false; geometry.kernels],
        });
        Ok(Self { tap, ..self })
    }

    /// Whose insertion is decided how.
    pub fn duel(&self) -> &Duel {
        &self.duel
    }

    fn access(&mut self, request: &Request, lines: &Lines<'_>, hit: Option<usize>) -> usize {
        let said = self.duel.access(request, hit.is_some());
        let ways = lines.ways();
        let rrpv = &mut self.rrpv[request.set * ways..][..ways];
        let preferred = |way: usize| said.preferred >> lines.owner[way] & 1;
        let input = &mut self.input;
        input.rrpv.clear();
        input.rrpv.extend_from_slice(rrpv);
        input.valid = lines.valid;
        input.preferred = match said.preferred {
            0 => 0,
            _ => (0..ways).fold(0, |mask, way| mask | preferred(way) << way),
        };
        input.access_valid = true;
        input.access_hit = hit.is_some();
        input.access_way = hit.unwrap_or(0) as u8;
        // What is sampled is not masked.
        let sampled = self.tap.is_some() && request.core != Core::Follower;
        input.promote = said.promote || sampled;
        input.insert_distant = said.insert_distant || self.distant == Some(request.app);
        let out = self.unit.step(input);
        rrpv.copy_from_slice(&out.next_rrpv);
        if sampled && hit.is_none() {
            rrpv[usize::from(out.victim_way)] = match request.core {
                Core::Pol1 => self.lru,
                _ => 0,
            };
        }
        out.victim_way.into()
    }
}

impl Policy for Interval {
    fn observe(&mut self, request: &Request) {
        if let Some(aware) = &mut self.tap {
            aware.monitors.access(request);
        }
    }

    fn hit(&mut self, request: &Request, lines: &Lines<'_>, way: usize) {
        self.access(request, lines, Some(way));
    }

    fn miss(&mut self, request: &Request, lines: &Lines<'_>) -> Option<usize> {
        Some(self.access(request, lines, None))
    }

    fn end_period(&mut self, ended: &Ended<'_>) {
        let Some(aware) = &mut self.tap else { return };
        let Aware {
            tap,
            monitors,
            rule,
            streaming,
        } = aware;
        tap.end_period(ended, &monitors.each[tap.gpu]);
        let mut mask = tap.masked() || tap.ratio() > 1;
        if tap.streams {
            *streaming = monitors.streaming(rule, ended);
            streaming[tap.gpu] = false;
            let cpus = streaming.len() - 1;
            let all = streaming.iter().filter(|&&it| it).count() == cpus;
            mask &= !(cpus > 0 && all);
        }
        self.duel.mask = u64::from(mask) << tap.gpu;
        monitors.clear();
    }

    fn decision(&self) -> Decision {
        let Some(Aware { tap, streaming, .. }) = &self.tap else {
            return Decision::default();
        };
        Decision {
            quotas: None,
            xsratio: Some(tap.xsratio),
            caching_helps: Some(tap.caching_helps),
            streaming: tap.streams.then(|| streaming.clone()),
        }
    }
}
