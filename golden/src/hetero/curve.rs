//! MPKI and CPI of an application that has the cache for itself, by the cache's ways.
//!
//! Source: TAP, figures 2 and 3: "we fix the number of cache sets (4096 sets) and adjust the number
//! of cache ways from one (256 KB) to 32 (8 MB)". The cache is LRU.

use serde::{Deserialize, Serialize};

use super::config::Config;
use super::machine::{Error, Machine, Run};
use super::workloads::Workload;
use crate::mgmt::policy::Kind;

/// What an application does with so many ways.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// Ways of the L3.
    pub ways: usize,
    /// Misses of the L3 per thousand instructions.
    pub mpki: f64,
    /// Cycles of a core per instruction.
    pub cpi: f64,
}

/// The first application of a workload, with each of these numbers of ways.
///
/// # Errors
/// [`Error`] as of [`Machine::new`], and when the application retires nothing.
pub fn curve(
    config: &Config,
    workload: &Workload,
    ways: &[usize],
    run: &Run,
) -> Result<Vec<Point>, Error> {
    let point = |&ways: &usize| {
        let mut config = config.clone();
        config.l3.ways = ways;
        let mut machine = Machine::new(&config, workload, Kind::Lru, run.seed)?;
        let stats = machine.measure(run)?;
        match stats.first() {
            Some(stats) if stats.instructions > 0 => Ok(Point {
                ways,
                mpki: stats.mpki(),
                cpi: stats.cpi(),
            }),
            _ => Err(Error::Idle(workload.name.clone())),
        }
    };
    ways.iter().map(point).collect()
}
