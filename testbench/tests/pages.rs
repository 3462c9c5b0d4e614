//! Rationale: pages that are written by hand rot, and generated ones do, too, unless somebody
//! looks. Every generated file in the repository must be what the units say now; and a table that
//! was edited is seen, by the command with exit code 1.

use std::path::Path;
use std::process::Command;

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

fn pages(root: &Path) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cotenant"));
    let output = command
        .args(["pages", "--check", "--root"])
        .arg(root)
        .output();
    let output = output.unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(text).unwrap())
}

#[test]
fn pages_are_up_to_date() {
    let files = cotenant::pages::all(root(), &mut |_| {}).unwrap();
    // A page and one picture per unit, the table of all, the registers, the README.
    assert_eq!(files.len(), 2 * cotenant::registry::UNITS.len() + 3);
    for file in files {
        let drift = file.drift(root()).unwrap();
        let path = file.path.display();
        assert_eq!(
            drift, None,
            "{path} is not what the units say: run `cotenant pages`"
        );
    }
}

#[test]
fn a_folder_that_is_no_repository_is_refused() {
    let empty = tempfile::tempdir().unwrap();
    let (code, text) = pages(empty.path());
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("scripts/formal/README.md"), "{text}");
}
