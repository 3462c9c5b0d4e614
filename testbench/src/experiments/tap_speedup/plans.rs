//! What each experiment runs: policies, and workloads.
//!
//! `tap-costs` is in no paper: the exact attribution in the place of UCP's utility ([`costs`]). Fixed
//! before its first run were the rule of the partition, the number of workloads of each set and draw
//! ([`DRAWN`]), the number of draws ([`DRAWS`]), and that `costs` is judged by its speedup over `ucp` in
//! the same workloads. Nothing in it was fitted to any workload.
//!
//! `tap-parts` asks where gains that the paper has get lost: the policies once more beside the same ones
//! with a part changed ([`Kind::PARTS`]), in all workloads of one CPU application. Fixed before its
//! first run were the parts, the workloads and the pairs that are compared ([`PAIRS`]).
//!
//! [`costs`]: cotenant_golden::mgmt::policy::costs

use cotenant_golden::hetero::workloads::{Set, Workload};
use cotenant_golden::mgmt::policy::Kind;

use super::{run, Report};
use crate::experiments::{Error, Setting};

/// The policies that are compared with LRU.
pub const POLICIES: [Kind; 10] = [
    Kind::Static,
    Kind::Ucp,
    Kind::Drrip,
    Kind::Tadip,
    Kind::Pipp,
    Kind::Tc,
    Kind::TapUcp,
    Kind::TapRrip,
    Kind::TapUcpS,
    Kind::TapRripS,
];

/// The policies of `tap-costs`.
pub const COSTS: [Kind; 3] = [Kind::Ucp, Kind::TapUcp, Kind::Costs];

/// The policies of `tap-parts`.
pub const PARTS: [Kind; 13] = [
    Kind::Ucp,
    Kind::TapUcp,
    Kind::TapUcpSampling,
    Kind::TapUcpMask,
    Kind::TapUcpRatio,
    Kind::Drrip,
    Kind::DrripDistant,
    Kind::TapRrip,
    Kind::TapRripSampling,
    Kind::TapRripMask,
    Kind::TapRripRatio,
    Kind::Tc,
    Kind::TcMonitored,
];

/// Which policy is judged against which other one, in the experiments that have both of them and take
/// one as a part of the other or in its place.
pub const PAIRS: [(Kind, Kind); 9] = [
    (Kind::Costs, Kind::Ucp),
    (Kind::TapUcpSampling, Kind::Ucp),
    (Kind::TapUcpMask, Kind::TapUcpSampling),
    (Kind::TapUcpRatio, Kind::TapUcpSampling),
    (Kind::TapRripSampling, Kind::Drrip),
    (Kind::TapRripMask, Kind::TapRripSampling),
    (Kind::TapRripRatio, Kind::TapRripSampling),
    (Kind::DrripDistant, Kind::Drrip),
    (Kind::TcMonitored, Kind::Tc),
];

/// The sets of `tap-costs`, and how many workloads it takes of each, the first ones: types A to E take
/// turns.
pub const DRAWN: [(Set, usize); 3] = [(Set::OneCpu, 10), (Set::TwoCpu, 10), (Set::FourCpu, 5)];

/// The draws of `tap-costs`: applications and workloads, each from a seed of its own.
pub const DRAWS: u64 = 3;

/// What is run.
pub(super) struct Plan {
    pub experiment: &'static str,
    pub policies: &'static [Kind],
    pub workloads: Vec<(Set, Workload)>,
}

/// All workloads of these sets.
fn all(sets: &[Set], seed: u64) -> Vec<(Set, Workload)> {
    let all = |&set: &Set| set.workloads(seed).into_iter().map(move |it| (set, it));
    sets.iter().flat_map(all).collect()
}

/// Runs the sets of one to four CPU applications.
///
/// # Errors
/// [`Error`].
pub fn speedup(setting: &Setting<'_>) -> Result<Report, Error> {
    let sets = [Set::OneCpu, Set::TwoCpu, Set::FourCpu];
    let plan = Plan {
        experiment: "tap-speedup",
        policies: &POLICIES,
        workloads: all(&sets, setting.seed),
    };
    run(&plan, setting)
}

/// Runs the set of CPU applications that stream.
///
/// # Errors
/// [`Error`].
pub fn streams(setting: &Setting<'_>) -> Result<Report, Error> {
    let plan = Plan {
        experiment: "tap-streams",
        policies: &POLICIES,
        workloads: all(&[Set::Streaming], setting.seed),
    };
    run(&plan, setting)
}

/// Runs a partition by exact attribution beside UCP's, in [`DRAWN`] workloads of [`DRAWS`] draws.
///
/// # Errors
/// [`Error`].
pub fn costs(setting: &Setting<'_>) -> Result<Report, Error> {
    let mut workloads = vec![];
    for seed in (0..DRAWS).map(|draw| setting.seed.wrapping_add(draw)) {
        for (set, count) in DRAWN {
            let drawn = set.workloads(seed).into_iter().take(count);
            workloads.extend(drawn.map(|mut workload| {
                workload.name += &format!(" of {seed:#x}");
                (set, workload)
            }));
        }
    }
    let plan = Plan {
        experiment: "tap-costs",
        policies: &COSTS,
        workloads,
    };
    run(&plan, setting)
}

/// Runs the policies with a part changed, in the workloads of one CPU application.
///
/// # Errors
/// [`Error`].
pub fn parts(setting: &Setting<'_>) -> Result<Report, Error> {
    let plan = Plan {
        experiment: "tap-parts",
        policies: &PARTS,
        workloads: all(&[Set::OneCpu], setting.seed),
    };
    run(&plan, setting)
}
