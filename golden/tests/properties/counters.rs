//! Counters that are read and cleared: the units' periods come to what a cache counts.
//!
//! Rationale: software adds up periods. As long as no counter saturates, whatever the periods are,
//! the sum is the undivided count, also when a snapshot falls into the cycle of an access and
//! while accesses are in the pipeline. A counter that saturates in a period reads its limit, not
//! less and not more. What breaks it: a snapshot that loses the increment of its cycle, and
//! counters too narrow that are taken for wide.

use cotenant_golden::llc::cache::{Cache, Fast, Geometry};
use cotenant_golden::llc::{gdcu, plob};
use cotenant_golden::workload::Access;
use cotenant_golden::Model;
use proptest::prelude::*;

use super::run;

type Matrix = Vec<Vec<u64>>;

/// What comes of a run: by period, and undivided.
struct Counted {
    /// `[matrix][period]`: gdc, ike.
    periods: [Vec<Matrix>; 2],
    whole: [Matrix; 2],
    /// A counter saturated.
    overflow: bool,
}

/// Each access takes a cycle; `snapshots` says in which a period ends, in turn. With `lossy`, a
/// snapshot swallows the access of its cycle.
fn counted(
    geometry: Geometry,
    accesses: &[Access],
    snapshots: &[bool],
    (cnt_w, stages): (usize, usize),
    lossy: bool,
) -> Counted {
    let Geometry { ways, kernels, .. } = geometry;
    let mut cache = Fast::new(geometry).unwrap();
    let params = gdcu::Params {
        ways,
        kernels,
        cnt_w,
        stages,
    };
    let mut gdcu = gdcu::Gdcu::new(params).unwrap();
    let params = plob::Params {
        kernels,
        cnt_w,
        stages,
    };
    let mut plob = plob::Plob::new(params).unwrap();
    let mut counted = Counted {
        periods: [vec![], vec![]],
        whole: [vec![], vec![]],
        overflow: false,
    };
    let idle = (0..stages).map(|_| None).chain([None]);
    let cycles = accesses.iter().map(Some).chain(idle);
    let last = accesses.len() + stages;
    for (cycle, access) in cycles.enumerate() {
        let snapshot = cycle == last || snapshots[cycle % snapshots.len()];
        let (mut g, mut p) = (gdcu::In::default(), plob::In::default());
        g.stack_owner = vec![0; ways];
        (g.snapshot, p.snapshot) = (snapshot, snapshot);
        if let Some(access) = access {
            let (before, outcome) = cache.observe(access).unwrap();
            let counts = !(lossy && snapshot);
            (g.access_valid, p.access_valid) = (counts, counts);
            (g.access_kid, p.access_kid) = (access.kernel, access.kernel);
            g.access_pos = outcome.hit_pos;
            g.stack_owner[..before.owner.len()].copy_from_slice(&before.owner);
            g.stack_valid = before.valid;
            p.access_hit = outcome.hit;
            (p.victim_valid, p.victim_owner) = (outcome.victim_valid, outcome.victim_owner);
        }
        assert!(gdcu.assume(&g).is_ok() && plob.assume(&p).is_ok());
        gdcu.step(&g);
        plob.step(&p);
        if snapshot {
            let (gdcu, plob) = (gdcu.state(), plob.state());
            counted.periods[0].push(gdcu.shadow.clone());
            counted.periods[1].push(plob.shadow.clone());
            counted.overflow |= gdcu.overflow() | plob.overflow() != 0;
        }
    }
    let counts = cache.counts();
    counted.whole = [counts.gdc, counts.ike];
    counted
}

fn sum(periods: &[Matrix]) -> Matrix {
    let mut sum = periods[0].clone();
    for period in &periods[1..] {
        for (sum, count) in sum.iter_mut().flatten().zip(period.iter().flatten()) {
            *sum += count;
        }
    }
    sum
}

fn adds_up(counted: &Counted) -> bool {
    let pairs = counted.periods.iter().zip(&counted.whole);
    pairs
        .into_iter()
        .all(|(periods, whole)| sum(periods) == *whole)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn periods_come_to_the_undivided_run(
        (geometry, accesses) in run(300),
        snapshots in prop::collection::vec(prop::bool::weighted(0.1), 1..50),
        stages in 0..=2usize,
    ) {
        let counted = counted(geometry, &accesses, &snapshots, (32, stages), false);
        prop_assert!(!counted.overflow);
        prop_assert!(adds_up(&counted));
    }

    /// Saturation takes away what is above the limit in a period, and says so.
    #[test]
    fn a_narrow_counter_reads_its_limit(
        (geometry, accesses) in run(300),
        snapshots in prop::collection::vec(prop::bool::weighted(0.03), 1..50),
        stages in 0..=2usize,
        extra in 0..2usize,
    ) {
        let cnt_w = cotenant_golden::llc::pos_w(geometry.ways) + extra;
        let wide = counted(geometry, &accesses, &snapshots, (32, stages), false);
        let narrow = counted(geometry, &accesses, &snapshots, (cnt_w, stages), false);
        let limit = (1u64 << cnt_w) - 1;
        let mut beyond = false;
        for (wide, narrow) in wide.periods.iter().flatten().zip(narrow.periods.iter().flatten()) {
            for (&wide, &narrow) in wide.iter().flatten().zip(narrow.iter().flatten()) {
                prop_assert_eq!(narrow, wide.min(limit));
                beyond |= wide > limit;
            }
        }
        prop_assert_eq!(narrow.overflow, beyond);
        prop_assert_eq!(adds_up(&narrow), !beyond);
    }
}

#[test]
fn a_snapshot_that_loses_its_cycle_is_caught() {
    use proptest::strategy::{Strategy, ValueTree};
    use proptest::test_runner::TestRunner;
    let mut runner = TestRunner::deterministic();
    let lost = (0..32).any(|_| {
        let (geometry, accesses) = run(300).new_tree(&mut runner).unwrap().current();
        let snapshots = [false, false, false, true];
        let counted = counted(geometry, &accesses, &snapshots, (32, 1), true);
        !adds_up(&counted)
    });
    assert!(lost);
}
