//! How fast samples are kept and dumped.
//!
//! The signals are those of a `gdcu` of 16 ways and 8 kernels, twice (as if golden model and
//! netlist stood side by side). In the busy run every access changes one column of the counters,
//! as in hardware; in the wide run all of sixteen 512-bit vectors change every cycle.
//!
//! `cargo run --release -p cotenant-waveforms --example throughput [CYCLES]`

use std::error::Error;
use std::time::Instant;

use cotenant_waveforms::{Dump, Fill, Layout, Options, Ring, Sample, Scope, Signal, WaveFile};

const KERNELS: usize = 8;

/// Numerical Recipes' linear congruential generator: the run must cost little beside the writing.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 16
    }
}

struct Gdcu {
    random: Random,
    position: u64,
    kernel: u64,
    owner: u64,
    count: [[u64; KERNELS]; KERNELS],
}

impl Gdcu {
    fn scope(name: &str) -> Scope {
        Scope::module(name)
            .signal(Signal::clock("clock"))
            .signal(Signal::wire("access_valid", 1))
            .signal(Signal::wire("access_pos", 5))
            .signal(Signal::wire("access_kid", 3))
            .signal(Signal::wire("stack_owner", 48))
            .signal(Signal::reg("count", 21).array([KERNELS, KERNELS]))
            .signal(Signal::reg("shadow", 21).array([KERNELS, KERNELS]))
    }

    fn step(&mut self) {
        let bits = self.random.next();
        self.position = bits % 17;
        self.kernel = bits >> 8 & 7;
        self.owner = self.random.next() & ((1 << 48) - 1);
        for victim in &mut self.count {
            victim[self.kernel as usize] += self.random.next() & 3;
        }
    }

    fn put(&self, out: &mut Fill<'_>) {
        out.put_bool(self.position < 16);
        out.put(self.position);
        out.put(self.kernel);
        out.put(self.owner);
        self.count
            .iter()
            .for_each(|victim| out.put_all(victim.iter().map(|count| count & 0x1f_ffff)));
        out.put_all([0u8; KERNELS * KERNELS]);
    }
}

fn report(what: &str, cycles: u64, bytes: u64, start: Instant) {
    let seconds = start.elapsed().as_secs_f64();
    let (rate, cycle) = (bytes as f64 / seconds / 1e6, seconds * 1e9 / cycles as f64);
    println!(
        "{what:24} {rate:8.0} MB/s {cycle:8.0} ns/cycle {:8.0} bytes/cycle",
        bytes as f64 / cycles as f64
    );
}

fn main() -> Result<(), Box<dyn Error>> {
    let cycles: u64 = std::env::args()
        .nth(1)
        .map_or(Ok(500_000), |cycles| cycles.parse())?;
    let options = Options::new();
    let folder = tempfile::tempdir()?;

    let top = Scope::module("top")
        .scope(Gdcu::scope("dut"))
        .scope(Gdcu::scope("golden"));
    let layout = Layout::new(top)?;
    let new = || Gdcu {
        random: Random(7),
        position: 0,
        kernel: 0,
        owner: 0,
        count: Default::default(),
    };
    let both = |gdcu: &Gdcu, out: &mut Fill<'_>| {
        gdcu.put(out);
        gdcu.put(out);
    };
    println!("{} signals, {} words", layout.len(), layout.words());

    let (mut gdcu, mut sample, start) = (new(), Sample::new(&layout), Instant::now());
    for _ in 0..cycles {
        gdcu.step();
        sample.fill(|out| both(&gdcu, out))?;
    }
    report("model and sample alone", cycles, 0, start);

    let (mut gdcu, start) = (new(), Instant::now());
    let mut dump = Dump::new(std::io::sink(), &layout, &options)?;
    for cycle in 0..cycles {
        gdcu.step();
        sample.fill(|out| both(&gdcu, out))?;
        dump.sample(cycle, &sample)?;
    }
    dump.finish()?;
    report("dump to nowhere", cycles, dump.bytes(), start);

    let (mut gdcu, start) = (new(), Instant::now());
    let mut file = WaveFile::create(folder.path().join("gdcu.vcd"), &layout, &options)?;
    for cycle in 0..cycles {
        gdcu.step();
        sample.fill(|out| both(&gdcu, out))?;
        file.sample(cycle, &sample)?;
    }
    let bytes = file.bytes();
    file.finish()?;
    report("dump to a file", cycles, bytes, start);

    let (mut gdcu, start) = (new(), Instant::now());
    let mut ring = Ring::new(&layout, 1000)?;
    for cycle in 0..cycles {
        gdcu.step();
        ring.push_with(cycle, |out| both(&gdcu, out))?;
    }
    report(
        "ring of 1000 cycles",
        cycles,
        cycles * layout.words() as u64 * 8,
        start,
    );

    let layout = Layout::new(Scope::module("top").signal(Signal::reg("x", 512).array([16])))?;
    let (mut random, mut sample, start) = (Random(7), Sample::new(&layout), Instant::now());
    let mut dump = Dump::new(std::io::sink(), &layout, &options)?;
    for cycle in 0..cycles / 10 {
        let limbs: [u64; 8] = std::array::from_fn(|_| random.next() << 20);
        sample.fill(|out| (0..16).for_each(|_| out.put_limbs(&limbs)))?;
        dump.sample(cycle, &sample)?;
    }
    dump.finish()?;
    report("16 vectors of 512 bits", cycles / 10, dump.bytes(), start);
    Ok(())
}
