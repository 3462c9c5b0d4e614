//! `ucp`, `tap-ucp` and `tap-ucp-s`: partitions by marginal utility.
//!
//! Source: TAP, section 3.3 and appendix A, algorithm 1; section 5.3 for TAP-S. The assumptions
//! about the lookahead are those of [`ucp`](crate::mgmt::ucp), whose functions decide each round.
//!
//! ASSUMPTION: where all applications would get one way only, since the GPU's is masked and all of
//! the CPUs' stream, there is no mask: somebody must have the rest.

use super::monitor::{Monitors, Streaming};
use super::partition::Parts;
use super::tap::Tap;
use super::{Core, Decision, Ended, Lines, Policy, Request};
use crate::llc::cache::Geometry;
use crate::mgmt::ucp::{max_mu, winner, Params};
use crate::model::ParamError;

/// Ways of each application before the first decision, as in [`ucp`](crate::mgmt::ucp): all have as
/// many, and what is left over goes to the lower ids.
///
/// # Errors
/// [`ParamError`] when there are fewer ways than applications.
pub fn shares(geometry: &Geometry) -> Result<Vec<u64>, ParamError> {
    let Geometry { ways, kernels, .. } = *geometry;
    ParamError::range("kernels", kernels as u64, 1, ways as u64)?;
    let params = Params {
        ways,
        applications: kernels,
        cnt_w: 64,
        xs_w: 10,
    };
    Ok((0..kernels).map(|app| params.share(app)).collect())
}

/// Ways of each application, by its hits with each number of ways: algorithm 1. Those in `mask`
/// get one way, and the hits of each are divided by its `ratio`, at least 1.
pub fn lookahead(ways: usize, hits: &[&[u64]], mask: u64, ratio: &[u64]) -> Vec<u64> {
    let masked = |app: usize| mask >> app & 1 == 1;
    let mask_holds = !(0..hits.len()).all(masked);
    let mut allocation = vec![1; hits.len()];
    let mut balance = ways.saturating_sub(hits.len());
    while balance > 0 {
        let utilities = hits.iter().enumerate().map(|(app, hits)| {
            let above = &hits[allocation[app]..][..balance];
            (!(mask_holds && masked(app))).then(|| max_mu(above, ratio[app]))?
        });
        let Some((app, won)) = winner(utilities) else {
            break;
        };
        allocation[app] += won.ways as usize;
        balance -= won.ways as usize;
    }
    allocation.into_iter().map(|ways| ways as u64).collect()
}

/// UCP, or TAP-UCP.
#[derive(Debug, Clone)]
pub struct Ucp {
    ways: usize,
    parts: Parts,
    monitors: Monitors,
    tap: Option<Tap>,
    rule: Streaming,
    streaming: Vec<bool>,
}

impl Ucp {
    /// Of an empty cache; with `tap`, TAP-UCP. `sampled` sets are monitored.
    ///
    /// # Errors
    /// [`ParamError`] when there are fewer ways than applications, or `sampled` is no power of two.
    pub fn new(
        geometry: &Geometry,
        sampled: usize,
        rule: Streaming,
        tap: Option<Tap>,
    ) -> Result<Self, ParamError> {
        let Geometry { ways, kernels, .. } = *geometry;
        let quota = shares(geometry)?;
        Ok(Self {
            ways,
            parts: Parts::new(geometry, (0..kernels as u8).collect(), quota),
            monitors: Monitors::new(geometry, sampled)?,
            tap,
            rule,
            streaming: vec![false; kernels],
        })
    }
}

impl Policy for Ucp {
    fn observe(&mut self, request: &Request) {
        self.monitors.access(request);
    }

    fn hit(&mut self, request: &Request, _: &Lines<'_>, way: usize) {
        self.parts.hit(request.set, way);
    }

    fn miss(&mut self, request: &Request, lines: &Lines<'_>) -> Option<usize> {
        if self.tap.is_some() && request.core == Core::Pol1 {
            return None;
        }
        self.parts.miss(request, lines)
    }

    fn end_period(&mut self, ended: &Ended<'_>) {
        let hits: Vec<&[u64]> = self.monitors.each.iter().map(|it| it.hits()).collect();
        let (mut mask, mut ratio) = (0, vec![1; hits.len()]);
        if let Some(tap) = &mut self.tap {
            tap.end_period(ended, &self.monitors.each[tap.gpu]);
            ratio[tap.gpu] = tap.ratio();
            mask |= u64::from(tap.masked()) << tap.gpu;
            if tap.streams {
                self.streaming = self.monitors.streaming(&self.rule, ended);
                self.streaming[tap.gpu] = false;
                let streaming = self.streaming.iter().enumerate();
                mask |= streaming.fold(0, |mask, (app, &it)| mask | u64::from(it) << app);
            }
        }
        self.parts.quota = lookahead(self.ways, &hits, mask, &ratio);
        self.monitors.clear();
    }

    fn decision(&self) -> Decision {
        let streams = self.tap.is_some_and(|tap| tap.streams);
        Decision {
            quotas: Some(self.parts.quotas()),
            xsratio: self.tap.map(|tap| tap.xsratio),
            caching_helps: self.tap.map(|tap| tap.caching_helps),
            streaming: streams.then(|| self.streaming.clone()),
        }
    }
}
