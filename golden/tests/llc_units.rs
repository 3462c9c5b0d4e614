//! Invariants of the LLC unit models under random input.
//!
//! Rationale: the unit tests fix single steps by hand; here long random runs over many geometries
//! look for states that no one thought of. What must always hold: a stack is a permutation with
//! the invalid ways at the bottom; a miss demotes exactly the valid lines; every demotion is in
//! exactly one period; and the `gdcu` and the `plob`, each written as one idea, equal the chain of
//! blocks that they consist of, written apart from them.

use cotenant_golden::llc::{
    counter_matrix, demotion, gdcu, kid_demux, lru_stack, plob, popcnt, pos_w,
};
use cotenant_golden::Model;
use proptest::prelude::*;

/// Ways and kernels: the powers of two around their branches, and numbers that are none.
fn geometry() -> impl Strategy<Value = (usize, usize)> {
    prop::sample::select(vec![
        (1, 1),
        (2, 2),
        (3, 3),
        (4, 4),
        (6, 3),
        (12, 5),
        (16, 4),
        (24, 6),
        (32, 8),
        (64, 64),
    ])
}

/// What happens in a cycle of an `lru_stack`, as raw numbers to be reduced to its geometry.
fn stack_input(ways: usize, kernels: usize) -> impl Strategy<Value = lru_stack::In> {
    (
        0..100u32,
        0..ways as u8,
        0..kernels as u8,
        any::<bool>(),
        0..ways as u8,
    )
        .prop_map(
            |(kind, access_way, access_kid, access_hit, invalidate_way)| lru_stack::In {
                reset: kind == 0,
                flush: kind == 1,
                invalidate_valid: (2..10).contains(&kind),
                invalidate_way,
                access_valid: kind < 90,
                access_hit,
                access_way,
                access_kid,
            },
        )
}

fn stack_run() -> impl Strategy<Value = (usize, usize, Vec<lru_stack::In>)> {
    geometry().prop_flat_map(|(ways, kernels)| {
        let inputs = prop::collection::vec(stack_input(ways, kernels), 0..200);
        (Just(ways), Just(kernels), inputs)
    })
}

fn mask(ways: usize) -> u64 {
    u64::MAX >> (64 - ways)
}

proptest! {
    #[test]
    fn a_stack_stays_a_permutation_with_the_invalid_ways_at_the_bottom(
        (ways, kernels, inputs) in stack_run()
    ) {
        let mut stack = lru_stack::LruStack::new(lru_stack::Params { ways, kernels }).unwrap();
        for mut input in inputs {
            // A hit on an invalid way is outside the assumptions: a cache would miss.
            if stack.assume(&input).is_err() {
                input.access_hit = false;
            }
            prop_assert!(stack.assume(&input).is_ok());
            let before = stack.state().clone();
            let out = stack.step(&input);
            prop_assert_eq!(&out.stack_way, &before.way);
            prop_assert_eq!(out.victim_way, before.way[ways - 1]);
            let after = stack.state();
            let mut seen = after.way.clone();
            seen.sort_unstable();
            prop_assert!(seen.iter().copied().eq(0..ways as u8), "a permutation");
            prop_assert_eq!(after.valid.count_ones(), after.valid.trailing_ones(), "valid on top");
            prop_assert!(after.owner.iter().all(|&owner| usize::from(owner) < kernels));
            let accessed = !input.reset && !input.flush && !input.invalidate_valid && input.access_valid;
            if accessed {
                prop_assert_eq!(after.owner[0], input.access_kid);
                prop_assert_eq!(after.valid & 1, 1);
                let way = if input.access_hit { input.access_way } else { before.way[ways - 1] };
                prop_assert_eq!(after.way[0], way);
                // The others keep their order.
                let others = |ways: &[u8]| ways.iter().copied().filter(|&w| w != way).collect::<Vec<_>>();
                prop_assert_eq!(others(&before.way), others(&after.way));
            }
        }
    }

    #[test]
    fn a_miss_demotes_exactly_the_valid_lines(ways in 1usize..=64, stack_valid: u64) {
        let stack_valid = stack_valid & mask(ways);
        let mut unit = demotion::Demotion::new(demotion::Params { ways }).unwrap();
        let input = demotion::In { access_valid: true, access_pos: ways as u8, stack_valid };
        prop_assert_eq!(unit.step(&input).demoted, stack_valid);
    }

    #[test]
    fn a_popcount_is_the_sum_of_its_halves(data: u64, cut in 1usize..64) {
        let count = |width, data| {
            popcnt::Popcnt::new(popcnt::Params { width }).unwrap().step(&popcnt::In { data }).count
        };
        prop_assert_eq!(count(64, data), count(cut, data & mask(cut)) + count(64 - cut, data >> cut));
    }
}

/// Random accesses with random stacks, within the `gdcu`'s assumptions.
fn gdcu_input(ways: usize, kernels: usize) -> impl Strategy<Value = gdcu::In> {
    let kid = 0..kernels as u8;
    let owners = prop::collection::vec(kid.clone(), ways);
    (
        owners,
        0..=ways,
        0..=ways,
        kid.clone(),
        0..100u32,
        (kid.clone(), kid, any::<bool>()),
    )
        .prop_map(
            move |(stack_owner, valid, position, access_kid, kind, read)| {
                let (read_victim, read_aggressor, read_live) = read;
                gdcu::In {
                    reset: kind == 0,
                    access_valid: kind < 80,
                    access_pos: if position < valid { position } else { ways } as u8,
                    access_kid,
                    stack_owner,
                    stack_valid: if valid == 0 { 0 } else { mask(valid) },
                    snapshot: kind % 10 == 5,
                    read_victim,
                    read_aggressor,
                    read_live,
                }
            },
        )
}

fn gdcu_run() -> impl Strategy<Value = (gdcu::Params, Vec<gdcu::In>)> {
    (geometry(), 0usize..=3, 0usize..3).prop_flat_map(|((ways, kernels), stages, spare)| {
        // Narrow counters, so that they saturate now and then.
        let cnt_w = pos_w(ways) + spare;
        let inputs = prop::collection::vec(gdcu_input(ways, kernels), 0..60);
        (
            Just(gdcu::Params {
                ways,
                kernels,
                cnt_w,
                stages,
            }),
            inputs,
        )
    })
}

/// Figure 2, block by block, for one access: the increments of all victims.
fn increments_by_blocks(params: &gdcu::Params, input: &gdcu::In) -> Vec<u32> {
    let mut demotion = demotion::Demotion::new(demotion::Params { ways: params.ways }).unwrap();
    let mut demux = kid_demux::KidDemux::new(kid_demux::Params {
        kernels: params.kernels,
    })
    .unwrap();
    let mut popcnt = popcnt::Popcnt::new(popcnt::Params { width: params.ways }).unwrap();
    let demoted = demotion
        .step(&demotion::In {
            access_valid: input.access_valid,
            access_pos: input.access_pos,
            stack_valid: input.stack_valid,
        })
        .demoted;
    let mut lanes = vec![0u64; params.kernels];
    for (position, &select) in input.stack_owner.iter().enumerate() {
        let enable = demoted >> position & 1 == 1;
        let lane = demux.step(&kid_demux::In { enable, select }).lane;
        for (kernel, bits) in lanes.iter_mut().enumerate() {
            *bits |= (lane >> kernel & 1) << position;
        }
    }
    lanes
        .iter()
        .map(|&data| popcnt.step(&popcnt::In { data }).count)
        .collect()
}

proptest! {
    #[test]
    fn a_gdcu_is_the_blocks_of_figure_2_and_its_stages(params_inputs in gdcu_run()) {
        let (params, inputs) = params_inputs;
        let gdcu::Params { ways, kernels, cnt_w, stages } = params;
        let mut unit = gdcu::Gdcu::new(params.clone()).unwrap();
        let matrix = counter_matrix::Params { kernels, inc_w: pos_w(ways), cnt_w };
        let mut matrix = counter_matrix::CounterMatrix::new(matrix).unwrap();
        // Presented accesses, the youngest last; the matrix takes the one of `stages` ago.
        let bubble = || (false, 0, vec![0; kernels]);
        let mut pipe: Vec<_> = (0..stages).map(|_| bubble()).collect();
        for input in &inputs {
            prop_assert!(unit.assume(input).is_ok());
            pipe.push((input.access_valid, input.access_kid, increments_by_blocks(&params, input)));
            let (inc_valid, inc_kid, inc) = pipe.remove(0);
            let matrix_out = matrix.step(&counter_matrix::In {
                reset: input.reset,
                inc_valid,
                inc_kid,
                inc,
                snapshot: input.snapshot,
                read_victim: input.read_victim,
                read_aggressor: input.read_aggressor,
                read_live: input.read_live,
            });
            if input.reset {
                pipe.iter_mut().for_each(|entry| *entry = bubble());
            }
            let out = unit.step(input);
            prop_assert_eq!(
                (out.read_count, out.read_overflow, out.overflow, out.sequence_number),
                (
                    matrix_out.read_count,
                    matrix_out.read_overflow,
                    matrix_out.overflow,
                    matrix_out.sequence_number
                )
            );
            let (state, expected) = (unit.state(), matrix.state());
            prop_assert_eq!(&state.count, &expected.count);
            prop_assert_eq!(&state.shadow, &expected.shadow);
            prop_assert_eq!(state.live_overflow(), expected.live_overflow());
            for (flying, (valid, kid, demotions)) in state.in_flight.iter().zip(pipe.iter().rev()) {
                let kid = if *valid { *kid } else { 0 };
                prop_assert_eq!((&flying.valid, flying.kid, &flying.demotions), (valid, kid, demotions));
            }
        }
    }

    #[test]
    fn nothing_is_lost_or_counted_twice_between_snapshots(params_inputs in gdcu_run()) {
        let (mut params, inputs) = params_inputs;
        params.cnt_w = 32;
        let (kernels, stages) = (params.kernels, params.stages);
        let mut unit = gdcu::Gdcu::new(params).unwrap();
        let mut expected = vec![vec![0u64; kernels]; kernels];
        let mut periods = vec![vec![0u64; kernels]; kernels];
        let add = |sum: &mut Vec<Vec<u64>>, more: &[Vec<u64>]| {
            for (sum, more) in sum.iter_mut().flatten().zip(more.iter().flatten()) {
                *sum += more;
            }
        };
        let mut last = None;
        for mut input in inputs {
            input.reset = false;
            if input.access_valid {
                for position in 0..usize::from(input.access_pos) {
                    if input.stack_valid >> position & 1 == 1 {
                        let victim = usize::from(input.stack_owner[position]);
                        expected[victim][usize::from(input.access_kid)] += 1;
                    }
                }
            }
            unit.step(&input);
            if input.snapshot {
                add(&mut periods, &unit.state().shadow);
            }
            last = Some(gdcu::In { access_valid: false, snapshot: false, ..input });
        }
        if let Some(idle) = last {
            for _ in 0..stages {
                unit.step(&idle);
            }
        }
        add(&mut periods, &unit.state().count);
        prop_assert_eq!(periods, expected);
        prop_assert_eq!(unit.state().live_overflow() | unit.state().overflow(), 0);
    }

    #[test]
    fn every_state_survives_json(params_inputs in gdcu_run()) {
        let (params, inputs) = params_inputs;
        let mut unit = gdcu::Gdcu::new(params.clone()).unwrap();
        for input in &inputs {
            unit.step(input);
        }
        let json = serde_json::to_string(&(&params, &inputs, unit.state())).unwrap();
        let back: (gdcu::Params, Vec<gdcu::In>, gdcu::State) = serde_json::from_str(&json).unwrap();
        prop_assert_eq!(back, (params, inputs, unit.state().clone()));
    }
}

/// Random accesses with random victims, within the `plob`'s assumptions.
fn plob_run() -> impl Strategy<Value = (plob::Params, Vec<plob::In>)> {
    (geometry(), 0usize..=2, 1usize..4).prop_flat_map(|((_, kernels), stages, cnt_w)| {
        let kid = 0..kernels as u8;
        let kids = [kid.clone(), kid.clone(), kid.clone(), kid];
        let input = (0..100u32, 0..8u32, kids).prop_map(|(kind, what, kids)| {
            let (what, read_live) = (what % 4, what > 3);
            let [victim_owner, access_kid, read_victim, read_aggressor] = kids;
            plob::In {
                reset: kind == 0,
                access_valid: kind < 80,
                access_hit: what == 0,
                victim_valid: what != 1,
                victim_owner,
                access_kid,
                snapshot: kind % 10 == 5,
                read_victim,
                read_aggressor,
                read_live,
            }
        });
        let params = plob::Params {
            kernels,
            cnt_w,
            stages,
        };
        (Just(params), prop::collection::vec(input, 0..100))
    })
}

proptest! {
    #[test]
    fn a_plob_is_a_demultiplexer_and_counters(params_inputs in plob_run()) {
        let (params, inputs) = params_inputs;
        let plob::Params { kernels, cnt_w, stages } = params;
        let mut unit = plob::Plob::new(params).unwrap();
        let mut demux = kid_demux::KidDemux::new(kid_demux::Params { kernels }).unwrap();
        let matrix = counter_matrix::Params { kernels, inc_w: 1, cnt_w };
        let mut matrix = counter_matrix::CounterMatrix::new(matrix).unwrap();
        // What was presented, the youngest last; the matrix takes what came `stages` ago.
        let mut pipe = vec![plob::InFlight::default(); stages];
        for input in &inputs {
            prop_assert!(unit.assume(input).is_ok());
            let enable = input.access_valid && !input.access_hit && input.victim_valid;
            let lane = demux.step(&kid_demux::In { enable, select: input.victim_owner }).lane;
            let kid = if enable { input.access_kid } else { 0 };
            pipe.push(plob::InFlight { valid: enable, kid, victim: lane });
            let due = pipe.remove(0);
            let matrix_out = matrix.step(&counter_matrix::In {
                reset: input.reset,
                inc_valid: due.valid,
                inc_kid: due.kid,
                inc: (0..kernels).map(|victim| (due.victim >> victim & 1) as u32).collect(),
                snapshot: input.snapshot,
                read_victim: input.read_victim,
                read_aggressor: input.read_aggressor,
                read_live: input.read_live,
            });
            if input.reset {
                pipe.fill(plob::InFlight::default());
            }
            let out = unit.step(input);
            prop_assert_eq!(
                (out.read_count, out.read_overflow, out.overflow, out.sequence_number),
                (
                    matrix_out.read_count,
                    matrix_out.read_overflow,
                    matrix_out.overflow,
                    matrix_out.sequence_number
                )
            );
            let (state, expected) = (unit.state(), matrix.state());
            prop_assert_eq!(&state.count, &expected.count);
            prop_assert_eq!(&state.shadow, &expected.shadow);
            prop_assert_eq!(state.live_overflow(), expected.live_overflow());
            prop_assert!(state.in_flight.iter().eq(pipe.iter().rev()));
        }
    }
}

/// Any input whatever, also outside the assumptions, is survived.
#[test]
fn nothing_panics_outside_the_assumptions() {
    for (ways, kernels, stages) in [(1, 1, 0), (3, 3, 1), (64, 64, 2)] {
        let mut gdcu = gdcu::Gdcu::new(gdcu::Params {
            ways,
            kernels,
            cnt_w: 8,
            stages,
        })
        .unwrap();
        let mut stack = lru_stack::LruStack::new(lru_stack::Params { ways, kernels }).unwrap();
        let plob = plob::Params {
            kernels,
            cnt_w: 8,
            stages,
        };
        let mut plob = plob::Plob::new(plob).unwrap();
        for value in 0..=255u8 {
            for victim_owner in [0, value] {
                plob.step(&plob::In {
                    access_valid: true,
                    victim_valid: true,
                    victim_owner,
                    access_kid: value,
                    read_victim: value,
                    read_aggressor: value,
                    ..plob::In::default()
                });
            }
            for len in [0, 1, ways, 200] {
                gdcu.step(&gdcu::In {
                    access_valid: true,
                    access_pos: value,
                    access_kid: value,
                    stack_owner: vec![value; len],
                    stack_valid: u64::MAX,
                    read_victim: value,
                    read_aggressor: value,
                    ..gdcu::In::default()
                });
            }
            for access_hit in [false, true] {
                stack.step(&lru_stack::In {
                    access_valid: true,
                    access_hit,
                    access_way: value,
                    access_kid: value,
                    ..lru_stack::In::default()
                });
                let invalidate = lru_stack::In {
                    invalidate_valid: true,
                    invalidate_way: value,
                    ..lru_stack::In::default()
                };
                stack.step(&invalidate);
            }
        }
    }
}
