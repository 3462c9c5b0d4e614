//! Units by name.

use std::path::Path;

use cotenant_units::table::{self, ParameterSet};

use super::design::{export_watched, Exported, Options};
use super::error::{Error, Result};
use super::tools::{simulate, Simulator, Verdict};
use crate::registry::{visit, Unit, Visitor};
use crate::verify::lockstep::Flow;

/// [`export_watched`] of the unit and the parameter set of these names.
///
/// # Errors
/// [`crate::Error::Table`] if there are none, with the nearest; else as [`export_watched`].
pub fn export_named(
    unit: &str,
    set: &str,
    folder: &Path,
    options: &Options,
    watch: &mut dyn FnMut(u64) -> Flow,
) -> Result<Exported> {
    let set = &table::set(unit, set).map_err(crate::Error::from)?;
    visit(
        unit,
        Export {
            set,
            folder,
            options,
            watch,
        },
    )?
}

/// Exports them for as long as a simulator plays the vectors.
///
/// # Errors
/// As [`export_named`] and [`simulate`].
pub fn play_named(
    unit: &str,
    set: &str,
    options: &Options,
    simulator: Simulator,
) -> Result<Verdict> {
    let parent = tempfile::tempdir().map_err(Error::io("create", std::env::temp_dir()))?;
    let folder = parent.path().join(unit);
    export_named(unit, set, &folder, options, &mut |_| Flow::Continue)?;
    simulate(&folder, simulator, &[])
}

struct Export<'a> {
    set: &'a ParameterSet,
    folder: &'a Path,
    options: &'a Options,
    watch: &'a mut dyn FnMut(u64) -> Flow,
}

impl Visitor for Export<'_> {
    type Output = Result<Exported>;

    fn visit<U: Unit>(self) -> Result<Exported> {
        export_watched::<U>(self.set, self.folder, self.options, self.watch)
    }
}
