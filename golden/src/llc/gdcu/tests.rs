//! Rationale: every hit position and the miss take another set of demoted lines; invalid
//! lines, the delay by `stages` and its meeting with a snapshot, saturation and reset are the
//! other branches. Numbers are by hand, for the four-way, four-kernel unit of figure 2.
use super::*;

fn gdcu(cnt_w: usize, stages: usize) -> Gdcu {
    Gdcu::new(Params {
        ways: 4,
        kernels: 4,
        cnt_w,
        stages,
    })
    .unwrap()
}

/// Owners from MRU to LRU: kernels 2, 0, 2, 1.
fn access(access_pos: u8, access_kid: u8) -> In {
    In {
        access_valid: true,
        access_pos,
        access_kid,
        stack_owner: vec![2, 0, 2, 1],
        stack_valid: 0b1111,
        ..In::default()
    }
}

fn idle() -> In {
    In {
        access_valid: false,
        ..access(0, 0)
    }
}

/// The column of `aggressor`: demotions each victim suffered from it.
fn caused_by(gdcu: &Gdcu, aggressor: usize) -> [u64; 4] {
    [0, 1, 2, 3].map(|victim: usize| gdcu.state().count[victim][aggressor])
}

#[test]
fn a_preset_counter_goes_on_from_there() {
    let mut g = gdcu(8, 0);
    g.preset(2, 3, 254);
    g.preset(4, 0, 7);
    g.step(&access(4, 3));
    assert_eq!(
        (g.state().count[2][3], g.state().live_overflow()),
        (255, 0b0100)
    );
    assert_eq!(g.state().count[0][3], 1);
}

#[test]
fn each_position_by_hand() {
    let by_position = [
        (0, [0, 0, 0, 0]),
        (1, [0, 0, 1, 0]),
        (2, [1, 0, 1, 0]),
        (3, [1, 0, 2, 0]),
        (4, [1, 1, 2, 0]),
    ];
    for (position, demotions) in by_position {
        let mut g = gdcu(16, 0);
        g.step(&access(position, 3));
        assert_eq!(caused_by(&g, 3), demotions, "position {position}");
        assert_eq!(
            caused_by(&g, 0),
            [0; 4],
            "only the aggressor's counters change"
        );
    }
}

#[test]
fn a_kernel_demotes_its_own_lines_too() {
    let mut g = gdcu(16, 0);
    g.step(&access(4, 2));
    assert_eq!(caused_by(&g, 2), [1, 1, 2, 0]);
}

#[test]
fn invalid_lines_are_not_demoted() {
    let mut g = gdcu(16, 0);
    g.step(&In {
        stack_valid: 0b0011,
        ..access(4, 0)
    });
    assert_eq!(caused_by(&g, 0), [1, 0, 1, 0]);
    g.step(&In {
        stack_valid: 0,
        ..access(4, 1)
    });
    assert_eq!(caused_by(&g, 1), [0; 4], "miss in an empty set");
}

#[test]
fn an_access_counts_after_its_stages() {
    for stages in 0..=2 {
        let mut g = gdcu(16, stages);
        g.step(&access(4, 0));
        for waited in 0..stages {
            assert_eq!(caused_by(&g, 0), [0; 4], "stages {stages}");
            assert!(g.state().in_flight[waited].valid, "index 0 is the youngest");
            assert_eq!(g.state().in_flight[waited].demotions, [1, 1, 2, 0]);
            g.step(&idle());
        }
        assert_eq!(caused_by(&g, 0), [1, 1, 2, 0], "stages {stages}");
        g.step(&idle());
        assert_eq!(caused_by(&g, 0), [1, 1, 2, 0], "counted once");
    }
}

#[test]
fn bubbles_demote_nothing() {
    let mut g = gdcu(16, 1);
    g.step(&In {
        access_valid: false,
        ..access(4, 3)
    });
    let bubble = InFlight {
        valid: false,
        kid: 0,
        demotions: vec![0; 4],
    };
    assert_eq!(g.state().in_flight[..], [bubble]);
}

#[test]
fn an_access_belongs_to_the_period_in_which_it_reaches_the_counters() {
    // Presented together with the snapshot: with stages 0 it reaches the counters then, in
    // the new period. Presented `stages` cycles earlier, the same.
    for stages in 0..=2 {
        let mut g = gdcu(16, stages);
        g.step(&access(1, 0));
        for _ in 0..stages {
            g.step(&idle());
        }
        for cycle in 0..=stages {
            let snapshot = cycle == stages;
            let present = if cycle == 0 { access(4, 0) } else { idle() };
            g.step(&In {
                snapshot,
                ..present
            });
        }
        assert_eq!(g.state().shadow[2][0], 1, "stages {stages}: old period");
        assert_eq!(
            caused_by(&g, 0),
            [1, 1, 2, 0],
            "stages {stages}: new period"
        );
    }
}

#[test]
fn saturation_is_sticky_and_handed_over_by_the_snapshot() {
    let mut g = gdcu(3, 0);
    for _ in 0..3 {
        g.step(&access(4, 0));
    }
    assert_eq!(
        (caused_by(&g, 0), g.state().live_overflow()),
        ([3, 3, 6, 0], 0)
    );
    g.step(&access(1, 0));
    assert_eq!(
        (caused_by(&g, 0), g.state().live_overflow()),
        ([3, 3, 7, 0], 0),
        "exactly 7"
    );
    g.step(&access(4, 0));
    assert_eq!(
        (caused_by(&g, 0), g.state().live_overflow()),
        ([4, 4, 7, 0], 0b0100)
    );
    g.step(&In {
        snapshot: true,
        ..access(4, 0)
    });
    assert_eq!(
        (caused_by(&g, 0), g.state().live_overflow()),
        ([1, 1, 2, 0], 0)
    );
    let out = g.step(&idle());
    assert_eq!((out.overflow, out.sequence_number), (0b0100, 1));
    g.step(&In {
        snapshot: true,
        ..idle()
    });
    assert_eq!(g.step(&idle()).overflow, 0);
}

#[test]
fn a_read_takes_one_cycle() {
    let mut g = gdcu(16, 0);
    g.step(&access(4, 1));
    g.step(&In {
        snapshot: true,
        ..idle()
    });
    g.step(&In {
        read_victim: 2,
        read_aggressor: 1,
        ..idle()
    });
    assert_eq!(g.step(&idle()).read_count, 2);
    assert_eq!(g.step(&idle()).read_count, 0);
}

#[test]
fn reset_clears_what_is_in_flight() {
    let mut g = gdcu(16, 2);
    let fresh = g.state().clone();
    g.step(&access(4, 1));
    g.step(&In {
        snapshot: true,
        ..access(4, 1)
    });
    g.step(&In {
        reset: true,
        ..access(4, 1)
    });
    assert_eq!(*g.state(), fresh);
    g.step(&idle());
    g.step(&idle());
    g.step(&idle());
    assert_eq!(*g.state(), fresh, "nothing arrives later");
}

#[test]
fn illegal_parameters_are_named() {
    let name = |ways, kernels, cnt_w, stages| match Gdcu::new(Params {
        ways,
        kernels,
        cnt_w,
        stages,
    })
    .unwrap_err()
    {
        ParamError::OutOfRange { name, .. } => name,
        other => panic!("{other}"),
    };
    assert_eq!(name(0, 4, 16, 1), "ways");
    assert_eq!(name(65, 4, 16, 1), "ways");
    assert_eq!(name(16, 0, 16, 1), "kernels");
    assert_eq!(name(16, 65, 16, 1), "kernels");
    assert_eq!(name(16, 4, 4, 1), "cnt_w");
    assert_eq!(name(16, 4, 65, 1), "cnt_w");
    assert_eq!(name(16, 4, 16, 4), "stages");
}

#[test]
fn illegal_inputs_are_named() {
    let g = Gdcu::new(Params {
        ways: 4,
        kernels: 3,
        cnt_w: 8,
        stages: 1,
    })
    .unwrap();
    let at_fault = |input: &In| g.assume(input).unwrap_err().field().to_string();
    assert!(g.assume(&access(4, 0)).is_ok());
    assert_eq!(at_fault(&access(5, 0)), "access_pos");
    assert_eq!(at_fault(&access(4, 3)), "access_kid");
    assert_eq!(
        at_fault(&In {
            stack_owner: vec![0, 3, 0, 0],
            ..access(4, 0)
        }),
        "stack_owner[1]"
    );
    assert_eq!(
        at_fault(&In {
            stack_owner: vec![0; 3],
            ..access(4, 0)
        }),
        "stack_owner"
    );
    assert_eq!(
        at_fault(&In {
            stack_valid: 0b10000,
            ..access(4, 0)
        }),
        "stack_valid"
    );
    assert_eq!(
        at_fault(&In {
            read_victim: 3,
            ..idle()
        }),
        "read_victim"
    );
    assert_eq!(
        at_fault(&In {
            read_aggressor: 3,
            ..idle()
        }),
        "read_aggressor"
    );
    let hit_on_invalid = In {
        stack_valid: 0b0001,
        ..access(1, 0)
    };
    assert!(matches!(
        g.assume(&hit_on_invalid),
        Err(Violation::HitOnInvalid { .. })
    ));
    let garbage = In {
        stack_owner: vec![3; 4],
        access_kid: 3,
        access_pos: 7,
        ..idle()
    };
    assert!(
        g.assume(&garbage).is_ok(),
        "a bubble may carry anything that fits its ports"
    );
    let invalid_owner = In {
        stack_owner: vec![0, 0, 0, 3],
        stack_valid: 0b0111,
        ..access(4, 0)
    };
    assert!(
        g.assume(&invalid_owner).is_ok(),
        "the owner of an invalid line is not looked at"
    );
}
