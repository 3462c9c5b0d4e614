//! Consistency checks of an SM's counts.

use std::fmt;

use super::{Sm, Stats};

/// Two counts that should be the same, and are not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sum {
    /// The one.
    pub what: &'static str,
    /// What it counts.
    pub count: u64,
    /// The other.
    pub other: &'static str,
    /// What that counts.
    pub expected: u64,
}

impl Sum {
    /// `Ok` if the counts are the same.
    pub(crate) fn equal(
        what: &'static str,
        count: u64,
        other: &'static str,
        expected: u64,
    ) -> Result<(), Self> {
        match count == expected {
            true => Ok(()),
            false => Err(Self {
                what,
                count,
                other,
                expected,
            }),
        }
    }
}

impl fmt::Display for Sum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            what,
            count,
            other,
            expected,
        } = self;
        write!(f, "{what} are {count}, expected the {expected} {other}")
    }
}

impl Sm {
    /// Whether the counts add up between cycles; if not, whose do not.
    pub(in crate::gpu) fn check(&self) -> Result<(), (Option<usize>, Sum)> {
        for kernel in 0..self.stats.len() {
            self.check_kernel(kernel)
                .map_err(|sum| (Some(kernel), sum))?;
        }
        self.check_all().map_err(|sum| (None, sum))
    }

    fn check_kernel(&self, kernel: usize) -> Result<(), Sum> {
        let stats = &self.stats[kernel];
        let looked_up = stats.hits + stats.merged + stats.misses;
        Sum::equal("loads", stats.loads, "hits, merged and misses", looked_up)?;
        let flying = self.lsu.flying_of(kernel);
        let done = stats.completed + flying;
        Sum::equal(
            "memory instructions",
            stats.memory,
            "completed or in flight",
            done,
        )?;
        let down = stats.sent + self.lsu.queued_of(kernel);
        let needed = stats.misses + stats.stores + self.lsu.further(kernel);
        Sum::equal(
            "misses and stores",
            needed,
            "sent or in the miss queue",
            down,
        )?;
        let blocks = stats.blocks_ended + u64::from(self.blocks.resident(kernel));
        Sum::equal(
            "blocks started",
            stats.blocks_started,
            "ended or resident",
            blocks,
        )
    }

    fn check_all(&self) -> Result<(), Sum> {
        let issued = self.stats.iter().map(|stats| stats.instructions()).sum();
        Sum::equal(
            "issue slots used",
            self.slots.issued,
            "instructions",
            issued,
        )?;
        let slots = self.slots.issued + self.slots.refused + self.slots.idle;
        let cycles = self.counted * self.schedulers.len() as u64;
        Sum::equal("issue slots", slots, "slots of all cycles", cycles)?;
        let flying = self.lsu.in_flight();
        Sum::equal(
            "loads and stores of blocks",
            self.blocks.in_flight(),
            "in flight",
            flying,
        )?;
        let sum = |count: fn(&Stats) -> u64| self.stats.iter().map(count).sum();
        self.lsu
            .check(sum(|stats| stats.replies), sum(|stats| stats.sent))
    }
}
