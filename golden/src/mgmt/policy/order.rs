//! The order of a set's ways, from MRU to LRU.

use super::Lines;

/// The ways of each set in order, position 0 being MRU and `ways - 1` LRU.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    ways: usize,
    /// By set and position.
    way: Vec<u8>,
}

impl Order {
    /// In the order of their numbers, as in an empty [`llc::cache`](crate::llc::cache).
    pub fn new(sets: usize, ways: usize) -> Self {
        let set = 0..ways as u8;
        Self {
            ways,
            way: set.cycle().take(sets * ways).collect(),
        }
    }

    /// The way in each position of a set.
    pub fn of(&self, set: usize) -> &[u8] {
        &self.way[set * self.ways..][..self.ways]
    }

    /// The position of a way.
    pub fn position(&self, set: usize, way: usize) -> usize {
        let found = self.of(set).iter().position(|&it| usize::from(it) == way);
        found.unwrap_or(self.ways - 1)
    }

    /// Moves the way in a position to another one; those in between move by one.
    pub fn shift(&mut self, set: usize, from: usize, to: usize) {
        let ways = &mut self.way[set * self.ways..][..self.ways];
        if to <= from {
            ways[to..=from].rotate_right(1);
        } else {
            ways[from..=to].rotate_left(1);
        }
    }

    /// Makes a way the most recently used one.
    pub fn touch(&mut self, set: usize, way: usize) {
        self.shift(set, self.position(set, way), 0);
    }

    /// The position that a miss takes: the lowest that is invalid, or else the lowest.
    pub fn lowest(&self, set: usize, lines: &Lines<'_>) -> usize {
        let mut ways = self.of(set).iter();
        let invalid = ways.rposition(|&way| !lines.is_valid(way.into()));
        invalid.unwrap_or(self.ways - 1)
    }
}
