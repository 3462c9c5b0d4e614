//! Rationale: what `examples/integration/hashed` promises: `address_map` in front of `llc_monitor`
//! counts what `cotenant replay --mapping` counts, for mappings that are known and one of a user's own.
//! A reader will trust it with wires of their own, so wrong ones must be seen.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

fn example() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/integration/hashed")
}

fn run(arguments: &[&str], out: &TempDir) -> Output {
    Command::new(example().join("run"))
        .args(arguments)
        .arg("--out")
        .arg(out.path())
        .env("COTENANT", env!("CARGO_BIN_EXE_cotenant"))
        .output()
        .expect("the script starts")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

#[test]
fn it_counts_what_the_golden_model_does() {
    let own = tempfile::tempdir().unwrap();
    let path = own.path().join("own.toml");
    let text = "name = \"own\"\ntitle = \"Sixteen sets\"\nwidth = 32\nline = 128\nsector = 32\npage = 4096\n\
                modules = 2\nbanks = 4\nsets = 16\nbijective = [\"set\"]\n[functions]\nmodule = [[12, 15]]\n\
                bank = [[12, 15], [13, 16]]\nset = [[12, 15], [7, 14], [8], [9]]\n";
    std::fs::write(&path, text).unwrap();
    for (mapping, evicts) in [("gtx1080", false), (path.to_str().unwrap(), true)] {
        let out = tempfile::tempdir().unwrap();
        let output = run(&[mapping], &out);
        let text = said(&output);
        assert_eq!(output.status.code(), Some(0), "{mapping}: {text}");
        assert!(
            text.contains("PASS: the monitor counted"),
            "{mapping}: {text}"
        );
        // Equal counts of nothing would be no proof.
        assert!(!text.contains(" 0 hits"), "{mapping}: {text}");
        assert_eq!(!text.contains(" 0 evictions"), evicts, "{mapping}: {text}");
    }
}

#[test]
fn wrong_wires_are_seen() {
    let source = std::fs::read_to_string(example().join("hashed_monitor.v")).unwrap();
    let right = ".address(access_address)";
    assert!(source.contains(right));
    for wrong in [
        // The number of the line in place of the byte's address; sets as without a hash.
        ".address(access_address >> 7)",
        ".address({access_address[ADDRESS_W-1:12], 12'd0})",
    ] {
        let out = tempfile::tempdir().unwrap();
        let top = out.path().join("top.v");
        std::fs::write(&top, source.replace(right, wrong)).unwrap();
        let output = run(&["--top", top.to_str().unwrap()], &out);
        let text = said(&output);
        assert_eq!(output.status.code(), Some(1), "{wrong}: {text}");
        assert!(
            text.contains("FAIL: the monitor did not"),
            "{wrong}: {text}"
        );
    }
}

#[test]
fn an_address_beyond_the_mapping_is_an_error() {
    let out = tempfile::tempdir().unwrap();
    let trace = out.path().join("far.csv");
    std::fs::write(&trace, "kernel,op,address\n0,R,0x100\n1,R,0x200000000\n").unwrap();
    let replay = |options: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cotenant"));
        let trace = trace.to_str().unwrap();
        command.args(["replay", "--trace", trace]).args(options);
        command.output().unwrap()
    };
    let output = replay(&["--mapping", "gtx1080"]);
    assert_eq!(output.status.code(), Some(2));
    let text = said(&output)
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    let expected = "access 1, counted from 0, is to 0x200000000, beyond the 33 address bits";
    assert!(text.contains(expected), "{text}");
    let output = replay(&["--mapping", "gtx1080", "--sets", "16"]);
    assert_eq!(output.status.code(), Some(2), "the mapping has the sets");
    let output = replay(&["--mapping", "gtx108"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("gtx1080"), "{}", said(&output));
}

#[test]
fn a_mapping_is_a_parameter_set() {
    let cotenant = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cotenant"));
        command.args(arguments).output().unwrap()
    };
    let passes = |unit, config| {
        let output = cotenant(&["check", unit, "--config", config, "--cycles", "1k"]);
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    };
    passes("xor_hash", "mapping=v100,index=bank");
    passes("address_map", "mapping=v100");
    // What comes with the units is read twice from one file: as masks, and as a mapping.
    for (unit, listed, mapped) in [
        ("xor_hash", "gtx1080-set", "mapping=gtx1080"),
        ("xor_hash", "gtx1080-bank", "mapping=gtx1080,index=bank"),
        ("xor_hash", "gtx1080-module", "mapping=gtx1080,index=module"),
        ("address_map", "gtx1080", "mapping=gtx1080"),
    ] {
        let output = cotenant(&["check", unit, "--config", mapped, "--cycles", "1"]);
        let name = format!("{unit} {listed}: no mismatch");
        assert!(said(&output).contains(&name), "{mapped}: {}", said(&output));
    }
    for (unit, config, expected) in [
        ("address_map", "mapping=gtx108", "gtx1080"),
        ("address_map", "mapping=nowhere.toml", "nowhere.toml"),
        ("address_map", "mapping=v100,index=set", "leave out index="),
        (
            "xor_hash",
            "mapping=v100,index=row",
            "expected one of: set, bank, module",
        ),
        (
            "gdcu",
            "mapping=v100",
            "mapping= is for xor_hash and address_map",
        ),
    ] {
        let output = cotenant(&["check", unit, "--config", config]);
        let text = said(&output)
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        assert_eq!(output.status.code(), Some(2), "{unit} {config}: {text}");
        assert!(text.contains(expected), "{unit} {config}: {text}");
    }
}
