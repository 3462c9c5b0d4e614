//! What is asked for beyond the first mismatch: more of them, coverage, a filled template, unknown inputs
//! that do not matter.

use super::{dump, edit, example, line, shell};
use std::path::Path;

fn json(folder: &Path, options: &str) -> serde_json::Value {
    let command =
        format!("cotenant check lru_stack --vcd my_stack.vcd --map map.toml --json {options}");
    let (code, out, err) = shell(folder, &command);
    assert!(code < 2, "{err}");
    serde_json::from_str(&out).unwrap()
}

/// The page's example with an edit of a file, simulated.
fn simulated(file: &str, from: &str, to: &str) -> tempfile::TempDir {
    let work = example();
    edit(work.path(), file, from, to);
    let (code, out, err) = shell(work.path(), line("iverilog "));
    assert_eq!(code, 0, "{out}{err}");
    work
}

#[test]
fn several_mismatches_and_the_inputs_before() {
    let work = simulated("my_stack.v", "slot_0[1] <= req[0];", ";");
    let one = json(work.path(), "");
    assert!(one.get("more").is_none() && one.get("coverage").is_none());
    let some = json(work.path(), "--mismatches 5");
    assert_eq!(some["mismatch"], one["mismatch"]);
    let more = some["more"].as_array().unwrap();
    assert_eq!(more.len(), 4);
    let cycle = |mismatch: &serde_json::Value| mismatch["cycle"].as_u64().unwrap();
    let cycles: Vec<u64> = std::iter::once(&some["mismatch"])
        .chain(more)
        .map(cycle)
        .collect();
    assert!(cycles.windows(2).all(|two| two[0] < two[1]), "{cycles:?}");
    // The hit in the MRU position is among the inputs of the cycle before.
    let before = one["before"].as_array().unwrap();
    assert_eq!(before.len(), 4);
    assert_eq!(cycle(&before[3]), cycles[0]);
    let inputs = before[2]["inputs"].as_array().unwrap();
    let hit = |input: &serde_json::Value| input[0] == "access_hit" && input[1] == "0x1";
    assert!(inputs.iter().any(hit), "{inputs:?}");
}

#[test]
fn coverage_of_a_dump() {
    let work = example();
    std::fs::write(work.path().join("my_stack.vcd"), dump()).unwrap();
    let bins = |folder: &Path| -> u64 {
        let covered = &json(folder, "--coverage")["coverage"]["crosses"];
        let crosses = covered.as_array().unwrap().iter();
        crosses.map(|cross| cross["hit"].as_u64().unwrap()).sum()
    };
    let whole = bins(work.path());
    // A part of it hits fewer.
    edit(
        work.path(),
        "map.toml",
        "[ports]",
        "[time]\nend = 60\n[ports]",
    );
    let part = bins(work.path());
    assert!(0 < part && part < whole, "{part} {whole}");
    let (code, out, _) = shell(
        work.path(),
        "cotenant check lru_stack --vcd my_stack.vcd --map map.toml --coverage",
    );
    assert!(
        code == 0 && out.contains(&format!("coverage: {part} of ")),
        "{out}"
    );
}

/// The kernel of an access that there is not may be anything; with an access it may not.
#[test]
fn an_unknown_input_that_is_ignored_is_no_error() {
    let drive = "if ($random & 3) inv[1] = 0;";
    let ignored = format!("{drive} if (!req[3]) req[2:0] = 3'bx;");
    let work = simulated("my_stack_tb.v", drive, &ignored);
    let found = json(work.path(), "");
    assert_eq!(found["passed"], true, "{found}");
    let unknown = found["unknown"].as_u64().unwrap();
    assert!((300..700).contains(&unknown), "{unknown}");
    let work = simulated("my_stack_tb.v", drive, &format!("{drive} req[0] = 1'bx;"));
    let (code, _, err) = shell(
        work.path(),
        "cotenant check lru_stack --vcd my_stack.vcd --map map.toml",
    );
    assert!(code == 2 && err.contains("access_kid is unknown"), "{err}");
}

#[test]
fn the_template_names_the_instance_and_the_map_the_set() {
    let (code, out, _) = shell(
        Path::new("."),
        "cotenant check lru_stack --config small --map-template --top a.b.stack",
    );
    assert_eq!(code, 0);
    assert!(
        out.contains("signal = \"a.b.stack.clock\"") && !out.contains("tb.dut"),
        "{out}"
    );
    assert!(out.contains("flush = \"a.b.stack.flush\""), "{out}");
    // Without --config the example's map says 2x2, not the default's set.
    let work = example();
    std::fs::write(work.path().join("my_stack.vcd"), dump()).unwrap();
    assert_eq!(json(work.path(), "")["set"], "2x2");
    let (code, _, err) = shell(Path::new("."), "cotenant check lru_stack --top a");
    assert!(code == 2 && err.contains("--map-template"), "{err}");
}

#[test]
fn a_compressed_dump_is_read_and_a_cut_one_is_refused() {
    let work = example();
    std::fs::write(work.path().join("my_stack.vcd"), dump()).unwrap();
    let plain = json(work.path(), "");
    assert_eq!(shell(work.path(), "gzip my_stack.vcd").0, 0);
    let command = "cotenant check lru_stack --vcd my_stack.vcd.gz --map map.toml --json";
    let (code, out, err) = shell(work.path(), command);
    assert_eq!(code, 0, "{err}");
    let packed: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(packed["compared"], plain["compared"]);
    let path = work.path().join("my_stack.vcd.gz");
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
    let (code, _, err) = shell(work.path(), command);
    assert!(code == 2 && err.contains("my_stack.vcd.gz"), "{err}");
}
