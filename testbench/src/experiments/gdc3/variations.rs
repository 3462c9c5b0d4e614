//! The scenario's assumptions, changed one at a time.

use cotenant_golden::gpu::config::Policy;
use cotenant_golden::workload::program::chase::Order;
use cotenant_golden::workload::program::Spec;
use cotenant_golden::workload::scenario::{Scenario, Size};

/// A change.
pub(super) struct Variation {
    /// Of what.
    pub what: &'static str,
    /// Makes it; says from what to what.
    pub change: fn(&mut Scenario) -> (String, String),
}

/// Puts a value in a place.
fn set<T: Copy>(place: &mut T, value: T, shown: impl Fn(T) -> String) -> (String, String) {
    let before = std::mem::replace(place, value);
    (shown(before), shown(value))
}

/// As [`set`], of what shows itself.
fn to<T: Copy + ToString>(place: &mut T, value: T) -> (String, String) {
    set(place, value, |value| value.to_string())
}

/// Blocks on an SM, at most.
fn blocks(scenario: &mut Scenario, kid: usize, value: u32) -> (String, String) {
    set(
        &mut scenario.kernels[kid].blocks_per_sm,
        Some(value),
        |value| value.map_or("as fit".into(), |blocks| blocks.to_string()),
    )
}

/// A change of one of AGG1's chains, or of AGG2's, whose keys are the same.
macro_rules! chains {
    ($kid:literal, $what:literal, $field:ident, $change:expr) => {
        Variation {
            what: $what,
            change: |scenario| {
                let change: fn(&mut _) -> _ = $change;
                match &mut scenario.kernels[$kid].spec {
                    Spec::Agg1(chain) => change(&mut chain.$field),
                    Spec::Agg2(few) => change(&mut few.$field),
                    other => unreachable!("{} is no chain", other.name()),
                }
            },
        }
    };
}

macro_rules! vary {
    ($what:literal, $change:expr) => {
        Variation {
            what: $what,
            change: $change,
        }
    };
}

fn sets(scenario: &mut Scenario, value: u64) -> (String, String) {
    match &mut scenario.kernels[3].spec {
        Spec::Agg2(few) => to(&mut few.sets, value),
        other => unreachable!("{} has no sets", other.name()),
    }
}

fn in_order(place: &mut Order) -> (String, String) {
    set(place, Order::Sequential, |order| {
        format!("{order:?}").to_lowercase()
    })
}

/// All of them.
#[rustfmt::skip]
pub(super) const VARIATIONS: &[Variation] = &[
    vary!("seed", |s| {
        let next = s.seed.wrapping_add(1);
        set(&mut s.seed, next, |seed| format!("{seed:#x}"))
    }),
    vary!("VMA blocks per SM", |s| blocks(s, 0, 2)),
    vary!("VMA blocks per SM", |s| blocks(s, 0, 4)),
    vary!("DADD blocks per SM", |s| blocks(s, 1, 4)),
    vary!("DADD blocks per SM", |s| blocks(s, 1, 2)),
    chains!(2, "AGG1 chains", chains, |n| to(n, 7)),
    chains!(2, "AGG1 chains", chains, |n| to(n, 10)),
    chains!(2, "AGG1 chains", chains, |n| to(n, 20)),
    chains!(2, "AGG1 chains", chains, |n| to(n, 28)),
    chains!(2, "AGG1 order", order, in_order),
    chains!(2, "AGG1 footprint", footprint, |size| to(size, Size::Percent(200.0))),
    chains!(2, "AGG1 footprint", footprint, |size| to(size, Size::Percent(800.0))),
    chains!(2, "AGG1 lanes of a load", lanes, |n| to(n, 32)),
    vary!("AGG2 sets", |s| sets(s, 2)),
    vary!("AGG2 sets", |s| sets(s, 10)),
    vary!("AGG2 sets", |s| sets(s, 20)),
    chains!(3, "AGG2 chains", chains, |n| to(n, 12)),
    chains!(3, "AGG2 chains", chains, |n| to(n, 24)),
    chains!(3, "AGG2 order", order, in_order),
    vary!("memory latency", |s| to(&mut s.machine.dram.latency, 200)),
    vary!("memory latency", |s| to(&mut s.machine.dram.latency, 460)),
    vary!("L2 hit latency", |s| to(&mut s.machine.l2.hit_latency, 60)),
    vary!("bytes of a flit", |s| to(&mut s.machine.crossbar.flit, 32)),
    vary!("warp scheduler", |s| {
        set(&mut s.machine.sm.policy, Policy::Gto, |policy| format!("{policy:?}").to_lowercase())
    }),
];
