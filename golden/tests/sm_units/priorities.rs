//! `rbmi` and `qbmi`.

use cotenant_golden::sm::qbmi::{self, Qbmi};
use cotenant_golden::sm::rbmi;
use cotenant_golden::Model;
use proptest::prelude::*;

fn qbmi_params() -> impl Strategy<Value = qbmi::Params> {
    let sizes = vec![(1, 3), (2, 2), (2, 5), (3, 3), (5, 2), (8, 4), (16, 2)];
    (prop::sample::select(sizes), any::<bool>(), 0usize..=3).prop_map(
        |((kernels, interval_w), cap, lag)| qbmi::Params {
            kernels,
            interval_w,
            cap,
            lag,
        },
    )
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

    #[test]
    fn quotas_say_who_goes_first(
        params in qbmi_params(),
        inputs in prop::collection::vec(qbmi_input(), 0..1500),
    ) {
        let kernels = params.kernels;
        let most = u64::MAX >> (64 - params.quota_w());
        let mut unit = Qbmi::new(params.clone()).unwrap();
        // Granted in this cycle and before, not yet deducted: the oldest last.
        let mut owed = vec![None; params.lag];
        for input in inputs {
            let input = in_range(&params, input);
            prop_assert_eq!(unit.assume(&input), Ok(()));
            let before = unit.state().clone();
            let out = unit.step(&input);
            let after = unit.state();
            let active = |k: usize| before.active >> k & 1 == 1;
            for k in 0..kernels {
                prop_assert_eq!(before.current[k] > 0, active(k));
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
            owed.insert(0, out.grant_valid.then_some(winner));
            let due = owed.pop().flatten();
            if input.reset || input.launch | input.exit != 0 {
                owed.fill(None);
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
            // What is due is deducted; the set is added in the very cycle in which that leaves none.
            let left = |k: usize| before.current[k] - u64::from(due == Some(k));
            let used_up = (0..kernels).any(|k| active(k) && left(k) == 0);
            for k in 0..kernels {
                let set = before.unit.quota[k];
                let expected = match used_up && active(k) {
                    true if params.cap => (left(k) + set).min(2 * set),
                    true => (left(k) + set).min(most),
                    false => left(k),
                };
                prop_assert_eq!(after.current[k], expected);
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
