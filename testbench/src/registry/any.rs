//! Units without their types.

use std::marker::PhantomData;
use std::path::Path;

use cotenant_golden::dynamic;
use cotenant_netlist::Netlist;
use cotenant_units::table::{self, ParameterSet};

use super::Unit;
use crate::error::Result;
use crate::scenes::{self, Played};
use crate::verify::coverage::{CoverageReport, CrossReport};
use crate::verify::directed::Plan;
use crate::verify::dump;
use crate::verify::fault::mutation;
use crate::verify::interface::{Form, Place};
use crate::verify::lockstep::{check, Check, Flow, Report};
use crate::verify::stimulus::Profile;
use crate::verify::vectors::{self, Recorded, Vectors, Verified};

/// A unit without its types, for what works on any of them.
pub trait AnyUnit: Sync {
    /// Name of the block.
    fn name(&self) -> &'static str;

    /// What it does, in a line.
    fn summary(&self) -> &'static str;

    /// What there is one instance for.
    fn place(&self) -> Place;

    /// Where the paper names the flop as it says what the hardware costs.
    fn named_in_paper(&self, flop: &str) -> Option<&'static str>;

    /// The profiles that mean something to it.
    fn profiles(&self) -> &'static [Profile];

    /// Its parameter sets.
    ///
    /// # Errors
    /// [`crate::Error::Table`] if the table of units lacks it.
    fn sets(&self) -> Result<Vec<ParameterSet>>;

    /// Path of its type: `cotenant::unit::llc::gdcu::Gdcu`.
    fn path(&self) -> &'static str;

    /// Its ports, registers and RAMs.
    ///
    /// # Errors
    /// [`crate::Error::Parameter`] for another unit's set.
    fn form(&self, set: &ParameterSet) -> Result<Form>;

    /// Its functional coverage, of which nothing is hit.
    ///
    /// # Errors
    /// [`crate::Error::Parameter`] for another unit's set.
    fn crosses(&self, set: &ParameterSet) -> Result<Vec<CrossReport>>;

    /// The parameter set in which its scene is told; see [`scenes::set`].
    ///
    /// # Errors
    /// As there.
    fn scene_set(&self, name: Option<&str>) -> Result<ParameterSet>;

    /// Its scene; see [`scenes::play`].
    ///
    /// # Errors
    /// As there.
    fn play(&self, set: &ParameterSet, wave: Option<&Path>) -> Result<Played>;

    /// Its elaborated block.
    ///
    /// # Errors
    /// [`crate::Error::Table`], [`crate::Error::Elaborate`].
    fn netlist(&self, set: &ParameterSet) -> Result<Netlist>;

    /// Netlist and golden model in lockstep; see [`check`].
    ///
    /// # Errors
    /// Whatever keeps it from running.
    fn check(
        &self,
        set: &ParameterSet,
        options: &Check,
        watch: &mut dyn FnMut(u64) -> Flow,
    ) -> Result<Report>;

    /// The way from reset to the bins of its coverage; see [`Plan::new`].
    ///
    /// # Errors
    /// As there.
    fn plan(
        &self,
        set: &ParameterSet,
        seed: u64,
        budget: u64,
        watch: &mut dyn FnMut(u64) -> bool,
    ) -> Result<Option<Plan>>;

    /// Vectors of it; see [`vectors::write`] and [`vectors::write_file`].
    ///
    /// # Errors
    /// As there.
    fn write_vectors(
        &self,
        set: &ParameterSet,
        vectors: &Vectors,
        place: vectors::Place<'_>,
        watch: &mut dyn FnMut(u64) -> Flow,
    ) -> vectors::Result<vectors::Written>;

    /// Whether recorded vectors of it are right; see [`Recorded::verify`].
    ///
    /// # Errors
    /// As there.
    fn verify_vectors(
        &self,
        recorded: Recorded,
        watch: &mut dyn FnMut(u64) -> Flow,
    ) -> vectors::Result<Verified>;

    /// Decides what becomes of faults of it; see [`mutation::run`].
    ///
    /// # Errors
    /// As there.
    fn mutate(
        &self,
        set: &ParameterSet,
        settings: &mutation::Settings,
        folder: &Path,
        watch: &mut dyn FnMut(usize, usize) -> Flow,
    ) -> Result<(mutation::Journal, Option<mutation::Measured>)>;

    /// A digest of its stimulus and golden model; see [`mutation::stimulus`].
    ///
    /// # Errors
    /// As there.
    fn stimulus_digest(&self, set: &ParameterSet, seed: u64) -> Result<String>;

    /// A map of its ports in a dump, to be filled in; see [`dump::template`].
    ///
    /// # Errors
    /// As there.
    fn dump_template(&self, set: &ParameterSet, top: &str) -> dump::Result<String>;

    /// A dump held to its golden model; see [`dump::check`].
    ///
    /// # Errors
    /// As there.
    fn check_dump(
        &self,
        set: &ParameterSet,
        map: &dump::Map,
        path: &Path,
        options: &dump::Options,
        watch: &mut dyn FnMut(u64) -> Flow,
    ) -> dump::Result<dump::Report>;
}

/// A registered unit.
struct Registered<U>(PhantomData<fn() -> U>);

impl<U: Unit> AnyUnit for Registered<U> {
    fn name(&self) -> &'static str {
        U::NAME
    }

    fn summary(&self) -> &'static str {
        U::SUMMARY
    }

    fn place(&self) -> Place {
        U::PLACE
    }

    fn named_in_paper(&self, flop: &str) -> Option<&'static str> {
        U::named_in_paper(flop)
    }

    fn profiles(&self) -> &'static [Profile] {
        U::PROFILES
    }

    fn sets(&self) -> Result<Vec<ParameterSet>> {
        Ok(table::sets(U::NAME)?)
    }

    fn path(&self) -> &'static str {
        std::any::type_name::<U>()
    }

    fn form(&self, set: &ParameterSet) -> Result<Form> {
        Ok(U::form(&U::params(set)?))
    }

    fn crosses(&self, set: &ParameterSet) -> Result<Vec<CrossReport>> {
        let collector = U::collector(&U::params(set)?);
        Ok(CoverageReport::of(&collector).crosses)
    }

    fn scene_set(&self, name: Option<&str>) -> Result<ParameterSet> {
        scenes::set::<U>(name)
    }

    fn play(&self, set: &ParameterSet, wave: Option<&Path>) -> Result<Played> {
        scenes::play::<U>(set, wave)
    }

    fn netlist(&self, set: &ParameterSet) -> Result<Netlist> {
        U::netlist(set)
    }

    fn check(
        &self,
        set: &ParameterSet,
        options: &Check,
        watch: &mut dyn FnMut(u64) -> Flow,
    ) -> Result<Report> {
        check::<U>(set, options, watch)
    }

    fn plan(
        &self,
        set: &ParameterSet,
        seed: u64,
        budget: u64,
        watch: &mut dyn FnMut(u64) -> bool,
    ) -> Result<Option<Plan>> {
        Plan::new::<U>(&U::params(set)?, seed, budget, watch)
    }

    fn write_vectors(
        &self,
        set: &ParameterSet,
        vectors: &Vectors,
        place: vectors::Place<'_>,
        watch: &mut dyn FnMut(u64) -> Flow,
    ) -> vectors::Result<vectors::Written> {
        match place {
            vectors::Place::File(path) => vectors::write_file::<U>(set, vectors, path, watch),
            vectors::Place::Stream(to) => vectors::write::<U>(set, vectors, to, watch),
        }
    }

    fn verify_vectors(
        &self,
        recorded: Recorded,
        watch: &mut dyn FnMut(u64) -> Flow,
    ) -> vectors::Result<Verified> {
        recorded.verify::<U>(watch)
    }

    fn mutate(
        &self,
        set: &ParameterSet,
        settings: &mutation::Settings,
        folder: &Path,
        watch: &mut dyn FnMut(usize, usize) -> Flow,
    ) -> Result<(mutation::Journal, Option<mutation::Measured>)> {
        mutation::run::<U>(set, settings, folder, watch)
    }

    fn stimulus_digest(&self, set: &ParameterSet, seed: u64) -> Result<String> {
        mutation::stimulus::<U>(set, seed)
    }

    fn dump_template(&self, set: &ParameterSet, top: &str) -> dump::Result<String> {
        dump::template::<U>(set, top)
    }

    fn check_dump(
        &self,
        set: &ParameterSet,
        map: &dump::Map,
        path: &Path,
        options: &dump::Options,
        watch: &mut dyn FnMut(u64) -> Flow,
    ) -> dump::Result<dump::Report> {
        dump::check::<U>(set, map, path, options, watch)
    }
}

macro_rules! register {
    ($($name:ident: $area:ident::$unit:ident, $($settings:expr),*;)*) => {
        /// All units.
        pub static UNITS: &[&dyn AnyUnit] = &[$(&Registered::<crate::unit::$area::$unit>(PhantomData)),*];
    };
}

cotenant_golden::models!(register);

/// The unit of this name.
///
/// # Errors
/// [`crate::Error::Unit`] with the nearest name.
pub fn find(name: &str) -> Result<&'static dyn AnyUnit> {
    let name = dynamic::unit(name)?.name();
    let found = UNITS.iter().find(|unit| unit.name() == name);
    Ok(*found.expect("both are made of one list"))
}

#[cfg(test)]
mod tests {
    //! Rationale: a unit that is built but not registered is never checked.
    use super::*;

    #[test]
    fn every_unit_of_the_table_is_registered() {
        let registered: Vec<&str> = UNITS.iter().map(|unit| unit.name()).collect();
        assert_eq!(registered, table::units());
        macro_rules! names {
            ($($name:ident: $area:ident::$unit:ident $blocks:tt)*) => { [$(stringify!($name)),*] };
        }
        assert_eq!(registered, cotenant_units::units!(names));
    }

    #[test]
    fn an_unknown_unit_is_answered_with_the_nearest() {
        let error = find("gdc").err().map(|error| error.to_string());
        assert_eq!(
            error.as_deref(),
            Some("there is no unit 'gdc'; the nearest is 'gdcu'")
        );
    }
}
