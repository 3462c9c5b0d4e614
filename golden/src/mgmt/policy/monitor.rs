//! UCP's utility monitor without its ports: hits that an application would have with each number
//! of ways, if it had the cache for itself; and applications that stream, by it.
//!
//! Source: TAP, sections 3.3 and 5.3. The stacks are those of [`umon`]; counters
//! have 64 bits and do not saturate.
//!
//! ASSUMPTION: an application streams (section 5.3: "a streaming behavior detection mechanism
//! similar to [27, 28], which requires only a few counters") if in the period it has made at least
//! as many accesses as [`Streaming::accesses`] says, and of those that its monitor saw at least
//! [`Streaming::miss_percent`] missed. The monitor's misses do not depend on the ways that it has
//! got, so that an application with one way can be found not to stream any more.

use serde::{Deserialize, Serialize};

use super::{Ended, Request};
use crate::llc::cache::Geometry;
use crate::mgmt::umon::{self, Params};
use crate::model::ParamError;

/// The monitor of one application.
#[derive(Debug, Clone)]
pub struct Monitor {
    params: Params,
    /// Tags of each sampled set, MRU first.
    stacks: Vec<Vec<u64>>,
    /// Hits by position, then misses.
    count: Vec<u64>,
}

impl Monitor {
    /// Beside an empty cache; samples so many sets, or all if there are fewer.
    ///
    /// # Errors
    /// [`ParamError`] when the number of sampled sets is no power of two.
    pub fn new(geometry: &Geometry, sampled: usize) -> Result<Self, ParamError> {
        let Geometry { sets, ways, .. } = *geometry;
        ParamError::power_of_two("sampled", sampled as u64, "sets in between are as many")?;
        let sampled = sampled.min(sets);
        let params = Params {
            ways,
            sets,
            sampled,
            tag_w: 64,
            cnt_w: 64,
        };
        Ok(Self {
            stacks: vec![Vec::new(); sampled],
            count: vec![0; params.counters()],
            params,
        })
    }

    /// An access of the application.
    pub fn access(&mut self, set: usize, tag: u64) {
        if let Some(index) = self.params.stack_of(set as u32) {
            let stack = &mut self.stacks[index];
            let position = umon::access(stack, self.params.ways, tag);
            self.count[position.unwrap_or(self.params.ways)] += 1;
        }
    }

    /// Hits of the period by stack position, MRU first: the first n are those with n ways.
    pub fn hits(&self) -> &[u64] {
        &self.count[..self.params.ways]
    }

    /// Misses of the period.
    pub fn misses(&self) -> u64 {
        self.count[self.params.ways]
    }

    /// Begins a period. The stacks go on.
    pub fn clear(&mut self) {
        self.count.fill(0);
    }
}

/// From when on an application streams.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Streaming {
    /// Accesses in the period.
    pub accesses: u64,
    /// Misses in percent of the accesses.
    pub miss_percent: u64,
}

impl Default for Streaming {
    /// ASSUMPTION: the paper names no thresholds.
    fn default() -> Self {
        Self {
            accesses: 1024,
            miss_percent: 90,
        }
    }
}

impl Streaming {
    /// Whether an application with so many accesses streams, of which so many out of a sample
    /// missed.
    pub fn is(&self, accesses: u64, missed: u64, sample: u64) -> bool {
        let (missed, sample) = (u128::from(missed), u128::from(sample));
        let often = accesses >= self.accesses;
        often && sample > 0 && 100 * missed >= u128::from(self.miss_percent) * sample
    }
}

/// The monitors of all applications.
#[derive(Debug, Clone)]
pub struct Monitors {
    /// One for each application.
    pub each: Vec<Monitor>,
}

impl Monitors {
    /// As [`Monitor::new`].
    ///
    /// # Errors
    /// As there.
    pub fn new(geometry: &Geometry, sampled: usize) -> Result<Self, ParamError> {
        let each = vec![Monitor::new(geometry, sampled)?; geometry.kernels];
        Ok(Self { each })
    }

    /// An access.
    pub fn access(&mut self, request: &Request) {
        self.each[request.app].access(request.set, request.tag);
    }

    /// Which applications streamed in the period.
    pub fn streaming(&self, rule: &Streaming, ended: &Ended<'_>) -> Vec<bool> {
        let streams = |(monitor, counts): (&Monitor, &crate::llc::cache::KernelCounts)| {
            let hits: u64 = monitor.hits().iter().sum();
            let missed = monitor.misses();
            rule.is(counts.accesses, missed, hits + missed)
        };
        self.each.iter().zip(ended.kernels).map(streams).collect()
    }

    /// Begins a period.
    pub fn clear(&mut self) {
        self.each.iter_mut().for_each(Monitor::clear);
    }
}
