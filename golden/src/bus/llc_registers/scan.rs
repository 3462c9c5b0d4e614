//! The scan that compares the counters of all pairs with their budgets.

use serde::{Deserialize, Serialize};

use super::{Pair, State};
use crate::llc::id_w;

/// A limit of all ones is none.
pub(super) const NO_LIMIT: u32 = u32::MAX;

/// What the scan did in a cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Slot {
    /// A pair was read.
    pub valid: bool,
    /// Which, or is to be read next.
    pub pair: Pair,
    /// Its budget.
    pub limit: u32,
    /// It is above it, or may be; known in the third cycle after.
    pub over: bool,
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
    /// The bits of the slot whose time has come, and whether the one that the `count` was read
    /// for is above its budget: it is, or may be because there were more events than counted.
    pub(super) fn mark(&mut self, count: u64, saturated: bool) {
        let [_, read, done] = &mut self.slots;
        if done.valid && done.over {
            let Pair {
                matrix,
                victim,
                aggressor,
            } = done.pair;
            self.over[usize::from(matrix)][usize::from(victim)] |= 1 << aggressor;
        }
        let has_limit = read.limit != NO_LIMIT;
        let exceeds = count > read.limit.into() || saturated && has_limit;
        read.over = read.valid && exceeds;
    }

    /// Reads a pair, if that is `allowed`, and moves those before on.
    pub(super) fn scan(&mut self, allowed: bool, kernels: usize) {
        let pair = self.scan;
        let slot = Slot {
            valid: allowed,
            pair,
            limit: self.limits[pair.index(kernels)],
            over: false,
        };
        if allowed {
            self.scan = pair.next(kernels);
            self.closing = self.closing.saturating_sub(1);
        }
        let [first, second, _] = self.slots;
        self.slots = [slot, first, second];
    }

    /// The period ends in this cycle: from the next on, all pairs of both matrices are read of it.
    pub(super) fn close(&mut self, kernels: usize) {
        self.closing = (2 * kernels * kernels) as u16;
        self.closing_from = self.scan;
    }
}
