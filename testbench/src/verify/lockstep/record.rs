//! The last cycles of a lockstep run, kept to replay them for a waveform.
//!
//! A row holds what the golden model saw and said in a cycle. The netlist's own values are not
//! kept: it is put back to a checkpoint and driven with the rows' inputs once more. So a cycle
//! that is not shown costs nothing but the packing that the comparison needs anyway.

use std::collections::VecDeque;

use cotenant_netlist::sim::{Sim, State};

use crate::error::{Error, Result};
use crate::verify::waves::recorder::AFTER;

/// Cycles between two checkpoints, at least; with a longer reach they are further apart.
const CHECKPOINT: u64 = 160;
/// Cycles from the first one that are all still there, however short the reach.
pub(crate) const RECORDED: u64 = 2 * CHECKPOINT;
/// Most bytes of rows.
const LIMIT: u64 = 1 << 30;

/// Words of the parts of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shape {
    pub input: usize,
    pub output: usize,
    pub state: usize,
}

impl Shape {
    fn words(self) -> usize {
        self.input + self.output + self.state
    }
}

/// The golden side of a cycle.
#[derive(Debug)]
pub(crate) struct Row<'a> {
    pub input: &'a [u64],
    pub output: &'a [u64],
    /// The registers during the cycle.
    pub state: &'a [u64],
}

/// The rows that a cycle writes.
#[derive(Debug)]
pub(crate) struct Writing<'a> {
    pub input: &'a mut [u64],
    pub output: &'a mut [u64],
    /// The registers during the next cycle.
    pub next_state: &'a mut [u64],
}

#[derive(Debug, Clone)]
pub(crate) struct Record {
    shape: Shape,
    words: Vec<u64>,
    /// Rows there is room for.
    rows: u64,
    /// The newest cycle, and its row: where the others are follows without a division.
    newest: (u64, u64),
    /// Cycles that it goes back, at least.
    reach: u64,
    interval: u64,
    /// States of the netlist at the start of cycles, the oldest first. The rows go back to it.
    checkpoints: VecDeque<(u64, State)>,
}

impl Record {
    /// One that goes back `reach` cycles from a mismatch, whose successors it holds, too.
    ///
    /// # Errors
    /// [`Error::Reach`] if the rows are too many for the memory.
    pub fn new(shape: Shape, reach: u64) -> Result<Self> {
        let row = shape.words() as u64 * size_of::<u64>() as u64;
        let most = LIMIT / row.max(1);
        let reach = reach.saturating_add(AFTER + 1);
        let interval = CHECKPOINT.max(reach / 4);
        // Until the oldest checkpoint is dropped, two intervals more than the reach.
        let rows = reach
            .saturating_add(2 * interval)
            .saturating_add(2 * AFTER + 2);
        if rows > most {
            return Err(Error::Reach {
                cycles: reach - AFTER - 1,
                most: (most * 2 / 3).saturating_sub(4 * AFTER),
                bytes: row,
            });
        }
        Ok(Self {
            shape,
            words: vec![0; shape.words() * rows as usize],
            rows,
            newest: (0, 0),
            reach,
            interval,
            checkpoints: VecDeque::new(),
        })
    }

    /// An empty one that goes back so far, at least.
    ///
    /// # Errors
    /// As [`Record::new`].
    pub fn reaching(&self, reach: u64) -> Result<Self> {
        Self::new(self.shape, reach.max(self.reach - AFTER - 1))
    }

    /// The design has been put into another state at the start of `cycle`: with it the past can
    /// still be shown, else it is forgotten.
    pub fn restart_at(&mut self, cycle: u64, sim: Option<&Sim>) {
        match sim {
            Some(sim) => self.checkpoint(cycle, sim),
            None => self.checkpoints.clear(),
        }
    }

    /// Called before each cycle.
    #[inline]
    pub fn before(&mut self, cycle: u64, sim: &Sim) {
        let due = match self.checkpoints.back() {
            Some((at, _)) => cycle - at >= self.interval,
            None => true,
        };
        if due {
            self.checkpoint(cycle, sim);
        }
    }

    /// Keeps the state at the start of a cycle: from time to time, and where the design has been
    /// put into another one.
    fn checkpoint(&mut self, cycle: u64, sim: &Sim) {
        self.checkpoints.retain(|(at, _)| *at != cycle);
        let wanted = cycle.saturating_sub(self.reach);
        let mut spare = None;
        while self.checkpoints.get(1).is_some_and(|(at, _)| *at <= wanted) {
            spare = self.checkpoints.pop_front();
        }
        let reused =
            spare.and_then(|(_, mut state)| sim.save_into(&mut state).ok().map(|()| state));
        let state = reused.unwrap_or_else(|| sim.save());
        self.checkpoints.push_back((cycle, state));
    }

    #[inline]
    fn row_of(&self, cycle: u64) -> u64 {
        let (newest, row) = self.newest;
        row.checked_sub(newest.wrapping_sub(cycle))
            .unwrap_or_else(|| cycle % self.rows)
    }

    #[inline]
    fn offset(&self, cycle: u64) -> usize {
        self.row_of(cycle) as usize * self.shape.words()
    }

    /// Where the registers during `cycle` go.
    pub fn state_mut(&mut self, cycle: u64) -> &mut [u64] {
        let Shape {
            input,
            output,
            state,
        } = self.shape;
        let at = self.offset(cycle) + input + output;
        &mut self.words[at..at + state]
    }

    /// Where `cycle` writes.
    #[inline]
    pub fn write(&mut self, cycle: u64) -> Writing<'_> {
        let Shape {
            input,
            output,
            state,
        } = self.shape;
        let row = self.row_of(cycle);
        let next_row = if row + 1 == self.rows { 0 } else { row + 1 };
        self.newest = (cycle + 1, next_row);
        let [here, next] = [row, next_row].map(|row| row as usize * self.shape.words());
        // The next row is behind this one, or the first.
        let (this_row, next_row) = if next > here {
            let (low, high) = self.words.split_at_mut(next);
            (&mut low[here..], high)
        } else {
            let (low, high) = self.words.split_at_mut(here);
            (high, low)
        };
        let (inputs, rest) = this_row.split_at_mut(input);
        Writing {
            input: inputs,
            output: &mut rest[..output],
            next_state: &mut next_row[input + output..][..state],
        }
    }

    /// What `cycle` wrote.
    pub fn row(&self, cycle: u64) -> Row<'_> {
        let Shape { input, output, .. } = self.shape;
        let words = &self.words[self.offset(cycle)..][..self.shape.words()];
        Row {
            input: &words[..input],
            output: &words[input..input + output],
            state: &words[input + output..],
        }
    }

    /// The first cycle, not before `wanted` if that can be had, from which on the netlist can be
    /// run again.
    pub fn start(&self, wanted: u64) -> Option<u64> {
        let before = self.checkpoints.iter().rev().find(|(at, _)| *at <= wanted);
        let found = before.or(self.checkpoints.front());
        found.map(|(at, _)| *at)
    }

    /// The state at the start of a cycle, where one was kept.
    pub fn state(&self, cycle: u64) -> Option<&State> {
        let found = self.checkpoints.iter().find(|(at, _)| *at == cycle);
        found.map(|(_, state)| state)
    }
}
