//! Readers of recorded traces, and a writer.
//!
//! | format | a line | kernel |
//! | --- | --- | --- |
//! | [`Csv`](Format::Csv) | `kernel,op,address[,cycle[,sectors]]`; op `R` or `W`, address decimal or `0x` hex, sectors as a mask | column |
//! | [`Din`](Format::Din) | Dinero: code 0 to 3, hex address, rest ignored; code 4 is skipped | source, or 0 |
//! | [`Traceg`](Format::Traceg) | Accel-Sim: a warp instruction, tracer versions 3 to 5 | source, or 0 |
//!
//! A CSV file may have a header line, blank lines and `#` comments. A CSV or din record touches
//! one line, and the one sector that holds the address unless it has a mask. A warp instruction that loads or stores global memory gives one access a distinct
//! line, in lane order, with its sectors; what straddles lines touches all of them.
//!
//! gzip and zstd are recognised by content. Files are read as a stream: memory does not grow with
//! them. Several sources alternate access by access.
//!
//! ```
//! use cotenant_golden::workload::trace::{Format, Options, Reader, Trace};
//!
//! let options = Options { line: 128, kernels: 4 };
//! let csv = Reader::new("a.csv", &b"0,R,0x1000\n0,W,4224\n"[..], None, None, options)?;
//! let din = Reader::new("b.din", &b"0 2000\n"[..], Some(3), None, options)?;
//! let accesses: Result<Vec<_>, _> = Trace::new(vec![csv, din]).collect();
//! let accesses: Vec<_> = accesses?.iter().map(|a| (a.kernel, a.address)).collect();
//! assert_eq!(accesses, [(0, 0x1000), (3, 0x2000), (0, 4224)]);
//! # Ok::<(), cotenant_golden::workload::trace::TraceError>(())
//! ```

mod coalesce;
mod csv;
mod din;
mod error;
mod fields;
mod format;
mod input;
mod sass;
mod source;
mod traceg;
mod writer;

pub use error::{Malformed, TraceError};
pub use format::{Format, UnknownFormatName};
pub use source::{Source, SourceError};
pub use writer::Writer;

pub(super) use error::Fault;
pub(super) use fields::{decimal, Field};
pub(super) use traceg::{Checked, Instruction, Sink, Touch, TRUNCATED};

use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use self::coalesce::Coalescer;
use self::input::Lines;
use super::Access;
use crate::addr::mapping::Mapping;
use crate::llc::cache::MAX_LINE;
use crate::llc::MAX_KERNELS;
use crate::model::ParamError;

/// What a reader must know of the cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    /// Bytes of a line: a power of two up to [`MAX_LINE`].
    pub line: u64,
    /// Number of kernels, 1 to [`MAX_KERNELS`].
    pub kernels: usize,
}

impl Options {
    fn check(&self) -> Result<(), ParamError> {
        ParamError::range("line", self.line, 1, MAX_LINE)?;
        let why = "byte in a line is a field of address bits";
        ParamError::power_of_two("line", self.line, why)?;
        ParamError::range("kernels", self.kernels as u64, 1, MAX_KERNELS as u64)
    }
}

/// What the records of one source have in common.
#[derive(Debug, Clone, Copy)]
struct Scope {
    options: Options,
    /// The kernel that the source is assigned to.
    kernel: Option<u8>,
}

impl Scope {
    /// The kernel of a record that names one.
    ///
    /// ASSUMPTION: a source assigned to a kernel is that kernel's, whatever its records say: one
    /// recording can then be replayed as several kernels.
    fn recorded_kernel(&self, field: Field) -> Result<u8, Box<Fault>> {
        let kernels = self.options.kernels;
        let recorded = fields::decimal(field.text);
        match (self.kernel, recorded) {
            (Some(kernel), Some(_)) => Ok(kernel),
            (None, Some(kernel)) if kernel < kernels as u64 => Ok(kernel as u8),
            (_, recorded) => {
                let help = match recorded {
                    Some(_) => "raise the number of kernels or correct the line",
                    None => "begin the line with the kernel's number",
                };
                Err(field.fault(format!("a kernel from 0 to {}", kernels - 1), help))
            }
        }
    }
}

/// The parser of a format.
enum Parser {
    Csv(csv::Csv),
    Din(din::Din),
    Traceg(Box<traceg::Traceg<Coalescer>>),
}

/// The accesses of one source. After an error there are no more.
pub struct Reader {
    lines: Lines,
    parser: Parser,
    scope: Scope,
    ended: bool,
}

impl Reader {
    /// A reader of `input`, which messages call `name`. Without `format`, the name's extension
    /// decides, or else the content; `kernel` is what the source is assigned to.
    ///
    /// # Errors
    /// [`TraceError`] when the options are illegal, the kernel is unknown, or compression or
    /// format are not supported.
    pub fn new(
        name: impl Into<PathBuf>,
        input: impl Read + Send + 'static,
        kernel: Option<u8>,
        format: Option<Format>,
        options: Options,
    ) -> Result<Self, TraceError> {
        options.check()?;
        let name = name.into();
        let kernels = options.kernels;
        if let Some(kernel) = kernel.filter(|&kernel| usize::from(kernel) >= kernels) {
            return Err(TraceError::UnknownKernel {
                file: name,
                kernel,
                kernels,
            });
        }
        let scope = Scope { options, kernel };
        let by_name = format.or_else(|| Format::of_name(&name));
        let lines = Lines::new(name, input)?;
        let Some(format) = by_name.or_else(|| Format::of_content(lines.beginning())) else {
            let first = lines.beginning().split(|&byte| byte == b'\n').next();
            let found = error::shortened(first.unwrap_or_default());
            return Err(TraceError::UnknownFormat {
                file: lines.file().to_owned(),
                found,
            });
        };
        let parser = match format {
            Format::Csv => Parser::Csv(csv::Csv::default()),
            Format::Din => Parser::Din(din::Din::default()),
            Format::Traceg => {
                let coalescer = Coalescer::new(options, kernel.unwrap_or(0));
                Parser::Traceg(Box::new(traceg::Traceg::new(coalescer)))
            }
        };
        Ok(Self {
            lines,
            parser,
            scope,
            ended: false,
        })
    }

    /// A reader of a file.
    ///
    /// # Errors
    /// As [`new`](Self::new), or when the file cannot be opened.
    pub fn open(source: &Source, options: Options) -> Result<Self, TraceError> {
        let file = File::open(&source.path).map_err(|error| TraceError::Open {
            file: source.path.clone(),
            source: error,
        })?;
        Self::new(&source.path, file, source.kernel, source.format, options)
    }

    /// Records so far that are no accesses and are skipped: cache flushes of a din trace.
    pub fn skipped(&self) -> u64 {
        match &self.parser {
            Parser::Din(din) => din.skipped,
            Parser::Csv(_) | Parser::Traceg(_) => 0,
        }
    }

    fn access(&mut self) -> Result<Option<Access>, TraceError> {
        loop {
            if let Parser::Traceg(traceg) = &mut self.parser {
                if let Some(access) = traceg.sink().take() {
                    return Ok(Some(access));
                }
            }
            let Some(line) = self.lines.next()? else {
                if let Parser::Traceg(traceg) = &mut self.parser {
                    traceg.end().map_err(|fault| self.lines.locate(*fault))?;
                }
                return Ok(None);
            };
            let parsed = match &mut self.parser {
                Parser::Csv(csv) => csv.line(line, &self.scope),
                Parser::Din(din) => din.line(line, &self.scope),
                Parser::Traceg(traceg) => traceg.line(line).map(|()| None),
            };
            if let Some(access) = parsed.map_err(|fault| self.lines.locate(*fault))? {
                return Ok(Some(access));
            }
        }
    }
}

impl fmt::Debug for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (file, scope) = (self.lines.file(), &self.scope);
        f.debug_struct("Reader")
            .field("file", &file)
            .field("scope", scope)
            .finish_non_exhaustive()
    }
}

impl Iterator for Reader {
    type Item = Result<Access, TraceError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let item = self.access().transpose();
        self.ended = !matches!(item, Some(Ok(_)));
        item
    }
}

/// Reads an Accel-Sim trace to its end; messages call it `name`.
pub(super) fn read_traceg<S: Sink>(
    name: PathBuf,
    input: impl Read + Send + 'static,
    sink: S,
) -> Result<S, TraceError> {
    let mut lines = Lines::new(name, input)?;
    let mut traceg = traceg::Traceg::new(sink);
    while let Some(line) = lines.next()? {
        let taken = traceg.line(line);
        taken.map_err(|fault| lines.locate(*fault))?;
    }
    traceg.end().map_err(|fault| lines.locate(*fault))?;
    Ok(traceg.into_sink())
}

/// Several sources that alternate access by access, in their order; one that has ended is passed
/// over. After an error there are no more accesses.
#[derive(Debug)]
pub struct Trace {
    readers: Vec<Reader>,
    turn: usize,
    /// By sources that have ended.
    skipped: u64,
    /// Where lines are in the cache, if not by their address bits.
    mapping: Option<Mapping>,
    /// Accesses so far.
    accesses: u64,
}

impl Trace {
    /// Of readers.
    pub fn new(readers: Vec<Reader>) -> Self {
        Self {
            readers,
            turn: 0,
            skipped: 0,
            mapping: None,
            accesses: 0,
        }
    }

    /// The same for a cache whose sets are those of a mapping: addresses come [folded](Mapping::folded),
    /// so that the set is in the bits above the offset. An address beyond the mapping's ends the trace
    /// with [`TraceError::BeyondMapping`].
    pub fn mapped(self, mapping: Option<Mapping>) -> Self {
        Self { mapping, ..self }
    }

    fn place(&mut self, access: Access) -> Result<Access, TraceError> {
        let number = self.accesses;
        self.accesses += 1;
        let Some(mapping) = &self.mapping else {
            return Ok(access);
        };
        let address = mapping.folded(access.address);
        let address = address.ok_or_else(|| TraceError::BeyondMapping {
            access: number,
            address: access.address,
            mapping: mapping.table().name.clone(),
            width: mapping.table().width,
        })?;
        Ok(Access { address, ..access })
    }

    fn end(&mut self) {
        self.skipped = self.skipped();
        self.readers.clear();
    }

    /// Records so far that are skipped, of all sources ([`Reader::skipped`]).
    pub fn skipped(&self) -> u64 {
        self.skipped + self.readers.iter().map(Reader::skipped).sum::<u64>()
    }

    /// Of files.
    ///
    /// # Errors
    /// The first [`TraceError`] in opening them, [`TraceError::NoSources`] when there are none.
    pub fn open(sources: &[Source], options: Options) -> Result<Self, TraceError> {
        if sources.is_empty() {
            return Err(TraceError::NoSources);
        }
        let open = |source| Reader::open(source, options);
        sources
            .iter()
            .map(open)
            .collect::<Result<_, _>>()
            .map(Self::new)
    }
}

impl Iterator for Trace {
    type Item = Result<Access, TraceError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if self.turn >= self.readers.len() {
                self.turn = 0;
            }
            match self.readers.get_mut(self.turn)?.next() {
                Some(Ok(access)) => {
                    self.turn += 1;
                    let access = self.place(access);
                    if access.is_err() {
                        self.end();
                    }
                    return Some(access);
                }
                Some(Err(error)) => {
                    self.end();
                    return Some(Err(error));
                }
                // The next one moves to this place: it is its turn.
                None => self.skipped += self.readers.remove(self.turn).skipped(),
            }
        }
    }
}
