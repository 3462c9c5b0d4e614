//! Cycles per second of the simulators, with and without stimulus.
//!
//! `cargo bench -p cotenant-netlist --bench simulate [-- CYCLES [FILTER]]`

use cotenant_netlist::hdl::*;
use cotenant_netlist::sim::{Engine, Sim, Slot};
use cotenant_netlist::{elaborate, Netlist};
use cotenant_units::llc::{Gdcu, LruStack};
use std::time::Instant;

/// A stream of random words, cheap enough not to be what is measured.
struct Stream(u64);

impl Stream {
    #[inline(always)]
    fn word(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

#[inline(always)]
fn mix(hash: u64, value: u64) -> u64 {
    (hash.rotate_left(5) ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Something that drives a unit's inputs and looks at its outputs.
trait Bench {
    fn drive(&mut self, sim: &mut Sim, stream: &mut Stream, cycle: u64);
    fn hash(&self, sim: &Sim) -> u64;
}

struct GdcuBench {
    inputs: [Slot; 9],
    outputs: [Slot; 3],
    ways: u64,
    kernels: u64,
}

impl GdcuBench {
    fn new(sim: &Sim, ways: u64, kernels: u64) -> GdcuBench {
        let names = [
            "reset",
            "access_valid",
            "access_pos",
            "access_kid",
            "stack_owner",
            "stack_valid",
            "snapshot",
            "read_victim",
            "read_aggressor",
        ];
        let layout = sim.layout();
        GdcuBench {
            inputs: names.map(|n| layout.input(n).unwrap()),
            outputs: ["read_count", "overflow", "sequence_number"]
                .map(|n| layout.output(n).unwrap()),
            ways,
            kernels,
        }
    }
}

impl Bench for GdcuBench {
    #[inline(always)]
    fn drive(&mut self, sim: &mut Sim, stream: &mut Stream, cycle: u64) {
        let (x, y) = (stream.word(), stream.word());
        let [reset, valid, pos, kid, owner, stack_valid, snapshot, victim, aggressor] = self.inputs;
        sim.set(reset, u64::from(cycle == 0));
        sim.set(valid, u64::from(x >> 40 & 3 != 0));
        let hit = x & 1 == 1;
        sim.set(
            pos,
            if hit {
                (x >> 1) & (self.ways - 1)
            } else {
                self.ways
            },
        );
        sim.set(kid, (x >> 5) & (self.kernels - 1));
        if owner.width() <= 64 {
            sim.set(owner, y);
        } else {
            sim.set_words(owner, &[y, y.rotate_left(17)]);
        }
        sim.set(stack_valid, x >> 7 | x >> 41);
        sim.set(snapshot, u64::from(cycle & 0x3fff == 0x3fff));
        sim.set(victim, (x >> 23) & (self.kernels - 1));
        sim.set(aggressor, (x >> 27) & (self.kernels - 1));
    }

    #[inline(always)]
    fn hash(&self, sim: &Sim) -> u64 {
        let [count, overflow, sequence] = self.outputs.map(|o| sim.get(o));
        count ^ overflow << 32 ^ sequence << 56
    }
}

struct LruBench {
    inputs: [Slot; 8],
    outputs: [Slot; 4],
    ways: u64,
    kernels: u64,
}

impl LruBench {
    fn new(sim: &Sim, ways: u64, kernels: u64) -> LruBench {
        let names = [
            "reset",
            "access_valid",
            "access_hit",
            "access_way",
            "access_kid",
            "invalidate_valid",
            "invalidate_way",
            "flush",
        ];
        let layout = sim.layout();
        LruBench {
            inputs: names.map(|n| layout.input(n).unwrap()),
            outputs: ["hit_pos", "stack_way", "stack_owner", "stack_valid"]
                .map(|n| layout.output(n).unwrap()),
            ways,
            kernels,
        }
    }
}

impl Bench for LruBench {
    #[inline(always)]
    fn drive(&mut self, sim: &mut Sim, stream: &mut Stream, cycle: u64) {
        let x = stream.word();
        let [reset, valid, hit, way, kid, invalidate, invalidate_way, flush] = self.inputs;
        sim.set(reset, u64::from(cycle == 0));
        sim.set(valid, u64::from(x >> 40 & 3 != 0));
        let at = (x >> 1) & (self.ways - 1);
        // A hit names a valid way.
        sim.set(way, at);
        sim.set(hit, x & 1);
        sim.set(kid, (x >> 9) & (self.kernels - 1));
        sim.set(invalidate, u64::from(x >> 50 & 63 == 0));
        sim.set(invalidate_way, (x >> 20) & (self.ways - 1));
        sim.set(flush, u64::from(cycle & 0x3fff == 0x3fff));
    }

    #[inline(always)]
    fn hash(&self, sim: &Sim) -> u64 {
        let [pos, way, owner, valid] = self.outputs.map(|o| sim.get(o));
        way ^ owner.rotate_left(20) ^ valid.rotate_left(40) ^ pos
    }
}

/// Parts of a measurement.
const PARTS: u64 = 50;

fn measure<B: Bench>(name: &str, netlist: &Netlist, cycles: u64, bench: impl Fn(&Sim) -> B) {
    let engines = [
        (Engine::Interpreter, cycles / 10),
        #[cfg(feature = "jit")]
        (Engine::Jit, cycles),
    ];
    for (engine, cycles) in engines {
        let start = Instant::now();
        let mut sim = Sim::with_engine(netlist, engine).expect("the units compile");
        let compiled = start.elapsed();
        let mut bench = bench(&sim);
        let mut stream = Stream(0x1234_5678_9abc_def1);
        let (mut hash, mut early) = (0, 0);
        // The best of many parts: other processes only slow it down.
        let part = cycles / PARTS;
        let mut with_stimulus = 0f64;
        for n in 0..PARTS {
            let start = Instant::now();
            for cycle in n * part..(n + 1) * part {
                bench.drive(&mut sim, &mut stream, cycle);
                sim.step();
                hash = mix(hash, bench.hash(&sim));
            }
            with_stimulus = with_stimulus.max(part as f64 / start.elapsed().as_secs_f64() / 1e6);
            if n == PARTS / 10 - 1 {
                early = hash;
            }
        }
        let mut alone = 0f64;
        for _ in 0..PARTS {
            let start = Instant::now();
            for _ in 0..part {
                sim.step();
            }
            alone = alone.max(part as f64 / start.elapsed().as_secs_f64() / 1e6);
        }
        println!(
            "{name:12} {engine:?}: {with_stimulus:.2} M cycles/s with stimulus and hash, {alone:.2} alone, compiled in {compiled:.1?} (hash {early:016x} after a tenth, {hash:016x})",
        );
    }
}

/// The elaborated form of a block.
fn netlist<B: Block>(mut block: B, name: &str) -> Netlist {
    block.connect_all();
    elaborate(&block, name).expect("the units elaborate")
}

fn main() {
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| a != "--bench")
        .collect();
    let cycles = arguments
        .first()
        .and_then(|a| a.parse().ok())
        .unwrap_or(10_000_000);
    let filter = arguments.get(1).cloned().unwrap_or_default();
    macro_rules! gdcu_of {
        ($name:literal, $ways:literal, $kernels:literal, $width:literal, $stages:literal) => {
            if $name.contains(&filter) {
                let netlist = netlist(<Gdcu!($ways, $kernels, $width, $stages)>::default(), $name);
                measure($name, &netlist, cycles, |sim| {
                    GdcuBench::new(sim, $ways, $kernels)
                });
            }
        };
    }
    macro_rules! lru_of {
        ($name:literal, $ways:literal, $kernels:literal) => {
            if $name.contains(&filter) {
                let netlist = netlist(<LruStack!($ways, $kernels)>::default(), $name);
                measure($name, &netlist, cycles, |sim| {
                    LruBench::new(sim, $ways, $kernels)
                });
            }
        };
    }
    gdcu_of!("gdcu4x4", 4, 4, 21, 1);
    gdcu_of!("gdcu16x4", 16, 4, 21, 1);
    gdcu_of!("gdcu32x8", 32, 8, 21, 1);
    gdcu_of!("gdcu16x16", 16, 16, 21, 1);
    lru_of!("lru16x4", 16, 4);
}
