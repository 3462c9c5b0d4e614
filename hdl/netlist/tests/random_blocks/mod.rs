//! Random blocks against rust-hdl's own `update()`.
//!
//! Rationale: the simulators, the Verilog and the proofs all read the netlist
//! that one elaborator made; a mistake there is the same in all of them.
//! rust-hdl's `update()` is the only reading of a block that shares nothing
//! with it. So random blocks are made as data: their `update()` interprets
//! the data with rust-hdl's `Bits<N>` and signals, their `hdl()` is the AST
//! that `#[hdl_gen]` would have made of the same text. They contain each
//! other three deep, flops, RAMs, and blocks that the macro really made.
//! Each runs for some cycles on random inputs; every named signal, flops and
//! instances included, is compared before each clock edge, with a naive
//! evaluator, the interpreter and the native code; some in Icarus, too.
//!
//! `PROPTEST_CASES=5000` runs more, `PROPTEST_RNG_SEED=7` others; a failure is
//! shrunk, printed as Rust, and its seed kept in `regressions.txt`.
// The macro is given a match on purpose.
#![allow(clippy::single_match)]

mod block;
mod bricks;
mod choices;
mod faithful;
mod generate;
mod misread;
mod program;
mod rust;
mod text;
mod types;
mod written;

use crate::support::agree::{lockstep, Run};
use crate::support::stimulus::{self, Random};
use crate::support::{exported, lint};
use block::Circuit;
use cotenant_netlist::hdl::*;
use cotenant_netlist::{elaborate, fault, Netlist};
use num_bigint::BigUint;
use program::Program;
use proptest::test_runner::{
    Config, FileFailurePersistence, RngSeed, TestCaseError, TestError, TestRunner,
};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Clock cycles per block.
const CYCLES: usize = 24;
/// The most numbers that decide about a block.
const NUMBERS: usize = 2000;

fn elaborated(program: &Rc<Program>, name: &str) -> Result<(Circuit, Netlist), String> {
    let mut circuit = Circuit::new(program.clone());
    circuit.connect_all();
    let netlist = elaborate(&circuit, name).map_err(|e| format!("refused: {e}\n{program}"))?;
    Ok((circuit, netlist))
}

/// Runs a block everywhere but in Icarus.
fn run(numbers: &[u16], name: &str) -> Result<Run, String> {
    let program = generate::program(numbers);
    let (mut circuit, netlist) = elaborated(&program, name)?;
    let seed = numbers
        .iter()
        .fold(1u64, |h, n| h.wrapping_mul(0x100_0193) ^ u64::from(*n));
    let inputs: Vec<Vec<BigUint>> = stimulus::random(&netlist, CYCLES, seed);
    let outputs = lockstep(&mut circuit, &netlist, &inputs)
        .map_err(|m| format!("{m}\ninputs {:x?}\n{program}", inputs[m.cycle]))?;
    Ok(Run {
        name: name.into(),
        netlist,
        inputs,
        outputs,
    })
}

fn config() -> Config {
    let asked = Config::default();
    let kept = FileFailurePersistence::Direct("tests/random_blocks/regressions.txt");
    Config {
        cases: if std::env::var_os("PROPTEST_CASES").is_some() {
            asked.cases
        } else {
            400
        },
        rng_seed: match asked.rng_seed {
            RngSeed::Random => RngSeed::Fixed(0xc07e_4a47),
            fixed => fixed,
        },
        failure_persistence: Some(Box::new(kept)),
        max_shrink_iters: 4000,
        ..asked
    }
}

#[test]
fn random_blocks_do_what_their_update_does() {
    let mut runner = TestRunner::new(config());
    let numbers = proptest::collection::vec(proptest::num::u16::ANY, 0..NUMBERS);
    let result = runner.run(&numbers, |numbers| {
        run(&numbers, "top")
            .map(|_| ())
            .map_err(TestCaseError::fail)
    });
    match result {
        Err(TestError::Fail(reason, _)) => panic!("{reason}"),
        other => other.expect("enough cases"),
    }
}

/// Numbers for blocks that are always the same.
fn fixed(seed: u64) -> Vec<u16> {
    let mut random = Random::new(seed);
    (0..NUMBERS).map(|_| random.word() as u16).collect()
}

// The generator is worth what it reaches: every statement, expression, kind of
// instance and operator, in designs that are no constants.
#[test]
fn the_generator_reaches_everything() {
    let wanted = [
        "AssignLiteral",
        "AssignField",
        "If(",
        "MatchBits",
        "MatchBit(",
        "MatchMode",
        "For(",
        "Read(",
        "Into(",
        "Field(",
        "Truth",
        "Sized",
        "Loop(",
        "Not(",
        "Reduce(",
        "WithLiteral",
        "LiteralWith",
        "AddBit",
        "Mul(",
        "ShiftLiteral",
        "Shift {",
        "Cast(",
        "GetBit(",
        "GetBits(",
        "ReplaceBit",
        "Computed",
        "Affine",
        "Reverse",
        "Modulo",
        "Program(",
        "Flop(",
        "Ram(",
        "Add,",
        "Sub,",
        "And,",
        "Or,",
        "Xor,",
        "Eq,",
        "Ne,",
        "Lt,",
        "Le,",
        "Gt,",
        "Ge,",
        "BothTrue",
        "AnyTrue",
        "Small",
        "Large",
        "Constant(",
        "len: Some",
    ];
    let bricks: Vec<String> = bricks::BRICKS
        .iter()
        .map(|b| format!("Brick({b:?})"))
        .collect();
    let widths: Vec<String> = types::WIDTHS.iter().map(|w| format!("Bits({w})")).collect();
    let programs: Vec<_> = (0..200).map(|k| generate::program(&fixed(k))).collect();
    let text: String = programs.iter().map(|p| format!("{p:?}")).collect();
    for word in wanted
        .iter()
        .map(|w| w.to_string())
        .chain(bricks)
        .chain(widths)
    {
        let found = text.matches(&word).count();
        assert!(found >= 10, "'{word}' only {found} times");
    }
    let (mut varying, mut outputs, mut regs) = (0, 0, 0);
    for program in &programs {
        let netlist = elaborated(program, "top")
            .unwrap_or_else(|e| panic!("{e}"))
            .1;
        let graph = &netlist.graph;
        varying += netlist
            .outputs
            .iter()
            .filter(|o| graph.value(o.node).is_none())
            .count();
        outputs += netlist.outputs.len();
        regs += netlist.regs.len();
    }
    assert!(
        varying * 3 > outputs * 2,
        "{varying} of {outputs} outputs are no constants"
    );
    assert!(
        regs > 2 * programs.len(),
        "{regs} flops in {} designs",
        programs.len()
    );
}

/// Random blocks under names of their own.
fn runs(prefix: &str, seeds: std::ops::Range<u64>) -> Vec<Run> {
    let one =
        |k| run(&fixed(k), &format!("{prefix}{k}")).unwrap_or_else(|e| panic!("seed {k}: {e}"));
    seeds.map(one).collect()
}

// The exported Verilog, many designs in one run of Icarus.
#[test]
fn random_blocks_in_icarus() {
    exported::agrees(&runs("icarus", 1000..1000 + sample(60)));
}

/// What Verilator may say of a random program, but not of one that a person
/// wrote: comparisons that are always true, a flop that is never reset nor
/// assigned, and outputs of one block that depend on each other in turns.
const WAIVED: &[&str] = &["UNSIGNED", "CMPCONST", "UNDRIVEN", "UNOPTFLAT"];

// And the linters have nothing else to say.
#[test]
fn random_blocks_are_lint_clean() {
    lint::clean_but_for(&runs("lint", 2000..2000 + sample(20)), WAIVED);
}

/// A sample of this size, larger as `PROPTEST_CASES` is.
fn sample(size: u64) -> u64 {
    let cases: Option<u64> = std::env::var("PROPTEST_CASES")
        .ok()
        .and_then(|n| n.parse().ok());
    cases.map_or(size, |cases| size.max(cases / 10))
}

// What these comparisons are worth: one changed node, flop or input of the
// netlist, and they notice. Not all can be noticed: some changes make no
// difference, some need a rare input.
#[test]
fn a_broken_netlist_is_caught() {
    let mut tally: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for seed in 3000..3040 {
        let program = generate::program(&fixed(seed));
        let netlist = elaborated(&program, "top")
            .unwrap_or_else(|e| panic!("{e}"))
            .1;
        let inputs = stimulus::random(&netlist, CYCLES, seed);
        for fault in fault::sample(&netlist, 7, seed) {
            let broken = netlist.with_fault(&fault).expect("a place of this netlist");
            let caught = lockstep(&mut Circuit::new(program.clone()), &broken, &inputs).is_err();
            let (found, all) = tally.entry(fault.kind()).or_default();
            *found += usize::from(caught);
            *all += 1;
        }
    }
    assert!(tally.len() >= 6, "{tally:?}");
    for (kind, (found, all)) in &tally {
        assert!(4 * found > *all, "{kind}: {found} of {all} caught");
    }
    let (found, all) = tally.values().fold((0, 0), |t, k| (t.0 + k.0, t.1 + k.1));
    assert!(2 * found > all, "{tally:?}");
}

// A wrong elaborator is caught, too: here one that reads `<` as `<=`, by
// giving it the AST of a program that says so.
#[test]
fn a_wrong_reading_is_caught() {
    let mut caught = 0;
    for seed in 4000..4060 {
        let program = generate::program(&fixed(seed));
        let mut misread = Program::clone(&program);
        if !misread::misread(&mut misread.body) {
            continue;
        }
        let netlist = elaborated(&Rc::new(misread), "top")
            .unwrap_or_else(|e| panic!("{e}"))
            .1;
        let inputs = stimulus::random(&netlist, CYCLES, seed);
        caught += usize::from(lockstep(&mut Circuit::new(program), &netlist, &inputs).is_err());
    }
    assert!(caught > 10, "{caught} caught");
}
