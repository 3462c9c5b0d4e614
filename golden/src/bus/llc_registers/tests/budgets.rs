//! Budgets: the scan, the bits that it sets, and the interrupt.

use super::*;
use crate::llc::llc_monitor::Matrix;

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

/// Cycles from an access to its demotion in the counters.
const COUNTED: u64 = 5;

/// A victim of one demotion in the first period, in its last cycle or, `early`, so many before. The
/// period ends in cycle `ends` of the bench, by the timer, and then every so many cycles; the scan
/// is anywhere, which the `phase` says.
struct Demoted {
    bench: Bench,
    ends: u64,
}

impl Demoted {
    fn at(phase: usize, every: u32, early: u64) -> Self {
        Self::within(0, phase, every, early)
    }

    /// With this limit.
    fn within(limit: u32, phase: usize, every: u32, early: u64) -> Self {
        let mut bench = Bench::ready();
        bench.write(0x2804, limit);
        bench.access(0, 0xa);
        bench.idle(50 + phase);
        bench.write(0x020, every);
        let written = bench.cycles - 1;
        let ends = written + u64::from(every) * 40u64.div_ceil(every.into());
        let counted = ends - early;
        bench.idle((counted - COUNTED - bench.cycles) as usize);
        bench.access(1, 0xb);
        while bench.cycles < counted {
            assert_eq!(Self::counts(&bench)[0], 0);
            bench.idle(1);
        }
        assert_eq!(Self::counts(&bench), [1, 0], "in the last cycle");
        bench.idle((ends + 1 - bench.cycles) as usize);
        assert_eq!(Self::counts(&bench), [0, 1], "the period is over");
        Self { bench, ends }
    }

    /// Of the running period, and of the last.
    fn counts(bench: &Bench) -> [u64; 2] {
        let gdcu = &bench.model.state().monitor.banks[0].gdcu;
        [gdcu.count[0][1], gdcu.shadow[0][1]]
    }

    /// In which cycle after the period's end the bit is there, if within so many.
    fn marked(&mut self, cycles: u64) -> Option<u64> {
        (1..=cycles).find(|after| {
            self.bench
                .idle((self.ends + after - self.bench.cycles) as usize);
            self.bench.model.state().registers.over[0][0] == 2
        })
    }
}

/// The pair's slot is in any cycle of the round after the period's end, or in its last cycle.
#[test]
fn what_is_counted_in_the_last_cycle_of_a_period_is_marked_within_a_round() {
    let mut seen: Vec<u64> = (0..LIMITS)
        .map(|phase| {
            let mut demoted = Demoted::at(phase, 1000, 0);
            demoted.marked(100).expect("it is not missed")
        })
        .collect();
    seen.sort_unstable();
    let slots = 0..LIMITS as u64;
    assert_eq!(seen, slots.map(|slot| slot + 4).collect::<Vec<_>>());
}

/// Cleared at the end of the sixth cycle after the period's, so only later marks are seen again.
#[test]
fn a_mark_of_the_last_period_is_set_once_more_and_then_no_more() {
    let again = (0..LIMITS).filter(|&phase| {
        let mut demoted = Demoted::at(phase, 1000, 20);
        let bench = &mut demoted.bench;
        let over = |bench: &Bench| bench.model.state().registers.over[0][0];
        assert_eq!(over(bench), 2, "of the running period");
        bench.write(0x080, 2);
        bench.idle(LIMITS);
        let again = over(bench) == 2;
        bench.write(0x080, 2);
        bench.idle(3 * LIMITS);
        assert_eq!(over(bench), 0, "no more");
        again
    });
    // Marks are there from the fifth to the twelfth cycle.
    assert_eq!(again.count(), 12 - 6);
}

#[test]
fn a_limit_is_passed_by_one_more_than_it_says_in_the_last_period_too() {
    for phase in 0..LIMITS {
        let mut demoted = Demoted::within(1, phase, 1000, 0);
        assert_eq!(demoted.marked(100), None, "{phase}");
    }
}

/// One after the other, as long as a round: none is missed. Half as long: half of them are.
#[test]
fn a_period_is_compared_to_its_last_pair_if_it_lasts_a_round() {
    for (every, marked) in [
        (LIMITS, LIMITS),
        (LIMITS + 3, LIMITS),
        (LIMITS / 2, LIMITS / 2),
    ] {
        let phases = (0..LIMITS).filter(|&phase| {
            let mut demoted = Demoted::at(phase, every as u32, 0);
            demoted.marked(3 * LIMITS as u64).is_some()
        });
        assert_eq!(phases.count(), marked, "{every}");
    }
}

/// The round of a period that ended is cut short by another's end: then that one has a whole round.
#[test]
fn a_snapshot_in_the_round_begins_it_anew() {
    for phase in 0..LIMITS {
        for second in [1, 3, LIMITS as u64 - 1] {
            let mut bench = Bench::ready();
            bench.write(0x2804, 0);
            bench.access(0, 0xa);
            bench.idle(50 + phase);
            // Ends an empty period, then one with a demotion in its last cycle.
            bench.write(0x020, 40);
            let ends = bench.cycles - 1 + 40;
            let again = ends + second;
            let demotes = again - COUNTED;
            let transfer = apb4::In {
                psel: true,
                ..write(0x01c, 1, 15)
            };
            while bench.cycles <= again {
                let cycle = bench.cycles;
                let bus = match again - cycle {
                    0..=4 => apb4::In {
                        penable: true,
                        ..transfer
                    },
                    5 => transfer,
                    _ => apb4::In::default(),
                };
                bench.access_beside((cycle == demotes).then_some((1, 0xb)), bus);
                let closing = bench.model.state().registers.closing as u64;
                let left = match cycle {
                    _ if cycle == again || cycle == ends => 8,
                    _ if cycle > ends => 8 - (cycle - ends),
                    _ => 0,
                };
                assert_eq!(closing, left, "{phase} {second} {cycle}");
            }
            assert_eq!(Demoted::counts(&bench), [0, 1]);
            let mut demoted = Demoted { bench, ends: again };
            let marked = demoted.marked(100).expect("it is not missed");
            // In its last cycle the scan is still with the period before.
            assert!((5..=LIMITS as u64 + 4).contains(&marked), "{marked}");
        }
    }
}

/// The most that a counter of 21 bits counts.
const MOST: u64 = 2_097_151;

/// The highest limit.
const HIGHEST: u32 = MOST as u32;

/// What kernel 1 did to kernel 0, by bank; the limit; whether that is too much.
const SATURATED: [(&[u64], u32, bool); 12] = [
    // One bank, as in the smallest set.
    (&[MOST + 1], HIGHEST, true),
    (&[MOST], HIGHEST, false),
    (&[MOST], HIGHEST - 1, true),
    (&[MOST - 1], HIGHEST - 1, false),
    (&[2_399_997], HIGHEST, true),
    (&[2_399_997], u32::MAX, false),
    // One bank of four is hot.
    (&[2_399_997, 0, 0, 0], HIGHEST, true),
    (&[0, 0, MOST, 0], HIGHEST, false),
    (&[0, 9, 0, 9_000_000], u32::MAX, false),
    // None has lost an event: the sum alone counts.
    (&[MOST - 102_849, 102_849, 0, 0], HIGHEST, false),
    (&[MOST - 102_849, 102_849, 1, 0], HIGHEST, true),
    (&[MOST, MOST, MOST, MOST], u32::MAX, false),
];

/// Two kernels, with counters of 21 bits.
fn wide(banks: usize) -> Params {
    Params {
        ways: 2,
        sets: 16,
        banks,
        tag_w: 36,
        cnt_w: 21,
        ..PARAMS
    }
}

fn preset(bench: &mut Bench, matrix: Matrix, counts: &[u64]) {
    for (bank, &count) in counts.iter().enumerate() {
        bench.model.preset(bank, matrix, 0, 1, count);
    }
}

/// Rationale: where a bank's counter has saturated, a sum of banks says "so many or more". Were
/// limits taken that one counter cannot hold, a pair could be flagged below its limit.
#[test]
fn limits_beyond_a_counter_are_refused() {
    for (cnt_w, banks) in [(21, 1), (21, 4), (4, 2), (32, 1)] {
        let most = u32::MAX >> (32 - cnt_w);
        for at in [0x2804, 0x2c04] {
            let params = Params {
                cnt_w,
                ..wide(banks)
            };
            let mut bench = Bench::of(params).swept();
            for limit in [0, most - 1, most, u32::MAX] {
                bench.write(at, limit);
                assert_eq!(bench.read(at), limit, "{cnt_w}");
            }
            if cnt_w == 32 {
                continue;
            }
            for limit in [most + 1, 2 * most, u32::MAX - 1] {
                bench.refused(write(at, limit, 15));
                assert_eq!(bench.read(at), u32::MAX, "{cnt_w} {limit}: it stays");
            }
        }
    }
}

/// Rationale: a saturated counter says "so many or more", which is more than any limit.
#[test]
fn a_saturated_counter_is_over_any_limit() {
    for (counts, limit, marked) in SATURATED {
        for (matrix, at_limit, at_mask, at_over, bit) in [
            (Matrix::Gdc, 0x2804, 0x100, 0x080, 1),
            (Matrix::Ike, 0x2c04, 0x140, 0x0c0, 2),
        ] {
            let mut bench = Bench::of(wide(counts.len())).swept();
            bench.write(at_limit, limit);
            bench.write(at_mask, 2);
            bench.write(0x028, bit);
            preset(&mut bench, matrix, counts);
            bench.idle(LIMITS + 6);
            let expected = if marked {
                (2, bit, true)
            } else {
                (0, 0, false)
            };
            let seen = (bench.read(at_over), bench.read(0x024), bench.irq());
            assert_eq!(seen, expected, "{matrix:?} {counts:?} {limit}");
        }
    }
}

/// The counts are there in the last cycle of the period alone.
#[test]
fn so_does_one_of_the_period_that_ended() {
    for (counts, limit, marked) in SATURATED {
        for phase in 0..LIMITS {
            let mut bench = Bench::of(wide(counts.len())).swept();
            bench.write(0x2804, limit);
            bench.idle(phase);
            bench.write(0x020, 100);
            while !bench.model.state().registers.timer_ends() {
                bench.idle(1);
            }
            preset(&mut bench, Matrix::Gdc, counts);
            bench.idle(LIMITS + 5);
            let over = |bench: &mut Bench| bench.read(0x080);
            assert_eq!(
                over(&mut bench),
                if marked { 2 } else { 0 },
                "{counts:?} {limit} {phase}"
            );
            // Of the running period nothing is known to be too much.
            bench.write(0x080, 2);
            bench.idle(3 * LIMITS);
            assert_eq!(over(&mut bench), 0, "{counts:?} {limit} {phase}");
        }
    }
}
