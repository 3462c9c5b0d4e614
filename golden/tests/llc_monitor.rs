//! The `llc_monitor` model over long random runs.
//!
//! Rationale: the unit tests fix each part by hand; here its pipeline must be invisible. Against
//! the replay model, which does one access after the other and knows no cycles: what each access
//! does, all counters and the final sets. Against a sequential list of stacks and tags, with
//! everything that a cache without a clock does not know: invalidations, flushes, resets, a
//! changing requester table. Few sets and tags make accesses to one set back to back, in every
//! distance, the common case.

use std::collections::VecDeque;

use cotenant_golden::llc::cache::{Cache, Geometry, Outcome, Reference};
use cotenant_golden::llc::llc_monitor::{Done, In, LlcMonitor, Matrix, Out, Params, State};
use cotenant_golden::llc::lru_stack::{self, LruStack};
use cotenant_golden::workload::{Access, Op};
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
    (geometry, 0..=2usize, 1..=5usize).prop_map(
        |((ways, kernels, sets, banks), stages, requesters)| Params {
            ways,
            kernels,
            sets,
            banks,
            tag_w: 36,
            cnt_w: 32,
            stages,
            requesters,
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

/// One access of a trace, and how many cycles to wait before it.
#[derive(Debug, Clone)]
struct Traced {
    kernel: u8,
    line: u64,
    wait: usize,
    snapshot: bool,
}

fn trace() -> impl Strategy<Value = (Params, Vec<Traced>)> {
    (params(), 1..4u64).prop_flat_map(|(params, pressure)| {
        let kernel = 0..params.kernels as u8;
        let lines = (params.sets * params.banks * params.ways) as u64 * pressure / 2 + 1;
        // Mostly back to back, and most of the time a few lines of one bank.
        let line = prop_oneof![
            2 => 0..lines,
            1 => (0..lines).prop_map({
                let sets = (params.sets * params.banks) as u64;
                move |line| line / sets * sets
            }),
        ];
        let wait = prop_oneof![6 => Just(0), 1 => 1..4usize];
        let traced = (kernel, line, wait, prop::bool::weighted(0.05)).prop_map(
            |(kernel, line, wait, snapshot)| Traced {
                kernel,
                line,
                wait,
                snapshot,
            },
        );
        (Just(params), prop::collection::vec(traced, 1..400))
    })
}

/// A requester for each kernel, by a table that is not the one of reset: written while the sets
/// are swept. Where there are more kernels than entries, the entry `other` has one of them.
fn map_kernels(monitor: &mut LlcMonitor) -> Vec<u8> {
    let params = monitor.params().clone();
    let kernels = params.kernels;
    let table: Vec<_> = (0..=params.requesters)
        .map(|requester| ((requester * 2 + 1) % kernels) as u8)
        .collect();
    let mut entries = (0u16..).zip(&table).peekable();
    let mut ready = false;
    while !ready || entries.peek().is_some() {
        let mut input = In::idle(&params);
        if let Some((requester, &kid)) = entries.next() {
            (input.map_valid, input.map_requester, input.map_kid) = (true, requester, kid);
        }
        monitor.assume(&input).unwrap();
        ready = monitor.step(&input).ready;
    }
    table
}

proptest! {
    #[test]
    fn a_monitor_counts_what_the_replay_model_counts((params, trace) in trace()) {
        let Params { ways, kernels, sets, banks, stages, .. } = params;
        let geometry = Geometry { sets: sets * banks, ways, line: 128, kernels, banks };
        let mut reference = Reference::new(geometry).unwrap();
        let mut monitor = LlcMonitor::new(params.clone()).unwrap();
        let table = map_kernels(&mut monitor);
        let mut counts = zeros(kernels);
        let mut outcomes = vec![VecDeque::<(Outcome, u8)>::new(); banks];
        let mut answered = 0;

        let mut step = |input: &In, outcomes: &mut Vec<VecDeque<(Outcome, u8)>>| {
            monitor.assume(input).unwrap();
            let out = monitor.step(input);
            for (bank, outcomes) in outcomes.iter_mut().enumerate() {
                let done = done(&out, bank);
                if !done.valid {
                    prop_assert_eq!(done, Done::default());
                    continue;
                }
                let (outcome, owner) = outcomes.pop_front().expect("an access of its own");
                let expected = Done {
                    valid: true,
                    hit: outcome.hit,
                    way: outcome.way,
                    evict: !outcome.hit && outcome.victim_valid,
                    owner,
                };
                prop_assert_eq!(done, expected);
                answered += 1;
            }
            if input.snapshot {
                add_periods(&mut counts, monitor.state(), true);
            }
            Ok(())
        };
        let idle = In::idle(&params);
        let mut input = idle.clone();
        for access in &trace {
            // The accesses of one cycle go to different banks.
            let address = access.line * 128;
            let set = geometry.set_of(address);
            let bank = geometry.bank_of(set);
            if access.wait > 0 || input.access_valid >> bank & 1 == 1 {
                step(&std::mem::replace(&mut input, idle.clone()), &mut outcomes)?;
                for _ in 1..access.wait {
                    step(&idle, &mut outcomes)?;
                }
            }
            // Whoever runs that kernel, or else someone who runs another.
            let requester = table.iter().position(|&kid| kid == access.kernel).unwrap_or(0);
            let kernel = table[requester];
            input.access_valid |= 1 << bank;
            input.request_set[bank] = geometry.set_in_bank(set) as u32;
            input.access_tag[bank] = geometry.tag_of(address);
            input.access_requester[bank] = requester as u16;
            input.snapshot |= access.snapshot;
            let access = Access::at(kernel, Op::Read, address, 128);
            let (before, outcome) = reference.observe(&access).unwrap();
            let owner = match usize::from(outcome.hit_pos) {
                position if position < ways => before.owner[position],
                _ if outcome.victim_valid => outcome.victim_owner,
                _ => 0,
            };
            outcomes[bank].push_back((outcome, owner));
        }
        step(&input, &mut outcomes)?;
        for _ in 0..3 + stages {
            step(&idle, &mut outcomes)?;
        }
        prop_assert_eq!(answered, trace.len());

        // The last period, by the read port.
        let before = counts.clone();
        let snapshot = In { snapshot: true, ..idle.clone() };
        monitor.step(&snapshot);
        add_periods(&mut counts, monitor.state(), true);
        for matrix in Matrix::ALL {
            let code = usize::from(matrix.code());
            for (row, columns) in counts[code].iter().enumerate() {
                for (column, count) in columns.iter().enumerate() {
                    let read = In {
                        read_matrix: matrix.code(),
                        read_victim: row as u8,
                        read_aggressor: column as u8,
                        ..idle.clone()
                    };
                    monitor.assume(&read).unwrap();
                    monitor.step(&read);
                    monitor.step(&idle);
                    let expected = count - before[code][row][column];
                    prop_assert_eq!(monitor.step(&idle).read_count, expected);
                }
            }
        }

        let expected = reference.counts();
        let by_kernel = |of: fn(&cotenant_golden::llc::cache::KernelCounts) -> u64| {
            expected.kernels.iter().map(of).collect::<Vec<_>>()
        };
        let accesses = vec![by_kernel(|kernel| kernel.hits), by_kernel(|kernel| kernel.misses)];
        prop_assert_eq!(&counts[0], &expected.gdc);
        prop_assert_eq!(&counts[1], &expected.ike);
        prop_assert_eq!(&counts[2], &accesses);
        for set in 0..geometry.sets {
            let bank = &monitor.state().banks[geometry.bank_of(set)];
            let stack = &bank.sets[geometry.set_in_bank(set)].stack;
            let expected = reference.stack(set);
            prop_assert_eq!(&stack.way[..], &expected.way[..]);
            prop_assert_eq!(&stack.owner[..], &expected.owner[..]);
            prop_assert_eq!(stack.valid, expected.valid);
        }
    }
}

/// A request whose turn has come.
#[derive(Debug, Clone, Copy)]
enum Request {
    Access { set: usize, tag: u64, kid: u8 },
    Invalidate { set: usize, way: u8 },
    Clear { set: usize },
}

/// A bank without a clock: stacks, tags by way, and what is to be counted.
struct Sequential {
    stacks: Vec<LruStack>,
    tags: Vec<Vec<u64>>,
}

impl Sequential {
    fn new(params: &Params) -> Self {
        let &Params {
            ways,
            kernels,
            sets,
            ..
        } = params;
        let stack = LruStack::new(lru_stack::Params { ways, kernels }).unwrap();
        Self {
            stacks: vec![stack; sets],
            tags: vec![vec![0; ways]; sets],
        }
    }

    fn take(&mut self, request: Request, counts: &mut Counts) -> Done {
        match request {
            Request::Clear { set } => {
                self.stacks[set].reset();
                self.tags[set].fill(0);
                Done::default()
            }
            Request::Invalidate { set, way } => {
                self.stacks[set].step(&lru_stack::In {
                    invalidate_valid: true,
                    invalidate_way: way,
                    ..lru_stack::In::default()
                });
                Done::default()
            }
            Request::Access { set, tag, kid } => {
                let before = self.stacks[set].state().clone();
                let valid = |position: &usize| before.valid >> position & 1 == 1;
                let tags = &mut self.tags[set];
                let tag_at = |position: usize| tags[usize::from(before.way[position])];
                let hit = (0..tags.len())
                    .filter(valid)
                    .find(|&position| tag_at(position) == tag);
                let position = hit.unwrap_or(tags.len() - 1);
                let (way, owner) = (before.way[position], before.owner[position]);
                self.stacks[set].step(&lru_stack::In {
                    access_valid: true,
                    access_hit: hit.is_some(),
                    access_way: way,
                    access_kid: kid,
                    ..lru_stack::In::default()
                });
                tags[usize::from(way)] = tag;
                let [gdc, ike, accesses] = counts;
                let aggressor = usize::from(kid);
                for position in (0..hit.unwrap_or(tags.len())).filter(valid) {
                    gdc[usize::from(before.owner[position])][aggressor] += 1;
                }
                let evict = hit.is_none() && valid(&position);
                if evict {
                    ike[usize::from(owner)][aggressor] += 1;
                }
                accesses[usize::from(hit.is_none())][aggressor] += 1;
                Done {
                    valid: true,
                    hit: hit.is_some(),
                    way,
                    evict,
                    owner: if hit.is_some() || evict { owner } else { 0 },
                }
            }
        }
    }

    /// Whether the monitor's memories hold the same.
    fn is(&self, set: usize, held: &cotenant_golden::llc::llc_monitor::Set) -> bool {
        let stack = self.stacks[set].state();
        (&stack.way, &stack.owner, stack.valid)
            == (&held.stack.way, &held.stack.owner, held.stack.valid)
            && self.tags[set] == held.tag
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
        }
    })
}

fn run() -> impl Strategy<Value = (Params, Vec<In>)> {
    params().prop_flat_map(|params| {
        let inputs = prop::collection::vec(cycle(&params), 1..200);
        (Just(params), inputs)
    })
}

/// What `input` asks of each bank, if the requester table is `table`.
fn asked(params: &Params, table: &[u8], sweep: Option<usize>, input: &In) -> Vec<Option<Request>> {
    let of_bank = |bank: usize| {
        let set = input.request_set[bank] as usize;
        let requester = usize::from(input.access_requester[bank]);
        match sweep {
            _ if input.flush => None,
            Some(set) => Some(Request::Clear { set }),
            None if input.invalidate_valid >> bank & 1 == 1 => Some(Request::Invalidate {
                set,
                way: input.invalidate_way[bank],
            }),
            None if input.access_valid >> bank & 1 == 1 => Some(Request::Access {
                set,
                tag: input.access_tag[bank],
                kid: table[requester.min(params.requesters)],
            }),
            None => None,
        }
    };
    (0..params.banks).map(of_bank).collect()
}

proptest! {
    #[test]
    fn requests_are_done_one_after_the_other((params, inputs) in run()) {
        let Params { kernels, sets, banks, stages, requesters, .. } = params;
        let reset_table: Vec<_> = (0..requesters)
            .map(|requester| requester.min(kernels - 1) as u8)
            .chain([kernels as u8 - 1])
            .collect();
        let mut table = reset_table.clone();
        let mut sweep = Some(0);
        // The requests of the two cycles before, the older first.
        let mut coming = VecDeque::from([vec![None; banks], vec![None; banks]]);
        let mut sequential: Vec<_> = (0..banks).map(|_| Sequential::new(&params)).collect();
        let mut swept = vec![vec![false; sets]; banks];
        let mut expected_done = vec![Done::default(); banks];
        let mut counts = zeros(kernels);
        let mut periods = zeros(kernels);
        let mut snapshots = 0u8;

        let mut monitor = LlcMonitor::new(params.clone()).unwrap();
        let idle = In::idle(&params);
        let drain = std::iter::repeat_n(&idle, 3 + stages);
        // The first sweep is not shorter than the rest of a run: let some runs get through it.
        let through = std::iter::repeat_n(&idle, sets - 1);
        for input in through.chain(&inputs).chain(drain) {
            prop_assert!(monitor.assume(input).is_ok());
            let before = monitor.state().clone();
            let out = monitor.step(input);
            prop_assert_eq!(out.ready, sweep.is_none());
            prop_assert_eq!(out.sequence_number, snapshots);
            for (bank, expected) in expected_done.iter().enumerate() {
                prop_assert_eq!(&done(&out, bank), expected);
            }

            // The requests of two cycles ago change the sets, also at the edge of a reset.
            coming.push_back(asked(&params, &table, sweep, input));
            let turn = coming.pop_front().unwrap();
            let mut written = Vec::new();
            for (bank, request) in turn.into_iter().enumerate() {
                expected_done[bank] = Done::default();
                if let Some(request) = request {
                    expected_done[bank] = sequential[bank].take(request, &mut counts);
                    let (Request::Access { set, .. }
                    | Request::Invalidate { set, .. }
                    | Request::Clear { set }) = request;
                    swept[bank][set] = true;
                    written.push((bank, set));
                }
            }
            prop_assert_eq!(monitor.written().collect::<Vec<_>>(), &written[..]);
            for bank in 0..banks {
                for set in 0..sets {
                    let held = &monitor.state().banks[bank].sets[set];
                    if !written.contains(&(bank, set)) {
                        prop_assert_eq!(held, &before.banks[bank].sets[set]);
                    }
                    prop_assert!(!swept[bank][set] || sequential[bank].is(set, held));
                }
            }

            if input.reset {
                coming.iter_mut().for_each(|requests| requests.fill(None));
                expected_done.fill(Done::default());
                (table, sweep, snapshots) = (reset_table.clone(), Some(0), 0);
                (counts, periods) = (zeros(kernels), zeros(kernels));
                continue;
            }
            if input.snapshot {
                add_periods(&mut periods, monitor.state(), true);
                snapshots = snapshots.wrapping_add(1);
            }
            if input.map_valid {
                table[usize::from(input.map_requester).min(requesters)] = input.map_kid;
            }
            sweep = match sweep {
                _ if input.flush => Some(0),
                Some(set) if set + 1 < sets => Some(set + 1),
                _ => None,
            };
        }
        add_periods(&mut periods, monitor.state(), false);
        prop_assert_eq!(periods, counts);
    }

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
                    snapshot: true,
                    flush: sweep && value % 8 == 0,
                    reset: false,
                });
            }
        }
    }
}
