//! Budgets: the scan, the bits that it sets, and the interrupt.

use super::*;

#[test]
fn a_budget_that_is_exceeded_calls_until_its_cause_is_gone() {
    let mut bench = Bench::ready();
    bench.write(0x2804, 2);
    bench.demote(2);
    bench.idle(LIMITS);
    assert_eq!(bench.read(0x080), 0, "just the limit");
    bench.demote(1);
    bench.idle(LIMITS);
    // K1's bit of victim K0, and no other.
    assert_eq!(
        [0x080, 0x084, 0x0c0, 0x0c4].map(|at| bench.read(at)),
        [2, 0, 0, 0]
    );
    assert_eq!(bench.read(0x024), 0, "not of interest");
    bench.write(0x100, 2);
    assert_eq!(bench.read(0x024), 1);
    assert!(!bench.irq(), "not enabled");
    bench.write(0x028, 1);
    assert!(!bench.irq(), "the cycle after the answer");
    assert!(bench.irq(), "and the one after");
    // While the count is above it, the bit comes back.
    bench.write(0x080, 3);
    bench.idle(LIMITS + 4);
    assert_eq!(bench.read(0x080), 2);
    // The period ends, the bit stays until it is cleared, and stays so.
    bench.write(0x01c, 1);
    bench.idle(2 * LIMITS);
    assert_eq!(bench.read(0x080), 2);
    bench.write(0x080, 2);
    assert!(bench.irq(), "a cycle behind");
    assert!(!bench.irq());
    bench.idle(2 * LIMITS);
    assert_eq!(bench.read(0x080), 0);
}

#[test]
fn a_pair_is_marked_in_the_fourth_cycle_after_it_was_read() {
    let mut bench = Bench::ready();
    let slot = |bench: &Bench| {
        let scan = bench.model.state().registers.scan;
        (scan.matrix, scan.victim, scan.aggressor)
    };
    bench.demote(1);
    bench.write(0x2804, 0);
    while slot(&bench) != (0, 0, 1) {
        bench.idle(1);
    }
    let over = |bench: &Bench| bench.model.state().registers.over[0][0];
    for cycle in 1..=4 {
        bench.idle(1);
        assert_eq!(over(&bench), if cycle < 4 { 0 } else { 2 }, "{cycle}");
    }
}

#[test]
fn the_scan_waits_for_the_bus_alone() {
    // Which of the cycles of a transfer, from its first one, are no slots.
    for (transfer, without) in [
        (read(0x800), vec![1]),
        (read(0x2000), vec![1]),
        (read(0x2800), vec![1]),
        (write(0x2800, 9, 15), vec![1, 4]),
        (write(0x2800, 9, 1), vec![]),
        (write(0x800, 9, 15), vec![]),
        (read(0x018), vec![]),
        (write(0x01c, 1, 15), vec![]),
    ] {
        let mut bench = Bench::ready();
        let mut waited = vec![];
        let transfer = apb4::In {
            psel: true,
            penable: true,
            ..transfer
        };
        for cycle in 0..=4 {
            let before = bench.model.state().registers.scan;
            bench.step(transfer);
            if bench.model.state().registers.scan == before {
                waited.push(cycle);
            }
        }
        assert_eq!(waited, without, "{transfer:?}");
    }
}

#[test]
fn pairs_follow_each_other_by_aggressor_victim_and_matrix() {
    let mut bench = Bench::new();
    let slot = |bench: &Bench| {
        let scan = bench.model.state().registers.scan;
        [scan.matrix, scan.victim, scan.aggressor]
    };
    for _ in 0..LIMITS {
        assert_eq!(slot(&bench), [0, 0, 0], "the sweep");
        bench.idle(1);
    }
    for number in 0..2 * LIMITS as u8 {
        assert_eq!(slot(&bench), [number >> 2 & 1, number >> 1 & 1, number & 1]);
        bench.idle(1);
    }
}
