//! Trace replay with the units beside the golden cache.
//!
//! Rationale: the golden cache has tests of its own; here the hardware's
//! counts, read out through its ports, must be the same for every kind of
//! geometry (banks, no powers of two, one set, none in the table), the wave
//! must show what happened, and a fault in a unit must not go unseen.

use cotenant::experiments::replay::{
    replay, Beside, Error, Hardware, Report, Request, Sets, WaveRequest,
};
use cotenant::unit::llc::{Gdcu, LlcMonitor, LruStack};
use cotenant::verify::interface::Interface;
use cotenant_golden::llc::cache::{Cache, Fast, Geometry};
use cotenant_golden::workload::trace::Source;
use cotenant_golden::workload::{Access, Op};
use cotenant_netlist::fault::Fault;
use cotenant_netlist::sim::Engine;
use cotenant_netlist::Netlist;
use cotenant_waveforms::Window;
use std::fmt::Write;
use std::path::{Path, PathBuf};

fn geometry(sets: usize, ways: usize, kernels: usize, banks: usize) -> Geometry {
    Geometry {
        sets,
        ways,
        line: 128,
        kernels,
        banks,
    }
}

/// Kernels with loops of their own: hits, misses and evictions of all kinds.
fn trace(folder: &Path, kernels: usize, accesses: u64) -> PathBuf {
    let mut text = String::from("kernel,op,address\n");
    let mut state = 0x9e37_79b9u64;
    for n in 0..accesses {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let kernel = (state >> 33) % kernels as u64;
        let address = match kernel % 3 {
            0 => 0x10_0000 * kernel + 128 * (n % 40),
            1 => 0x10_0000 * kernel + 32 * ((state >> 40) % 900),
            _ => 0x10_0000 * kernel + 128 * n,
        };
        let op = if state >> 63 == 0 { 'R' } else { 'W' };
        writeln!(text, "{kernel},{op},{address:#x}").expect("strings grow");
    }
    let path = folder.join("trace.csv");
    std::fs::write(&path, text).expect("the folder is writable");
    path
}

fn request(path: &Path, geometry: Geometry, hardware: Option<Engine>) -> Request {
    Request {
        sources: vec![Source::from(path.to_owned())],
        geometry,
        mapping: None,
        hardware,
        wave: None,
    }
}

fn run(request: &Request) -> Report {
    let finished = replay(request, &mut |_| true).expect("replays");
    assert_eq!(finished.mismatch, None);
    assert!(finished.report.complete);
    finished.report
}

#[test]
fn hardware_counts_what_the_golden_cache_counts() {
    let folder = tempfile::tempdir().expect("a folder");
    for (sets, ways, kernels, banks, hardware) in [
        (256, 16, 4, 4, Beside::LlcMonitor),
        (64, 4, 4, 1, Beside::LlcMonitor),
        (128, 16, 8, 2, Beside::LlcMonitor),
        (16, 2, 2, 1, Beside::LlcMonitor),
        // Of no listed parameter set.
        (64, 4, 3, 1, Beside::LlcMonitor),
        (64, 16, 4, 4, Beside::LlcMonitor),
        (4, 6, 3, 1, Beside::LlcMonitor),
        // A bank of a monitor has two sets at least.
        (1, 2, 2, 1, Beside::Units),
        (4, 4, 4, 4, Beside::Units),
        (2, 32, 8, 2, Beside::Units),
        (8, 12, 5, 8, Beside::Units),
    ] {
        let geometry = geometry(sets, ways, kernels, banks);
        let path = trace(folder.path(), kernels, 6000);
        let alone = run(&request(&path, geometry, None));
        assert_eq!(alone.lockstep, None);
        for engine in [Engine::Jit, Engine::Interpreter] {
            let mut beside = run(&request(&path, geometry, Some(engine)));
            let lockstep = beside.lockstep.take().expect("the table has this geometry");
            // Single units: a stack's and a bank's cycle per access, and the reading out. The
            // monitor: up to one access per bank in a cycle, the sweep and the reading out.
            let fewest = match hardware {
                Beside::Units => 2 * 6000,
                Beside::LlcMonitor => 6000 / banks as u64 + sets as u64 / banks as u64,
            };
            assert!(lockstep.cycles > fewest, "{geometry:?}: {lockstep:?}");
            assert_eq!((lockstep.hardware, lockstep.mismatches), (hardware, 0));
            assert_eq!(beside, alone, "{geometry:?}");
        }
        let demoted: Vec<u64> = alone.gdc.iter().map(|row| row.iter().sum()).collect();
        assert!(demoted.iter().all(|&n| n > 0), "{alone:?}");
        // The larger caches hold all of it.
        assert!(alone.evictions > 0 || sets * ways > 1000, "{alone:?}");
    }
}

// More accesses of a bank than a period has: the matrix is a sum of snapshots.
#[test]
fn long_traces_are_read_out_in_periods() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = trace(folder.path(), 2, 150_000);
    let report = run(&request(&path, geometry(2, 2, 2, 2), Some(Engine::Jit)));
    let demotions: u64 = report.gdc.iter().flatten().sum();
    assert!(demotions > 1 << 16, "{demotions}");
    let cycles = report.lockstep.expect("the table has this geometry").cycles;
    assert!(cycles > 300_000, "{cycles}");
}

#[test]
fn a_geometry_that_no_unit_can_have_runs_without_hardware() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = trace(folder.path(), 7, 1000);
    // A stack has two ways at least.
    let geometry = geometry(16, 1, 7, 1);
    let refused = Sets::of(&geometry).expect_err("one way").to_string();
    assert_eq!(refused, "lru_stack: WAYS is 2 to 64, not 1");
    assert_eq!(
        run(&request(&path, geometry, Some(Engine::Jit))).lockstep,
        None
    );
    let mut waves = request(&path, geometry, Some(Engine::Jit));
    waves.wave = Some(WaveRequest::window(
        folder.path().join("w.vcd"),
        Window::ALL,
    ));
    let error = replay(&waves, &mut |_| true).expect_err("no units, no waves");
    assert!(matches!(error, Error::NoWave { .. }), "{error}");
    assert!(error.to_string().contains(&refused), "{error}");
    assert!(!folder.path().join("w.vcd").exists());
}

#[test]
fn a_stopped_replay_reports_what_was_done() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = trace(folder.path(), 4, 150_000);
    let request = request(&path, geometry(16, 4, 4, 1), Some(Engine::Jit));
    let finished = replay(&request, &mut |done| done == 0).expect("replays");
    assert!(!finished.report.complete);
    assert_eq!(finished.report.accesses, 1 << 16);
    assert_eq!(finished.mismatch, None);
}

#[test]
fn a_malformed_line_leaves_no_wave_behind() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("bad.csv");
    std::fs::write(&path, "0,R,0x80\n1,R,0x100\n1,X,0x180\n").expect("the folder is writable");
    let mut request = request(&path, geometry(16, 4, 4, 1), Some(Engine::Jit));
    request.wave = Some(WaveRequest::window(
        folder.path().join("w.vcd"),
        Window::ALL,
    ));
    let error = replay(&request, &mut |_| true)
        .expect_err("line 3 is malformed")
        .to_string();
    assert!(error.contains("bad.csv:3"), "{error}");
    let left: Vec<_> = std::fs::read_dir(folder.path())
        .expect("readable")
        .collect();
    assert_eq!(left.len(), 1, "{left:?}");
}

// The wave is read back with the parser of a viewer: netlist and model agree
// in it, the access is the one of the trace, and only the window is there.
fn read_back(geometry: Geometry, signals: &[(&[&str], &[&str], &str)]) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = trace(folder.path(), 4, 400);
    let mut request = request(&path, geometry, Some(Engine::Jit));
    let vcd = folder.path().join("w.vcd");
    request.wave = Some(WaveRequest::window(
        vcd.clone(),
        Window { from: 100, to: 300 },
    ));
    let finished = replay(&request, &mut |_| true).expect("replays");
    assert_eq!(finished.wave.as_deref(), Some(vcd.as_path()));

    let mut wave = wellen::simple::read(&vcd).expect("a viewer reads it");
    let hierarchy = wave.hierarchy();
    let find = |scope: &[&str], name: &str| {
        let found = hierarchy.lookup_var(scope, name);
        found.unwrap_or_else(|| panic!("{scope:?} {name} is not in the wave"))
    };
    let pairs: Vec<_> = signals
        .iter()
        .map(|(dut, golden, name)| {
            [dut, golden].map(|scope| find(&[&["replay"], *scope].concat(), name))
        })
        .collect();
    let number = find(&["replay", "access"], "number");
    let hit = find(&["replay", "access"], "hit");
    let refs: Vec<_> = pairs
        .iter()
        .flatten()
        .chain([&number, &hit])
        .map(|v| hierarchy[*v].signal_ref())
        .collect();
    wave.load_signals(&refs);
    let times = wave.time_table().to_vec();
    assert_eq!((times[0], times[times.len() - 1] / 10), (1000, 300));
    let at = |index: usize, signal: usize| {
        let signal = wave.get_signal(refs[signal]).expect("was loaded");
        let place = signal.get_offset(index as u32).expect("has a value");
        signal
            .get_value_at(&place, 0)
            .to_bit_string()
            .expect("is a vector")
    };
    let (mut hits, mut compared) = (0, 0);
    for (index, time) in times
        .iter()
        .enumerate()
        .filter(|(_, t)| *t % 10 == 0 && **t < 3000)
    {
        for pair in 0..pairs.len() {
            assert_eq!(at(index, 2 * pair), at(index, 2 * pair + 1), "time {time}");
            compared += 1;
        }
        let shown = u64::from_str_radix(&at(index, 2 * pairs.len()), 2).expect("is binary");
        assert_eq!(shown, time / 10);
        hits += usize::from(at(index, 2 * pairs.len() + 1) == "1");
    }
    assert_eq!(compared, 200 * pairs.len());
    assert!((1..200).contains(&hits), "{hits}");
}

// Registers are in scopes as in the hierarchy, arrays indexed.
#[test]
fn waves_of_single_units_read_back() {
    let sides = |unit: &'static str| ([unit, "dut"], [unit, "golden"]);
    let (stack, bank0, bank1) = (sides("lru_stack"), sides("gdcu_bank0"), sides("gdcu_bank1"));
    let mut signals: Vec<(&[&str], &[&str], &str)> = vec![];
    for ((dut, golden), ports) in [
        (
            &stack,
            &["hit_pos", "stack_way", "stack_owner", "victim_way"][..],
        ),
        (&bank0, &["access_pos", "read_count", "sequence_number"]),
        (&bank1, &["access_pos", "read_count", "overflow"]),
    ] {
        signals.extend(ports.iter().map(|port| (&dut[..], &golden[..], *port)));
    }
    signals.push((
        &["gdcu_bank1", "dut", "matrix"],
        &["gdcu_bank1", "golden", "matrix"],
        "count(1)(2)",
    ));
    signals.push((&["lru_stack", "dut"], &["lru_stack", "golden"], "owner(3)"));
    read_back(geometry(16, 4, 4, 16), &signals);
}

#[test]
fn waves_of_the_monitor_read_back() {
    let (dut, golden) = (["llc_monitor", "dut"], ["llc_monitor", "golden"]);
    let ports = [
        "access_tag",
        "done_valid",
        "done_way",
        "read_count",
        "ready",
    ];
    let mut signals: Vec<(&[&str], &[&str], &str)> = vec![];
    signals.extend(ports.iter().map(|port| (&dut[..], &golden[..], *port)));
    signals.push((
        &["llc_monitor", "dut", "bank(3)", "gdcu", "matrix"],
        &["llc_monitor", "golden", "bank(3)", "gdcu", "matrix"],
        "count(1)(2)",
    ));
    read_back(geometry(256, 16, 4, 4), &signals);
}

// Addresses wider than the hardware's tags, and those that spread too far for them.
#[test]
fn wide_addresses_are_told_apart() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("wide.csv");
    let mut text = String::new();
    for n in 0..2000u64 {
        // The same low bits in every region, in turn.
        let address = (n * n % 7) << 52 | (n % 5) << 45 | (128 * (n % 300));
        writeln!(text, "{},R,{address:#x}", n % 4).expect("strings grow");
    }
    std::fs::write(&path, text).expect("the folder is writable");
    let geometry = geometry(64, 4, 4, 1);
    let report = run(&request(&path, geometry, Some(Engine::Jit)));
    assert!(report.misses > 100 && report.hits > 10, "{report:?}");
    let beside = report.lockstep.map(|l| (l.hardware, l.mismatches));
    assert_eq!(beside, Some((Beside::LlcMonitor, 0)));
}

fn stuck(netlist: &Netlist, name: &str) -> Netlist {
    let reg = netlist.regs.iter().position(|r| r.name == name);
    let fault = Fault::StuckBit {
        reg: reg.unwrap_or_else(|| panic!("there is no {name}")),
        bit: 0,
        value: true,
    };
    netlist.with_fault(&fault).expect("has this flop")
}

fn driven(hardware: &mut Hardware, geometry: Geometry) {
    let mut cache = Fast::new(geometry).expect("a legal geometry");
    for n in 0..5000u64 {
        let access = Access::at((n % 3) as u8, Op::Read, 128 * (n * n % 777), 128);
        let (before, outcome) = cache.observe(&access).expect("a known kernel");
        hardware
            .access(n, &access, &before, &outcome)
            .expect("runs");
    }
    hardware.finish(5000, &cache.counts());
}

// Break it: a fault in either unit is found, and named with access and field.
#[test]
fn faulty_units_are_seen() {
    let geometry = geometry(2, 4, 4, 2);
    let Ok(Sets::Units(stack_set, gdcu_set)) = Sets::of(&geometry) else {
        panic!("a bank of one set");
    };
    let stack = LruStack::netlist(&stack_set).expect("elaborates");
    let gdcu = Gdcu::netlist(&gdcu_set).expect("elaborates");
    let cases = [
        (
            stuck(&stack, "owner[2]"),
            gdcu.clone(),
            "lru_stack of set",
            "stack_owner[2]",
        ),
        (
            stack.clone(),
            stuck(&gdcu, "matrix.count[1][2]"),
            "gdcu of bank",
            "count[1][2]",
        ),
    ];
    for (stack, gdcu, unit, field) in cases {
        let (stack, gdcu) = ((&stack_set, &stack), (&gdcu_set, &gdcu));
        let mut hardware =
            Hardware::units(&geometry, stack, gdcu, Engine::Jit).expect("same ports");
        driven(&mut hardware, geometry);
        let found = hardware.mismatch().expect("the fault shows");
        assert!(
            found.unit.starts_with(unit) && found.field == field,
            "{found}"
        );
        assert_eq!(hardware.count().mismatches, 1);
    }
}

// Break it: a fault in the monitor is found, in its flops, in its RAM, and in its share of the
// work that only the cache knows: a requester that is taken for another.
#[test]
fn a_faulty_monitor_is_seen() {
    let geometry = geometry(256, 16, 4, 4);
    let set = Sets::monitor(&geometry).expect("legal");
    let good = LlcMonitor::netlist(&set).expect("elaborates");
    let ram = |name: &str| good.rams.iter().position(|r| r.name == name);
    let lost = Fault::LostRamWrite {
        ram: ram("bank[1].directory.tags.way[15]").expect("has this RAM"),
    };
    let cases = [
        (good.clone(), None),
        (
            stuck(&good, "bank[2].plob.matrix.count[1][2]"),
            Some("bank[2].plob"),
        ),
        (stuck(&good, "kid_of[2]"), Some("kid_of[2]")),
        (
            good.with_fault(&lost).expect("has this RAM"),
            Some("tags.way[15]"),
        ),
    ];
    for (netlist, field) in cases {
        let mut hardware =
            Hardware::monitor(&geometry, &set, &netlist, Engine::Jit, true).expect("same ports");
        driven(&mut hardware, geometry);
        let found = hardware.mismatch();
        match field {
            None => assert_eq!(found, None),
            Some(field) => assert!(
                found.is_some_and(|f| f.unit == "llc_monitor" && f.field.contains(field)),
                "{field}: {found:?}"
            ),
        }
    }
}
