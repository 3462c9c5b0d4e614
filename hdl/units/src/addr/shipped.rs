//! The functions of mappings that come with the units, as masks.

use super::MAX_INDEX_W;
use cotenant_registers::mappings::TEXTS;

/// A mapping of `cotenant_registers::mappings`. What a mapping must be is checked by the golden models,
/// which read the same text.
pub(crate) struct Shipped(toml::Table);

impl Shipped {
    pub fn named(name: &str) -> Self {
        let text = TEXTS.iter().find(|(known, _)| *known == name);
        let (_, text) = text.expect("a mapping that comes with the units");
        Self(text.parse().expect("TOML"))
    }

    /// A number of the table.
    pub fn number(&self, key: &str) -> usize {
        let number = self.0[key].as_integer().expect("a number");
        number.try_into().expect("0 or more")
    }

    /// The functions of an index, lowest bit first, as masks over address bits.
    pub fn functions(&self, index: &str) -> Vec<usize> {
        let lists = self.0["functions"][index].as_array().expect("lists");
        let bit = |bit: &toml::Value| 1 << bit.as_integer().expect("an address bit");
        let mask = |list: &toml::Value| {
            let bits = list.as_array().expect("a list").iter().map(bit);
            bits.fold(0, |mask: usize, bit: usize| mask | bit)
        };
        lists.iter().map(mask).collect()
    }

    /// The parameters of a hash of an index.
    pub fn hash(&self, index: &str) -> Vec<usize> {
        let functions = self.functions(index);
        let sizes = [self.number("width"), functions.len()];
        sizes.into_iter().chain(padded(&functions)).collect()
    }
}

/// The masks of an index, and 0 for what it does not have.
pub(crate) fn padded(masks: &[usize]) -> impl Iterator<Item = usize> + '_ {
    (0..MAX_INDEX_W).map(|bit| masks.get(bit).copied().unwrap_or(0))
}
