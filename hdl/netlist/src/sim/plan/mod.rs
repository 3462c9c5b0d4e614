//! Order of computation, and what is skipped when nothing changes.
//!
//! A step of a design is a list of stores: next values into flops, outputs,
//! RAM words. Where many flops choose by the same flag (a reset, a flush, a
//! column that is incremented) the choice becomes a branch, so that what the
//! other side needs is not computed and what stays is not written. Everything
//! reads the state as it was before the edge: a flop is written after its last
//! reader, or, where there is no such order, read early.

mod emit;
mod split;

use super::words::{Run, Word, Words};
use emit::Emitter;
use split::Planner;
use std::collections::HashSet;

/// What a program does to the memory.
#[derive(Debug, Default)]
pub(super) struct Effects {
    /// Word of the memory and its new value.
    pub stores: Vec<(u32, Word)>,
    /// Writes to RAMs, after all reads.
    pub writes: Vec<RamWrite>,
}

/// A conditional write of a RAM word.
#[derive(Debug)]
pub(super) struct RamWrite {
    pub enable: Word,
    pub index: Word,
    /// One run of the memory for each word of 64 bits, and its new value.
    pub words: Vec<(Run, Word)>,
}

/// An instruction.
#[derive(Debug)]
pub(super) enum Step {
    Compute(Word),
    Store(u32, Word),
    /// Stores the last at the index, modulo the run's length.
    StoreAt(Run, Word, Word),
    If {
        flag: Word,
        then: Vec<Step>,
        otherwise: Vec<Step>,
    },
}

/// Steps in order; operands of a step are computed before it.
#[derive(Debug)]
pub(super) struct Plan {
    pub words: Words,
    pub steps: Vec<Step>,
    /// Loads that are computed like other words, since their place in the
    /// memory is written before their last use.
    pub early: HashSet<Word>,
}

/// Straight-line code with branches behind it.
#[derive(Debug, Default)]
struct Region {
    parent: usize,
    depth: usize,
    stores: Vec<(u32, Word)>,
    branches: Vec<Branch>,
    /// Writes to RAMs: run, index, value.
    writes: Vec<(Run, Word, Word)>,
}

#[derive(Debug)]
struct Branch {
    flag: Word,
    then: usize,
    otherwise: usize,
}

/// Orders the effects; `registers` is the number of words before the RAMs,
/// `inputs` of those that are inputs.
pub(super) fn plan(words: Words, effects: Effects, inputs: usize, registers: usize) -> Plan {
    let mut planner = Planner {
        words,
        regions: vec![Region::default()],
        inputs,
    };
    for write in effects.writes {
        let then = planner.region(0);
        let otherwise = planner.region(0);
        planner.regions[0].branches.push(Branch {
            flag: write.enable,
            then,
            otherwise,
        });
        planner.regions[then].writes = write
            .words
            .into_iter()
            .map(|(run, word)| (run, write.index, word))
            .collect();
    }
    planner.split(0, effects.stores);
    Emitter::new(planner.words, planner.regions, registers).plan()
}
