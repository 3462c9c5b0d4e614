//! Rationale: scenarios are what newcomers run first. Each is run, shortened, by the program as a
//! user would, with hardware in lockstep. The list must name all of them, and what it says of the
//! hardware must be what a run does.

use std::path::Path;
use std::process::{Command, Output};

use cotenant_golden::hetero::{mix, Mix};
use cotenant_golden::workload::scenario::{names, Scenario};
use serde_json::Value;

fn cotenant(arguments: &[&str], folder: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cotenant"));
    let output = command.args(arguments).current_dir(folder).output();
    let output = output.expect("the program starts");
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {error}");
    output
}

fn json(arguments: &[&str], folder: &Path) -> Value {
    serde_json::from_slice(&cotenant(arguments, folder).stdout).unwrap()
}

/// Those of a GPU, then those with CPUs.
fn all() -> impl Iterator<Item = &'static str> {
    names().chain(mix::names())
}

#[test]
fn each_runs_shortened_and_as_the_list_says() {
    let work = tempfile::tempdir().unwrap();
    let list = json(&["list", "scenarios", "--json"], work.path());
    let listed = list["scenarios"].as_array().unwrap();
    assert_eq!(listed.len(), all().count());
    let mut beside = [0, 0];
    for (scenario, name) in listed.iter().zip(all()) {
        assert_eq!(scenario["name"], name);
        let output = cotenant(&["run", name, "--accesses", "6000", "--json"], work.path());
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(report["title"], scenario["title"]);
        assert_eq!(report["platform"], scenario["platform"]);
        let kernels = |of: &Value| {
            let kernels = of["kernels"].as_array().unwrap();
            let named = kernels
                .iter()
                .map(|k| format!("{} {}", k["name"], k["loop"]));
            named.collect::<Vec<_>>()
        };
        assert_eq!(kernels(&report), kernels(scenario));
        let error = String::from_utf8_lossy(&output.stderr);
        let without = report["lockstep"].is_null();
        assert_eq!(without, scenario["hardware"].is_null(), "{name}");
        assert_eq!(
            without,
            error.contains("no hardware in lockstep"),
            "{error}"
        );
        beside[usize::from(without)] += 1;
        if !without {
            assert_eq!(report["lockstep"]["mismatches"], 0, "{name}");
            assert_eq!(report["lockstep"]["hardware"], "llc_monitor", "{name}");
            assert!(
                report["lockstep"]["cycles"].as_u64() > report["cycles"].as_u64(),
                "{name}"
            );
            // What ran is what is exported, and what is in the list.
            let verilog = work
                .path()
                .join("out")
                .join(name)
                .join("verilog/export.json");
            let export: Value = serde_json::from_slice(&std::fs::read(verilog).unwrap()).unwrap();
            assert_eq!(export["set"], scenario["hardware"], "{name}");
        }
    }
    assert_eq!(beside, [all().count(), 0]);
}

#[test]
fn the_list_is_for_people_too() {
    let work = tempfile::tempdir().unwrap();
    let text = |arguments: &[&str]| {
        let output = cotenant(arguments, work.path());
        String::from_utf8(output.stdout).unwrap()
    };
    let (all, scenarios, unit) = (
        text(&["list"]),
        text(&["list", "scenarios"]),
        text(&["list", "gdcu"]),
    );
    for mix in mix::names().map(|name| Mix::named(name).unwrap().unwrap()) {
        let what = format!("{} ({}", mix.runs[0], mix.runs[0]);
        assert!(
            scenarios.contains(&mix.title) && scenarios.contains(&what),
            "{scenarios}"
        );
    }
    for name in names() {
        let scenario = Scenario::named(name).unwrap();
        let heading = format!("  {name}: {}\n", scenario.title);
        assert!(
            all.contains(&heading) && scenarios.contains(&heading),
            "{name}"
        );
        assert!(!unit.contains(&heading), "{name}");
        for kernel in &scenario.kernels {
            let what = format!("{} ({}", kernel.name, kernel.spec.name());
            assert!(scenarios.contains(&what), "{scenarios}");
        }
    }
    assert!(!scenarios.contains("gdcu: "), "{scenarios}");
    assert!(!scenarios.contains("no hardware"), "{scenarios}");
    assert!(all.lines().all(|line| line.len() <= 100), "{all}");
}
