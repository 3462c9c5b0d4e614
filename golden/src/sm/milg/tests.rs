//! Rationale: the limit is a function of a peak and a failure count with steps at the multiples of
//! the interval; both sides of each step that the paper's widths can reach are tried, and those
//! beyond, where the counter saturates or is wider. The rest is what may fall into one cycle with
//! the end of an interval, and what a launch breaks off. The latency is a number, so that another
//! one gives the same limits, later. Long random runs are in `tests/sm_units`.
//!
//! The paper, section 3.3.2: "MIL = Max(Peak_Inflight_Minst / (Rev_Fail >> 10), 1) [...] is
//! generated with a sampling interval of every 1024 memory requests from this kernel.
//! Peak_Inflight_Minst represents the peak number of in-flight memory instructions in the last
//! sampling interval. Rev_Fail >> 10 calculates the number of reservation failures per memory
//! request."
use super::*;

/// A short division and short intervals: 3-bit counts, 8 requests, divisors 1 to 7.
const SMALL: Params = Params {
    count_w: 3,
    fail_w: 6,
    interval_w: 3,
    release: Release::Unlimited,
};

const IDLE: In = In {
    reset: false,
    launch: false,
    issue: false,
    complete: false,
    request: false,
    fail: false,
};
const LAUNCH: In = In {
    launch: true,
    ..IDLE
};
const ISSUE: In = In {
    issue: true,
    ..IDLE
};
const COMPLETE: In = In {
    complete: true,
    ..IDLE
};
const REQUEST: In = In {
    request: true,
    ..IDLE
};
const FAIL: In = In { fail: true, ..IDLE };

struct Bench(Milg);

impl Bench {
    /// With so many instructions in flight.
    fn new(params: Params, in_flight: u64) -> Self {
        let mut bench = Self(Milg::new(params).unwrap());
        bench.repeat(ISSUE, in_flight);
        bench
    }

    fn step(&mut self, input: In) -> Out {
        self.0.assume(&input).unwrap();
        self.0.step(&input)
    }

    fn repeat(&mut self, input: In, cycles: u64) {
        for _ in 0..cycles {
            self.step(input);
        }
    }

    /// All of an interval from its first request, with so many failures before its last.
    fn interval(&mut self, failures: u64) {
        self.repeat(FAIL, failures);
        self.repeat(REQUEST, 1 << self.0.params.interval_w);
    }

    /// Limit, if there is one, after so many cycles more.
    fn limit_after(&mut self, cycles: u64) -> Option<u64> {
        self.repeat(IDLE, cycles);
        let Out {
            limit, unlimited, ..
        } = self.0.state.outputs();
        (!unlimited).then_some(limit)
    }
}

/// The limit after one interval with this peak and so many failures.
fn limit_of(fail_w: usize, peak: u64, failures: u64) -> Option<u64> {
    let params = Params {
        fail_w,
        ..Params::PAPER
    };
    let mut bench = Bench::new(params, peak);
    bench.interval(failures);
    bench.limit_after(8)
}

#[test]
fn limits_at_the_steps_of_the_failure_count() {
    for (failures, limit) in [
        (0, None),
        (1023, None),
        (1024, Some(127)),
        (2047, Some(127)),
        (2048, Some(63)),
        (3071, Some(63)),
        (3072, Some(42)),
        (4095, Some(42)),
        // Saturated.
        (4096, Some(42)),
        (8192, Some(42)),
    ] {
        assert_eq!(limit_of(12, 127, failures), limit, "{failures} failures");
    }
    // Truncated; never below 1.
    assert_eq!(limit_of(12, 100, 3072), Some(33));
    assert_eq!(limit_of(12, 5, 2048), Some(2));
    assert_eq!(limit_of(12, 2, 3072), Some(1));
    assert_eq!(limit_of(12, 0, 1024), Some(1));
}

// The peak starts from what is in flight, which may be more than the limit allows.
#[test]
fn a_limit_rises_to_what_is_still_in_flight() {
    let mut bench = Bench::new(SMALL, 3);
    bench.interval(3 * 8);
    assert_eq!(bench.limit_after(5), Some(1));
    bench.interval(8);
    assert_eq!(bench.limit_after(5), Some(3));
}

#[test]
fn wider_counters_see_more_failures() {
    for (fail_w, failures, limit) in [
        (14, 4096, 31),         // 127 / 4
        (14, 8192, 15),         // 127 / 8
        (14, 16_383, 8),        // 127 / 15
        (14, 16_384, 8),        // saturated
        (17, 81_613, 1),        // 127 / 79, table 2's rate of ax
        (17, 65_535, 2),        // 127 / 63
        (17, 131_072, 1),       // 127 / 127, saturated
        (20, 64 * 1024 - 1, 2), // 127 / 63
    ] {
        assert_eq!(
            limit_of(fail_w, 127, failures),
            Some(limit),
            "{fail_w} bits, {failures} failures"
        );
    }
    let params = Params {
        fail_w: 20,
        ..Params::PAPER
    };
    let mut bench = Bench::new(params, 0);
    bench.0.preset((1 << 20) + 5);
    assert_eq!(bench.0.state.failures, (1 << 20) - 1);
    bench.repeat(FAIL, 2);
    assert_eq!(bench.0.state.failures, (1 << 20) - 1);
}

#[test]
fn an_interval_that_has_ended_waits_for_its_limit() {
    // The interval's last request comes at cycle t: at t + 1 four cycles are left.
    let mut bench = Bench::new(SMALL, 7);
    bench.interval(16);
    for left in (1..=4).rev() {
        let (peak, ratio) = (7, 2);
        assert_eq!(bench.0.state.ended, Some(Ended { peak, ratio, left }));
        assert!(bench.0.state.unlimited);
        bench.step(IDLE);
    }
    assert_eq!(bench.0.state.ended, None);
    assert_eq!((bench.0.state.limit, bench.0.state.unlimited), (3, false));
    bench.interval(0);
    let released = Ended {
        peak: 7,
        ratio: 0,
        left: 1,
    };
    assert_eq!(bench.0.state.ended, Some(released));
    bench.step(IDLE);
    assert!(bench.0.state.unlimited);
}

#[test]
fn another_latency_gives_the_same_limits_later() {
    // The shortest and the longest: with intervals of 8 requests and quotients of 3 bits, a limit
    // then shows as the next interval ends.
    for latency in [1, 6] {
        let mut bench = Bench(Milg::with_latency(SMALL, latency).unwrap());
        let latency = latency as u64;
        bench.repeat(ISSUE, 7);
        bench.interval(16);
        assert_eq!(bench.limit_after(latency + 3 - 2), None);
        assert_eq!(bench.limit_after(1), Some(3));
        bench.interval(0);
        if latency > 1 {
            assert_eq!(bench.limit_after(latency - 2), Some(3));
            bench.step(IDLE);
        }
        assert_eq!(bench.limit_after(0), None);
        // Two intervals without a pause between them.
        bench.interval(16);
        bench.repeat(REQUEST, 8);
        assert_eq!(
            bench.limit_after(0),
            if latency > 1 { Some(3) } else { None }
        );
        assert_eq!(bench.limit_after(latency - 1), None);
    }
    for latency in [0, 7] {
        let error = Milg::with_latency(SMALL, latency).unwrap_err();
        let expected = format!("latency is {latency}, expected 1 to 6");
        assert_eq!(error.to_string(), expected);
    }
}

#[test]
fn a_release_shows_after_the_peak_and_a_limit_after_the_division() {
    let mut bench = Bench::new(Params::PAPER, 3);
    bench.interval(1024);
    assert_eq!(bench.limit_after(7), None, "t + 8");
    assert_eq!(bench.limit_after(1), Some(3), "t + 9");
    assert!(!bench.0.state.outputs().allow, "3 in flight");
    bench.interval(1023);
    assert_eq!(bench.limit_after(0), Some(3), "t + 1");
    assert_eq!(bench.limit_after(1), None, "t + 2");
    assert!(bench.0.state.outputs().allow);
}

#[test]
fn release_double_climbs_to_no_limit() {
    let params = Params {
        release: Release::Double,
        ..Params::PAPER
    };
    let mut bench = Bench::new(params.clone(), 2);
    bench.interval(0);
    assert_eq!(bench.limit_after(1), None, "there was none");
    bench.interval(2048);
    assert_eq!(bench.limit_after(8), Some(1));
    for limit in [2, 4, 8, 16, 32, 64]
        .map(Some)
        .into_iter()
        .chain([None, None])
    {
        bench.interval(1023);
        assert_eq!(bench.limit_after(1), limit);
    }
    assert_eq!(bench.0.state.limit, 127);
    // Just below half the range: still a limit.
    let mut bench = Bench::new(params, 127);
    bench.interval(2048);
    assert_eq!(bench.limit_after(8), Some(63));
    bench.interval(0);
    assert_eq!(bench.limit_after(1), Some(126));
    bench.interval(0);
    assert_eq!(bench.limit_after(1), None);
}

#[test]
fn release_hold_keeps_the_limit_and_plus_one_raises_it_by_one() {
    let bench = |release, in_flight, failures| {
        let params = Params {
            release,
            ..Params::PAPER
        };
        let mut bench = Bench::new(params, in_flight);
        bench.interval(0);
        assert_eq!(bench.limit_after(1), None, "there was none");
        bench.interval(failures);
        bench
    };
    for (release, limits) in [(Release::Hold, [1, 1, 1]), (Release::PlusOne, [2, 3, 4])] {
        let mut bench = bench(release, 2, 2048);
        assert_eq!(bench.limit_after(8), Some(1));
        for limit in limits {
            bench.interval(1023);
            assert_eq!(bench.limit_after(1), Some(limit));
        }
    }
    // A divisor of 1 and a full count: the highest limit is still one, above it there is none.
    for (release, next) in [(Release::Hold, Some(127)), (Release::PlusOne, None)] {
        let mut bench = bench(release, 127, 1024);
        assert_eq!(bench.limit_after(8), Some(127));
        bench.interval(0);
        assert_eq!(bench.limit_after(1), next);
    }
}

#[test]
fn the_peak_counts_an_issue_in_the_closing_cycle_for_both_intervals() {
    let mut bench = Bench::new(SMALL, 4);
    bench.repeat(COMPLETE, 2);
    bench.repeat(FAIL, 8);
    bench.repeat(REQUEST, 7);
    assert_eq!((bench.0.state.peak, bench.0.state.in_flight), (4, 2));
    // The peak of this interval is 4, that of the next begins at 3.
    bench.step(In {
        request: true,
        issue: true,
        ..IDLE
    });
    assert_eq!((bench.0.state.peak, bench.0.state.in_flight), (3, 3));
    assert_eq!((bench.0.state.requests, bench.0.state.failures), (0, 0));
    assert_eq!(bench.limit_after(4), Some(4));
    // Issue and completion in one cycle leave the count, and are no peak.
    bench.step(In {
        complete: true,
        issue: true,
        ..IDLE
    });
    assert_eq!((bench.0.state.peak, bench.0.state.in_flight), (3, 3));
    // Here the closing cycle's issue is the peak.
    bench.repeat(FAIL, 8);
    bench.repeat(REQUEST, 7);
    bench.step(In {
        request: true,
        issue: true,
        ..IDLE
    });
    assert_eq!((bench.0.state.peak, bench.0.state.in_flight), (4, 4));
    assert_eq!(bench.limit_after(4), Some(4));
    // And here the next interval's first cycle has one, which is the next one's peak alone.
    bench.repeat(COMPLETE, 3);
    bench.interval(8);
    bench.step(ISSUE);
    assert_eq!((bench.0.state.peak, bench.0.state.in_flight), (2, 2));
    assert_eq!(bench.limit_after(3), Some(4));
    bench.interval(8);
    assert_eq!(bench.limit_after(4), Some(2));
}

#[test]
fn no_more_than_127_are_in_flight() {
    let mut bench = Bench::new(Params::PAPER, 126);
    assert!(bench.0.state.outputs().allow);
    bench.step(ISSUE);
    let out = bench.step(IDLE);
    assert_eq!(
        (out.allow, out.in_flight, out.unlimited),
        (false, 127, true)
    );
    assert_eq!(
        bench.0.assume(&ISSUE).unwrap_err().to_string(),
        "issue is high while `allow` is low, expected it low then"
    );
    bench.step(COMPLETE);
    assert!(bench.0.state.outputs().allow);
}

#[test]
fn a_launch_starts_afresh_but_keeps_what_is_in_flight() {
    let mut bench = Bench::new(SMALL, 5);
    bench.repeat(COMPLETE, 3);
    bench.repeat(FAIL, 9);
    bench.repeat(REQUEST, 7);
    // The interval's last request falls into the launch: not counted, nothing closes.
    bench.step(In {
        request: true,
        issue: true,
        ..LAUNCH
    });
    let expected = State {
        in_flight: 3,
        peak: 3,
        limit: 7,
        unlimited: true,
        ..State::default()
    };
    assert_eq!(bench.0.state, expected);
    // Nor is a failure.
    bench.step(In {
        fail: true,
        complete: true,
        ..LAUNCH
    });
    let expected = State {
        in_flight: 2,
        peak: 2,
        ..expected
    };
    assert_eq!(bench.0.state, expected);
    bench.step(IDLE);
    assert_eq!(bench.0.state, expected);
}

#[test]
fn a_launch_drops_an_interval_in_any_cycle_before_its_limit_shows() {
    for (cycle, left) in [4, 3, 2, 1].into_iter().enumerate() {
        let mut bench = Bench::new(SMALL, 7);
        bench.interval(16);
        bench.repeat(IDLE, cycle as u64);
        let before = bench.0.state;
        assert_eq!(before.ended.map(|ended| ended.left), Some(left));
        bench.step(LAUNCH);
        let expected = State {
            ended: None,
            ..before
        };
        assert_eq!(bench.0.state, expected);
        assert_eq!(bench.limit_after(6), None);
    }
    // And lifts a limit that is in force.
    let mut bench = Bench::new(SMALL, 7);
    bench.interval(16);
    assert_eq!(bench.limit_after(4), Some(3));
    bench.step(LAUNCH);
    assert_eq!(bench.limit_after(0), None);
}

#[test]
fn reset_clears_what_a_launch_keeps() {
    let mut bench = Bench::new(SMALL, 7);
    bench.interval(16);
    bench.step(IDLE);
    bench.step(In {
        reset: true,
        issue: false,
        ..REQUEST
    });
    assert_eq!(bench.0.state, *Milg::new(SMALL).unwrap().state());
}

#[test]
fn illegal_inputs_and_parameters_are_named() {
    let model = Milg::new(SMALL).unwrap();
    for (input, message) in [
        (
            COMPLETE,
            "complete is high while nothing is in flight, expected it low then",
        ),
        (
            In {
                request: true,
                ..FAIL
            },
            "request and fail are both high, expected at most one of them",
        ),
        // The count is the registered one.
        (
            In {
                issue: true,
                ..COMPLETE
            },
            "complete is high while nothing is in flight, expected it low then",
        ),
    ] {
        assert_eq!(model.assume(&input).unwrap_err().to_string(), message);
    }
    let params = |count_w, fail_w, interval_w| Params {
        count_w,
        fail_w,
        interval_w,
        release: Release::Double,
    };
    for (params, message) in [
        (params(4, 6, 2), "count_w is 4, expected 1 to 3"),
        (params(0, 6, 2), "count_w is 0, expected 1 to 3"),
        (params(33, 63, 32), "count_w is 33, expected 1 to 32"),
        (params(2, 2, 2), "fail_w is 2, expected 3 to 63"),
        (params(2, 64, 2), "fail_w is 64, expected 3 to 63"),
        (params(1, 2, 0), "interval_w is 0, expected 1 to 32"),
        (params(1, 40, 33), "interval_w is 33, expected 1 to 32"),
    ] {
        assert_eq!(Milg::new(params).unwrap_err().to_string(), message);
    }
    assert!(Milg::new(params(3, 3, 2)).is_ok());
    let codes = [0, 1, 2, 3].map(|code| Release::try_from(code).unwrap());
    assert_eq!(codes, Release::ALL);
    assert!(Release::try_from(4).is_err());
}
