//! Banks with row buffers and the bus of a module, scheduled first-ready, first-come first-served.
//!
//! Source: Fractional GPUs, section I (reordering of requests, row buffer conflicts, bus
//! contention) and appendix B; Rixner et al., "Memory Access Scheduling", ISCA 2000 (FR-FCFS).
//! Of the requests that wait for a bank, the oldest to the open row is next, or else the oldest.
//! The bus goes to column commands in the order of their times.
//!
//! ASSUMPTION: a row stays open until another one is needed; requests to it may starve others.
//! ASSUMPTION: a bank takes its next request when the data of the last one is on the bus for as
//! long as a burst takes; no limit on activations of different banks, no bank groups.

use std::collections::VecDeque;

/// Times in cycles of the GPU.
#[derive(Debug, Clone, Copy)]
pub(super) struct Timing {
    pub(super) rp: u64,
    pub(super) rcd: u64,
    pub(super) ras: u64,
    pub(super) cl: u64,
    pub(super) burst: u64,
}

/// A row buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Row {
    /// A row of data that nobody asks for again.
    Spurious,
    Open(u64),
}

/// A bank and who waits for it.
#[derive(Debug)]
pub(super) struct Bank {
    row: Row,
    /// The sum of clearings that the row buffer has seen.
    cleared: u64,
    activated: u64,
    /// From when on it takes another request.
    free: u64,
    /// Requests and their rows, oldest first.
    waiting: VecDeque<(usize, u64)>,
    /// The request whose column command is to come.
    pub(super) served: Option<usize>,
}

impl Bank {
    pub(super) fn new() -> Self {
        Self {
            row: Row::Spurious,
            cleared: 0,
            activated: 0,
            free: 0,
            waiting: VecDeque::new(),
            served: None,
        }
    }

    /// A request to a row waits from now on; spurious reads before it may have changed the row.
    pub(super) fn push(&mut self, request: usize, row: u64, clearings: u64) {
        if self.cleared != clearings {
            self.cleared = clearings;
            self.row = Row::Spurious;
        }
        self.waiting.push_back((request, row));
    }

    /// Takes the next request if there is one and the bank is free: the cycle of its column
    /// command. If the bank is busy, the cycle in which to ask again.
    pub(super) fn next(&mut self, now: u64, timing: &Timing) -> Option<Next> {
        if self.served.is_some() || self.waiting.is_empty() {
            return None;
        }
        if now < self.free {
            return Some(Next::Ask(self.free));
        }
        let ready = |it: &(usize, u64)| self.row == Row::Open(it.1);
        let place = self.waiting.iter().position(ready).unwrap_or(0);
        let (request, row) = self.waiting.remove(place)?;
        self.served = Some(request);
        let column = match self.row {
            Row::Open(open) if open == row => now,
            Row::Open(_) => {
                let precharge = now.max(self.activated + timing.ras);
                self.activate(precharge + timing.rp, row, timing)
            }
            Row::Spurious => self.activate(now + timing.rp, row, timing),
        };
        Some(Next::Column(column))
    }

    fn activate(&mut self, at: u64, row: u64, timing: &Timing) -> u64 {
        self.row = Row::Open(row);
        self.activated = at;
        at + timing.rcd
    }

    /// The column command of the served request; it, and the cycle in which its data is there.
    pub(super) fn column(
        &mut self,
        now: u64,
        bus: &mut u64,
        timing: &Timing,
    ) -> Option<(usize, u64)> {
        let request = self.served.take()?;
        *bus = (now + timing.cl).max(*bus) + timing.burst;
        self.free = now + timing.burst;
        Some((request, *bus))
    }
}

/// What a bank does next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    /// It is busy until a cycle.
    Ask(u64),
    /// Its column command is in a cycle.
    Column(u64),
}
