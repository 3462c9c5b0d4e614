//! Rationale: the report is what people believe. Its parts must come to their sums, its counters
//! must be what the hardware counted, a faulty monitor must stop the run and stand at the top of
//! the page; and the program's promises: exit codes, the folder whole or not at all, errors that
//! say what to type, an interruption that loses nothing.

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use crate::common::gtkw;
use cotenant::experiments::replay::{Hardware, Sets, WaveRequest};
use cotenant::experiments::run::{html, run, run_beside, text, Request};
use cotenant::unit::llc::LlcMonitor;
use cotenant::verify::interface::Interface;
use cotenant::verify::waves::Span;
use cotenant_golden::gpu::machine::KernelStats;
use cotenant_golden::hetero::Mix;
use cotenant_golden::workload::scenario::Scenario;
use cotenant_netlist::fault::Fault;
use cotenant_netlist::sim::Engine;
use cotenant_waveforms::Window;
use serde_json::Value;

const NAME: &str = "gdc-figure-3";

fn scenario(accesses: u64, period: u64) -> Scenario {
    Scenario {
        accesses,
        period,
        ..Scenario::named(NAME).unwrap()
    }
}

#[test]
fn the_parts_come_to_their_sums() {
    let scenario = scenario(30_000, 5_000);
    let finished = run(&Request::new(NAME, &scenario), &mut |_| true).unwrap();
    let report = &finished.report;
    assert!(report.complete && finished.mismatch.is_none());
    let lockstep = report.lockstep.unwrap();
    assert_eq!(lockstep.mismatches, 0);
    // Every cycle of the GPU is one of the hardware; before them come those that clear the sets.
    assert!(lockstep.cycles > report.cycles);
    // The last ones were on their way when the run ended; nothing is left of them.
    assert!(report.accesses >= 30_000);
    let stats = || report.kernels.iter().filter_map(|kernel| kernel.stats);
    let sum = |of: fn(&KernelStats) -> u64| -> u64 { stats().map(|stats| of(&stats)).sum() };
    assert_eq!(sum(|stats| stats.memory.accesses), report.accesses);
    assert_eq!(sum(|stats| stats.sm.sent), report.accesses);
    assert_eq!(sum(|stats| stats.sm.replies), report.accesses);
    assert_eq!(report.hits + report.misses, report.accesses);
    for (kid, kernel) in report.kernels.iter().enumerate() {
        assert_eq!(kernel.hits + kernel.misses, kernel.accesses);
        let periods =
            |of: &dyn Fn(usize) -> u64| -> u64 { (0..report.periods.len()).map(of).sum() };
        assert_eq!(
            periods(&|p| report.periods[p].accesses[kid]),
            kernel.accesses
        );
        assert_eq!(periods(&|p| report.periods[p].hits[kid]), kernel.hits);
        for a in 0..report.kernels.len() {
            assert_eq!(
                periods(&|p| report.periods[p].gdc[kid][a]),
                report.gdc[kid][a]
            );
            assert_eq!(
                periods(&|p| report.periods[p].ike[kid][a]),
                report.ike[kid][a]
            );
        }
        assert_eq!(
            report.set_accesses[kid].iter().sum::<u64>(),
            kernel.accesses
        );
        assert_eq!(report.set_misses[kid].iter().sum::<u64>(), kernel.misses);
        assert_eq!(
            report.periods.last().unwrap().occupancy[kid],
            kernel.occupancy
        );
    }
    let evicted: u64 = report.ike.iter().flatten().sum();
    assert_eq!(evicted, report.evictions);
    let cycles: u64 = report.periods.iter().map(|period| period.cycles).sum();
    assert_eq!(cycles, report.cycles);
    assert!(report.periods.len() > 3);
}

/// Beside CPUs the monitor hears what the L3 looks up, and comes to the same as the golden cache.
#[test]
fn cpus_beside_a_gpu_are_watched() {
    let name = "cpus-beside-gpu";
    let mut mix = Mix::named(name).unwrap().unwrap();
    (mix.accesses, mix.period) = (20_000, 20_000);
    let finished = run(&Request::new(name, &mix), &mut |_| true).unwrap();
    let report = &finished.report;
    assert!(report.complete && finished.mismatch.is_none());
    let lockstep = report.lockstep.expect("there is such a monitor");
    assert!(lockstep.mismatches == 0 && lockstep.cycles > report.cycles);
    assert!(report.accesses >= 20_000 && report.periods.len() > 2);
    let names: Vec<&str> = report.kernels.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["friendly1", "compute1", "D1"]);
    for (kid, kernel) in report.kernels.iter().enumerate() {
        assert!(kernel.ipc > 0.0 && kernel.accesses > 0, "{kernel:?}");
        let of_period = report.periods.iter().map(|period| period.accesses[kid]);
        assert_eq!(of_period.sum::<u64>(), kernel.accesses);
    }
    let page = html(report, &[]).unwrap();
    assert!(page.contains("friendly1") && !page.contains("SMs and memory system"));
    assert!(text(report).contains("Miss attribution for friendly1"));
    let again = run(&Request::new(name, &mix), &mut |_| true).unwrap();
    assert_eq!(again.report, finished.report);
}

#[test]
fn the_same_seed_gives_the_same_report() {
    let document = |seed: u64| {
        let scenario = Scenario {
            seed,
            ..scenario(5_000, 2_000)
        };
        let finished = run(&Request::new(NAME, &scenario), &mut |_| true).unwrap();
        serde_json::to_string(&finished.report).unwrap()
    };
    assert_eq!(document(1), document(1));
    assert_ne!(
        document(1).replace("\"seed\":1", ""),
        document(2).replace("\"seed\":2", "")
    );
}

// Break it: a counter that does not count, and a tag that is not written.
#[test]
fn a_faulty_monitor_is_seen_and_named() {
    let scenario = scenario(20_000, 5_000);
    let Ok(set) = Sets::monitor(&scenario.geometry) else {
        panic!("the table has this monitor");
    };
    let good = LlcMonitor::netlist(&set).unwrap();
    let flop = |name: &str| good.regs.iter().position(|reg| reg.name == name).unwrap();
    let ram = |name: &str| good.rams.iter().position(|ram| ram.name == name).unwrap();
    let faults = [
        (
            Fault::StuckBit {
                reg: flop("bank[1].gdcu.matrix.count[0][1]"),
                bit: 0,
                value: false,
            },
            "bank[1].gdcu.count[0][1]",
        ),
        (
            Fault::LostRamWrite {
                ram: ram("bank[2].directory.tags.way[3]"),
            },
            "tags.way[3]",
        ),
    ];
    for (fault, field) in faults {
        let netlist = good.with_fault(&fault).unwrap();
        let hardware =
            Hardware::monitor(&scenario.geometry, &set, &netlist, Engine::Jit, true).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let mut request = Request::new(NAME, &scenario);
        let span = Span::Mismatch { before: 50 };
        request.wave = Some(WaveRequest::new(folder.path().join("w.vcd"), span));
        let finished = run_beside(&request, Some(hardware), &mut |_| true).unwrap();
        let mismatch = finished.mismatch.unwrap();
        assert!(mismatch.field.contains(field), "{mismatch}");
        shows(finished.wave.as_deref(), field);
        let page = html(&finished.report, &[]).unwrap();
        let (failed, answer) = (page.find("FAILED").unwrap(), page.find("<table").unwrap());
        assert!(failed < answer && !page.contains("class=\"pass\""));
        assert!(text(&finished.report).contains("MISMATCH: llc_monitor"));
    }
}

/// The wave of a mismatch holds what led to it and a few cycles more, marks it, and shows first the
/// signals that differ; words of RAMs are in no wave.
fn shows(path: Option<&Path>, field: &str) {
    let path = path.expect("a wave was written");
    let mut wave = wellen::simple::read(path).unwrap();
    let (first, end) = gtkw::cycles(&mut wave, 10);
    let save = std::fs::read_to_string(path.with_extension("gtkw")).unwrap();
    let save = gtkw::Save::parse(&save).unwrap();
    assert_eq!(save.missing(&wave), Vec::<String>::new());
    let marked = save.marker as u64 / 10;
    assert!(
        marked - first >= 50 && (1..9).contains(&(end - marked - 1)),
        "{first} {marked} {end}"
    );
    let hierarchy = wave.hierarchy();
    let signal = |path: &str| {
        let mut names: Vec<&str> = path.split('.').collect();
        let name = names.pop().unwrap();
        hierarchy[hierarchy.lookup_var(&names, name).unwrap()].signal_ref()
    };
    let shown: Vec<_> = save
        .traces
        .iter()
        .filter(|trace| trace.groups.is_empty())
        .collect();
    let mut of = vec![signal("run.mismatch")];
    // Clock, reset, mismatch, cycle; then what differs.
    of.extend(shown[4..].iter().map(|trace| signal(&trace.path)));
    wave.load_signals(&of);
    let changes = |signal| {
        let changes = wave.get_signal(signal).unwrap().iter_changes();
        let times = wave.time_table();
        let value = |(at, value): (u32, wellen::SignalValueRef<'_>)| {
            (times[at as usize] / 10, value.to_bit_string().unwrap())
        };
        changes.map(value).collect::<Vec<_>>()
    };
    assert_eq!(changes(of[0]), [(first, "0".into()), (marked, "1".into())]);
    match &of[1..] {
        [dut, golden] => assert!(changes(*dut).last() != changes(*golden).last(), "{field}"),
        others => assert!(others.is_empty() && field.starts_with("tags"), "{field}"),
    }
}

#[test]
fn waves_hold_the_window() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("waves.vcd");
    let scenario = scenario(8_000, 5_000);
    let mut request = Request::new(NAME, &scenario);
    let window = Window {
        from: 6_000,
        to: 6_100,
    };
    request.wave = Some(WaveRequest::window(&path, window));
    run(&request, &mut |_| true).unwrap();
    let mut wave = wellen::simple::read(&path).unwrap();
    let find = |wave: &wellen::simple::Waveform, path: &[&str], name: &str| {
        let found = wave.hierarchy().lookup_var(path, name);
        wave.hierarchy()[found.unwrap_or_else(|| panic!("{name}"))].signal_ref()
    };
    let cycle = find(&wave, &["run"], "cycle");
    let both = [
        find(&wave, &["run", "llc_monitor", "dut"], "done_valid"),
        find(&wave, &["run", "llc_monitor", "golden"], "done_valid"),
    ];
    wave.load_signals(&[cycle, both[0], both[1]]);
    let cycles: Vec<u64> = wave
        .get_signal(cycle)
        .unwrap()
        .iter_changes()
        .filter_map(|(_, value)| u64::from_str_radix(&value.to_bit_string()?, 2).ok())
        .collect();
    assert_eq!(cycles, (6_000..6_100).collect::<Vec<u64>>());
    let values = both.map(|signal| {
        let changes = wave.get_signal(signal).unwrap().iter_changes();
        changes
            .map(|(time, value)| (time, value.to_bit_string()))
            .collect::<Vec<_>>()
    });
    assert!(values[0].len() > 5);
    assert_eq!(values[0], values[1]);
}

#[test]
fn a_run_without_hardware_says_so() {
    let scenario = scenario(1_000, 5_000);
    let mut request = Request::new(NAME, &scenario);
    request.hardware = None;
    let report = run(&request, &mut |_| true).unwrap().report;
    assert_eq!(report.lockstep, None);
    assert!(html(&report, &[])
        .unwrap()
        .contains("No hardware in lockstep"));
}

fn cotenant(arguments: &[&str], folder: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cotenant"));
    command.arg("run").args(arguments).current_dir(folder);
    command.output().expect("the program starts")
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn the_folder_holds_all_of_it() {
    let work = tempfile::tempdir().unwrap();
    let output = cotenant(
        &["--accesses", "5000", "--window", "100..200", "--json"],
        work.path(),
    );
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
    let out = work.path().join("out").join(NAME);
    let written = std::fs::read(out.join("report.json")).unwrap();
    assert_eq!(serde_json::from_slice::<Value>(&written).unwrap(), printed);
    assert_eq!(printed["lockstep"]["mismatches"], 0);
    assert_eq!(printed["area"][0]["unit"], "llc_monitor");
    let page = std::fs::read_to_string(out.join("report.html")).unwrap();
    for part in ["<svg", "VMA", "57.6 %", "</html>"] {
        assert!(page.contains(part), "{part}");
    }
    // One file: nothing is loaded, nothing runs.
    for foreign in ["src=", "href=", "<script", "@import", "NaN"] {
        assert!(!page.contains(foreign), "{foreign}");
    }
    assert!(out.join("verilog/files.f").is_file());
    assert!(out.join("waves.vcd").is_file());
    // Nothing else is left, and a second run replaces the first.
    let entries = || std::fs::read_dir(work.path().join("out")).unwrap().count();
    assert_eq!(entries(), 1);
    let again = cotenant(&["--accesses", "1000", "--no-lockstep"], work.path());
    assert_eq!(again.status.code(), Some(0), "{}", stderr(&again));
    assert_eq!(entries(), 1);
    assert!(!out.join("waves.vcd").exists());
}

#[test]
fn waves_that_would_begin_after_the_end_are_missed() {
    let work = tempfile::tempdir().unwrap();
    let missed = "note: no waves: they were to begin in cycle 100000, and the run ended in cycle";
    for (waves, note) in [(&[][..], true), (&["--window", "0..9"], false)] {
        let arguments = [&["small-cache", "--accesses", "1000"][..], waves].concat();
        let output = cotenant(&arguments, work.path());
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert_eq!(stderr(&output).contains(missed), note, "{arguments:?}");
    }
}

#[test]
fn what_cannot_be_run_is_refused() {
    let work = tempfile::tempdir().unwrap();
    let text = Scenario::text(NAME).unwrap();
    std::fs::write(
        work.path().join("broken.toml"),
        text.replace("\"dadd\"", "\"add\""),
    )
    .unwrap();
    std::fs::create_dir(work.path().join("mine")).unwrap();
    std::fs::write(work.path().join("mine/thesis.tex"), "x").unwrap();
    for (arguments, expected) in [
        (
            &["gdc-figure-4"][..],
            "no scenario \"gdc-figure-4\" (did you mean \"gdc-figure-3\"?), expected one of: gdc-figure-3, ",
        ),
        (&["missing.toml"], "cannot read missing.toml"),
        (
            &["broken.toml"],
            "broken.toml: line 20: kernel.loop is \"add\" (did you mean \"ladd\"?), expected vma, ladd,",
        ),
        (
            &["--out", "mine"],
            "mine is in the way (a folder that is not empty and no earlier run): remove it, or name another",
        ),
        (&["--window", "5..5"], "is no window, expected A..B"),
    ] {
        let output = cotenant(arguments, work.path());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains(expected), "{}", stderr(&output));
    }
    assert!(!work.path().join("out").exists());
    assert!(work.path().join("mine/thesis.tex").exists());
}

// The README shows what a run prints; the hardware takes long and changes one line.
#[test]
fn the_readme_shows_what_is_printed() {
    let work = tempfile::tempdir().unwrap();
    let output = cotenant(&["--no-lockstep"], work.path());
    let printed = String::from_utf8(output.stdout).unwrap();
    let readme = include_str!("../../README.md");
    let shown = readme
        .split("```text\n")
        .find(|part| part.starts_with("VMA under test"));
    let (shown, _) = shown
        .expect("the README has a run")
        .split_once("```")
        .unwrap();
    let rest = |text: &str| {
        let lines = text
            .lines()
            .filter(|line| !line.starts_with("Hardware in lockstep"));
        lines.map(String::from).collect::<Vec<_>>()
    };
    assert_eq!(rest(shown), rest(&printed));
    assert!(shown.contains("cycles compared, 0 mismatches"));
    // Shares beside the paper's: within 5 points, of which the paper's rounding is a tenth.
    let mut compared = 0;
    for name in ["VMA", "DADD", "AGG1", "AGG2"] {
        let row = |line: &&str| line.split_whitespace().next() == Some(name);
        let row = printed.lines().rfind(row).unwrap().split_whitespace();
        // The name, and the exact share, which no paper has.
        let shares: Vec<f64> = row.skip(2).map(|share| share.parse().unwrap()).collect();
        for pair in shares.chunks(2) {
            assert!((pair[0] - pair[1]).abs() <= 5.0, "{name}: {pair:?}");
            compared += 1;
        }
    }
    assert_eq!(compared, 8);
}

// A file that somebody has put into a run's folder is no run's.
#[test]
fn what_a_run_did_not_write_stays() {
    let work = tempfile::tempdir().unwrap();
    let short = ["--accesses", "1000", "--no-lockstep"];
    assert_eq!(cotenant(&short, work.path()).status.code(), Some(0));
    let note = work.path().join("out").join(NAME).join("note.txt");
    std::fs::write(&note, "mine").unwrap();
    let again = cotenant(&short, work.path());
    assert_eq!(again.status.code(), Some(2));
    assert!(stderr(&again).contains("note.txt is in the way (no run wrote it)"));
    assert_eq!(std::fs::read_to_string(note).unwrap(), "mine");
}

#[test]
fn a_scenario_of_ones_own() {
    let work = tempfile::tempdir().unwrap();
    let printed = cotenant(&["--print"], work.path());
    let text = String::from_utf8(printed.stdout).unwrap();
    assert_eq!(text, Scenario::text(NAME).unwrap());
    std::fs::write(
        work.path().join("own.toml"),
        text.replace("1_000_000", "2_000"),
    )
    .unwrap();
    let output = cotenant(&["own.toml"], work.path());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("out/own/report.html"), "{said}");
}

/// Bytes of all files in a folder and in those below it; none if it is not there.
#[cfg(unix)]
fn bytes_below(folder: &Path) -> u64 {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let bytes = entries.map(|entry| match entry.metadata() {
        Ok(found) if found.is_dir() => bytes_below(&entry.path()),
        Ok(found) => found.len(),
        Err(_) => 0,
    });
    bytes.sum()
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_keeps_what_it_has() {
    let work = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_cotenant"));
    command
        .args(["run", "--accesses", "1000M", "--window", "0..2000"])
        .args(["--record", "trace.csv"])
        .current_dir(work.path());
    let child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Until cycles have been run and waves of them written, beside their place.
    while bytes_below(&work.path().join("out")) < 1 << 16 {
        std::thread::sleep(Duration::from_millis(10));
    }
    let pid = child.id().to_string();
    assert!(Command::new("kill")
        .args(["-INT", &pid])
        .status()
        .unwrap()
        .success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    assert!(String::from_utf8_lossy(&output.stdout).contains("(interrupted; so far)"));
    let page = std::fs::read_to_string(work.path().join("out/gdc-figure-3/report.html")).unwrap();
    let (seen, answer) = (
        page.find("Interrupted").unwrap(),
        page.find("<table").unwrap(),
    );
    assert!(seen < answer, "not at the top");
    let json = std::fs::read(work.path().join("out/gdc-figure-3/report.json")).unwrap();
    let json: Value = serde_json::from_slice(&json).unwrap();
    assert_eq!(json["complete"], false);
    assert_eq!(json["accesses_wanted"], 1_000_000_000u64);
    let done = json["accesses"].as_u64().unwrap();
    assert!((1..1_000_000_000).contains(&done), "{done}");
    // The last period is cut short, and counted.
    let periods = json["periods"].as_array().unwrap();
    let cycles = periods
        .iter()
        .map(|period| period["cycles"].as_u64().unwrap());
    assert_eq!(json["cycles"], cycles.sum::<u64>());
    let wave = work.path().join("out/gdc-figure-3/waves.vcd");
    assert!(wellen::simple::read(wave).is_ok());
    assert_eq!(counts(&replayed(work.path(), "trace.csv")), counts(&json));
}

/// What a trace comes to, with the options in its first line.
fn replayed(folder: &Path, trace: &str) -> Value {
    let text = std::fs::read_to_string(folder.join(trace)).unwrap();
    let options = text.lines().next().unwrap().strip_prefix("# ").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_cotenant"));
    command.args(["replay", "--no-lockstep", "--json", "--trace", trace]);
    command.args(options.split(' ')).current_dir(folder);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// What run and replay both count.
fn counts(report: &Value) -> Vec<Value> {
    let fields = ["accesses", "hits", "misses", "evictions"];
    let all = fields.iter().chain(&["gdc", "ike", "attribution"]);
    let mut counts: Vec<Value> = all.map(|field| report[field].clone()).collect();
    for kernel in report["kernels"].as_array().unwrap() {
        let fields = ["accesses", "hits", "misses"];
        counts.extend(fields.map(|field| kernel[field].clone()));
    }
    counts
}

/// Rationale: a recorded trace is the run's, to the last count; one without its last access is not.
#[test]
fn a_recorded_trace_counts_the_same() {
    let work = tempfile::tempdir().unwrap();
    std::fs::create_dir(work.path().join("deep")).unwrap();
    let run = ["small-cache", "--accesses", "20k", "--no-lockstep"];
    let output = cotenant(
        &[&run[..], &["--json", "--record", "deep/t.csv"]].concat(),
        work.path(),
    );
    assert!(output.status.success(), "{}", stderr(&output));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let found = counts(&report);
    assert!(found.iter().all(|count| !count.is_null()), "{found:?}");
    assert_eq!(counts(&replayed(work.path(), "deep/t.csv")), found);
    let text = std::fs::read_to_string(work.path().join("deep/t.csv")).unwrap();
    let (rest, _) = text.trim_end().rsplit_once('\n').unwrap();
    std::fs::write(work.path().join("less.csv"), rest).unwrap();
    assert_ne!(counts(&replayed(work.path(), "less.csv")), found);
    // In the folder of the report it would be in the way of it.
    for (place, why) in [
        ("out/small-cache/t.csv", "outside the output folder"),
        ("deep", "a folder"),
    ] {
        let refused = cotenant(&["small-cache", "--record", place], work.path());
        assert_eq!(refused.status.code(), Some(2));
        assert!(stderr(&refused).contains(why), "{}", stderr(&refused));
    }
}
