//! The scan that compares the counters of all pairs with their budgets.

use serde::{Deserialize, Serialize};

use super::{Pair, State};
use crate::llc::counter_matrix::Answer;
use crate::llc::id_w;

/// A limit of all ones is none.
pub(super) const NO_LIMIT: u32 = u32::MAX;

/// Cycles from the one in which a pair is known to be above its budget to the one at whose end its
/// bit is set.
pub const MARK_LATENCY: usize = 1;

/// A pair that the scan has read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Slot {
    /// Which.
    pub pair: Pair,
    /// Its budget.
    pub limit: u32,
}

impl Slot {
    /// Whether the pair is above its budget, or may be because there were more events than counted.
    fn exceeds(&self, read: Answer) -> bool {
        read.count > self.limit.into() || read.overflow && self.limit != NO_LIMIT
    }
}

impl Pair {
    /// Where its limit is: the bits of matrix, victim and aggressor behind each other.
    pub fn index(self, kernels: usize) -> usize {
        let id_w = id_w(kernels);
        let [matrix, victim, aggressor] =
            [self.matrix, self.victim, self.aggressor].map(usize::from);
        (matrix << id_w | victim) << id_w | aggressor
    }

    /// The pair after this one: the aggressors of a victim, its victims, the matrices.
    fn next(self, kernels: usize) -> Self {
        let (pairs, kernels) = (kernels * kernels, kernels as u8);
        let at = usize::from(self.victim * kernels + self.aggressor) + 1;
        let matrix = (self.matrix + u8::from(at == pairs)) % 2;
        let at = (at % pairs) as u8;
        Self {
            matrix,
            victim: at / kernels,
            aggressor: at % kernels,
        }
    }
}

impl State {
    /// Reads a pair, if that is `allowed`; `read` is the counter of the one that was read
    /// [`READ_LATENCY`](crate::llc::llc_monitor::READ_LATENCY) cycles before.
    pub(super) fn scan(&mut self, allowed: bool, kernels: usize, read: Answer) {
        let (pair, limit) = (self.scan, self.limits[self.scan.index(kernels)]);
        let asked = self.asked.pass(allowed.then_some(Slot { pair, limit }));
        let above = asked.filter(|slot| slot.exceeds(read));
        if let Some(pair) = self.above.pass(above.map(|slot| slot.pair)) {
            let rows = &mut self.over[usize::from(pair.matrix)];
            rows[usize::from(pair.victim)] |= 1 << pair.aggressor;
        }
        if allowed {
            self.scan = pair.next(kernels);
            self.closing = self.closing.saturating_sub(1);
        }
    }

    /// The period ends in this cycle: from the next on, all pairs of both matrices are read of it.
    pub(super) fn close(&mut self, kernels: usize) {
        self.closing = (2 * kernels * kernels) as u16;
    }

    /// The first pair that is read of the present period again.
    pub fn closing_until(&self, kernels: usize) -> Pair {
        (0..self.closing).fold(self.scan, |pair, _| pair.next(kernels))
    }
}
