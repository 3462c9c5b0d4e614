//! Rationale: what the parts do is tested with them; here what the whole adds: which ports reach
//! which part of which kernel, who is ready, and that a kernel's count follows its grants. All four
//! variants, as each routes differently.
use super::*;
use crate::sm::milg::Release;

const SMALL: Params = Params {
    kernels: 2,
    limiter: Limiter::Milg,
    priority: Priority::Qbmi,
    count_w: 2,
    fail_w: 4,
    interval_w: 2,
    limit_w: 2,
    release: Release::Unlimited,
    cap: false,
    lag: 0,
};

fn variants() -> impl Iterator<Item = Params> {
    let limiters = [Limiter::Smil, Limiter::Milg];
    let priorities = [Priority::Rbmi, Priority::Qbmi];
    limiters.into_iter().flat_map(move |limiter| {
        priorities.into_iter().map(move |priority| Params {
            limiter,
            priority,
            ..SMALL
        })
    })
}

fn launched(params: Params) -> MemIssue {
    let kernels = limit(params.kernels);
    let mut unit = MemIssue::new(params).unwrap();
    step(
        &mut unit,
        In {
            launch: kernels,
            ..In::default()
        },
    );
    unit
}

fn step(unit: &mut MemIssue, input: In) -> Out {
    unit.assume(&input).unwrap();
    let foretold = unit.grant(&input);
    let out = unit.step(&input);
    assert_eq!(foretold, out.grant_valid.then_some(out.grant_kid));
    assert_eq!(out.grant, u64::from(out.grant_valid) << out.grant_kid);
    out
}

/// The LSU takes an instruction of a kernel in `want`.
fn want(want: u64) -> In {
    In {
        want,
        lsu_ready: true,
        ..In::default()
    }
}

fn lsu(kid: u8, accepted: bool) -> In {
    In {
        request_valid: accepted,
        request_first: true,
        fail_valid: !accepted,
        lsu_kid: kid,
        ..In::default()
    }
}

#[test]
fn each_variant_has_its_parts_registers() {
    for params in variants() {
        let State {
            milg,
            smil,
            rbmi,
            qbmi,
            ..
        } = MemIssue::new(params.clone()).unwrap().state().clone();
        let milgs = if params.limiter == Limiter::Milg {
            2
        } else {
            0
        };
        let by_quota = params.priority == Priority::Qbmi;
        assert_eq!((milg.len(), smil.len()), (milgs, 2 - milgs));
        assert_eq!((rbmi.is_some(), qbmi.is_some()), (!by_quota, by_quota));
    }
}

#[test]
fn a_grant_needs_an_active_kernel_that_wants_and_may_and_an_lsu_that_takes() {
    for params in variants() {
        let mut unit = MemIssue::new(params.clone()).unwrap();
        assert!(!step(&mut unit, want(3)).grant_valid, "none is active");
        step(
            &mut unit,
            In {
                launch: 2,
                ..want(3)
            },
        );
        let out = step(&mut unit, want(3));
        assert_eq!((out.grant, out.active, out.allow), (2, 2, 3), "{params:?}");
        assert!(!step(&mut unit, want(1)).grant_valid);
        let busy = In {
            lsu_ready: false,
            ..want(2)
        };
        assert!(!step(&mut unit, busy).grant_valid);
        // Three are as many as two bits count.
        assert_eq!(step(&mut unit, want(2)).grant, 2);
        assert_eq!(step(&mut unit, want(2)).grant, 2);
        let out = step(&mut unit, want(2));
        assert_eq!((out.grant, out.allow), (0, 1));
        assert_eq!(out.in_flight, [0, 3]);
        // One completes: not yet in the same cycle.
        let complete = In {
            complete: 2,
            ..want(2)
        };
        assert!(!step(&mut unit, complete).grant_valid);
        let exit = In { exit: 2, ..want(2) };
        assert_eq!(step(&mut unit, exit).grant, 2);
        // Exited, its instructions still come back.
        let out = step(
            &mut unit,
            In {
                complete: 2,
                ..want(3)
            },
        );
        assert_eq!((out.grant, out.active), (0, 0));
        assert_eq!(step(&mut unit, want(3)).in_flight, [0, 2]);
    }
}

#[test]
fn the_priority_picks_among_those_that_may() {
    for params in variants() {
        let mut unit = launched(params.clone());
        // Quotas know of a grant, and of the set that it brings, two cycles later.
        let turn = |unit: &mut MemIssue| {
            let granted = step(unit, want(3)).grant;
            (0..2).for_each(|_| _ = step(unit, In::default()));
            granted
        };
        let grants: Vec<_> = (0..4).map(|_| turn(&mut unit)).collect();
        assert_eq!(grants, [1, 2, 1, 2], "{params:?}");
        // Kernel 0 completes one: kernel 1 has one place left, then only kernel 0 may.
        step(
            &mut unit,
            In {
                complete: 1,
                ..In::default()
            },
        );
        let grants: Vec<_> = (0..4).map(|_| turn(&mut unit)).collect();
        assert_eq!(grants, [1, 2, 1, 0], "{params:?}");
        // The one that was not allowed took no turn either.
        let State { rbmi, qbmi, .. } = &unit.state;
        let last = rbmi.map(|rbmi| rbmi.last);
        assert_eq!(last.or(qbmi.as_ref().map(|qbmi| qbmi.last)), Some(0));
    }
}

#[test]
fn requests_and_failures_reach_the_kernel_they_are_of() {
    let mut unit = launched(SMALL);
    (0..5).for_each(|_| _ = step(&mut unit, want(3)));
    for n in 0..4 {
        step(&mut unit, lsu(1, false));
        let request = In {
            request_first: n == 0,
            ..lsu(1, true)
        };
        step(&mut unit, request);
        step(&mut unit, lsu(0, false));
    }
    let [first, second] = unit.state.milg[..] else {
        panic!("two kernels");
    };
    assert_eq!((first.requests, first.failures), (0, 4));
    assert_eq!((second.requests, second.failures), (0, 0));
    let ratio = second.ended.map(|ended| ended.ratio);
    assert_eq!((ratio, second.unlimited), (Some(1), true));
    (0..2).for_each(|_| _ = step(&mut unit, In::default()));
    let out = step(&mut unit, In::default());
    assert_eq!((out.unlimited, &out.limit[..]), (0b01, &[3, 2][..]));
    assert_eq!((&out.in_flight[..], out.allow), (&[3, 2][..], 0));
    // The meters see the requests of their kernel: four of kernel 1, from one instruction.
    let meters = &unit.state.qbmi.as_ref().unwrap().meter;
    assert_eq!(
        (meters[0].requests, meters[0].ratio, meters[1].ratio),
        (0, 1, 4)
    );
    // A launch lifts the limit of its kernel alone.
    let mut other = unit.clone();
    for (unit, launch, unlimited) in [(&mut unit, 2, 0b11), (&mut other, 1, 0b01)] {
        step(
            unit,
            In {
                launch,
                ..In::default()
            },
        );
        assert_eq!(step(unit, In::default()).unlimited, unlimited);
    }
}

#[test]
fn a_static_limit_reaches_its_kernel() {
    let mut unit = launched(Params {
        limiter: Limiter::Smil,
        ..SMALL
    });
    step(
        &mut unit,
        In {
            set_valid: true,
            set_kid: 1,
            set_limit: 1,
            ..In::default()
        },
    );
    let grants: Vec<_> = (0..5).map(|_| step(&mut unit, want(3)).grant).collect();
    assert_eq!(grants, [1, 2, 1, 1, 0]);
    let out = step(&mut unit, In::default());
    assert_eq!((out.limit, out.unlimited), (ByKernel::copied(&[3, 1]), 1));
    // A launch does not touch it.
    step(
        &mut unit,
        In {
            launch: 2,
            ..In::default()
        },
    );
    assert_eq!(step(&mut unit, In::default()).unlimited, 1);
}

#[test]
fn quotas_are_shown_and_zero_with_round_robin() {
    for params in variants() {
        let mut unit = launched(params.clone());
        let quotas = match params.priority {
            Priority::Rbmi => [0, 0],
            Priority::Qbmi => [1, 1],
        };
        assert_eq!(step(&mut unit, In::default()).quota, quotas);
        unit.preset_quota(1, 9);
        assert_eq!(unit.outputs(None).quota, [quotas[0], 9 * quotas[1]]);
        unit.preset_failures(1, 7);
        unit.preset_failures(2, 7);
        let failures: Vec<_> = unit.state.milg.iter().map(|milg| milg.failures).collect();
        let preset = params.limiter == Limiter::Milg;
        assert_eq!(failures, if preset { vec![0, 7] } else { vec![] });
    }
}

#[test]
fn reset_goes_before_all() {
    for params in variants() {
        let mut unit = launched(params.clone());
        (0..5).for_each(|_| _ = step(&mut unit, want(3)));
        step(&mut unit, lsu(1, false));
        step(
            &mut unit,
            In {
                reset: true,
                launch: 1,
                ..want(3)
            },
        );
        assert_eq!(unit.state, MemIssue::new(params).unwrap().state);
    }
}

#[test]
fn the_papers_platform() {
    let params = Params::paper(2);
    assert_eq!(
        (params.count_w, params.fail_w, params.interval_w),
        (7, 12, 10)
    );
    assert_eq!(params.milg(), milg::Params::PAPER);
    assert!(MemIssue::new(params).is_ok());
    assert_eq!(Limiter::try_from(1), Ok(Limiter::Milg));
    assert_eq!(Priority::try_from(0), Ok(Priority::Rbmi));
    assert!(Limiter::try_from(2).is_err() && Priority::try_from(2).is_err());
}

#[test]
fn illegal_inputs_and_parameters_are_named() {
    let unit = launched(Params {
        kernels: 3,
        ..SMALL
    });
    let set = In {
        set_valid: true,
        set_limit: 1,
        ..In::default()
    };
    for (input, message) in [
        (want(8), "want is 0x8, expected no bit from 3 up"),
        (
            In {
                launch: 8,
                ..want(0)
            },
            "launch is 0x8, expected no bit from 3 up",
        ),
        (
            In { exit: 8, ..want(0) },
            "exit is 0x8, expected no bit from 3 up",
        ),
        (
            In {
                complete: 8,
                ..want(0)
            },
            "complete is 0x8, expected no bit from 3 up",
        ),
        (
            In {
                complete: 2,
                ..want(0)
            },
            "complete[1] is high while nothing is in flight, expected it low then",
        ),
        (
            In {
                fail_valid: true,
                ..lsu(0, true)
            },
            "request_valid and fail_valid are both high, expected at most one of them",
        ),
        (lsu(3, true), "lsu_kid is 3, expected at most 2"),
        (lsu(3, false), "lsu_kid is 3, expected at most 2"),
        (
            In {
                lsu_kid: 4,
                ..want(0)
            },
            "lsu_kid is 4, expected at most 3",
        ),
        (In { set_kid: 3, ..set }, "set_kid is 3, expected at most 2"),
        (
            In {
                set_limit: 0,
                ..set
            },
            "set_limit is 0, expected at least 1",
        ),
        (
            In {
                set_limit: 4,
                ..set
            },
            "set_limit is 4, expected at most 3",
        ),
    ] {
        assert_eq!(unit.assume(&input).unwrap_err().to_string(), message);
    }
    let lift = In {
        set_limit: 0,
        set_unlimited: true,
        ..set
    };
    assert_eq!(unit.assume(&lift), Ok(()));
    type Change = fn(&mut Params);
    let illegal: [(Change, &str); 5] = [
        (|p| p.kernels = 0, "kernels is 0"),
        (|p| p.kernels = 17, "kernels is 17"),
        (|p| p.count_w = 4, "count_w is 4, expected 1 to 3"),
        (|p| p.fail_w = 2, "fail_w is 2"),
        (|p| p.limit_w = 3, "limit_w is 3"),
    ];
    for (change, message) in illegal {
        for mut params in variants() {
            change(&mut params);
            let error = MemIssue::new(params).unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}");
        }
    }
}
