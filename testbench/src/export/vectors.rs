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
use crate::verify::lockstep::{Bench, Flow, Lockstep, Mismatch, Report};
use crate::verify::stimulus::{Drive, Run};
use crate::verify::vectors::{run, Vectors};

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
    let mut both = Both {
        lockstep: Lockstep::<U>::with_netlist(set, netlist, Engine::default())?,
        run: run(set, vectors)?,
    };
    write_of(&mut both, header, path, vectors, watch)
}

/// Netlist and golden model in lockstep, and the run that both go through.
struct Both<U: Drive> {
    lockstep: Lockstep<U>,
    run: Run<U>,
}

/// The same without the unit's types.
trait AnyBoth {
    /// The next cycle of the lockstep.
    fn step(&mut self) -> crate::Result<Option<Mismatch>>;

    /// What both said in it.
    fn rows(&mut self) -> (&[u64], &[u64]);

    /// The lockstep.
    fn bench(&self) -> &Bench;
}

impl<U: Drive> AnyBoth for Both<U> {
    fn step(&mut self) -> crate::Result<Option<Mismatch>> {
        self.lockstep.step(self.run.input()?)
    }

    fn rows(&mut self) -> (&[u64], &[u64]) {
        self.run.answer()
    }

    fn bench(&self) -> &Bench {
        self.lockstep.bench()
    }
}

fn write_of(
    both: &mut dyn AnyBoth,
    header: &Header,
    path: &Path,
    vectors: &Vectors,
    watch: &mut dyn FnMut(u64) -> Flow,
) -> Result<VectorEntry> {
    let failed = |source| Error::io("write", path)(source);
    let file = File::create(path).map_err(failed)?;
    let mut writer = Writer::new(BufWriter::new(file), header).map_err(failed)?;
    for cycle in 0..vectors.cycles {
        if cycle % WATCH == 0 && watch(cycle) == Flow::Stop {
            return Err(Error::Interrupted);
        }
        if let Some(mismatch) = both.step()? {
            return Err(Error::Mismatch(Box::new(Report {
                profile: Some(vectors.mix.name()),
                seed: Some(vectors.seed),
                cycles: cycle + 1,
                mismatch: Some(mismatch),
                ..both.bench().report()
            })));
        }
        let (inputs, outputs) = both.rows();
        writer.push_rows(inputs, outputs).map_err(failed)?;
    }
    writer.finish().map_err(failed)?;
    Ok(VectorEntry {
        cycles: vectors.cycles,
        reset_cycles: both.bench().dut().form().reset_cycles(),
        seed: format!("{:#x}", vectors.seed),
        profile: vectors.mix.name(),
    })
}
