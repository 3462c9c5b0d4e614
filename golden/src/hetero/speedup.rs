//! How much faster a policy makes the applications of a workload than LRU does.
//!
//! Source: TAP, section 4.3, equations 1 and 2: the speedup of an application is its IPC over that
//! with the baseline; of a workload, the geometric mean of its applications' speedups. The baseline
//! is LRU (section 5.1).

use serde::{Deserialize, Serialize};

use super::config::Config;
use super::machine::{Error, Machine, Run, Stats};
use super::workloads::Workload;
use crate::mgmt::policy::Kind;

/// An application with a policy and with LRU.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Compared {
    /// The application's name.
    pub name: String,
    /// Instructions per cycle of a core with the policy.
    pub ipc: f64,
    /// The same with LRU.
    pub baseline: f64,
}

impl Compared {
    /// Equation 2.
    pub fn speedup(&self) -> f64 {
        self.ipc / self.baseline
    }
}

/// A workload with a policy and with LRU.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Speedup {
    /// The applications, CPUs first.
    pub applications: Vec<Compared>,
    /// Equation 1.
    pub speedup: f64,
}

/// What the applications of a workload do with a policy.
///
/// # Errors
/// [`Error`] as of [`Machine::new`], and when an application retires nothing.
pub fn measure(
    config: &Config,
    workload: &Workload,
    kind: Kind,
    run: &Run,
) -> Result<Vec<Stats>, Error> {
    let mut machine = Machine::new(config, workload, kind, run.seed)?;
    let stats = machine.measure(run)?;
    let idle = stats
        .iter()
        .zip(workload.names())
        .find(|(it, _)| it.instructions == 0);
    match idle {
        Some((_, name)) => Err(Error::Idle(name.to_owned())),
        None => Ok(stats),
    }
}

/// The speedup of measured applications over the same ones with LRU.
pub fn compare(workload: &Workload, baseline: &[Stats], stats: &[Stats]) -> Speedup {
    let applications: Vec<Compared> = workload
        .names()
        .zip(stats.iter().zip(baseline))
        .map(|(name, (stats, baseline))| Compared {
            name: name.to_owned(),
            ipc: stats.ipc(),
            baseline: baseline.ipc(),
        })
        .collect();
    let speedup = geometric_mean(applications.iter().map(Compared::speedup));
    Speedup {
        applications,
        speedup,
    }
}

/// Runs a workload with LRU and with a policy, with the same accesses.
///
/// # Errors
/// As [`measure`].
pub fn speedup(
    config: &Config,
    workload: &Workload,
    kind: Kind,
    run: &Run,
) -> Result<Speedup, Error> {
    let baseline = measure(config, workload, Kind::Lru, run)?;
    let stats = measure(config, workload, kind, run)?;
    Ok(compare(workload, &baseline, &stats))
}

/// The geometric mean; 1 of nothing.
pub fn geometric_mean(values: impl Iterator<Item = f64>) -> f64 {
    let (mut logarithms, mut count) = (0.0, 0u32);
    for value in values {
        logarithms += value.ln();
        count += 1;
    }
    (logarithms / f64::from(count.max(1))).exp()
}
