//! Other people's programs.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder of this crate.
pub fn own(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The static library, which cargo has built beside this program.
pub fn library() -> PathBuf {
    let program = std::env::current_exe().unwrap();
    let folder = program.parent().unwrap();
    let path = folder.join("libcotenant_capi.a");
    assert!(path.exists(), "{} is not there", path.display());
    path
}

/// Runs a program; what it says if it fails.
pub fn run(command: &mut Command) -> Output {
    let output = command.output();
    output.unwrap_or_else(|error| panic!("{command:?}: {error}"))
}

/// Runs a program that must succeed.
pub fn done(command: &mut Command) -> String {
    let output = run(command);
    let text = said(&output);
    assert!(output.status.success(), "{command:?}:\n{text}");
    text
}

/// All that it said.
pub fn said(output: &Output) -> String {
    let (out, err) = (&output.stdout, &output.stderr);
    String::from_utf8_lossy(out).into_owned() + &String::from_utf8_lossy(err)
}
