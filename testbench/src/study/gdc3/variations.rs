//! What the scenario assumes, changed one thing at a time.

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

/// Blocks on an SM, at most.
fn blocks(scenario: &mut Scenario, kid: usize, value: u32) -> (String, String) {
    set(
        &mut scenario.kernels[kid].blocks_per_sm,
        Some(value),
        |value| value.map_or("as fit".into(), |blocks| blocks.to_string()),
    )
}

/// A field of AGG1's or AGG2's chains, which have the same names.
macro_rules! chase {
    ($scenario:ident, $field:ident, $kid:literal) => {{
        match &mut $scenario.kernels[$kid].spec {
            Spec::Agg1(chain) => &mut chain.$field,
            Spec::Agg2(few) => &mut few.$field,
            other => unreachable!("{} is no chain", other.name()),
        }
    }};
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
        Spec::Agg2(few) => set(&mut few.sets, value, |sets| sets.to_string()),
        other => unreachable!("{} has no sets", other.name()),
    }
}

fn order(place: &mut Order) -> (String, String) {
    set(place, Order::Sequential, |order| {
        format!("{order:?}").to_lowercase()
    })
}

fn percent(place: &mut Size, value: f64) -> (String, String) {
    set(place, Size::Percent(value), |size| size.to_string())
}

/// All of them.
pub(super) const VARIATIONS: &[Variation] = &[
    vary!("seed", |s| {
        let next = s.seed.wrapping_add(1);
        set(&mut s.seed, next, |seed| format!("{seed:#x}"))
    }),
    vary!("VMA blocks an SM", |s| blocks(s, 0, 2)),
    vary!("VMA blocks an SM", |s| blocks(s, 0, 4)),
    vary!("DADD blocks an SM", |s| blocks(s, 1, 4)),
    vary!("DADD blocks an SM", |s| blocks(s, 1, 2)),
    vary!("AGG1 chains", |s| set(chase!(s, chains, 2), 7, |c| c
        .to_string())),
    vary!("AGG1 chains", |s| set(chase!(s, chains, 2), 10, |c| c
        .to_string())),
    vary!("AGG1 chains", |s| set(chase!(s, chains, 2), 20, |c| c
        .to_string())),
    vary!("AGG1 chains", |s| set(chase!(s, chains, 2), 28, |c| c
        .to_string())),
    vary!("AGG1 order", |s| order(chase!(s, order, 2))),
    vary!("AGG1 footprint", |s| percent(
        chase!(s, footprint, 2),
        200.0
    )),
    vary!("AGG1 footprint", |s| percent(
        chase!(s, footprint, 2),
        800.0
    )),
    vary!("AGG1 lanes of a load", |s| set(
        chase!(s, lanes, 2),
        32,
        |c| c.to_string()
    )),
    vary!("AGG2 sets", |s| sets(s, 2)),
    vary!("AGG2 sets", |s| sets(s, 10)),
    vary!("AGG2 sets", |s| sets(s, 20)),
    vary!("AGG2 chains", |s| set(chase!(s, chains, 3), 12, |c| c
        .to_string())),
    vary!("AGG2 chains", |s| set(chase!(s, chains, 3), 24, |c| c
        .to_string())),
    vary!("AGG2 order", |s| order(chase!(s, order, 3))),
    vary!("memory latency", |s| set(
        &mut s.machine.dram.latency,
        200,
        |l| l.to_string()
    )),
    vary!("memory latency", |s| set(
        &mut s.machine.dram.latency,
        460,
        |l| l.to_string()
    )),
    vary!("L2 hit latency", |s| set(
        &mut s.machine.l2.hit_latency,
        60,
        |l| l.to_string()
    )),
    vary!("bytes of a flit", |s| set(
        &mut s.machine.crossbar.flit,
        32,
        |f| f.to_string()
    )),
    vary!("warp scheduler", |s| set(
        &mut s.machine.sm.policy,
        Policy::Gto,
        |p| format!("{p:?}").to_lowercase()
    )),
];
