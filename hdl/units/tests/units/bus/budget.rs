//! llc_registers' budgets: budget_scan, budget_flags.
//!
//! Rationale: a budget must not be missed, whatever the bus does meanwhile, nor be said to be
//! exceeded at the limit itself; a limit that is written is in force at the pair's next slot; what
//! a period ends with is compared, too, wherever the scan is. With three kernels rows and columns
//! end before their power of two.

use super::file::{write, File};
use crate::bench::{pack, Bench, Seen};
use cotenant_units::bus::{BudgetFlags, BudgetScan};
use cotenant_units::llc_registers;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

const KERNELS: usize = 3;
/// Cycles of the sweep, and slots of a round.
const SWEEP: usize = 32;
const ROUND: usize = 2 * KERNELS * KERNELS;

type Pair = (u64, u64, u64);

/// A monitor of which only `hot` has counted: that many events.
fn file(hot: Rc<RefCell<(Pair, u128)>>) -> File {
    let mut under_way = VecDeque::from([0]);
    File::new::<llc_registers!(3, 3, 64, 1, 36, 21, 1, 3)>(move |seen: &Seen| {
        let port = ["read_matrix", "read_victim", "read_aggressor", "read_live"];
        let [matrix, victim, aggressor, live] = port.map(|p| seen.get(p));
        let (pair, count) = *hot.borrow();
        let asked = live == 1 && (matrix, victim, aggressor) == pair;
        under_way.push_back(if asked { count } else { 0 });
        vec![("read_count", under_way.pop_front().unwrap_or(0))]
    })
}

fn limit(pair: Pair) -> u32 {
    (0x2800 + 0x400 * pair.0 + 64 * pair.1 + 4 * pair.2) as u32
}

#[test]
fn the_pair_above_its_limit_is_found_and_no_other() {
    for matrix in 0..2 {
        for victim in 0..3 {
            for aggressor in 0..3 {
                let pair = (matrix, victim, aggressor);
                let hot = Rc::new(RefCell::new((pair, 500)));
                let mut file = file(hot.clone());
                file.idle(SWEEP + ROUND + 4);
                assert!(!file.write(limit(pair), 500));
                file.idle(ROUND + 4);
                let over = |file: &mut File| -> Vec<u32> {
                    [0x080, 0x084, 0x088, 0x0C0, 0x0C4, 0x0C8]
                        .map(|a| file.read(a))
                        .into()
                };
                assert_eq!(over(&mut file), [0; 6], "{pair:?}: at the limit");
                hot.borrow_mut().1 = 501;
                file.idle(ROUND + 4);
                let mut expected = [0; 6];
                expected[(3 * matrix + victim) as usize] = 1 << aggressor;
                assert_eq!(over(&mut file), expected, "{pair:?}");
            }
        }
    }
}

/// A monitor that counts so many events of a pair in the last cycle of each period, and none else.
fn at_the_last_moment(pair: Pair, count: u128) -> File {
    let mut under_way = VecDeque::from([0]);
    let mut last = 0;
    File::new::<llc_registers!(3, 3, 64, 1, 36, 21, 1, 3)>(move |seen: &Seen| {
        let ends = seen.get("snapshot") == 1;
        let running = if ends { count } else { 0 };
        let port = ["read_matrix", "read_victim", "read_aggressor", "read_live"];
        let [matrix, victim, aggressor, live] = port.map(|p| seen.get(p));
        under_way.push_back(match (matrix, victim, aggressor) == pair {
            true if live == 1 => running,
            true => last,
            false => 0,
        });
        if ends {
            last = running;
        }
        vec![("read_count", under_way.pop_front().unwrap_or(0))]
    })
}

#[test]
fn what_a_period_ends_with_is_compared_wherever_the_scan_is() {
    let pair = (1, 1, 2);
    for early in 0..ROUND {
        for count in [500, 501] {
            let mut file = at_the_last_moment(pair, count);
            file.idle(SWEEP);
            assert!(!file.write(limit(pair), 500));
            file.idle(ROUND + early);
            assert_eq!(file.read(0x0C4), 0, "{early}: nothing was counted");
            file.write(0x01C, 1);
            // The last slot of the round, and the flag four cycles later, when it is read.
            file.idle(ROUND);
            assert_eq!(file.read(0x0C4), u32::from(count > 500) << 2, "{early}");
            // Cleared, it stays so: the scan is with the running period.
            file.write(0x0C4, 0b111);
            file.idle(2 * ROUND);
            assert_eq!(file.read(0x0C4), 0, "{early}");
        }
    }
}

#[test]
fn periods_of_a_round_are_compared_to_the_last_pair() {
    let pair = (0, 2, 1);
    // The timer's periods begin anywhere in the scan.
    for early in 0..ROUND {
        let mut file = at_the_last_moment(pair, 1);
        file.idle(SWEEP);
        assert!(!file.write(limit(pair), 0));
        file.idle(early);
        file.write(0x020, ROUND as u32);
        file.idle(2 * ROUND);
        assert_eq!(file.read(0x088), 0b010, "{early}");
    }
}

#[test]
fn a_flag_is_set_again_until_the_count_is_within_the_limit() {
    let pair = (1, 2, 0);
    let hot = Rc::new(RefCell::new((pair, 7)));
    let mut file = file(hot.clone());
    file.idle(SWEEP);
    file.write(limit(pair), 6);
    file.idle(ROUND + 4);
    // It matters only where its mask lets it through.
    assert_eq!((file.read(0x0C8), file.read(0x024)), (1, 0));
    file.write(0x148, 1);
    assert_eq!((file.read(0x148), file.read(0x024)), (1, 2));
    assert_eq!(file.cycle(&[]).get("irq"), 0);
    file.write(0x028, 0b010);
    file.idle(2);
    assert_eq!(file.cycle(&[]).get("irq"), 1);
    // Other rows' and other bits' clearing changes nothing.
    file.write(0x0C8, 0b110);
    file.write(0x0C4, 0b111);
    file.write(0x088, 0b111);
    assert_eq!(file.read(0x0C8), 1);
    file.write(0x0C8, 1);
    file.idle(ROUND + 4);
    assert_eq!(file.read(0x0C8), 1, "set again");
    hot.borrow_mut().1 = 6;
    file.idle(ROUND + 4);
    assert_eq!(file.read(0x0C8), 1, "stays until cleared");
    file.write(0x0C8, 1);
    file.idle(ROUND + 4);
    assert_eq!((file.read(0x0C8), file.read(0x024)), (0, 0));
    assert_eq!(file.cycle(&[]).get("irq"), 0);
}

#[test]
fn transfers_to_limits_wait_for_the_sweep_and_no_others_do() {
    for early in [0, 5, SWEEP - 2, SWEEP - 1, SWEEP] {
        let idle = Rc::new(RefCell::new(((0, 0, 0), 0)));
        let mut file = file(idle.clone());
        file.idle(early);
        let (answer, _) = file.transfer(&[("address", 0x2800)]);
        // Three cycles after the first one without the sweep, four at least.
        let expected = 4.max((SWEEP + 3).saturating_sub(early));
        assert_eq!(
            (answer.latency, answer.data),
            (expected, u32::MAX),
            "{early}"
        );
    }
    let mut file = file(Rc::new(RefCell::new(((0, 0, 0), 0))));
    assert_eq!(file.read(0x018), 0, "not ready");
    let (answer, _) = file.transfer(&[("address", 0x280C)]);
    assert_eq!(
        (answer.latency, answer.error),
        (4, true),
        "an error waits for nothing"
    );
    // A write goes through, too, and after the sweep's.
    let (answer, _) = file.transfer(&write(0x2800 + 64 + 8, 77));
    assert!(answer.latency > 4 && !answer.error);
    assert_eq!(file.read(0x2848), 77);
}

#[test]
fn every_limit_is_its_own() {
    let mut file = file(Rc::new(RefCell::new(((0, 0, 0), 0))));
    file.idle(SWEEP);
    let pairs: Vec<Pair> = (0..18).map(|n| (n / 9, n / 3 % 3, n % 3)).collect();
    for (n, pair) in pairs.iter().enumerate() {
        assert!(!file.write(limit(*pair), 0xDEAD_0000 + n as u32));
    }
    for (n, pair) in pairs.iter().enumerate() {
        assert_eq!(file.read(limit(*pair)), 0xDEAD_0000 + n as u32, "{pair:?}");
    }
}

#[test]
fn a_round_takes_a_slot_a_pair_and_pauses_lose_none() {
    for paused in [0, 0b1001_0110] {
        let mut bench = Bench::new::<BudgetScan!(3, 8)>();
        let mut slots = vec![];
        for cycle in 0..SWEEP + 3 * ROUND {
            let pause = paused >> (cycle % 8) & 1;
            let seen = bench.cycle(&[("pause", pause)]);
            assert_eq!(seen.get("sweeping"), u64::from(cycle < SWEEP), "{cycle}");
            if cycle >= SWEEP && pause == 0 {
                slots.push(["matrix", "victim", "aggressor"].map(|port| seen.get(port)));
            }
        }
        let expected = (0..).map(|n| [n / 9 % 2, n / 3 % 3, n % 3]);
        assert_eq!(slots, expected.take(slots.len()).collect::<Vec<_>>());
        assert_eq!(
            slots.len(),
            if paused == 0 {
                3 * ROUND
            } else {
                3 * ROUND / 2
            }
        );
    }
}

#[test]
fn a_snapshot_makes_the_next_round_that_of_the_period_that_ended() {
    // In a sweep, in every place of a round, with another in the round, at its end and behind it.
    for first in [3, SWEEP - 1].into_iter().chain(SWEEP..SWEEP + ROUND) {
        for second in [1, 5, ROUND - 1, ROUND, ROUND + 1, 2 * ROUND] {
            for paused in [0, 0b1001_0110] {
                let mut bench = Bench::new::<BudgetScan!(3, 8)>();
                let mut left = 0;
                for cycle in 0..SWEEP + 6 * ROUND {
                    let pause = paused >> (cycle % 8) & 1;
                    let snapshot = u128::from(cycle == first || cycle == first + second);
                    let seen = bench.cycle(&[("pause", pause), ("snapshot", snapshot)]);
                    assert_eq!(
                        seen.get("live"),
                        u64::from(left == 0),
                        "{first} {second} {cycle}"
                    );
                    if cycle >= SWEEP && pause == 0 && left > 0 {
                        left -= 1;
                    }
                    if snapshot == 1 {
                        left = ROUND;
                    }
                }
                assert_eq!(left, 0);
            }
        }
    }
}

#[test]
fn a_pair_is_found_three_cycles_after_its_slot() {
    let mut bench = Bench::new::<BudgetScan!(3, 8)>();
    (0..SWEEP).for_each(|_| drop(bench.cycle(&[])));
    let limit = [
        ("pause", 1),
        ("limit_victim", 1),
        ("limit_aggressor", 2),
        ("limit_matrix", 1),
    ];
    bench.cycle(&[&limit[..], &[("limit_write", 1), ("limit_data", 9)]].concat());
    let mut found = vec![];
    let mut slot = vec![];
    for cycle in 0..2 * ROUND {
        // All counters are above that one limit.
        let seen = bench.cycle(&[("count", 10)]);
        if ["matrix", "victim", "aggressor"].map(|port| seen.get(port)) == [1, 1, 2] {
            slot.push(cycle);
        }
        if seen.get("exceeded") == 1 {
            let what = ["exceeded_matrix", "exceeded_victim", "exceeded_aggressor"];
            assert_eq!(what.map(|port| seen.get(port)), [1, 1, 2]);
            found.push(cycle);
        }
    }
    assert_eq!(
        found,
        slot.iter().map(|cycle| cycle + 3).collect::<Vec<_>>()
    );
    assert_eq!(found.len(), 2);
    // The bus reads it two cycles later.
    bench.cycle(&[&limit[..], &[("limit_read", 1)]].concat());
    bench.cycle(&[]);
    assert_eq!(bench.cycle(&[]).get("limit"), 9);
}

#[test]
fn setting_goes_before_clearing() {
    let mut bench = Bench::new::<BudgetFlags!(3)>();
    let all = |bench: &mut Bench| {
        let rows = [0, 1, 2].map(|victim| bench.cycle(&[("victim", victim)]).get("over"));
        pack(&rows, 3)
    };
    let set = |victim, aggressor| {
        [
            ("exceeded", 1),
            ("exceeded_victim", victim),
            ("exceeded_aggressor", aggressor),
        ]
    };
    bench.cycle(&set(2, 1));
    bench.cycle(&set(0, 0));
    assert_eq!(all(&mut bench), 0b010_000_001);
    let clear = [("victim", 2), ("clear", 1), ("data", 0b111)];
    bench.cycle(&[&set(2, 2)[..], &clear].concat());
    assert_eq!(
        all(&mut bench),
        0b100_000_001,
        "2 by 1 is cleared, 2 by 2 set"
    );
    bench.cycle(&clear);
    assert_eq!(all(&mut bench), 0b000_000_001);
    assert_eq!(bench.cycle(&[]).get("raised"), 0);
    bench.cycle(&[("set_mask", 1), ("data", 0b110)]);
    assert_eq!(bench.cycle(&[]).get("raised"), 0);
    bench.cycle(&[("set_mask", 1), ("data", 0b001)]);
    let seen = bench.cycle(&[]);
    assert_eq!((seen.get("raised"), seen.get("mask")), (1, 1));
}
