//! Three in step, cycle by cycle: a block's `update()`, its netlist, and a model in plain Rust.
//!
//! The examples `fifo` and `round_robin` share it.

use cotenant_netlist::hdl::*;
use cotenant_netlist::sim::Sim;
use cotenant_netlist::vectors::{Header, Writer};
use cotenant_netlist::{verilog, Netlist};
use std::error::Error;
use std::fs::{write, File};
use std::path::Path;

/// Ports of a block as numbers, in the order in which they are declared; the clock apart.
pub trait Ports: Block {
    /// Sets the clock.
    fn set_clock(&mut self, high: bool);

    /// Sets all inputs.
    fn set_inputs(&mut self, values: &[u64]);

    /// Values of all outputs.
    fn outputs(&self) -> Vec<u64>;
}

/// What a block should do.
pub trait Model {
    /// The outputs of a cycle with these inputs; then the clock's edge.
    fn cycle(&mut self, inputs: &[u64]) -> Vec<u64>;
}

/// Cycles of inputs, in the order of the netlist's: random, and a reset in the first cycle and
/// one of 64.
pub fn stimulus(netlist: &Netlist, cycles: usize, seed: u64) -> Vec<Vec<u64>> {
    let mut state = seed;
    // SplitMix64.
    let mut random = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = state;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    };
    let mut cycle = |number: usize| {
        let inputs = netlist.inputs.iter().map(|input| match &input.name[..] {
            "reset" => u64::from(number == 0 || random() % 64 == 0),
            _ => random() >> (64 - input.width),
        });
        inputs.collect()
    };
    (0..cycles).map(&mut cycle).collect()
}

/// Where two of the three differ first.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cycle {cycle}: {output}: netlist {netlist:#x}, {other} {expected:#x}")]
pub struct Mismatch {
    /// The cycle, from 0.
    pub cycle: usize,
    /// The output port.
    pub output: String,
    /// Its value in the netlist.
    pub netlist: u64,
    /// Who says otherwise: `update()` or the model.
    pub other: &'static str,
    /// And what.
    pub expected: u64,
}

/// Runs the three on the same inputs and compares all outputs in each cycle.
///
/// # Errors
/// The first difference.
pub fn lockstep(
    block: &mut impl Ports,
    netlist: &Netlist,
    mut model: impl Model,
    stimulus: &[Vec<u64>],
) -> Result<(), Box<dyn Error>> {
    let mut sim = Sim::new(netlist)?;
    let inputs: Vec<_> = sim.layout().inputs().map(|(_, slot)| slot).collect();
    let outputs: Vec<_> = sim.layout().outputs().map(|(_, slot)| slot).collect();
    for (cycle, values) in stimulus.iter().enumerate() {
        block.set_inputs(values);
        settle(block);
        inputs
            .iter()
            .zip(values)
            .for_each(|(slot, value)| sim.set(*slot, *value));
        sim.eval();
        for (other, expected) in [
            ("update()", block.outputs()),
            ("model", model.cycle(values)),
        ] {
            for (port, (slot, expected)) in outputs.iter().zip(expected).enumerate() {
                if sim.get(*slot) != expected {
                    let output = netlist.outputs[port].name.clone();
                    let netlist = sim.get(*slot);
                    return Err(Mismatch {
                        cycle,
                        output,
                        netlist,
                        other,
                        expected,
                    }
                    .into());
                }
            }
        }
        sim.step();
        for high in [true, false] {
            block.set_clock(high);
            settle(block);
        }
    }
    Ok(())
}

/// Runs `update()` until nothing changes.
fn settle(block: &mut impl Block) {
    loop {
        block.update_all();
        if !block.has_changed() {
            return;
        }
    }
}

/// Writes Verilog, a testbench with its vectors, and assertions into a folder.
///
/// # Errors
/// What cannot be exported or written.
pub fn export(
    netlist: &Netlist,
    top: &str,
    stimulus: &[Vec<u64>],
    assertions: &str,
    folder: &Path,
) -> Result<(), Box<dyn Error>> {
    let mut options = verilog::Options::default();
    options.top = Some(top.into());
    // Your block's, which its files name.
    options.license = Some("MIT OR Apache-2.0".into());
    let design = verilog::export(netlist, &options)?;
    design.write_to(folder)?;

    let header = Header::of(&design).fact("unit", top);
    let mut vectors = Writer::new(File::create(folder.join(format!("{top}.vec")))?, &header)?;
    let mut sim = Sim::new(netlist)?;
    let inputs: Vec<_> = sim.layout().inputs().map(|(_, slot)| slot).collect();
    for values in stimulus {
        inputs
            .iter()
            .zip(values)
            .for_each(|(slot, value)| sim.set(*slot, *value));
        sim.step();
        vectors.record(&sim)?;
    }
    vectors.finish()?;

    let testbench = verilog::testbench(netlist, &design, &header)?;
    write(folder.join(format!("{top}_tb.v")), testbench)?;
    write(folder.join(format!("{top}_assert.sv")), assertions)?;
    Ok(())
}
