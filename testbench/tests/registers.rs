//! Rationale: drivers are built from what an export holds, often from another one than the
//! bitstream came from. So header, SystemRDL and table must be what the command shows, the header
//! the same for both buses and all sets, and a unit without registers must be answered with those
//! that have some.

use std::path::Path;
use std::process::{Command, Output};

use cotenant_units::table;
use serde_json::Value;

fn cotenant(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cotenant"));
    let output = command.args(arguments).current_dir(folder).output();
    output.expect("the program starts")
}

fn shown(arguments: &[&str]) -> String {
    let output = cotenant(Path::new("."), &[&["registers"], arguments].concat());
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn an_export_holds_what_the_command_shows() {
    for (unit, set, stem) in [
        ("llc_monitor_apb", "2x2x16x1", "llc_monitor"),
        ("llc_counters_apb", "2x2x1", "llc_counters"),
        ("mem_issue_axi", "2-milg-qbmi-small", "mem_issue"),
        ("managed_llc_apb", "small", "managed_llc"),
    ] {
        let work = tempfile::tempdir().unwrap();
        let output = cotenant(
            work.path(),
            &["export", unit, "--config", set, "--out", "it"],
        );
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        let folder = work.path().join("it");
        let text = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
        let manifest: Value = serde_json::from_str(&text("export.json")).unwrap();
        let mut listed = vec![];
        for (extension, format) in [("rdl", "rdl"), ("h", "c"), ("md", "md")] {
            let name = format!("registers/{stem}.{extension}");
            assert_eq!(
                text(&name),
                shown(&[unit, "--config", set, "--format", format]),
                "{name}"
            );
            assert!(text("README.md").contains(&name), "{name}");
            listed.push(Value::from(name));
        }
        let name = format!("registers/{}.xml", manifest["top"].as_str().unwrap());
        assert!(text("README.md").contains(&name), "{name}");
        listed.push(Value::from(name));
        assert_eq!(manifest["registers"], Value::Array(listed));
        assert_eq!(
            std::fs::read_dir(folder.join("registers")).unwrap().count(),
            4
        );
        // An earlier export is replaced with all that is in it.
        let output = cotenant(
            work.path(),
            &["export", unit, "--config", set, "--out", "it"],
        );
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
}

/// Text of the first element of this name within each element `of`.
fn each(xml: &str, of: &str, name: &str) -> Vec<String> {
    let whole = format!("<ipxact:{of}>");
    let parts = xml.split(whole.as_str()).skip(1);
    let (open, close) = (format!("<ipxact:{name}>"), format!("</ipxact:{name}>"));
    let texts = parts.map(|part| {
        let (_, text) = part.split_once(&open).unwrap();
        text.split_once(&close).unwrap().0.to_owned()
    });
    texts.collect()
}

/// Rationale: what assembles a system from IP-XACT connects by the names of Arm's bus definition; a
/// port or a file that it cannot find, it cannot connect.
#[test]
fn ip_xact_has_ports_files_and_the_bus() {
    for (units, resets) in [
        (&["mem_issue_apb"][..], &[][..]),
        (&["llc_monitor_axi"], &["--reset", "async-low"]),
        (&["llc_counters_axi"], &[]),
        (&["managed_llc_axi"], &[]),
        (&["llc_monitor_apb", "mem_issue_axi"], &[]),
    ] {
        let work = tempfile::tempdir().unwrap();
        let arguments = [
            &["export"],
            units,
            &["--config", "small", "--out", "it"],
            resets,
        ]
        .concat();
        let output = cotenant(work.path(), &arguments);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{said}");
        let folder = work.path().join("it");
        let manifest = std::fs::read_to_string(folder.join("export.json")).unwrap();
        let manifest: Value = serde_json::from_str(&manifest).unwrap();
        let exported = match manifest["units"].as_array() {
            Some(units) => units.clone(),
            None => vec![manifest],
        };
        for (unit, exported) in units.iter().zip(exported) {
            let top = exported["top"].as_str().unwrap();
            let files = exported["registers"].as_array().unwrap();
            let file = files.iter().find(|f| f.as_str().unwrap().ends_with(".xml"));
            let file = folder.join(file.unwrap().as_str().unwrap());
            let xml = std::fs::read_to_string(&file).unwrap();
            let tool = crate::common::tool("python3");
            let script = concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/../hdl/registers/tests/registers/validate.py"
            );
            let output = Command::new(tool).arg(script).arg(&file).output().unwrap();
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{said}");

            assert_eq!(each(&xml, "componentInstantiation", "moduleName"), [top]);
            for source in each(&xml, "file", "name") {
                assert!(file.with_file_name(&source).is_file(), "{source}");
            }
            let ports = each(&xml, "port", "name");
            let listed = exported["ports"].as_array().unwrap().iter();
            let listed: Vec<&str> = listed.map(|p| p["verilog"].as_str().unwrap()).collect();
            assert_eq!(ports, listed);
            let signals = each(&xml, "logicalPort", "name");
            let connected = each(&xml, "physicalPort", "name");
            let mut expected = match unit.ends_with("_apb") {
                true => vec!["PCLK"],
                false => vec!["ACLK"],
            };
            if !resets.is_empty() {
                expected.push("ARESETn");
            }
            expected.extend(match unit.ends_with("_apb") {
                true => &APB4[..],
                false => &AXI4_LITE[..],
            });
            assert_eq!(signals, expected);
            for (signal, port) in signals.iter().zip(&connected) {
                assert!(ports.contains(port), "{signal}: {port}");
                let clock = signal.ends_with("CLK") && port == "clock";
                let reset = signal.ends_with("RESETn") && port == "reset_n";
                let same = port.ends_with(&signal.to_lowercase());
                assert!(clock || reset || same, "{signal}: {port}");
            }
        }
    }
}

/// All signals of an interface, as Arm's specifications name them.
const APB4: [&str; 10] = [
    "PADDR", "PPROT", "PSEL", "PENABLE", "PWRITE", "PWDATA", "PSTRB", "PREADY", "PRDATA", "PSLVERR",
];
const AXI4_LITE: [&str; 19] = [
    "AWADDR", "AWPROT", "AWVALID", "AWREADY", "WDATA", "WSTRB", "WVALID", "WREADY", "BRESP",
    "BVALID", "BREADY", "ARADDR", "ARPROT", "ARVALID", "ARREADY", "RDATA", "RRESP", "RVALID",
    "RREADY",
];

#[test]
fn a_unit_behind_no_bus_is_exported_without_any() {
    let work = tempfile::tempdir().unwrap();
    let output = cotenant(work.path(), &["export", "popcnt", "--out", "it"]);
    assert!(output.status.success());
    let manifest = std::fs::read_to_string(work.path().join("it/export.json")).unwrap();
    assert!(!manifest.contains("registers"), "{manifest}");
    assert!(!work.path().join("it/registers").exists());
}

#[test]
fn the_header_depends_on_neither_bus_nor_set() {
    for (unit, other) in [
        ("llc_monitor_apb", "llc_monitor_axi"),
        ("mem_issue_apb", "mem_issue_axi"),
        ("managed_llc_apb", "managed_llc_axi"),
    ] {
        let header = shown(&[unit, "--format", "c"]);
        for set in table::sets(other).unwrap() {
            assert_eq!(
                shown(&[other, "--config", set.name, "--format", "c"]),
                header,
                "{}",
                set.name
            );
        }
    }
}

#[test]
fn json_says_all_there_is_to_know() {
    let map: Value = serde_json::from_str(&shown(&[
        "llc_monitor_axi",
        "--config",
        "small",
        "--format",
        "json",
    ]))
    .unwrap();
    assert_eq!(map["unit"], "llc_monitor");
    let registers = map["registers"].as_array().unwrap();
    let limit = registers
        .iter()
        .find(|r| r["name"] == "DEMOTION_LIMIT")
        .unwrap();
    assert_eq!(
        (&limit["offset"], &limit["rows"]),
        (&0x2800.into(), &2.into())
    );
    assert_eq!(limit["fields"][0]["access"], "ReadWrite");
}

#[test]
fn what_has_no_registers_is_answered_with_what_has() {
    for (arguments, why) in [
        (&["gdcu"][..], "gdcu has no registers, expected a unit behind a bus: llc_monitor_apb, llc_monitor_axi, llc_counters_apb, llc_counters_axi, mem_issue_apb, mem_issue_axi, managed_llc_apb, managed_llc_axi"),
        (&["llc_monitor_ahb"], "llc_monitor_a"),
        (&["llc_monitor_apb", "--config", "16x4x64"], "16x4x64x4"),
        (&["llc_monitor_apb", "--format", "xml"], "xml"),
    ] {
        let output = cotenant(Path::new("."), &[&["registers"], arguments].concat());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        // Long lines are wrapped.
        let said = String::from_utf8(output.stderr).unwrap();
        let said = said.split_whitespace().filter(|w| *w != "│").collect::<Vec<_>>().join(" ");
        assert!(said.contains(why), "{arguments:?}: {said}");
        assert_eq!(output.stdout, b"", "{arguments:?}");
    }
}
