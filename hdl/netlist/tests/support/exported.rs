//! Our Verilog against `update()`, many blocks in one run of Icarus.

use super::agree::Run;
use super::icarus::{self, Bench, Pin};
use cotenant_netlist::verilog::{export, Design, Direction, Options};
use std::fmt::Write;

/// Exports a block under a name of its own, so that many fit in one file.
pub fn design(run: &Run) -> Design {
    let mut options = Options::default();
    options.top = Some(run.name.clone());
    options.prefix = format!("{}_", run.name);
    export(&run.netlist, &options).unwrap_or_else(|e| panic!("{}: {e}", run.name))
}

/// All modules of a design as one text.
pub fn text(design: &Design) -> String {
    design.modules.iter().map(|m| m.text.as_str()).collect()
}

/// Statements that give flops and RAMs the values that simulators start with.
///
/// The exported text has no `initial`: hardware is reset. A RAM's read data
/// register is found by the statement that reads the memory.
fn power_up(run: &Run, design: &Design) -> String {
    let mut out = String::new();
    let text = text(design);
    let path = |name: &str| {
        let state = design.regs.iter().find(|s| s.name == name);
        state
            .unwrap_or_else(|| panic!("{}: no '{name}' in {:?}", run.name, design.regs))
            .path
            .clone()
    };
    for reg in &run.netlist.regs {
        let _ = writeln!(
            out,
            "dut.{} = {}'h{:x};",
            path(&reg.name),
            reg.width,
            reg.init
        );
    }
    for ram in &run.netlist.rams {
        let path = path(&ram.name);
        let depth = 1u64 << ram.address_width;
        let _ = writeln!(
            out,
            "for (i = 0; i < {depth}; i = i + 1) dut.{path}[i] = 0;"
        );
        let (parent, mem) = path
            .rsplit_once('.')
            .map_or(("", path.as_str()), |(p, m)| (p, m));
        let reading = format!(" <= {mem}[");
        let line = text
            .lines()
            .find(|l| l.contains(&reading))
            .expect("a RAM is read");
        let data = line.trim().split(' ').next().unwrap_or_default();
        let dot = if parent.is_empty() { "" } else { "." };
        let _ = writeln!(out, "dut.{parent}{dot}{data} = 0;");
    }
    out
}

/// The test bench of a block.
pub fn bench(run: &Run, design: &Design) -> Bench {
    let pins = |direction| {
        let ports = design
            .ports
            .iter()
            .filter(move |p| p.direction == direction && !p.clock);
        ports
            .map(|p| Pin {
                name: p.verilog.clone(),
                width: p.width,
            })
            .collect()
    };
    Bench {
        module: design.top.clone(),
        clock: design
            .ports
            .iter()
            .find(|p| p.clock)
            .map(|p| p.verilog.clone()),
        inputs: pins(Direction::Input),
        outputs: pins(Direction::Output),
        vectors: run.inputs.clone(),
        power_up: power_up(run, design),
    }
}

/// Checks that the exported Verilog of each block does what its `update()`
/// did; says where it first does not.
pub fn differences(runs: &[Run]) -> Vec<String> {
    let designs: Vec<Design> = runs.iter().map(design).collect();
    let source: String = designs.iter().map(text).collect();
    let benches: Vec<Bench> = runs
        .iter()
        .zip(&designs)
        .map(|(r, d)| bench(r, d))
        .collect();
    let answers =
        icarus::run(&source, &benches).unwrap_or_else(|e| panic!("Icarus: {e}\n{source}"));
    let mut differences = vec![];
    for ((run, design), answers) in runs.iter().zip(&designs).zip(answers) {
        let expected = run.printed();
        let cycle = (0..expected.len()).find(|&k| answers.get(k) != Some(&expected[k]));
        if let Some(k) = cycle {
            differences.push(format!(
                "{}: cycle {k}: inputs {:x?}: update() {:?}, Icarus {:?}\n{}",
                run.name,
                run.inputs[k],
                expected[k],
                answers.get(k),
                text(design),
            ));
        }
    }
    differences
}

/// Panics unless [`differences`] is empty.
#[track_caller]
pub fn agrees(runs: &[Run]) {
    let differences = differences(runs);
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}
