//! What is counted in a workload as a line of JSON: the record of docs/experiments.md, and what a
//! run that was interrupted goes on from.

use cotenant_golden::workload::random::Workload;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::super::runs;
use super::reading::Readings;
use super::Measured;

/// A line of the record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// The seed and the workload.
    pub name: String,
    /// The beginning of the digest of its scenario.
    pub scenario: String,
    /// Of the netlists beside it.
    pub netlists: String,
    /// What was counted.
    pub measured: Measured,
}

impl Line {
    /// Of a workload that a seed drew; `netlists` is [`digest`](super::hardware::digest).
    pub fn new(drawn_by: u64, workload: &Workload, netlists: &str, measured: Measured) -> Self {
        Self {
            name: name(drawn_by, workload),
            scenario: scenario(workload),
            netlists: netlists.into(),
            measured,
        }
    }

    /// Whether it is of this workload, scenario and netlists.
    pub fn is_of(&self, drawn_by: u64, workload: &Workload, netlists: &str) -> bool {
        self.name == name(drawn_by, workload)
            && self.scenario == scenario(workload)
            && self.netlists == netlists
    }

    /// As it is written.
    pub fn text(&self) -> String {
        serde_json::to_string(self).expect("numbers and strings") + "\n"
    }
}

/// The seed and the workload.
pub fn name(drawn_by: u64, workload: &Workload) -> String {
    format!("{drawn_by:#x} {}", workload.name())
}

fn scenario(workload: &Workload) -> String {
    hexadecimal(&Sha256::digest(workload.toml())[..6])
}

/// The digest of a record, for the page that is made of it.
pub fn digest(record: &str) -> String {
    hexadecimal(&Sha256::digest(record))
}

pub(super) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A line of what a run keeps.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Kept {
    pub line: Line,
    pub readings: Vec<Readings>,
}

impl runs::Kept for Kept {
    fn run(&self) -> String {
        self.line.name.clone()
    }
}

/// What decides such lines.
#[derive(Debug, Serialize)]
pub(super) struct Parameters<'a> {
    pub accesses: u64,
    pub netlists: &'a str,
}
