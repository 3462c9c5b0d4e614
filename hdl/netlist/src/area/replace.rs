//! Flops that synthesis removes because they are constant or equal.

use super::control::FlopBit;
use super::network::Network;
use crate::blast::{Leaf, Lit};
use std::collections::HashMap;

/// What stands for a flop's bit that is no flop of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Replacement {
    /// It never changes.
    Constant(bool),
    /// Another one has the same inputs and the same reset value.
    Same(Leaf),
}

/// Flop bits with their replacements.
#[derive(Clone, Debug, Default)]
pub(crate) struct Replaced(HashMap<Leaf, Replacement>);

impl Replaced {
    /// The bit that holds this one's value, or its value if that is known.
    pub fn resolve(&self, mut leaf: Leaf) -> Result<Leaf, bool> {
        // Each round replaces by what was still there.
        while let Some(&by) = self.0.get(&leaf) {
            match by {
                Replacement::Constant(value) => return Err(value),
                Replacement::Same(other) => leaf = other,
            }
        }
        Ok(leaf)
    }

    /// Adds what another round has found.
    pub fn extend(&mut self, found: Vec<(Leaf, Replacement)>) {
        self.0.extend(found);
    }

    /// Number of bits.
    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.0.len()
    }
}

impl Network {
    /// Flop bits that are constant, or equal to an earlier one.
    pub fn replaceable(&self) -> Vec<(Leaf, Replacement)> {
        let mut known: HashMap<FlopBit, Leaf> = HashMap::new();
        let replacement = |(leaf, flop): &(Leaf, FlopBit)| {
            let idle = flop.enable == Lit::FALSE || flop.reset == Lit::TRUE;
            let value = if flop.value { Lit::TRUE } else { Lit::FALSE };
            if idle || flop.d == value {
                return Some((*leaf, Replacement::Constant(flop.value)));
            }
            let first = *known.entry(*flop).or_insert(*leaf);
            (first != *leaf).then_some((*leaf, Replacement::Same(first)))
        };
        self.flops.iter().filter_map(replacement).collect()
    }
}
