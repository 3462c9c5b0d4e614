//! The result of a fault campaign.

use std::fmt;

use serde::{Deserialize, Serialize, Serializer};

use super::Proof;

/// What became of a fault.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "outcome")]
#[non_exhaustive]
pub enum Outcome {
    /// The lockstep saw a difference.
    Caught {
        /// How many cycles it had run, in all.
        cycle: u64,
        /// The output or register that differed first.
        field: String,
    },
    /// It changes nothing.
    Equivalent {
        /// For what this was proven.
        proof: Proof,
    },
    /// Nothing was seen in lockstep, and yet an output can differ: the stimulus has a hole.
    Missed {
        /// An output that differs.
        output: String,
        /// Inputs from power-up on that show it in the last cycle: those of each that are not
        /// zero, by name.
        inputs: Vec<String>,
    },
    /// Neither: the lockstep drives or compares too little, or the proof is too weak.
    Survived {
        /// Why there is no proof.
        reason: String,
    },
}

impl Outcome {
    /// Caught, or proven to change nothing.
    pub fn is_decided(&self) -> bool {
        matches!(self, Self::Caught { .. } | Self::Equivalent { .. })
    }
}

/// A fault and what became of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Verdict {
    /// The fault in words: `stuck bit: matrix.count[2][1][7] at 0`.
    pub description: String,
    /// Its kind, one of [`KINDS`](cotenant_netlist::fault::KINDS).
    pub kind: &'static str,
    /// What became of it.
    #[serde(flatten)]
    pub outcome: Outcome,
}

/// A campaign against a unit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Report {
    /// The unit.
    pub unit: &'static str,
    /// Its parameter set.
    pub set: String,
    /// The seed of faults and stimulus; hexadecimal where it is shown.
    #[serde(serialize_with = "hexadecimal")]
    pub seed: u64,
    /// Cycles that each fault was run for, at most.
    pub cycles: u64,
    /// The faults in the order of the sample.
    pub faults: Vec<Verdict>,
}

impl Report {
    /// How many the lockstep caught.
    pub fn caught(&self) -> usize {
        self.count(|outcome| matches!(outcome, Outcome::Caught { .. }))
    }

    /// How many were proven to change nothing.
    pub fn equivalent(&self) -> usize {
        self.count(|outcome| matches!(outcome, Outcome::Equivalent { .. }))
    }

    /// Those that are neither: missed ones, too.
    pub fn survivors(&self) -> impl Iterator<Item = &Verdict> {
        self.faults
            .iter()
            .filter(|verdict| !verdict.outcome.is_decided())
    }

    /// Every fault that changes behaviour was caught.
    pub fn passed(&self) -> bool {
        self.survivors().next().is_none()
    }

    fn count(&self, is: fn(&Outcome) -> bool) -> usize {
        self.faults
            .iter()
            .filter(|verdict| is(&verdict.outcome))
            .count()
    }
}

fn hexadecimal<S: Serializer>(seed: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&format_args!("{seed:#x}"))
}

impl fmt::Display for Report {
    /// `gdcu 16x4x21: 31 of 32 faults caught, 1 proven equivalent (seed 0x9e37)`, then the
    /// survivors, a line each.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (all, caught) = (self.faults.len(), self.caught());
        write!(
            f,
            "{} {}: {caught} of {all} faults caught",
            self.unit, self.set
        )?;
        let (equivalent, survived) = (self.equivalent(), self.survivors().count());
        if equivalent > 0 {
            write!(f, ", {equivalent} proven equivalent")?;
        }
        if survived > 0 {
            write!(f, ", {survived} survived")?;
        }
        write!(f, " (seed {:#x})", self.seed)?;
        for Verdict {
            description,
            outcome,
            ..
        } in self.survivors()
        {
            match outcome {
                Outcome::Missed { output, inputs } => {
                    let cycles = inputs.len();
                    write!(f, "\n  missed: {description}: {output} in cycle {cycles}")?;
                }
                Outcome::Survived { reason } => {
                    write!(f, "\n  survived: {description}: {reason}")?;
                }
                _ => {}
            }
        }
        Ok(())
    }
}
