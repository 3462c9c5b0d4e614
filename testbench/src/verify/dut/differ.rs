//! Kinds of mismatch between netlist and golden model.

use crate::error::Error;

/// A value that the two sides do not share.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Difference {
    pub field: String,
    pub dut: u64,
    pub golden: u64,
}

/// Ports or registers that one side has otherwise, or not at all.
pub(super) fn unlike(unit: &'static str, kind: &'static str, name: &str, problem: String) -> Error {
    Error::Interface {
        unit,
        kind,
        name: name.into(),
        problem,
    }
}
