//! Rationale: one SM is tested in front of a memory with fixed latency, in configurations that are
//! small enough to compute each cycle by hand. `memory` tests the load/store unit and the L1D,
//! `lines` lines of the L1D that are longer than the L2's, `issue_control` the inputs of mem_issue, `options` whole-line fills and
//! the order of the schedulers, `accounts` the consistency checks.

mod accounts;
mod issue_control;
mod lines;
mod memory;
mod options;
pub(in crate::gpu) mod script;

use std::collections::VecDeque;

use super::*;
use crate::gpu::config::{self, Policy};
use crate::workload::program::{Grid, Instruction};
use crate::workload::Op::{Read, Write};
use script::{at, compute, config, grid, lanes, one, same, script};

/// Replies after `latency` cycles, to requests that it takes while it is `open`.
#[derive(Debug)]
struct Fixed {
    latency: u64,
    open: bool,
    coming: VecDeque<(u64, Request)>,
    taken: Vec<Request>,
}

impl Port for Fixed {
    fn accepts(&self) -> bool {
        self.open
    }

    fn push(&mut self, request: Request) {
        self.taken.push(request);
        self.coming
            .push_back((request.issued + self.latency, request));
    }

    fn reply(&mut self, cycle: u64) -> Option<Reply> {
        let &(due, request) = self.coming.front()?;
        if due > cycle {
            return None;
        }
        self.coming.pop_front();
        Some(Reply { request })
    }
}

/// An SM and its memory.
struct Bench {
    sm: Sm,
    port: Fixed,
    cycle: u64,
}

impl Bench {
    /// The kernels, with KIDs in their order, one block of each on the SM at once.
    fn new(config: &Config, programs: &[Arc<dyn Program>]) -> Self {
        Self::over(128, config, programs)
    }

    /// The same in front of an L2 with lines of `line` bytes.
    fn over(line: u64, config: &Config, programs: &[Arc<dyn Program>]) -> Self {
        let known = programs.iter().cloned().map(Some).collect();
        let mut sm = Sm::new(0, config, line, known);
        for kernel in 0..programs.len() {
            assert!(sm.add_block(kernel as u8, 0, 0, 0));
        }
        Self {
            sm,
            port: Fixed {
                latency: 20,
                open: true,
                coming: VecDeque::new(),
                taken: vec![],
            },
            cycle: 0,
        }
    }

    /// A cycle; the counts must add up after it.
    fn tick(&mut self) -> u64 {
        let next = self.sm.tick(self.cycle, 0, &mut self.port);
        self.cycle += 1;
        if let Err((kernel, sum)) = self.sm.check() {
            panic!("cycle {}, kernel {kernel:?}: {sum}", self.cycle);
        }
        next
    }

    /// So many cycles; those in which `count` of kernel 0 grows, as often as it grows by.
    fn cycles(&mut self, cycles: u64, count: fn(&Stats) -> u64) -> Vec<u64> {
        let mut grown = vec![];
        for _ in 0..cycles {
            let before = count(self.sm.stats(0));
            self.tick();
            let more = count(self.sm.stats(0)) - before;
            grown.extend((0..more).map(|_| self.cycle - 1));
        }
        grown
    }

    /// The cycles of issue, from now on.
    fn issues(&mut self, cycles: u64) -> Vec<u64> {
        self.cycles(cycles, Stats::instructions)
    }
}

fn bench(steps: &[Instruction]) -> Bench {
    Bench::new(&config(), &[same(grid(1, 1), steps)])
}

#[test]
fn arithmetic_issues_one_latency_apart() {
    let mut bench = bench(&[compute(3, 4), compute(1, 2), compute(1, 1)]);
    assert_eq!(bench.issues(14), [0, 4, 8, 12]);
    assert_eq!(bench.cycles(1, |s| s.compute), [14]);
    // Exit takes no slot: the block ends in the cycle in which the warp could issue again.
    assert_eq!(bench.cycles(10, |s| s.blocks_ended), [15]);
    assert_eq!(bench.sm.take_ended(), Some(0));
    let Slots {
        issued,
        refused,
        idle,
    } = *bench.sm.slots();
    assert_eq!((issued, refused, idle), (5, 0, 20));
}

/// Beyond the wheel's slots, on the border of them, and within.
#[test]
fn long_latencies() {
    for latency in [62, 63, 64, 65, 127, 128, 129, 1000] {
        let mut bench = bench(&[compute(2, latency), compute(1, 1)]);
        let latency = u64::from(latency);
        assert_eq!(bench.issues(2 * latency + 1), [0, latency, 2 * latency]);
    }
}

#[test]
fn wait_goes_on_with_the_last_load() {
    let mut bench = bench(&[
        one(Read, 0),
        one(Read, 128),
        Instruction::Wait,
        compute(1, 1),
        one(Read, 0),
        Instruction::Wait,
        Instruction::Wait,
        compute(1, 1),
    ]);
    // Tried and sent in 1 and 2, back in 21 and 22. The next load is tried in 24, and a hit of 5
    // cycles. The second wait in a row takes a cycle.
    assert_eq!(bench.issues(40), [0, 1, 22, 23, 30]);
    let stats = bench.sm.stats(0);
    assert_eq!((stats.misses, stats.hits, stats.completed), (2, 1, 3));
    assert_eq!(stats.latency, 21 + 21 + 6);
    assert_eq!((stats.replies, stats.reply_latency), (2, 40));
}

#[test]
fn stores_hold_only_the_block() {
    let mut bench = bench(&[one(Write, 0), Instruction::Wait, compute(1, 1)]);
    assert_eq!(bench.issues(10), [0, 1]);
    assert_eq!(bench.cycles(30, |s| s.blocks_ended), [21]);
}

#[test]
fn a_barrier_waits_for_the_warps_that_have_not_ended() {
    let program = script(grid(1, 3), |place| match (place.warp, place.step) {
        (0, 0) => compute(1, 7),
        (0, 1) | (1, 0) => Instruction::Barrier,
        (0, 2) | (1, 1) => compute(1, 1),
        (2, 0) => compute(1, 12),
        _ => Instruction::Exit,
    });
    let mut config = config();
    config.sm.schedulers = 4;
    let mut bench = Bench::new(&config, &[program]);
    // Warp 2 ends in 12; the other two go on in 13.
    assert_eq!(bench.issues(30), [0, 0, 13, 13]);
}

/// Barriers and waits alone must not hold a cycle up for ever.
#[test]
fn a_program_without_issue_passes() {
    let idle = script(grid(1, 2), |place| match place.step % 3 {
        0 => Instruction::Barrier,
        _ => Instruction::Wait,
    });
    let mut bench = Bench::new(&config(), &[idle]);
    assert!(bench.issues(100).is_empty());
}

/// Two warps, each two instructions of one cycle and a store of its own.
#[test]
fn greedy_then_oldest_and_round_robin() {
    for (policy, stores) in [(Policy::Gto, [2, 5]), (Policy::Lrr, [4, 5])] {
        let program = script(grid(1, 2), |place| {
            let store = one(Write, 128 * u64::from(place.warp));
            at(&[compute(2, 1), store], place.step)
        });
        let mut config = config();
        config.sm.policy = policy;
        let mut bench = Bench::new(&config, &[program]);
        assert_eq!(bench.cycles(20, |s| s.memory), stores);
        let lines: Vec<_> = bench.port.taken.iter().map(|r| r.line).collect();
        assert_eq!(lines, [0, 128]);
    }
}

/// Two schedulers with two warps each: warp 0 and 2 on the first.
#[test]
fn one_memory_instruction_a_cycle() {
    let program = script(grid(1, 4), |place| {
        let store = one(Write, 128 * u64::from(place.warp));
        let work = [store, store, compute(1, 1)];
        at(&work, place.step)
    });
    let mut config = config();
    config.sm.schedulers = 2;
    let mut bench = Bench::new(&config, &[program]);
    assert_eq!(bench.cycles(7, |s| s.memory), [0, 1, 2, 3, 4, 5, 6]);
    // The schedulers take turns: warp 0 (greedy) is done after 0 and 2, warp 1 after 1 and 3.
    let lines: Vec<_> = bench.port.taken.iter().map(|r| r.line / 128).collect();
    assert_eq!(lines, [0, 1, 0, 1, 2, 3]);
    // Scheduler 0 has the arithmetic of warp 0 in 3, scheduler 1 that of warp 1 in 4.
    assert_eq!(bench.sm.stats(0).compute, 2);
    bench.tick();
    let Slots {
        issued,
        refused,
        idle,
    } = *bench.sm.slots();
    assert_eq!((issued, refused + issued + idle), (11, 16));
}

/// Of the paper's table 2, with 65,536 registers and 98,304 bytes: bp 12 blocks of 256 threads
/// (100 % of the threads, 75 % of the block slots), hs 7 (98.4 % of the registers), cp 16 blocks
/// of 128 threads (all block slots); and a made-up one for shared memory.
#[test]
fn occupancy_by_hand() {
    let sm = config::Sm {
        threads: 3072,
        warps: 96,
        blocks: 16,
        registers: 65_536,
        shared_memory: 98_304,
        ..config().sm
    };
    for (threads, registers, shared_memory, blocks, limit) in [
        (256, 12, 1_088, 12, Resource::Threads),
        (256, 36, 3_072, 7, Resource::Registers),
        (128, 28, 4_116, 16, Resource::Blocks),
        (64, 1, 32_769, 2, Resource::SharedMemory),
        (4096, 1, 0, 0, Resource::Threads),
    ] {
        let grid = Grid {
            blocks: 1,
            threads,
            registers,
            shared_memory,
        };
        let occupancy = Occupancy::of(&sm, &grid);
        assert_eq!((occupancy.blocks, occupancy.limit), (blocks, limit));
    }
}

/// The SM itself holds as many as the occupancy says.
#[test]
fn blocks_come_while_there_is_room_and_leave_it() {
    let mut config = config();
    config.sm.registers = 3 * 64 * 10;
    let grid = Grid {
        registers: 10,
        ..grid(9, 2)
    };
    let mut sm = Sm::new(0, &config, 128, vec![Some(same(grid, &[compute(1, 3)]))]);
    let mut port = Bench::new(&config, &[]).port;
    let came = (0..9)
        .filter(|number| sm.add_block(0, *number, 0, 0))
        .count();
    assert_eq!(
        (came as u32, sm.resident(0)),
        (Occupancy::of(&config.sm, &grid).blocks, 3)
    );
    // Six warps, one scheduler: the last issues in 5 and ends in 8.
    let ends: Vec<_> = (0..10)
        .map(|cycle| {
            sm.tick(cycle, 0, &mut port);
            std::iter::from_fn(|| sm.take_ended()).count()
        })
        .collect();
    assert_eq!(ends, [0, 0, 0, 0, 1, 0, 1, 0, 1, 0]);
    assert!(sm.add_block(0, 3, 0, 10));
}

/// Blocks come and go for longer than a scheduler has places.
#[test]
fn places_are_used_again() {
    let mut config = config();
    config.sm.warps = 6;
    let program = same(
        grid(1, 2),
        &[
            compute(2, 70),
            one(Read, 0),
            Instruction::Wait,
            compute(1, 3),
        ],
    );
    let mut bench = Bench::new(&config, &[program]);
    let mut next = 1;
    while bench.sm.stats(0).blocks_ended < 200 {
        bench.tick();
        if bench.cycle % 17 == 0 {
            next += u64::from(bench.sm.add_block(0, next, 0, bench.cycle));
        }
        assert!(bench.cycle < 20_000);
    }
    let stats = bench.sm.stats(0);
    assert!(stats.compute >= 200 * 2 * 3 && stats.memory >= 200 * 2);
}
