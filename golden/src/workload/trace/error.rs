//! Errors of the trace readers, with file, line and column.

use std::borrow::Cow;
use std::fmt;
use std::io;
use std::path::PathBuf;

use crate::model::ParamError;

/// Why a trace cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TraceError {
    /// There is nothing to read from.
    #[error("no trace given, expected at least one file")]
    NoSources,
    /// The cache's line length or number of kernels is illegal.
    #[error(transparent)]
    Options(#[from] ParamError),
    /// A source is assigned to a kernel that the cache does not have.
    #[error(
        "{}: assigned to kernel {kernel}, expected 0 to {}; choose another kernel or raise \
         the number of kernels", .file.display(), .kernels - 1
    )]
    UnknownKernel {
        /// The trace.
        file: PathBuf,
        /// The kernel it is assigned to.
        kernel: u8,
        /// How many kernels there are.
        kernels: usize,
    },
    /// An address that a mapping does not have.
    #[error(
        "access {access}, counted from 0, is to {address:#x}, beyond the {width} address bits of the \
         mapping {mapping}; take a mapping of wider addresses, or correct the trace"
    )]
    BeyondMapping {
        /// Its number.
        access: u64,
        /// Its address.
        address: u64,
        /// The mapping.
        mapping: String,
        /// Bits of its addresses.
        width: u32,
    },
    /// The file cannot be opened.
    #[error("{}: cannot be opened: {source}; check the path and its permissions", .file.display())]
    Open {
        /// The trace.
        file: PathBuf,
        /// What the operating system says.
        source: io::Error,
    },
    /// Reading failed, for example since a compressed file is truncated.
    #[error(
        "{}:{line}: cannot be read on: {source}; if the file is compressed it may be truncated \
         or damaged", .file.display()
    )]
    Read {
        /// The trace.
        file: PathBuf,
        /// The line, from 1, that could not be read to its end.
        line: u64,
        /// What the decompressor or the operating system says.
        source: io::Error,
    },
    /// The file is compressed in a way that is not supported.
    #[error(
        "{}: is compressed with {method}, expected plain text, gzip or zstd; decompress it first \
         (`{command}`)", .file.display()
    )]
    Compression {
        /// The trace.
        file: PathBuf,
        /// How it is compressed.
        method: &'static str,
        /// The command that decompresses it.
        command: &'static str,
    },
    /// Neither the file's name nor its beginning tells the format.
    #[error(
        "{}: begins with \"{found}\", expected CSV (`kernel,op,address`), Dinero din (`code \
         address`) or Accel-Sim traceg; name the format if it is one of them", .file.display()
    )]
    UnknownFormat {
        /// The trace.
        file: PathBuf,
        /// Its first line, shortened.
        found: String,
    },
    /// A line is not what the format wants.
    #[error("{0}")]
    Malformed(Box<Malformed>),
}

/// A line that is not what its format wants, with the place where that shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Malformed {
    /// The trace.
    pub file: PathBuf,
    /// The line, from 1.
    pub line: u64,
    /// The byte in the line, from 1.
    pub column: usize,
    /// What stands there, shortened; empty at the end of the line.
    pub found: String,
    /// What was expected instead.
    pub expected: Cow<'static, str>,
    /// What to do about it.
    pub help: Cow<'static, str>,
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}:{}:{}: found ",
            self.file.display(),
            self.line,
            self.column
        )?;
        match self.found.as_str() {
            "" => f.write_str("the end")?,
            found => write!(f, "\"{found}\"")?,
        }
        write!(f, ", expected {}; {}", self.expected, self.help)
    }
}

/// What is wrong with a line, before it is known where the line stands.
#[derive(Debug)]
pub(in crate::workload) struct Fault {
    pub(super) column: usize,
    pub(super) found: String,
    pub(super) expected: Cow<'static, str>,
    pub(super) help: Cow<'static, str>,
}

impl Fault {
    /// `found` stands at the byte `offset` (from 0) of its line.
    #[cold]
    pub(in crate::workload) fn new(
        offset: usize,
        found: &[u8],
        expected: impl Into<Cow<'static, str>>,
        help: impl Into<Cow<'static, str>>,
    ) -> Box<Self> {
        let (expected, help) = (expected.into(), help.into());
        Box::new(Self {
            column: offset + 1,
            found: shortened(found),
            expected,
            help,
        })
    }
}

/// Bytes for a message: short, on one line, printable.
pub(super) fn shortened(bytes: &[u8]) -> String {
    const SHOWN: usize = 40;
    let text: String = String::from_utf8_lossy(&bytes[..bytes.len().min(4 * SHOWN)])
        .chars()
        .take(SHOWN)
        .flat_map(char::escape_debug)
        .collect();
    if String::from_utf8_lossy(bytes).chars().nth(SHOWN).is_some() {
        text + "..."
    } else {
        text
    }
}
