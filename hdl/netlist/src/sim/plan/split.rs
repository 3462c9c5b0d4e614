//! Finds stores that can share a branch, and stores that are one store at a computed address.

use super::{Branch, Region};
use crate::sim::words::{Run, Word, WordOp, Words};
use std::collections::BTreeMap;

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

/// Sorts stores into regions.
pub(super) struct Planner {
    pub words: Words,
    pub regions: Vec<Region>,
    pub inputs: usize,
}

impl Planner {
    pub fn region(&mut self, parent: usize) -> usize {
        let depth = self.regions[parent].depth + 1;
        self.regions.push(Region {
            parent,
            depth,
            ..Region::default()
        });
        self.regions.len() - 1
    }

    /// Stores into branches where enough of them choose by the same flag.
    pub fn split(&mut self, region: usize, stores: Vec<(u32, Word)>) {
        let mut open = vec![(region, stores)];
        while let Some((region, mut stores)) = open.pop() {
            let kept = |words: &Words, slot, word| words.op(word) == WordOp::Load(slot);
            stores.retain(|&(slot, word)| !kept(&self.words, slot, word));
            self.write_ports(region, &mut stores);
            while self.regions[region].depth < DEEPEST && self.regions.len() < 2 * MOST_BRANCHES {
                let Some(flag) = self.common_flag(&stores) else {
                    break;
                };
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
                self.regions[region].branches.push(Branch {
                    flag,
                    then: a,
                    otherwise: b,
                });
                open.extend([(a, then), (b, otherwise)]);
                stores = rest;
            }
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
        let (flag, count) = users
            .into_iter()
            .max_by_key(|&(flag, n)| (n, std::cmp::Reverse(flag)))?;
        let input = matches!(self.words.op(flag), WordOp::Load(at) if (at as usize) < self.inputs);
        let fewest = if input {
            FEWEST_FOR_AN_INPUT
        } else {
            FEWEST_FOR_A_BRANCH
        };
        (count >= fewest).then_some(flag)
    }

    /// Stores of one value into the one of many flops that a selector names:
    /// a store at a computed place.
    fn write_ports(&mut self, region: usize, stores: &mut Vec<(u32, Word)>) {
        // Value, selector and enable of the port; key and place.
        let mut ports: BTreeMap<(Word, Word, Word), BTreeMap<u64, u32>> = BTreeMap::new();
        for &(slot, word) in stores.iter() {
            let WordOp::Select(c, value, own) = self.words.op(word) else {
                continue;
            };
            if self.words.op(own) != WordOp::Load(slot) {
                continue;
            }
            if let Some((selector, key, enable)) = self.words.decided_by(c) {
                ports
                    .entry((value, selector, enable))
                    .or_default()
                    .insert(key, slot);
            }
        }
        for ((value, selector, enable), places) in ports {
            let slots: Vec<u32> = places.values().copied().collect();
            let complete = slots.len() as u64 == self.words.may(selector).wrapping_add(1);
            let (Some(&base), Some(&second)) = (slots.first(), slots.get(1)) else {
                continue;
            };
            let Some(stride) = second.checked_sub(base) else {
                continue;
            };
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
                Some((
                    self.words.select(then, a, b),
                    self.words.select(otherwise, a, b),
                ))
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
                // The flag kept all bits but the lowest clear: others may be wider.
                let mut rest = self.words.constant(1);
                for &l in literals.iter().filter(|&&l| l != literal) {
                    rest = self.words.and(rest, l);
                }
                let zero = self.words.constant(0);
                Some(if negated { (zero, rest) } else { (rest, zero) })
            }
            _ => None,
        }
    }
}
