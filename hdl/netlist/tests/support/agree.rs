//! A block against itself: rust-hdl's own `update()`, and every reader of the
//! netlist that was elaborated from the block, signal by signal.

use super::engines::Engines;
use super::ports::{signals, values, Ports};
use super::stimulus;
use cotenant_netlist::{elaborate, Netlist};
use num_bigint::BigUint;

/// More passes over a block than any of these tests needs.
const SETTLED: usize = 10_000;

/// Runs a block's `update()` until nothing changes.
pub fn settle<B: Ports>(block: &mut B) {
    for _ in 0..SETTLED {
        block.update_all();
        if !block.has_changed() {
            return;
        }
    }
    panic!("update() does not settle");
}

/// Sets the clock, if the block has one.
pub fn clock<B: Ports>(block: &mut B, high: bool) {
    block.poke("clock", &u8::from(high).into());
}

/// A block that ran, with what it was given and what it answered.
pub struct Run {
    /// Name of the top module.
    pub name: String,
    /// What was elaborated from the block.
    pub netlist: Netlist,
    /// Inputs cycle by cycle.
    pub inputs: Vec<Vec<BigUint>>,
    /// Outputs cycle by cycle, by `update()`.
    pub outputs: Vec<Vec<BigUint>>,
}

impl Run {
    /// The outputs as Icarus prints them.
    pub fn printed(&self) -> Vec<Vec<String>> {
        let width = |k: usize| self.netlist.graph.width(self.netlist.outputs[k].node);
        let line = |values: &Vec<BigUint>| {
            values
                .iter()
                .enumerate()
                .map(|(k, v)| super::icarus::printed(v, width(k)))
                .collect()
        };
        self.outputs.iter().map(line).collect()
    }
}

/// Where two engines differ.
#[derive(Debug)]
pub struct Mismatch {
    /// Cycle, from 0.
    pub cycle: usize,
    /// The signal.
    pub signal: String,
    /// What `update()` says.
    pub update: BigUint,
    /// Who says otherwise, and what.
    pub other: (&'static str, BigUint),
}

impl std::fmt::Display for Mismatch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Mismatch {
            cycle,
            signal,
            update,
            other: (who, value),
        } = self;
        write!(
            f,
            "cycle {cycle}: {signal}: update() {update:#x}, {who} {value:#x}"
        )
    }
}

/// Runs `update()` and the netlist side by side on the same inputs.
///
/// Every named signal below the block is compared, before each clock edge;
/// those are all flops, too.
pub fn lockstep<B: Ports>(
    block: &mut B,
    netlist: &Netlist,
    inputs: &[Vec<BigUint>],
) -> Result<Vec<Vec<BigUint>>, Mismatch> {
    let names: Vec<String> = signals(block).into_iter().map(|s| s.0).collect();
    let mut engines = Engines::new(netlist, &names);
    let output = |o: &cotenant_netlist::Output| names.iter().position(|n| *n == o.name);
    let outputs: Vec<usize> = netlist
        .outputs
        .iter()
        .map(|o| output(o).expect("an output is a signal"))
        .collect();
    let mut answers = vec![];
    for (cycle, given) in inputs.iter().enumerate() {
        clock(block, false);
        for (input, value) in netlist.inputs.iter().zip(given) {
            assert!(block.poke(&input.name, value), "no input '{}'", input.name);
        }
        settle(block);
        let seen = values(block);
        engines
            .evaluate(given, &names, &seen)
            .map_err(|(k, who, value)| Mismatch {
                cycle,
                signal: names[k].clone(),
                update: seen[k].clone(),
                other: (who, value),
            })?;
        answers.push(outputs.iter().map(|&k| seen[k].clone()).collect());
        clock(block, true);
        settle(block);
        engines.edge();
    }
    Ok(answers)
}

/// Elaborates a block and runs it on random inputs; panics where the engines
/// differ.
#[track_caller]
pub fn agree<B: Ports>(name: &str, mut block: B, cycles: usize) -> Run {
    block.connect_all();
    let netlist = elaborate(&block, name).unwrap_or_else(|e| panic!("{name}: {e}"));
    let seed = name
        .bytes()
        .fold(1u64, |h, b| h.wrapping_mul(31).wrapping_add(b.into()));
    let inputs = stimulus::random(&netlist, cycles, seed);
    let outputs = lockstep(&mut block, &netlist, &inputs)
        .unwrap_or_else(|m| panic!("{name}: {m} (seed {seed:#x})"));
    Run {
        name: name.into(),
        netlist,
        inputs,
        outputs,
    }
}
