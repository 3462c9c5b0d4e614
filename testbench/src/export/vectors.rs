//! Vectors on which netlist and golden model agree.

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

use cotenant_netlist::sim::Engine;
use cotenant_netlist::vectors::{Header, Writer};
use cotenant_netlist::Netlist;
use cotenant_units::table::ParameterSet;

use super::error::{Error, Result};
use super::manifest::VectorEntry;
use crate::verify::lockstep::{Flow, Lockstep, Report};
use crate::verify::stimulus::Drive;
use crate::verify::vectors::{reset_cycles, Run, Vectors};

/// Cycles between two calls of the watcher.
const WATCH: u64 = 4096;

/// Runs netlist and golden model in lockstep and writes what both say into a file.
///
/// # Errors
/// [`Error::Mismatch`] if they do not say the same, [`Error::Interrupted`], [`Error::Io`].
pub(super) fn write<U: Drive>(
    set: &ParameterSet,
    netlist: &Netlist,
    header: &Header,
    path: &Path,
    vectors: &Vectors,
    watch: &mut dyn FnMut(u64) -> Flow,
) -> Result<VectorEntry> {
    let mut lockstep = Lockstep::<U>::with_netlist(set, netlist, Engine::default())?;
    let failed = |source| Error::io("write", path)(source);
    let file = File::create(path).map_err(failed)?;
    let mut writer = Writer::new(BufWriter::new(file), header).map_err(failed)?;
    let mut run = Run::<U>::new(set, vectors)?;
    for cycle in 0..vectors.cycles {
        if cycle % WATCH == 0 && watch(cycle) == Flow::Stop {
            return Err(Error::Interrupted);
        }
        if let Some(mismatch) = lockstep.step(run.input()?)? {
            return Err(Error::Mismatch(Box::new(Report {
                unit: U::NAME,
                set: set.name.into(),
                engine: lockstep.engine(),
                profile: Some(vectors.mix.name()),
                seed: Some(vectors.seed),
                cycles: cycle + 1,
                interrupted: false,
                mismatch: Some(mismatch),
                wave: None,
                coverage: None,
            })));
        }
        let (inputs, outputs) = run.answer();
        writer.push_rows(inputs, outputs).map_err(failed)?;
    }
    writer.finish().map_err(failed)?;
    Ok(VectorEntry {
        cycles: vectors.cycles,
        reset_cycles: reset_cycles::<U>(lockstep.params()),
        seed: format!("{:#x}", vectors.seed),
        profile: vectors.mix.name(),
    })
}
