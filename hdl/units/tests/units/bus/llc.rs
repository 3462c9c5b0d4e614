//! llc_registers, without budgets.
//!
//! Rationale: what a driver relies on: how long each answer takes, that an access that is given up or
//! refused has no effect, that counters come from where they are addressed, that pulses are one cycle
//! long, and the cadence of periodic snapshots. The monitor is played by the test.

use super::file::{write, Answer, File};
use crate::bench::Seen;
use cotenant_units::llc_registers;
use std::collections::VecDeque;

/// Cycles that the sweep of the limits takes with three kernels.
const SWEEP: usize = 32;

/// What the played monitor counts for this place: another number everywhere.
fn counted(matrix: u64, victim: u64, aggressor: u64, live: u64) -> u128 {
    u128::from(1000 * matrix + 100 * victim + 10 * aggressor + live)
}

/// A monitor of three kernels: its read port answers two cycles later.
fn monitor() -> impl FnMut(&Seen) -> Vec<(&'static str, u128)> {
    let mut under_way = VecDeque::from([0]);
    move |seen: &Seen| {
        let [matrix, victim, aggressor, live] =
            ["read_matrix", "read_victim", "read_aggressor", "read_live"].map(|p| seen.get(p));
        under_way.push_back(counted(matrix, victim, aggressor, live));
        vec![
            ("read_count", under_way.pop_front().unwrap_or(0)),
            ("ready", 1),
            ("sequence_number", 0xA5),
            ("overflow_gdc", 0b101),
            ("overflow_ike", 0b010),
            ("overflow_access", 0b10),
            ("mapped_kid", u128::from(seen.get("map_requester") % 3)),
        ]
    }
}

fn file() -> File {
    File::new::<llc_registers!(3, 3, 64, 2, 36, 21, 1, 5)>(monitor())
}

#[test]
fn reads_take_four_cycles_and_come_from_the_right_place() {
    let mut file = file();
    file.idle(SWEEP);
    for (address, expected) in [
        (0x000, 0x434F_544E),
        (0x004, 0x0001_0000),
        (0x00C, 0x0502_0303),
        (0x018, 0xA501),
        (0x01C, 0),
        (0x02C, 0b101),
        (0x030, 0b010),
        (0x034, 0b10),
        (0x400, 0),
        (0x414, 2),
        // GDC[2][1], IKE[0][2], HITS[1], MISSES[2].
        (0x884, 210),
        (0xC08, 1020),
        (0x1004, 2010),
        (0x1048, 2120),
        // The same of the running period.
        (0x1884, 211),
        (0x1C08, 1021),
        (0x2004, 2011),
        (0x2048, 2121),
        (0x2884, u32::MAX),
    ] {
        assert_eq!(file.read(address), expected, "{address:#x}");
    }
}

#[test]
fn errors_take_as_long_and_have_no_effect() {
    let mut file = file();
    file.idle(SWEEP);
    let error = Answer {
        latency: 4,
        error: true,
        data: 0,
    };
    for address in [0x038, 0x002, 0x88C, 0x8C0, 0x1800 - 4, 0x3FFC, 0x418] {
        assert_eq!(
            file.transfer(&[("address", address)]).0,
            error,
            "{address:#x}"
        );
    }
    assert!(file.write(0x000, 0), "only read");
    assert!(file.write(0x884, 0), "only read");
    let narrow = [&write(0x020, 5)[..3], &[("strobe", 0b0111)]].concat();
    assert_eq!(file.transfer(&narrow).0, error);
    assert_eq!(file.read(0x020), 0);
    // A KID that there is not: the table does not change.
    for (kid, expected) in [(2, false), (3, true), (255, true)] {
        let (answer, seen) = file.transfer(&write(0x404, kid));
        assert_eq!(answer.error, expected, "{kid}");
        assert_eq!(seen.get("map_valid") == 0, expected, "{kid}");
        assert_eq!(seen.get("map_requester"), 1);
        if !expected {
            assert_eq!(seen.get("map_kid"), u64::from(kid));
        }
    }
}

#[test]
fn pulses_are_one_cycle_long_in_the_cycle_of_the_answer() {
    let mut file = file();
    file.idle(SWEEP);
    for (bits, expected) in [(0, [0, 0]), (1, [1, 0]), (2, [0, 1]), (3, [1, 1])] {
        let (_, seen) = file.transfer(&write(0x01C, bits));
        assert_eq!(["snapshot", "flush"].map(|port| seen.get(port)), expected);
        let seen = file.cycle(&[]);
        assert_eq!(["snapshot", "flush"].map(|port| seen.get(port)), [0, 0]);
    }
}

#[test]
fn a_transfer_that_is_given_up_has_no_effect() {
    for given_up_after in 1..=4 {
        let mut file = file();
        file.idle(SWEEP);
        for _ in 0..given_up_after {
            let seen = file.cycle(&[&write(0x01C, 1)[..], &[("select", 1)]].concat());
            assert_eq!((seen.get("done"), seen.get("snapshot")), (0, 0));
        }
        // What is asked next is answered in full.
        let snapshots: u64 = (0..6).map(|_| file.cycle(&[]).get("snapshot")).sum();
        // In the cycle of the answer the transfer is not looked at any more.
        assert_eq!(snapshots, u64::from(given_up_after == 4));
        assert_eq!(file.read(0), 0x434F_544E);
    }
}

#[test]
fn reset_forgets_a_transfer() {
    let mut file = file();
    file.idle(SWEEP);
    for _ in 0..3 {
        file.cycle(&[&write(0x020, 9)[..], &[("select", 1)]].concat());
    }
    file.cycle(&[&write(0x020, 9)[..], &[("select", 1), ("reset", 1)]].concat());
    for _ in 0..6 {
        assert_eq!(file.cycle(&[]).get("done"), 0);
    }
    assert_eq!(file.read(0x020), 0);
}

/// Cycles after the write of a period at which the next snapshots come.
fn snapshots(file: &mut File, period: u32, cycles: usize) -> Vec<usize> {
    file.write(0x020, period);
    let taken = (1..=cycles).filter(|_| file.cycle(&[]).get("snapshot") == 1);
    taken.collect()
}

#[test]
fn periodic_snapshots_keep_their_cadence() {
    let mut file = file();
    assert_eq!(snapshots(&mut file, 0, 40), [0usize; 0]);
    assert_eq!(snapshots(&mut file, 1, 4), [1, 2, 3, 4]);
    assert_eq!(snapshots(&mut file, 2, 6), [2, 4, 6]);
    assert_eq!(snapshots(&mut file, 7, 21), [7, 14, 21]);
    // Writing starts over, and a snapshot by CONTROL does not.
    assert_eq!(snapshots(&mut file, 20, 15), [0usize; 0]);
    assert_eq!(snapshots(&mut file, 20, 15), [0usize; 0]);
    let (_, seen) = file.transfer(&write(0x01C, 1));
    assert_eq!(
        seen.get("snapshot"),
        1,
        "at 20: CONTROL's and the timer's are one"
    );
    assert_eq!(file.cycle(&[]).get("snapshot"), 0);
    assert_eq!(snapshots(&mut file, 0, 40), [0usize; 0]);
    assert_eq!(file.read(0x020), 0);
}

#[test]
fn the_timers_interrupt_is_enabled_and_cleared() {
    let mut file = file();
    file.idle(SWEEP);
    file.write(0x020, 40);
    file.idle(45);
    assert_eq!(file.read(0x024), 0b100);
    assert_eq!(file.cycle(&[]).get("irq"), 0, "not enabled");
    let (_, seen) = file.transfer(&write(0x028, 0xFFFF_FFFC));
    assert_eq!(seen.get("irq"), 0);
    let irq: Vec<u64> = (0..3).map(|_| file.cycle(&[]).get("irq")).collect();
    assert_eq!(irq, [0, 1, 1]);
    assert_eq!(file.read(0x028), 0b100);
    file.write(0x024, 0b011);
    assert_eq!(file.read(0x024), 0b100, "the others' bits clear nothing");
    file.write(0x020, 0);
    file.write(0x024, 0b100);
    assert_eq!(file.read(0x024), 0);
    assert_eq!(file.cycle(&[]).get("irq"), 0);
}
