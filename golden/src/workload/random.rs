//! Random workloads for the GDC paper's figure 4.
//!
//! Source: GDC paper, section IV-C: "32 randomly generated workloads", of the kernels of section
//! IV-A on the four SMs of its platform. It names one: "w13 comprises more diverse kernels, with
//! CK2 having the lowest access frequency and the KUA the highest".
//!
//! ASSUMPTION: how they are drawn. Four kernels, one per SM; each is any of [`POOL`], with equal
//! chances and the others' choice left out of account; its footprint is any of [`FOOTPRINTS`],
//! around the two that the paper names (25 % and 50 %); how often it accesses is drawn by how many
//! of its warps run side by side, any of [`WARPS`]; an `agg2` touches any of [`SETS`] sets.
//! The first is the kernel under analysis (KUA), the others are its co-runners (CK1 to CK3). The
//! draws are made once, beforehand, from the seed, and none is made again for what came out.
//!
//! ```
//! use cotenant_golden::workload::random::workloads;
//!
//! let drawn = workloads(0x9e37);
//! assert_eq!(drawn.len(), 32);
//! assert_eq!(drawn, workloads(0x9e37));
//! let scenario = drawn[0].scenario()?;
//! assert_eq!(scenario.kernels.len(), 4);
//! # Ok::<(), cotenant_golden::workload::scenario::ScenarioError>(())
//! ```

use std::fmt::Write;

use rand::{RngCore, SeedableRng};
use rand_pcg::Pcg64Mcg;
use serde::Serialize;

use super::scenario::{Scenario, ScenarioError};

/// Workloads of figure 4.
pub const WORKLOADS: usize = 32;
/// Kernels of each: the SMs of `xavier`.
pub const KERNELS: usize = 4;
/// The loops among which a kernel is drawn: all of section IV-A.
pub const POOL: [&str; 12] = [
    "mm", "mt", "mmt", "vma", "ladd", "dadd", "lmul", "dmul", "ldiv", "ddiv", "agg1", "agg2",
];
/// Footprints in percent of the LLC, of those that reuse their data.
pub const FOOTPRINTS: [f64; 4] = [12.5, 25.0, 50.0, 100.0];
/// Footprint of the aggressors, far beyond the cache: they miss always.
pub const AGGRESSOR: f64 = 400.0;
/// Warps on the SM at a time: whole blocks of 8 warps, or chains.
pub const WARPS: [u32; 4] = [8, 16, 32, 64];
/// Warps of a block: 256 threads, in vectors and in matrices with tiles of 16 by 16.
const BLOCK: u32 = 8;
/// Sets that `agg2` touches.
pub const SETS: [u64; 4] = [8, 16, 32, 64];
/// Accesses to the L2 unless said otherwise: every line of the cache about fifty times.
pub const ACCESSES: u64 = 200_000;
/// Cycles between two snapshots: the longest period of section III.
pub const PERIOD: u64 = 100_000;

/// A kernel as it was drawn.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Drawn {
    /// `KUA`, or `CK` and its number.
    pub role: String,
    /// The loop.
    #[serde(rename = "loop")]
    pub body: &'static str,
    /// Percent of the LLC.
    pub footprint: f64,
    /// Warps on the SM at a time.
    pub warps: u32,
    /// Sets that it touches, if few.
    pub sets: Option<u64>,
}

impl Drawn {
    /// Its name in the scenario: `CK1-DADD`.
    pub fn name(&self) -> String {
        format!("{}-{}", self.role, self.body.to_uppercase())
    }

    /// Whether it chases pointers to make others miss.
    pub fn aggressor(&self) -> bool {
        self.body.starts_with("agg")
    }

    /// What a scenario's table says of it.
    fn keys(&self) -> String {
        let mut keys = format!(
            "loop = \"{}\"\nfootprint = \"{} %\"\n",
            self.body, self.footprint
        );
        keys += &match self.aggressor() {
            true => format!("chains = {}\n", self.warps),
            false => format!("blocks-per-sm = {}\n", self.warps / BLOCK),
        };
        if let Some(sets) = self.sets {
            keys += &format!("sets = {sets}\n");
        }
        keys
    }
}

/// A workload as it was drawn.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Workload {
    /// 1 to [`WORKLOADS`].
    pub number: usize,
    /// Draws when kernels start and where their data are.
    pub seed: u64,
    /// The kernels, by KID; the first is under test.
    pub kernels: Vec<Drawn>,
}

/// The workloads of a seed.
pub fn workloads(seed: u64) -> Vec<Workload> {
    // The same numbers on every machine.
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    (1..=WORKLOADS)
        .map(|number| Workload {
            number,
            kernels: (0..KERNELS).map(|kid| drawn(kid, &mut random)).collect(),
            seed: seed.wrapping_add(number as u64),
        })
        .collect()
}

/// A kernel. Each takes the same number of draws, so that one list's change moves no other draw.
fn drawn(kid: usize, random: &mut impl RngCore) -> Drawn {
    fn one_of<T: Copy>(choices: &[T], random: &mut impl RngCore) -> T {
        choices[(random.next_u64() % choices.len() as u64) as usize]
    }
    let body = one_of(&POOL, random);
    let footprint = one_of(&FOOTPRINTS, random);
    let warps = one_of(&WARPS, random);
    let sets = one_of(&SETS, random);
    Drawn {
        role: match kid {
            0 => "KUA".into(),
            _ => format!("CK{kid}"),
        },
        body,
        footprint: if body.starts_with("agg") {
            AGGRESSOR
        } else {
            footprint
        },
        warps,
        sets: (body == "agg2").then_some(sets),
    }
}

impl Workload {
    /// What it is called: `w7`.
    pub fn name(&self) -> String {
        format!("w{}", self.number)
    }

    /// The loops: `VMA beside DADD, AGG1, AGG2`.
    pub fn title(&self) -> String {
        let loops = self.kernels.iter().map(|kernel| kernel.body.to_uppercase());
        let loops: Vec<String> = loops.collect();
        match &loops[..] {
            [first, others @ ..] => format!("{first} beside {}", others.join(", ")),
            [] => String::new(),
        }
    }

    /// The text of its scenario, for `cotenant run`.
    pub fn toml(&self) -> String {
        let mut text = format!(
            "title = \"{}: {}\"\nplatform = \"xavier\"\naccesses = {ACCESSES}\nperiod = {PERIOD}\nseed = {}\n",
            self.name(),
            self.title(),
            // TOML's numbers are signed.
            self.seed & i64::MAX as u64,
        );
        let under_test = self.kernels.first().map(Drawn::name).unwrap_or_default();
        // Writing to a string cannot fail.
        let _ = writeln!(text, "under-test = \"{under_test}\"");
        for kernel in &self.kernels {
            let _ = write!(
                text,
                "\n[[kernel]]\nname = \"{}\"\n{}",
                kernel.name(),
                kernel.keys()
            );
        }
        text
    }

    /// Its scenario.
    ///
    /// # Errors
    /// [`ScenarioError`], which no draw leads to.
    pub fn scenario(&self) -> Result<Scenario, ScenarioError> {
        Scenario::from_toml(&self.toml())
    }
}

#[cfg(test)]
mod tests {
    //! Rationale: whatever is drawn must run; each choice must be drawn at some time, with about
    //! the chance it is said to have; another seed draws other workloads.
    use super::*;

    fn many() -> Vec<Drawn> {
        let drawn = (0..50).flat_map(workloads);
        drawn.flat_map(|workload| workload.kernels).collect()
    }

    #[test]
    fn all_that_is_drawn_runs() {
        for seed in [0, 0x9e37, u64::MAX] {
            for workload in workloads(seed) {
                let scenario = workload.scenario().unwrap();
                assert_eq!(scenario.under_test, 0);
                assert_eq!(scenario.kernels.len(), KERNELS);
                for (tenant, drawn) in scenario.kernels.iter().zip(&workload.kernels) {
                    assert_eq!(
                        (&tenant.name, tenant.spec.name()),
                        (&drawn.name(), drawn.body)
                    );
                }
                scenario.gpu().unwrap();
            }
        }
        assert_ne!(workloads(0), workloads(1));
    }

    #[test]
    fn every_choice_is_drawn_as_often_as_another() {
        let drawn = many();
        let all = drawn.len() as f64;
        let close = |count: usize, choices: usize| {
            // 6400 draws: five standard deviations of the rarest choice are 8 % of its number.
            let expected = all / choices as f64;
            let deviation = (expected * (1.0 - 1.0 / choices as f64)).sqrt();
            (count as f64 - expected).abs() < 5.0 * deviation
        };
        for body in POOL {
            let count = drawn.iter().filter(|kernel| kernel.body == body).count();
            assert!(close(count, POOL.len()), "{body}: {count} of {all}");
        }
        for warps in WARPS {
            let count = drawn.iter().filter(|kernel| kernel.warps == warps);
            assert!(close(count.count(), WARPS.len()), "{warps}");
        }
        for footprint in FOOTPRINTS {
            assert!(drawn.iter().any(|kernel| kernel.footprint == footprint));
        }
        for sets in SETS {
            assert!(drawn.iter().any(|kernel| kernel.sets == Some(sets)));
        }
    }

    #[test]
    fn only_aggressors_are_beyond_the_cache_and_only_agg2_in_few_sets() {
        for kernel in many() {
            assert_eq!(kernel.footprint == AGGRESSOR, kernel.aggressor());
            assert_eq!(kernel.sets.is_some(), kernel.body == "agg2");
        }
    }
}
