//! The L2's lines: LRU, with sectors that are fetched one at a time (Fractional GPUs, appendix B).
//!
//! ASSUMPTION: lines that were written stay no longer than others; appendix B says that they do,
//! which plain LRU leaves out. Only reads are modelled.

/// A line: its tag and the sectors that are there.
#[derive(Debug, Clone, Copy)]
struct Line {
    tag: u64,
    sectors: u32,
}

/// All sets.
#[derive(Debug)]
pub(super) struct Cache {
    ways: usize,
    /// By set, the least recently used line first.
    sets: Vec<Vec<Line>>,
    /// By set, the clearing since which it holds what it holds.
    filled: Vec<u64>,
    clearings: u64,
}

impl Cache {
    pub(super) fn new(sets: usize, ways: usize) -> Self {
        Self {
            ways,
            sets: vec![Vec::new(); sets],
            filled: vec![0; sets],
            clearings: 0,
        }
    }

    /// Empties all sets, each when it is next looked at.
    pub(super) fn clear(&mut self) {
        self.clearings += 1;
    }

    fn set(&mut self, set: usize) -> &mut Vec<Line> {
        let lines = &mut self.sets[set];
        if self.filled[set] != self.clearings {
            self.filled[set] = self.clearings;
            lines.clear();
        }
        lines
    }

    /// Whether a sector is there; its line becomes the most recently used.
    pub(super) fn read(&mut self, set: usize, tag: u64, sector: u32) -> bool {
        let lines = self.set(set);
        let Some(place) = lines.iter().position(|line| line.tag == tag) else {
            return false;
        };
        lines[place..].rotate_left(1);
        lines
            .last()
            .is_some_and(|line| line.sectors >> sector & 1 == 1)
    }

    /// Puts a sector where a read misses: into its line, or in place of the least recently used.
    pub(super) fn fill(&mut self, set: usize, tag: u64, sector: u32) {
        let ways = self.ways;
        let lines = self.set(set);
        if let Some(line) = lines.iter_mut().find(|line| line.tag == tag) {
            line.sectors |= 1 << sector;
            return;
        }
        if lines.len() == ways {
            lines.remove(0);
        }
        let sectors = 1 << sector;
        lines.push(Line { tag, sectors });
    }
}
