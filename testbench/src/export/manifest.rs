//! The contents of an export for programs: `export.json` in its folder.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::whole::Kind;

/// Version of [`Manifest`]'s fields.
pub const SCHEMA: u32 = 1;

/// File that says which files of a folder are an export's.
pub(super) const MANIFEST: &str = "export.json";
/// Folder of the description of registers.
pub(super) const REGISTERS: &str = "registers";
/// Where the Makefile puts what it makes; goes with the export.
pub(super) const BUILD: &str = "build";
/// What Bender leaves beside its manifest; goes with the export.
const BENDER: [&str; 2] = ["Bender.lock", ".bender"];
/// The folder of an export.
pub(super) const KIND: Kind = Kind {
    name: "export",
    list: MANIFEST,
    also: &[BUILD, BENDER[0], BENDER[1]],
    grows: &[],
};

/// Contents of `export.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Manifest {
    /// [`SCHEMA`].
    pub schema: u32,
    /// The unit.
    pub unit: String,
    /// Its parameter set.
    pub set: String,
    /// Other names of the set.
    pub aliases: Vec<String>,
    /// Parameters by name; without choices that are not taken.
    pub parameters: BTreeMap<String, usize>,
    /// Name of the top module.
    pub top: String,
    /// Digest of the netlist that the Verilog was made from.
    pub netlist: String,
    /// The fault that the netlist has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
    /// The instance of the top block that is left out; what it put out are inputs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub without: Option<String>,
    /// Loops are loops in the Verilog, and arrays of registers arrays; otherwise each register has a
    /// name of its own.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub loops: bool,
    /// The reset takes effect at once, and not at the clock's edge.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub asynchronous: bool,
    /// Ports of the top module in their order.
    pub ports: Vec<PortEntry>,
    /// What inputs are legal.
    #[serde(default)]
    pub assumptions: Vec<AssumptionEntry>,
    /// Verilog files of the design, children before their parents.
    pub sources: Vec<String>,
    /// Description of the registers, of a unit behind a bus: files in a folder of the export.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub registers: Vec<String>,
    /// All files and folders of the folder.
    pub files: Vec<String>,
    /// The vectors, if there is a testbench.
    pub vectors: Option<VectorEntry>,
}

/// A port of the top module.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PortEntry {
    /// Name of the unit's field.
    pub name: String,
    /// Name in Verilog; another one if that is a reserved word.
    pub verilog: String,
    /// `input` or `output`.
    pub direction: String,
    /// Width in bits.
    pub width: usize,
    /// Values packed in it, the first in the low bits.
    pub elements: usize,
    /// The clock.
    pub clock: bool,
    /// It is 0 where the unit's field is 1.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub active_low: bool,
    /// What an output always is with these parameters, in hexadecimal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub constant: Option<String>,
}

/// A rule about the inputs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct AssumptionEntry {
    /// Its name, an identifier.
    pub name: String,
    /// The rule as a sentence.
    pub text: String,
    /// The same as an expression over the ports of the top module, 1 in each legal cycle.
    pub verilog: String,
}

/// The vectors of a testbench.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct VectorEntry {
    /// Cycles, reset included.
    pub cycles: u64,
    /// Cycles of reset in front.
    pub reset_cycles: u64,
    /// Seed of the stimulus, in hexadecimal.
    pub seed: String,
    /// Profile or mix of profiles that the stimulus follows.
    pub profile: String,
}
