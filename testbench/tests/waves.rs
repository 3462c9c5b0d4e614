//! Waves of lockstep runs: which cycles, which signals, and what viewers are told.
//!
//! Rationale: the wave of the last cycles is made by running the netlist once more, that of a
//! window by running a copy beside it. Both must come to the same bytes, also where a run was put
//! into another state in between. Both sides must have the same signals in the same order, so that
//! they can be held against each other. A save file must name only what is in the wave, for every
//! unit and set of flags.

use std::path::{Path, PathBuf};

use crate::common::gtkw::{self, Save};
use cotenant::registry::{Unit, UNITS};
use cotenant::unit::llc::{Gdcu, LlcMonitor, LruStack};
use cotenant::verify::interface::Interface;
use cotenant::verify::lockstep::{check, Check, Flow, Lockstep, Report};
use cotenant::verify::stimulus::{stream, Mix};
use cotenant::verify::waves::{Request, Span};
use cotenant_netlist::sim::Engine;
use cotenant_netlist::Netlist;
use cotenant_units::table;
use cotenant_waveforms::Window;
use wellen::simple::Waveform;

const SEED: u64 = 0x9e37;

/// A wave and its save file, which names only what is in the wave.
fn open(path: &Path) -> (Waveform, Save) {
    let mut wave = wellen::simple::read(path).unwrap();
    let signals: Vec<_> = wave.hierarchy().signals().collect();
    wave.load_signals(&signals);
    let text = std::fs::read_to_string(path.with_extension("gtkw")).unwrap();
    let save = Save::parse(&text).unwrap();
    assert_eq!(
        save.missing(&wave),
        Vec::<String>::new(),
        "{}",
        path.display()
    );
    assert!(path.with_extension("sucl").is_file());
    for names in save.traces.iter().filter_map(|trace| trace.names.as_ref()) {
        assert!(path.with_file_name(names).is_file(), "{names}");
    }
    (wave, save)
}

/// A signal's path and its values with their times.
type Changes = (String, Vec<(u64, String)>);

/// All changes of the signals of a side, by their paths in it, in the order of declaration; but for
/// x, which FST has before the first cycle.
fn side(wave: &Waveform, side: &str) -> Vec<Changes> {
    let (hierarchy, times) = (wave.hierarchy(), wave.time_table());
    let all = hierarchy.all_vars();
    all.filter_map(|variable| {
        let path = hierarchy[variable].full_name(hierarchy);
        let (_, path) = path.split_once(&format!(".{side}."))?;
        let signal = wave.get_signal(hierarchy[variable].signal_ref())?;
        let changes = signal.iter_changes();
        let changes =
            changes.map(|(at, value)| (times[at as usize], value.to_bit_string().unwrap()));
        let changes = changes.filter(|(_, value)| !value.contains('x'));
        Some((path.to_owned(), changes.collect()))
    })
    .collect()
}

/// One bit of `victim_way` is wrong.
fn faulty() -> Netlist {
    let set = table::set("lru_stack", "figure-2").unwrap();
    let mut netlist = LruStack::netlist(&set).unwrap();
    let mut outputs = netlist.outputs.iter();
    let output = outputs
        .position(|output| output.name == "victim_way")
        .unwrap();
    let node = netlist.outputs[output].node;
    let halves = [(0, 1), (1, 1)].map(|(low, width)| netlist.graph.slice(node, low, width));
    netlist.outputs[output].node = netlist.graph.cat(vec![halves[1], halves[0]]);
    netlist
}

/// A run of the faulty netlist with these waves.
fn broken(requests: &[Request]) -> Report {
    let set = table::set("lru_stack", "figure-2").unwrap();
    let lockstep = Lockstep::<LruStack>::with_netlist(&set, &faulty(), Engine::default());
    let mut lockstep = lockstep.unwrap();
    for request in requests {
        lockstep = lockstep.waves(request.clone()).unwrap();
    }
    let stimulus = stream::<LruStack>(lockstep.params(), Mix::default(), SEED);
    let mut report = lockstep.run(stimulus, 10_000).unwrap();
    report.wave = lockstep.finish_waves(None).unwrap();
    report
}

/// A check with one wave.
fn checked<U: Unit>(set: &str, cycles: u64, request: Request) -> Report {
    let set = table::set(U::NAME, set).unwrap();
    let options = Check::new(cycles, SEED).waves(request);
    let report = check::<U>(&set, &options, &mut |_| Flow::Continue).unwrap();
    assert!(report.passed(), "{report}");
    report
}

/// The text behind the header's comments.
fn body(path: &Path) -> String {
    let text = std::fs::read_to_string(path).unwrap();
    text.split_once("$timescale").unwrap().1.to_owned()
}

#[test]
fn the_last_cycles_are_those_of_a_window() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    // The second half of a check's episodes starts from other states than reset.
    for (cycles, last) in [(5_000, 300), (700, 700), (50, 1_000), (5_000, 3_000)] {
        checked::<Gdcu>(
            "figure-2",
            cycles,
            Request::new(at("last.vcd"), Span::Last(last)),
        );
        let from = cycles.saturating_sub(last);
        let window = Window { from, to: cycles };
        let report = checked::<Gdcu>("figure-2", cycles, Request::window(at("w.vcd"), window));
        assert_eq!(report.wave.as_deref(), Some(&*at("w.vcd")));
        assert!(
            body(&at("last.vcd")) == body(&at("w.vcd")),
            "last {last} of {cycles}"
        );
        let (mut wave, _) = open(&at("last.vcd"));
        assert_eq!(gtkw::cycles(&mut wave, 10), (from, cycles));
    }
}

#[test]
fn both_sides_have_the_same_signals_in_the_same_order() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("w.vcd");
    fn sides<U: Unit>(path: &Path) -> [Vec<Changes>; 2] {
        checked::<U>("small", 2_000, Request::new(path, Span::Last(1_000)));
        let (wave, _) = open(path);
        ["dut", "golden"].map(|name| side(&wave, name))
    }
    let [dut, golden] = sides::<LlcMonitor>(&path);
    assert!(golden.len() > 50, "{} signals", golden.len());
    // What only the netlist has, the pipeline and registers of RAMs, comes after.
    let known: Vec<&String> = golden.iter().map(|(path, _)| path).collect();
    let (shared, hidden): (Vec<_>, Vec<_>) =
        dut.iter().partition(|(path, _)| known.contains(&path));
    let order: Vec<&String> = shared.iter().map(|(path, _)| path).collect();
    assert_eq!(order, known);
    assert!(!hidden.is_empty());
    for (path, _) in &hidden {
        let flop = path.replace('(', "[").replace(')', "]");
        let ram = path.contains("read_data") || path.contains("collision");
        assert!(ram || LlcMonitor::working(&flop), "{path}");
    }
    for (dut, golden) in shared.iter().zip(&golden) {
        // Demotions that are still to be counted are bits in the netlist and a number in the model.
        // A counter that has passed its limit goes on from 0 in the netlist alone.
        let at_limit = |value: &str| !value.contains('0');
        let passed = dut.0.contains("count(") || dut.0.contains("shadow(");
        let passed = passed && golden.1.iter().any(|(_, value)| at_limit(value));
        if !dut.0.contains("lane(0)") && !passed {
            assert!(dut.1 == golden.1, "{}", dut.0);
        }
    }
    let moving = shared.iter().filter(|(_, changes)| changes.len() > 1);
    assert!(moving.count() > 50, "most signals move");
}

#[test]
fn a_mismatch_is_marked_and_shown_first() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let before = |before| Span::Mismatch { before };
    let report = broken(&[Request::new(at("m.vcd"), before(20))]);
    let found = report.mismatch.unwrap();
    assert_eq!((found.field.as_str(), report.wave), ("victim_way", None));
    let (mut wave, save) = open(&at("m.vcd"));
    let first = found.cycle.saturating_sub(20);
    assert_eq!(gtkw::cycles(&mut wave, 10), (first, found.cycle + 9));
    assert_eq!(save.marker, found.cycle as i64 * 10);
    let shown: Vec<&str> = save
        .traces
        .iter()
        .map(|trace| trace.path.as_str())
        .collect();
    assert_eq!(
        shown[..5],
        [
            "lru_stack.clock",
            "lru_stack.reset",
            "lru_stack.mismatch",
            "lru_stack.dut.victim_way",
            "lru_stack.golden.victim_way"
        ]
    );
    let colours: Vec<u32> = save.traces[2..5].iter().map(|trace| trace.colour).collect();
    assert_eq!(colours, [1, 4, 3]);
}

#[test]
fn the_last_cycles_and_a_window_hold_the_mismatch_too() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let window = Window { from: 0, to: 1_000 };
    let requests = [
        Request::new(at("last.vcd"), Span::Last(30)),
        Request::on_mismatch(at("mismatch.vcd")),
    ];
    let report = broken(&requests);
    let found = report.mismatch.unwrap();
    assert_eq!(found.wave, Some(at("mismatch.vcd")));
    assert_eq!(report.wave, Some(at("last.vcd")));
    let (mut wave, save) = open(&at("last.vcd"));
    assert_eq!(
        gtkw::cycles(&mut wave, 10),
        (found.cycle.saturating_sub(30), found.cycle + 9)
    );
    assert_eq!(save.marker, found.cycle as i64 * 10);
    let report = broken(&[Request::window(at("w.vcd"), window)]);
    let found = report.mismatch.unwrap();
    let (mut wave, save) = open(&at("w.vcd"));
    assert_eq!(gtkw::cycles(&mut wave, 10), (0, found.cycle + 9));
    assert_eq!(save.marker, found.cycle as i64 * 10);
}

#[test]
fn no_mismatch_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.vcd");
    let report = checked::<Gdcu>("figure-2", 1_000, Request::on_mismatch(&path));
    assert_eq!(report.wave, None);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn only_the_chosen_signals() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("w.fst");
    let request = |pattern: &str| {
        let window = Window { from: 100, to: 200 };
        Request::window(&path, window).signals([pattern.parse().unwrap()])
    };
    checked::<Gdcu>("figure-2", 300, request("matrix.count[1][*]"));
    let (wave, save) = open(&path);
    let paths: Vec<&str> = save
        .traces
        .iter()
        .map(|trace| trace.path.as_str())
        .collect();
    let count = |side: &str, column: usize| format!("gdcu.{side}.matrix.count(1)({column})");
    let mut expected = vec![
        "gdcu.clock".into(),
        "gdcu.reset".into(),
        "gdcu.mismatch".into(),
    ];
    for side in ["dut", "golden"] {
        expected.extend((0..4).map(|column| count(side, column)));
    }
    let nets: Vec<&&str> = paths
        .iter()
        .filter(|path| path.contains(".nets."))
        .collect();
    assert_eq!(paths.len() - nets.len(), expected.len());
    assert_eq!(paths[..expected.len()], expected);
    assert_eq!(wave.hierarchy().all_vars().count(), paths.len());
    let set = table::set("gdcu", "figure-2").unwrap();
    let options = Check::new(300, SEED).waves(request("matrx.count"));
    let error = check::<Gdcu>(&set, &options, &mut |_| Flow::Continue).unwrap_err();
    let error = error.to_string();
    assert!(
        error.contains("matches 'matrx.count'; the nearest are gdcu."),
        "{error}"
    );
    let names: Vec<PathBuf> = std::fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    assert_eq!(
        names.len(),
        3,
        "the first wave and nothing partial: {names:?}"
    );
}

#[test]
fn vcd_and_fst_hold_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let [vcd, fst] = ["w.vcd", "w.fst"].map(|name| {
        let path = folder.path().join(name);
        let window = Window {
            from: 1_000,
            to: 3_000,
        };
        checked::<LlcMonitor>("small", 4_000, Request::window(&path, window));
        let (mut wave, _) = open(&path);
        let size = std::fs::metadata(&path).unwrap().len();
        (
            gtkw::cycles(&mut wave, 10),
            ["dut", "golden", "nets"].map(|part| side(&wave, part)),
            size,
        )
    });
    assert_eq!(vcd.0, (1_000, 3_000));
    assert_eq!(vcd.0, fst.0);
    for (vcd, fst) in vcd.1.iter().flatten().zip(fst.1.iter().flatten()) {
        assert!(vcd == fst, "{} and {} differ", vcd.0, fst.0);
    }
    assert_eq!(
        vcd.1.each_ref().map(Vec::len),
        fst.1.each_ref().map(Vec::len)
    );
    assert!(
        fst.2 < vcd.2 / 2,
        "{} bytes as VCD, {} as FST",
        vcd.2,
        fst.2
    );
}

#[test]
fn more_cycles_than_the_memory_holds_are_refused() {
    let set = table::set("gdcu", "figure-2").unwrap();
    let lockstep = Lockstep::<Gdcu>::new(&set).unwrap();
    let error = lockstep.waves(Request::new("w.vcd", Span::Last(u64::MAX)));
    let error = error.unwrap_err().to_string();
    assert!(error.contains("expected at most "), "{error}");
    let most: u64 = error.rsplit(' ').next().unwrap().parse().unwrap();
    let lockstep = Lockstep::<Gdcu>::new(&set).unwrap();
    let allowed = lockstep.waves(Request::new("w.vcd", Span::Last(most)));
    assert!(allowed.is_ok(), "{:?}", allowed.err());
}

// Every unit has a wave that a viewer can be told about, and its parameters are in it.
#[test]
fn all_units() {
    let folder = tempfile::tempdir().unwrap();
    for unit in UNITS {
        let path = folder.path().join(format!("{}.vcd", unit.name()));
        let set = table::set(unit.name(), "small").unwrap();
        let request = Request::new(&path, Span::Last(20));
        let report = unit.check(&set, &Check::new(50, SEED).waves(request), &mut |_| {
            Flow::Continue
        });
        assert_eq!(report.unwrap().wave.as_deref(), Some(&*path));
        let (mut wave, save) = open(&path);
        assert_eq!(gtkw::cycles(&mut wave, 10), (30, 50), "{}", unit.name());
        for (name, _) in &set.params {
            save.trace(&format!("{}.parameters.{name}", unit.name()));
        }
    }
    let names = |file: &str| std::fs::read_to_string(folder.path().join(file)).unwrap();
    assert_eq!(
        names("Release.dec32.txt"),
        "0 Unlimited\n1 Double\n2 Hold\n3 PlusOne\n"
    );
    assert_eq!(
        names("Matrix.bin2.txt"),
        "00 Gdc\n01 Ike\n10 Accesses\n11 Sce\n"
    );
}
