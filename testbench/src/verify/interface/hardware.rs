//! What an interface is to the hardware: parameters of a set, and the netlist.

use cotenant_golden::ports::Parameters;
pub(super) use cotenant_netlist::Netlist;
use cotenant_units::table;
pub(super) use cotenant_units::table::ParameterSet;

use super::{golden_refuses, lacks, Interface, ParamsOf, StateOf, WordPacker};
use crate::error::{Error, Result};

/// See [`Interface::params`].
pub(super) fn params<U: Interface>(set: &ParameterSet) -> Result<ParamsOf<U>> {
    ParamsOf::<U>::named(|name| parameter::<U>(set, name), golden_refuses::<U>)
}

/// See [`Interface::netlist`].
pub(super) fn netlist<U: Interface>(set: &ParameterSet) -> Result<Netlist> {
    table::netlist(U::NAME, set)?.map_err(|source| Error::Elaborate {
        unit: U::NAME,
        set: set.name.into(),
        source: Box::new(source),
    })
}

/// The value of a set's parameter.
///
/// # Errors
/// [`Error::Parameter`] if it has none of this name.
pub fn parameter<U: Interface>(set: &ParameterSet, parameter: &'static str) -> Result<usize> {
    set.value(parameter)
        .ok_or_else(|| lacks::<U>(set.name, parameter))
}

/// What a golden model keeps in RAMs. A word is a pair: the RAM's number in
/// [`memories`](Interface::memories), and the word's in it.
pub(crate) trait Contents {
    /// See [`Interface::pack_word`].
    fn pack(&self, word: (usize, usize), packer: &mut WordPacker<'_>);

    /// See [`Interface::word_read`].
    fn read(&self, ram: usize) -> usize;
}

/// The RAMs in a state of a golden model.
pub(crate) struct ContentsOf<'a, U: Interface> {
    pub params: &'a ParamsOf<U>,
    pub state: &'a StateOf<U>,
}

impl<U: Interface> Contents for ContentsOf<'_, U> {
    #[inline]
    fn pack(&self, word: (usize, usize), packer: &mut WordPacker<'_>) {
        U::pack_word(self.params, self.state, word, packer);
    }

    fn read(&self, ram: usize) -> usize {
        U::word_read(self.params, self.state, ram)
    }
}
