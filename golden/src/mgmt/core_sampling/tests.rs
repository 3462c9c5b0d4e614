//! Rationale: the decision by fractions of the paper's words, for all pairs of small numbers and at
//! 5 % of large ones; what is counted, at the limit and where a period ends; which accesses are
//! those of sampled cores, tile by tile; how the sampled cores change.
use super::*;
use proptest::prelude::{prop, prop_assert_eq, proptest};

fn params(cores: usize, tiles: usize, rotate: usize) -> Params {
    Params {
        cores,
        tiles,
        id_w: 5,
        retired_w: 2,
        cnt_w: 20,
        rotate,
    }
}

fn model(cores: usize, tiles: usize, rotate: usize) -> CoreSampling {
    CoreSampling::new(params(cores, tiles, rotate)).unwrap()
}

fn idle(params: &Params) -> In {
    In {
        sample: true,
        retired: ByCore::from_fn(params.cores, |_| 0),
        access_core: ByTile::from_fn(params.tiles, |_| 0),
        ..In::default()
    }
}

fn period(params: &Params) -> In {
    In {
        period: true,
        ..idle(params)
    }
}

/// What is decided about a period in which cores 0 and 1 have retired so much.
fn decided(pol1: u64, pol2: u64) -> bool {
    let mut model = model(6, 4, 0);
    model.preset(0, pol1);
    model.preset(1, pol2);
    model.step(&period(&params(6, 4, 0)));
    model.step(&idle(&params(6, 4, 0))).insensitive
}

/// "If the CPI delta is less than Threshold_alpha, caching has little effect on performance", "we set
/// Threshold_alpha to 5%"; by the spec "20 * |a-b| against max(a,b); exactly 5 % is friendly".
#[test]
fn less_than_five_percent_is_insensitive() {
    for a in 0..300_u64 {
        for b in 0..300_u64 {
            if a.max(b) == 0 {
                continue;
            }
            let delta = a.abs_diff(b) as f64 / a.max(b) as f64;
            // No fraction of such numbers is closer to 5 % without being 5 %.
            let exactly = (delta - 0.05).abs() < 1e-9;
            assert_eq!(decided(a, b), delta < 0.05 && !exactly, "{a} and {b}");
            assert_eq!(decided(a, b), 20 * a.abs_diff(b) < a.max(b), "{a} and {b}");
        }
    }
    for (a, b, insensitive) in [
        (1_000_000, 950_000, false),
        (1_000_000, 950_001, true),
        (949_999, 1_000_000, false),
        (20, 19, false),
        (21, 20, true),
        (1, 1, true),
    ] {
        assert_eq!(decided(a, b), insensitive, "{a} and {b}");
        assert_eq!(decided(b, a), insensitive, "{b} and {a}");
    }
}

/// "Both zero leaves the mask."
#[test]
fn without_instructions_the_decision_stays() {
    let params = params(6, 4, 0);
    let mut model = model(6, 4, 0);
    for insensitive in [false, true, false] {
        model.preset(0, 100);
        model.preset(1, if insensitive { 100 } else { 50 });
        for _ in 0..3 {
            // Others do not matter.
            model.preset(2, 7);
            model.step(&period(&params));
            assert_eq!(model.step(&idle(&params)).insensitive, insensitive);
        }
    }
}

/// "Counters saturate": two cores at the limit are equal.
#[test]
fn counters_stop_at_their_limit() {
    let params = Params {
        cnt_w: 4,
        ..params(2, 1, 0)
    };
    let mut model = CoreSampling::new(params.clone()).unwrap();
    let both = In {
        retired: ByCore::copied(&[3, 1]),
        ..idle(&params)
    };
    for cycle in 1..20 {
        model.step(&both);
        assert_eq!(model.state().retired, [15.min(3 * cycle), 15.min(cycle)]);
    }
    model.step(&period(&params));
    assert!(model.step(&idle(&params)).insensitive);
}

proptest! {
    /// "No retired instruction may be lost between periods": what is counted in all periods is what
    /// was retired, and each is counted in the period that the end of which it does not come before.
    #[test]
    fn nothing_is_lost_between_periods(
        cycles in prop::collection::vec((0..4_u8, 0..4_u8, 0..4_u8, 0..8_u8), 1..200),
    ) {
        let params = params(3, 2, 0);
        let mut model = model(3, 2, 0);
        let (mut counted, mut running, mut all) = ([0; 3], [0; 3], [0; 3]);
        for (a, b, c, ends) in cycles {
            let retired = [a, b, c];
            let period = ends == 0;
            if period {
                for core in 0..3 {
                    prop_assert_eq!(model.state().retired[core], running[core]);
                    counted[core] += model.state().retired[core];
                }
                running = [0; 3];
            }
            model.step(&In { period, retired: ByCore::copied(&retired), ..idle(&params) });
            for core in 0..3 {
                running[core] += u64::from(retired[core]);
                all[core] += u64::from(retired[core]);
            }
        }
        for core in 0..3 {
            prop_assert_eq!(counted[core] + model.state().retired[core], all[core]);
        }
    }
}

/// "If the core id matches with Core-POL1, the LRU insertion policy or LLC bypassing is used. If it
/// matches with Core-POL2, the MRU insertion policy is used. Otherwise, the underlying mechanism".
#[test]
fn each_tile_knows_the_accesses_of_sampled_cores() {
    let params = params(6, 4, 0);
    let mut model = model(6, 4, 0);
    let out = model.step(&In {
        access_gpu: 0b0111,
        access_core: ByTile::copied(&[0, 1, 2, 0]),
        ..idle(&params)
    });
    // Tile 3 is accessed by a CPU core, whose number is 0, too.
    assert_eq!((out.pol1, out.pol2), (0b0001, 0b0010));
    for core in 0..32 {
        let out = model.step(&In {
            access_gpu: 0b1111,
            access_core: ByTile::copied(&[core; 4]),
            ..idle(&params)
        });
        let all = |is: bool| if is { 0b1111 } else { 0 };
        assert_eq!((out.pol1, out.pol2), (all(core == 0), all(core == 1)));
    }
}

/// "These problems can be solved by periodically rotating sampled cores instead of fixing which cores
/// to sample."
#[test]
fn sampled_cores_rotate_if_they_are_to() {
    let params = params(3, 2, 1);
    let mut rotating = model(3, 2, 1);
    let mut fixed = model(3, 2, 0);
    let mut pairs = Vec::new();
    for _ in 0..4 {
        rotating.step(&period(&params));
        fixed.step(&period(&params));
        let State { pol1, pol2, .. } = rotating.state();
        assert!(pol1.iter().all(|&id| id == pol1[0]) && pol2.iter().all(|&id| id == pol2[0]));
        pairs.push((pol1[0], pol2[0]));
        assert_eq!((fixed.state().pol1[0], fixed.state().pol2[0]), (0, 1));
    }
    assert_eq!(pairs, [(1, 2), (2, 0), (0, 1), (1, 2)]);
    // The counters that are compared are theirs.
    rotating.preset(1, 5);
    rotating.preset(2, 6);
    assert_eq!(rotating.compared(), [5, 6]);
}

/// "We turn off core sampling and all cores follow the policy of the underlying mechanism after a few
/// initial periods"; rotation is "off with cross-core barriers".
#[test]
fn without_sampling_all_cores_follow() {
    let params = params(3, 1, 1);
    let mut model = model(3, 1, 1);
    let accesses = In {
        access_gpu: 1,
        access_core: ByTile::copied(&[1]),
        ..idle(&params)
    };
    model.preset(0, 10);
    model.preset(1, 10);
    // Its first period is sampled, and decided; the cores have moved on by one.
    model.step(&In {
        sample: false,
        ..period(&params)
    });
    let out = model.step(&accesses);
    assert!(out.insensitive);
    assert_eq!((out.pol1, out.pol2), (0, 0), "nobody is sampled");
    model.preset(0, 10);
    model.preset(1, 10);
    model.preset(2, 10);
    model.step(&period(&params));
    assert_eq!(model.state().pol1, [1], "not rotated");
    let out = model.step(&accesses);
    assert!(!out.insensitive, "all follow the underlying policy");
    assert_eq!((out.pol1, out.pol2), (1, 0), "sampled again");
}

/// "The hardware can choose which core to be Core-POL1 and Core-POL2."
#[test]
fn sampled_cores_are_assigned_as_a_period_ends() {
    for rotate in [0, 1] {
        let params = params(6, 4, rotate);
        let mut model = model(6, 4, rotate);
        let choose = In {
            choose: true,
            choose_pol1: 5,
            choose_pol2: 3,
            ..idle(&params)
        };
        model.step(&choose);
        assert_eq!(model.state().pol1, [0; 4], "the period has not ended");
        model.step(&In {
            period: true,
            ..choose.clone()
        });
        assert_eq!(model.state().pol1, [5; 4]);
        assert_eq!(model.state().pol2, [3; 4]);
        for (pol1, pol2) in [(3, 3), (6, 3), (0, 6)] {
            let wrong = In {
                choose_pol1: pol1,
                choose_pol2: pol2,
                ..choose.clone()
            };
            assert!(model.assume(&wrong).is_err(), "{pol1} and {pol2}");
        }
    }
}

/// Table 2: "20-bit counter per core", "2 5-bit registers", "10-bit x 4 LLC tiles"; total 160 bits.
#[test]
fn table_2_is_160_bits() {
    let params = params(6, 4, 0);
    let (mut counters, mut ids) = (0, 0);
    model(6, 4, 0)
        .state()
        .each(&params, &mut |name, _, _| match name {
            "retired[]" => counters += params.cnt_w,
            "pol1[]" | "pol2[]" => ids += params.id_w,
            _ => {}
        });
    assert_eq!((counters, ids, counters + ids), (120, 40, 160));
}
