//! Rationale: docs/milg.md says what was measured, so its tables must be what the experiment gives
//! now, byte for byte, on every machine. The command must list what there is when it is not told
//! what to do, and name it when it is told wrong.
#![allow(missing_docs)]

use std::process::{Command, Output};

use cotenant::study;
use serde_json::Value;

const PAGE: &str = include_str!("../../docs/milg.md");

const AGAIN: &str = "take them from `cotenant figure milg-width`, and read the sentences again";

fn cotenant(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cotenant"));
    command.arg("figure").args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// What stands between the markers of a page.
fn generated<'a>(page: &'a str, figure: &str) -> Option<&'a str> {
    let begin = format!("<!-- begin: written by cotenant figure {figure} -->\n\n");
    let (_, rest) = page.split_once(&begin)?;
    Some(rest.split_once("\n<!-- end -->")?.0)
}

#[test]
fn the_page_has_the_numbers_of_today() {
    let figure = study::figure("milg-width").unwrap();
    let report = (figure.run)(0x9e37).unwrap();
    let page = generated(PAGE, figure.name).expect("the page has the markers");
    for (line, (page, now)) in page.lines().zip(report.text().lines()).enumerate() {
        assert_eq!(
            page, now,
            "line {line} of the tables in docs/milg.md; {AGAIN}"
        );
    }
    assert_eq!(page, report.text());
}

#[test]
fn without_a_name_it_lists_what_there_is() {
    let output = cotenant(&[]);
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output.stdout).starts_with("  milg-width   limits of"));
    let output = cotenant(&["--json"]);
    let list: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(list["figures"][0]["name"], "milg-width");
    assert_eq!(list["schema"], 1);
}

#[test]
fn a_wrong_name_or_seed_is_answered_with_what_is_right() {
    let cases: [(&[&str], &str); 3] = [
        (
            &["milg"],
            "there is no figure 'milg', expected one of:\n  milg-width",
        ),
        (&[""], "NAME"),
        (&["milg-width", "--seed", "x"], "expected a 64-bit number"),
    ];
    for (arguments, why) in cases {
        let output = cotenant(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(text(&output.stdout).is_empty());
        assert!(
            text(&output.stderr).contains(why),
            "{}",
            text(&output.stderr)
        );
    }
}

#[test]
fn markers_are_found() {
    let page = "a\n<!-- begin: written by cotenant figure x -->\n\nb\nc\n\n<!-- end -->\n";
    assert_eq!(generated(page, "x"), Some("b\nc\n"));
    assert_eq!(generated(page, "y"), None);
}
