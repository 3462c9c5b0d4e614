//! `static`: a partition of the ways that does not change, and what all partitions have in common.
//!
//! Source: TAP, section 5.5: "All CPU cores (at most 4) share 16 ways of the LLC regardless of the
//! number of concurrently running CPU applications, and the GPU cores (6 cores) share the rest of
//! the 16 ways."
//!
//! ASSUMPTION: a partition is kept by owner counts, as [`quota_victim`](crate::mgmt::quota_victim)
//! does, not by masks of ways: a part may hold more lines of a set than its ways as long as the
//! others do not miss there.
//! ASSUMPTION: an application whose part has no way bypasses the cache.
//! ASSUMPTION: of an odd number of ways the CPUs have the one that is left over.

use super::order::Order;
use super::{Decision, Lines, Policy, Request};
use crate::llc::cache::Geometry;
use crate::llc::ByPosition;
use crate::mgmt::quota_victim::{victim, In, Params};
use crate::mgmt::ByApplication;
use crate::model::ParamError;

/// Sets whose ways are divided in parts, each of one application or shared by several, LRU within
/// each.
#[derive(Debug, Clone)]
pub struct Parts {
    order: Order,
    params: Params,
    /// The part of each application.
    pub part: Vec<u8>,
    /// The ways of each part.
    pub quota: Vec<u64>,
}

impl Parts {
    /// Of an empty cache.
    pub fn new(geometry: &Geometry, part: Vec<u8>, quota: Vec<u64>) -> Self {
        Self {
            order: Order::new(geometry.sets, geometry.ways),
            params: Params {
                ways: geometry.ways,
                applications: quota.len(),
            },
            part,
            quota,
        }
    }

    /// A line is used.
    pub fn hit(&mut self, set: usize, way: usize) {
        self.order.touch(set, way);
    }

    /// The way that a miss of an application fills, if its part has any.
    pub fn miss(&mut self, request: &Request, lines: &Lines<'_>) -> Option<usize> {
        let requester = self.part[request.app];
        if self.quota[usize::from(requester)] == 0 {
            return None;
        }
        let order = self.order.of(request.set);
        let at = |position: usize| usize::from(order[position]);
        let valid = |position: usize| u64::from(lines.is_valid(at(position)));
        let input = In {
            requester,
            stack_way: ByPosition::copied(order),
            stack_owner: ByPosition::from_fn(order.len(), |i| {
                self.part[usize::from(lines.owner[at(i)])]
            }),
            stack_valid: (0..order.len()).fold(0, |mask, i| mask | valid(i) << i),
            quota: ByApplication::copied(&self.quota),
        };
        let (position, _) = victim(&self.params, &input);
        self.order.shift(request.set, position, 0);
        Some(self.order.of(request.set)[0].into())
    }

    /// The ways that each application may use, alone or with others.
    pub fn quotas(&self) -> Vec<u64> {
        let parts = self.part.iter().map(|&part| usize::from(part));
        parts.map(|part| self.quota[part]).collect()
    }
}

/// A partition that does not change.
#[derive(Debug, Clone)]
pub struct Static {
    parts: Parts,
}

impl Static {
    /// One half of the ways for all applications of the CPUs, the other for that of the GPU.
    ///
    /// # Errors
    /// [`ParamError`] when there is no way for each half.
    pub fn halves(geometry: &Geometry, gpu: usize) -> Result<Self, ParamError> {
        let ways = geometry.ways as u64;
        ParamError::range("ways", ways, 2, crate::llc::MAX_WAYS as u64)?;
        let part = (0..geometry.kernels).map(|app| u8::from(app == gpu));
        let quota = vec![ways.div_ceil(2), ways / 2];
        Ok(Self {
            parts: Parts::new(geometry, part.collect(), quota),
        })
    }

    /// So many ways for each application.
    ///
    /// # Errors
    /// [`ParamError`] when there is not one number for each, or they do not add up to the ways.
    pub fn new(geometry: &Geometry, quota: &[u64]) -> Result<Self, ParamError> {
        let Geometry { ways, kernels, .. } = *geometry;
        let exactly = |name, value, wanted: usize| match value == wanted as u64 {
            true => Ok(()),
            false => Err(ParamError::NotOneOf {
                name,
                value,
                known: vec![wanted as u64],
            }),
        };
        exactly("number of parts", quota.len() as u64, kernels)?;
        let sum = quota.iter().fold(0u64, |sum, &it| sum.saturating_add(it));
        exactly("sum of all parts", sum, ways)?;
        let part = (0..kernels as u8).collect();
        Ok(Self {
            parts: Parts::new(geometry, part, quota.to_vec()),
        })
    }
}

impl Policy for Static {
    fn hit(&mut self, request: &Request, _: &Lines<'_>, way: usize) {
        self.parts.hit(request.set, way);
    }

    fn miss(&mut self, request: &Request, lines: &Lines<'_>) -> Option<usize> {
        self.parts.miss(request, lines)
    }

    fn decision(&self) -> Decision {
        Decision {
            quotas: Some(self.parts.quotas()),
            ..Decision::default()
        }
    }
}
