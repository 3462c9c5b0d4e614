//! Cuts of a gate: sets of at most k signals that determine its value, so that one look-up table
//! with k inputs can compute it.

use crate::area::architecture::MOST_INPUTS;

/// Cuts kept a gate, the trivial one aside.
pub(super) const KEPT: usize = 12;

/// A cut with what choosing it costs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cut {
    leaves: [u32; MOST_INPUTS],
    len: u8,
    /// A bit for each leaf, by its number's low bits: most unions that are
    /// too large, and most cuts that are not within another, show here.
    signature: u64,
    /// Leaves that are outputs of other LUTs.
    pub tables: u8,
    /// LUT levels from leaf to here.
    pub arrival: u32,
    /// Area, shared among users.
    pub flow: f32,
}

impl Cut {
    /// The signal itself.
    pub fn trivial(variable: usize) -> Cut {
        let mut leaves = [0; MOST_INPUTS];
        leaves[0] = variable as u32;
        Cut {
            leaves,
            len: 1,
            signature: 1 << (variable % 64),
            tables: 0,
            arrival: 0,
            flow: 0.0,
        }
    }

    /// The signals, in ascending order.
    pub fn leaves(&self) -> impl ExactSizeIterator<Item = usize> + '_ {
        self.leaves[..self.len as usize]
            .iter()
            .map(|&leaf| leaf as usize)
    }

    /// Number of signals.
    pub fn len(&self) -> usize {
        self.len as usize
    }

    /// The union, if it has at most `limit` signals.
    pub fn union(&self, other: &Cut, limit: usize) -> Option<Cut> {
        let signature = self.signature | other.signature;
        if signature.count_ones() as usize > limit {
            return None;
        }
        let (mut i, mut j, mut len) = (0, 0, 0);
        let mut leaves = [0; MOST_INPUTS];
        while i < self.len() || j < other.len() {
            if len == limit {
                return None;
            }
            let x = if i < self.len() {
                self.leaves[i]
            } else {
                u32::MAX
            };
            let y = if j < other.len() {
                other.leaves[j]
            } else {
                u32::MAX
            };
            leaves[len] = x.min(y);
            i += usize::from(x <= y);
            j += usize::from(y <= x);
            len += 1;
        }
        Some(Cut {
            leaves,
            len: len as u8,
            signature,
            tables: 0,
            arrival: 0,
            flow: 0.0,
        })
    }

    /// Every signal of it is one of the other's.
    fn within(&self, other: &Cut) -> bool {
        if self.len > other.len || self.signature & !other.signature != 0 {
            return false;
        }
        let mut others = other.leaves[..other.len()].iter();
        self.leaves[..self.len()]
            .iter()
            .all(|leaf| others.any(|other| other == leaf))
    }
}

/// Cuts of a gate, none of which is within another.
#[derive(Debug, Default)]
pub(super) struct Cuts {
    cuts: Vec<Cut>,
    /// Those of the cuts, side by side, for quick comparisons.
    signatures: Vec<u64>,
}

impl Cuts {
    /// Drops all.
    pub fn clear(&mut self) {
        self.cuts.clear();
        self.signatures.clear();
    }

    /// Adds a cut unless one of the others is within it; drops those that it is within.
    pub fn add(&mut self, cut: Cut) {
        let mut others = self.signatures.iter().zip(&self.cuts);
        if others.any(|(signature, other)| signature & !cut.signature == 0 && other.within(&cut)) {
            return;
        }
        let perhaps = |signature: &u64| cut.signature & !signature == 0;
        if self.signatures.iter().any(perhaps) {
            self.cuts.retain(|other| !cut.within(other));
            self.signatures.clear();
            let signatures = self.cuts.iter().map(|cut| cut.signature);
            self.signatures.extend(signatures);
        }
        self.cuts.push(cut);
        self.signatures.push(cut.signature);
    }

    /// All, in the order in which they were added.
    pub fn all(&mut self) -> &mut [Cut] {
        &mut self.cuts
    }
}

#[cfg(test)]
mod tests {
    //! Rationale: signatures only save comparisons. Variables 64 apart have the same, so that a
    //! signature alone would be wrong about them; plain sets say what is right.
    use super::*;
    use std::collections::BTreeSet;

    fn cut(variables: &BTreeSet<usize>) -> Cut {
        let mut cuts = variables.iter().map(|&variable| Cut::trivial(variable));
        let first = cuts.next().unwrap();
        cuts.fold(first, |all, one| all.union(&one, MOST_INPUTS).unwrap())
    }

    #[test]
    fn none_is_within_another_whatever_the_signatures() {
        const VARIABLES: [usize; 10] = [1, 2, 3, 4, 65, 66, 67, 129, 130, 193];
        let (mut cuts, mut sets) = (Cuts::default(), Vec::<BTreeSet<usize>>::new());
        let (mut random, mut refused, mut dropped) = (1u64, 0, 0);
        for round in 0..2000 {
            if round % 50 == 0 {
                cuts.clear();
                sets.clear();
            }
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let picked = VARIABLES.iter().enumerate();
            let picked = picked.filter(|(at, _)| random >> (40 + at) & 1 == 1);
            let set: BTreeSet<usize> = picked.map(|(_, &variable)| variable).collect();
            if set.is_empty() || set.len() > MOST_INPUTS {
                continue;
            }
            cuts.add(cut(&set));
            if sets.iter().any(|other| other.is_subset(&set)) {
                refused += 1;
            } else {
                let before = sets.len();
                sets.retain(|other| !set.is_subset(other));
                dropped += before - sets.len();
                sets.push(set);
            }
            let left = cuts.all().iter().map(|cut| cut.leaves().collect());
            assert_eq!(left.collect::<Vec<BTreeSet<usize>>>(), sets);
        }
        assert!(refused > 100 && dropped > 100, "{refused} {dropped}");
    }
}
