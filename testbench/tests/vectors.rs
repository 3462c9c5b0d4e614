//! Rationale: vectors leave this code and are read by others' testbenches, so the command is tried
//! as it is used: files, stdout, exit codes, what is broken and where. The readers that
//! docs/vectors.md shows are taken from there and run, in Icarus and in Python; they pass with a
//! right design and fail with one fault in it. The golden model is the judge of what is verified,
//! so a file that was changed and one that another model wrote must be told apart.
#![allow(missing_docs)]

use std::path::Path;
use std::process::{Command, Output, Stdio};

use cotenant::registry::{Drawn, Stimulus, UNITS};
use cotenant_golden::dynamic;
use cotenant_golden::ports::Port;

use crate::common::test_sets;

fn cotenant(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cotenant"));
    let command = command.current_dir(folder).arg("vectors").args(arguments);
    command.output().unwrap()
}

/// Exit code, stdout, stderr.
fn run(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let output = cotenant(folder, arguments);
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (
        output.status.code().unwrap(),
        text(output.stdout),
        text(output.stderr),
    )
}

fn names(folder: &Path) -> Vec<String> {
    let files = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = files
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn every_unit_is_written_and_verified() {
    let work = tempfile::tempdir().unwrap();
    for unit in UNITS.iter().map(|unit| unit.name()) {
        for set in test_sets(unit) {
            let arguments = [
                unit, "--config", set, "--cycles", "1k", "--seed", "7", "-o", "v",
            ];
            let (code, out, err) = run(work.path(), &arguments);
            assert_eq!((code, &err[..]), (0, ""), "{unit} {set}");
            assert!(out.contains(": v: 1000 cycles (seed 0x7)"), "{out}");
            let (code, out, err) = run(work.path(), &["--verify", "v"]);
            assert_eq!((code, &err[..]), (0, ""), "{unit} {set}: {out}");
            assert!(
                out.contains("1000 cycles, ") && out.contains("agree"),
                "{out}"
            );
        }
    }
    assert_eq!(names(work.path()), ["v"]);
}

#[test]
fn every_unit_is_reset_in_front() {
    let work = tempfile::tempdir().unwrap();
    for unit in UNITS {
        for seed in ["1", "2", "3"] {
            let arguments = [
                unit.name(),
                "--config",
                "small",
                "--cycles",
                "5",
                "--seed",
                seed,
            ];
            let (code, out, _) = run(work.path(), &[&arguments[..], &["-o", "-"]].concat());
            assert_eq!(code, 0);
            let compare_from = out.contains("\n# compare-from 1\n");
            let resets = out.contains("\n# input reset 1 1\n");
            assert_eq!(compare_from, resets, "{}", unit.name());
            let cycles: Vec<&str> = out.lines().filter(|line| !line.starts_with('#')).collect();
            if resets {
                // The first column.
                assert!(
                    cycles[..2].iter().all(|line| line.starts_with("1 ")),
                    "{out}"
                );
            }
        }
    }
}

/// What programs in other languages get.
#[test]
fn stimulus_by_name_is_that_of_vectors() {
    let work = tempfile::tempdir().unwrap();
    for unit in dynamic::units() {
        let name = unit.name();
        let mut model = unit.model(unit.platform()).unwrap();
        let parameters = model.settings().to_string();
        let arguments = [name, "--config", &parameters, "--cycles", "300"];
        let drawn_so = ["--seed", "7", "--directed", "100", "-o", "-"];
        let (code, out, err) = run(work.path(), &[&arguments[..], &drawn_so].concat());
        assert_eq!(code, 0, "{err}");
        let drawn = Drawn {
            seed: 7,
            directed: 100,
            ..Drawn::default()
        };
        let mut stimulus = Stimulus::new(&model, &drawn, &mut |_| true)
            .unwrap()
            .unwrap();
        let directed = format!("\n# directed {}\n", stimulus.directed());
        assert!(
            out.contains(&directed) || stimulus.directed() == 0,
            "{name}{directed}"
        );
        let mut outputs = model.output_row();
        let written = out.lines().filter(|line| !line.starts_with('#'));
        for (cycle, line) in written.enumerate() {
            let inputs = stimulus.next(&model).unwrap();
            let digits = text(model.inputs(), inputs);
            assert!(
                line.starts_with(&format!("{digits} | ")),
                "{name}: cycle {cycle}: {digits}, in vectors {line}"
            );
            model.step(inputs, &mut outputs).unwrap();
        }
    }
}

/// A row as vectors have it.
fn text(ports: &[Port], mut row: &[u64]) -> String {
    let digits = |port: &Port| {
        let (words, behind) = row.split_at(port.words());
        row = behind;
        let all: String = words
            .iter()
            .rev()
            .map(|word| format!("{word:016x}"))
            .collect();
        all[all.len() - port.width().div_ceil(4)..].to_string()
    };
    ports.iter().map(digits).collect::<Vec<_>>().join(" ")
}

#[test]
fn files_have_names_and_stdout_is_one() {
    let work = tempfile::tempdir().unwrap();
    let (code, out, _) = run(work.path(), &["popcnt", "--config", "all", "--cycles", "9"]);
    assert_eq!(code, 0);
    let written = names(&work.path().join("out/vectors"));
    let files = out.lines().filter(|line| line.contains(": out/vectors/"));
    assert_eq!(files.count(), written.len(), "{out}");
    assert!(written.contains(&"popcnt_16.vec".into()), "{written:?}");
    run(work.path(), &["popcnt", "--cycles", "9", "--out", "a"]);
    let file = std::fs::read_to_string(work.path().join("a/popcnt_16.vec")).unwrap();
    let arguments = ["popcnt", "--cycles", "9", "-o", "-"];
    let (code, out, err) = run(work.path(), &arguments);
    assert_eq!((code, &out, &err[..]), (0, &file, ""), "the same bytes");
    let (_, other, _) = run(work.path(), &[&arguments[..], &["--seed", "1"]].concat());
    assert_ne!(out, other);
    let profile = ["--profile", "all-ways", "--profile", "uniform"];
    let (code, _, err) = run(work.path(), &[&arguments[..], &profile].concat());
    assert_eq!(code, 2);
    assert!(err.contains("popcnt has no profile 'all-ways'"), "{err}");
    let (_, out, _) = run(work.path(), &[&arguments[..], &profile[2..]].concat());
    assert!(out.contains("\n# profile uniform\n"), "{out}");
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let work = tempfile::tempdir().unwrap();
    for arguments in [
        &["vectors", "popcnt", "--cycles", "100k", "-o", "-"][..],
        &["check", "popcnt", "--cycles", "1k", "--coverage"],
        &["check", "popcnt", "--cycles", "1k", "--json"],
        &["check", "gdcu", "--map-template"],
        &["list"],
        &["list", "--json"],
        &["export", "popcnt"],
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cotenant"));
        let command = command.current_dir(work.path()).args(arguments);
        let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let err = String::from_utf8_lossy(&output.stderr);
        assert_eq!(
            (output.status.code(), &err[..]),
            (Some(0), ""),
            "{arguments:?}"
        );
    }
}

#[test]
fn what_is_wrong_is_named_with_its_place() {
    let work = tempfile::tempdir().unwrap();
    let file = work.path().join("v");
    run(
        work.path(),
        &[
            "lru_stack",
            "--config",
            "small",
            "--cycles",
            "300",
            "-o",
            "v",
        ],
    );
    let good = std::fs::read_to_string(&file).unwrap();
    let head = good
        .lines()
        .take_while(|line| line.starts_with('#'))
        .count();
    // A cycle late enough to be compared, with a miss that evicts nothing's owner.
    let number = head + 40;
    let line = good.lines().nth(number - 1).unwrap();
    let bad = |text: &str| {
        std::fs::write(&file, text).unwrap();
        run(work.path(), &["--verify", "v"])
    };
    let replaced = |new: &str| {
        let lines = good.lines().enumerate();
        let lines = lines.map(|(i, old)| if i + 1 == number { new } else { old });
        lines.map(|line| format!("{line}\n")).collect::<String>()
    };
    // An expected value: the first difference, and the hash that does not fit any more.
    let way = line.len() - 5;
    let flipped = if &line[way..=way] == "0" { "1" } else { "0" };
    let mut changed = line.to_owned();
    changed.replace_range(way..=way, flipped);
    let (code, out, _) = bad(&replaced(&changed));
    assert_eq!(code, 1, "{out}");
    let place = format!(
        "v:{number}:{}: cycle 39: victim_way is 0x{flipped}, expected 0x",
        way + 1
    );
    assert!(out.starts_with(&place), "{out}");
    assert!(out.contains("changed after it was written"), "{out}");
    let last = good.lines().count();
    assert!(
        out.contains(&format!("\nv:{last}:19: expected-sha256 is ")),
        "{out}"
    );
    // The same with a hash that fits, as another golden model would have written it.
    let found = out.split(", expected ").nth(2).unwrap();
    let found = found.split(',').next().unwrap();
    let hash = good.lines().last().unwrap();
    let forged = replaced(&changed).replace(hash, &format!("# expected-sha256 {found}"));
    let (code, out, _) = bad(&forged);
    assert_eq!(code, 1);
    assert!(out.contains("another golden model wrote it"), "{out}");
    let (_, json, _) = run(work.path(), &["--verify", "v", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["problems"][0]["kind"], "output");
    assert_eq!(json["problems"][0]["line"], number);
    // A hash alone.
    let (code, out, _) = bad(&good.replace(hash, &format!("# expected-sha256 {}", "0".repeat(64))));
    assert_eq!((code, out.lines().count()), (1, 1), "{out}");
    // What cannot be read.
    for (from, to, error) in [
        (
            "# cotenant-vectors 1",
            "hello",
            "v:1:1: expected '# cotenant-vectors 1'",
        ),
        (
            "# unit lru_stack",
            "# unit lru_stick",
            "v:2:8: there is no unit 'lru_stick'; the nearest",
        ),
        (
            "# set 2x2",
            "# set 3x0",
            "v:3:7: lru_stack: KERNELS is 1 to 64, not 0",
        ),
        (
            "# set 2x2",
            "# set small",
            "v:3:7: expected the set's own name, 2x2",
        ),
        ("# set 2x2\n", "", "v:1:1: expected '# set ...'"),
        (
            "WAYS 2",
            "WAYS 3",
            "v:4:18: expected '# parameter WAYS 2' of 2x2",
        ),
        (
            "input flush 1 1",
            "input flash 1 1",
            "v:16:15: expected '# input flush 1 1' as input 8",
        ),
        (
            "# input flush 1 1\n",
            "",
            "v:1:1: expected '# input flush 1 1' as input 8",
        ),
        (
            "hit_pos 2 1",
            "hit_pos 2 2",
            "v:17:18: expected '# output hit_pos 2 1' as output 1",
        ),
        (
            line,
            &format!("x{}", &line[1..]),
            &format!("v:{number}:1: expected 1 hex digits of 'reset', found 'x'"),
        ),
        (
            "# cycles 300",
            "# cycles 301",
            &format!("v:{}:10: expected 300, the number", last - 2),
        ),
    ] {
        assert!(good.contains(from), "{from}");
        let (code, out, err) = bad(&good.replacen(from, to, 1));
        assert_eq!((code, &out[..]), (2, ""), "{from} -> {to}: {out}");
        assert!(
            err.starts_with(&format!("error: {error}")),
            "{from} -> {to}: {err}"
        );
    }
    // An input that the unit may not be given: a hit on a way that is not valid.
    let first = good.lines().nth(head + 2).unwrap();
    let illegal = format!("0 1 1 0 0 0 0 0{}", &first[15..]);
    let (code, _, err) = bad(&good.replacen(first, &illegal, 1));
    assert_eq!(code, 2);
    let place = format!("v:{}:1: cycle 2: the inputs break an assumption", head + 3);
    assert!(err.contains(&place), "{err}");
}

#[test]
fn wrong_arguments_are_answered_and_nothing_is_left() {
    let work = tempfile::tempdir().unwrap();
    for (arguments, why) in [
        (&["gdc"][..], "the nearest is 'gdcu'; the units are popcnt"),
        (&["gdcu", "--config", "16x4"], "the nearest is '16x4x21'"),
        (
            &["gdcu", "--cycles", "2"],
            "2 cycles of vectors: expected at least 3",
        ),
        (&["gdcu", "--cycles", "many"], "expected a number of cycles"),
        (&["gdcu", "--config", "all", "-o", "v"], "use --out DIR"),
        (&["gdcu", "--out", "a", "-o", "v"], "cannot be used with"),
        (&["gdcu", "--verify", "v"], "cannot be used with"),
        (&["--verify", "v"], "cannot read v"),
        (&["--json"], "--verify"),
        (
            &["gdcu", "-o", "/proc/no/file"],
            "there is no folder /proc/no",
        ),
        (&["gdcu", "--out", "/proc/no"], "cannot create /proc/no"),
        (&[], "UNIT"),
    ] {
        let (code, out, err) = run(work.path(), arguments);
        assert_eq!((code, &out[..]), (2, ""), "{arguments:?}");
        assert!(err.contains(why), "{arguments:?}: {err}");
        assert!(names(work.path()).is_empty(), "{arguments:?}");
    }
}

/// Every example in the help runs, and so does every command of the page.
#[test]
fn the_examples_in_the_help_work() {
    let work = tempfile::tempdir().unwrap();
    let (code, help, _) = run(work.path(), &["--help"]);
    assert_eq!(code, 0);
    let examples = help
        .lines()
        .filter_map(|line| line.strip_prefix("  cotenant vectors "));
    let page = PAGE
        .lines()
        .filter_map(|line| line.strip_prefix("cotenant vectors "));
    let mut count = 0;
    for example in examples.chain(page) {
        let arguments: Vec<&str> = example.split_whitespace().collect();
        let (code, _, err) = run(work.path(), &arguments);
        assert_eq!(code, 0, "{example}: {err}");
        count += 1;
    }
    assert_eq!(count, 6);
}

const PAGE: &str = include_str!("../../docs/vectors.md");

/// The page's code in a language, block by block.
fn blocks(language: &str) -> Vec<&'static str> {
    let start = format!("\n```{language}\n");
    let parts = PAGE.split(&start[..]).skip(1);
    parts
        .map(|part| part.split("\n```\n").next().unwrap())
        .collect()
}

/// A folder with the page's files and vectors.
fn example() -> tempfile::TempDir {
    let work = tempfile::tempdir().unwrap();
    for text in [blocks("verilog"), blocks("python")].concat() {
        let name = text
            .split(['/', '#', ' ', ':', '\n'])
            .find(|word| word.contains('.'));
        std::fs::write(work.path().join(name.unwrap()), text).unwrap();
    }
    let arguments = [
        "lru_stack",
        "--config",
        "small",
        "--cycles",
        "2000",
        "-o",
        "lru_stack.vec",
    ];
    assert_eq!(run(work.path(), &arguments).0, 0);
    assert_eq!(
        names(work.path()),
        ["lru_stack.vec", "my_lru.py", "my_lru.v", "my_lru_tb.v"]
    );
    work
}

/// Runs a command of the page; what it prints and whether it succeeds.
fn shell(folder: &Path, command: &str) -> (bool, String) {
    let output = Command::new("sh")
        .current_dir(folder)
        .args(["-c", command])
        .output();
    let output = output.expect("there is a shell");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    (
        output.status.success(),
        text + &String::from_utf8_lossy(&output.stderr),
    )
}

fn edit(folder: &Path, name: &str, from: &str, to: &str) {
    let path = folder.join(name);
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains(from), "{from}");
    std::fs::write(&path, text.replacen(from, to, 1)).unwrap();
}

#[test]
fn the_page_shows_what_is_written() {
    let work = example();
    let text = std::fs::read_to_string(work.path().join("lru_stack.vec")).unwrap();
    let mut lines = text.lines();
    for shown in blocks("text")[0].lines().filter(|line| *line != "...") {
        assert!(lines.any(|line| line == shown), "{shown}");
    }
}

#[test]
fn the_verilog_example_passes_and_sees_a_fault() {
    let command = PAGE
        .lines()
        .find(|line| line.starts_with("iverilog "))
        .unwrap();
    let play = |from: &str, to: &str| {
        let work = example();
        edit(work.path(), "my_lru.v", from, to);
        shell(work.path(), command).1
    };
    assert_eq!(play("reg mru", "reg mru"), "PASS 2000 cycles\n");
    let wrong = play("{owner[0], owner[1]}", "{owner[1], owner[0]}");
    assert!(
        wrong.contains("cycle ") && wrong.contains("FAIL "),
        "{wrong}"
    );
    // A flop that is never reset is X for ever.
    let unreset = play("{mru, owner, valid} <= 0", "{mru, valid} <= 0");
    assert!(unreset.contains("FAIL "), "{unreset}");
    let work = example();
    edit(work.path(), "lru_stack.vec", "\n# cycles", "\n# circles");
    let cut = shell(work.path(), command).1;
    assert!(
        cut.contains("FAIL 0 mismatches, 2000 of -1 cycles"),
        "{cut}"
    );
}

/// Debian's Verilator compiles and runs the same testbench.
#[test]
fn the_verilog_example_runs_in_verilator() {
    let command = PAGE
        .lines()
        .find(|line| line.starts_with("verilator "))
        .unwrap();
    let play = |from: &str, to: &str| {
        let work = example();
        edit(work.path(), "my_lru.v", from, to);
        shell(work.path(), command).1
    };
    let right = play("reg mru", "reg mru");
    assert!(right.contains("PASS 2000 cycles\n"), "{right}");
    let wrong = play("{owner[0], owner[1]}", "{owner[1], owner[0]}");
    assert!(
        wrong.contains("cycle ") && wrong.contains("FAIL ") && !wrong.contains("PASS"),
        "{wrong}"
    );
}

#[test]
fn the_python_example_passes_and_sees_a_fault() {
    let play = |file: &str, from: &str, to: &str| {
        let work = example();
        edit(work.path(), file, from, to);
        shell(work.path(), "python3 my_lru.py lru_stack.vec")
    };
    let (success, said) = play("my_lru.py", "class Lru", "class Lru");
    assert_eq!((success, &said[..]), (true, "PASS 2000 cycles\n"));
    let (success, said) = play("my_lru.py", "(way, owner, 0)", "(way, 0, 0)");
    assert!(!success && said.contains("FAIL "), "{said}");
    let (success, said) = play("lru_stack.vec", "# cycles 2000", "# cycles 1999");
    assert!(!success && said.contains("cut off"), "{said}");
    let (success, said) = play("lru_stack.vec", "-sha256 ", "-sha256 0");
    assert!(!success && said.contains("was changed"), "{said}");
}
