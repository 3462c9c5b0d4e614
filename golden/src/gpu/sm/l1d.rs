//! Tags of an SM's L1 data cache.
//!
//! A line with sectors on their way is *reserved*: it is not replaced and not invalidated.

use super::divide::Ways;
use super::mshr::NONE;
use crate::gpu::config::{self, Index};

/// No line: no line of at least two bytes begins there.
const EMPTY: u64 = u64::MAX;

/// What is known of a place's line beside its address.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line {
    /// Sectors that are here.
    pub valid: u32,
    /// Sectors on their way.
    pub pending: u32,
    /// The first register that waits for them.
    pub mshr: u16,
    /// The kernel that has brought it.
    pub kernel: u8,
    /// The last use; higher is later.
    used: u64,
}

/// The tag array. A line's place is the set's number times the ways, plus the way's.
#[derive(Debug, Clone)]
pub(super) struct L1d {
    sets: usize,
    ways: usize,
    index: Index,
    shift: u32,
    clock: u64,
    addresses: Vec<u64>,
    lines: Vec<Line>,
}

impl L1d {
    /// An empty cache of lines of `line` bytes, a power of two.
    pub(super) fn new(config: &config::L1d, line: u64) -> Self {
        let places = config.sets * config.ways;
        let empty = Line {
            valid: 0,
            pending: 0,
            mshr: NONE,
            kernel: 0,
            used: 0,
        };
        Self {
            sets: config.sets,
            ways: config.ways,
            index: config.index,
            shift: line.trailing_zeros(),
            clock: 0,
            addresses: vec![EMPTY; places],
            lines: vec![empty; places],
        }
    }

    /// Sets and ways.
    pub(super) fn dimensions(&self) -> (usize, usize) {
        (self.sets, self.ways)
    }

    /// The set of an address.
    pub(super) fn set_of(&self, address: u64) -> usize {
        self.set(address).start / self.ways
    }

    fn set(&self, address: u64) -> std::ops::Range<usize> {
        // As Index::permuted, in shifts: this is looked at once per cycle.
        let line = address >> self.shift;
        let set = match self.index {
            Index::Bits | Index::Slices => line,
            Index::Fermi => {
                let high = address >> 13 & 7 | (address >> 17 & 1) << 3 | (address >> 19 & 1) << 4;
                (line & 31 ^ high) | (line & 32)
            }
            Index::Xor => line ^ line >> self.sets.trailing_zeros(),
        };
        let set = set as usize & (self.sets - 1);
        set * self.ways..(set + 1) * self.ways
    }

    /// The place of the line at this address.
    #[inline]
    pub(super) fn find(&self, address: u64) -> Option<usize> {
        let set = self.set(address);
        let start = set.start;
        let way = self.addresses[set].iter().position(|&a| a == address)?;
        Some(start + way)
    }

    /// Where a line at this address would go: an empty place, else that of the line used longest
    /// ago; none if all are reserved.
    pub(super) fn victim(&self, address: u64) -> Option<usize> {
        self.set(address)
            .filter(|&place| self.lines[place].pending == 0)
            .min_by_key(|&place| match self.addresses[place] {
                EMPTY => 0,
                _ => self.lines[place].used,
            })
    }

    /// The same where each kernel has its ways of a set: a kernel with fewer lines there takes one of
    /// those that have too many, else one of its own.
    pub(super) fn victim_of(&self, kernel: u8, address: u64, ways: &Ways) -> Option<usize> {
        let of = |place: &usize| match self.addresses[*place] {
            EMPTY => None,
            _ => Some(self.lines[*place].kernel),
        };
        let held = |kernel: u8| {
            let own = self.set(address).filter(|place| of(place) == Some(kernel));
            own.count() as u64
        };
        let below = held(kernel) < ways.quota(kernel);
        let may_go = |place: &usize| match of(place) {
            None => below,
            Some(other) if other == kernel => !below,
            Some(other) => below && held(other) > ways.quota(other),
        };
        self.set(address)
            .filter(|place| self.lines[*place].pending == 0 && may_go(place))
            .min_by_key(|&place| match self.addresses[place] {
                EMPTY => 0,
                _ => self.lines[place].used,
            })
    }

    pub(super) fn line(&self, place: usize) -> &Line {
        &self.lines[place]
    }

    pub(super) fn line_mut(&mut self, place: usize) -> &mut Line {
        &mut self.lines[place]
    }

    /// The line is used.
    pub(super) fn touch(&mut self, place: usize) {
        self.clock += 1;
        self.lines[place].used = self.clock;
    }

    /// A new line in place of what was there; none of its sectors is here.
    pub(super) fn replace(&mut self, place: usize, address: u64, kernel: u8) {
        self.addresses[place] = address;
        self.lines[place].kernel = kernel;
        self.lines[place].valid = 0;
    }

    /// The line leaves.
    pub(super) fn invalidate(&mut self, place: usize) {
        self.addresses[place] = EMPTY;
        self.lines[place].valid = 0;
    }

    /// Reserved lines, with their first registers.
    pub(super) fn reserved(&self) -> impl Iterator<Item = &Line> {
        self.lines.iter().filter(|line| line.pending != 0)
    }
}
