//! Rationale: the header, the static library and the documented ways to fail are used as a C program
//! uses them, compiled as C99 and as C++ with all warnings, which are errors. That the program can
//! fail is shown by one that expects something else.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::{done, library, own, run, said};

fn compiled(compiler: &str, standard: &str, source: &Path, program: &Path) {
    done(
        Command::new(compiler)
            .arg(standard)
            .args([
                "-Wall",
                "-Wextra",
                "-Werror",
                "-pedantic",
                "-O1",
                "-pthread",
            ])
            .arg("-I")
            .arg(own("include"))
            .arg(source)
            .arg(library())
            .args(["-lpthread", "-ldl", "-lm", "-o"])
            .arg(program),
    );
}

fn source() -> PathBuf {
    own("tests/c/test.c")
}

#[test]
fn a_program_in_c_uses_the_models() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("test");
    compiled("cc", "-std=c11", &source(), &program);
    let text = done(&mut Command::new(&program));
    assert!(text.ends_with("all as expected\n"), "{text}");
}

#[test]
fn a_program_that_expects_something_else_fails() {
    let folder = tempfile::tempdir().unwrap();
    let (changed, program) = (folder.path().join("test.c"), folder.path().join("test"));
    let text = std::fs::read_to_string(source()).unwrap();
    let right = "EXPECT(counted == 2)";
    assert!(text.contains(right));
    std::fs::write(&changed, text.replace(right, "EXPECT(counted == 3)")).unwrap();
    compiled("cc", "-std=c11", &changed, &program);
    let output = run(&mut Command::new(&program));
    assert!(!output.status.success());
    assert!(said(&output).contains("counted == 3"), "{}", said(&output));
}

#[test]
fn the_header_is_one_for_cpp_too() {
    let folder = tempfile::tempdir().unwrap();
    let (source, program) = (folder.path().join("test.cpp"), folder.path().join("test"));
    let text =
        "#include \"cotenant.h\"\nint main() { return cotenant_unit_count() > 0 ? 0 : 1; }\n";
    std::fs::write(&source, text).unwrap();
    compiled("c++", "-std=c++11", &source, &program);
    done(&mut Command::new(&program));
}

/// The programs in the documentation.
#[test]
fn the_documented_programs_do_what_they_say() {
    assert_eq!(documented(1), "hit_pos 2, owner 1\n");
    let directed = documented(2);
    let cycles = directed
        .strip_suffix(" of 20000 cycles directed\n")
        .unwrap();
    assert!((1..=10_000).contains(&cycles.parse().unwrap()), "{cycles}");
}

/// What the program in this block of the page prints.
fn documented(block: usize) -> String {
    let folder = tempfile::tempdir().unwrap();
    let (source, program) = (
        folder.path().join("program.c"),
        folder.path().join("program"),
    );
    let page = std::fs::read_to_string(own("../../docs/bindings.md")).unwrap();
    let text = page
        .split("```c\n")
        .nth(block)
        .and_then(|rest| rest.split("```").next());
    std::fs::write(&source, text.unwrap()).unwrap();
    compiled("cc", "-std=c99", &source, &program);
    done(&mut Command::new(&program))
}
