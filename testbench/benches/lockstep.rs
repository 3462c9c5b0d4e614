//! What checking costs: the golden model alone, the netlist alone on the JIT, and
//! both in lockstep, everything compared, without and with the last 1000 cycles
//! kept for waves.
//!
//! "Golden" includes drawing the stimulus, which looks at the model; the netlist
//! alone plays inputs of the same stimulus that were drawn before. The ratios are
//! printed at the end of the run.

use cotenant::experiments::run;
use cotenant::registry::Unit;
use cotenant::unit::llc::{Gdcu, LlcMonitor, LruStack, Plob};
use cotenant::verify::interface::{InOf, Packer, ParamsOf, Port};
use cotenant::verify::lockstep::Lockstep;
use cotenant::verify::stimulus::{stream, Mix, Source};
use cotenant::verify::waves::{Request, Span};
use cotenant_golden::workload::scenario::Scenario;
use cotenant_golden::Model;
use cotenant_netlist::sim::{Sim, Slot};
use cotenant_units::table::{self, ParameterSet};
use criterion::Criterion;
use std::path::Path;
use std::time::{Duration, Instant};

const CYCLES: u64 = 100_000;
const SEED: u64 = 0x9e37;

/// Stimulus and golden model; `each` gets the inputs.
fn golden<U: Unit>(
    set: &ParameterSet,
    cycles: u64,
    mut each: impl FnMut(&ParamsOf<U>, &InOf<U>),
) -> Duration {
    let params = U::params(set).expect("the unit's own set");
    let mut model = U::model(&params).expect("is legal");
    let mut stimulus = stream::<U>(&params, Mix::default(), SEED);
    let mut input = U::idle(&params);
    let start = Instant::now();
    for _ in 0..cycles {
        stimulus.input(&params, &model, &mut input);
        each(&params, &input);
        model.step(&input);
    }
    start.elapsed()
}

/// Inputs for the netlist alone.
struct Recorded {
    slots: Vec<Slot>,
    /// Words of a cycle.
    width: usize,
    words: Vec<u64>,
}

impl Recorded {
    /// Cycles that are played again and again.
    const CYCLES: u64 = 20_000;

    fn new<U: Unit>(set: &ParameterSet, sim: &Sim) -> Self {
        let params = U::params(set).expect("the unit's own set");
        let ports = U::inputs(&params);
        let slot = |port: &Port| sim.layout().input(port.name).expect("has this input");
        let width = ports.iter().map(|port| port.words()).sum();
        let mut words = Vec::new();
        golden::<U>(set, Self::CYCLES, |params, input| {
            let at = words.len();
            words.resize(at + width, 0);
            U::pack_in(params, input, &mut Packer::new(&mut words[at..]));
        });
        Self {
            slots: ports.iter().map(slot).collect(),
            width,
            words,
        }
    }

    /// The netlist with nothing but its inputs.
    fn play(&self, sim: &mut Sim, cycles: u64) -> Duration {
        let start = Instant::now();
        for inputs in self
            .words
            .chunks_exact(self.width)
            .cycle()
            .take(cycles as usize)
        {
            let mut rest = inputs;
            for slot in &self.slots {
                let (words, behind) = rest.split_at(slot.words());
                sim.set_words(*slot, words);
                rest = behind;
            }
            sim.step();
        }
        start.elapsed()
    }
}

/// `last`: with waves of so many cycles, which are written to `folder` at the end.
fn lockstep<U: Unit>(set: &ParameterSet, cycles: u64, last: Option<(u64, &Path)>) -> Duration {
    let mut lockstep = Lockstep::<U>::new(set).expect("is built");
    if let Some((last, folder)) = last {
        let request = Request::new(folder.join("last.vcd"), Span::Last(last));
        lockstep = lockstep.waves(request).expect("fits the memory");
    }
    let stimulus = stream::<U>(lockstep.params(), Mix::default(), SEED);
    let start = Instant::now();
    let report = lockstep.run(stimulus, cycles).expect("runs");
    assert!(report.passed(), "{report}");
    lockstep.finish_waves(None).expect("is writable");
    start.elapsed()
}

fn unit<U: Unit>(criterion: &mut Criterion, rows: &mut Vec<(String, [f64; 4])>) {
    let set = table::set(U::NAME, "table-1").expect("is in the table");
    let netlist = U::netlist(&set).expect("is built");
    let mut sim = Sim::new(&netlist).expect("the host is supported");
    let recorded = Recorded::new::<U>(&set, &sim);
    let label = format!("{} {}", U::NAME, set.name);
    let mut best = [f64::INFINITY; 4];
    let folder = tempfile::tempdir().expect("a folder");
    let mut note = |which: usize, took: Duration, cycles: u64| {
        best[which] = best[which].min(took.as_secs_f64() * 1e9 / cycles as f64);
        took
    };
    let mut group = criterion.benchmark_group(&label);
    group.throughput(criterion::Throughput::Elements(CYCLES));
    group.bench_function("golden", |b| {
        b.iter_custom(|n| note(0, golden::<U>(&set, CYCLES * n, |_, _| ()), CYCLES * n));
    });
    group.bench_function("netlist", |b| {
        b.iter_custom(|n| note(1, recorded.play(&mut sim, CYCLES * n), CYCLES * n));
    });
    group.bench_function("lockstep", |b| {
        b.iter_custom(|n| note(2, lockstep::<U>(&set, CYCLES * n, None), CYCLES * n));
    });
    group.bench_function("lockstep, --last 1000", |b| {
        let last = Some((1000, folder.path()));
        b.iter_custom(|n| note(3, lockstep::<U>(&set, CYCLES * n, last), CYCLES * n));
    });
    group.finish();
    rows.push((label, best));
}

/// A scenario on the golden GPU with `llc_monitor` in lockstep; with waves of the last cycles.
fn scenario(criterion: &mut Criterion) {
    const ACCESSES: u64 = 20_000;
    let folder = tempfile::tempdir().expect("a folder");
    let mut scenario = Scenario::named("gdc-figure-3").expect("is there");
    scenario.accesses = ACCESSES;
    let mut group = criterion.benchmark_group("run gdc-figure-3");
    group.throughput(criterion::Throughput::Elements(ACCESSES));
    for (name, last) in [("no waves", None), ("--last 1000", Some(1000))] {
        let mut request = run::Request::new("gdc-figure-3", &scenario);
        request.wave =
            last.map(|last| Request::new(folder.path().join("run.vcd"), Span::Last(last)));
        group.bench_function(name, |b| {
            b.iter(|| {
                run::run(&request, &mut |_| true)
                    .expect("runs")
                    .report
                    .complete
            })
        });
    }
    group.finish();
}

fn main() {
    let mut criterion = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(3))
        .configure_from_args();
    let mut rows = vec![];
    unit::<Gdcu>(&mut criterion, &mut rows);
    unit::<Plob>(&mut criterion, &mut rows);
    unit::<LruStack>(&mut criterion, &mut rows);
    unit::<LlcMonitor>(&mut criterion, &mut rows);
    scenario(&mut criterion);
    println!(
        "\n{:<24} {:>8} {:>8} {:>9} {:>12}   lockstep / (golden + netlist)",
        "ns per cycle", "golden", "netlist", "lockstep", "--last 1000"
    );
    for (label, [golden, netlist, lockstep, last]) in rows {
        if golden.is_finite() && netlist.is_finite() && lockstep.is_finite() {
            println!(
                "{label:<24} {golden:>8.0} {netlist:>8.0} {lockstep:>9.0} {last:>12.0}   {:.2}, \
                 keeping the last {:.2} times that",
                lockstep / (golden + netlist),
                last / lockstep
            );
        }
    }
    criterion.final_summary();
}
