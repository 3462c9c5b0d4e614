//! Rationale: an integrator who drives a unit with what it is not made for must learn it in the
//! simulation, and not from wrong numbers; and an assertion that legal inputs violate, or that
//! nothing violates, is worse than none. So Verilator, with the assertions bound, plays vectors of
//! legal stimulus of each unit without a violation (each commit a sample, `COTENANT_SAMPLE=all` all
//! of them), and each assertion of each unit is violated by random inputs.
#![allow(missing_docs)]

use std::fmt::Write;
use std::path::Path;
use std::process::{Command, Output};

use crate::common::recorded::{sampled, seed};
use cotenant::export::{export_named, Exported, Options, Vectors};
use cotenant::verify::lockstep::Flow;
use cotenant_units::table;
use tempfile::TempDir;

fn exported(unit: &str, set: &str, options: &Options) -> (TempDir, Exported) {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("export");
    let exported = export_named(unit, set, &folder, options, &mut |_| Flow::Continue);
    (
        parent,
        exported.unwrap_or_else(|e| panic!("{unit} {set}: {e}")),
    )
}

/// Sizes that are no powers of two, so that an input can name a way or kernel that there is not.
fn set(unit: &str) -> String {
    let definition = table::definition(unit).unwrap();
    let odd = [("WAYS", 6), ("KERNELS", 3), ("APPLICATIONS", 3)];
    let there = odd.iter().filter(|(name, _)| {
        let mut parameters = definition.parameters.iter();
        parameters.any(|parameter| parameter.name == *name)
    });
    let changes: String = there
        .map(|(name, size)| format!(",{name}={size}"))
        .collect();
    // The small one may have too few sets for as many applications.
    let sets = table::test_sets(unit).unwrap().into_iter();
    let odd = sets.rev().map(|set| format!("{}{changes}", set.name));
    let small = std::iter::once(format!("small{changes}"));
    let legal = |set: &String| table::set(unit, set).is_ok();
    small.chain(odd).find(legal).expect("one of them takes it")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

fn text(exported: &Exported) -> Option<String> {
    let file = format!("{}_assert.sv", exported.design.top);
    assert_eq!(
        exported.manifest.files.contains(&file),
        !exported.manifest.assumptions.is_empty()
    );
    std::fs::read_to_string(exported.folder.join(file)).ok()
}

/// `make assertions`.
fn asserted(folder: &Path) -> (bool, String) {
    let output = Command::new("make")
        .arg("-C")
        .arg(folder)
        .args(["assertions", "CXX_OPT=-O0", "VERILATOR_FLAGS=-O1"])
        .output()
        .expect("make does not start: run scripts/setup");
    (output.status.success(), said(&output))
}

#[test]
fn legal_inputs_violate_none() {
    for unit in table::units() {
        let always = ["milg", "mem_issue"].contains(&unit);
        if !always && !sampled(&seed(), &format!("{unit} assertions"), 8) {
            continue;
        }
        let options = Options::default().with_testbench(Vectors::default().cycles(2000));
        let (_parent, exported) = exported(unit, &set(unit), &options);
        if text(&exported).is_none() {
            continue;
        }
        let (passes, said) = asserted(&exported.folder);
        assert!(passes, "{unit}: {said}");
    }
}

#[test]
fn an_illegal_input_stops_the_simulation() {
    let options = Options::default().with_testbench(Vectors::default().cycles(100));
    for (asynchronous, low) in [(false, false), (true, true)] {
        let options = options.clone().with_reset(asynchronous, low);
        let (_parent, exported) = exported("lru_stack", "6x3", &options);
        let file = exported.folder.join(format!("{}.vec", exported.design.top));
        let vectors = std::fs::read_to_string(&file).unwrap();
        let columns = vectors.lines().find(|line| line.contains("access_kid"));
        assert!(columns.is_some(), "{vectors}");
        // The kernel that is one too many, in one cycle after the reset.
        let at = exported
            .manifest
            .ports
            .iter()
            .filter(|port| port.direction == "input" && !port.clock);
        let at = at
            .map(|port| port.name.as_str())
            .position(|name| name == "access_kid");
        let mut lines: Vec<String> = vectors.lines().map(String::from).collect();
        let cycle = lines
            .iter()
            .position(|line| !line.starts_with('#'))
            .unwrap()
            + 50;
        let mut words: Vec<&str> = lines[cycle].split(' ').collect();
        words[at.unwrap()] = "3";
        lines[cycle] = words.join(" ");
        std::fs::write(&file, lines.join("\n") + "\n").unwrap();
        let (passes, said) = asserted(&exported.folder);
        let sentence = "known_kernel: The kernel is one that there is.";
        assert!(!passes && said.contains(sentence), "{said}");
    }
}

/// A module that gives the assertions of all units random inputs.
fn bench(all: &[(Exported, String)]) -> String {
    let (mut signals, mut changes, mut instances) = (String::new(), String::new(), String::new());
    for (at, (exported, text)) in all.iter().enumerate() {
        let top = &exported.design.top;
        let mut connections = vec![];
        for port in &exported.manifest.ports {
            let read = text.contains(&format!(" {}\n", port.verilog))
                || text.contains(&format!(" {},\n", port.verilog));
            let (name, signal) = (&port.verilog, format!("u{at}_{}", port.verilog));
            match (port.clock, port.name.as_str()) {
                _ if !read => continue,
                (true, _) => connections.push(format!(".{name}(clock)")),
                (_, "reset") => connections.push(format!(".{name}(reset)")),
                _ => {
                    let width = port.width;
                    let words = vec!["$urandom"; width.div_ceil(32)].join(", ");
                    let _ = writeln!(signals, "  reg [{}:0] {signal};", width - 1);
                    let _ = writeln!(changes, "      {signal} = {width}'({{{words}}});");
                    connections.push(format!(".{name}({signal})"));
                }
            }
        }
        let connections = connections.join(", ");
        let _ = writeln!(instances, "  {top}_assert u{at} ({connections});");
    }
    format!(
        "module bench;\n  reg clock = 0;\n  reg reset = 1;\n{signals}{instances}  initial begin\n    \
         repeat (2000) begin\n{changes}      #5 clock = 1;\n      #5 clock = 0;\n      reset = 0;\n    \
         end\n    $finish;\n  end\nendmodule\n"
    )
}

#[test]
fn each_is_violated_by_some_input() {
    let mut all = vec![];
    for unit in table::units() {
        let (_parent, exported) = exported(unit, &set(unit), &Options::default());
        if let Some(text) = text(&exported) {
            // The module alone: there is nothing to bind it to.
            let (module, _) = text.split_once("\nbind ").unwrap();
            all.push((exported, format!("{module}\n")));
        }
    }
    assert!(all.len() > 10, "{}", all.len());
    let work = tempfile::tempdir().unwrap();
    let mut source: String = all.iter().map(|(_, text)| text.as_str()).collect();
    source += &bench(&all);
    std::fs::write(work.path().join("bench.sv"), source).unwrap();
    let run = |program: &str, arguments: &[&str]| {
        let mut command = Command::new(program);
        let output = command.args(arguments).current_dir(work.path()).output();
        said(&output.unwrap_or_else(|e| panic!("{program}: {e}: run scripts/setup")))
    };
    let built = run(
        "verilator",
        &[
            "--binary",
            "--assert",
            "-Wno-fatal",
            "--top-module",
            "bench",
            "bench.sv",
            "-MAKEFLAGS",
            "OPT_FAST=-O0 OPT_GLOBAL=-O0",
        ],
    );
    let program = work.path().join("obj_dir/Vbench");
    assert!(program.exists(), "{built}");
    let said = run(
        program.to_str().unwrap(),
        &["+verilator+error+limit+100000000"],
    );
    for (at, (exported, _)) in all.iter().enumerate() {
        for rule in &exported.manifest.assumptions {
            let violated = said.lines().any(|line| {
                line.contains(&format!("u{at}.{}", rule.name)) && line.contains(&rule.text)
            });
            let end: String = said.chars().rev().take(2000).collect();
            let end: String = end.chars().rev().collect();
            assert!(violated, "{} {}: {end}", exported.manifest.unit, rule.name);
        }
    }
}
