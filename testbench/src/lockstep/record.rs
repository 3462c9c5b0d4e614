//! The last cycles of a lockstep run: enough to run the design through them again for a wave.
//!
//! A row holds what the golden model saw and said in a cycle. The netlist's own values are not
//! kept: it is put back to a checkpoint and driven with the rows' inputs once more. So a cycle
//! without a mismatch costs nothing but the packing that the comparison needs anyway.

use cotenant_netlist::sim::{Sim, State};

/// Cycles between two checkpoints; a wave goes back one to two times as far, less what follows a
/// mismatch.
const CHECKPOINT: u64 = 256;
/// Cycles from the first one that are all still there.
pub(crate) const RECORDED: u64 = 2 * CHECKPOINT;
/// Rows kept: two stretches between checkpoints and what follows a mismatch.
const ROWS: u64 = 2 * CHECKPOINT + 2 * AFTER + 2;
/// Most cycles that a run goes on for after a mismatch.
pub(crate) const AFTER: u64 = 8;

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
    /// The younger first.
    checkpoints: [Option<(u64, State)>; 2],
}

impl Record {
    pub fn new(shape: Shape) -> Self {
        Self {
            shape,
            words: vec![0; shape.words() * ROWS as usize],
            checkpoints: [None, None],
        }
    }

    /// Forgets the past: the design is about to be put into another state.
    pub fn restart(&mut self) {
        self.checkpoints = [None, None];
    }

    /// Called before each cycle.
    #[inline]
    pub fn before(&mut self, cycle: u64, sim: &Sim) {
        let due = match &self.checkpoints[0] {
            Some((at, _)) => cycle - at >= CHECKPOINT,
            None => true,
        };
        if due {
            self.checkpoint(cycle, sim);
        }
    }

    fn checkpoint(&mut self, cycle: u64, sim: &Sim) {
        self.checkpoints.swap(0, 1);
        if let Some((at, state)) = &mut self.checkpoints[0] {
            if sim.save_into(state).is_ok() {
                *at = cycle;
                return;
            }
        }
        self.checkpoints[0] = Some((cycle, sim.save()));
    }

    fn offset(&self, cycle: u64) -> usize {
        (cycle % ROWS) as usize * self.shape.words()
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
        let (here, next) = (self.offset(cycle), self.offset(cycle + 1));
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

    /// The oldest state of the netlist from which every row is still there, and its cycle.
    pub fn oldest(&self) -> Option<(u64, &State)> {
        let [young, old] = &self.checkpoints;
        let (cycle, state) = old.as_ref().or(young.as_ref())?;
        Some((*cycle, state))
    }
}
