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
    let files = cotenant::pages::all(root(), &|_| {}).unwrap();
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

/// Links of a page in `docs/units` to files that do not exist.
fn dead_links(root: &Path, page: &str) -> Vec<String> {
    let links = page.split("](").skip(1);
    let links = links.filter_map(|rest| rest.split([')', '#']).next());
    let local = links.filter(|link| !link.is_empty() && !link.contains("://"));
    let dead = local.filter(|link| !root.join("docs/units").join(link).exists());
    dead.map(String::from).collect()
}

#[test]
fn links_of_the_units_pages_lead_somewhere() {
    let mut seen = 0;
    for entry in root().join("docs/units").read_dir().unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|kind| kind == "md") {
            let page = std::fs::read_to_string(&path).unwrap();
            assert_eq!(dead_links(root(), &page), [""; 0], "{}", path.display());
            seen += 1;
        }
    }
    assert!(seen > 15, "{seen} pages");
    let broken = "[here](popcnt.md#ports) and [there](../../no/such.rs)";
    assert_eq!(dead_links(root(), broken), ["../../no/such.rs"]);
}
