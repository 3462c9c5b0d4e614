//! How fast samples are kept and written, in bytes of VCD per second, and how large the files are.
//!
//! The signals are those of a `gdcu` of 16 ways and 8 kernels, twice (as if golden model and
//! netlist stood side by side). In the busy run every access changes one column of the counters,
//! as in hardware; in the wide run all of sixteen 512-bit vectors change every cycle. The sizes of
//! the same run as VCD and as FST are printed at the end.

use std::path::Path;
use std::time::Duration;

use cotenant_waveforms::{
    Dump, Fill, Format, Layout, Options, Ring, Sample, Scope, Signal, WaveFile,
};
use criterion::{Criterion, Throughput};

const KERNELS: usize = 8;
const CYCLES: u64 = 50_000;

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
    fn new() -> Self {
        Gdcu {
            random: Random(7),
            position: 0,
            kernel: 0,
            owner: 0,
            count: Default::default(),
        }
    }

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
        for _ in ["dut", "golden"] {
            out.put_bool(self.position < 16);
            out.put(self.position);
            out.put(self.kernel);
            out.put(self.owner);
            for victim in &self.count {
                out.put_all(victim.iter().map(|count| count & 0x1f_ffff));
            }
            out.put_all([0u8; KERNELS * KERNELS]);
        }
    }

    fn layout() -> Layout {
        let top = Scope::module("top")
            .scope(Gdcu::scope("dut"))
            .scope(Gdcu::scope("golden"));
        Layout::new(top).expect("distinct names")
    }
}

/// The busy run to nowhere; the bytes of its changes.
fn busy(layout: &Layout) -> u64 {
    let (mut gdcu, mut sample) = (Gdcu::new(), Sample::new(layout));
    let mut dump = Dump::new(std::io::sink(), layout, &Options::new()).expect("good options");
    for cycle in 0..CYCLES {
        gdcu.step();
        sample.fill(|out| gdcu.put(out)).expect("all values");
        dump.sample(cycle, &sample).expect("nowhere has room");
    }
    dump.finish().expect("nowhere has room");
    dump.bytes()
}

/// The busy run to a file.
fn file(layout: &Layout, folder: &Path, format: Format) -> u64 {
    let (mut gdcu, mut sample) = (Gdcu::new(), Sample::new(layout));
    let path = folder.join(format!("gdcu.{}", format.name()));
    let options = Options::new().format(format);
    let mut file = WaveFile::create(path, layout, &options).expect("is writable");
    for cycle in 0..CYCLES {
        gdcu.step();
        sample.fill(|out| gdcu.put(out)).expect("all values");
        file.sample(cycle, &sample).expect("is writable");
    }
    let path = file.finish().expect("is writable");
    std::fs::metadata(path).expect("was written").len()
}

/// The busy run to a ring.
fn ring(layout: &Layout) {
    let (mut gdcu, mut ring) = (Gdcu::new(), Ring::new(layout, 1000).expect("fits"));
    for cycle in 0..CYCLES {
        gdcu.step();
        ring.push_with(cycle, |out| gdcu.put(out))
            .expect("all values");
    }
}

/// Sixteen wide vectors to nowhere.
fn wide(layout: &Layout) -> u64 {
    let (mut random, mut sample) = (Random(7), Sample::new(layout));
    let mut dump = Dump::new(std::io::sink(), layout, &Options::new()).expect("good options");
    for cycle in 0..CYCLES / 10 {
        let limbs: [u64; 8] = std::array::from_fn(|_| random.next() << 20);
        let fill = sample.fill(|out| (0..16).for_each(|_| out.put_limbs(&limbs)));
        fill.expect("all values");
        dump.sample(cycle, &sample).expect("nowhere has room");
    }
    dump.finish().expect("nowhere has room");
    dump.bytes()
}

fn main() {
    let mut criterion = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(2))
        .configure_from_args();
    let folder = tempfile::tempdir().expect("a folder");
    let layout = Gdcu::layout();
    let vectors = Scope::module("top").signal(Signal::reg("x", 512).array([16]));
    let vectors = Layout::new(vectors).expect("distinct names");
    let bytes = busy(&layout);
    let mut group = criterion.benchmark_group("vcd");
    group.throughput(Throughput::Bytes(bytes));
    group.bench_function("to nowhere", |b| b.iter(|| busy(&layout)));
    for format in Format::ALL {
        let name = format!("to a file, as {}", format.name());
        group.bench_function(name, |b| b.iter(|| file(&layout, folder.path(), format)));
    }
    group.throughput(Throughput::Bytes(CYCLES * layout.words() as u64 * 8));
    group.bench_function("ring of 1000 cycles", |b| b.iter(|| ring(&layout)));
    group.throughput(Throughput::Bytes(wide(&vectors)));
    group.bench_function("16 vectors of 512 bits", |b| b.iter(|| wide(&vectors)));
    group.finish();
    let [vcd, fst] = Format::ALL.map(|format| file(&layout, folder.path(), format));
    println!(
        "\n{CYCLES} cycles of {} signals: {vcd} bytes as VCD, {fst} as FST, {:.1} times smaller",
        layout.len(),
        vcd as f64 / fst as f64
    );
    criterion.final_summary();
}
