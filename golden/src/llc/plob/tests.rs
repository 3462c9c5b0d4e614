//! Rationale: what is an eviction depends on three bits, whose eight cases are all tried; the
//! delay by `stages` and its meeting with a snapshot, saturation, reads and reset are the other
//! branches. Numbers are by hand, for four kernels and, where ids have no kernel, three.
use super::*;

fn plob(kernels: usize, cnt_w: usize, stages: usize) -> Plob {
    Plob::new(Params {
        kernels,
        cnt_w,
        stages,
    })
    .unwrap()
}

fn eviction(victim_owner: u8, access_kid: u8) -> In {
    In {
        access_valid: true,
        victim_valid: true,
        victim_owner,
        access_kid,
        ..In::default()
    }
}

fn snapshot() -> In {
    In {
        snapshot: true,
        ..In::default()
    }
}

#[test]
fn only_a_miss_that_replaces_a_valid_line_is_an_eviction() {
    for case in 0..8 {
        let [access_valid, access_hit, victim_valid] = [0, 1, 2].map(|bit| case >> bit & 1 == 1);
        let mut p = plob(4, 8, 0);
        p.step(&In {
            access_valid,
            access_hit,
            victim_valid,
            ..eviction(2, 1)
        });
        let expected = u64::from((access_valid, access_hit, victim_valid) == (true, false, true));
        assert_eq!(p.state().count[2][1], expected, "case {case:03b}");
        assert_eq!(p.state().count.iter().flatten().sum::<u64>(), expected);
    }
}

#[test]
fn the_owner_suffers_from_the_accessor_itself_included() {
    let mut p = plob(3, 8, 0);
    for (victim, aggressor) in [(0, 1), (2, 2), (0, 1), (1, 0)] {
        p.step(&eviction(victim, aggressor));
    }
    assert_eq!(p.state().count, [[0, 2, 0], [1, 0, 0], [0, 0, 1]]);
}

#[test]
fn an_eviction_counts_after_its_stages() {
    for stages in 0..=2 {
        let mut p = plob(4, 8, stages);
        p.step(&eviction(3, 1));
        for waited in 0..stages {
            assert_eq!(p.state().count[3][1], 0, "stages {stages}");
            let expected = InFlight {
                valid: true,
                kid: 1,
                victim: 0b1000,
            };
            assert_eq!(p.state().in_flight[waited], expected, "0 is the youngest");
            p.step(&In::default());
        }
        assert_eq!(p.state().count[3][1], 1, "stages {stages}");
        p.step(&In::default());
        assert_eq!(p.state().count[3][1], 1, "counted once");
    }
}

#[test]
fn bubbles_evict_nobody() {
    let mut p = plob(4, 8, 1);
    p.step(&In {
        access_hit: true,
        ..eviction(2, 3)
    });
    assert_eq!(p.state().in_flight[..], [InFlight::default()]);
}

#[test]
fn an_eviction_belongs_to_the_period_in_which_it_reaches_the_counters() {
    for stages in 0..=2 {
        let mut p = plob(2, 8, stages);
        p.step(&eviction(0, 1));
        p.step(&eviction(1, 1));
        for _ in 1..stages {
            p.step(&In::default());
        }
        // The first is counted by now, the second is counted in the snapshot's cycle, if it has
        // to wait, else it was counted before.
        p.step(&snapshot());
        let second = u64::from(stages == 0);
        assert_eq!(p.state().shadow, [[0, 1], [0, second]], "stages {stages}");
        assert_eq!(
            p.state().count,
            [[0, 0], [0, 1 - second]],
            "stages {stages}"
        );
    }
}

#[test]
fn saturation_is_sticky_and_handed_over_by_the_snapshot() {
    let mut p = plob(4, 2, 0);
    for _ in 0..3 {
        p.step(&eviction(2, 0));
    }
    assert_eq!((p.state().count[2][0], p.state().live_overflow()), (3, 0));
    p.step(&eviction(2, 0));
    assert_eq!(
        (p.state().count[2][0], p.state().live_overflow()),
        (3, 0b0100)
    );
    p.step(&In {
        snapshot: true,
        ..eviction(2, 0)
    });
    assert_eq!((p.state().count[2][0], p.state().live_overflow()), (1, 0));
    let out = p.step(&snapshot());
    assert_eq!((out.overflow, out.sequence_number), (0b0100, 1));
    let out = p.step(&In::default());
    assert_eq!((out.overflow, out.sequence_number), (0, 2));
}

#[test]
fn a_preset_counter_goes_on_from_there() {
    // No number is beyond the limit of 64 bits.
    for (cnt_w, limit, passed) in [(8, 255, 0b01), (64, u64::MAX, 0)] {
        let mut p = plob(2, cnt_w, 0);
        p.preset(1, 0, limit - 1);
        p.preset(0, 1, u64::MAX);
        p.preset(2, 0, 7);
        assert_eq!(p.state().count, [[0, limit], [limit - 1, 0]]);
        p.step(&eviction(1, 0));
        assert_eq!(
            (p.state().count[1][0], p.state().live_overflow()),
            (limit, passed)
        );
        p.step(&eviction(1, 0));
        assert_eq!(
            (p.state().count[1][0], p.state().live_overflow()),
            (limit, passed | 0b10)
        );
    }
}

#[test]
fn a_read_takes_one_cycle_and_unknown_kids_read_zero() {
    let mut p = plob(3, 8, 0);
    p.step(&eviction(2, 2));
    p.step(&snapshot());
    for (read_victim, read_aggressor, expected) in [(2, 2, 1), (3, 2, 0), (2, 3, 0), (2, 2, 1)] {
        p.step(&In {
            read_victim,
            read_aggressor,
            ..In::default()
        });
        assert_eq!(p.step(&In::default()).read_count, expected);
    }
}

#[test]
fn reset_clears_what_is_in_flight() {
    let mut p = plob(4, 8, 2);
    let fresh = p.state().clone();
    p.step(&eviction(1, 1));
    p.step(&In {
        snapshot: true,
        ..eviction(1, 2)
    });
    p.step(&eviction(1, 3));
    p.step(&In {
        reset: true,
        snapshot: true,
        ..eviction(1, 1)
    });
    assert_eq!(*p.state(), fresh);
    for _ in 0..3 {
        p.step(&In::default());
    }
    assert_eq!(*p.state(), fresh, "nothing arrives later");
}

#[test]
fn illegal_parameters_are_named() {
    for (kernels, cnt_w, stages, at_fault) in [
        (0, 8, 1, "kernels"),
        (65, 8, 1, "kernels"),
        (4, 0, 1, "cnt_w"),
        (4, 65, 1, "cnt_w"),
        (4, 8, 3, "stages"),
    ] {
        let refused = Plob::new(Params {
            kernels,
            cnt_w,
            stages,
        });
        assert!(
            matches!(refused, Err(ParamError::OutOfRange { name, .. }) if name == at_fault),
            "{at_fault}"
        );
    }
}

#[test]
fn illegal_inputs_are_named() {
    let p = plob(3, 8, 1);
    let at_fault = |input: &In| p.assume(input).unwrap_err().field().to_string();
    assert_eq!(at_fault(&eviction(3, 0)), "victim_owner");
    assert_eq!(at_fault(&eviction(0, 3)), "access_kid");
    let read = |read_victim, read_aggressor| In {
        read_victim,
        read_aggressor,
        ..In::default()
    };
    assert_eq!(at_fault(&read(4, 0)), "read_victim");
    assert_eq!(at_fault(&read(0, 4)), "read_aggressor");
    for legal in [
        read(3, 3),
        In {
            access_hit: true,
            ..eviction(3, 0)
        },
        In {
            access_valid: false,
            ..eviction(3, 3)
        },
    ] {
        assert!(p.assume(&legal).is_ok(), "nobody looks: {legal:?}");
    }
    let too_wide = In {
        access_valid: false,
        ..eviction(4, 0)
    };
    assert_eq!(at_fault(&too_wide), "victim_owner");
}
