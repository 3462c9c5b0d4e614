//! Writes vectors of a unit.

use std::io::{BufWriter, Write};
use std::path::Path;

use cotenant_netlist::vectors::{Column, Header, Trailer, Writer};
use cotenant_units::table::ParameterSet;

use super::run::{AnyRun, Measured};
use super::{Error, Result, Vectors, WATCH};
use crate::verify::coverage::{Cover, CoverageReport};
use crate::verify::interface::{Form, Port};
use crate::verify::lockstep::Flow;
use crate::verify::stimulus::Drive;
use crate::whole::{self, File};

/// What stands in front of a unit's vectors.
///
/// # Errors
/// [`Error::Unit`] for another unit's set.
pub fn header<U: Drive>(set: &ParameterSet, vectors: &Vectors) -> Result<Header> {
    let form = U::form(&U::params(set)?);
    Ok(header_of(&form, set, vectors))
}

fn header_of(form: &Form, set: &ParameterSet, vectors: &Vectors) -> Header {
    let header = Header::new(form.reset_cycles().min(1))
        .fact("unit", form.unit)
        .fact("set", set.name);
    let header = set.params.iter().fold(header, |header, (name, value)| {
        header.fact("parameter", format!("{name} {value}"))
    });
    let header = header
        .fact("profile", vectors.mix.name())
        .fact("seed", format!("{:#x}", vectors.seed));
    let header = match vectors.directed() {
        0 => header,
        cycles => header.fact("directed", cycles.to_string()),
    };
    let column = |port: &Port| Column::new(port.name, port.width(), port.elements);
    let inputs = form.inputs.iter().map(column);
    let header = inputs.fold(header, Header::input);
    let outputs = form.outputs.iter().map(column);
    outputs.fold(header, Header::output)
}

/// What was written.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Written {
    /// The end of the text.
    pub trailer: Trailer,
    /// What the vectors hit of the unit's functional coverage.
    pub coverage: CoverageReport,
}

/// Writes vectors of a unit to anything that takes bytes; what it holds does not grow with them.
/// `watch` is told from time to time how many cycles are done.
///
/// # Errors
/// [`Error::Cycles`], [`Error::Interrupted`] if `watch` says so, and what the unit or the writer
/// says.
pub fn write<U: Cover>(
    set: &ParameterSet,
    vectors: &Vectors,
    to: &mut dyn Write,
    watch: &mut dyn FnMut(u64) -> Flow,
) -> Result<Written> {
    vectors.check()?;
    let header = header::<U>(set, vectors)?;
    let mut run = Measured::<U>::new(set, vectors)?;
    let trailer = write_run(&mut run, &header, vectors.cycles, to, watch)?;
    Ok(Written {
        trailer,
        coverage: run.coverage(),
    })
}

fn write_run(
    run: &mut dyn AnyRun,
    header: &Header,
    cycles: u64,
    to: &mut dyn Write,
    watch: &mut dyn FnMut(u64) -> Flow,
) -> Result<Trailer> {
    let failed = |source| Error::from(whole::Error::io("write", "vectors")(source));
    let mut writer = Writer::new(to, header).map_err(failed)?;
    for cycle in 0..cycles {
        if cycle % WATCH == 0 && watch(cycle) == Flow::Stop {
            return Err(Error::Interrupted);
        }
        let (inputs, outputs) = run.cycle()?;
        writer.push_rows(inputs, outputs).map_err(failed)?;
    }
    Ok(writer.finish().map_err(failed)?.1)
}

/// [`write()`] into a file, which appears, or takes the place of the one there, when all is
/// written.
///
/// # Errors
/// As [`write()`].
pub fn write_file<U: Cover>(
    set: &ParameterSet,
    vectors: &Vectors,
    path: &Path,
    watch: &mut dyn FnMut(u64) -> Flow,
) -> Result<Written> {
    vectors.check()?;
    let mut file = File::new(path)?;
    let written = write::<U>(set, vectors, &mut BufWriter::new(&mut file), watch)?;
    file.finish()?;
    Ok(written)
}

/// Where vectors go.
pub enum Place<'a> {
    /// A file.
    File(&'a Path),
    /// Anything that takes bytes.
    Stream(&'a mut dyn Write),
}
