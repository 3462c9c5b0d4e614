//! Against the replay model: accesses alone, in any bank and at any distance.

use std::collections::VecDeque;

use cotenant_golden::llc::cache::{Cache, Geometry, KernelCounts, Outcome, Reference};
use cotenant_golden::llc::llc_monitor::{Done, In, LlcMonitor, Matrix, Params};
use cotenant_golden::workload::{Access, Op};
use cotenant_golden::Model;
use proptest::prelude::*;

use super::{add_periods, done, params, zeros};

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
        let latency = params.request_latency();
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
        for _ in 0..latency + 1 + stages {
            step(&idle, &mut outcomes)?;
        }
        prop_assert_eq!(answered, trace.len());

        // The last period, by the read port.
        let before = counts.clone();
        let snapshot = In { snapshot: true, ..idle.clone() };
        monitor.step(&snapshot);
        add_periods(&mut counts, monitor.state(), true);
        for matrix in Matrix::of(&params) {
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
        let by_kernel = |of: fn(&KernelCounts) -> u64| {
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
