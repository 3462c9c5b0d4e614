//! Events in the order of their time.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::clock::Time;

/// What happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Event {
    /// A CPU core goes on.
    Cpu { core: u16 },
    /// A line has missed a CPU core's caches.
    Missed { core: u16, line: u64 },
    /// A GPU core's warp reaches its memory instruction.
    Gpu { core: u16 },
    /// A line is back at the core that asked for it.
    Reply { core: u16, line: u64 },
    /// A miss of the L3 is at memory.
    Fetch { core: u16, line: u64 },
    /// A bank's row is open for its request.
    Column { channel: u16, bank: u16 },
    /// A period ends.
    Period,
}

/// Events to come; those of the same time in the order in which they were added.
#[derive(Debug, Clone, Default)]
pub(super) struct Events {
    heap: BinaryHeap<Reverse<(Time, u64, Event)>>,
    added: u64,
}

impl Events {
    pub(super) fn add(&mut self, time: Time, event: Event) {
        self.heap.push(Reverse((time, self.added, event)));
        self.added += 1;
    }

    /// The next one that is before `end`.
    pub(super) fn next(&mut self, end: Time) -> Option<(Time, Event)> {
        match self.heap.peek() {
            Some(Reverse((time, ..))) if *time < end => {}
            _ => return None,
        }
        let Reverse((time, _, event)) = self.heap.pop()?;
        Some((time, event))
    }

    /// How many there are of a kind.
    pub(super) fn count(&self, is: impl Fn(&Event) -> bool) -> u64 {
        let events = self.heap.iter().map(|Reverse((_, _, event))| event);
        events.filter(|event| is(event)).count() as u64
    }

    /// Takes out one event of a kind, as an error in the model would.
    #[cfg(test)]
    pub(super) fn lose(&mut self, is: impl Fn(&Event) -> bool) -> bool {
        let mut all: Vec<_> = std::mem::take(&mut self.heap).into_vec();
        let found = all.iter().position(|Reverse((_, _, event))| is(event));
        if let Some(index) = found {
            all.swap_remove(index);
        }
        self.heap = all.into();
        found.is_some()
    }
}
