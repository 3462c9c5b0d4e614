//! Vectors: inputs of a run and the outputs expected of it, as one text that any testbench reads.
//!
//! A header, one line per cycle, a trailer. Lines of header and trailer start with `#`; a line of a
//! cycle has the values of all inputs, `|`, the values of all outputs, each in as many hex digits
//! as its width takes, with one space between:
//!
//! ```text
//! # cotenant-vectors 1
//! # unit popcnt
//! # compare-from 0
//! # input data 4 1
//! # output count 3 1
//! b | 3
//! 0 | 0
//! # cycles 2
//! # stimulus-sha256 1a2c...
//! # expected-sha256 4355...
//! ```
//!
//! Header: first the version; `input` and `output` lines name the columns in their order, each
//! with its width in bits and the number of values packed in it, the first in the low bits; the
//! clock is no column. `compare-from` is the first cycle whose outputs are defined. Other lines
//! are facts about the run. Trailer: the number of cycles and two hashes, each over what stands on
//! one side of the `|` in all lines (its values with one space between, then a line feed).
//!
//! The inputs of a line are set in a cycle, its outputs are those before the edge that ends the
//! cycle.
//!
//! ```
//! use cotenant_netlist::vectors::{Column, Header, Reader, Writer};
//!
//! let header = Header::new(0)
//!     .fact("unit", "popcnt")
//!     .input(Column::new("data", 4, 1))
//!     .output(Column::new("count", 3, 1));
//! let mut writer = Writer::new(Vec::new(), &header)?;
//! writer.push([&[0xb][..]], [&[3][..]])?;
//! let (text, trailer) = writer.finish()?;
//! assert_eq!(trailer.cycles, 1);
//!
//! let mut reader = Reader::new(&text[..])?;
//! assert_eq!(reader.header(), &header);
//! assert!(reader.advance()?);
//! assert_eq!((reader.inputs(), reader.outputs()), (&[0xb][..], &[3][..]));
//! assert!(!reader.advance()?);
//! assert_eq!(reader.trailer(), Some(&trailer));
//! assert_eq!(reader.found(), trailer);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod reader;
mod writer;

pub use reader::{Reader, VectorsError};
pub use writer::Writer;

use sha2::{Digest, Sha256};

use crate::verilog::{Design, Direction};

/// Version of the format.
pub const VERSION: u32 = 1;

/// First word of a text of vectors, after the `#`.
const MAGIC: &str = "cotenant-vectors";
/// Between inputs and outputs.
const BAR: &[u8] = b" | ";
/// Widest column, in bits.
const MAX_WIDTH: usize = 1 << 16;

/// A port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name, without white space.
    pub name: String,
    /// Its width in bits, at least 1.
    pub width: usize,
    /// Number of values packed in it, the first in the low bits; 1 if it is not packed.
    pub elements: usize,
}

impl Column {
    /// A port of `width` bits in all.
    pub fn new(name: impl Into<String>, width: usize, elements: usize) -> Self {
        Self {
            name: name.into(),
            width,
            elements,
        }
    }

    /// Hex digits of its value.
    pub fn digits(&self) -> usize {
        self.width.div_ceil(4)
    }

    /// 64-bit words of its value.
    pub fn words(&self) -> usize {
        self.width.div_ceil(64)
    }
}

/// What stands in front of the cycles.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Header {
    /// What the run is about, as key and value: unit, set, seed.
    pub facts: Vec<(String, String)>,
    /// First cycle whose outputs are defined: in those before, flops are still unknown.
    pub compare_from: u64,
    /// Input ports in the order of their columns.
    pub inputs: Vec<Column>,
    /// Output ports in the order of their columns.
    pub outputs: Vec<Column>,
}

impl Header {
    /// Without facts and ports.
    pub fn new(compare_from: u64) -> Self {
        Self {
            facts: vec![],
            compare_from,
            inputs: vec![],
            outputs: vec![],
        }
    }

    /// The ports of a design, which is reset in cycle 0 if it has a clock.
    pub fn of(design: &Design) -> Self {
        let clocked = design.ports.iter().any(|port| port.clock);
        let ports = design.ports.iter().filter(|port| !port.clock);
        ports.fold(Self::new(clocked.into()), |header, port| {
            let column = Column::new(&port.name, port.width, 1);
            match port.direction {
                Direction::Input => header.input(column),
                Direction::Output => header.output(column),
            }
        })
    }

    /// With one more fact: a key of a word, and a value in one line.
    #[must_use]
    pub fn fact(mut self, key: impl Into<String>, value: impl Into<String>) -> Self {
        self.facts.push((key.into(), value.into()));
        self
    }

    /// With one more input.
    #[must_use]
    pub fn input(mut self, column: Column) -> Self {
        self.inputs.push(column);
        self
    }

    /// With one more output.
    #[must_use]
    pub fn output(mut self, column: Column) -> Self {
        self.outputs.push(column);
        self
    }

    /// The value of the first fact of this key.
    pub fn get(&self, key: &str) -> Option<&str> {
        let found = self.facts.iter().find(|(known, _)| known == key);
        found.map(|(_, value)| value.as_str())
    }

    /// Its lines, the version's first.
    fn lines(&self) -> String {
        let mut text = format!("# {MAGIC} {VERSION}\n");
        let mut line = |line: String| text += &format!("# {line}\n");
        for (key, value) in &self.facts {
            line(format!("{key} {value}"));
        }
        line(format!("compare-from {}", self.compare_from));
        for (kind, columns) in [("input", &self.inputs), ("output", &self.outputs)] {
            for column in columns {
                line(format!(
                    "{kind} {} {} {}",
                    column.name, column.width, column.elements
                ));
            }
        }
        text
    }
}

/// What stands behind the cycles.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Trailer {
    /// Lines of cycles.
    pub cycles: u64,
    /// SHA-256 of the inputs, in hex digits.
    pub stimulus: String,
    /// SHA-256 of the outputs, in hex digits.
    pub expected: String,
}

impl Trailer {
    /// Its keys and values.
    fn lines(&self) -> [(&'static str, String); 3] {
        [
            ("cycles", self.cycles.to_string()),
            ("stimulus-sha256", self.stimulus.clone()),
            ("expected-sha256", self.expected.clone()),
        ]
    }
}

/// What the trailer says, while the cycles go by.
#[derive(Clone, Debug, Default)]
struct Sums {
    cycles: u64,
    stimulus: Sha256,
    expected: Sha256,
}

impl Sums {
    fn add(&mut self, inputs: &[u8], outputs: &[u8]) {
        self.cycles += 1;
        self.stimulus.update(inputs);
        self.stimulus.update(b"\n");
        self.expected.update(outputs);
        self.expected.update(b"\n");
    }

    fn trailer(&self) -> Trailer {
        let hex = |hash: &Sha256| format!("{:x}", hash.clone().finalize());
        Trailer {
            cycles: self.cycles,
            stimulus: hex(&self.stimulus),
            expected: hex(&self.expected),
        }
    }
}

#[cfg(test)]
mod tests;
