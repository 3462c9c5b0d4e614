//! Cycles per second of a GPU with 16 busy SMs.
//!
//! Rationale: figures run tens of millions of cycles; the aim is 300,000 per second on one core for
//! programs that compute and for programs that keep memory busy, and for the kernels of the paper on QBMI
//! and DMIL, of which an evaluation runs thousands of pairs.

use std::ops::Range;
use std::sync::Arc;

use cotenant_golden::gpu::machine::{Launch, Machine};
use cotenant_golden::gpu::sm::Stats;
use cotenant_golden::gpu::Gpu;
use cotenant_golden::presets::Preset;
use cotenant_golden::schemes::run::{Given, Group, Variant};
use cotenant_golden::schemes::{Issue, Partition, Scheme};
use cotenant_golden::workload::program::table2::BENCHMARKS;
use cotenant_golden::workload::program::{Addresses, Grid, Instruction, Memory, Place, Program};
use cotenant_golden::workload::Op;
use criterion::{BatchSize, Criterion, Throughput};

/// Loads of so many lines each, arithmetic after each, and a store now and then.
#[derive(Debug)]
struct Loop {
    /// Bytes of the arrays, a power of two.
    footprint: u64,
    /// Bytes from lane to lane.
    stride: u64,
    compute: u32,
    latency: u32,
}

impl Program for Loop {
    fn grid(&self) -> Grid {
        Grid {
            blocks: 1 << 20,
            threads: 256,
            registers: 16,
            shared_memory: 0,
        }
    }

    fn instruction(&self, place: &Place) -> Instruction {
        let turn = place.step / 4;
        let warp = place.block * 8 + u64::from(place.warp);
        let access = |op, shift| {
            let place = (warp * 64 + turn) * 32 * self.stride;
            let base = (place & (self.footprint - 1)) + shift;
            let addresses = Addresses::Strided {
                base,
                stride: self.stride,
            };
            Instruction::Memory(Memory {
                op,
                bytes: 4,
                lanes: u32::MAX,
                addresses,
            })
        };
        match place.step % 4 {
            _ if turn == 64 => Instruction::Exit,
            0 => access(Op::Read, 0),
            1 => Instruction::Wait,
            2 => Instruction::Compute {
                count: self.compute,
                latency: self.latency,
            },
            _ if turn % 4 == 0 => access(Op::Write, self.footprint),
            _ => Instruction::Compute {
                count: 1,
                latency: self.latency,
            },
        }
    }

    fn extent(&self) -> Range<u64> {
        0..2 * self.footprint
    }
}

const WARM_UP: u64 = 20_000;
const CYCLES: u64 = 20_000;

fn machine(program: Loop) -> Machine {
    let maxwell = Preset::named("maxwell").expect("a preset");
    let launch = Launch {
        program: Arc::new(program),
        kernel: 0,
        sms: u64::MAX,
        blocks_per_sm: None,
        start: 0,
        restart: true,
    };
    let machine = Machine::new(&maxwell.machine, maxwell.llc, vec![launch]);
    let mut machine = machine.expect("a machine");
    machine.run_to(WARM_UP, &mut |_| true);
    machine
}

/// Kernels of table 2 on preset `maxwell-fit`.
fn kernels(names: &[&str], issue: Issue) -> Machine {
    let group = Group::new(Variant::PAPER, names, 7).expect("kernels");
    let scheme = Scheme::new(Partition::Drf, issue);
    let machine = group.under(scheme, Given::default());
    let mut machine = machine.expect("a machine");
    machine.run_to(WARM_UP, &mut |_| true);
    machine
}

/// Tells what a machine does in a cycle, and how fast it is.
fn describe(name: &str, mut machine: Machine) {
    let before = (machine.stats(0).sm, cpu_time());
    machine.run_to(WARM_UP + 5 * CYCLES, &mut |_| true);
    let after = (machine.stats(0).sm, cpu_time());
    let cycles = (5 * CYCLES) as f64;
    let a_cycle = |count: fn(&Stats) -> u64| (count(&after.0) - count(&before.0)) as f64 / cycles;
    eprintln!(
        "{name}: a cycle of 16 SMs, {:.1} instructions, {:.2} requests, {:.2} to the L2, {:.2} \
         failures (of the first kernel)",
        a_cycle(Stats::instructions),
        a_cycle(Stats::requests),
        a_cycle(|stats| stats.sent),
        a_cycle(|stats| stats.failures.total()),
    );
    if let Some(seconds) = after.1.zip(before.1).map(|(after, before)| after - before) {
        eprintln!(
            "{name}: {:.0} cycles in a second of processor time",
            cycles / seconds
        );
    }
}

/// Seconds that this thread has been on a processor, where the system tells: on a machine that
/// has other work as well, they say more than the clock.
fn cpu_time() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds: f64 = text.split_whitespace().next()?.parse().ok()?;
    Some(nanoseconds / 1e9)
}

fn machines(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("machine");
    group.throughput(Throughput::Elements(CYCLES));
    group.sample_size(10);
    let compute = || Loop {
        footprint: 1 << 13,
        stride: 4,
        compute: 20,
        latency: 4,
    };
    let stream = || Loop {
        footprint: 1 << 26,
        stride: 4,
        compute: 2,
        latency: 4,
    };
    let scattered = || Loop {
        footprint: 1 << 26,
        stride: 64,
        compute: 2,
        latency: 4,
    };
    type Make = fn() -> Loop;
    let programs: [(&str, Make); 3] = [
        ("compute", compute),
        ("stream", stream),
        ("scattered", scattered),
    ];
    for (name, program) in programs {
        describe(name, machine(program()));
        group.bench_function(name, |b| {
            b.iter_batched(
                || machine(program()),
                |mut machine| machine.run_to(WARM_UP + CYCLES, &mut |_| true),
                BatchSize::PerIteration,
            )
        });
    }
    for benchmark in &BENCHMARKS {
        describe(benchmark.name, kernels(&[benchmark.name], Issue::Free));
    }
    for (policy, issue) in [
        ("free", Issue::Free),
        ("qbmi", Issue::Qbmi),
        ("dmil", Issue::Dmil),
    ] {
        for pair in [["pf", "hs"], ["bp", "sv"], ["sv", "ks"]] {
            let name = format!("{} {policy}", pair.join("+"));
            describe(&name, kernels(&pair, issue));
            group.bench_function(&name, |b| {
                b.iter_batched(
                    || kernels(&pair, issue),
                    |mut machine| machine.run_to(WARM_UP + CYCLES, &mut |_| true),
                    BatchSize::PerIteration,
                )
            });
        }
    }
    group.finish();
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    machines(&mut criterion);
    criterion.final_summary();
}
