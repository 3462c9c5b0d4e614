//! Miss status holding registers of an L2 bank: outstanding lines and the requests merged into
//! them.

use crate::gpu::memory::Request;

/// The line of an entry whose line was evicted.
pub(super) const NO_LINE: u32 = u32::MAX;

/// The entry of a line that is not on its way.
pub(super) const NO_MSHR: u16 = u16::MAX;

/// A request that waits.
#[derive(Debug, Clone, Copy)]
pub(super) struct Waiter {
    pub(super) request: Request,
    /// The sectors that are still to come.
    pub(super) need: u32,
    /// Its reply leaves in this cycle at the earliest.
    pub(super) ready: u64,
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    /// The place that the fill goes to.
    place: u32,
    /// Fetches on their way; the entry is free if there is none.
    fetches: u16,
    waiting: u16,
}

/// The MSHRs of a bank.
#[derive(Debug)]
pub(super) struct Mshrs {
    entries: Vec<Entry>,
    free: Vec<u16>,
    /// `merges` per entry.
    waiters: Vec<Option<Waiter>>,
    merges: usize,
}

impl Mshrs {
    pub(super) fn new(count: usize, merges: usize) -> Self {
        let entry = Entry {
            place: NO_LINE,
            fetches: 0,
            waiting: 0,
        };
        Self {
            entries: vec![entry; count],
            free: (0..count as u16).rev().collect(),
            waiters: vec![None; count * merges],
            merges,
        }
    }

    pub(super) fn any_free(&self) -> bool {
        !self.free.is_empty()
    }

    /// Whether one more request can wait.
    pub(super) fn can_merge(&self, entry: u16) -> bool {
        usize::from(self.entries[usize::from(entry)].waiting) < self.merges
    }

    /// Takes a free entry for the line at a place.
    pub(super) fn allocate(&mut self, place: u32) -> Option<u16> {
        let entry = self.free.pop()?;
        self.entries[usize::from(entry)].place = place;
        Some(entry)
    }

    /// One more fetch for an entry's line is on its way.
    pub(super) fn fetch(&mut self, entry: u16) {
        self.entries[usize::from(entry)].fetches += 1;
    }

    /// One more request waits; there is a place for it.
    pub(super) fn wait(&mut self, entry: u16, waiter: Waiter) {
        let index = usize::from(entry);
        let waiting = &mut self.entries[index].waiting;
        self.waiters[index * self.merges + usize::from(*waiting)] = Some(waiter);
        *waiting += 1;
    }

    /// The entry's line was evicted: the fill is not stored.
    pub(super) fn orphan(&mut self, entry: u16) {
        self.entries[usize::from(entry)].place = NO_LINE;
    }

    /// Sectors have come: `answer` is told each request that has all it waits for, in order.
    /// Returns the place that the fill goes to and whether the entry is free again.
    pub(super) fn fill(
        &mut self,
        entry: u16,
        sectors: u32,
        mut answer: impl FnMut(Waiter),
    ) -> (u32, bool) {
        let index = usize::from(entry);
        let state = &mut self.entries[index];
        let slots = &mut self.waiters[index * self.merges..][..usize::from(state.waiting)];
        let mut kept = 0;
        for from in 0..slots.len() {
            let Some(mut waiter) = slots[from].take() else {
                continue;
            };
            waiter.need &= !sectors;
            if waiter.need == 0 {
                answer(waiter);
            } else {
                slots[kept] = Some(waiter);
                kept += 1;
            }
        }
        state.waiting = kept as u16;
        state.fetches -= 1;
        let done = state.fetches == 0;
        if done {
            self.free.push(entry);
        }
        (state.place, done)
    }

    /// Entries in use.
    pub(super) fn used(&self) -> usize {
        self.entries.len() - self.free.len()
    }

    /// The requests that wait.
    pub(super) fn waiting(&self) -> impl Iterator<Item = &Request> {
        self.waiters.iter().flatten().map(|waiter| &waiter.request)
    }
}
