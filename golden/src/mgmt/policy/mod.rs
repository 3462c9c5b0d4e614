//! Policies of a cache that applications share: replacement, insertion and partitioning, over a
//! stream of accesses.
//!
//! Source: TAP, sections 2.3, 3.3, 3.4, 5.3, 5.5 and 5.7, which compares these policies. They are
//! behavioural: a decision is taken, and holds, at once, where the units ([`ucp`](super::ucp),
//! [`drrip`](super::drrip)) need cycles for it.
//!
//! | module | policies |
//! | --- | --- |
//! | [`lru`] | `lru` |
//! | [`partition`] | `static`, by quotas as [`quota_victim`](super::quota_victim) keeps them |
//! | [`utility`] | `ucp`, `tap-ucp`, `tap-ucp-s`, by the lookahead of [`ucp`](super::ucp) |
//! | [`interval`] | `srrip`, `brrip`, `drrip`, `tap-rrip`, `tap-rrip-s`, by [`rrip`](super::rrip) and [`drrip`](super::drrip) |
//! | [`tadip`] | `tadip` |
//! | [`pipp`] | `pipp` |
//! | [`cage`] | `tc` |
//! | [`costs`] | `costs`, by the [exact attribution](crate::llc::exact); of no paper |
//! | [`opt`] | `opt`, Belady's optimum, a bound for all others |
//!
//! [`Kind::PARTS`] are some of these with a part changed, in no paper: what the part is worth.
//!
//! [`SharedCache`] is the cache that asks a policy which way a miss fills. [`monitor`] and [`tap`]
//! are what several policies look at when a period ends.
//!
//! ASSUMPTION: an application owns the lines that it was the last to access, as in
//! [`llc::cache`](crate::llc::cache). Reads and writes both allocate.
//! ASSUMPTION: what a period's end decides holds from the next access on.
//!
//! ```
//! use cotenant_golden::llc::cache::Geometry;
//! use cotenant_golden::mgmt::policy::{Config, Kind, SharedCache};
//!
//! let geometry = Geometry { sets: 1, ways: 4, line: 64, kernels: 2, banks: 1 };
//! // A loop over two lines beside a stream.
//! let misses = |kind: Kind| {
//!     let policy = kind.policy(&geometry, &Config::new(1), &[])?;
//!     let mut cache = SharedCache::new(geometry, policy)?;
//!     for n in 0..100 {
//!         cache.access(0, n % 2 * 64).unwrap();
//!         (0..3).for_each(|m| _ = cache.access(1, 0x10000 + (3 * n + m) * 64));
//!     }
//!     Ok::<u64, cotenant_golden::ParamError>(cache.counts()[0].misses)
//! };
//! assert_eq!((misses(Kind::Lru)?, misses(Kind::Static)?), (100, 2));
//! # Ok::<(), cotenant_golden::ParamError>(())
//! ```

pub mod cage;
pub mod costs;
pub mod interval;
pub mod lru;
pub mod monitor;
pub mod opt;
pub mod order;
pub mod partition;
pub mod pipp;
pub mod tadip;
pub mod tap;
pub mod utility;

mod cache;
mod kind;

pub use cache::{Outcome, Period, SharedCache};
pub use kind::{Config, Kind, UnknownKind};

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::llc::cache::KernelCounts;

/// An access as a policy sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Request {
    /// The accessing application, its KID.
    pub app: usize,
    /// The set, 0 to `sets - 1`.
    pub set: usize,
    /// The tag.
    pub tag: u64,
    /// What the accessing core is to core sampling.
    pub core: Core,
}

/// What a core is to core sampling (TAP, section 3.1): the policies of TAP handle the fills of the
/// two that are sampled their own way, whatever has been decided; the others do not look at it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Core {
    /// It follows what has been decided, as all CPU cores do.
    #[default]
    Follower,
    /// Core-POL1: fills at LRU; with a partitioned cache its misses bypass (section 3.1.1).
    Pol1,
    /// Core-POL2: fills at MRU.
    Pol2,
}

/// The lines of a set before an access, by way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lines<'a> {
    /// The application that owns each line; 0 where there never was one.
    pub owner: &'a [u8],
    /// The ways that hold a valid line.
    pub valid: u64,
}

impl Lines<'_> {
    /// Number of ways.
    pub fn ways(&self) -> usize {
        self.owner.len()
    }

    /// A way holds a valid line.
    pub fn is_valid(&self, way: usize) -> bool {
        self.valid >> way & 1 == 1
    }
}

/// What a period's end is decided by.
#[derive(Debug, Clone, Copy)]
pub struct Ended<'a> {
    /// Accesses, hits and misses of each application in the period.
    pub kernels: &'a [KernelCounts],
    /// Caching helps the GPU's application, as core sampling finds it (TAP, section 3.1); `None`
    /// where there are no cores to sample, then the policy estimates it ([`tap::helps`]).
    pub caching_helps: Option<bool>,
}

/// What a policy has decided; the parts that it does not decide are `None`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Decision {
    /// The ways of each application; those that share a part of the cache have all of its ways.
    pub quotas: Option<Vec<u64>>,
    /// XSRATIO (TAP, section 3.2), 1 to 1023.
    pub xsratio: Option<u64>,
    /// Caching helps the GPU's application.
    pub caching_helps: Option<bool>,
    /// Each application streams, or thrashes.
    pub streaming: Option<Vec<bool>>,
}

/// A policy, with the state that it keeps for each set and line.
///
/// The cache calls [`observe`](Policy::observe) at each access and then [`hit`](Policy::hit) or
/// [`miss`](Policy::miss). Applications, sets and ways are those that it was made for.
pub trait Policy: fmt::Debug + Send {
    /// There is an access; it has not taken effect yet.
    fn observe(&mut self, _: &Request) {}

    /// The access hits the line in a way.
    fn hit(&mut self, request: &Request, lines: &Lines<'_>, way: usize);

    /// The access misses: the way that it fills, or `None` if it bypasses the cache.
    fn miss(&mut self, request: &Request, lines: &Lines<'_>) -> Option<usize>;

    /// A period has ended.
    fn end_period(&mut self, _: &Ended<'_>) {}

    /// What holds now.
    fn decision(&self) -> Decision {
        Decision::default()
    }
}

#[cfg(test)]
mod tests;
