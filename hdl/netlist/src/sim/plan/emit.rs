//! Emits a plan: assigns each operation to the branch that needs it, and puts branches and stores
//! into a sequence of steps.

use super::{Branch, Plan, Region, Step};
use crate::sim::words::{Word, WordOp, Words};
use std::collections::{HashMap, HashSet};

/// Places words into regions and regions into a sequence.
pub(super) struct Emitter {
    words: Words,
    regions: Vec<Region>,
    registers: usize,
    /// Region of each word that is needed.
    place: Vec<Option<usize>>,
    /// The words of each region.
    contents: Vec<Vec<Word>>,
    done: Vec<bool>,
    /// Uses of each word of the memory that are still to come.
    readers: Vec<usize>,
    /// Stores whose place is still read: the value and the region.
    waiting: HashMap<u32, (Word, usize)>,
    /// Places that may have become free.
    freed: Vec<u32>,
}

impl Emitter {
    pub fn new(words: Words, regions: Vec<Region>, registers: usize) -> Emitter {
        let n = words.len();
        let contents = vec![Vec::new(); regions.len()];
        let mut emitter = Emitter {
            words,
            regions,
            registers,
            place: vec![None; n],
            contents,
            done: vec![false; n],
            readers: vec![0; registers],
            waiting: HashMap::new(),
            freed: Vec::new(),
        };
        for region in 0..emitter.regions.len() {
            for (word, at) in emitter.needs(region) {
                emitter.used(word, at);
                emitter.count(word, 1);
            }
        }
        for i in (0..n as u32).rev().map(Word) {
            let Some(mut place) = emitter.place[i.index()] else {
                continue;
            };
            let op = emitter.words.op(i);
            if emitter.reads_registers(op) {
                // Before any register is written.
                place = 0;
                emitter.place[i.index()] = Some(0);
            }
            op.operands(|o| emitter.used(o, place));
            emitter.contents[place].push(i);
            emitter.count_reads(op, 1);
        }
        emitter
    }

    /// A table of registers.
    fn reads_registers(&self, op: WordOp) -> bool {
        matches!(op, WordOp::Table(run, _) if (run.base as usize) < self.registers)
    }

    /// What a region's own instructions need, and where.
    fn needs(&self, region: usize) -> Vec<(Word, usize)> {
        let this = &self.regions[region];
        let stored = this.stores.iter().map(|s| s.1);
        let written = this.writes.iter().flat_map(|w| [w.1, w.2]);
        let flags = this.branches.iter().map(|b| b.flag);
        stored
            .chain(written)
            .chain(flags)
            .map(|w| (w, region))
            .collect()
    }

    fn used(&mut self, word: Word, region: usize) {
        let place = self.place[word.index()];
        self.place[word.index()] = Some(place.map_or(region, |p| self.common(p, region)));
    }

    /// The innermost region that contains both.
    fn common(&self, mut a: usize, mut b: usize) -> usize {
        while a != b {
            if self.regions[a].depth >= self.regions[b].depth {
                a = self.regions[a].parent;
            } else {
                b = self.regions[b].parent;
            }
        }
        a
    }

    /// A direct use of a word: of the memory, if it is a load.
    fn count(&mut self, word: Word, by: isize) {
        if let WordOp::Load(slot) = self.words.op(word) {
            self.count_slot(slot, by);
        }
    }

    fn count_slot(&mut self, slot: u32, by: isize) {
        let readers = &mut self.readers[slot as usize];
        *readers = readers.wrapping_add_signed(by);
        if *readers == 0 {
            self.freed.push(slot);
        }
    }

    /// The memory that computing `op` reads.
    fn count_reads(&mut self, op: WordOp, by: isize) {
        op.operands(|o| self.count(o, by));
        if self.reads_registers(op) {
            op.loads(|slot| self.count_slot(slot, by));
        }
    }

    pub fn plan(mut self) -> Plan {
        let mut steps = Vec::new();
        for i in (0..self.words.len() as u32).map(Word) {
            if self.place[i.index()].is_some() && self.reads_registers(self.words.op(i)) {
                self.compute(i, &mut steps);
            }
        }
        self.emit(0, &mut steps);
        let mut early = HashSet::new();
        self.late_reads(
            &steps,
            &mut vec![0; self.registers.div_ceil(64)],
            &mut early,
        );
        let mut first: Vec<Word> = early.iter().copied().collect();
        first.sort_unstable();
        steps.splice(0..0, first.into_iter().map(Step::Compute));
        Plan {
            words: self.words,
            steps,
            early,
        }
    }

    /// Emits a word and its operands, as far as they are not there yet.
    fn compute(&mut self, word: Word, steps: &mut Vec<Step>) {
        let mut open = vec![(word, false)];
        while let Some((word, ready)) = open.pop() {
            let op = self.words.op(word);
            if self.done[word.index()] || matches!(op, WordOp::Load(_) | WordOp::Const(_)) {
                continue;
            }
            if ready {
                self.done[word.index()] = true;
                self.count_reads(op, -1);
                steps.push(Step::Compute(word));
            } else {
                open.push((word, true));
                let at = open.len();
                op.operands(|o| open.push((o, false)));
                open[at..].reverse();
            }
        }
    }

    /// Emits a region and what is in it.
    fn emit(&mut self, region: usize, steps: &mut Vec<Step>) {
        let depth = self.regions[region].depth;
        let stores = std::mem::take(&mut self.regions[region].stores);
        let branches = std::mem::take(&mut self.regions[region].branches);
        let writes = std::mem::take(&mut self.regions[region].writes);
        for &(slot, word) in &stores {
            self.compute(word, steps);
            self.waiting.insert(slot, (word, region));
            self.freed.push(slot);
            self.store_freed(region, steps);
        }
        for &(_, index, word) in &writes {
            self.compute(index, steps);
            self.compute(word, steps);
        }
        self.store_freed(region, steps);
        for branch in &branches {
            self.compute(branch.flag, steps);
            self.count(branch.flag, -1);
            self.shared(branch, depth, steps);
            self.store_freed(region, steps);
            let (mut then, mut otherwise) = (Vec::new(), Vec::new());
            // The other arm's reads do not matter to this one.
            let excluded = self.excluded(branch.otherwise);
            excluded.iter().for_each(|&slot| self.count_slot(slot, -1));
            self.emit(branch.then, &mut then);
            excluded.iter().for_each(|&slot| self.count_slot(slot, 1));
            self.emit(branch.otherwise, &mut otherwise);
            if !then.is_empty() || !otherwise.is_empty() {
                steps.push(Step::If {
                    flag: branch.flag,
                    then,
                    otherwise,
                });
            }
        }
        for &(slot, _) in &stores {
            if let Some((word, _)) = self.waiting.remove(&slot) {
                self.count(word, -1);
                steps.push(Step::Store(slot, word));
                self.store_freed(region, steps);
            }
        }
        for &(run, index, word) in &writes {
            self.count(index, -1);
            self.count(word, -1);
            steps.push(Step::StoreAt(run, index, word));
        }
    }

    /// The memory that a region and those inside it still have to read.
    fn excluded(&self, region: usize) -> Vec<u32> {
        let mut slots = Vec::new();
        let load = |word: Word| match self.words.op(word) {
            WordOp::Load(slot) => Some(slot),
            _ => None,
        };
        let mut open = vec![region];
        while let Some(region) = open.pop() {
            slots.extend(self.needs(region).into_iter().filter_map(|n| load(n.0)));
            for &word in &self.contents[region] {
                if !self.done[word.index()] {
                    self.words.op(word).operands(|o| slots.extend(load(o)));
                }
            }
            open.extend(
                self.regions[region]
                    .branches
                    .iter()
                    .flat_map(|b| [b.then, b.otherwise]),
            );
        }
        slots
    }

    /// Stores into words that are not read any more: the sooner the better,
    /// since the value need not be kept.
    fn store_freed(&mut self, region: usize, steps: &mut Vec<Step>) {
        while let Some(slot) = self.freed.pop() {
            let free = self.readers.get(slot as usize).is_none_or(|&n| n == 0);
            match self.waiting.get(&slot) {
                Some(&(word, place)) if free && place == region => {
                    self.waiting.remove(&slot);
                    self.count(word, -1);
                    steps.push(Step::Store(slot, word));
                }
                _ => {}
            }
        }
    }

    /// Emits what a branch needs but does not own.
    fn shared(&mut self, branch: &Branch, depth: usize, steps: &mut Vec<Step>) {
        let mut inside = vec![branch.then, branch.otherwise];
        let mut open = Vec::new();
        while let Some(region) = inside.pop() {
            open.extend(self.needs(region).into_iter().map(|n| n.0));
            let branches = self.regions[region].branches.iter();
            inside.extend(branches.flat_map(|b| [b.then, b.otherwise]));
        }
        open.reverse();
        let mut seen = HashSet::new();
        while let Some(word) = open.pop() {
            if self.done[word.index()] || !seen.insert(word) {
                continue;
            }
            match self.place[word.index()] {
                Some(place) if self.regions[place].depth <= depth => self.compute(word, steps),
                _ => self.words.op(word).operands(|o| open.push(o)),
            }
        }
    }

    /// Loads of words that have been written on some path to them.
    fn late_reads(&self, steps: &[Step], written: &mut Vec<u64>, late: &mut HashSet<Word>) {
        let is_late = |word: Word, written: &[u64]| match self.words.op(word) {
            WordOp::Load(slot) => written[slot as usize / 64] >> (slot % 64) & 1 == 1,
            _ => false,
        };
        for step in steps {
            let mut read = Vec::new();
            match step {
                Step::Compute(word) => self.words.op(*word).operands(|o| read.push(o)),
                Step::Store(_, word) => read.push(*word),
                Step::StoreAt(_, index, word) => read.extend([*index, *word]),
                Step::If { flag, .. } => read.push(*flag),
            }
            late.extend(read.into_iter().filter(|&w| is_late(w, written)));
            match step {
                Step::Store(slot, _) => {
                    if let Some(word) = written.get_mut(*slot as usize / 64) {
                        *word |= 1 << (slot % 64);
                    }
                }
                Step::If {
                    then, otherwise, ..
                } => {
                    let mut other = written.clone();
                    self.late_reads(then, written, late);
                    self.late_reads(otherwise, &mut other, late);
                    written.iter_mut().zip(other).for_each(|(w, o)| *w |= o);
                }
                Step::StoreAt(run, ..) if (run.base as usize) < self.registers => {
                    run.slots()
                        .for_each(|slot| written[slot as usize / 64] |= 1 << (slot % 64));
                }
                Step::Compute(_) | Step::StoreAt(..) => {}
            }
        }
    }
}
