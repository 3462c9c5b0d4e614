//! Rationale: what the command recovers must be what the memory was made with, with noise too, and
//! the file that it writes must be a mapping that says the same. Bad input names what was expected.

use std::path::Path;
use std::process::{Command, Output};

use cotenant_golden::addr::gf2;
use cotenant_golden::addr::mapping::{Field, Mapping};
use serde_json::Value;

fn probe(arguments: &[&str], folder: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cotenant"));
    command.arg("probe").args(arguments).current_dir(folder);
    command.output().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn what_is_found_is_what_the_memory_was_made_with() {
    let work = tempfile::tempdir().unwrap();
    let output = probe(&["gtx1080", "--json", "--out", "found.toml"], work.path());
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    for index in ["bank", "set", "module"] {
        assert_eq!(report["equal"][index], true, "{report}");
    }
    assert_eq!(report["ways"], 16);
    let found = Mapping::read(&work.path().join("found.toml")).unwrap();
    let made = Mapping::named("gtx1080").unwrap();
    for (field, index, bits) in [(Field::Bank, "bank", 7), (Field::Set, "set", 10)] {
        assert_eq!(report[index]["functions"].as_array().unwrap().len(), bits);
        assert!(gf2::same_span(
            found.functions(field),
            made.functions(field)
        ));
    }
    // Words for a person, and the same with noise.
    let noisy = probe(&["gtx1080", "--noise", "20000"], work.path());
    assert_eq!(noisy.status.code(), Some(0), "{}", said(&noisy));
    let text = String::from_utf8(noisy.stdout).unwrap();
    assert!(
        text.contains("| module | 3 ") && !text.contains("DIFFERENT"),
        "{text}"
    );
    // The module's three functions are not said again.
    let rows = |index: &str| {
        let (_, functions) = text.split_once("address bits").unwrap();
        let start = format!("| {index} ");
        functions
            .lines()
            .filter(|line| line.starts_with(&start))
            .count()
    };
    assert_eq!(["module", "bank", "set"].map(rows), [3, 4, 7], "{text}");
}

#[test]
fn bad_input_is_refused_with_what_was_expected() {
    let work = tempfile::tempdir().unwrap();
    let text = Mapping::text("gtx1080").unwrap();
    let outside = text.replacen(
        "[7, 8, 16, 17, 23, 26, 31]",
        "[7, 8, 16, 17, 23, 26, 40]",
        1,
    );
    assert_ne!(text, outside);
    std::fs::write(work.path().join("outside.toml"), outside).unwrap();
    std::fs::write(work.path().join("memory.toml"), "name = 3\n").unwrap();
    for (arguments, why) in [
        (
            &["gtx1081"][..],
            "no memory \"gtx1081\", expected one of: gtx1080",
        ),
        (&["memory.toml"], "memory.toml: "),
        (&["gtx1080", "--mapping", "outside.toml"], "outside.toml: "),
        (&["gtx1080", "--mapping", "none"], "no mapping \"none\""),
        (
            &["gtx1080", "--error", "0"],
            "error is 0, expected more than 0",
        ),
        (&["gtx1080", "--noise", "400000"], "300000"),
        // One reading in three is wrong: no threshold can be found, or too many contradict it.
        (&["gtx1080", "--noise", "300000"], ", expected "),
    ] {
        let output = probe(&[arguments, &["--out", "found.toml"]].concat(), work.path());
        assert_eq!(
            output.status.code(),
            Some(2),
            "{arguments:?}: {}",
            said(&output)
        );
        assert!(
            said(&output).contains(why),
            "{arguments:?}: {}",
            said(&output)
        );
        // Once: a cause is not said again.
        assert_eq!(said(&output).matches(why).count(), 1, "{arguments:?}");
        assert!(!work.path().join("found.toml").exists(), "{arguments:?}");
    }
}
