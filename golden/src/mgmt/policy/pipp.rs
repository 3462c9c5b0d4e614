//! `pipp`: pseudo-partitions by where lines are inserted and how they are promoted.
//!
//! Source: TAP, section 5.7: "PIPP pseudo partitions cache space to each application by having a
//! different insert position for each application, which is determined using a utility monitor as
//! in UCP. Upon hits, each block is promoted toward the MRU by one position. [...] When an
//! application shows streaming behavior, PIPP assigns only one way and allows promotion with a very
//! small probability (1/128)."
//!
//! ASSUMPTION: an application with a quota of q ways inserts in the q-th position from the LRU one,
//! which is the first; the LRU line is replaced, whoever owns it.
//! ASSUMPTION: a hit of an application that does not stream always promotes.
//! ASSUMPTION: who streams is found as in [`monitor`](super::monitor), also of the GPU; quotas are
//! those of UCP with one way for these, unless all stream.

use rand::{RngCore, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::monitor::{Monitors, Streaming};
use super::order::Order;
use super::utility::{lookahead, shares};
use super::{Decision, Ended, Lines, Policy, Request};
use crate::llc::cache::Geometry;
use crate::model::ParamError;

/// Of so many hits of an application that streams one promotes.
pub const RARELY: u64 = 128;

/// Promotion and insertion pseudo-partitioning.
#[derive(Debug, Clone)]
pub struct Pipp {
    order: Order,
    monitors: Monitors,
    rule: Streaming,
    quota: Vec<u64>,
    streaming: Vec<bool>,
    random: Pcg64Mcg,
}

impl Pipp {
    /// Of an empty cache; `sampled` sets are monitored, `seed` is that of the draws.
    ///
    /// # Errors
    /// [`ParamError`] when there are fewer ways than applications, or `sampled` is no power of two.
    pub fn new(
        geometry: &Geometry,
        sampled: usize,
        rule: Streaming,
        seed: u64,
    ) -> Result<Self, ParamError> {
        let Geometry { sets, kernels, .. } = *geometry;
        let quota = shares(geometry)?;
        Ok(Self {
            order: Order::new(sets, geometry.ways),
            monitors: Monitors::new(geometry, sampled)?,
            rule,
            quota,
            streaming: vec![false; kernels],
            random: Pcg64Mcg::seed_from_u64(seed),
        })
    }

    /// The order of the lines.
    pub fn order(&self) -> &Order {
        &self.order
    }
}

impl Policy for Pipp {
    fn observe(&mut self, request: &Request) {
        self.monitors.access(request);
    }

    fn hit(&mut self, request: &Request, _: &Lines<'_>, way: usize) {
        let rarely = self.streaming[request.app];
        if !rarely || self.random.next_u64() % RARELY == 0 {
            let position = self.order.position(request.set, way);
            let above = position.saturating_sub(1);
            self.order.shift(request.set, position, above);
        }
    }

    fn miss(&mut self, request: &Request, lines: &Lines<'_>) -> Option<usize> {
        let from = self.order.lowest(request.set, lines);
        let to = lines.ways() - self.quota[request.app] as usize;
        self.order.shift(request.set, from, to);
        Some(self.order.of(request.set)[to].into())
    }

    fn end_period(&mut self, ended: &Ended<'_>) {
        self.streaming = self.monitors.streaming(&self.rule, ended);
        let streaming = self.streaming.iter().enumerate();
        let mask = streaming.fold(0, |mask, (app, &it)| mask | u64::from(it) << app);
        let hits: Vec<&[u64]> = self.monitors.each.iter().map(|it| it.hits()).collect();
        let ways: u64 = self.quota.iter().sum();
        self.quota = lookahead(ways as usize, &hits, mask, &vec![1; hits.len()]);
        self.monitors.clear();
    }

    fn decision(&self) -> Decision {
        Decision {
            quotas: Some(self.quota.clone()),
            streaming: Some(self.streaming.clone()),
            ..Decision::default()
        }
    }
}
