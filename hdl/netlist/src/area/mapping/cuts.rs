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
