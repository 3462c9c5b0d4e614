//! The `llc_monitor` model over long random runs.
//!
//! Rationale: the unit tests fix each part by hand; here its pipeline must be invisible. Against
//! the replay model, which does one access after the other and knows no cycles: what each access
//! does, all counters and the final sets. Against a sequential list of stacks and tags, with
//! everything that a cache without a clock does not know: invalidations, flushes, resets, a
//! changing requester table. Few sets and tags make accesses to one set back to back, in every
//! distance, the common case.

mod replay;
mod sampled;
mod sequential;

use cotenant_golden::llc::attribution::Mode;
use cotenant_golden::llc::llc_monitor::{Done, In, LlcMonitor, Out, Params, State};
use cotenant_golden::Model;
use proptest::prelude::*;

/// Ways, kernels, sets of a bank, banks: small ones, and numbers that are no powers of two.
fn params() -> impl Strategy<Value = Params> {
    let geometry = prop::sample::select(vec![
        (1, 1, 2, 1),
        (2, 2, 2, 2),
        (2, 2, 4, 1),
        (3, 3, 2, 1),
        (4, 4, 4, 4),
        (5, 6, 2, 2),
        (16, 4, 8, 4),
        (64, 64, 2, 1),
    ]);
    (geometry, 0..=2usize, 1..=5usize, 0..=1usize).prop_map(
        |((ways, kernels, sets, banks), stages, requesters, ram_stages)| Params {
            ways,
            kernels,
            sets,
            banks,
            tag_w: 36,
            cnt_w: 32,
            stages,
            requesters,
            sce: 0,
            sampled: 0,
            mode: Mode::Sixths,
            ram_stages,
        },
    )
}

/// The matrices GDC, ike and accesses, as counters of whole numbers.
type Counts = [Vec<Vec<u64>>; 3];

fn zeros(kernels: usize) -> Counts {
    let matrix = |rows| vec![vec![0; kernels]; rows];
    [matrix(kernels), matrix(kernels), matrix(2)]
}

/// Adds up all banks' present (or last) period.
fn add_periods(sum: &mut Counts, state: &State, last: bool) {
    for bank in &state.banks {
        let matrices = if last {
            [
                &bank.gdcu.shadow,
                &bank.plob.shadow,
                &bank.accesses.matrix.shadow,
            ]
        } else {
            [
                &bank.gdcu.count,
                &bank.plob.count,
                &bank.accesses.matrix.count,
            ]
        };
        for (sum, matrix) in sum.iter_mut().zip(matrices) {
            let pairs = sum.iter_mut().flatten().zip(matrix.iter().flatten());
            pairs.for_each(|(sum, count)| *sum += count);
        }
    }
}

fn done(out: &Out, bank: usize) -> Done {
    let bit = |mask: u64| mask >> bank & 1 == 1;
    Done {
        valid: bit(out.done_valid),
        hit: bit(out.done_hit),
        way: out.done_way[bank],
        evict: bit(out.done_evict),
        owner: out.done_owner[bank],
    }
}

/// Any cycle within the assumptions: requests nearly always, the rest rarely.
fn cycle(params: &Params) -> impl Strategy<Value = In> {
    let Params {
        ways,
        kernels,
        sets,
        banks,
        requesters,
        ..
    } = *params;
    let tags = ways as u64 * 3 / 2 + 1;
    let codes = (requesters as u16 + 1).next_power_of_two();
    let requests = (
        prop::collection::vec(0..10u32, banks),
        prop::collection::vec(0..sets as u32, banks),
        prop::collection::vec(0..tags, banks),
        prop::collection::vec(0..codes, banks),
        prop::collection::vec(0..ways as u8, banks),
    );
    let shared = (0..200u32, 0..codes, 0..kernels as u8, 0..4u8);
    (requests, shared).prop_map(move |(requests, shared)| {
        let (kinds, request_set, access_tag, access_requester, invalidate_way) = requests;
        let (kind, map_requester, map_kid, read_matrix) = shared;
        let mask = |wanted: fn(u32) -> bool| {
            let bits = kinds.iter().enumerate();
            bits.fold(0, |mask, (bank, &kind)| {
                mask | u64::from(wanted(kind)) << bank
            })
        };
        In {
            reset: kind == 0,
            flush: kind == 1,
            snapshot: (2..6).contains(&kind),
            map_valid: (6..20).contains(&kind),
            access_valid: mask(|kind| kind < 8),
            // Alone and together with an access.
            invalidate_valid: mask(|kind| (7..9).contains(&kind)),
            request_set,
            access_tag,
            access_requester,
            invalidate_way,
            map_requester,
            map_kid,
            read_matrix,
            read_victim: map_kid,
            read_aggressor: 0,
            read_live: kind % 2 == 0,
        }
    })
}

fn run() -> impl Strategy<Value = (Params, Vec<In>)> {
    params().prop_flat_map(|params| {
        let inputs = prop::collection::vec(cycle(&params), 1..200);
        (Just(params), inputs)
    })
}

proptest! {
    #[test]
    fn every_state_survives_json((params, inputs) in run()) {
        let mut monitor = LlcMonitor::new(params.clone()).unwrap();
        let mut outs = Vec::new();
        for input in &inputs {
            outs.push(monitor.step(input));
        }
        let json = serde_json::to_string(&(&params, &inputs, &outs, monitor.state())).unwrap();
        let back: (Params, Vec<In>, Vec<Out>, State) = serde_json::from_str(&json).unwrap();
        prop_assert_eq!(back, (params, inputs, outs, monitor.state().clone()));
    }
}

/// Any input whatever, also outside the assumptions, is survived.
#[test]
fn nothing_panics_outside_the_assumptions() {
    let params = Params {
        ways: 3,
        kernels: 3,
        sets: 2,
        banks: 2,
        tag_w: 8,
        cnt_w: 8,
        stages: 1,
        requesters: 3,
        sce: 0,
        sampled: 0,
        mode: Mode::Sixths,
        ram_stages: 0,
    };
    for sweep in [true, false] {
        let mut monitor = LlcMonitor::new(params.clone()).unwrap();
        for value in 0..=255u8 {
            for len in [0, 1, 2, 9] {
                let invalidate_valid = if value % 3 == 0 { u64::MAX } else { 0 };
                monitor.step(&In {
                    access_valid: u64::MAX,
                    invalidate_valid,
                    request_set: vec![value.into(); len],
                    access_tag: vec![u64::MAX; len],
                    access_requester: vec![u16::MAX; len],
                    invalidate_way: vec![value; len],
                    map_valid: true,
                    map_requester: value.into(),
                    map_kid: value,
                    read_matrix: value,
                    read_victim: value,
                    read_aggressor: value,
                    read_live: value % 2 == 0,
                    snapshot: true,
                    flush: sweep && value % 8 == 0,
                    reset: false,
                });
            }
        }
    }
}
