//! `milg` and `smil`.

use cotenant_golden::sm::milg::{self, Milg, Release};
use cotenant_golden::sm::smil;
use cotenant_golden::Model;
use proptest::prelude::*;

fn release() -> impl Strategy<Value = Release> {
    prop::sample::select(Release::ALL.to_vec())
}

pub fn milg_params() -> impl Strategy<Value = milg::Params> {
    // Count, failures and interval: as small as can be, the contractions of the two, the paper's.
    let widths = vec![
        (1, 2, 1),
        (2, 4, 2),
        (3, 6, 3),
        (3, 3, 2),
        (4, 9, 3),
        (7, 12, 10),
    ];
    (prop::sample::select(widths), release()).prop_map(
        |((count_w, fail_w, interval_w), release)| milg::Params {
            count_w,
            fail_w,
            interval_w,
            release,
        },
    )
}

/// A cycle of a MILG, to be made legal in the state in which it comes.
fn milg_input() -> impl Strategy<Value = milg::In> {
    (0..200u32, any::<bool>(), any::<bool>(), 0..8u32).prop_map(|(kind, issue, complete, lsu)| {
        milg::In {
            reset: kind == 0,
            launch: (1..4).contains(&kind),
            issue,
            complete,
            request: lsu < 3,
            fail: (3..7).contains(&lsu),
        }
    })
}

/// Takes away what the unit may not be driven with.
fn legal(unit: &Milg, mut input: milg::In) -> milg::In {
    let state = unit.state();
    input.issue &= state.in_flight < state.limit;
    input.complete &= state.in_flight > 0;
    unit.assume(&input).expect("legal now");
    input
}

proptest! {
    #[test]
    fn a_limit_follows_the_formula_over_the_events_of_its_interval(
        params in milg_params(),
        inputs in prop::collection::vec(milg_input(), 0..3000),
    ) {
        let mut unit = Milg::new(params.clone()).unwrap();
        let none = (1u64 << params.count_w) - 1;
        let most_failures = (1u64 << params.fail_w) - 1;
        // What counts happened in this interval: counts in flight after each cycle, failures.
        let (mut flights, mut failures, mut requests) = (vec![0u64], 0u64, 0u64);
        let mut in_flight = 0u64;
        let mut limit: Option<u64> = None;
        // A limit that is being computed, and the cycles until it shows; none is one to release.
        let mut due: Option<(Option<u64>, u64)> = None;
        for input in inputs {
            let input = legal(&unit, input);
            let out = unit.step(&input);
            prop_assert_eq!(out.in_flight, in_flight);
            prop_assert_eq!((out.limit, out.unlimited), (limit.unwrap_or(none), limit.is_none()));
            prop_assert_eq!(out.allow, in_flight < out.limit);
            prop_assert!((1..=none).contains(&out.limit), "never below 1");
            in_flight = in_flight + u64::from(input.issue) - u64::from(input.complete);
            if input.reset {
                in_flight = 0;
            }
            if input.reset || input.launch {
                (flights, failures, requests) = (vec![in_flight], 0, 0);
                (limit, due) = (None, None);
                continue;
            }
            flights.push(in_flight);
            due = due.map(|(value, cycles)| (value, cycles - 1));
            if let Some((value, 0)) = due {
                limit = match (value, params.release) {
                    (None, Release::Double) => limit.map(|l| 2 * l).filter(|l| *l <= none),
                    (None, Release::PlusOne) => limit.map(|l| l + 1).filter(|l| *l <= none),
                    (None, Release::Hold) => limit,
                    (value, _) => value,
                };
                due = None;
            }
            failures += u64::from(input.fail);
            requests += u64::from(input.request);
            if requests == 1 << params.interval_w {
                let peak = *flights.iter().max().unwrap();
                let a_request = failures.min(most_failures) >> params.interval_w;
                prop_assert!(due.is_none(), "one limit at a time");
                due = Some(match peak.checked_div(a_request) {
                    None => (None, 1),
                    Some(limit) => (Some(limit.max(1)), params.count_w as u64 + 1),
                });
                (flights, failures, requests) = (vec![in_flight], 0, 0);
            }
        }
    }

    #[test]
    fn without_failures_nothing_is_ever_limited(
        params in milg_params(),
        inputs in prop::collection::vec(milg_input(), 0..500),
    ) {
        let mut unit = Milg::new(params).unwrap();
        for input in inputs {
            let input = legal(&unit, milg::In { fail: false, ..input });
            prop_assert!(unit.step(&input).unlimited);
        }
    }

    #[test]
    fn a_static_limit_holds_what_is_issued_under_it(
        inputs in prop::collection::vec((any::<bool>(), any::<bool>(), 0..40u64), 0..500),
    ) {
        let mut unit = smil::Smil::new(smil::Params { count_w: 3, limit_w: 2 }).unwrap();
        let (mut in_flight, mut limit) = (0u64, 7u64);
        for (issue, complete, set) in inputs {
            let input = smil::In {
                set_valid: set < 5,
                set_limit: set % 4,
                set_unlimited: set == 0 || set == 4,
                issue: issue && in_flight < limit,
                complete: complete && in_flight > 0,
                ..smil::In::default()
            };
            prop_assert_eq!(unit.assume(&input), Ok(()));
            let out = unit.step(&input);
            prop_assert_eq!((out.in_flight, out.allow), (in_flight, in_flight < limit));
            in_flight = in_flight + u64::from(input.issue) - u64::from(input.complete);
            limit = match set {
                1..=3 => set,
                0 | 4 => 7,
                _ => limit,
            };
        }
    }
}
