//! A unit without its types, as faults are put into it.

use std::fmt;
use std::marker::PhantomData;

use cotenant_netlist::Netlist;
use cotenant_units::table::ParameterSet;

use super::campaign::{Campaign, Rounds};
use super::proof::Prover;
use super::screen::Screen;
use crate::error::Result;
use crate::verify::facts::Facts;
use crate::verify::stimulus::Drive;

/// What is made of a unit to decide its faults.
pub(super) trait AnyFaulty: Sync {
    /// Name of the unit.
    fn name(&self) -> &'static str;

    /// Its netlist.
    fn netlist(&self, set: &ParameterSet) -> Result<Netlist>;

    /// See [`stimulus`](super::mutation::stimulus).
    fn stimulus(&self, set: &ParameterSet, seed: u64) -> Result<String>;

    /// See [`Prover::new`].
    fn prover<'a>(&self, set: &ParameterSet, netlist: &'a Netlist) -> Result<Prover<'a>>;

    /// See [`Campaign::new`].
    fn campaign(&self, set: &ParameterSet, seed: u64, cycles: u64) -> Result<Campaign>;

    /// See [`Screen::new`].
    fn screen<'a>(
        &self,
        set: &'a ParameterSet,
        netlist: &'a Netlist,
        seed: u64,
        cycles: u64,
    ) -> Result<Option<Screen<'a>>>;
}

impl fmt::Debug for dyn AnyFaulty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The unit of this type.
pub(super) fn any<U: Drive + Facts>() -> &'static dyn AnyFaulty {
    &Faulty::<U>(PhantomData)
}

struct Faulty<U>(PhantomData<fn() -> U>);

impl<U: Drive + Facts> AnyFaulty for Faulty<U> {
    fn name(&self) -> &'static str {
        U::NAME
    }

    fn netlist(&self, set: &ParameterSet) -> Result<Netlist> {
        U::netlist(set)
    }

    fn stimulus(&self, set: &ParameterSet, seed: u64) -> Result<String> {
        super::mutation::stimulus::<U>(set, seed)
    }

    fn prover<'a>(&self, set: &ParameterSet, netlist: &'a Netlist) -> Result<Prover<'a>> {
        Ok(Prover::new::<U>(&U::params(set)?, netlist))
    }

    fn campaign(&self, set: &ParameterSet, seed: u64, cycles: u64) -> Result<Campaign> {
        let rounds = Rounds::<U>::new(set, seed, cycles)?;
        Campaign::of(any::<U>(), Box::new(rounds), (set, seed, cycles))
    }

    fn screen<'a>(
        &self,
        set: &'a ParameterSet,
        netlist: &'a Netlist,
        seed: u64,
        cycles: u64,
    ) -> Result<Option<Screen<'a>>> {
        Screen::new::<U>(set, netlist, seed, cycles)
    }
}
