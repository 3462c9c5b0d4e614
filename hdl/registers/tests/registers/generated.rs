//! Rationale: whoever integrates a unit has RTL, models for UVM and IP-XACT tools beside ours. What
//! they make of our files must have each field where the description has it, with the same access
//! and the same value after reset; what is wrong in a file must be seen.

use std::collections::BTreeSet;
use std::path::Path;

use cotenant_registers::{
    ip_xact, system_rdl, Access, BusInterface, Component, ComponentPort, Field, Map,
};

use crate::tools::{run, said};
use crate::{kernels, maps};

/// Of each unit one whose rows of MAP or QUOTA differ, or with quotas above a word; and one with all
/// that `llc_monitor` may have.
fn some() -> Vec<Map> {
    let all = maps().into_iter();
    let wanted = [
        ("llc_monitor", 3),
        ("llc_monitor", 6),
        ("mem_issue", 8),
        ("managed_llc", 3),
    ];
    let some: Vec<Map> = all
        .filter(|map| kernels(map).is_some_and(|kernels| wanted.contains(&(map.unit, kernels))))
        .collect();
    assert_eq!(some.len(), wanted.len());
    some
}

/// A line per field, sorted by address and lowest bit; nothing of those that `line` is empty for.
fn lines(map: &Map, line: impl Fn(&Field, Option<u32>) -> Option<String>) -> Vec<String> {
    let mut all: BTreeSet<(u32, usize, String)> = BTreeSet::new();
    for register in &map.registers {
        for row in 0..register.rows {
            for column in 0..register.columns {
                let address = register.address(row, column);
                let fields = register.fields.iter().filter(|field| field.width > 0);
                all.extend(fields.filter_map(|field| {
                    let line = line(field, field.settled(row))?;
                    Some((address, field.lsb, format!("{address:#06x} {line}")))
                }));
            }
        }
    }
    all.into_iter().map(|(_, _, line)| line).collect()
}

fn value(settled: Option<u32>) -> String {
    settled.map_or("-".into(), |value| format!("{value:#x}"))
}

/// As `fields.py` prints them.
fn described(map: &Map) -> Vec<String> {
    lines(map, |field, settled| {
        let access = match field.access {
            Access::Constant | Access::Parameter | Access::ReadOnly => "r",
            Access::ReadWrite => "rw",
            Access::Pulse => "w",
            Access::ClearByOne => "rw woclr",
            other => panic!("{other:?}"),
        };
        let (name, lsb, width) = (field.name, field.lsb, field.width);
        Some(format!("{name} {lsb} {width} {access} {}", value(settled)))
    })
}

/// Runs one of the scripts beside this file.
fn script(name: &str, arguments: &[&str], folder: &Path) -> Result<Vec<String>, String> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/registers");
    let script = script.join(name).to_string_lossy().into_owned();
    let mut all = vec![script.as_str()];
    all.extend(arguments);
    let output = run("python3", &all, folder);
    match output.status.success() {
        true => Ok(said(&output).lines().map(str::to_owned).collect()),
        false => Err(said(&output)),
    }
}

fn component<'a>(module: &'a str, ports: &[&'a str]) -> Component<'a> {
    let port = |name: &&'a str| ComponentPort {
        name,
        input: !name.ends_with("ready"),
        width: if name.ends_with("addr") { 14 } else { 1 },
    };
    let signals = ports.iter().map(|&name| (name.to_uppercase(), name));
    Component {
        module,
        version: "0.1.0",
        ports: ports.iter().map(port).collect(),
        bus: BusInterface {
            name: "bus",
            definition: "APB4",
            signals: signals.collect(),
        },
        sources: vec!["../a.v".into(), "../top.v".into()],
    }
}

#[test]
fn systemrdl_and_ip_xact_have_every_field() {
    for map in some() {
        let folder = tempfile::tempdir().unwrap();
        let write =
            |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
        let expected = described(&map);
        let rdl = system_rdl(&map);
        write("unit.rdl", &rdl);
        let found = script("fields.py", &["unit.rdl"], folder.path());
        assert_eq!(found.as_ref(), Ok(&expected), "{:?}", map.parameters);

        let xml = ip_xact(&map, &component("top", &["paddr", "pready"]));
        write("unit.xml", &xml);
        assert_eq!(
            script("validate.py", &["unit.xml"], folder.path()),
            Ok(vec![])
        );
        let found = script("fields.py", &["unit.xml"], folder.path());
        assert_eq!(found.as_ref(), Ok(&expected), "{:?}", map.parameters);
        let signal = "<ipxact:name>PADDR</ipxact:name>";
        assert!(xml.contains(signal) && xml.contains("<ipxact:left>13</ipxact:left>"));

        // A field that is missing, and a value that is another.
        for (from, to) in [("'h434f544e", "'h434f544f"), ("oneToClear", "oneToSet")] {
            if map.unit == "mem_issue" && from == "oneToClear" {
                continue;
            }
            let wrong = xml.replacen(from, to, 1);
            assert_ne!(wrong, xml, "{from}");
            write("wrong.xml", &wrong);
            let found = script("fields.py", &["wrong.xml"], folder.path());
            assert_ne!(found.as_ref(), Ok(&expected), "{to}");
        }
    }
}

#[test]
fn the_schema_refuses_what_is_no_ip_xact() {
    let map = &some()[0];
    let xml = ip_xact(map, &component("top", &["paddr"]));
    let folder = tempfile::tempdir().unwrap();
    for (from, to) in [
        ("read-only", "readable"),
        ("<ipxact:bitWidth>32</ipxact:bitWidth>", ""),
        (
            "<ipxact:name>top</ipxact:name>",
            "<ipxact:name>a < b</ipxact:name>",
        ),
        (" vendor=\"amba.com\"", ""),
    ] {
        let wrong = xml.replacen(from, to, 1);
        assert_ne!(wrong, xml, "{from}");
        std::fs::write(folder.path().join("wrong.xml"), wrong).unwrap();
        let answer = script("validate.py", &["wrong.xml"], folder.path());
        assert!(answer.is_err(), "{to}");
    }
}

/// What `generated.py` reads in what `peakrdl FORM` makes of it.
fn generated(rdl: &str, form: &str, folder: &Path) -> Vec<String> {
    std::fs::write(folder.join("unit.rdl"), rdl).unwrap();
    let (arguments, file) = match form {
        "regblock" => (
            &[
                "-o",
                "block",
                "--module-name",
                "unit",
                "--cpuif",
                "apb4-flat",
            ][..],
            "block/unit.sv",
        ),
        _ => (&["-o", "model.sv"][..], "model.sv"),
    };
    let output = run(
        "peakrdl",
        &[&[form, "unit.rdl"], arguments].concat(),
        folder,
    );
    assert!(output.status.success(), "{}", said(&output));
    script("generated.py", &[form, file], folder).unwrap()
}

#[test]
fn generated_rtl_and_uvm_models_have_the_same_values_after_reset() {
    for map in some() {
        let folder = tempfile::tempdir().unwrap();
        let rdl = system_rdl(&map);
        // What is not read is not in the block's multiplexer.
        let block = lines(&map, |field, settled| {
            let read = field.access != Access::Pulse;
            read.then(|| format!("{} {} {}", field.lsb, field.width, value(settled)))
        });
        let model = lines(&map, |field, settled| {
            let access = match field.access {
                Access::Constant | Access::Parameter | Access::ReadOnly => "RO",
                Access::ReadWrite => "RW",
                Access::Pulse => "WO",
                Access::ClearByOne => "W1C",
                other => panic!("{other:?}"),
            };
            let (lsb, width) = (field.lsb, field.width);
            Some(format!("{lsb} {width} {access} {}", value(settled)))
        });
        assert_eq!(
            generated(&rdl, "regblock", folder.path()),
            block,
            "{:?}",
            map.parameters
        );
        assert_eq!(
            generated(&rdl, "uvm", folder.path()),
            model,
            "{:?}",
            map.parameters
        );
        if map.unit == "llc_monitor" {
            // The comparison can fail: one requester with another kernel.
            let entry = rdl.find("} MAP_1 @").unwrap();
            let at = rdl[..entry].rfind(" = 0x1;").unwrap();
            let mut wrong = rdl.clone();
            wrong.replace_range(at..at + 7, " = 0x0;");
            assert_ne!(generated(&wrong, "regblock", folder.path()), block);
            assert_ne!(generated(&wrong, "uvm", folder.path()), model);
        }
    }
}
