//! Errors, with the signal, cycle or path at which they occurred.

use std::io;
use std::path::PathBuf;

/// An error of describing, sampling or writing waveforms.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Two items of one scope have the same name.
    #[error("scope `{scope}` declares `{name}` twice; names must be unique in a scope")]
    Duplicate {
        /// Path of the scope, dots between names.
        scope: String,
        /// The name that occurs twice.
        name: String,
    },
    /// A signal without bits, an array without elements, or a width its kind does not have.
    #[error("signal `{signal}` has {found}, expected {expected}")]
    Shape {
        /// Path of the signal, dots between names.
        signal: String,
        /// What was found, a width or array shape.
        found: String,
        /// What IEEE 1364 allows.
        expected: &'static str,
    },
    /// A value name is given to a number that does not fit the signal.
    #[error("signal `{signal}` ({width} bits) names the value {value}, which it cannot hold")]
    NamedValue {
        /// Path of the signal.
        signal: String,
        /// Its width in bits.
        width: u32,
        /// The number that does not fit.
        value: u64,
    },
    /// A name or a header text that no VCD file can carry.
    #[error("{what} {text:?}: expected {expected}")]
    Text {
        /// Which text, for instance `name in scope top`.
        what: String,
        /// The text itself.
        text: String,
        /// What is accepted.
        expected: &'static str,
    },
    /// A setting out of its range.
    #[error("{setting} is {found}, expected {expected}")]
    Setting {
        /// The setting, for instance `period`.
        setting: &'static str,
        /// The value found.
        found: String,
        /// The values accepted.
        expected: &'static str,
    },
    /// No such signal in the layout.
    #[error("no signal `{path}` in the layout")]
    NoSignal {
        /// The path asked for.
        path: String,
    },
    /// A pattern that no signal and no scope matches.
    #[error(
        "no signal or scope matches '{pattern}'; the nearest are {}",
        nearest.join(", ")
    )]
    NoMatch {
        /// The pattern.
        pattern: String,
        /// Paths of the nearest scopes and signals.
        nearest: Vec<String>,
    },
    /// A pattern that cannot be read.
    #[error("'{pattern}' is no pattern: {problem}")]
    Pattern {
        /// The pattern.
        pattern: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A value with bits above the signal's width.
    #[error("value 0x{value} does not fit signal `{signal}` of {width} bits")]
    TooWide {
        /// Path of the signal.
        signal: String,
        /// Its width in bits.
        width: u32,
        /// The value, hexadecimal.
        value: String,
    },
    /// A sample was filled with fewer or more values than the layout has signals.
    #[error("sample filled with {found} values, the layout has {expected}")]
    Count {
        /// Values given.
        found: usize,
        /// Values the layout has.
        expected: usize,
    },
    /// A sample or signal identifier of another layout.
    #[error("the {what} belongs to another layout")]
    Foreign {
        /// `sample` or `signal`.
        what: &'static str,
    },
    /// Cycles must strictly increase.
    #[error("cycle {cycle} sampled after cycle {last}; cycles must increase")]
    Order {
        /// The cycle given.
        cycle: u64,
        /// The last cycle written.
        last: u64,
    },
    /// A cycle whose time does not fit 64 bits.
    #[error("cycle {cycle} with a period of {period} time units is beyond 64-bit time")]
    Time {
        /// The cycle given.
        cycle: u64,
        /// Time units per cycle.
        period: u64,
    },
    /// A ring that does not fit the memory.
    #[error("a ring of {cycles} cycles and {words} words per cycle does not fit the memory")]
    Memory {
        /// Cycles asked for.
        cycles: usize,
        /// 64-bit words per cycle.
        words: usize,
    },
    /// Writing to a stream that has no path failed.
    #[error("cannot write the waveform")]
    Write(#[source] io::Error),
    /// An operation on a file failed.
    #[error("cannot {action} {}", path.display())]
    Io {
        /// What was tried: `create`, `write`, `rename to`.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// The cause.
        #[source]
        source: io::Error,
    },
}

/// Result with this crate's [`Error`].
pub type Result<T> = std::result::Result<T, Error>;
