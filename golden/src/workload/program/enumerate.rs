//! Enumerates all warps and steps of a program in tests, and checks what holds of any program.

use super::{Instruction, Memory, Place, Program, WARP};
use crate::workload::Op;

/// Steps of a warp after which it must have ended.
const MOST_STEPS: u64 = 1 << 20;

/// The instructions of a warp up to its exit, without it.
pub(super) fn warp(program: &dyn Program, block: u64, warp: u32) -> Vec<Instruction> {
    let mut done = vec![];
    loop {
        let step = done.len() as u64;
        assert!(step < MOST_STEPS, "{program:?} does not end");
        let place = Place {
            block,
            warp,
            step,
            lap: 0,
        };
        match program.instruction(&place) {
            Instruction::Exit => return done,
            instruction => done.push(instruction),
        }
    }
}

/// Memory instructions of all warps of all blocks, with those.
///
/// Checks that every warp ends, that nothing is touched outside of the extent, that the first and
/// the last byte of it are touched, that numbers are legal and that all warps of a block meet at
/// the same number of barriers.
pub(super) fn memory(program: &dyn Program) -> Vec<(u64, u32, Memory)> {
    let (grid, extent) = (program.grid(), program.extent());
    assert!(grid.threads > 0 && grid.threads % WARP == 0);
    let (mut touched, mut lowest, mut highest) = (vec![], u64::MAX, 0);
    for block in 0..grid.blocks {
        let mut barriers = vec![];
        for number in 0..grid.warps() {
            let instructions = warp(program, block, number);
            let barrier = |i: &&Instruction| **i == Instruction::Barrier;
            barriers.push(instructions.iter().filter(barrier).count());
            for instruction in instructions {
                match instruction {
                    Instruction::Compute { count, latency } => assert!(count > 0 && latency > 0),
                    Instruction::Memory(memory) => {
                        assert!(memory.lanes != 0);
                        assert!(matches!(memory.bytes, 1 | 2 | 4 | 8 | 16));
                        for address in memory.touched() {
                            assert_eq!(address % u64::from(memory.bytes), 0);
                            lowest = lowest.min(address);
                            highest = highest.max(address + u64::from(memory.bytes));
                        }
                        touched.push((block, number, memory));
                    }
                    _ => {}
                }
            }
        }
        barriers.dedup();
        assert_eq!(barriers.len(), 1, "barriers of block {block}: {barriers:?}");
    }
    assert!(
        extent.start <= lowest && highest <= extent.end,
        "{extent:x?}"
    );
    touched
}

/// How often each element of `bytes` bytes from `base` on, `count` of them, is accessed so.
pub(super) fn times(
    touched: &[(u64, u32, Memory)],
    op: Op,
    base: u64,
    bytes: u64,
    count: u64,
) -> Vec<u64> {
    let mut times = vec![0; count as usize];
    for (_, _, memory) in touched.iter().filter(|(_, _, memory)| memory.op == op) {
        for address in memory.touched().filter(|address| *address >= base) {
            if let Some(times) = times.get_mut(((address - base) / bytes) as usize) {
                *times += 1;
            }
        }
    }
    times
}
