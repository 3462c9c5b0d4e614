//! `mem_issue` and the LSU.

use cotenant_golden::sm::lsu::{self, Draw, Latency, Lsu};
use cotenant_golden::sm::mem_issue::{self, Limiter, MemIssue, Priority, State};
use cotenant_golden::Model;
use proptest::prelude::*;

use super::limiters::milg_params;

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
    (
        kernels,
        limiters,
        priorities,
        milg_params(),
        (any::<bool>(), 0usize..=3),
    )
        .prop_map(
            |(kernels, limiter, priority, milg, (cap, lag))| mem_issue::Params {
                kernels,
                limiter,
                priority,
                count_w: milg.count_w,
                fail_w: milg.fail_w,
                interval_w: milg.interval_w,
                limit_w: milg.count_w.min(2),
                release: milg.release,
                cap,
                lag,
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
        let mut last = kernels as u8 - 1;
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
            // The priority knows of no grant but this one.
            let State { rbmi, qbmi, .. } = unit.state();
            let turn = rbmi.map(|rbmi| rbmi.last).or(qbmi.as_ref().map(|qbmi| qbmi.last));
            last = foretold.unwrap_or(last);
            prop_assert_eq!(turn, Some(last));
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
