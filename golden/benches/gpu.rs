//! Cycles per second of the memory system, as a machine of 16 SMs and 16 partitions drives it.
//!
//! Rationale: a machine of 16 busy SMs is to run 300,000 cycles per second on one core, so what is
//! behind the SMs may take well under one microsecond per cycle. Every SM pushes whenever its port
//! accepts, so that one bound is always reached: with random lines beyond the cache memory's
//! activations, with lines in order its data bus, with lines that stay in the cache the ports.

use std::hint::black_box;

use cotenant_golden::gpu::config::Config;
use cotenant_golden::gpu::memory::{MemorySystem, Request};
use cotenant_golden::llc::cache::Geometry;
use cotenant_golden::presets::Preset;
use cotenant_golden::workload::Op;
use criterion::{Criterion, Throughput};
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg32;

const CYCLES: u64 = 20_000;

/// What the SMs ask for.
#[derive(Clone, Copy)]
enum Traffic {
    /// Lines anywhere in so many, one sector each, one store in four.
    Random(u64),
    /// Each SM goes through lines of its own, whole lines, one store in four.
    Rows,
}

/// All SMs push whenever they can.
struct Sms {
    memory: MemorySystem,
    random: Pcg32,
    next: Vec<u64>,
    traffic: Traffic,
    cycle: u64,
    /// Lookups that had a sector miss or evicted: so that they are not optimised away.
    seen: u64,
}

impl Sms {
    fn new(config: &Config, geometry: Geometry, traffic: Traffic) -> Self {
        Self {
            memory: MemorySystem::new(config, geometry).expect("a legal configuration"),
            random: Pcg32::seed_from_u64(1),
            next: (0..config.sm.count as u64).map(|sm| sm << 24).collect(),
            traffic,
            cycle: 0,
            seen: 0,
        }
    }

    fn run(&mut self, cycles: u64) {
        for _ in 0..cycles {
            self.cycle += 1;
            let seen = &mut self.seen;
            self.memory.tick(self.cycle, &mut |reached| {
                *seen += reached.before.valid & 1;
                true
            });
            for sm in 0..self.next.len() {
                while let Some(reply) = self.memory.reply(sm, self.cycle) {
                    black_box(reply);
                }
                if !self.memory.accepts(sm) {
                    continue;
                }
                let bits: u32 = self.random.random();
                let (line, sectors) = match self.traffic {
                    Traffic::Random(lines) => {
                        (self.random.random_range(0..lines), 1 << (bits >> 8 & 3))
                    }
                    Traffic::Rows => {
                        self.next[sm] += 1;
                        (self.next[sm], 15)
                    }
                };
                self.memory.push(Request {
                    sm: sm as u16,
                    kernel: (sm % 2) as u8,
                    op: if bits & 3 == 0 { Op::Write } else { Op::Read },
                    line: line * 128,
                    sectors,
                    mark: 0,
                    issued: self.cycle,
                });
            }
        }
    }
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    let mut group = criterion.benchmark_group("memory");
    group
        .throughput(Throughput::Elements(CYCLES))
        .sample_size(10);
    let maxwell = Preset::named("maxwell").expect("a preset");
    let (config, geometry) = (maxwell.machine, maxwell.llc);
    for (name, traffic) in [
        ("random lines of 64 MiB", Traffic::Random(1 << 19)),
        ("random lines of 1 MiB", Traffic::Random(1 << 13)),
        ("lines in order", Traffic::Rows),
    ] {
        let mut sms = Sms::new(&config, geometry, traffic);
        sms.run(10 * CYCLES);
        group.bench_function(name, |b| b.iter(|| sms.run(CYCLES)));
        let replies: u64 = (0..2).map(|kernel| sms.memory.stats(kernel).replies).sum();
        println!(
            "{name}: {:.2} replies per cycle, {} lookups",
            replies as f64 / sms.cycle as f64,
            black_box(sms.seen),
        );
        sms.memory.check().expect("sums add up");
    }
    group.finish();
    criterion.final_summary();
}
