//! The time of each cycle, and of the gaps between them.

use crate::error::{Error, Result};
use crate::options::{Gap, Options};

/// What a cycle follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Follows {
    /// It is the first.
    Nothing,
    /// Cycles that were not sampled; they begin at this time.
    Unknown(u64),
    /// The one before, or some in which nothing happened.
    Cycle,
}

/// The cycles written so far.
#[derive(Debug, Clone)]
pub(crate) struct Timeline {
    period: u64,
    gap: Gap,
    first: Option<u64>,
    last: Option<u64>,
}

impl Timeline {
    pub fn new(options: &Options) -> Self {
        Self {
            period: options.period,
            gap: options.gap,
            first: None,
            last: None,
        }
    }

    /// The first and the last cycle written.
    pub fn ends(&self) -> Option<(u64, u64)> {
        self.first.zip(self.last)
    }

    /// Time at which the last cycle ends; 0 if there is none.
    pub fn end(&self) -> u64 {
        self.last.map_or(0, |last| (last + 1) * self.period)
    }

    /// Takes a cycle: its start, and what it follows.
    ///
    /// # Errors
    /// [`Error::Order`], [`Error::Time`]; then nothing is taken.
    pub fn take(&mut self, cycle: u64) -> Result<(u64, Follows)> {
        let period = self.period;
        let end = cycle
            .checked_add(1)
            .and_then(|next| next.checked_mul(period));
        let end = end.ok_or(Error::Time { cycle, period })?;
        let follows = match self.last {
            None => Follows::Nothing,
            Some(last) if cycle <= last => return Err(Error::Order { cycle, last }),
            Some(last) if cycle > last + 1 && self.gap == Gap::Unknown => {
                Follows::Unknown((last + 1) * period)
            }
            Some(_) => Follows::Cycle,
        };
        self.first.get_or_insert(cycle);
        self.last = Some(cycle);
        Ok((end - period, follows))
    }
}
