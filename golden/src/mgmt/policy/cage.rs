//! `tc`: thrasher caging.
//!
//! Source: TAP, section 2.3.1: "TC identifies thrashing applications by monitoring cache access
//! frequency and the number of misses and then enforces streaming/thrashing applications to use a
//! limited number of cache ways, called the cage."
//!
//! ASSUMPTION: an application thrashes if it has made as many accesses in the period, and as many of
//! them have missed the cache, as [`Streaming`] says; its misses in the cage count as well, so that
//! it leaves the cage only when it fits into it, or accesses seldom.
//! ASSUMPTION: the cage is an eighth of the ways, at least one, and all thrashers share it; the
//! others share the rest, and all ways while nobody thrashes. If all thrash nobody is caged.

use super::monitor::{Monitors, Streaming};
use super::partition::Parts;
use super::{Decision, Ended, Lines, Policy, Request};
use crate::llc::cache::Geometry;
use crate::llc::MAX_WAYS;
use crate::model::ParamError;

/// The part that thrashers share.
const CAGE: u8 = 1;

/// Thrasher caging.
#[derive(Debug, Clone)]
pub struct Tc {
    ways: u64,
    parts: Parts,
    rule: Streaming,
    streaming: Vec<bool>,
    /// What judges an application in place of its misses in the cache.
    monitors: Option<Monitors>,
}

impl Tc {
    /// Of an empty cache.
    ///
    /// # Errors
    /// [`ParamError`] when there is only one way.
    pub fn new(geometry: &Geometry, rule: Streaming) -> Result<Self, ParamError> {
        let Geometry { ways, kernels, .. } = *geometry;
        ParamError::range("ways", ways as u64, 2, MAX_WAYS as u64)?;
        Ok(Self {
            ways: ways as u64,
            parts: Parts::new(geometry, vec![0; kernels], vec![ways as u64, 0]),
            rule,
            streaming: vec![false; kernels],
            monitors: None,
        })
    }

    /// The same, but an application thrashes if it would miss as often with all ways, by a monitor of
    /// so many sampled sets: in no paper, to see what it costs that a victim's misses count as its own.
    ///
    /// # Errors
    /// [`ParamError`] when `sampled` is no power of two.
    pub fn monitored(self, geometry: &Geometry, sampled: usize) -> Result<Self, ParamError> {
        let monitors = Some(Monitors::new(geometry, sampled)?);
        Ok(Self { monitors, ..self })
    }
}

impl Policy for Tc {
    fn observe(&mut self, request: &Request) {
        if let Some(monitors) = &mut self.monitors {
            monitors.access(request);
        }
    }

    fn hit(&mut self, request: &Request, _: &Lines<'_>, way: usize) {
        self.parts.hit(request.set, way);
    }

    fn miss(&mut self, request: &Request, lines: &Lines<'_>) -> Option<usize> {
        self.parts.miss(request, lines)
    }

    fn end_period(&mut self, ended: &Ended<'_>) {
        let rule = self.rule;
        self.streaming = match &mut self.monitors {
            Some(monitors) => {
                let thrashes = monitors.streaming(&rule, ended);
                monitors.clear();
                thrashes
            }
            None => {
                let of = ended.kernels.iter();
                of.map(|it| rule.is(it.accesses, it.misses, it.accesses))
                    .collect()
            }
        };
        let caged = self.streaming.contains(&true) && self.streaming.contains(&false);
        let part = |&thrashes: &bool| if caged && thrashes { CAGE } else { 0 };
        self.parts.part = self.streaming.iter().map(part).collect();
        let cage = if caged { (self.ways / 8).max(1) } else { 0 };
        self.parts.quota = vec![self.ways - cage, cage];
    }

    fn decision(&self) -> Decision {
        Decision {
            quotas: Some(self.parts.quotas()),
            streaming: Some(self.streaming.clone()),
            ..Decision::default()
        }
    }
}
