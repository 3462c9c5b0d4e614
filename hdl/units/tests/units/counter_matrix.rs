//! Rationale: a counter takes other branches at its limit, in a snapshot's
//! cycle, and when its aggressor is not the one counting; three kernels leave
//! a KID that names none. Counters of 3 bits reach their limit at once.

use crate::bench::{pack, Bench, Seen};
use cotenant_units::llc::CounterMatrix;

/// The whole shadow matrix, by victim and aggressor, in `kernels`^2 cycles.
fn shadow(bench: &mut Bench, kernels: u64) -> Vec<Vec<u64>> {
    let mut read = |v: u64, a: u64| {
        bench.cycle(&[("read_victim", v.into()), ("read_aggressor", a.into())]);
        bench.cycle(&[]).get("read_count")
    };
    (0..kernels)
        .map(|v| (0..kernels).map(|a| read(v, a)).collect())
        .collect()
}

fn inc(bench: &mut Bench, kid: u128, inc: u128) {
    bench.cycle(&[("inc_valid", 1), ("inc_kid", kid), ("inc", inc)]);
}

#[test]
fn an_access_changes_the_accessors_counters_of_all_victims() {
    let mut bench = Bench::new::<CounterMatrix!(3, 3, 16)>();
    inc(&mut bench, 1, pack(&[1, 2, 4], 3));
    inc(&mut bench, 2, pack(&[0, 7, 0], 3));
    inc(&mut bench, 1, pack(&[1, 0, 5], 3));
    bench.cycle(&[("inc_kid", 0), ("inc", pack(&[7, 7, 7], 3))]); // not valid
    assert_eq!(
        shadow(&mut bench, 3),
        [[0; 3]; 3],
        "nothing to read before a snapshot"
    );
    bench.cycle(&[("snapshot", 1)]);
    assert_eq!(shadow(&mut bench, 3), [[0, 2, 0], [0, 2, 7], [0, 9, 0]]);
}

#[test]
fn an_increment_in_a_snapshots_cycle_opens_the_new_period() {
    let mut bench = Bench::new::<CounterMatrix!(2, 3, 16)>();
    inc(&mut bench, 0, pack(&[3, 1], 3));
    bench.cycle(&[
        ("inc_valid", 1),
        ("inc_kid", 0),
        ("inc", pack(&[5, 2], 3)),
        ("snapshot", 1),
    ]);
    assert_eq!(shadow(&mut bench, 2), [[3, 0], [1, 0]]);
    inc(&mut bench, 0, pack(&[1, 1], 3));
    bench.cycle(&[("snapshot", 1)]);
    assert_eq!(shadow(&mut bench, 2), [[6, 0], [3, 0]]);
    bench.cycle(&[("snapshot", 1)]);
    assert_eq!(shadow(&mut bench, 2), [[0; 2]; 2], "a snapshot clears");
}

#[test]
fn a_counter_stays_at_its_limit_and_marks_its_victim() {
    let mut bench = Bench::new::<CounterMatrix!(2, 2, 3)>();
    inc(&mut bench, 1, pack(&[3, 3], 2));
    inc(&mut bench, 1, pack(&[3, 3], 2));
    inc(&mut bench, 1, pack(&[1, 2], 2)); // 7 is the limit, 8 is past it
    bench.cycle(&[("snapshot", 1)]);
    assert_eq!(bench.cycle(&[]).get("overflow"), 0b10);
    assert_eq!(shadow(&mut bench, 2), [[0, 7], [0, 7]]);

    inc(&mut bench, 1, pack(&[3, 3], 2));
    bench.cycle(&[("snapshot", 1)]);
    assert_eq!(
        bench.cycle(&[]).get("overflow"),
        0,
        "the mark is of one period"
    );
    assert_eq!(
        shadow(&mut bench, 2),
        [[0, 3], [0, 3]],
        "nor is the period's first increment lost"
    );
}

#[test]
fn an_overflowing_increment_in_a_snapshots_cycle_starts_from_zero() {
    let mut bench = Bench::new::<CounterMatrix!(2, 3, 3)>();
    inc(&mut bench, 0, pack(&[7, 0], 3));
    bench.cycle(&[("inc_valid", 1), ("inc", pack(&[7, 0], 3)), ("snapshot", 1)]);
    bench.cycle(&[("snapshot", 1)]);
    let seen = bench.cycle(&[]);
    assert_eq!(seen.get("overflow"), 0);
    assert_eq!(shadow(&mut bench, 2), [[7, 0], [0, 0]]);
}

#[test]
fn read_is_of_the_shadow_one_cycle_before() {
    let mut bench = Bench::new::<CounterMatrix!(2, 3, 16)>();
    inc(&mut bench, 0, pack(&[5, 0], 3));
    assert_eq!(bench.cycle(&[("snapshot", 1)]).get("read_count"), 0);
    assert_eq!(
        bench.cycle(&[]).get("read_count"),
        0,
        "read while the snapshot was taken"
    );
    assert_eq!(bench.cycle(&[("read_victim", 1)]).get("read_count"), 5);
    assert_eq!(bench.cycle(&[]).get("read_count"), 0, "victim 1");
}

#[test]
fn a_kid_that_names_no_kernel_reads_zero() {
    let mut bench = Bench::new::<CounterMatrix!(3, 3, 16)>();
    for kid in 0..3 {
        inc(&mut bench, kid, pack(&[7, 7, 7], 3));
    }
    bench.cycle(&[("snapshot", 1)]);
    for (v, a) in [(3, 0), (0, 3), (3, 3)] {
        bench.cycle(&[("read_victim", v), ("read_aggressor", a)]);
        assert_eq!(bench.cycle(&[]).get("read_count"), 0, "{v} {a}");
    }
}

#[test]
fn the_sequence_number_counts_snapshots_modulo_256() {
    let mut bench = Bench::new::<CounterMatrix!(2, 2, 16)>();
    for n in 0..300u64 {
        assert_eq!(
            bench.cycle(&[("snapshot", 1)]).get("sequence_number"),
            n % 256
        );
    }
    assert_eq!(bench.cycle(&[]).get("sequence_number"), 300 % 256);
}

#[test]
fn reset_clears_everything_and_goes_before_all_else() {
    let mut bench = Bench::new::<CounterMatrix!(2, 2, 3)>();
    for _ in 0..4 {
        inc(&mut bench, 1, pack(&[3, 3], 2));
    }
    bench.cycle(&[("snapshot", 1)]);
    inc(&mut bench, 1, pack(&[3, 3], 2));
    bench.cycle(&[
        ("reset", 1),
        ("snapshot", 1),
        ("inc_valid", 1),
        ("inc", pack(&[1, 1], 2)),
    ]);
    let seen = bench.cycle(&[]);
    assert_eq!((seen.get("overflow"), seen.get("sequence_number")), (0, 0));
    assert_eq!(shadow(&mut bench, 2), [[0; 2]; 2]);
    bench.cycle(&[("snapshot", 1)]);
    assert_eq!(shadow(&mut bench, 2), [[0; 2]; 2]);
}

#[test]
fn a_live_read_is_of_the_counter_one_cycle_before_and_without_its_increment() {
    let mut bench = Bench::new::<CounterMatrix!(2, 3, 3)>();
    let live = |kid: u128, inc: u128| {
        let read = [("read_victim", 1), ("read_live", 1)];
        let mut cycle = vec![("inc_valid", 1), ("inc_kid", kid), ("inc", inc)];
        cycle.extend(read);
        cycle
    };
    bench.cycle(&live(0, pack(&[0, 5], 3)));
    assert_eq!(bench.cycle(&live(0, pack(&[0, 1], 3))).get("read_count"), 0);
    assert_eq!(bench.cycle(&live(0, pack(&[0, 7], 3))).get("read_count"), 5);
    let exact = bench.cycle(&live(1, pack(&[0, 2], 3)));
    let read = |seen: Seen| (seen.get("read_count"), seen.get("read_overflow"));
    assert_eq!(read(exact), (6, 0));
    let saturated = bench.cycle(&[("read_victim", 1), ("read_live", 1), ("snapshot", 1)]);
    assert_eq!(read(saturated), (7, 1), "the limit");
    let beside = bench.cycle(&[("read_victim", 1), ("read_live", 1)]);
    assert_eq!(read(beside), (7, 1), "read beside the snapshot");
    assert_eq!(read(bench.cycle(&[("read_victim", 1)])), (0, 0));
    assert_eq!(read(bench.cycle(&[])), (7, 1), "the last period's");
}
