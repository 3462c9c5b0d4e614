//! Invariants of the SM unit models under random input, and in a closed loop.
//!
//! Rationale: the unit tests fix single steps by hand; here long random runs over small and large
//! parameters look for states that no one thought of. What must always hold: a limit is 1 to the
//! count's range and nothing is in flight above it that was issued under it; a count in flight is
//! issues less completions; a grant goes to a kernel that is ready, and comes whenever one is; a
//! lone kernel is never blocked; quotas of active kernels are at least 1, and a refill makes the
//! requests of all equal. Each model is also compared with a second one written for the test from
//! the formula, over the events instead of the cycles.

use cotenant_golden::sm::lsu::{Draw, Latency, Lsu};
use cotenant_golden::sm::mem_issue::{Limiter, MemIssue, Priority};
use cotenant_golden::sm::milg::{Milg, Release};
use cotenant_golden::sm::qbmi::Qbmi;
use cotenant_golden::sm::{lsu, mem_issue, milg, qbmi, rbmi, smil};
use cotenant_golden::Model;
use proptest::prelude::*;

fn release() -> impl Strategy<Value = Release> {
    prop::sample::select(vec![Release::Unlimited, Release::Double])
}

fn milg_params() -> impl Strategy<Value = milg::Params> {
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
        // A limit that is being computed, and the cycles until it shows.
        let mut due: Option<(u64, u64)> = None;
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
                (limit, due) = (Some(value), None);
            }
            failures += u64::from(input.fail);
            requests += u64::from(input.request);
            if requests == 1 << params.interval_w {
                let peak = *flights.iter().max().unwrap();
                let a_request = failures.min(most_failures) >> params.interval_w;
                limit = match (a_request, params.release) {
                    (0, Release::Unlimited) => None,
                    (0, Release::Double) => limit.map(|l| 2 * l).filter(|l| *l <= none),
                    _ => {
                        due = Some(((peak / a_request).max(1), params.count_w as u64));
                        limit
                    }
                };
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

    #[test]
    fn round_robin_is_fair_to_kernels_that_stay_ready(
        kernels in 1usize..=16,
        inputs in prop::collection::vec((any::<u64>(), any::<bool>()), 1..300),
    ) {
        let mut unit = rbmi::Rbmi::new(rbmi::Params { kernels }).unwrap();
        let mut waited = vec![0; kernels];
        for (ready, accept) in inputs {
            let ready = ready & (u64::MAX >> (64 - kernels));
            let out = unit.step(&rbmi::In { ready, accept, ..rbmi::In::default() });
            prop_assert_eq!(out.grant_valid, accept && ready != 0);
            prop_assert_eq!(out.grant & !ready, 0);
            for (kernel, waited) in waited.iter_mut().enumerate() {
                let served = out.grant >> kernel & 1 == 1 || ready >> kernel & 1 == 0;
                *waited = if served { 0 } else { *waited + u32::from(out.grant_valid) };
                prop_assert!(*waited < kernels as u32, "served within a round");
            }
        }
    }
}

fn qbmi_params() -> impl Strategy<Value = qbmi::Params> {
    let sizes = vec![(1, 3), (2, 2), (2, 5), (3, 3), (5, 2), (8, 4), (16, 2)];
    (prop::sample::select(sizes), any::<bool>()).prop_map(|((kernels, interval_w), cap)| {
        qbmi::Params {
            kernels,
            interval_w,
            cap,
        }
    })
}

/// A cycle of a QBMI, as raw numbers to be reduced to its number of kernels.
fn qbmi_input() -> impl Strategy<Value = qbmi::In> {
    (
        0..300u32,
        any::<[u16; 3]>(),
        any::<bool>(),
        0..4u32,
        any::<u8>(),
    )
        .prop_map(
            |(kind, [launch, exit, ready], accept, lsu, request_kid)| qbmi::In {
                reset: kind == 0,
                launch: if kind < 4 { launch.into() } else { 0 },
                exit: if (3..6).contains(&kind) {
                    exit.into()
                } else {
                    0
                },
                ready: ready.into(),
                accept,
                request_valid: lsu > 0,
                request_first: lsu == 1,
                request_kid,
            },
        )
}

fn in_range(params: &qbmi::Params, input: qbmi::In) -> qbmi::In {
    let mask = u64::MAX >> (64 - params.kernels);
    qbmi::In {
        launch: input.launch & mask,
        exit: input.exit & mask,
        ready: input.ready & mask,
        request_kid: input.request_kid % params.kernels as u8,
        ..input
    }
}

proptest! {
    #[test]
    fn quotas_say_who_goes_first(
        params in qbmi_params(),
        inputs in prop::collection::vec(qbmi_input(), 0..1500),
    ) {
        let kernels = params.kernels;
        let most = u64::MAX >> (64 - params.quota_w());
        let mut unit = Qbmi::new(params.clone()).unwrap();
        for input in inputs {
            let input = in_range(&params, input);
            prop_assert_eq!(unit.assume(&input), Ok(()));
            let before = unit.state().clone();
            let out = unit.step(&input);
            let after = unit.state();
            let active = |k: usize| before.active >> k & 1 == 1;
            for k in 0..kernels {
                prop_assert_eq!(before.current[k] > 0, active(k), "1 or more if active");
                prop_assert!(before.current[k] <= most);
                prop_assert_eq!(out.quota[k], before.current[k]);
            }
            // A grant comes whenever it can, to one of the highest quotas.
            let candidates = input.ready & before.active;
            prop_assert_eq!(out.grant_valid, input.accept && candidates != 0);
            let winner = usize::from(out.grant_kid);
            if out.grant_valid {
                prop_assert_eq!(out.grant, 1 << winner);
                prop_assert_eq!(candidates & out.grant, out.grant);
                for k in (0..kernels).filter(|k| candidates >> k & 1 == 1) {
                    prop_assert!(before.current[winner] >= before.current[k]);
                }
            }
            if input.reset {
                continue;
            }
            if input.launch | input.exit != 0 {
                let now = before.active & !input.exit | input.launch;
                prop_assert_eq!(after.active, now);
                for k in 0..kernels {
                    prop_assert_eq!(after.current[k], now >> k & 1, "afresh and equal");
                    prop_assert_eq!(after.unit.quota[k], 1);
                }
                continue;
            }
            // The sum falls by one a grant, and rises by the set when a quota runs out.
            let spent = u64::from(out.grant_valid);
            let refill = out.grant_valid && before.current[winner] == 1;
            let bound = |k: usize| if params.cap { 2 * before.unit.quota[k] } else { most };
            for k in 0..kernels {
                let left = before.current[k] - if k == winner { spent } else { 0 };
                let expected = match refill && active(k) {
                    true => (left + before.unit.quota[k]).min(bound(k)),
                    false => left,
                };
                prop_assert_eq!(after.current[k], expected);
            }
            for k in 0..kernels {
                prop_assert!(after.unit.quota[k] < 1 << params.set_w());
            }
        }
    }

    #[test]
    fn every_set_makes_the_requests_of_all_equal(
        params in qbmi_params(),
        inputs in prop::collection::vec(qbmi_input(), 0..2500),
    ) {
        let mut unit = Qbmi::new(params.clone()).unwrap();
        // The ratios that the set under way is made of.
        let mut taken: Option<(u64, Vec<u64>)> = None;
        for input in inputs {
            let input = in_range(&params, input);
            let before = unit.state().clone();
            unit.step(&input);
            let after = unit.state();
            // The unit has begun.
            if before.unit.left == 0 && after.unit.left > 0 {
                let ratios = before.meter.iter().map(|meter| meter.ratio).collect();
                taken = Some((before.active, ratios));
                prop_assert_eq!(after.unit.left, params.latency() - 1);
            }
            if after.unit.done {
                let (active, ratios) = taken.take().unwrap();
                let of_active = (0..params.kernels).filter(|k| active >> k & 1 == 1);
                let mut requests = of_active.map(|k| ratios[k] * after.unit.quota[k]);
                if let Some(first) = requests.next() {
                    prop_assert!(requests.all(|others| others == first));
                }
            }
        }
    }

    #[test]
    fn a_lone_kernel_is_never_blocked_by_its_quota(
        params in qbmi_params(),
        kernel in 0usize..16,
        inputs in prop::collection::vec(qbmi_input(), 0..500),
    ) {
        let kernel = kernel % params.kernels;
        let mut unit = Qbmi::new(params.clone()).unwrap();
        unit.step(&qbmi::In { launch: 1 << kernel, ..qbmi::In::default() });
        for input in inputs {
            let input = in_range(&params, input);
            let out = unit.step(&qbmi::In {
                reset: false,
                launch: 0,
                exit: 0,
                ready: u64::MAX >> (64 - params.kernels),
                accept: true,
                ..input
            });
            prop_assert_eq!(out.grant, 1 << kernel);
        }
    }
}

/// A whole SM in miniature: what drives it in a cycle.
#[derive(Debug, Clone)]
struct Cycle {
    launch_or_exit: Option<(u8, bool)>,
    want: u64,
    draw: Draw,
    requests: u64,
    set: Option<(u8, u64)>,
}

fn cycle() -> impl Strategy<Value = Cycle> {
    (
        0..60u32,
        any::<(u8, bool)>(),
        any::<u16>(),
        (any::<bool>(), 1..20u32),
        prop::sample::select(vec![1, 1, 2, 3, 17, 32]),
        prop::option::weighted(0.02, (any::<u8>(), 0..4u64)),
    )
        .prop_map(
            |(kind, change, want, (hit, latency), requests, set)| Cycle {
                launch_or_exit: (kind == 0).then_some(change),
                want: want.into(),
                draw: Draw { hit, latency },
                requests,
                set,
            },
        )
}

fn mem_issue_params() -> impl Strategy<Value = mem_issue::Params> {
    let limiters = prop::sample::select(vec![Limiter::Smil, Limiter::Milg]);
    let priorities = prop::sample::select(vec![Priority::Rbmi, Priority::Qbmi]);
    let kernels = prop::sample::select(vec![1usize, 2, 3, 4, 8]);
    (kernels, limiters, priorities, milg_params(), any::<bool>()).prop_map(
        |(kernels, limiter, priority, milg, cap)| mem_issue::Params {
            kernels,
            limiter,
            priority,
            count_w: milg.count_w,
            fail_w: milg.fail_w,
            interval_w: milg.interval_w,
            limit_w: milg.count_w.min(2),
            release: milg.release,
            cap,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    /// With the LSU: every cycle is legal, the counts in flight are those of the LSU, and every
    /// instruction that was issued completes once.
    #[test]
    fn a_closed_loop_conserves_instructions(
        params in mem_issue_params(),
        depth in 1usize..5,
        mshrs in 1usize..10,
        cycles in prop::collection::vec(cycle(), 0..1200),
    ) {
        let kernels = params.kernels;
        let mut unit = MemIssue::new(params.clone()).unwrap();
        let miss_latency = Latency { min: 3, max: 15 };
        let mut lsu = Lsu::new(lsu::Params { kernels, depth, mshrs, hit_latency: 2, miss_latency })
            .unwrap();
        let (mut issued, mut completed) = (vec![0u64; kernels], vec![0u64; kernels]);
        let (mut to_send, mut accepted, mut firsts) = (0u64, 0u64, 0u64);
        let drained = 400 * (depth + 1);
        let idle = Cycle {
            launch_or_exit: None,
            want: 0,
            draw: Draw { hit: false, latency: 3 },
            requests: 1,
            set: None,
        };
        let drain = std::iter::repeat_n(idle, drained);
        let launch_all = u64::MAX >> (64 - kernels);
        for (n, cycle) in cycles.into_iter().chain(drain).enumerate() {
            let offer = lsu.offer(&cycle.draw);
            let mask = launch_all;
            let change = |launch: bool| match cycle.launch_or_exit {
                Some((kid, is_launch)) if is_launch == launch => 1 << (usize::from(kid) % kernels),
                _ => 0,
            };
            let input = mem_issue::In {
                launch: if n == 0 { launch_all } else { change(true) },
                exit: change(false),
                want: cycle.want & mask,
                lsu_ready: offer.lsu_ready,
                complete: offer.complete,
                request_valid: offer.request_valid,
                request_first: offer.request_first,
                fail_valid: offer.fail_valid,
                lsu_kid: offer.lsu_kid,
                set_valid: cycle.set.is_some(),
                set_kid: cycle.set.map_or(0, |(kid, _)| kid % kernels as u8),
                set_limit: cycle.set.map_or(0, |(_, limit)| limit % (1 << params.limit_w)),
                set_unlimited: cycle.set.is_some_and(|(_, limit)| limit % (1 << params.limit_w) == 0),
                ..mem_issue::In::default()
            };
            prop_assert_eq!(unit.assume(&input), Ok(()));
            let foretold = unit.grant(&input);
            let out = unit.step(&input);
            prop_assert_eq!(foretold, out.grant_valid.then_some(out.grant_kid));
            prop_assert_eq!(out.grant & !(input.want & out.active & out.allow), 0, "ready");
            let ready = input.want & out.active & out.allow;
            prop_assert_eq!(out.grant_valid, ready != 0 && offer.lsu_ready);
            for k in 0..kernels {
                prop_assert_eq!(out.in_flight[k], issued[k] - completed[k]);
                prop_assert!(out.limit[k] >= 1);
                completed[k] += offer.complete >> k & 1;
            }
            accepted += u64::from(offer.request_valid);
            firsts += u64::from(offer.request_valid && offer.request_first);
            if let Some(kid) = foretold {
                lsu.issue(kid, cycle.requests).unwrap();
                issued[usize::from(kid)] += 1;
                to_send += cycle.requests;
            }
        }
        prop_assert!(lsu.is_idle());
        prop_assert_eq!(&issued, &completed);
        prop_assert_eq!(accepted, to_send);
        prop_assert_eq!(firsts, issued.iter().sum::<u64>());
        prop_assert_eq!(lsu.mshrs_in_use(), 0);
    }
}
