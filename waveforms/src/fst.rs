//! Writing FST, the compressed format of GTKWave, with `fst-writer`.

use std::io::{BufWriter, Seek, Write};

use fst_writer::{
    FstBodyWriter, FstFileType, FstHeaderWriter, FstInfo, FstScopeType, FstSignalId, FstSignalType,
    FstVarDirection, FstVarType, FstWriteError,
};
use vcd::TimescaleUnit;

use crate::digits::push_fixed;
use crate::error::{Error, Result};
use crate::layout::{Declaration, Layout, Variable};
use crate::options::Options;
use crate::scope::{Kind, ScopeKind};
use crate::timeline::{Follows, Timeline};

/// Bytes of changes kept in memory before they are compressed and written.
const BLOCK: usize = 1 << 26;
/// What the format has room for, its end marked by a zero.
const VERSION: usize = 127;

/// An FST file on a stream. Only changes are written. It begins at time 0; what is before the first
/// cycle is x.
pub(crate) struct Fst<W: Write + Seek> {
    body: FstBodyWriter<BufWriter<W>>,
    layout: Layout,
    options: Options,
    timeline: Timeline,
    clock: Option<FstSignalId>,
    /// By signal; those that are not written have none.
    ids: Vec<Option<FstSignalId>>,
    shown: Box<[u64]>,
    digits: Vec<u8>,
}

impl<W: Write + Seek> std::fmt::Debug for Fst<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Fst").finish_non_exhaustive()
    }
}

impl<W: Write + Seek> Fst<W> {
    /// Writes the header.
    pub fn new(stream: W, layout: &Layout, options: &Options) -> Result<Self> {
        options.check()?;
        let mut version = options.version.clone();
        while version.len() > VERSION {
            version.pop();
        }
        let info = FstInfo {
            // An offset that viewers add to all times.
            start_time: 0,
            timescale_exponent: exponent(options.timescale, options.unit),
            version,
            date: String::new(),
            file_type: FstFileType::Verilog,
        };
        let mut header = FstHeaderWriter::new(BufWriter::new(stream), &info).map_err(failed)?;
        let mut clock = None;
        let mut ids = vec![None; layout.len()];
        for declaration in &layout.inner().declarations {
            match declaration {
                Declaration::Open { kind, name, .. } => header.scope(name, "", scope_type(*kind)),
                Declaration::Close => header.up_scope(),
                Declaration::Variable(variable) => {
                    let Variable {
                        kind,
                        width,
                        name,
                        signal,
                        ..
                    } = variable;
                    let alias = signal.is_none().then_some(clock).flatten();
                    let direction = FstVarDirection::Implicit;
                    let of = FstSignalType::bit_vec(*width);
                    let id = header.var(name, of, var_type(*kind), direction, alias);
                    id.map(|id| match signal {
                        Some(signal) => ids[*signal as usize] = Some(id),
                        None => clock = Some(id),
                    })
                }
            }
            .map_err(failed)?;
        }
        Ok(Fst {
            body: header.finish().map_err(failed)?,
            layout: layout.clone(),
            options: options.clone(),
            timeline: Timeline::new(options),
            clock,
            ids,
            shown: vec![0; layout.words()].into(),
            digits: Vec::new(),
        })
    }

    pub fn timeline(&self) -> &Timeline {
        &self.timeline
    }

    pub fn wants(&self, cycle: u64) -> bool {
        self.options.window.contains(cycle)
    }

    /// Writes what changed; nothing for a cycle out of the window.
    pub fn sample_words(&mut self, cycle: u64, words: &[u64]) -> Result<()> {
        if !self.wants(cycle) {
            return Ok(());
        }
        let (time, follows) = self.timeline.take(cycle)?;
        let half = self.options.period / 2;
        let Fst {
            body,
            layout,
            clock,
            ids,
            shown,
            digits,
            ..
        } = self;
        if let Follows::Unknown(from) = follows {
            body.time_change(from).map_err(failed)?;
            for id in clock.iter().chain(ids.iter().flatten()) {
                body.signal_change(*id, b"x").map_err(failed)?;
            }
        }
        // The writer takes a block's end only here.
        if body.size() > BLOCK {
            body.flush().map_err(failed)?;
        }
        body.time_change(time).map_err(failed)?;
        if let Some(clock) = clock {
            body.signal_change(*clock, b"1").map_err(failed)?;
        }
        let all = follows != Follows::Cycle;
        for (signal, slot) in layout.written() {
            let range = slot.words();
            if !all && words[range.clone()] == shown[range.clone()] {
                continue;
            }
            digits.clear();
            push_fixed(digits, &words[range], slot.width);
            if let Some(id) = ids[*signal as usize] {
                body.signal_change(id, digits).map_err(failed)?;
            }
        }
        if let Some(clock) = clock {
            body.time_change(time + half).map_err(failed)?;
            body.signal_change(*clock, b"0").map_err(failed)?;
        }
        shown.copy_from_slice(words);
        Ok(())
    }

    /// Ends the last cycle and flushes the stream.
    pub fn finish(mut self) -> Result<W> {
        // Readers do not bear a file of no time at all.
        let end = self.timeline.end().max(1);
        self.body.time_change(end).map_err(failed)?;
        let stream = self.body.finish().map_err(failed)?;
        let stream = stream.into_inner();
        stream.map_err(|error| Error::Write(error.into_error()))
    }
}

fn failed(error: FstWriteError) -> Error {
    Error::Write(match error {
        FstWriteError::Io(source) => source,
        other => std::io::Error::other(other.to_string()),
    })
}

/// Power of ten of the time unit in seconds.
fn exponent(timescale: u32, unit: TimescaleUnit) -> i8 {
    let unit = match unit {
        TimescaleUnit::S => 0,
        TimescaleUnit::MS => -3,
        TimescaleUnit::US => -6,
        TimescaleUnit::NS => -9,
        TimescaleUnit::PS => -12,
        TimescaleUnit::FS => -15,
    };
    unit + timescale.ilog10() as i8
}

fn scope_type(kind: ScopeKind) -> FstScopeType {
    match kind {
        ScopeKind::Module => FstScopeType::Module,
        ScopeKind::Task => FstScopeType::Task,
        ScopeKind::Function => FstScopeType::Function,
        ScopeKind::Begin => FstScopeType::Begin,
        ScopeKind::Fork => FstScopeType::Fork,
    }
}

fn var_type(kind: Kind) -> FstVarType {
    match kind {
        Kind::Wire => FstVarType::Wire,
        Kind::Reg => FstVarType::Reg,
        Kind::Integer => FstVarType::Integer,
        Kind::Parameter => FstVarType::Parameter,
        Kind::Time => FstVarType::Time,
    }
}
