//! Events in the order of their time.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::clock::Time;

/// What happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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

/// An event to come.
#[derive(Debug, Clone, Copy)]
struct Coming {
    /// Its time, then the number of events that were added before it.
    order: u128,
    event: Event,
}

impl Coming {
    fn time(&self) -> Time {
        (self.order >> Time::BITS) as Time
    }
}

/// The next one is the greatest, as a [`BinaryHeap`] has it.
impl Ord for Coming {
    fn cmp(&self, other: &Self) -> Ordering {
        other.order.cmp(&self.order)
    }
}

impl PartialOrd for Coming {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Coming {
    fn eq(&self, other: &Self) -> bool {
        self.order == other.order
    }
}

impl Eq for Coming {}

/// Events to come; those of the same time in the order in which they were added.
#[derive(Debug, Clone, Default)]
pub(super) struct Events {
    heap: BinaryHeap<Coming>,
    added: u64,
}

impl Events {
    pub(super) fn add(&mut self, time: Time, event: Event) {
        let order = u128::from(time) << Time::BITS | u128::from(self.added);
        self.heap.push(Coming { order, event });
        self.added += 1;
    }

    /// The next one that is before `end`.
    pub(super) fn next(&mut self, end: Time) -> Option<(Time, Event)> {
        let next = self.heap.peek()?;
        if next.time() >= end {
            return None;
        }
        let next = self.heap.pop()?;
        Some((next.time(), next.event))
    }

    /// How many there are of a kind.
    pub(super) fn count(&self, is: impl Fn(&Event) -> bool) -> u64 {
        self.heap.iter().filter(|it| is(&it.event)).count() as u64
    }

    /// Takes out one event of a kind, as an error in the model would.
    #[cfg(test)]
    pub(super) fn lose(&mut self, is: impl Fn(&Event) -> bool) -> bool {
        let mut all: Vec<_> = std::mem::take(&mut self.heap).into_vec();
        let found = all.iter().position(|it| is(&it.event));
        if let Some(index) = found {
            all.swap_remove(index);
        }
        self.heap = all.into();
        found.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_come_by_time_and_then_as_they_were_added() {
        let core = |core| Event::Cpu { core };
        let mut events = Events::default();
        for (time, number) in [(7, 0), (3, 1), (7, 2), (u64::MAX - 1, 3), (3, 4), (7, 5)] {
            events.add(time, core(number));
        }
        assert_eq!(events.count(|event| *event == core(2)), 1);
        // What is at the end is not before it.
        assert_eq!(events.next(3), None);
        let order: Vec<_> = std::iter::from_fn(|| events.next(u64::MAX)).collect();
        let expected = [(3, 1), (3, 4), (7, 0), (7, 2), (7, 5), (u64::MAX - 1, 3)];
        assert_eq!(order, expected.map(|(time, number)| (time, core(number))));
    }
}
