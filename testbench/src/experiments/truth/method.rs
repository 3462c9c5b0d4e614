//! The methods that are compared, and the shares that each gives for what it has counted.

use std::collections::BTreeMap;

use cotenant_golden::llc::exact::{hybrid, SAMPLES};
use cotenant_golden::metrics::{others, Row};
use serde::{Deserialize, Serialize};

use super::sampling::{Sampling, TAG_BITS, WIDE};

/// How misses are attributed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Method {
    /// The baseline: all kernels alike.
    Equal,
    /// Demotions.
    Gdc,
    /// Evictions.
    Plob,
    /// Share at eviction.
    Sce,
    /// Exact attribution of so many sampled sets.
    Sampled(usize),
    /// Of so many sampled sets, or share at eviction where they have too few charges
    /// ([`hybrid`]).
    Hybrid(usize),
    /// Exact attribution of all sets.
    All,
    /// Of some sampled sets, as the netlist of `attribution` counts it.
    Netlist(Sampling),
    /// The [`hybrid`] of that and of the share at eviction.
    HybridNetlist(Sampling),
}

/// Those that are compared with each other.
pub const METHODS: [Method; 13] = [
    Method::Equal,
    Method::Gdc,
    Method::Plob,
    Method::Sce,
    Method::Sampled(SAMPLES[0]),
    Method::Sampled(SAMPLES[1]),
    Method::Sampled(SAMPLES[2]),
    Method::Sampled(SAMPLES[3]),
    Method::Sampled(SAMPLES[4]),
    Method::Sampled(SAMPLES[5]),
    Method::Hybrid(16),
    Method::Hybrid(32),
    Method::All,
];

/// What the hardware counts, and the golden model's method that it is beside.
pub const HARDWARE: [[Method; 2]; 7] = [
    [Method::Netlist(Sampling::of(8)), Method::Sampled(8)],
    [Method::Netlist(Sampling::of(16)), Method::Sampled(16)],
    [Method::Netlist(Sampling::of(32)), Method::Sampled(32)],
    [Method::Netlist(Sampling::of(64)), Method::Sampled(64)],
    [Method::Netlist(WIDE), Method::Sampled(WIDE.sets)],
    [Method::HybridNetlist(Sampling::of(16)), Method::Hybrid(16)],
    [Method::HybridNetlist(WIDE), Method::Hybrid(WIDE.sets)],
];

/// All of them, in the order in which they are shown: hardware after its golden model.
pub fn shown() -> Vec<Method> {
    let hardware = |golden| HARDWARE.into_iter().filter(move |pair| pair[1] == golden);
    let with = |golden| hardware(golden).map(|[netlist, _]| netlist);
    let all = METHODS.into_iter();
    all.flat_map(|method| std::iter::once(method).chain(with(method)))
        .collect()
}

impl Method {
    /// What it is called.
    pub fn name(self) -> String {
        let hardware = |before, Sampling { sets, tag_bits }| match tag_bits {
            TAG_BITS => format!("{before}{sets} sets, hardware"),
            _ => format!("{before}{sets} sets, hardware, {tag_bits}-bit tags"),
        };
        match self {
            Method::Equal => "equal shares".into(),
            Method::Gdc => "GDC".into(),
            Method::Plob => "PLOB".into(),
            Method::Sce => "sce".into(),
            Method::Sampled(sets) => format!("{sets} sets"),
            Method::Hybrid(sets) => format!("hybrid, {sets} sets"),
            Method::All => "all sets".into(),
            Method::Netlist(sampling) => hardware("", sampling),
            Method::HybridNetlist(sampling) => hardware("hybrid, ", sampling),
        }
    }
}

/// The misses that are divided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Over {
    /// The extra misses, over the co-runners. ASSUMPTION: what a monitor ascribes to the kernel
    /// itself is left out, and the others' shares come to 1 again: the misses that the kernel has
    /// without company are not among those divided.
    CoRunners,
    /// All misses, over all kernels, the one under analysis included.
    Kernels,
}

/// What was counted in the run of all kernels: the row of the kernel under analysis, by aggressor,
/// its own place included.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rows {
    /// Demotions of its lines.
    pub gdc: Vec<u64>,
    /// Evictions of its lines.
    pub plob: Vec<u64>,
    /// Lines above its lines when those were evicted.
    pub sce: Vec<u64>,
    /// Parts of a miss in which the next two count.
    pub unit: u64,
    /// Exact shares of its misses in some sets, by their number.
    pub sampled: BTreeMap<usize, Vec<u64>>,
    /// Exact shares of its misses in all sets.
    pub exact: Vec<u64>,
    /// What the hardware counts in some sets.
    pub netlist: BTreeMap<Sampling, Vec<u64>>,
}

impl Rows {
    /// The shares of a method; none if it has counted nothing.
    ///
    /// `kua` is the kernel under analysis.
    pub fn shares(&self, method: Method, kua: usize, over: Over) -> Row {
        // Shares at eviction have no unit of misses; charges are counted over what is divided.
        let divided = |row: &[u64]| -> Vec<u64> {
            let mut row = row.to_vec();
            if over == Over::CoRunners {
                row[kua] = 0;
            }
            row
        };
        let hybrid =
            |sampled: &[u64]| hybrid(&divided(sampled), self.unit, &divided(&self.sce)).to_vec();
        let row = match method {
            Method::Equal => divided(&vec![1; self.gdc.len()]),
            Method::Gdc => divided(&self.gdc),
            Method::Plob => divided(&self.plob),
            Method::Sce => divided(&self.sce),
            Method::Sampled(sets) => divided(self.sampled.get(&sets)?),
            Method::Hybrid(sets) => hybrid(self.sampled.get(&sets)?),
            Method::All => divided(&self.exact),
            Method::Netlist(sampling) => divided(self.netlist.get(&sampling)?),
            Method::HybridNetlist(sampling) => hybrid(self.netlist.get(&sampling)?),
        };
        let sum: u64 = row.iter().sum();
        let whole = |row: Vec<u64>| row.iter().map(|&part| part as f64 / sum as f64).collect();
        let shares: Vec<f64> = (sum > 0).then(|| whole(row))?;
        match over {
            Over::CoRunners => others(&shares, kua),
            Over::Kernels => Some(shares),
        }
    }
}

#[cfg(test)]
mod tests {
    //! Rationale: each method must read its own row, with and without the kernel's own part; the
    //! hybrid changes sides at its number of charges, counted over what is divided.
    use super::*;

    fn rows() -> Rows {
        let sampled = [
            (8, vec![0, 0, 0]),
            (16, vec![60, 100, 26]),
            (32, vec![0, 64, 64]),
            (64, vec![1, 2, 1]),
        ];
        Rows {
            gdc: vec![2, 1, 1],
            plob: vec![0, 1, 3],
            sce: vec![5, 1, 4],
            unit: 2,
            sampled: sampled.into_iter().collect(),
            exact: vec![8, 4, 4],
            netlist: [
                (Sampling::of(8), vec![4, 0, 4]),
                (Sampling::of(16), vec![60, 102, 26]),
                (WIDE, vec![60, 100, 28]),
            ]
            .into(),
        }
    }

    #[test]
    fn each_reads_its_own_row() {
        let shares = |method, over| rows().shares(method, 0, over).unwrap_or_default();
        let cases: [(_, [f64; 2], [f64; 3]); 6] = [
            (Method::Equal, [0.5, 0.5], [1.0 / 3.0; 3]),
            (Method::Gdc, [0.5, 0.5], [0.5, 0.25, 0.25]),
            (Method::Plob, [0.25, 0.75], [0.0, 0.25, 0.75]),
            (Method::Sce, [0.2, 0.8], [0.5, 0.1, 0.4]),
            (Method::All, [0.5, 0.5], [0.5, 0.25, 0.25]),
            (
                Method::Netlist(Sampling::of(8)),
                [0.0, 1.0],
                [0.5, 0.0, 0.5],
            ),
        ];
        for (method, co_runners, kernels) in cases {
            let close = |a: &[f64], b: &[f64]| {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12)
            };
            assert!(close(&shares(method, Over::CoRunners), &co_runners));
            assert!(close(&shares(method, Over::Kernels), &kernels));
        }
        assert_eq!(rows().shares(Method::Sampled(8), 0, Over::Kernels), None);
    }

    #[test]
    fn the_hybrid_counts_what_is_divided() {
        let rows = rows();
        let same = |a, b, over| rows.shares(a, 0, over) == rows.shares(b, 0, over);
        // 63 charges to co-runners, 93 with the kernel's own; then 64.
        assert!(same(Method::Hybrid(16), Method::Sce, Over::CoRunners));
        assert!(same(Method::Hybrid(16), Method::Sampled(16), Over::Kernels));
        assert!(same(
            Method::Hybrid(32),
            Method::Sampled(32),
            Over::CoRunners
        ));
        for sampling in [Sampling::of(16), WIDE] {
            let hardware = Method::HybridNetlist(sampling);
            assert!(same(hardware, Method::Netlist(sampling), Over::CoRunners));
        }
        let [usual, wide] = [Sampling::of(16), WIDE].map(Method::Netlist);
        assert!(!same(usual, wide, Over::CoRunners));
    }

    #[test]
    fn hardware_is_shown_after_its_golden_model() {
        let shown = shown();
        assert_eq!(shown.len(), METHODS.len() + HARDWARE.len());
        for [hardware, golden] in HARDWARE {
            let place = |method| shown.iter().position(|its| *its == method);
            let after = place(hardware).unwrap() - place(golden).unwrap();
            let beside = HARDWARE.iter().filter(|pair| pair[1] == golden).count();
            assert!((1..=beside).contains(&after), "{}", hardware.name());
        }
    }
}
