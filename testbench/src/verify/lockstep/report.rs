//! The result of a lockstep run.

use std::fmt;
use std::path::PathBuf;

use serde::{Serialize, Serializer};

use crate::verify::coverage::CoverageReport;

/// The first value in which netlist and golden model differ.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Mismatch {
    /// The cycle in which it is seen, counted from 0; of a register or RAM word, the one after the
    /// edge.
    pub cycle: u64,
    /// Output port, register or RAM word: `victim_way`, `stack_owner[3]`, `count[2][1]`,
    /// `tags[4][17]`.
    pub field: String,
    /// The netlist's value.
    pub dut: u64,
    /// The golden model's value.
    pub golden: u64,
    /// The waveform around it, if one was written.
    pub wave: Option<PathBuf>,
}

/// A lockstep run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Report {
    /// The unit.
    pub unit: &'static str,
    /// Its parameter set.
    pub set: String,
    /// What ran the netlist: `jit` or `interpreter`.
    pub engine: &'static str,
    /// The profile or mix of profiles, if the stimulus came from one.
    pub profile: Option<String>,
    /// The stimulus's seed, if it has one; hexadecimal where it is shown.
    #[serde(serialize_with = "hexadecimal")]
    pub seed: Option<u64>,
    /// Cycles compared.
    pub cycles: u64,
    /// Stopped before it was done, because it was asked to.
    pub interrupted: bool,
    /// The first difference, if there was one.
    pub mismatch: Option<Mismatch>,
    /// The waveform of a window or of the last cycles, if one was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wave: Option<PathBuf>,
    /// Coverage of the stimulus, if it was measured.
    pub coverage: Option<CoverageReport>,
}

impl Report {
    /// No difference.
    pub fn passed(&self) -> bool {
        self.mismatch.is_none()
    }
}

/// Seeds are 64-bit numbers, which not every reader of JSON keeps exact.
fn hexadecimal<S: Serializer>(seed: &Option<u64>, serializer: S) -> Result<S::Ok, S::Error> {
    match seed {
        Some(seed) => serializer.collect_str(&format_args!("{seed:#x}")),
        None => serializer.serialize_none(),
    }
}

impl fmt::Display for Report {
    /// `lru_stack 16x4: cycle 1042: victim_way: dut 5, golden 2 (seed 0x9e37, wave w.vcd)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}: ", self.unit, self.set)?;
        let mut notes = Vec::new();
        notes.extend(self.seed.map(|seed| format!("seed {seed:#x}")));
        match &self.mismatch {
            Some(mismatch) => {
                let Mismatch {
                    cycle,
                    field,
                    dut,
                    golden,
                    wave,
                } = mismatch;
                write!(f, "cycle {cycle}: {field}: dut {dut}, golden {golden}")?;
                let wave = wave.as_ref();
                notes.extend(wave.map(|path| format!("wave {}", path.display())));
            }
            None => {
                let interrupted = if self.interrupted {
                    "interrupted: "
                } else {
                    ""
                };
                write!(f, "{interrupted}no mismatch in {} cycles", self.cycles)?;
            }
        }
        // That of the mismatch may be the same.
        let known = self.mismatch.as_ref().and_then(|m| m.wave.as_ref());
        let wave = self.wave.as_ref().filter(|wave| Some(*wave) != known);
        notes.extend(wave.map(|path| format!("wave {}", path.display())));
        if notes.is_empty() {
            return Ok(());
        }
        write!(f, " ({})", notes.join(", "))
    }
}
