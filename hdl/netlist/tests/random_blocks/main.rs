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

#[path = "../support/mod.rs"]
#[macro_use]
mod support;

mod ast;
mod block;
mod bricks;
mod choices;
mod generate;
mod program;
mod rust;
mod text;
mod types;

use block::Circuit;
use cotenant_netlist::hdl::*;
use cotenant_netlist::{elaborate, Netlist};
use num_bigint::BigUint;
use program::Program;
use proptest::test_runner::{Config, FileFailurePersistence, RngSeed, TestCaseError, TestError, TestRunner};
use std::rc::Rc;
use support::agree::{lockstep, Run};
use support::stimulus::{self, Random};

/// Clock cycles a block.
const CYCLES: usize = 24;
/// The most numbers that decide about a block.
const NUMBERS: usize = 700;

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
    let seed = numbers.iter().fold(1u64, |h, n| h.wrapping_mul(0x100_0193) ^ u64::from(*n));
    let inputs: Vec<Vec<BigUint>> = stimulus::random(&netlist, CYCLES, seed);
    let outputs = lockstep(&mut circuit, &netlist, &inputs)
        .map_err(|m| format!("{m}\ninputs {:x?}\n{program}", inputs[m.cycle]))?;
    Ok(Run { name: name.into(), netlist, inputs, outputs })
}

fn config() -> Config {
    let asked = Config::default();
    let kept = FileFailurePersistence::Direct("tests/random_blocks/regressions.txt");
    Config {
        cases: if std::env::var_os("PROPTEST_CASES").is_some() { asked.cases } else { 400 },
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
        run(&numbers, "top").map(|_| ()).map_err(TestCaseError::fail)
    });
    match result {
        Err(TestError::Fail(reason, _)) => panic!("{reason}"),
        other => other.expect("enough cases"),
    }
}
