//! Statistics of the issue control, per period and kernel.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cotenant_golden::sm::mem_issue::{In, Out};
use serde::Serialize;

use super::Excess;
use crate::error::Error;
use crate::verify::lockstep::Mismatch;

/// Why the lockstep has ended.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Ended {
    /// Netlist and golden model differ.
    #[error("cycle {}: {}: dut {}, golden {}", .0.cycle, .0.field, .0.dut, .0.golden)]
    Mismatch(Mismatch),
    /// A limit did not hold.
    #[error(transparent)]
    Excess(Excess),
    /// The SM breaks an assumption of the unit: the SM's fault.
    #[error(transparent)]
    Error(Error),
}

/// The lowest and the highest value and the mean over cycles.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Span {
    /// The lowest.
    pub min: u64,
    /// The highest.
    pub max: u64,
    /// Cycles that it is over; the others had no value.
    pub cycles: u64,
    /// All cycles' values.
    pub sum: u64,
}

impl Span {
    fn add(&mut self, value: u64) {
        self.min = if self.cycles == 0 {
            value
        } else {
            self.min.min(value)
        };
        self.max = self.max.max(value);
        self.cycles += 1;
        self.sum += value;
    }

    /// Both together.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        if self.cycles == 0 || other.cycles == 0 {
            return if self.cycles == 0 { other } else { self };
        }
        Self {
            min: self.min.min(other.min),
            max: self.max.max(other.max),
            cycles: self.cycles + other.cycles,
            sum: self.sum + other.sum,
        }
    }

    /// Their mean; none without a cycle.
    pub fn mean(&self) -> Option<f64> {
        (self.cycles > 0).then(|| self.sum as f64 / self.cycles as f64)
    }
}

/// What a kernel did in a period, as its unit saw it.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Seen {
    /// Memory instructions granted.
    pub grants: u64,
    /// Memory instructions completed.
    pub completed: u64,
    /// Requests accepted.
    pub requests: u64,
    /// Requests refused.
    pub failures: u64,
    /// Instructions in flight.
    pub in_flight: Span,
    /// The limit, over the cycles in which there was one.
    pub limit: Span,
    /// The quota.
    pub quota: Span,
}

impl Seen {
    /// Both periods together.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            grants: self.grants + other.grants,
            completed: self.completed + other.completed,
            requests: self.requests + other.requests,
            failures: self.failures + other.failures,
            in_flight: self.in_flight.and(other.in_flight),
            limit: self.limit.and(other.limit),
            quota: self.quota.and(other.quota),
        }
    }
}

/// A stretch of cycles.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Period {
    /// How many.
    pub cycles: u64,
    /// By kernel.
    pub kernels: Vec<Seen>,
}

impl Period {
    pub(super) fn new(kernels: usize) -> Self {
        Self {
            cycles: 0,
            kernels: vec![Seen::default(); kernels],
        }
    }

    pub(super) fn count(&mut self, input: &In, out: &Out) {
        self.cycles += 1;
        for (k, kernel) in self.kernels.iter_mut().enumerate() {
            let bit = |mask: u64| mask >> k & 1;
            let lsu = |valid: bool| u64::from(valid && usize::from(input.lsu_kid) == k);
            kernel.grants += bit(out.grant);
            kernel.completed += bit(input.complete);
            kernel.requests += lsu(input.request_valid);
            kernel.failures += lsu(input.fail_valid);
            kernel.in_flight.add(out.in_flight[k]);
            if bit(out.unlimited) == 0 {
                kernel.limit.add(out.limit[k]);
            }
            kernel.quota.add(out.quota[k]);
        }
    }
}

/// Statistics of an issue control; clones share them.
#[derive(Debug, Clone, Default)]
pub struct Log(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    ended: AtomicBool,
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    periods: Vec<Period>,
    why: Option<Ended>,
}

impl Log {
    /// Whether something was wrong; see [`take_end`](Self::take_end).
    #[inline]
    pub fn ended(&self) -> bool {
        self.0.ended.load(Ordering::Relaxed)
    }

    /// What was wrong; none if nothing was, or it was taken before.
    pub fn take_end(&self) -> Option<Ended> {
        self.inner().why.take()
    }

    /// The periods so far, without the present one, which comes when it is over or the issue
    /// control is dropped.
    pub fn periods(&self) -> Vec<Period> {
        self.inner().periods.clone()
    }

    /// Cycles compared, those of the present period not among them.
    pub fn cycles(&self) -> u64 {
        self.inner()
            .periods
            .iter()
            .map(|period| period.cycles)
            .sum()
    }

    pub(super) fn push(&self, period: Period) {
        self.inner().periods.push(period);
    }

    pub(super) fn end(&self, why: Ended) {
        self.inner().why = Some(why);
        self.0.ended.store(true, Ordering::Relaxed);
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        // Each change is a single one, so a panic of another thread leaves nothing half done.
        let lock = self.0.inner.lock();
        lock.unwrap_or_else(PoisonError::into_inner)
    }
}
