//! The simulators side by side: JIT, interpreter, and Verilator on the
//! exported Verilog, with the same stimulus and the same hash of all outputs;
//! and the cost of waves, ours beside Verilator's own.
//!
//! `cargo bench --bench engines` needs `verilator` and `g++`; the ratios are
//! printed at the end of the run.

mod stimulus;
mod verilated;
mod waves;

use cotenant_netlist::sim::{Engine, Sim};
use cotenant_netlist::{verilog, Netlist};
use cotenant_units::table;
use criterion::Criterion;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use stimulus::{Hash, Stimulus};

/// Cycles of one measurement.
const CYCLES: u64 = 400_000;
/// Cycles over which the engines' hashes must agree.
const AGREE: u64 = 200_000;

/// The designs: unit, parameter set, and a label.
const DESIGNS: [(&str, &str, &str); 5] = [
    ("gdcu", "16x4x16", "gdcu 16x4"),
    ("gdcu", "4x4x16", "gdcu 4x4"),
    ("lru_stack", "16x4", "lru_stack 16x4"),
    ("llc_monitor", "16x4x64x4", "monitor 16x4x64x4"),
    ("llc_monitor", "4x4x64x1", "monitor 4x4x64x1"),
];

fn main() {
    let mut criterion = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(3))
        .configure_from_args();
    // Best time for a cycle, by design and engine.
    let best: RefCell<BTreeMap<(usize, &str), f64>> = RefCell::default();
    for (index, (unit, set, label)) in DESIGNS.into_iter().enumerate() {
        let set = table::set(unit, set).expect("the set is in the table");
        let netlist = table::netlist(unit, &set).expect("the set is in the table");
        let netlist = netlist.expect("units elaborate");
        let design = verilog::export(&netlist, &Default::default()).expect("units export");
        let verilated =
            verilated::Verilated::build(&design, false).expect("verilator and g++ are installed");
        let note = |engine: &'static str, took: Duration, cycles: u64| {
            let ns = took.as_secs_f64() * 1e9 / cycles as f64;
            let mut best = best.borrow_mut();
            let entry = best.entry((index, engine)).or_insert(f64::INFINITY);
            *entry = entry.min(ns);
        };
        let mut group = criterion.benchmark_group(label);
        group.throughput(criterion::Throughput::Elements(CYCLES));
        let (_, reference) = verilated.run(AGREE).expect("the simulation runs");
        for (engine, name) in [(Engine::Jit, "jit"), (Engine::Interpreter, "interpreter")] {
            let mut sim = Sim::with_engine(&netlist, engine).expect("the host is supported");
            assert_eq!(
                run(&netlist, &mut sim, AGREE).1,
                reference,
                "{label}: {name} and Verilator"
            );
            group.bench_function(name, |b| {
                b.iter_custom(|iterations| {
                    let cycles = CYCLES * iterations;
                    let took = run(&netlist, &mut sim, cycles).0;
                    note(name, took, cycles);
                    took
                });
            });
        }
        group.bench_function("verilator", |b| {
            b.iter_custom(|iterations| {
                let cycles = CYCLES * iterations;
                let took = verilated.run(cycles).expect("the simulation runs").0;
                note("verilator", took, cycles);
                took
            });
        });
        group.finish();
    }
    println!(
        "\n{:<18} {:>9} {:>13} {:>11}   ratio to Verilator",
        "M cycles/s", "jit", "interpreter", "verilator"
    );
    for (index, (_, _, label)) in DESIGNS.into_iter().enumerate() {
        let speed = |engine| best.borrow().get(&(index, engine)).map(|ns| 1e3 / ns);
        let (Some(jit), Some(interpreter), Some(verilator)) =
            (speed("jit"), speed("interpreter"), speed("verilator"))
        else {
            continue; // filtered out on the command line
        };
        println!(
            "{label:<18} {jit:>9.2} {interpreter:>13.2} {verilator:>11.2}   jit {:.2}, interpreter {:.2}",
            jit / verilator,
            interpreter / verilator
        );
    }
    waves::bench(&mut criterion);
    criterion.final_summary();
}

/// Runs from power-up; the time and the hash of all outputs.
fn run(netlist: &Netlist, sim: &mut Sim, cycles: u64) -> (Duration, u64) {
    run_watched(netlist, sim, cycles, |_, _| ())
}

/// The same, giving `watch` each cycle, and the simulator before its edge.
fn run_watched(
    netlist: &Netlist,
    sim: &mut Sim,
    cycles: u64,
    mut watch: impl FnMut(u64, &mut Sim),
) -> (Duration, u64) {
    let layout = sim.layout().clone();
    let inputs: Vec<_> = netlist
        .inputs
        .iter()
        .map(|i| {
            (
                layout.input(&i.name).expect("has this input"),
                stimulus::Kind::of(&i.name),
            )
        })
        .collect();
    let outputs: Vec<_> = netlist
        .outputs
        .iter()
        .map(|o| layout.output(&o.name).expect("has this output"))
        .collect();
    sim.power_on();
    let (mut stimulus, mut hash) = (Stimulus::new(), Hash::new());
    let mut words = [0u64; 4];
    let start = Instant::now();
    for cycle in 0..cycles {
        for &(slot, kind) in &inputs {
            if slot.words() == 1 {
                sim.set(slot, stimulus.draw(kind, cycle) & kind.mask(0));
            } else {
                let words = &mut words[..slot.words()];
                for (n, word) in words.iter_mut().enumerate() {
                    *word = stimulus.draw(kind, cycle) & kind.mask(64 * n);
                }
                sim.set_words(slot, words);
            }
        }
        watch(cycle, sim);
        sim.step();
        if cycle >= stimulus::RESET {
            for &slot in &outputs {
                sim.get_words(slot).iter().for_each(|&w| hash.add(w));
            }
        }
    }
    (start.elapsed(), hash.0)
}
