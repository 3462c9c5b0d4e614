//! Rationale: with all sets sampled and no access dropped the sums are those of
//! [`exact`](crate::llc::exact), for random streams of several kernels, and with some sets sampled
//! those of its sample; what is dropped is counted, so are lines that kernels share. With a queue
//! accesses are dropped only if it is full, and what is taken is looked up in order, each once: the
//! sums are those of the exact pass over it. Misses charged as a whole are those of
//! [`pivot`](crate::llc::pivot), and lie about the exact shares as far as their variances allow. Stacks, division and counters are tested as units of
//! their own.
use super::*;
use crate::llc::exact::Exact;
use proptest::prelude::*;

fn params() -> Params {
    Params {
        ways: 2,
        kernels: 3,
        sets: 4,
        sampled: 4,
        tag_w: 8,
        partial_w: 8,
        lanes: 1,
        cnt_w: 16,
        queue: 0,
        mode: Mode::Sixths,
    }
}

fn ready(params: Params) -> Attribution {
    let mut unit = Attribution::new(params).unwrap();
    while !unit.step(&In::default()).ready {}
    unit
}

fn access(access_kid: u8, access_set: u32, access_tag: u64) -> In {
    In {
        access_valid: true,
        access_set,
        access_tag,
        access_kid,
        ..In::default()
    }
}

/// Passes cycles until all accesses are done and counted.
fn settle(unit: &mut Attribution) {
    let lookups = unit.state.queue.len() + 1;
    let cycles = lookups * (unit.params.shadow().rows() + 1) + LATENCY + 1;
    (0..cycles).for_each(|_| _ = unit.step(&In::default()));
}

fn events(unit: &Attribution) -> [u64; EVENTS] {
    [0, 1, 2].map(|event: usize| unit.state().events.count[event][0])
}

/// The shares by victim and aggressor.
fn shares(unit: &Attribution) -> Vec<Vec<u64>> {
    let kernels = unit.params.kernels;
    let count = &unit.state().shares.count;
    let row = |victim: usize| {
        (0..kernels)
            .map(|aggressor| count[aggressor][victim])
            .collect()
    };
    (0..kernels).map(row).collect()
}

#[test]
fn two_co_runners_share_a_miss() {
    let mut unit = ready(params());
    for (kid, tag) in [(0, 10), (1, 11), (2, 12), (0, 10)] {
        unit.step(&access(kid, 1, tag));
        settle(&mut unit);
    }
    let first = 6;
    assert_eq!(shares(&unit), [[first, 3, 3], [0, first, 0], [0, 0, first]]);
    assert_eq!(events(&unit), [4, 0, 0]);
}

#[test]
fn an_access_during_a_look_is_dropped() {
    let mut unit = ready(params());
    unit.step(&access(0, 1, 10));
    for _ in 0..3 {
        unit.step(&access(1, 2, 10));
    }
    settle(&mut unit);
    assert_eq!(events(&unit), [1, 3, 0]);
    assert_eq!(shares(&unit)[1], [0, 0, 0]);
}

#[test]
fn accesses_wait_in_order_until_the_queue_is_full() {
    let params = Params {
        queue: 2,
        ..params()
    };
    let mut unit = ready(params);
    // The first is looked up at once, and two wait.
    for tag in 10..15 {
        unit.step(&access(0, 1, tag));
    }
    let waiting: Vec<u64> = unit.state.queue.iter().map(|access| access.tag).collect();
    assert_eq!(waiting, [11, 12]);
    assert_eq!(events(&unit), [3, 2, 0]);
    settle(&mut unit);
    assert!(unit.state.queue.is_empty());
    let tags = |unit: &Attribution| -> Vec<u64> {
        let lines = unit.state.shadow.stacks[1].iter().flatten();
        lines.map(|line| line.tag).collect()
    };
    assert_eq!(tags(&unit), [12, 11], "two ways, the last first");
    unit.step(&access(0, 1, 20));
    assert!(unit.state.queue.is_empty(), "nobody waits for free stacks");
}

#[test]
fn an_access_finds_the_place_of_the_one_that_goes() {
    let params = Params {
        queue: 1,
        ..params()
    };
    let mut unit = ready(params);
    for tag in [10, 11] {
        unit.step(&access(0, 1, tag));
    }
    while !unit.free() {
        assert!(unit.drops());
        unit.step(&In::default());
    }
    assert!(!unit.drops());
    unit.step(&access(0, 1, 12));
    assert_eq!((unit.state.queue.len(), events(&unit)), (1, [3, 0, 0]));
}

#[test]
fn a_reset_forgets_who_waits() {
    let params = Params {
        queue: 2,
        ..params()
    };
    let mut unit = ready(params);
    for tag in 10..13 {
        unit.step(&access(0, 1, tag));
    }
    unit.step(&In {
        reset: true,
        ..access(0, 1, 13)
    });
    while !unit.step(&In::default()).ready {}
    settle(&mut unit);
    assert_eq!(events(&unit), [0, 0, 0]);
    assert_eq!(shares(&unit)[0], [0, 0, 0]);
}

#[test]
fn a_miss_counts_in_the_period_in_which_it_is_known() {
    let params = Params {
        queue: 2,
        ..params()
    };
    let mut unit = ready(params);
    for tag in 10..13 {
        unit.step(&access(0, 1, tag));
    }
    unit.step(&In {
        snapshot: true,
        ..In::default()
    });
    assert_eq!(unit.state.events.shadow[0][0], 3, "taken as they came");
    assert_eq!(unit.state.shares.shadow[0][0], 0);
    settle(&mut unit);
    assert_eq!(shares(&unit)[0], [18, 0, 0]);
    assert_eq!(events(&unit), [0, 0, 0]);
}

#[test]
fn a_line_of_another_kernel_charges_nobody() {
    let mut unit = ready(params());
    for kid in [0, 1] {
        unit.step(&access(kid, 1, 10));
        settle(&mut unit);
    }
    assert_eq!(events(&unit), [2, 0, 1]);
    assert_eq!(shares(&unit)[1], [0, 0, 0]);
}

#[test]
fn accesses_to_other_sets_and_before_the_start_are_ignored() {
    let params = Params {
        sampled: 2,
        ..params()
    };
    let mut unit = Attribution::new(params.clone()).unwrap();
    let sampled = unit.sampled()[0] as u32;
    unit.step(&access(0, sampled, 10));
    while !unit.step(&In::default()).ready {}
    for set in 0..4 {
        unit.step(&access(0, set, 10));
        settle(&mut unit);
    }
    assert_eq!(events(&unit), [2, 0, 0]);
}

#[test]
fn a_tag_is_folded() {
    let params = Params {
        tag_w: 10,
        partial_w: 4,
        ..params()
    };
    assert_eq!(params.partial(0b10_0000_0001), 0b0011);
    assert_eq!(params.partial(0b01_1111_0000), 0b1110);
    assert_eq!(params.partial(0b11_0011_0011), 0b0011);
}

#[test]
fn what_is_read() {
    let mut unit = ready(params());
    unit.preset(1, 2, 500);
    unit.preset_events(1, 7);
    let read = |unit: &mut Attribution, read_from, read_victim, read_aggressor| {
        unit.step(&In {
            read_from,
            read_victim,
            read_aggressor,
            read_live: true,
            ..In::default()
        });
        unit.step(&In::default()).read_count
    };
    assert_eq!(read(&mut unit, 0, 1, 2), 500);
    assert_eq!(read(&mut unit, 0, 2, 1), 0);
    assert_eq!(read(&mut unit, 2, 0, 0), 7);
    assert_eq!(read(&mut unit, 1, 1, 2), 0);
}

#[test]
fn one_of_two_co_runners_is_charged_for_a_miss() {
    let params = Params {
        mode: Mode::Pivot,
        ..params()
    };
    let mut unit = ready(params);
    let mut lfsr = pivot::SEED;
    let mut charged = [0; 3];
    for n in 0..200 {
        for (kid, tag) in [(0, 10), (1, 11), (2, 12)] {
            unit.step(&access(kid, 1, tag));
            settle(&mut unit);
        }
        // From the second time on each has both others above its line, one line each.
        let victims = if n == 0 { 0..0 } else { 0..3 };
        for victim in victims {
            let order = pivot::order(&mut lfsr, 3);
            let last = order.into_iter().rfind(|&kernel| kernel != victim);
            if victim == 0 {
                charged[last.unwrap()] += 1;
            }
        }
        assert_eq!(
            unit.state().pivot.as_ref().map(|pivot| pivot.lfsr),
            Some(lfsr)
        );
    }
    charged[0] = 1;
    assert_eq!(shares(&unit)[0], charged);
    assert!(charged[1] > 60 && charged[2] > 60, "about as often");
}

#[test]
fn illegal_parameters_and_inputs_are_named() {
    let illegal = [
        Params {
            kernels: 5,
            ..params()
        },
        Params {
            kernels: 17,
            mode: Mode::Pivot,
            ..params()
        },
        Params {
            sets: 6,
            ..params()
        },
        Params {
            sampled: 5,
            ..params()
        },
        Params {
            partial_w: 9,
            ..params()
        },
        Params {
            lanes: 4,
            ..params()
        },
        Params {
            queue: 65,
            ..params()
        },
    ];
    for params in illegal {
        assert!(Attribution::new(params).is_err());
    }
    let unit = ready(params());
    let at_fault = |input: In| unit.assume(&input).unwrap_err().field().to_string();
    assert_eq!(at_fault(access(3, 0, 0)), "access_kid");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn the_sums_are_those_of_the_exact_pass(
        (ways, kernels) in (1usize..5, 2usize..5),
        (all, lanes) in (prop::bool::ANY, 1usize..4),
        stream in prop::collection::vec((0u8..4, 0u32..16, 0u64..7), 1..300),
    ) {
        let sampled = if all { 16 } else { 8 };
        let mut unit = ready(Params {
            ways,
            kernels,
            sets: 16,
            sampled,
            lanes: lanes.min(ways * kernels / 2),
            ..params()
        });
        let mut exact = Exact::new(kernels, 16, ways).unwrap();
        for (kid, set, tag) in stream {
            let kid = kid % kernels as u8;
            exact.access(kid.into(), set as usize, tag);
            unit.step(&access(kid, set, tag));
            settle(&mut unit);
        }
        let attribution = exact.attribution();
        let expected = match all {
            true => &attribution.exact,
            false => &attribution.sampled[&8],
        };
        let in_sixths = |share: &u128| (share * 6 / u128::from(attribution.unit)) as u64;
        let expected: Vec<Vec<u64>> = expected
            .iter()
            .map(|row| row.iter().map(in_sixths).collect())
            .collect();
        prop_assert_eq!(shares(&unit), expected);
        prop_assert_eq!(events(&unit)[1], 0);
        if all {
            prop_assert_eq!(events(&unit)[2], attribution.shared_lines);
        }
    }

    #[test]
    fn the_sums_are_those_of_the_exact_pass_over_what_is_taken(
        (ways, kernels) in (1usize..5, 2usize..5),
        (queue, lanes) in (0usize..7, 1usize..4),
        stream in prop::collection::vec((0u8..4, 0u32..16, 0u64..7, 0usize..9), 1..300),
    ) {
        let mut unit = ready(Params {
            ways,
            kernels,
            sets: 16,
            sampled: 16,
            lanes: lanes.min(ways * kernels / 2),
            queue,
            ..params()
        });
        let mut exact = Exact::new(kernels, 16, ways).unwrap();
        let mut dropped = 0;
        for (kid, set, tag, pause) in stream {
            let kid = kid % kernels as u8;
            unit.step(&access(kid, set, tag));
            let before = std::mem::replace(&mut dropped, events(&unit)[1]);
            if dropped == before {
                exact.access(kid.into(), set as usize, tag);
            }
            prop_assert!(dropped == before || unit.state.queue.len() == queue);
            (0..pause).for_each(|_| _ = unit.step(&In::default()));
        }
        settle(&mut unit);
        let attribution = exact.attribution();
        let in_sixths = |share: &u128| (share * 6 / u128::from(attribution.unit)) as u64;
        let expected: Vec<Vec<u64>> = attribution
            .exact
            .iter()
            .map(|row| row.iter().map(in_sixths).collect())
            .collect();
        prop_assert_eq!(shares(&unit), expected);
        prop_assert_eq!(events(&unit)[2], attribution.shared_lines);
    }
}
