//! Rationale: the ratio against its definition, for all small numbers of accesses, and at the edges
//! that the spec names: the threshold, the largest ratio, no access. Then what is counted, whose
//! accesses count, and when the ratio is there.
use super::*;
use proptest::prelude::{any, prop, prop_assert_eq, proptest};

fn params(applications: usize) -> Params {
    Params {
        applications,
        cnt_w: 21,
        xs_w: 10,
        t_xs: 10,
    }
}

fn access(access_app: u8) -> In {
    In {
        access_valid: true,
        access_app,
        ..In::default()
    }
}

fn period(gpu: u64) -> In {
    In {
        period: true,
        gpu,
        ..In::default()
    }
}

/// The ratio of so many accesses, application 1 being of the GPU; and its latency.
fn ratio(params: &Params, cpu: u64, gpu: u64) -> (u64, usize) {
    let mut model = Xsratio::new(params.clone()).unwrap();
    model.preset(0, cpu, false);
    model.preset(1, gpu, true);
    model.step(&period(0b10));
    for cycle in 1.. {
        let out = model.step(&In::default());
        assert_eq!(out.busy, !out.done, "busy until done");
        if out.done {
            return (out.xsratio, cycle);
        }
        assert_eq!(out.xsratio, 1, "as it was");
    }
    unreachable!()
}

/// "GPGPU LLC accesses / those of the CPU application with most, if above T_xs = 10, else 1. ASSUMPTION:
/// sequential truncating divide; saturates at 1023; no CPU access gives 1023, none at all 1."
#[test]
fn the_ratio_by_definition() {
    let params = params(2);
    for cpu in 1..40_u64 {
        for gpu in 0..500_u64 {
            // How often the CPU's accesses fit into the GPU's.
            let mut fits = 0;
            while (fits + 1) * cpu <= gpu {
                fits += 1;
            }
            let expected = if gpu > 10 * cpu { fits } else { 1 };
            assert_eq!(ratio(&params, cpu, gpu), (expected, 22), "{gpu} / {cpu}");
        }
    }
    for (cpu, gpu, expected) in [
        (0, 0, 1),
        (0, 1, 1023),
        (1, 0, 1),
        (1, 10, 1),
        (1, 11, 11),
        (100, 1000, 1),
        (100, 1001, 10),
        (100, 1099, 10),
        (100, 1100, 11),
        (3, 3 * 1022, 1022),
        (3, 3 * 1023, 1023),
        (3, 3 * 1024, 1023),
        (1, (1 << 21) - 1, 1023),
        ((1 << 21) - 1, (1 << 21) - 1, 1),
    ] {
        assert_eq!(ratio(&params, cpu, gpu).0, expected, "{gpu} / {cpu}");
    }
}

/// "The CPU application that has the highest cache access rate", of several.
#[test]
fn the_cpu_application_with_most_accesses_counts() {
    let mut model = Xsratio::new(params(5)).unwrap();
    for (application, accesses) in [(0, 3), (1, 7), (3, 5), (4, 0)] {
        model.preset(application, accesses, false);
    }
    model.preset(2, 7 * 12 + 1, true);
    assert_eq!(model.state().most(), [85, 7]);
    model.step(&period(0));
    for _ in 0..model.params().latency() {
        model.step(&In::default());
    }
    assert_eq!(model.state().xsratio, 12);
    // Section 3.1.4: several of the GPU.
    model.preset(2, 10, true);
    model.preset(4, 30, true);
    model.preset(0, 2, false);
    assert_eq!(model.state().most(), [30, 2]);
}

/// What is of the GPU is taken over as a period ends; after a reset nothing is.
#[test]
fn applications_of_the_gpu_are_told_as_a_period_begins() {
    let mut model = Xsratio::new(params(2)).unwrap();
    for _ in 0..20 {
        model.step(&In {
            gpu: 0b10,
            ..access(1)
        });
    }
    assert_eq!(model.state().most(), [0, 20]);
    model.step(&period(0b10));
    model.step(&access(1));
    assert_eq!(model.state().most(), [1, 0]);
}

proptest! {
    /// "Access counters per application, cleared each period, nothing lost between periods."
    #[test]
    fn nothing_is_lost_between_periods(
        cycles in prop::collection::vec((any::<bool>(), 0..3_u8, 0..8_u8), 1..200),
    ) {
        let mut model = Xsratio::new(params(3)).unwrap();
        let (mut closed, mut all) = ([0; 3], [0; 3]);
        for (valid, app, ends) in cycles {
            if ends == 0 {
                for (closed, accesses) in closed.iter_mut().zip(&model.state().accesses) {
                    *closed += accesses;
                }
            }
            let input = In { access_valid: valid, period: ends == 0, ..access(app) };
            let out = model.step(&input);
            if ends == 0 {
                let next = model.state().accesses.iter().sum::<u64>();
                prop_assert_eq!(next, u64::from(valid), "the access opens the new period");
                prop_assert_eq!(out.accesses.len(), 3);
            }
            all[usize::from(app)] += u64::from(valid);
        }
        for application in 0..3 {
            prop_assert_eq!(closed[application] + model.state().accesses[application], all[application]);
        }
    }
}

#[test]
fn counters_stop_at_their_limit() {
    let params = Params {
        cnt_w: 3,
        xs_w: 3,
        t_xs: 2,
        ..params(2)
    };
    let mut model = Xsratio::new(params).unwrap();
    for cycle in 1..20 {
        model.step(&access(1));
        assert_eq!(model.state().accesses, [0, cycle.min(7)]);
    }
}

/// The latency bound, also for a period that comes too early: the ratio is that of the later one.
#[test]
fn an_early_period_drops_the_ratio_under_way() {
    let params = params(2);
    for early in 1..params.latency() {
        let mut model = Xsratio::new(params.clone()).unwrap();
        model.preset(0, 1, false);
        model.preset(1, 50, true);
        model.step(&period(0b10));
        for _ in 1..early {
            assert!(!model.step(&In::default()).done);
        }
        model.preset(0, 1, false);
        model.preset(1, 20, true);
        model.step(&period(0b10));
        for _ in 1..params.latency() {
            let out = model.step(&In::default());
            assert_eq!((out.done, out.busy, out.xsratio), (false, true, 1));
        }
        let out = model.step(&In::default());
        assert_eq!((out.done, out.busy, out.xsratio), (true, false, 20));
        assert!(!model.step(&In::default()).done);
    }
}

#[test]
fn a_reset_forgets_all() {
    let mut model = Xsratio::new(params(2)).unwrap();
    let fresh = model.state().clone();
    model.preset(1, 50, true);
    model.step(&period(0b10));
    model.step(&In {
        reset: true,
        ..access(1)
    });
    assert_eq!(model.state(), &fresh);
    assert!(!model.step(&In::default()).busy);
}
