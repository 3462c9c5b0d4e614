//! State and ports of `llc_registers`.

use serde::{Deserialize, Serialize};

use super::Slot;
use crate::bus::access::Access;
use crate::delay::Delayed;
use crate::llc::llc_monitor::Matrix;

/// A kernel's lines, and who acts on them, of one of the two matrices with budgets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Pair {
    /// 0 demotions, 1 evictions; of a read by the bus any
    /// [`Matrix`](crate::llc::llc_monitor::Matrix).
    pub matrix: u8,
    /// The row; of accesses 0 hits, 1 misses.
    pub victim: u8,
    /// The column.
    pub aggressor: u8,
}

/// What can ask for an interrupt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Interrupts {
    /// A pair is above its budget of demotions.
    pub demotion: bool,
    /// A pair is above its budget of evictions.
    pub eviction: bool,
    /// The timer has ended a period.
    pub period: bool,
}

/// Registers and the memory of limits. All registers reset to 0 but where it says otherwise; the
/// memory is not reset.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct State {
    /// The transfer of the bus.
    pub access: Access,
    /// The limits are being set to all ones. Reset: 1.
    pub sweeping: bool,
    /// The limit that is set next; 0 after the sweep.
    pub sweep: u32,
    /// The pair that is read next.
    pub scan: Pair,
    /// How many pairs, from that on, are still read of the period that ended last; 0 after reset.
    pub closing: u16,
    /// The pairs that were read in the cycles before and whose counters have not come yet, one per
    /// cycle of [`READ_LATENCY`](crate::llc::llc_monitor::READ_LATENCY).
    pub asked: Delayed<Option<Slot>>,
    /// Pairs that are known to be above their budget and not marked yet, one per cycle of
    /// [`MARK_LATENCY`](super::MARK_LATENCY).
    pub above: Delayed<Option<Pair>>,
    /// Cycles between periodic snapshots, 0 for none.
    pub period: u32,
    /// How many cycles from now the next of them is, itself counted; 0 for none.
    pub left: u32,
    /// The timer has ended a period, and the bit was not cleared since.
    pub period_ended: bool,
    /// What may ask for an interrupt.
    pub enable: Interrupts,
    /// By matrix and victim, the aggressors above their budget.
    pub over: [Vec<u64>; 2],
    /// Those that count.
    pub mask: [Vec<u64>; 2],
    /// The interrupt.
    pub irq: bool,
    /// By matrix, victim and aggressor, each with as many bits as a kernel's number has.
    pub limits: Vec<u32>,
}

impl Interrupts {
    /// Each by its name.
    pub(super) fn from(mut bit: impl FnMut(&str) -> bool) -> Self {
        Self {
            demotion: bit("DEMOTION"),
            eviction: bit("EVICTION"),
            period: bit("PERIOD"),
        }
    }

    /// Whether the one of this name is there.
    pub(super) fn has(&self, name: &str) -> bool {
        match name {
            "DEMOTION" => self.demotion,
            "EVICTION" => self.eviction,
            _ => self.period,
        }
    }

    /// Whether one is in both.
    fn meets(&self, other: &Self) -> bool {
        self.demotion && other.demotion
            || self.eviction && other.eviction
            || self.period && other.period
    }
}

impl State {
    /// Forgets what is on its way.
    pub(in crate::bus) fn quiet(&mut self) {
        self.access = Access::default();
        self.asked.clear(&None);
        self.above.clear(&None);
    }

    /// Sets the budget of a pair of kernels, if there is one.
    pub(in crate::bus) fn preset_limit(
        &mut self,
        kernels: usize,
        (matrix, victim, aggressor): (Matrix, usize, usize),
        limit: u32,
    ) {
        let budgeted = matches!(matrix, Matrix::Gdc | Matrix::Ike);
        if budgeted && victim < kernels && aggressor < kernels {
            let pair = Pair {
                matrix: matrix.code(),
                victim: victim as u8,
                aggressor: aggressor as u8,
            };
            self.limits[pair.index(kernels)] = limit;
        }
    }

    /// What asks for an interrupt in this cycle, enabled or not.
    pub fn status(&self) -> Interrupts {
        let counts = |matrix: usize| {
            let mut pairs = self.over[matrix].iter().zip(&self.mask[matrix]);
            pairs.any(|(over, mask)| over & mask != 0)
        };
        Interrupts {
            demotion: counts(0),
            eviction: counts(1),
            period: self.period_ended,
        }
    }

    /// The interrupt of the next cycle.
    pub(super) fn interrupts(&self) -> bool {
        self.status().meets(&self.enable)
    }

    /// The timer ends the period in this cycle.
    pub fn timer_ends(&self) -> bool {
        self.left == 1
    }

    /// A new period of so many cycles begins with the next one; without a timer if they are 0.
    pub(super) fn restart(&mut self, cycles: u32) {
        (self.period, self.left) = (cycles, cycles);
    }

    /// The timer passes a cycle.
    pub(super) fn count_down(&mut self) {
        self.left = match self.left {
            1 => self.period,
            left => left.saturating_sub(1),
        };
    }
}
