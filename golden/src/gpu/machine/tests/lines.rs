//! Rationale: the random machines of `random`, whose L1Ds have few lines and MSHRs, with lines of
//! the L1D that are several of the L2's: nothing may be lost or hang, and no cycle that is skipped
//! may matter. A line that is told to be as long as the L2's must change nothing at all.

use proptest::prelude::*;

use super::random::{all, drawn, ended, loses_nothing, record, Drawn};
use super::*;

/// Machines with lines of the L1D over shorter ones of the L2, and as few entries of the miss queue
/// as are legal, or a few more.
fn split() -> impl Strategy<Value = Drawn> {
    let lines = prop::sample::select(vec![(128, 32), (128, 64), (256, 32), (256, 128)]);
    (drawn(), lines).prop_map(|(mut drawn, (line, l2_line))| {
        let l1d = &mut drawn.config.l1d;
        l1d.line = Some(line);
        l1d.miss_queue += (line / l2_line) as usize - 1;
        drawn.geometry.line = l2_line;
        drawn
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_same_line_told_or_not(mut drawn in drawn(), cycles in 1..2000u64) {
        let mut default = drawn.machine();
        drawn.config.l1d.line = Some(drawn.geometry.line);
        let mut told = drawn.machine();
        prop_assert_eq!(record(&mut default, cycles), record(&mut told, cycles));
        prop_assert_eq!(all(&default), all(&told));
    }

    #[test]
    fn jumping_is_stepping(drawn in split(), cycles in 1..3000u64) {
        let (mut jumping, mut stepping) = (drawn.machine(), drawn.machine().every_cycle());
        prop_assert_eq!(record(&mut jumping, cycles), record(&mut stepping, cycles));
        prop_assert_eq!(all(&jumping), all(&stepping));
    }

    #[test]
    fn nothing_is_lost(drawn in split(), cycles in 1..2000u64) {
        loses_nothing(&drawn, cycles)?;
    }

    #[test]
    fn kernels_come_to_their_end(drawn in split()) {
        ended(&drawn)?;
    }
}

/// The random runs must be worth something: over some of them, everything occurs.
#[test]
fn everything_occurs() {
    use proptest::strategy::ValueTree;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut sum = sm::Stats::default();
    for _ in 0..24 {
        let mut machine = split().new_tree(&mut runner).unwrap().current().machine();
        machine.run_to(3000, &mut |_| true);
        (0..3).for_each(|kernel| sum += &machine.stats(kernel).sm);
    }
    let failures = &sum.failures;
    for count in [
        sum.hits,
        sum.merged,
        sum.sector_misses,
        sum.write_evictions,
        // Requests beyond the first of an access.
        sum.sent.saturating_sub(sum.misses + sum.stores),
        failures.line_alloc,
        failures.miss_queue,
        failures.mshr_entry,
        failures.mshr_merge,
        failures.rw_pending,
    ] {
        assert!(count > 20, "{sum:?}");
    }
}
