//! VCD on: our JIT with all ports and registers dumped, beside Verilator with
//! its own trace of all signals, on the same design and stimulus.
//!
//! The two files do not hold the same: Verilator's has the wires inside the
//! modules, too. So bytes per cycle are printed, and bytes per second.

use crate::verilated::Verilated;
use crate::{run, run_watched};
use cotenant_netlist::sim::Sim;
use cotenant_netlist::{verilog, Netlist};
use cotenant_units::table;
use cotenant_waveforms::{Layout, Options, Sample, Scope, Signal, WaveFile};
use criterion::Criterion;
use std::time::{Duration, Instant};

const CYCLES: u64 = 20_000;

const DESIGNS: [(&str, &str, &str); 2] = [
    ("llc_monitor", "16x4x64x4", "monitor 16x4x64x4"),
    ("gdcu", "16x4x21", "gdcu 16x4"),
];

/// A design's ports and registers, flat.
struct Waves {
    folder: tempfile::TempDir,
    layout: Layout,
}

impl Waves {
    fn new(sim: &Sim) -> Waves {
        let mut top = Scope::module("top").signal(Signal::clock("clock"));
        let of = sim.layout();
        for (name, slot) in of.inputs().chain(of.outputs()).chain(of.registers()) {
            // A dot would be a scope.
            top.push_signal(Signal::wire(name.replace('.', "_"), slot.width() as u32));
        }
        Waves {
            folder: tempfile::tempdir().expect("a folder"),
            layout: Layout::new(top).expect("distinct names"),
        }
    }

    /// Time and bytes of a run with waves.
    fn run(&self, netlist: &Netlist, sim: &mut Sim, cycles: u64) -> (Duration, u64) {
        let path = self.folder.path().join("w.vcd");
        let mut file = WaveFile::create(path, &self.layout, &Options::new()).expect("is writable");
        let mut sample = Sample::new(&self.layout);
        let of = sim.layout().clone();
        let slots: Vec<_> = of
            .inputs()
            .chain(of.outputs())
            .chain(of.registers())
            .map(|(_, slot)| slot)
            .collect();
        let start = Instant::now();
        run_watched(netlist, sim, cycles, |cycle, sim| {
            sample
                .fill(|out| slots.iter().for_each(|&s| out.put_limbs(sim.get_words(s))))
                .expect("all values");
            file.sample(cycle, &sample).expect("is writable");
        });
        let took = start.elapsed();
        let bytes = file.bytes();
        file.finish().expect("is writable");
        (took, bytes)
    }
}

/// Measures, and prints a table.
pub fn bench(criterion: &mut Criterion) {
    let mut rows = vec![];
    for (unit, set, label) in DESIGNS {
        let set = table::set(unit, set).expect("the set is in the table");
        let netlist = table::netlist(unit, &set).expect("the set is in the table");
        let netlist = netlist.expect("units elaborate");
        let design = verilog::export(&netlist, &Default::default()).expect("units export");
        let traced = Verilated::build(&design, true).expect("verilator and g++ are installed");
        let mut sim = Sim::new(&netlist).expect("the host is supported");
        let waves = Waves::new(&sim);
        let mut best = [f64::INFINITY; 3];
        let mut bytes = [0; 2];
        let mut group = criterion.benchmark_group(format!("{label}, waves"));
        group.throughput(criterion::Throughput::Elements(CYCLES));
        let mut note = |which: usize, took: Duration, cycles: u64| {
            best[which] = best[which].min(took.as_secs_f64() * 1e9 / cycles as f64);
            took
        };
        group.bench_function("off", |b| {
            b.iter_custom(|n| note(0, run(&netlist, &mut sim, CYCLES * n).0, CYCLES * n));
        });
        group.bench_function("on", |b| {
            b.iter_custom(|n| {
                let (took, written) = waves.run(&netlist, &mut sim, CYCLES * n);
                bytes[0] = written / (CYCLES * n);
                note(1, took, CYCLES * n)
            });
        });
        group.bench_function("verilator", |b| {
            b.iter_custom(|n| {
                let took = traced.run(CYCLES * n).expect("the simulation runs").0;
                bytes[1] = traced.traced().expect("it wrote a file") / (CYCLES * n);
                note(2, took, CYCLES * n)
            });
        });
        group.finish();
        rows.push((label, best, bytes));
    }
    println!(
        "\n{:<18} {:>10} {:>10} {:>18} {:>10} {:>10}   verilator/ours",
        "ns per cycle", "waves off", "on", "verilator traced", "bytes", "bytes (v)"
    );
    for (label, [off, on, verilator], [ours, theirs]) in rows {
        if off.is_finite() && on.is_finite() && verilator.is_finite() {
            println!(
                "{label:<18} {off:>10.0} {on:>10.0} {verilator:>18.0} {ours:>10} {theirs:>10}   \
                 {:.2} in time per cycle, {:.0} MB/s ours",
                verilator / on,
                ours as f64 / on * 1e3
            );
        }
    }
}
