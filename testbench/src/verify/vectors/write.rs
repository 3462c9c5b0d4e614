//! Writes vectors of a unit.

use std::io::{BufWriter, Write};
use std::path::Path;

use cotenant_netlist::vectors::{Column, Header, Trailer, Writer};
use cotenant_units::table::ParameterSet;

use super::run::reset_cycles;
use super::{Error, Result, Run, Vectors, WATCH};
use crate::verify::interface::Port;
use crate::verify::lockstep::Flow;
use crate::verify::stimulus::Drive;
use crate::whole::{self, File};

/// What stands in front of a unit's vectors.
///
/// # Errors
/// [`Error::Unit`] for another unit's set.
pub fn header<U: Drive>(set: &ParameterSet, vectors: &Vectors) -> Result<Header> {
    let params = U::params(set)?;
    let header = Header::new(reset_cycles::<U>(&params).min(1))
        .fact("unit", U::NAME)
        .fact("set", set.name);
    let header = set.params.iter().fold(header, |header, (name, value)| {
        header.fact("parameter", format!("{name} {value}"))
    });
    let header = header
        .fact("profile", vectors.mix.name())
        .fact("seed", format!("{:#x}", vectors.seed));
    let column = |port: Port| Column::new(port.name, port.width(), port.elements);
    let inputs = U::inputs(&params).into_iter().map(column);
    let header = inputs.fold(header, Header::input);
    let outputs = U::outputs(&params).into_iter().map(column);
    Ok(outputs.fold(header, Header::output))
}

/// Writes vectors of a unit to anything that takes bytes; what it holds does not grow with them.
/// `watch` is told from time to time how many cycles are done.
///
/// # Errors
/// [`Error::Cycles`], [`Error::Interrupted`] if `watch` says so, and what the unit or the writer
/// says.
pub fn write<U: Drive>(
    set: &ParameterSet,
    vectors: &Vectors,
    to: impl Write,
    watch: &mut dyn FnMut(u64) -> Flow,
) -> Result<Trailer> {
    vectors.check()?;
    let failed = |source| Error::from(whole::Error::io("write", "vectors")(source));
    let mut writer = Writer::new(to, &header::<U>(set, vectors)?).map_err(failed)?;
    let mut run = Run::<U>::new(set, vectors)?;
    for cycle in 0..vectors.cycles {
        if cycle % WATCH == 0 && watch(cycle) == Flow::Stop {
            return Err(Error::Interrupted);
        }
        run.input()?;
        let (inputs, outputs) = run.answer();
        writer.push_rows(inputs, outputs).map_err(failed)?;
    }
    Ok(writer.finish().map_err(failed)?.1)
}

/// [`write()`] into a file, which appears, or takes the place of the one there, when all is
/// written.
///
/// # Errors
/// As [`write()`].
pub fn write_file<U: Drive>(
    set: &ParameterSet,
    vectors: &Vectors,
    path: &Path,
    watch: &mut dyn FnMut(u64) -> Flow,
) -> Result<Trailer> {
    vectors.check()?;
    let mut file = File::new(path)?;
    let trailer = write::<U>(set, vectors, BufWriter::new(&mut file), watch)?;
    file.finish()?;
    Ok(trailer)
}

/// Where vectors go.
pub enum Place<'a> {
    /// A file.
    File(&'a Path),
    /// Anything that takes bytes.
    Stream(&'a mut dyn Write),
}
