//! The effect of CAP on a kernel that pauses: bp and ks on one SM under QBMI, without limits.

use cotenant_golden::sm::mem_issue::{Limiter, Params, Priority};
use cotenant_golden::{Model, ParamError};
use serde::Serialize;

use crate::experiments::kernel::{BP, KS, WARPS};
use crate::experiments::on_all_cores;
use crate::experiments::small_sm::{Resident, SmallSm};

/// Cycles: as many as the paper runs a workload (section 2.3).
const CYCLES: u64 = 2_000_000;

/// bp pauses through the second half of each so many cycles, or never.
const NAPS: [u64; 2] = [0, 100_000];

/// A run with or without CAP.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Credit {
    /// Of each so many cycles bp issues nothing in the second half; 0: it always may.
    pub pause: u64,
    /// CAP.
    pub cap: bool,
    /// The highest quota that bp had; its quota in a set is 17.
    pub highest_quota: u64,
    /// The longest run of grants to bp while ks wanted to issue.
    pub longest_run: u64,
    /// bp's grants in 1000 of its active cycles.
    pub bp_grants_per_kilocycle: f64,
    /// Grants of ks in 1000 cycles.
    pub ks_grants_per_kilocycle: f64,
}

fn simulate(pause: u64, cap: bool, seed: u64) -> Result<Credit, ParamError> {
    let params = Params {
        limiter: Limiter::Smil,
        priority: Priority::Qbmi,
        cap,
        ..Params::paper(2)
    };
    let resident = |kernel, pause| Resident {
        kernel,
        warps: WARPS / 2,
        pause,
    };
    let residents = [resident(BP, pause), resident(KS, 0)];
    let mut sm = SmallSm::new(params, &residents, seed)?;
    let (mut run, mut longest_run, mut highest_quota) = (0u64, 0, 0);
    let mut grants = [0u64; 2];
    while sm.cycle() < CYCLES {
        let cycle = sm.step();
        let quota = sm.unit().state().qbmi.as_ref().map(|qbmi| qbmi.current[0]);
        highest_quota = highest_quota.max(quota.unwrap_or(0));
        if let Some(kernel) = cycle.granted {
            grants[kernel] += 1;
            run = match kernel == 0 && cycle.want >> 1 & 1 == 1 {
                true => run + 1,
                false => 0,
            };
            longest_run = longest_run.max(run);
        }
    }
    let awake = if pause == 0 { CYCLES } else { CYCLES / 2 };
    Ok(Credit {
        pause,
        cap,
        highest_quota,
        longest_run,
        bp_grants_per_kilocycle: 1000.0 * grants[0] as f64 / awake as f64,
        ks_grants_per_kilocycle: 1000.0 * grants[1] as f64 / CYCLES as f64,
    })
}

/// Napping or not, with CAP or not.
pub fn run(seed: u64) -> Result<Vec<Credit>, ParamError> {
    let runs: Vec<_> = NAPS
        .into_iter()
        .flat_map(|pause| [(pause, false), (pause, true)])
        .collect();
    let rows = on_all_cores(&runs, |(pause, cap)| simulate(*pause, *cap, seed));
    rows.into_iter().collect()
}

#[cfg(test)]
mod tests {
    //! Rationale: the numbers of a page must be those of its seed, and of no other.
    use super::*;

    #[test]
    fn a_seed_means_these_draws() {
        let run = |seed| simulate(100_000, false, seed).unwrap();
        assert_eq!(run(7), run(7));
        assert_ne!(run(7), run(8));
    }
}
