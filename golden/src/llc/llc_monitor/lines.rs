//! One set of `llc_monitor`'s directory as a list of lines in LRU order.

use super::state::{Set, Stack};

/// A line, or the room for one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Line {
    way: u8,
    owner: u8,
    valid: bool,
    tag: u64,
}

/// A set as the paper tells it: its lines, most recently used first.
#[derive(Debug, Clone)]
pub(super) struct Lines(Vec<Line>);

/// What an access finds, before it changes anything.
#[derive(Debug, Clone, Copy)]
pub(super) struct Found {
    /// The position hit, or `ways` for a miss.
    pub position: usize,
    pub hit: bool,
    /// The way hit, or the one in the LRU position, which is to be filled.
    pub way: u8,
    /// The owner of the line there, and whether there is one.
    pub owner: u8,
    pub valid: bool,
}

impl Lines {
    /// A set at power-up.
    pub fn power_up(ways: usize) -> Self {
        Self(vec![Line::default(); ways])
    }

    /// Forgets all lines: way i at position i.
    pub fn clear(&mut self) {
        for (way, line) in (0..).zip(&mut self.0) {
            *line = Line {
                way,
                ..Line::default()
            };
        }
    }

    /// The way moves to the LRU position, invalid, and those below it move up.
    pub fn invalidate(&mut self, way: u8) {
        let Some(position) = self.0.iter().position(|line| line.way == way) else {
            return;
        };
        self.0[position].valid = false;
        self.0[position..].rotate_left(1);
    }

    /// Looks a line up.
    pub fn find(&self, tag: u64) -> Found {
        let lines = &self.0;
        let hit = lines.iter().position(|line| line.valid && line.tag == tag);
        let Line {
            way, owner, valid, ..
        } = lines[hit.unwrap_or(lines.len() - 1)];
        Found {
            position: hit.unwrap_or(lines.len()),
            hit: hit.is_some(),
            way,
            owner,
            valid,
        }
    }

    /// The line found, or else the one in the LRU position, becomes the MRU line of `kid`.
    pub fn access(&mut self, found: &Found, tag: u64, kid: u8) {
        let promoted = found.position.min(self.0.len() - 1);
        self.0[..=promoted].rotate_right(1);
        self.0[0] = Line {
            way: found.way,
            owner: kid,
            valid: true,
            tag,
        };
    }

    /// The set in the form of the memories.
    pub fn store(&self, set: &mut Set) {
        let Stack { way, owner, valid } = &mut set.stack;
        *valid = 0;
        for (position, line) in self.0.iter().enumerate() {
            way[position] = line.way;
            owner[position] = line.owner;
            *valid |= u64::from(line.valid) << position;
            set.tag[usize::from(line.way)] = line.tag;
        }
    }
}
