//! milg, smil.
//!
//! Rationale: a limit takes other branches at each whole number of failures a
//! request, at their counter's limit, at a quotient of zero, and where there is
//! no quotient; a launch may fall into an interval, its last cycle and the
//! division; the gate must hold at a full counter. Widths are those of section
//! 4.4 where the numbers matter, else the narrowest.

use crate::bench::{Bench, Seen};
use cotenant_units::sm::{Milg, Smil};

fn repeat(bench: &mut Bench, count: usize, inputs: &[(&str, u128)]) {
    for _ in 0..count {
        bench.cycle(inputs);
    }
}

/// Limit and whether there is none.
fn limit(seen: &Seen) -> (u64, bool) {
    (seen.get("limit"), seen.get("unlimited") == 1)
}

/// Ends an interval of the width's requests; the outputs in the last request's
/// cycle.
fn requests(bench: &mut Bench, count: usize) -> Seen {
    repeat(bench, count - 1, &[("request", 1)]);
    bench.cycle(&[("request", 1)])
}

#[test]
fn the_limit_is_the_peak_over_whole_failures_a_request() {
    // A peak of 100; 4095 is the counter's limit.
    for (failures, expected) in [
        (0, None),
        (1023, None),
        (1024, Some(100)),
        (2047, Some(100)),
        (2048, Some(50)),
        (3071, Some(50)),
        (3072, Some(33)),
        (4095, Some(33)),
        (4096, Some(33)),
        (5200, Some(33)),
    ] {
        let mut bench = Bench::new::<Milg!(7, 12, 10, 0)>();
        repeat(&mut bench, 100, &[("issue", 1)]);
        repeat(&mut bench, 90, &[("complete", 1)]);
        repeat(&mut bench, failures, &[("fail", 1)]);
        requests(&mut bench, 1024);
        // The last request was at t: nothing shows before t + 9.
        for after in 1..9 {
            assert_eq!(
                limit(&bench.cycle(&[])),
                (127, true),
                "{failures}: t + {after}"
            );
        }
        let expected = expected.map_or((127, true), |limit| (limit, false));
        assert_eq!(limit(&bench.cycle(&[])), expected, "{failures}");
        assert_eq!(bench.cycle(&[]).get("in_flight"), 10);
    }
}

#[test]
fn every_quotient_is_exact() {
    // All peaks of a 3-bit counter over all ratios of 3 bits.
    for peak in 0..7 {
        for ratio in 1..8 {
            let mut bench = Bench::new::<Milg!(3, 6, 3, 0)>();
            repeat(&mut bench, peak, &[("issue", 1)]);
            repeat(&mut bench, 8 * ratio, &[("fail", 1)]);
            requests(&mut bench, 8);
            repeat(&mut bench, 4, &[]);
            let expected = (peak / ratio).max(1) as u64;
            assert_eq!(
                limit(&bench.cycle(&[])),
                (expected, false),
                "{peak} {ratio}"
            );
        }
    }
}

#[test]
fn the_peak_includes_the_closing_cycle_and_restarts_from_the_present_count() {
    let mut bench = Bench::new::<Milg!(3, 6, 3, 0)>();
    repeat(&mut bench, 4, &[("issue", 1)]);
    repeat(&mut bench, 8, &[("fail", 1)]);
    repeat(&mut bench, 7, &[("request", 1)]);
    bench.cycle(&[("request", 1), ("issue", 1)]);
    repeat(&mut bench, 4, &[]);
    assert_eq!(limit(&bench.cycle(&[])), (5, false));

    // Five are still in flight as the next interval begins; then none.
    repeat(&mut bench, 5, &[("complete", 1)]);
    for expected in [5, 1] {
        repeat(&mut bench, 8, &[("fail", 1)]);
        requests(&mut bench, 8);
        repeat(&mut bench, 4, &[]);
        assert_eq!(limit(&bench.cycle(&[])), (expected, false));
    }
}

#[test]
fn the_gate_closes_at_the_limit() {
    let mut bench = Bench::new::<Milg!(3, 6, 3, 0)>();
    repeat(&mut bench, 2, &[("issue", 1)]);
    repeat(&mut bench, 8, &[("fail", 1)]);
    requests(&mut bench, 8);
    assert_eq!(bench.cycle(&[]).get("allow"), 1, "no limit yet");
    repeat(&mut bench, 3, &[]);
    let seen = bench.cycle(&[("complete", 1)]);
    assert_eq!((seen.get("allow"), limit(&seen)), (0, (2, false)));
    assert_eq!(
        bench.cycle(&[("issue", 1), ("complete", 1)]).get("allow"),
        1
    );
    let seen = bench.cycle(&[("issue", 1)]);
    assert_eq!((seen.get("in_flight"), seen.get("allow")), (1, 1));
    assert_eq!(bench.cycle(&[]).get("allow"), 0);
}

#[test]
fn without_a_limit_the_gate_closes_at_a_full_counter() {
    let mut bench = Bench::new::<Milg!(7, 12, 10, 0)>();
    for n in 0..127 {
        let seen = bench.cycle(&[("issue", 1)]);
        assert_eq!((seen.get("in_flight"), seen.get("allow")), (n, 1));
    }
    let seen = bench.cycle(&[("complete", 1)]);
    assert_eq!((seen.get("in_flight"), seen.get("allow")), (127, 0));
    assert_eq!(limit(&seen), (127, true));
    let seen = bench.cycle(&[]);
    assert_eq!((seen.get("in_flight"), seen.get("allow")), (126, 1));
}

#[test]
fn a_launch_starts_interval_and_limit_afresh_and_keeps_the_count() {
    let mut bench = Bench::new::<Milg!(3, 6, 3, 0)>();
    repeat(&mut bench, 4, &[("issue", 1)]);
    repeat(&mut bench, 2, &[("complete", 1)]);
    repeat(&mut bench, 8, &[("fail", 1)]);
    // In the interval's last cycle; the request counts for neither kernel.
    repeat(&mut bench, 7, &[("request", 1)]);
    bench.cycle(&[("launch", 1), ("request", 1), ("issue", 1)]);
    repeat(&mut bench, 8, &[("fail", 1)]);
    repeat(&mut bench, 7, &[("request", 1)]);
    repeat(&mut bench, 5, &[]);
    assert_eq!(limit(&bench.cycle(&[("request", 1)])), (7, true));
    repeat(&mut bench, 4, &[]);
    // The peak is of this kernel's interval: what the other left in flight.
    assert_eq!(limit(&bench.cycle(&[])), (3, false));
    assert_eq!(limit(&bench.cycle(&[("launch", 1)])), (3, false));
    let seen = bench.cycle(&[]);
    assert_eq!((limit(&seen), seen.get("in_flight")), ((7, true), 3));
}

#[test]
fn a_launch_abandons_a_division() {
    for wait in 0..4 {
        let mut bench = Bench::new::<Milg!(3, 6, 3, 0)>();
        repeat(&mut bench, 8, &[("fail", 1)]);
        requests(&mut bench, 8);
        repeat(&mut bench, wait, &[]);
        bench.cycle(&[("launch", 1)]);
        for _ in 0..6 {
            assert_eq!(limit(&bench.cycle(&[])), (7, true), "{wait}");
        }
    }
}

#[test]
fn a_limit_is_released_or_doubles() {
    fn limits<U: cotenant_units::unit::Unit + Default + 'static>() -> Vec<(u64, bool)> {
        let mut bench = Bench::new::<U>();
        repeat(&mut bench, 3, &[("issue", 1)]);
        repeat(&mut bench, 1024, &[("fail", 1)]);
        requests(&mut bench, 1024);
        repeat(&mut bench, 8, &[]);
        (0..7)
            .map(|_| {
                let before = limit(&requests(&mut bench, 1024));
                assert_eq!(limit(&bench.cycle(&[])), before, "t + 1");
                limit(&bench.cycle(&[]))
            })
            .collect()
    }
    assert_eq!(limits::<Milg!(7, 12, 10, 0)>(), [(127, true); 7]);
    let doubled = [6, 12, 24, 48, 96, 127, 127].map(|limit| (limit, limit == 127));
    assert_eq!(limits::<Milg!(7, 12, 10, 1)>(), doubled);
}

#[test]
fn reset_goes_before_all_else() {
    let mut bench = Bench::new::<Milg!(3, 6, 3, 0)>();
    repeat(&mut bench, 2, &[("issue", 1)]);
    repeat(&mut bench, 8, &[("fail", 1)]);
    requests(&mut bench, 8);
    bench.cycle(&[("reset", 1), ("issue", 1), ("request", 1)]);
    repeat(&mut bench, 4, &[]);
    let seen = bench.cycle(&[]);
    assert_eq!((limit(&seen), seen.get("in_flight")), ((7, true), 0));
    // A whole interval is needed again.
    repeat(&mut bench, 8, &[("fail", 1)]);
    repeat(&mut bench, 7, &[("request", 1)]);
    repeat(&mut bench, 5, &[]);
    assert_eq!(limit(&bench.cycle(&[])), (7, true));
}

#[test]
fn a_static_limit_counts_from_the_next_cycle_on() {
    let mut bench = Bench::new::<Smil!(7, 5)>();
    repeat(&mut bench, 3, &[("issue", 1)]);
    let seen = bench.cycle(&[("set_valid", 1), ("set_limit", 2)]);
    assert_eq!((limit(&seen), seen.get("allow")), ((127, true), 1));
    // Below what is in flight: the gate waits until enough has completed.
    let seen = bench.cycle(&[("complete", 1)]);
    assert_eq!((limit(&seen), seen.get("allow")), ((2, false), 0));
    assert_eq!(bench.cycle(&[("complete", 1)]).get("allow"), 0);
    let seen = bench.cycle(&[("set_limit", 9)]); // not valid
    assert_eq!((seen.get("in_flight"), seen.get("allow")), (1, 1));
    let none = [("set_valid", 1), ("set_limit", 9), ("set_unlimited", 1)];
    assert_eq!(limit(&bench.cycle(&none)), (2, false));
    assert_eq!(limit(&bench.cycle(&[])), (127, true));
}

#[test]
fn a_limit_as_wide_as_the_count() {
    let mut bench = Bench::new::<Smil!(2, 2)>();
    bench.cycle(&[("set_valid", 1), ("set_limit", 3)]);
    repeat(&mut bench, 3, &[("issue", 1)]);
    let seen = bench.cycle(&[]);
    assert_eq!((limit(&seen), seen.get("allow")), ((3, false), 0));
}
