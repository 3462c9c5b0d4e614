//! Trace replay with the units beside the golden cache.
//!
//! Rationale: the golden cache has tests of its own; here the hardware's
//! counts, read out through its ports, must be the same for every kind of
//! geometry (banks, no powers of two, one set, none in the table), the wave
//! must show what happened, and a fault in a unit must not go unseen.

use cotenant::replay::{replay, sets_for, Error, Hardware, Report, Request, WaveRequest};
use cotenant::unit::llc::{Gdcu, LruStack};
use cotenant::unit::Interface;
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
    for (sets, ways, kernels, banks) in [
        (16, 4, 4, 1),
        (64, 16, 4, 4),
        (1, 2, 2, 1),
        (8, 32, 8, 2),
        (4, 6, 3, 1),
        (8, 12, 5, 8),
    ] {
        let geometry = geometry(sets, ways, kernels, banks);
        let path = trace(folder.path(), kernels, 6000);
        let alone = run(&request(&path, geometry, None));
        assert_eq!(alone.lockstep, None);
        for engine in [Engine::Jit, Engine::Interpreter] {
            let mut beside = run(&request(&path, geometry, Some(engine)));
            let lockstep = beside.lockstep.take().expect("the table has this geometry");
            // A stack's and a bank's cycle an access, and the reading out.
            assert!(lockstep.cycles > 2 * 6000, "{geometry:?}: {lockstep:?}");
            assert_eq!(lockstep.mismatches, 0);
            assert_eq!(beside, alone, "{geometry:?}");
        }
        let demoted: Vec<u64> = alone.gdc.iter().map(|row| row.iter().sum()).collect();
        assert!(
            alone.evictions > 0 && demoted.iter().all(|&n| n > 0),
            "{alone:?}"
        );
    }
}

// More accesses of a bank than a period has: the matrix is a sum of snapshots.
#[test]
fn long_traces_are_read_out_in_periods() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = trace(folder.path(), 2, 150_000);
    let report = run(&request(&path, geometry(4, 2, 2, 1), Some(Engine::Jit)));
    let demotions: u64 = report.gdc.iter().flatten().sum();
    assert!(demotions > 1 << 16, "{demotions}");
    let cycles = report.lockstep.expect("the table has this geometry").cycles;
    assert!(cycles > 300_000, "{cycles}");
}

#[test]
fn a_geometry_that_is_not_built_runs_without_hardware() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = trace(folder.path(), 7, 1000);
    let geometry = geometry(16, 10, 7, 1);
    assert!(sets_for(&geometry).is_none());
    assert_eq!(
        run(&request(&path, geometry, Some(Engine::Jit))).lockstep,
        None
    );
    let mut waves = request(&path, geometry, Some(Engine::Jit));
    waves.wave = Some(WaveRequest {
        path: folder.path().join("w.vcd"),
        window: Window::ALL,
    });
    let error = replay(&waves, &mut |_| true).expect_err("no units, no waves");
    assert!(matches!(error, Error::NoWave { .. }), "{error}");
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
    request.wave = Some(WaveRequest {
        path: folder.path().join("w.vcd"),
        window: Window::ALL,
    });
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
#[test]
fn waves_read_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = trace(folder.path(), 4, 400);
    let mut request = request(&path, geometry(16, 4, 4, 2), Some(Engine::Jit));
    let vcd = folder.path().join("w.vcd");
    request.wave = Some(WaveRequest {
        path: vcd.clone(),
        window: Window { from: 100, to: 300 },
    });
    let finished = replay(&request, &mut |_| true).expect("replays");
    assert_eq!(finished.wave.as_deref(), Some(vcd.as_path()));

    let mut wave = wellen::simple::read(&vcd).expect("a viewer reads it");
    let hierarchy = wave.hierarchy();
    let find = |scope: &[&str], name: &str| {
        let found = hierarchy.lookup_var(scope, name);
        found.unwrap_or_else(|| panic!("{scope:?} {name} is not in the wave"))
    };
    let mut pairs = vec![];
    for (unit, ports) in [
        (
            "lru_stack",
            &["hit_pos", "stack_way", "stack_owner", "victim_way"][..],
        ),
        (
            "gdcu_bank0",
            &["access_pos", "read_count", "sequence_number"],
        ),
        ("gdcu_bank1", &["access_pos", "read_count", "overflow"]),
    ] {
        for port in ports {
            pairs.push(["dut", "golden"].map(|side| find(&["replay", unit, side], port)));
        }
    }
    // Registers are in scopes as in the hierarchy, arrays indexed.
    pairs.push([
        find(
            &["replay", "gdcu_bank1", "dut", "state", "matrix"],
            "count(1)(2)",
        ),
        find(&["replay", "gdcu_bank1", "golden", "state"], "count(1)(2)"),
    ]);
    pairs.push(
        ["dut", "golden"].map(|side| find(&["replay", "lru_stack", side, "state"], "owner(3)")),
    );
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

// Break it: a fault in either unit is found, and named with access and field.
#[test]
fn faulty_hardware_is_seen() {
    let geometry = geometry(16, 4, 4, 2);
    let (stack_set, gdcu_set) = sets_for(&geometry).expect("the table has this geometry");
    let stack = LruStack::netlist(&stack_set).expect("elaborates");
    let gdcu = Gdcu::netlist(&gdcu_set).expect("elaborates");
    let reg = |netlist: &Netlist, name: &str| {
        netlist
            .regs
            .iter()
            .position(|r| r.name == name)
            .expect("has this flop")
    };
    let stuck = |netlist: &Netlist, name: &str| {
        let fault = Fault::StuckBit {
            reg: reg(netlist, name),
            bit: 0,
            value: true,
        };
        netlist.with_fault(&fault).expect("has this flop")
    };
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
        let mut hardware = Hardware::with_netlists(&geometry, &stack, &gdcu, Engine::Jit)
            .expect("same ports")
            .expect("the table has this geometry");
        let mut cache = Fast::new(geometry).expect("a legal geometry");
        for n in 0..5000u64 {
            let access = Access::at((n % 3) as u8, Op::Read, 128 * (n * n % 777), 128);
            let (before, outcome) = cache.observe(&access).expect("a known kernel");
            hardware
                .access(n, access.kernel, &before, &outcome)
                .expect("runs");
        }
        let found = hardware.mismatch().expect("the fault shows");
        assert!(
            found.unit.starts_with(unit) && found.field == field,
            "{found}"
        );
        assert_eq!(hardware.count().mismatches, 1);
    }
}
