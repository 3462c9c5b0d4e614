//! Programs that scripts/setup installs.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The program of this name, from the repository's Python environment or from PATH.
pub fn tool(name: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let places = [root.join("target/venv/bin")]
        .into_iter()
        .chain(std::env::split_paths(&path));
    let found = places
        .map(|folder| folder.join(name))
        .find(|path| path.is_file());
    found.unwrap_or_else(|| panic!("no {name}: run scripts/setup"))
}

/// Runs a program in `folder`.
pub fn run(name: &str, arguments: &[&str], folder: &Path) -> Output {
    let output = Command::new(tool(name))
        .args(arguments)
        .current_dir(folder)
        .output();
    output.unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// What it wrote, to both streams.
pub fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}
