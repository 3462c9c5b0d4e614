//! The pairs of kernels and the paper's results for each.

use serde::Serialize;

use super::{Outcome, Run};

/// Two kernels that share each SM.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Pair {
    /// Their names in table 2.
    pub kernels: [&'static str; 2],
    /// Thread blocks of each that an SM may hold.
    pub blocks: [u32; 2],
    /// Where the partition is from.
    pub partition: &'static str,
}

/// Half of what each could have on an SM of its own.
const HALF: &str = "ASSUMPTION: half of what each holds alone; the paper does not say";

/// All pairs.
pub const PAIRS: [Pair; 4] = [
    Pair {
        kernels: ["bp", "sv"],
        blocks: [9, 4],
        partition: "section 2.5 and figure 3: the sweet spot is (9, 4)",
    },
    Pair {
        kernels: ["bp", "ks"],
        blocks: [6, 6],
        partition: HALF,
    },
    Pair {
        kernels: ["sv", "ks"],
        blocks: [8, 6],
        partition: HALF,
    },
    Pair {
        kernels: ["sv", "ax"],
        blocks: [14, 1],
        partition: "section 4.1.1: ax has one block; ASSUMPTION: sv has what then fits",
    },
];

impl Pair {
    /// `bp+sv`.
    pub fn name(&self) -> String {
        self.kernels.join("+")
    }
}

/// The kernels of all pairs, each once.
pub(super) fn kernels() -> Vec<&'static str> {
    let mut names: Vec<&str> = PAIRS.iter().flat_map(|pair| pair.kernels).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// A number that the paper reports of a pair.
pub(super) struct Reported {
    pub pair: &'static str,
    pub what: &'static str,
    /// Its scheme there.
    pub scheme: &'static str,
    pub paper: f64,
    pub source: &'static str,
    /// The same of ours, and how many places are worth showing.
    pub ours: fn(&Outcome) -> Option<f64>,
    pub places: usize,
}

/// All of them. Schemes without our own beside them are left out.
pub(super) const REPORTED: [Reported; 4] = [
    Reported {
        pair: "bp+sv",
        what: "normalised IPC of bp",
        scheme: "WS: without",
        paper: 0.39,
        source: "figure 8(d)",
        ours: |outcome| outcome.together_without.normalised[0],
        places: 2,
    },
    Reported {
        pair: "bp+sv",
        what: "L1D accesses of bp in 1000 cycles of an SM",
        scheme: "WS: without",
        paper: 70.0,
        source: "figure 6(c)",
        ours: |outcome| accesses(&outcome.without, 0),
        places: 0,
    },
    Reported {
        pair: "bp+ks",
        what: "L1D miss rate of ks",
        scheme: "WS-DMIL: with",
        paper: 0.52,
        source: "figure 11(b)",
        ours: |outcome| outcome.with.kernels[1].miss_rate,
        places: 2,
    },
    Reported {
        pair: "sv+ks",
        what: "L1D miss rate of ks",
        scheme: "WS-DMIL: with",
        paper: 0.52,
        source: "figure 11(b)",
        ours: |outcome| outcome.with.kernels[1].miss_rate,
        places: 2,
    },
];

fn accesses(run: &Run, kernel: usize) -> Option<f64> {
    run.kernels.get(kernel)?.accesses_per_kilocycle
}
