//! What is asked for beyond the first mismatch: more of them, coverage, a filled template, unknown inputs
//! that do not matter.

use std::collections::BTreeMap;
use std::path::Path;

use super::{dump, edit, example, line, shell};

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

/// The dump's ports are beside the golden model's, up to the mismatch, which is marked.
#[test]
fn waves_beside_the_golden_model() {
    let work = simulated("my_stack.v", "slot_0[1] <= req[0];", ";");
    let at = |name: &str| work.path().join(name);
    let cycle = json(work.path(), "")["mismatch"]["cycle"].as_u64().unwrap();
    assert!(!at("out").exists(), "nobody asked for waves");
    let written = json(work.path(), "--wave w.vcd");
    assert_eq!(written["wave"], "w.vcd");
    let values = changes(&std::fs::read_to_string(at("w.vcd")).unwrap());
    let at_mismatch = |path: &str| {
        let mut until = values[path].iter().rev();
        until.find(|(time, _)| *time <= 10 * cycle).unwrap().clone()
    };
    let port = written["mismatch"]["port"].as_str().unwrap();
    let port = port.split('[').next().unwrap();
    let [dut, golden] =
        ["dut", "golden"].map(|side| at_mismatch(&format!("lru_stack.{side}.{port}")));
    assert_ne!(dut.1, golden.1, "{port}");
    let marked: Vec<&(u64, String)> = values["lru_stack.mismatch"].iter().collect();
    assert!(marked.contains(&&(10 * cycle, "1".into())), "{marked:?}");
    // Inputs as they were given; an output that is not in the dump is unknown.
    assert_eq!(
        values["lru_stack.dut.access_kid"],
        values["lru_stack.golden.access_kid"]
    );
    assert_eq!(at_mismatch("lru_stack.dut.unknown.hit_pos").1, "11");
    assert_eq!(at_mismatch("lru_stack.dut.unknown.stack_way").1, "0");
    let view = std::fs::read_to_string(at("w.gtkw")).unwrap();
    assert!(view.contains(&format!("+{{golden {port}}}")), "{view}");
    // Around the mismatch; the last cycles, with a few behind it.
    for (options, file) in [
        ("--on-mismatch --last 3", "out/check/lru_stack_2x2.dump.vcd"),
        ("--last 12 --wave l.vcd", "l.vcd"),
    ] {
        json(work.path(), options);
        let shown = changes(&std::fs::read_to_string(at(file)).unwrap());
        assert_eq!(
            shown["lru_stack.mismatch"][0].0,
            10 * (cycle - 3),
            "{options}"
        );
        let clock = shown["lru_stack.clock"].last().unwrap().0;
        assert_eq!(clock / 10, cycle + 8, "{options}");
    }
    let late =
        "cotenant check lru_stack --vcd my_stack.vcd --map map.toml --wave z.vcd --window 5000..";
    let (_, _, err) = shell(work.path(), late);
    assert!(err.contains("they were to begin in cycle 5000"), "{err}");
}

/// A run that ends with an error leaves a wave that can be read, and the dump is not overwritten.
#[test]
fn waves_of_a_comparison_that_ends_early() {
    let work = simulated("my_stack_tb.v", "$finish;", "req = 4'bx; #20 $finish;");
    let command = |wave: &str| {
        let command =
            format!("cotenant check lru_stack --vcd my_stack.vcd --map map.toml --wave {wave}");
        shell(work.path(), &command)
    };
    let (code, _, err) = command("w.vcd");
    assert_eq!(code, 2, "{err}");
    let text = std::fs::read_to_string(work.path().join("w.vcd")).unwrap();
    assert!(!changes(&text)["lru_stack.golden.victim_way"].is_empty());
    let before = std::fs::read(work.path().join("my_stack.vcd")).unwrap();
    let (code, _, err) = command("./my_stack.vcd");
    assert!(
        code == 2 && err.contains("would overwrite the dump"),
        "{err}"
    );
    assert_eq!(
        std::fs::read(work.path().join("my_stack.vcd")).unwrap(),
        before
    );
}

/// By path, the times of a dump at which a signal changes, with its values.
fn changes(text: &str) -> BTreeMap<String, Vec<(u64, String)>> {
    let mut reader = vcd::Parser::new(text.as_bytes());
    let header = reader.parse_header().unwrap();
    let mut names = BTreeMap::new();
    name_all(&header.items, "", &mut names);
    let (mut all, mut now) = (BTreeMap::<String, Vec<(u64, String)>>::new(), 0);
    for command in reader.map(Result::unwrap) {
        let (id, value) = match command {
            vcd::Command::Timestamp(time) => {
                now = time;
                continue;
            }
            vcd::Command::ChangeScalar(id, value) => (id, value.to_string()),
            vcd::Command::ChangeVector(id, value) => (id, value.to_string()),
            _ => continue,
        };
        all.entry(names[&id].clone())
            .or_default()
            .push((now, value));
    }
    all
}

fn name_all(items: &[vcd::ScopeItem], above: &str, names: &mut BTreeMap<vcd::IdCode, String>) {
    for item in items {
        match item {
            vcd::ScopeItem::Scope(scope) => {
                name_all(
                    &scope.items,
                    &format!("{above}{}.", scope.identifier),
                    names,
                );
            }
            vcd::ScopeItem::Var(var) => {
                names.insert(var.code, format!("{above}{}", var.reference));
            }
            _ => {}
        }
    }
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
