//! In which order things are computed, and what is skipped when nothing changes.
//!
//! A step of a design is a list of stores: next values into flops, outputs,
//! RAM words. Where many flops choose by the same flag (a reset, a flush, a
//! column that is incremented) the choice becomes a branch, so that what the
//! other side needs is not computed and what stays is not written. Everything
//! reads the state as it was before the edge: a flop is written after its last
//! reader, or, where there is no such order, read early.

use super::words::{Run, Word, WordOp, Words};
use std::collections::{BTreeMap, HashMap, HashSet};

/// So many stores make a branch worth its possible misprediction.
const FEWEST_FOR_A_BRANCH: usize = 8;
/// The same for a flag that is an input: mostly a reset or another rare event.
const FEWEST_FOR_AN_INPUT: usize = 4;
/// Deepest nesting of branches.
const DEEPEST: usize = 8;
/// Most branches in all.
const MOST_BRANCHES: usize = 512;
/// Most conditions of a conjunction that are looked at.
const MOST_LITERALS: usize = 8;

/// What a program does to the memory.
#[derive(Debug, Default)]
pub(super) struct Effects {
    /// Word of the memory and its new value.
    pub stores: Vec<(u32, Word)>,
    /// Writes to RAMs, after all reads.
    pub writes: Vec<RamWrite>,
}

/// A conditional write of a RAM word.
#[derive(Debug)]
pub(super) struct RamWrite {
    pub enable: Word,
    pub index: Word,
    /// One run of the memory for each word of 64 bits, and its new value.
    pub words: Vec<(Run, Word)>,
}

/// An instruction.
#[derive(Debug)]
pub(super) enum Step {
    Compute(Word),
    Store(u32, Word),
    /// Stores the last at the index, modulo the run's length.
    StoreAt(Run, Word, Word),
    If { flag: Word, then: Vec<Step>, otherwise: Vec<Step> },
}

/// Steps in order; operands of a step are computed before it.
#[derive(Debug)]
pub(super) struct Plan {
    pub words: Words,
    pub steps: Vec<Step>,
    /// Loads that are computed like other words, since their place in the
    /// memory is written before their last use.
    pub early: HashSet<Word>,
}

/// Straight-line code with branches behind it.
#[derive(Debug, Default)]
struct Region {
    parent: usize,
    depth: usize,
    stores: Vec<(u32, Word)>,
    branches: Vec<Branch>,
    /// Writes to RAMs: run, index, value.
    writes: Vec<(Run, Word, Word)>,
}

#[derive(Debug)]
struct Branch {
    flag: Word,
    then: usize,
    otherwise: usize,
}

/// Orders the effects; `registers` is the number of words before the RAMs,
/// `inputs` of those that are inputs.
pub(super) fn plan(words: Words, effects: Effects, inputs: usize, registers: usize) -> Plan {
    let mut planner = Planner { words, regions: vec![Region::default()], inputs };
    for write in effects.writes {
        let then = planner.region(0);
        let otherwise = planner.region(0);
        planner.regions[0].branches.push(Branch { flag: write.enable, then, otherwise });
        planner.regions[then].writes =
            write.words.into_iter().map(|(run, word)| (run, write.index, word)).collect();
    }
    planner.split(0, effects.stores);
    Emitter::new(planner.words, planner.regions, registers).plan()
}

struct Planner {
    words: Words,
    regions: Vec<Region>,
    inputs: usize,
}

impl Planner {
    fn region(&mut self, parent: usize) -> usize {
        let depth = self.regions[parent].depth + 1;
        self.regions.push(Region { parent, depth, ..Region::default() });
        self.regions.len() - 1
    }

    /// Stores into branches where enough of them choose by the same flag.
    fn split(&mut self, region: usize, stores: Vec<(u32, Word)>) {
        let mut open = vec![(region, stores)];
        while let Some((region, mut stores)) = open.pop() {
            let kept = |words: &Words, slot, word| words.op(word) == WordOp::Load(slot);
            stores.retain(|&(slot, word)| !kept(&self.words, slot, word));
            while self.regions[region].depth < DEEPEST && self.regions.len() < 2 * MOST_BRANCHES {
                let Some(flag) = self.common_flag(&stores) else { break };
                let (mut then, mut otherwise, mut rest) = (vec![], vec![], vec![]);
                for (slot, word) in stores {
                    match self.by_flag(word, flag) {
                        Some((a, b)) => {
                            then.push((slot, a));
                            otherwise.push((slot, b));
                        }
                        None => rest.push((slot, word)),
                    }
                }
                let (a, b) = (self.region(region), self.region(region));
                self.regions[region].branches.push(Branch { flag, then: a, otherwise: b });
                open.extend([(a, then), (b, otherwise)]);
                stores = rest;
            }
            self.write_ports(region, &mut stores);
            self.regions[region].stores = stores;
        }
    }

    /// The flag that most stores choose by.
    fn common_flag(&self, stores: &[(u32, Word)]) -> Option<Word> {
        let mut users: BTreeMap<Word, usize> = BTreeMap::new();
        for &(_, word) in stores {
            if let WordOp::Select(flag, ..) = self.words.op(word) {
                *users.entry(flag).or_default() += 1;
            }
        }
        let (flag, count) = users.into_iter().max_by_key(|&(flag, n)| (n, std::cmp::Reverse(flag)))?;
        let input = matches!(self.words.op(flag), WordOp::Load(at) if (at as usize) < self.inputs);
        let fewest = if input { FEWEST_FOR_AN_INPUT } else { FEWEST_FOR_A_BRANCH };
        (count >= fewest).then_some(flag)
    }

    /// Stores of one value into the one of many flops that a selector names:
    /// a store at a computed place.
    fn write_ports(&mut self, region: usize, stores: &mut Vec<(u32, Word)>) {
        // Value, selector and enable of the port; key and place.
        let mut ports: BTreeMap<(Word, Word, Word), BTreeMap<u64, u32>> = BTreeMap::new();
        for &(slot, word) in stores.iter() {
            let WordOp::Select(c, value, own) = self.words.op(word) else { continue };
            if self.words.op(own) != WordOp::Load(slot) {
                continue;
            }
            if let Some((selector, key, enable)) = self.words.decided_by(c) {
                ports.entry((value, selector, enable)).or_default().insert(key, slot);
            }
        }
        for ((value, selector, enable), places) in ports {
            let slots: Vec<u32> = places.values().copied().collect();
            let complete = slots.len() as u64 == self.words.may(selector).wrapping_add(1);
            let (Some(&base), Some(&second)) = (slots.first(), slots.get(1)) else { continue };
            let Some(stride) = second.checked_sub(base) else { continue };
            let log = slots.len().trailing_zeros() as u8;
            let run = Run { base, stride, log };
            if !complete || log < 2 || !run.slots().eq(slots.iter().copied()) {
                continue;
            }
            let old = self.words.table(run, selector);
            let word = self.words.select(enable, value, old);
            self.regions[region].writes.push((run, selector, word));
            stores.retain(|(slot, _)| !slots.contains(slot));
        }
    }

    /// What a word is if the flag is set, and if not.
    fn by_flag(&mut self, word: Word, flag: Word) -> Option<(Word, Word)> {
        match self.words.op(word) {
            WordOp::Select(c, a, b) if c == flag => Some((a, b)),
            WordOp::Select(c, a, b) if matches!(self.words.op(c), WordOp::And(..)) => {
                let (then, otherwise) = self.by_flag(c, flag)?;
                Some((self.words.select(then, a, b), self.words.select(otherwise, a, b)))
            }
            WordOp::And(..) => {
                let mut literals = vec![word];
                let mut at = 0;
                while let Some(&literal) = literals.get(at) {
                    match self.words.op(literal) {
                        WordOp::And(a, b) if literals.len() < MOST_LITERALS => {
                            literals[at] = a;
                            literals.push(b);
                        }
                        _ => at += 1,
                    }
                }
                let found = literals.iter().find_map(|&l| {
                    let negated = self.words.negated(l) == Some(flag);
                    (l == flag || negated).then_some((l, negated))
                });
                let (literal, negated) = found?;
                let mut rest = None;
                for &l in literals.iter().filter(|&&l| l != literal) {
                    rest = Some(rest.map_or(l, |r| self.words.and(r, l)));
                }
                let zero = self.words.constant(0);
                Some(if negated { (zero, rest?) } else { (rest?, zero) })
            }
            _ => None,
        }
    }
}

/// Places words into regions and regions into a sequence.
struct Emitter {
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
    fn new(words: Words, regions: Vec<Region>, registers: usize) -> Emitter {
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
            let Some(mut place) = emitter.place[i.index()] else { continue };
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
        stored.chain(written).chain(flags).map(|w| (w, region)).collect()
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

    fn plan(mut self) -> Plan {
        let mut steps = Vec::new();
        for i in (0..self.words.len() as u32).map(Word) {
            if self.place[i.index()].is_some() && self.reads_registers(self.words.op(i)) {
                self.compute(i, &mut steps);
            }
        }
        self.emit(0, &mut steps);
        let mut early = HashSet::new();
        self.late_reads(&steps, &mut vec![0; self.registers.div_ceil(64)], &mut early);
        let mut first: Vec<Word> = early.iter().copied().collect();
        first.sort_unstable();
        steps.splice(0..0, first.into_iter().map(Step::Compute));
        Plan { words: self.words, steps, early }
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
                steps.push(Step::If { flag: branch.flag, then, otherwise });
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
            open.extend(self.regions[region].branches.iter().flat_map(|b| [b.then, b.otherwise]));
        }
        slots
    }

    /// Stores into words that nobody reads any more: the sooner the better,
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
                Step::If { then, otherwise, .. } => {
                    let mut other = written.clone();
                    self.late_reads(then, written, late);
                    self.late_reads(otherwise, &mut other, late);
                    written.iter_mut().zip(other).for_each(|(w, o)| *w |= o);
                }
                Step::StoreAt(run, ..) if (run.base as usize) < self.registers => {
                    run.slots().for_each(|slot| written[slot as usize / 64] |= 1 << (slot % 64));
                }
                Step::Compute(_) | Step::StoreAt(..) => {}
            }
        }
    }
}
