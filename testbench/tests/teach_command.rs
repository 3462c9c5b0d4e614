//! Rationale: scripts rely on exit codes and on what is in the folder, people on errors that say
//! what to type instead. Each is tried on the program itself; nothing may be left half-written, and
//! nothing of anybody else's be replaced.

use std::path::Path;

use serde_json::Value;

use crate::common::{command, names};

/// Exit code, stdout, stderr.
fn waves(arguments: &[&str], folder: &Path) -> (i32, String, String) {
    let arguments = [&["waves"], arguments].concat();
    let output = command(&arguments, folder).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (
        output.status.code().unwrap(),
        text(output.stdout),
        text(output.stderr),
    )
}

#[test]
fn a_folder_with_waves_picture_and_words() {
    let place = tempfile::tempdir().unwrap();
    let (code, out, err) = waves(&["gdcu"], place.path());
    assert_eq!((code, &err[..]), (0, ""));
    assert!(
        out.starts_with("gdcu 4x4x21: demotions counted per victim and aggressor\n"),
        "{out}"
    );
    assert!(out.contains("cycle 4: count[*][2] = 2 1 1 0"), "{out}");
    assert!(
        out.ends_with(
            "out/waves/gdcu: gdcu.vcd, gdcu.json, gdcu.svg, report.json, gdcu.gtkw, gdcu.sucl\n"
        ),
        "{out}"
    );
    let folder = place.path().join("out/waves/gdcu");
    assert_eq!(
        names(&folder),
        [
            "gdcu.gtkw",
            "gdcu.json",
            "gdcu.sucl",
            "gdcu.svg",
            "gdcu.vcd",
            "report.json"
        ]
    );
    assert_eq!(names(folder.parent().unwrap()), ["gdcu"]);

    let wave = wellen::simple::read(folder.join("gdcu.vcd")).unwrap();
    for (path, name) in [
        (&["gdcu"][..], "mismatch"),
        (&["gdcu", "dut"], "access_pos"),
        (&["gdcu", "golden"], "access_pos"),
        (&["gdcu", "golden", "matrix"], "count(2)(3)"),
    ] {
        assert!(
            wave.hierarchy().lookup_var(path, name).is_some(),
            "{path:?} {name}"
        );
    }
    // One more run takes the place of the first.
    assert_eq!(waves(&["gdcu", "--config", "4x4x21s2"], place.path()).0, 0);
    assert_eq!(names(folder.parent().unwrap()), ["gdcu"]);
}

#[test]
fn one_json_document() {
    let place = tempfile::tempdir().unwrap();
    let (code, out, err) = waves(&["quota_unit", "--json", "--out", "here"], place.path());
    assert_eq!((code, &err[..]), (0, ""));
    let document: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(document["schema"], 1);
    assert_eq!(document["passed"], true);
    assert_eq!(document["set"], "2x32");
    let steps = document["steps"].as_array().unwrap();
    let facts = steps
        .iter()
        .flat_map(|step| step["facts"].as_array().unwrap());
    let quotas: Vec<&Value> = facts
        .filter(|fact| fact["signal"] == "quota")
        .map(|fact| &fact["value"])
        .collect();
    // bp with sv, and with ks: Dai et al., section 3.2 with table 2.
    assert_eq!(*quotas[0], serde_json::json!([3, 2]));
    assert_eq!(*quotas[1], serde_json::json!([17, 2]));
    let kept = std::fs::read_to_string(place.path().join("here/report.json")).unwrap();
    assert_eq!(kept, out);
}

#[test]
fn what_cannot_run_says_what_would_and_leaves_nothing() {
    for (arguments, expected) in [
        (&["gdc"][..], "the nearest is 'gdcu'"),
        (&["gdcu", "--config", "4x4x22q"], "the nearest is"),
        (
            &["gdcu", "--config", "table-1"],
            "expected one of: 4x4x21, 4x4x21s0",
        ),
        (&[], "<UNIT>"),
    ] {
        let place = tempfile::tempdir().unwrap();
        let (code, out, err) = waves(arguments, place.path());
        assert_eq!((code, &out[..]), (2, ""), "{arguments:?}");
        assert!(err.contains(expected), "{arguments:?}: {err}");
        let left = place.path().join("out/waves");
        assert!(!left.exists() || names(&left).is_empty(), "{arguments:?}");
    }
}

#[test]
fn somebody_elses_folder_stays() {
    let place = tempfile::tempdir().unwrap();
    std::fs::create_dir(place.path().join("mine")).unwrap();
    std::fs::write(place.path().join("mine/thesis.tex"), "years").unwrap();
    let (code, _, err) = waves(&["popcnt", "--out", "mine"], place.path());
    assert_eq!(code, 2);
    assert!(err.contains("mine"), "{err}");
    assert_eq!(names(&place.path().join("mine")), ["thesis.tex"]);
}

/// Every example in the help runs.
#[test]
fn the_examples_in_the_help_work() {
    let place = tempfile::tempdir().unwrap();
    let (_, help, _) = waves(&["--help"], place.path());
    let lines = help.lines();
    let examples: Vec<&str> = lines
        .filter_map(|l| l.strip_prefix("  cotenant waves "))
        .collect();
    assert_eq!(examples.len(), 3);
    for example in examples {
        let arguments: Vec<&str> = example.split_whitespace().collect();
        let (code, _, err) = waves(&arguments, place.path());
        assert_eq!(code, 0, "{example}: {err}");
    }
}
