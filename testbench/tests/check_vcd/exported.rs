//! Our own Verilog, and faults in it.

use cotenant::registry::UNITS;
use cotenant_units::table;
use tempfile::TempDir;

use super::{blocks, shell};
use crate::common::faults::{faulty_units, Faulty};
use crate::common::fewest_cycles;

/// An export of a unit, a map for its dump, and what its self-checking testbench prints; `more` are
/// further options of the export.
fn exported(unit: &str, set: &str, more: &str) -> (TempDir, String, String) {
    let work = tempfile::tempdir().unwrap();
    let folder = work.path();
    let run = |command: &str| {
        let (code, out, err) = shell(folder, command);
        assert_eq!(code, 0, "{command}: {err}");
        out
    };
    let cycles = fewest_cycles(unit, &table::set(unit, set).unwrap());
    let export = format!("export --testbench --cycles {cycles} --directed 0 --out rtl");
    run(&format!("cotenant {export} {unit} --config {set} {more}"));
    let manifest = std::fs::read_to_string(folder.join("rtl/export.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    let top = manifest["top"].as_str().unwrap();
    shell(folder, "make -C rtl waves");
    let log = std::fs::read_to_string(folder.join("rtl/build/waves.log")).unwrap();
    let map = run(&format!(
        "cotenant check {unit} --config {set} --map-template --top {top}_tb.dut"
    ));
    std::fs::write(folder.join("map.toml"), map).unwrap();
    let check = format!("check {unit} --config {set} --vcd rtl/build/{top}.vcd --map map.toml");
    (work, format!("cotenant {check}"), log)
}

/// Simulates in Icarus and checks; as many cycles are compared as by the testbench.
fn passes(unit: &str) {
    let first = table::test_sets(unit).unwrap()[0].name;
    for set in ["small", first] {
        let (work, check, log) = exported(unit, set, "");
        let (code, out, err) = shell(work.path(), &check);
        assert_eq!(code, 0, "{unit} {set}: {out}{err}");
        let compared = log.split(" cycles, ").nth(1).expect(&log);
        let compared = compared.split(' ').next().unwrap();
        assert!(
            out.contains(&format!("\n  {compared} cycles compared")),
            "{unit} {set}: {log} but {out}"
        );
    }
}

#[test]
fn our_own_verilog_passes_in_every_unit() {
    let units = UNITS.iter().map(|unit| unit.name());
    units.filter(|unit| *unit != "llc_monitor").for_each(passes);
}

#[test]
fn llc_monitor_passes_in_icarus() {
    passes("llc_monitor");
}

/// RAM, a sweep before `ready`, and wide ports: in two states, by the exported program with traces.
#[test]
fn llc_monitor_passes_in_verilator() {
    let (work, check, _) = exported("llc_monitor", "small", "");
    let folder = work.path().join("rtl");
    let files = std::fs::read_to_string(folder.join("files.f")).unwrap();
    let top = files.lines().last().unwrap().trim_end_matches(".v");
    let main = folder.join(format!("{top}_main.cpp"));
    let mut text = std::fs::read_to_string(&main).unwrap();
    for (from, to) in [
        (
            "#include \"verilated.h\"",
            "#include \"verilated.h\"\n#include \"verilated_vcd_c.h\"",
        ),
        (
            "  VerilatedContext context;",
            "  VerilatedContext context;\n  context.traceEverOn(true);",
        ),
        (
            "dut(&context);",
            "dut(&context);\n  VerilatedVcdC trace;\n  dut.trace(&trace, 1);\n  \
             trace.open(\"dump.vcd\");\n  uint64_t time = 0;",
        ),
        ("dut.eval();", "dut.eval(); trace.dump(time += 5);"),
        ("dut.final();", "trace.close(); dut.final();"),
    ] {
        assert!(text.contains(from), "{from}");
        text = text.replace(from, to);
    }
    std::fs::write(&main, text).unwrap();
    let build = format!(
        "cd rtl && verilator --cc --exe --build --trace -MAKEFLAGS 'OPT_FAST=-O0 OPT_GLOBAL=-O0' \
         --top-module {top} -f files.f {top}_main.cpp && obj_dir/V{top}"
    );
    let (code, log, err) = shell(work.path(), &build);
    assert_eq!(code, 0, "{log}{err}");
    let map = std::fs::read_to_string(work.path().join("map.toml")).unwrap();
    let map = map.replace(&format!("\"{top}_tb.dut."), "\"TOP.");
    std::fs::write(work.path().join("map.toml"), map).unwrap();
    let check = check.replace(&format!("rtl/build/{top}.vcd"), "rtl/dump.vcd");
    let (code, out, err) = shell(work.path(), &check);
    assert_eq!(code, 0, "{out}{err}");
    let compared = log.split("PASS 2000 cycles, ").nth(1).expect(&log);
    let compared = compared.split(' ').next().unwrap();
    assert!(
        out.contains(&format!("\n  {compared} cycles compared")),
        "{log} but {out}"
    );
    // The sweep, at least.
    assert!(compared.parse::<u64>().unwrap() < 2000 - 16, "{compared}");
}

#[test]
fn a_faulty_unit_fails_at_the_cycle_that_the_testbench_names() {
    for Faulty {
        unit, set, fault, ..
    } in faulty_units()
    {
        let (work, check, log) = exported(unit, set, &format!("--fault '{fault}'"));
        // cycle 12: stack_way: got 1, expected 0
        let first = log.lines().find(|line| line.starts_with("cycle ")).unwrap();
        let (cycle, rest) = first.split_once(": ").unwrap();
        let port = rest.split(':').next().unwrap();
        let (code, out, err) = shell(work.path(), &check);
        assert_eq!(code, 1, "{unit}: {out}{err}");
        assert!(
            out.contains(&format!(": {cycle} at #")),
            "{unit}: {first} but {out}"
        );
        assert!(
            out.contains(&format!("): {port}")),
            "{unit}: {first} but {out}"
        );
    }
}

#[test]
fn the_pages_commands_for_our_own_verilog_work() {
    let work = tempfile::tempdir().unwrap();
    let commands = blocks("sh").into_iter().last().unwrap();
    let (code, out, err) = shell(work.path(), &format!("set -e\n{commands}"));
    assert_eq!(code, 0, "{out}{err}");
    assert!(out.contains("1999 cycles compared"), "{out}");
}
