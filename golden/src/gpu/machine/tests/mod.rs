//! Rationale: tests of what the whole GPU adds to its SMs and its memory system: how thread blocks
//! are distributed over time, skipped idle cycles, consistent counts. `random` runs random programs
//! on random configurations, `lines` the same with L1D lines that are longer than the L2's.

mod lines;
mod random;

use std::sync::Arc;

use super::*;
use crate::gpu::sm::tests::script::{at, compute, config, grid, one, same, script};
use crate::gpu::sm::Sum;
use crate::sm::mem_issue::{MemIssue, Params};
use crate::workload::program::{Grid, Instruction, Program};
use crate::workload::Op::{Read, Write};
use crate::Model;

const GEOMETRY: Geometry = Geometry {
    sets: 16,
    ways: 2,
    line: 128,
    kernels: 3,
    banks: 4,
};

fn launch(kernel: u8, program: Arc<dyn Program>) -> Launch {
    Launch {
        program,
        kernel,
        sms: u64::MAX,
        blocks_per_sm: None,
        start: 0,
        restart: false,
    }
}

/// A machine of so many of the small SMs.
fn machine(sms: usize, launches: Vec<Launch>) -> Machine {
    let mut config = config();
    config.sm.count = sms;
    Machine::new(&config, GEOMETRY, launches).unwrap()
}

fn run(machine: &mut Machine, cycle: u64) {
    machine.run_to(cycle, &mut |_| true);
    machine.check().unwrap();
}

/// By SM, the blocks that have come.
fn started(machine: &Machine, kernel: usize) -> Vec<u64> {
    let sms = 0..machine.sms.len();
    sms.map(|sm| machine.sm_stats(sm, kernel).blocks_started)
        .collect()
}

/// A store, so that the line is in the L2, then a load from another SM: the crossbar's 3 cycles
/// there, 10 for the hit, 3 back for 40 bytes in two flits.
#[test]
fn a_load_that_hits_the_l2() {
    let steps = [one(Read, 0), Instruction::Wait, compute(1, 1)];
    let mut first = launch(0, same(grid(1, 1), &[one(Write, 0)]));
    first.sms = 0b01;
    let mut second = launch(1, same(grid(1, 1), &steps));
    (second.sms, second.start) = (0b10, 100);
    let mut machine = machine(2, vec![first, second]);
    let mut seen = vec![];
    machine.run_to(300, &mut |reached| {
        seen.push((reached.cycle, reached.access.kernel, reached.outcome.hit));
        true
    });
    // Issued in 0 and 100, handed over in the cycle after; the store is of two flits.
    assert_eq!(seen, [(5, 0, false), (104, 1, true)]);
    let stats = machine.stats(1);
    assert_eq!(stats.sm.reply_latency, 3 + 10 + 3 + 1);
    assert_eq!(stats.sm.latency, 1 + 17);
    assert!(machine.is_finished() && machine.in_flight() == 0);
    machine.check().unwrap();
    let activity = machine.activity()[1];
    assert_eq!(
        (activity.instructions, activity.requests, activity.answered),
        (1, 1, 1)
    );
    assert_eq!(activity.latency, 17);
}

#[test]
fn blocks_go_round() {
    let long = same(grid(7, 1), &[compute(1, 1000)]);
    let mut limited = launch(1, long.clone());
    limited.blocks_per_sm = Some(1);
    let mut masked = launch(2, long.clone());
    masked.sms = 0b110;
    let mut machine = machine(3, vec![launch(0, long), limited, masked]);
    run(&mut machine, 0);
    // In cycle 0 each SM takes one of each.
    let all = |machine: &Machine| [0, 1, 2].map(|kernel| started(machine, kernel));
    assert_eq!(all(&machine), [[1, 1, 1], [1, 1, 1], [0, 1, 1]]);
    run(&mut machine, 500);
    // Eight block slots per SM: SM 1 and 2 give them to the kernels in turn.
    assert_eq!(all(&machine), [[3, 2, 2], [1, 1, 1], [0, 4, 3]]);
    run(&mut machine, 10_000);
    assert!(machine.is_finished());
    let mut shares = started(&machine, 1);
    shares.sort_unstable();
    assert_eq!(shares, [2, 2, 3]);
}

#[test]
fn kernels_start_when_told_and_again() {
    let mut once = launch(0, same(grid(3, 1), &[compute(1, 10)]));
    once.start = 1_000_000_000;
    // Which lap it is shows in the line.
    let mut again = launch(
        1,
        script(grid(2, 1), |place| {
            at(
                &[one(Write, 128 * (2 * place.lap + place.block))],
                place.step,
            )
        }),
    );
    again.restart = true;
    let mut machine = machine(1, vec![once, again]);
    let mut lines = vec![];
    machine.run_to(200, &mut |reached| {
        lines.push(reached.access.address / 128);
        true
    });
    machine.check().unwrap();
    assert_eq!(lines, (0..lines.len() as u64).collect::<Vec<_>>());
    let laps = machine.stats(1).laps;
    assert!(laps > 5 && machine.activity()[1].laps == laps);
    assert_eq!(laps, machine.stats(1).sm.blocks_ended / 2);
    assert_eq!(machine.stats(0).sm.blocks_started, 0);
    machine.stop_launching();
    // It would begin now.
    run(&mut machine, 2_000_000_000);
    assert_eq!(machine.stats(0).sm.blocks_started, 0);
    assert!(!machine.is_finished() && machine.in_flight() == 0);
}

#[test]
fn long_idle_stretches_are_not_stepped() {
    let mut late = launch(0, same(grid(1, 1), &[compute(3, 1 << 30), one(Write, 0)]));
    late.start = 1 << 40;
    let mut machine = machine(16, vec![late]);
    run(&mut machine, 1 << 41);
    assert_eq!(
        (machine.stats(0).sm.compute, machine.stats(0).sm.stores),
        (3, 1)
    );
    assert_eq!(machine.slots(0).idle, (1 << 41) + 1 - 4);
}

#[test]
fn the_run_stops_when_enough_is_seen() {
    let mut machine = machine(
        1,
        vec![launch(
            0,
            same(grid(1, 1), &[one(Write, 0), one(Write, 128)]),
        )],
    );
    machine.run_to(100, &mut |_| false);
    assert_eq!((machine.cycle(), machine.counts().accesses), (6, 1));
    machine.run_to(100, &mut |_| true);
    assert_eq!((machine.cycle(), machine.counts().accesses), (101, 2));
    assert_eq!(machine.geometry(), &GEOMETRY);
}

#[test]
fn what_cannot_run_is_named() {
    let fine = || same(grid(1, 1), &[]);
    let with = |change: fn(&mut Grid)| {
        let mut grid = grid(1, 1);
        change(&mut grid);
        launch(0, same(grid, &[]))
    };
    let error = |launches: Vec<Launch>| {
        let made = Machine::new(&config(), GEOMETRY, launches);
        made.err().unwrap().to_string()
    };
    for (launches, message) in [
        (
            vec![launch(3, fine())],
            "kernel 3: expected a KID below 3, the number of kernels of the L2",
        ),
        (
            vec![launch(1, fine()), launch(1, fine())],
            "kernel 1: launched twice, expected a KID of its own for each launch",
        ),
        (
            vec![Launch {
                sms: 0b10,
                ..launch(0, fine())
            }],
            "kernel 0: none of its SMs exists (mask 0x2), expected one of the 1",
        ),
        (
            vec![Launch {
                blocks_per_sm: Some(0),
                ..launch(0, fine())
            }],
            "blocks-per-sm is 0, expected 1 to 4294967295",
        ),
        (
            vec![with(|grid| grid.blocks = 0)],
            "kernel 0: a grid of 0 blocks of 32 threads, expected at least one block, and a \
             multiple of 32 threads",
        ),
        (
            vec![with(|grid| grid.threads = 33)],
            "kernel 0: a grid of 1 blocks of 33 threads, expected at least one block, and a \
             multiple of 32 threads",
        ),
        (
            vec![with(|grid| grid.threads = 1056)],
            "kernel 0: a block takes 1056 threads, expected at most the SM's 1024",
        ),
        (
            vec![with(|grid| grid.registers = 2049)],
            "kernel 0: a block takes 65568 registers, expected at most the SM's 65536",
        ),
        (
            vec![with(|grid| grid.shared_memory = 65_537)],
            "kernel 0: a block takes 65537 bytes of shared memory, expected at most the SM's 65536",
        ),
    ] {
        assert_eq!(error(launches), message);
    }
    let mut wrong = config();
    wrong.l1d.sets = 3;
    let made = Machine::new(&wrong, GEOMETRY, vec![]);
    assert!(made.err().unwrap().to_string().starts_with("l1d.sets is 3"));
    let mut machine = machine(2, vec![launch(0, fine())]);
    let unit = || Box::new(MemIssue::new(Params::paper(3)).unwrap());
    let error = machine
        .with_issue_control(2, unit())
        .unwrap_err()
        .to_string();
    assert_eq!(error, "SM 2 for mem_issue: expected a number below 2");
    machine.run_to(5, &mut |_| true);
    let error = machine
        .with_issue_control(0, unit())
        .unwrap_err()
        .to_string();
    assert_eq!(
        error,
        "mem_issue at cycle 6: expected before the first cycle"
    );
}

/// Independent runs use all cores.
#[test]
fn a_machine_may_go_to_another_thread() {
    let mut machine = machine(1, vec![launch(0, same(grid(1, 1), &[one(Write, 0)]))]);
    let unit = MemIssue::new(Params::paper(3)).unwrap();
    machine.with_issue_control(0, Box::new(unit)).unwrap();
    let thread = std::thread::spawn(move || {
        run(&mut machine, 200);
        machine.stats(0).sm.stores
    });
    assert_eq!(thread.join().unwrap(), 1);
}

/// Each count that the machine compares, off by one.
#[test]
fn wrong_counts_are_found() {
    let steps = [
        one(Read, 0),
        one(Write, 128),
        Instruction::Wait,
        compute(4, 10),
    ];
    let made = || {
        let mut machine = machine(2, vec![launch(1, same(grid(9, 1), &steps))]);
        run(&mut machine, 90);
        machine
    };
    type Break = fn(&mut Machine);
    let breaks: [(Break, &str); 3] = [
        (
            |m| m.kernels[0].given += 1,
            "kernel 1: blocks started are 9, expected the 10 given out",
        ),
        (|m| m.kernels[0].ended += 1, "kernel 1: blocks ended are"),
        (
            |m| {
                m.memory.push(Request {
                    sm: 0,
                    kernel: 1,
                    op: Read,
                    line: 0,
                    sectors: 1,
                    mark: 0,
                    issued: 0,
                })
            },
            "kernel 1: requests sent by SMs are",
        ),
    ];
    for (break_it, message) in breaks {
        let mut machine = made();
        break_it(&mut machine);
        let error = machine.check().unwrap_err().to_string();
        assert!(error.starts_with(message), "{error}");
    }
    let sum = Sum {
        what: "loads",
        count: 1,
        other: "hits, merged and misses",
        expected: 2,
    };
    let error = Imbalance::Sm {
        sm: 3,
        kernel: None,
        sum,
    };
    assert_eq!(
        error.to_string(),
        "SM 3, all kernels: loads are 1, expected the 2 hits, merged and misses"
    );
}
