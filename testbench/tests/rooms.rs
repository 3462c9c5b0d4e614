//! Rationale: a part of the testbench can be read, changed and tested without what is built on it
//! only as long as that is not used in it, and nothing else keeps a `use` from being added. So each
//! module may use only modules before it in the list. Tests inside the sources are left out, since
//! they may take any unit as an example. A reader who opens a source must learn first what it is,
//! so each begins with a sentence about itself. The tests of a crate are one program, and cargo does
//! not look for others: a file of tests that no module declares would never run, without a word.

use std::fs::read_to_string;
use std::path::{Path, PathBuf};

/// Modules of the crate, from the bottom up.
const CRATE: [&str; 10] = [
    "error",
    "whole",
    "verify",
    "scenes",
    "unit",
    "registry",
    "export",
    "experiments",
    "pages",
    "cmd",
];
/// Modules of `verify`, from the bottom up.
const VERIFY: [&str; 11] = [
    "interface",
    "stimulus",
    "coverage",
    "directed",
    "facts",
    "dut",
    "waves",
    "lockstep",
    "vectors",
    "dump",
    "fault",
];

/// What a source of a module uses of the modules behind it; `within` is the path in front of them.
fn uses_upwards(modules: &[&str], within: &str, module: &str, source: &str) -> Vec<String> {
    let place = |module: &str| modules.iter().position(|known| *known == module);
    let own = place(module).unwrap_or_else(|| panic!("{within}{module} is in no list"));
    let code = source.split("#[cfg(test)]").next().unwrap_or_default();
    let code = code
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    let mut found = Vec::new();
    for line in code {
        for used in line.split(within).skip(1) {
            let end = used.find(|c: char| !c.is_ascii_lowercase() && c != '_');
            let used = &used[..end.unwrap_or(used.len())];
            if place(used).is_some_and(|used| used > own) {
                found.push(format!("{module} uses {within}{used}"));
            }
        }
    }
    found
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = folder
        .read_dir()
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let mut all = Vec::new();
    for path in entries {
        match path.is_dir() {
            true => all.extend(sources(&path)),
            false if path.extension().is_some_and(|kind| kind == "rs") => all.push(path),
            false => {}
        }
    }
    all
}

/// Uses of modules further up, and the number of sources looked at.
fn check(modules: &[&str], folder: &str, within: &str) -> (Vec<String>, usize) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let (mut found, mut seen) = (Vec::new(), 0);
    for path in sources(&root) {
        let inside = path.strip_prefix(&root).unwrap();
        let module = inside.iter().next().unwrap().to_str().unwrap();
        let module = module.trim_end_matches(".rs");
        // The crate's root, and the file that declares a module's parts.
        if ["lib", "main", "mod"].contains(&module) || path.ends_with("tests.rs") {
            continue;
        }
        seen += 1;
        let uses = uses_upwards(modules, within, module, &read_to_string(&path).unwrap());
        found.extend(
            uses.iter()
                .map(|uses| format!("{}: {uses}", inside.display())),
        );
    }
    (found, seen)
}

#[test]
fn modules_use_those_below_them_alone() {
    for (modules, folder, within) in [
        (&CRATE[..], "src", "crate::"),
        (&VERIFY[..], "src/verify", "crate::verify::"),
    ] {
        let (found, seen) = check(modules, folder, within);
        assert!(seen > 40, "{seen} sources in {folder}");
        assert!(found.is_empty(), "{}", found.join("\n"));
    }
}

/// Sources that do not begin with a sentence about themselves.
fn without_header(sources: impl IntoIterator<Item = (PathBuf, String)>) -> Vec<PathBuf> {
    let lacks = |text: &str| !text.starts_with("//! ");
    let sources = sources.into_iter().filter(|(_, text)| lacks(text));
    sources.map(|(path, _)| path).collect()
}

#[test]
fn every_source_says_what_it_is() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let crates = [
        "golden",
        "golden/capi",
        "golden/derive",
        "golden/python",
        "hdl/netlist",
        "hdl/registers",
        "hdl/unit-macro",
        "hdl/unit-syntax",
        "hdl/units",
        "testbench",
        "waveforms",
    ];
    let all = crates.map(|place| sources(&root.join(place).join("src")));
    let all = all.concat().into_iter().map(|path| {
        let text = read_to_string(&path).unwrap();
        (path, text)
    });
    let all: Vec<_> = all.collect();
    assert!(all.len() > 400, "{} sources", all.len());
    assert_eq!(without_header(all), <[PathBuf; 0]>::default());
    let silent = ["use std::fs;", "//! A header."].map(|text| (text.into(), text.into()));
    assert_eq!(without_header(silent), [PathBuf::from("use std::fs;")]);
}

/// Sources below a folder that the sources beside or above them do not declare as modules.
fn undeclared(folder: &Path, root: &str) -> Vec<PathBuf> {
    let declares = |declaring: &Path, module: &str| {
        let text = read_to_string(declaring).unwrap_or_default();
        let declaration = format!("mod {module};");
        text.lines().any(|line| line.ends_with(&declaration))
    };
    let mut all = sources(folder);
    all.retain(|path| {
        let name = path.file_stem().unwrap().to_str().unwrap();
        let beside = path.parent().unwrap();
        let (module, above) = match name {
            "mod" => (
                beside.file_name().unwrap().to_str().unwrap(),
                beside.parent(),
            ),
            _ => (name, Some(beside)),
        };
        let above = above.unwrap();
        let mut declaring = ["mod.rs", root].map(|name| above.join(name)).into_iter();
        *path != folder.join(root) && !declaring.any(|file| declares(&file, module))
    });
    all
}

/// Programs of their own, since they count what the whole program allocates, and what tests of two
/// crates share.
const APART: [&str; 4] = [
    "golden/tests/model_memory.rs",
    "golden/tests/trace_memory.rs",
    "hdl/netlist/tests/sim_allocation.rs",
    "waveforms/tests/common/gtkw.rs",
];

#[test]
fn every_file_of_tests_is_in_the_program() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    for (place, fewest) in [
        ("golden", 20),
        ("golden/capi", 4),
        ("hdl/netlist", 40),
        ("testbench", 50),
        ("waveforms", 8),
    ] {
        let tests = root.join(place).join("tests");
        let seen = sources(&tests).len();
        assert!(seen > fewest, "{seen} files of tests in {place}");
        let mut left = undeclared(&tests, "main.rs");
        left.retain(|path| !APART.iter().any(|apart| *path == root.join(apart)));
        assert_eq!(left, <[PathBuf; 0]>::default(), "{place}/tests/main.rs");
    }
}

/// What is not compiled for tests of its own (`test = false`).
const UNTESTED: [&str; 5] = [
    "golden/python/src",
    "hdl/registers/src",
    "hdl/unit-macro/src",
    "hdl/unit-syntax/src",
    "testbench/src/main.rs",
];

#[test]
fn no_test_is_where_none_is_run() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    for place in UNTESTED.map(|place| root.join(place)) {
        let all = match place.is_dir() {
            true => sources(&place),
            false => vec![place],
        };
        for path in all {
            let text = read_to_string(&path).unwrap();
            assert!(!text.contains("#[test]"), "{}: never run", path.display());
        }
    }
}

#[test]
fn a_file_that_is_in_no_program_is_seen() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path
    };
    file("main.rs", "mod first;\nmod second;\n// mod third;x\n");
    file("first.rs", "");
    file("second/mod.rs", "mod part;");
    file("second/part.rs", "");
    assert_eq!(
        undeclared(folder.path(), "main.rs"),
        <[PathBuf; 0]>::default()
    );
    let third = file("third.rs", "");
    let part = file("second/other.rs", "");
    // As cargo would find it without being told.
    let program = file("fourth/main.rs", "");
    let mut found = undeclared(folder.path(), "main.rs");
    found.sort();
    assert_eq!(found, [program, part, third]);
}

#[test]
fn a_use_from_below_is_seen() {
    let upwards = |source| uses_upwards(&CRATE, "crate::", "verify", source);
    assert_eq!(
        upwards("use crate::registry::find;\nlet u = crate::unit::llc::Gdcu;"),
        ["verify uses crate::registry", "verify uses crate::unit"]
    );
    let allowed = "use crate::whole::File;\n// crate::cmd\nuse crate::Error;\n#[cfg(test)]\n\
                   mod tests { use crate::registry::UNITS; }";
    assert!(upwards(allowed).is_empty());
}
