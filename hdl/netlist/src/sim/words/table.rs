//! Multiplexers over flops of equal distance in memory become table look-ups.
//!
//! A read port over n registers is n - 1 selects, or n and-or terms. Where
//! the registers lie at equal distances, it is one load at a computed place.

use super::{ones, Word, WordOp, Words};
use std::collections::BTreeMap;

/// Most conditions of a conjunction that are looked at.
const MOST_LITERALS: usize = 8;
/// Bits of the widest selector whose tree is looked at, less one.
const WIDEST_TREE: usize = 7;
/// Most levels of a tree, sums included.
const DEEPEST_TREE: usize = 16;

/// Words of the memory at equal distances; the number is a power of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::sim) struct Run {
    pub base: u32,
    pub stride: u32,
    /// Logarithm of the length.
    pub log: u8,
}

impl Run {
    pub fn len(self) -> u64 {
        1 << self.log
    }

    /// Place of the word at `index` modulo the length.
    pub fn at(self, index: u64) -> usize {
        self.base as usize + (index & (self.len() - 1)) as usize * self.stride as usize
    }

    /// One past its last word.
    pub fn end(self) -> usize {
        self.at(self.len() - 1) + 1
    }

    pub fn slots(self) -> impl Iterator<Item = u32> {
        (0..1u32 << self.log).map(move |i| self.base + i * self.stride)
    }
}

/// A word that is `entries[selector]` where `enable` is set, else zero.
#[derive(Clone, Debug)]
pub(super) struct Choices {
    selector: Word,
    enable: Word,
    entries: BTreeMap<u64, Word>,
}

impl Words {
    /// A select of which nothing simpler is known.
    pub(super) fn chosen(&mut self, c: Word, a: Word, b: Word) -> Word {
        if let Some((run, index)) = self.longer_run(c, a, b) {
            if run.log >= 2 {
                return self.table(run, index);
            }
            let word = self.raw_select(c, a, b);
            self.runs.insert(word, (run, index));
            return word;
        }
        if let Some(word) = self.whole_tree(c, a, b) {
            return word;
        }
        if self.value(b) == Some(0) {
            let word = self.raw_select(c, a, b);
            if let Some((selector, key, enable)) = self.decided_by(c) {
                let entries = BTreeMap::from([(key, a)]);
                self.choices.insert(
                    word,
                    Choices {
                        selector,
                        enable,
                        entries,
                    },
                );
            }
            return word;
        }
        // A chain of choices is a sum of them, if at most one can be made.
        if self.choices.contains_key(&b) {
            if let Some((selector, key, enable)) = self.decided_by(c) {
                let rest = &self.choices[&b];
                if rest.selector == selector
                    && rest.enable == enable
                    && !rest.entries.contains_key(&key)
                {
                    let zero = self.constant(0);
                    let this = self.select(c, a, zero);
                    return self.or(b, this);
                }
            }
        }
        self.raw_select(c, a, b)
    }

    /// A word of a run of the memory; the index counts modulo the length.
    pub fn table(&mut self, run: Run, index: Word) -> Word {
        self.raw(WordOp::Table(run, index))
    }

    fn as_run(&self, word: Word) -> Option<(Run, Option<Word>)> {
        if let Some(&(run, index)) = self.runs.get(&word) {
            return Some((run, Some(index)));
        }
        match self.op(word) {
            WordOp::Load(base) => Some((
                Run {
                    base,
                    stride: 0,
                    log: 0,
                },
                None,
            )),
            WordOp::Table(run, index) => Some((run, Some(index))),
            _ => None,
        }
    }

    /// `if c { a } else { b }` over one run twice as long.
    fn longer_run(&mut self, c: Word, a: Word, b: Word) -> Option<(Run, Word)> {
        let ((high, index), (low, same)) = (self.as_run(a)?, self.as_run(b)?);
        let step = high.base.checked_sub(low.base)?;
        if index != same || high.stride != low.stride || high.log != low.log {
            return None;
        }
        match index {
            None => Some((
                Run {
                    base: low.base,
                    stride: step,
                    log: 1,
                },
                c,
            )),
            Some(index) if low.log < 31 && u64::from(step) == u64::from(low.stride) << low.log => {
                let bit = self.shl(c, low.log.into());
                let index = self.or(index, bit);
                Some((
                    Run {
                        log: low.log + 1,
                        ..low
                    },
                    index,
                ))
            }
            Some(_) => None,
        }
    }

    /// `if c { a } else { b }` as the root of a tree of selects by the bits of
    /// one value, of which `c` is the highest: a table, if its leaves are one.
    fn whole_tree(&mut self, c: Word, a: Word, b: Word) -> Option<Word> {
        let WordOp::Shr(selector, high) = self.op(c) else {
            return None;
        };
        if self.may(selector) != ones(usize::from(high) + 1) || usize::from(high) > WIDEST_TREE {
            return None;
        }
        // Leaves that cannot be in a table are most of all cases.
        let mut leaf = a;
        while let WordOp::Select(_, x, _) | WordOp::Or(x, _) = self.op(leaf) {
            leaf = x;
        }
        self.as_run(leaf)?;
        let mut entries = BTreeMap::new();
        for key in 0..2u64 << high {
            let word = if key >> high == 1 { a } else { b };
            entries.insert(key, self.resolved(word, selector, key, DEEPEST_TREE));
        }
        let enable = self.constant(1);
        self.complete(&Choices {
            selector,
            enable,
            entries,
        })
    }

    /// What a word is where the selector has this value.
    fn resolved(&mut self, word: Word, selector: Word, key: u64, depth: usize) -> Word {
        if depth == 0 {
            return word;
        }
        if let Some(choices) = self.choices.get(&word).filter(|c| c.selector == selector) {
            let (enable, entry) = (choices.enable, choices.entries.get(&key).copied());
            let zero = self.constant(0);
            return entry.map_or(zero, |e| self.select(enable, e, zero));
        }
        match self.op(word) {
            WordOp::Select(c, x, y) => match self.decided(c, selector, key) {
                Some(true) => self.resolved(x, selector, key, depth - 1),
                Some(false) => self.resolved(y, selector, key, depth - 1),
                None => word,
            },
            WordOp::Or(x, y) => {
                let x = self.resolved(x, selector, key, depth - 1);
                let y = self.resolved(y, selector, key, depth - 1);
                self.or(x, y)
            }
            _ => word,
        }
    }

    /// A flag that depends on nothing but the selector.
    fn decided(&self, flag: Word, selector: Word, key: u64) -> Option<bool> {
        match self.op(flag) {
            WordOp::Eq(x, y) if x == selector => self.value(y).map(|v| v == key),
            WordOp::Shr(x, by) if x == selector => Some(key >> by & 1 == 1),
            WordOp::And(x, one) if self.value(one) == Some(1) => match self.op(x) {
                _ if x == selector => Some(key & 1 == 1),
                WordOp::Shr(y, by) if y == selector => Some(key >> by & 1 == 1),
                _ => None,
            },
            _ => None,
        }
    }

    /// The flag as `enable & selector == key`.
    pub(in crate::sim) fn decided_by(&mut self, flag: Word) -> Option<(Word, u64, Word)> {
        let mut literals = Vec::new();
        let mut open = vec![flag];
        while let Some(word) = open.pop() {
            match self.op(word) {
                WordOp::And(a, b) if self.value(b).is_none() => open.extend([a, b]),
                _ => literals.push(word),
            }
            if literals.len() + open.len() > MOST_LITERALS {
                return None;
            }
        }
        let compared = |words: &Words, word| match words.op(word) {
            WordOp::Eq(a, b) => words.value(b).map(|v| (a, v)),
            _ => None,
        };
        let mut decisive = literals
            .iter()
            .filter_map(|&l| Some((l, compared(self, l)?)));
        let (decider, (field, value)) = decisive.next()?;
        if decisive.next().is_some() {
            return None;
        }
        let low = self.may(field).trailing_zeros();
        let selector = self.shr(field, low as usize);
        if !self.may(selector).wrapping_add(1).is_power_of_two() {
            return None;
        }
        literals.retain(|&l| l != decider);
        literals.sort_unstable();
        let mut enable = self.constant(1);
        for literal in literals {
            enable = self.and(enable, literal);
        }
        Some((selector, value >> low, enable))
    }

    /// The sum of two choices by the same selector; a table once it is complete.
    pub(super) fn joined_choices(&mut self, a: Word, b: Word) -> Option<Word> {
        let (x, y) = (self.choices.get(&a)?, self.choices.get(&b)?);
        if x.selector != y.selector || x.enable != y.enable {
            return None;
        }
        if y.entries.keys().any(|k| x.entries.contains_key(k)) {
            return None;
        }
        let mut joined = x.clone();
        joined
            .entries
            .extend(y.entries.iter().map(|(k, v)| (*k, *v)));
        if joined.entries.len() as u64 == self.may(joined.selector) + 1 {
            if let Some(word) = self.complete(&joined) {
                let zero = self.constant(0);
                return Some(self.select(joined.enable, word, zero));
            }
        }
        let word = self.raw(WordOp::Or(a, b));
        self.choices.insert(word, joined);
        Some(word)
    }

    /// A table of all choices, if they lie at equal distances.
    fn complete(&mut self, choices: &Choices) -> Option<Word> {
        let entries: Vec<_> = choices.entries.values().map(|&e| self.as_run(e)).collect();
        let entries: Vec<(Run, Option<Word>)> = entries.into_iter().collect::<Option<_>>()?;
        let log = entries.len().trailing_zeros() as u8;
        let (first, index) = *entries.first()?;
        let step = entries.get(1)?.0.base.checked_sub(first.base)?;
        let regular = entries.iter().enumerate().all(|(i, (run, same))| {
            *same == index
                && (run.stride, run.log) == (first.stride, first.log)
                && u64::from(run.base) == u64::from(first.base) + u64::from(step) * i as u64
        });
        if !regular || log < 2 || first.log + log > 24 {
            return None;
        }
        let both = Run {
            base: first.base,
            stride: 0,
            log: first.log + log,
        };
        let Some(index) = index else {
            return Some(self.table(
                Run {
                    stride: step,
                    ..both
                },
                choices.selector,
            ));
        };
        if u64::from(step) == u64::from(first.stride) << first.log {
            let high = self.shl(choices.selector, first.log.into());
            let index = self.or(index, high);
            return Some(self.table(
                Run {
                    stride: first.stride,
                    ..both
                },
                index,
            ));
        }
        if u64::from(first.stride) == u64::from(step) << log {
            let high = self.shl(index, log.into());
            let index = self.or(choices.selector, high);
            return Some(self.table(
                Run {
                    stride: step,
                    ..both
                },
                index,
            ));
        }
        None
    }
}
