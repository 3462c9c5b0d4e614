//! Rationale: integrators compile our modules beside their own and each other's, read them, put a
//! memory macro in place of a RAM and have resets of another kind. So any units can be exported into
//! one folder, where each module is one file whoever has it, and the tools take every pair of units
//! without a warning; all RAMs are one module; and with each kind of reset the text is proven equal
//! to the netlist and plays the golden model's vectors, a wrong one is refuted, and an asynchronous
//! one is seen to need no clock. Each commit repeats a sample of the pairs and of the resets,
//! `COTENANT_SAMPLE=all` repeats all.
#![allow(missing_docs)]

use std::path::Path;
use std::process::Command;

use crate::common::recorded::{seed, some};
use crate::common::{command, names};
use cotenant::export::{
    export_named, export_together, lint, lint_sources, prove, simulate, Error, Exported, Options,
    Simulator, Vectors, Verdict, PREFIX,
};
use cotenant::verify::lockstep::Flow;
use cotenant_netlist::equivalence::Verdict as Proof;
use cotenant_units::table;
use tempfile::TempDir;

const SET: &str = "small";
/// Pairs that are compiled with each commit.
const PAIRS: usize = 4;
/// Kinds of resets, units and forms of the text that are proven with each commit.
const KINDS: usize = 8;

fn exported(unit: &str, set: &str, options: &Options) -> (TempDir, Exported) {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("export");
    let exported = export_named(unit, set, &folder, options, &mut |_| Flow::Continue);
    (
        parent,
        exported.unwrap_or_else(|e| panic!("{unit} {set}: {e}")),
    )
}

fn text(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// Modules that a text declares.
fn declared(text: &str) -> Vec<&str> {
    let lines = text.lines().filter_map(|line| line.strip_prefix("module "));
    lines
        .filter_map(|line| line.split_whitespace().next())
        .collect()
}

#[test]
fn all_units_are_one_namespace() {
    let work = tempfile::tempdir().unwrap();
    for set in ["table-1", "small"] {
        let unrolled = Options::default().unrolled().with_prefix(PREFIX);
        for options in [Options::default(), unrolled] {
            let units: Vec<(&str, &str)> = table::units().into_iter().map(|u| (u, set)).collect();
            let folder = work.path().join("soc");
            let together = export_together(&units, &folder, &options).unwrap();
            assert_eq!(together.units.len(), units.len());
            let mut listed = together.files.clone();
            listed.sort();
            assert_eq!(names(&folder), listed);
            for file in &together.sources {
                let stem = file.strip_suffix(".v").unwrap();
                assert!(stem.starts_with(PREFIX), "{file}");
                assert_eq!(declared(&text(&folder, file)), [stem]);
            }
            for manifest in &together.units {
                let all = |file: &String| together.sources.contains(file);
                assert!(manifest.sources.iter().all(all), "{}", manifest.unit);
            }
        }
    }
}

#[test]
fn pairs_compile_together() {
    let units = table::units();
    let mut pairs = Vec::new();
    for (at, first) in units.iter().enumerate() {
        pairs.extend(units[at + 1..].iter().map(|second| (*first, *second)));
    }
    assert_eq!(pairs.len(), units.len() * (units.len() - 1) / 2);
    for (first, second) in some(&seed(), pairs, |(a, b)| format!("{a} {b}"), PAIRS) {
        let work = tempfile::tempdir().unwrap();
        let folder = work.path().join("pair");
        let pair = [(first, SET), (second, SET)];
        let options = Options::default();
        let together = export_together(&pair, &folder, &options).unwrap();
        for manifest in &together.units {
            let top = &manifest.top;
            let sources = &together.sources;
            let warnings = lint_sources(&folder, top, sources, true).unwrap();
            // Verilator sees the other unit as a second top module.
            let warnings: Vec<&String> = warnings
                .iter()
                .filter(|warning| !warning.contains("MULTITOP"))
                .collect();
            assert!(warnings.is_empty(), "{first} {second}: {warnings:?}");
        }
    }
}

#[test]
fn what_cannot_be_together_is_refused() {
    let work = tempfile::tempdir().unwrap();
    let folder = work.path().join("soc");
    let small = table::set("gdcu", "small").unwrap().name;
    let again = [("gdcu", "small"), ("gdcu", small)];
    let error = export_together(&again, &folder, &Options::default()).unwrap_err();
    assert!(matches!(error, Error::Twice { .. }), "{error}");
    let refused = |arguments: &[&str], why: &str| {
        let output = command(arguments, work.path()).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(why), "{arguments:?}: {said}");
        let place = work.path().join("out/export");
        let written = if place.exists() {
            names(&place)
        } else {
            vec![]
        };
        assert_eq!(written, Vec::<String>::new());
    };
    refused(
        &["export", "gdcu", "plob", "--testbench"],
        "--testbench is for one unit",
    );
    refused(
        &[
            "export", "gdcu", "plob", "milg", "--config", "small", "--config", "small",
        ],
        "2 times --config for 3 units",
    );
    refused(
        &["export", "gdcu", "plob", "--config", "all"],
        "one folder takes one",
    );
    refused(&["export", "gdcu", "--prefix", "9a"], "'9a' cannot be");
}

/// Loops in an export.
fn loops(exported: &Exported) -> usize {
    let modules = exported.design.modules.iter();
    modules.map(|file| file.text.matches("for (").count()).sum()
}

/// Lines of an export's modules, and of one of them.
fn lines(exported: &Exported, module: &str) -> (usize, usize) {
    let modules = &exported.design.modules;
    let count = |text: &str| text.lines().count();
    let stem = format!("{PREFIX}{module}_");
    let one = modules.iter().find(|file| file.name.starts_with(&stem));
    let all = modules.iter().map(|file| count(&file.text)).sum();
    (all, count(&one.unwrap().text))
}

#[test]
fn loops_and_arrays_are_kept() {
    for (unit, module, at_most, all_at_most) in [
        ("counter_matrix", "counter_matrix", 180, 205),
        ("llc_monitor", "llc_directory", 525, 2505),
    ] {
        let (_parent, kept) = exported(unit, "table-1", &Options::default());
        let unrolled = Options::default().unrolled().with_prefix(PREFIX);
        let (_parent, unrolled) = exported(unit, "table-1", &unrolled);
        let ((all, one), (most, _)) = (lines(&kept, module), lines(&unrolled, module));
        assert!(one <= at_most, "{module}: {one} lines");
        assert!(
            all <= all_at_most && all < most,
            "{unit}: {all} lines, unrolled {most}"
        );
        assert!(loops(&kept) > 0 && loops(&unrolled) == 0, "{unit}");
        for file in &kept.design.modules {
            let lines = file.text.lines();
            let comments = lines.filter(|line| line.trim_start().starts_with("//"));
            for line in comments {
                assert!(!line.contains("[`") && !line.contains("]("), "{line}");
            }
            for line in file.text.lines() {
                let sides = line.trim().trim_end_matches(';').split_once(" = ");
                assert!(sides.is_none_or(|(to, from)| to != from), "{line}");
            }
        }
    }
}

/// Plays `cycles` vectors in both simulators.
fn plays(exported: &Exported, simulators: &[Simulator]) {
    for simulator in simulators {
        let quick = ["CXX_OPT=-O0", "VERILATOR_FLAGS=-O1"];
        let verdict = simulate(&exported.folder, *simulator, &quick).unwrap();
        let unit = &exported.manifest.unit;
        assert!(
            matches!(verdict, Verdict::Pass { .. }),
            "{unit} in {simulator:?}: {verdict:?}"
        );
    }
}

fn with_vectors(options: Options) -> Options {
    options.with_testbench(Vectors::default().cycles(2000))
}

#[test]
fn a_memory_macro_takes_the_place_of_the_rams() {
    let (_parent, exported) = exported("llc_monitor", SET, &with_vectors(Options::default()));
    let name = format!("{PREFIX}ram_1r1w");
    let rams = exported.design.modules.iter();
    let rams: Vec<&str> = rams
        .filter(|file| file.text.contains("ram_style"))
        .map(|file| file.name.as_str())
        .collect();
    assert_eq!(rams, [name.as_str()]);
    // Two memories of half the words, as a macro might be made of.
    let file = exported.folder.join(format!("{name}.v"));
    let text = std::fs::read_to_string(&file).unwrap();
    let start = text.find("  (* no_rw_check").unwrap();
    let halves = "  reg [WIDTH-1:0] low [0:(1<<ADDRESS_W)/2-1];
  reg [WIDTH-1:0] high [0:(1<<ADDRESS_W)/2-1];
  always @(posedge clock) begin
    read_data <= read_address[ADDRESS_W-1]
        ? high[read_address[ADDRESS_W-2:0]] : low[read_address[ADDRESS_W-2:0]];
    if (write_enable && write_address[ADDRESS_W-1]) begin
      high[write_address[ADDRESS_W-2:0]] <= write_data;
    end
    if (write_enable && !write_address[ADDRESS_W-1]) begin
      low[write_address[ADDRESS_W-2:0]] <= write_data;
    end
  end
endmodule
";
    let head = text[..start].replace(
        "parameter STYLE",
        "/* verilator lint_off UNUSED */ parameter STYLE",
    );
    let with = |body: &str| std::fs::write(&file, format!("{head}{body}")).unwrap();
    with(halves);
    plays(&exported, &[Simulator::Icarus, Simulator::Verilator]);
    // A macro that loses the upper half is none.
    with(&halves.replace("high[write_address[ADDRESS_W-2:0]] <= write_data;", ""));
    let verdict = simulate(&exported.folder, Simulator::Icarus, &[]).unwrap();
    assert!(matches!(verdict, Verdict::Fail { .. }), "{verdict:?}");
}

const RESETS: [(bool, bool); 3] = [(false, true), (true, false), (true, true)];

#[test]
fn each_kind_of_reset_is_the_netlist_and_plays_the_vectors() {
    let mut all = Vec::new();
    for (asynchronous, low) in RESETS {
        for unit in ["gdcu", "lru_stack", "mem_issue_apb", "llc_monitor"] {
            all.extend([false, true].map(|unrolled| (asynchronous, low, unit, unrolled)));
        }
    }
    for (asynchronous, low, unit, unrolled) in some(&seed(), all, |it| format!("{it:?}"), KINDS) {
        let form = match unrolled {
            true => Options::default().unrolled(),
            false => Options::default(),
        };
        let options = with_vectors(form.with_reset(asynchronous, low));
        let (_parent, exported) = exported(unit, SET, &options);
        let said = format!("{unit}, asynchronous {asynchronous}, low {low}");
        let warnings = lint(&exported).unwrap();
        assert!(warnings.is_empty(), "{said}: {}", warnings.join("\n"));
        let work = tempfile::tempdir().unwrap();
        let proof = prove(&exported, work.path());
        let proof = proof.unwrap_or_else(|e| panic!("{said}: {e}"));
        assert!(matches!(proof, Proof::Equal { .. }), "{said}: {proof:?}");
        plays(&exported, &[Simulator::Icarus]);
        if unit == "gdcu" && !unrolled {
            plays(&exported, &[Simulator::Verilator]);
        }
    }
}

#[test]
fn a_wrong_reset_is_refuted() {
    let options = Options::default().with_reset(true, true);
    let (_parent, exported) = exported("gdcu", SET, &options);
    for (from, to) in [
        ("wire reset = ~reset_n;", "wire reset = reset_n;"),
        ("<= 8'd0;", "<= 8'd1;"),
    ] {
        let mut changed = 0;
        for file in &exported.manifest.sources {
            let path = exported.folder.join(file);
            let text = std::fs::read_to_string(&path).unwrap();
            changed += usize::from(text.contains(from));
            std::fs::write(&path, text.replacen(from, to, 1)).unwrap();
        }
        assert!(changed > 0, "{from}");
        let work = tempfile::tempdir().unwrap();
        let proof = prove(&exported, work.path()).unwrap();
        assert!(
            matches!(proof, Proof::Different { .. }),
            "{from}: {proof:?}"
        );
        exported.design.write_to(&exported.folder).unwrap();
    }
}

/// Snapshots since the reset, after two of them and then a reset without a clock's edge.
const WITHOUT_AN_EDGE: &str = "module bench;
  reg clock = 0, reset = 1, snapshot = 1;
  wire [7:0] number;
  TOP dut (
    .clock(clock), .RESET, .inc_valid(1'b0), .inc_kid(1'b0), .inc(4'd0),
    .snapshot(snapshot), .read_victim(1'b0), .read_aggressor(1'b0), .read_live(1'b0),
    .read_count(), .read_overflow(), .overflow(), .sequence_number(number)
  );
  initial begin
    #5 clock = 1; #5 clock = 0;
    reset = 0;
    #5 clock = 1; #5 clock = 0; #5 clock = 1; #5 clock = 0;
    $display(\"%0d\", number);
    reset = 1;
    #5 $display(\"%0d\", number);
    $finish;
  end
endmodule
";

#[test]
fn an_asynchronous_reset_needs_no_clock() {
    for (asynchronous, low) in [(false, false)].into_iter().chain(RESETS) {
        let options = Options::default().with_reset(asynchronous, low);
        let (_parent, exported) = exported("counter_matrix", SET, &options);
        let port = match low {
            true => "reset_n(~reset)",
            false => "reset(reset)",
        };
        let top = &exported.design.top;
        let bench = WITHOUT_AN_EDGE.replace("TOP", top).replace("RESET", port);
        std::fs::write(exported.folder.join("bench.v"), bench).unwrap();
        let run = |tool: &str, arguments: &[&str]| {
            let output = Command::new(tool)
                .args(arguments)
                .current_dir(&exported.folder)
                .output()
                .expect("Icarus does not start: run scripts/setup");
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(output.status.success(), "{said}");
            String::from_utf8(output.stdout).unwrap()
        };
        let compile = [
            "-g2005", "-s", "bench", "-o", "b.vvp", "-f", "files.f", "bench.v",
        ];
        run("iverilog", &compile);
        let expected = if asynchronous { "2\n0\n" } else { "2\n2\n" };
        assert_eq!(
            run("vvp", &["-n", "b.vvp"]),
            expected,
            "{asynchronous} {low}"
        );
    }
}
