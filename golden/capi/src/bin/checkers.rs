//! Writes the SystemVerilog package and checkers into a folder.

use std::path::Path;
use std::process::ExitCode;

use cotenant_capi::checker::{checker, PACKAGE};
use cotenant_golden::dynamic;

const USAGE: &str = "usage: cotenant-checkers FOLDER [UNIT[=PARAMETERS]]..
Writes cotenant_pkg.sv and cotenant_check_UNIT.sv of each unit, of all without one.
PARAMETERS are the defaults of the module's parameters: gdcu=16x4x21, milg=COUNT_W=7,...";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match &arguments[..] {
        [first, ..] if first == "-h" || first == "--help" => {
            println!("{USAGE}");
            ExitCode::SUCCESS
        }
        [folder, units @ ..] if !folder.starts_with('-') => match write(Path::new(folder), units) {
            Ok(()) => ExitCode::SUCCESS,
            Err(problem) => {
                eprintln!("cotenant-checkers: {problem}");
                ExitCode::from(2)
            }
        },
        _ => {
            eprintln!("{USAGE}");
            ExitCode::from(2)
        }
    }
}

fn write(folder: &Path, wanted: &[String]) -> Result<(), String> {
    let mut files = vec![("cotenant_pkg.sv".to_string(), PACKAGE.to_string())];
    let all = dynamic::units().iter().map(|unit| unit.name().to_string());
    let wanted = match wanted {
        [] => all.collect(),
        wanted => wanted.to_vec(),
    };
    for text in wanted {
        let (name, parameters) = match text.split_once('=') {
            Some((name, parameters)) => (name, Some(parameters)),
            None => (&text[..], None),
        };
        let unit = dynamic::unit(name).map_err(|error| error.to_string())?;
        let parameters = parameters.unwrap_or(unit.platform());
        let module = checker(unit, parameters).map_err(|error| error.to_string())?;
        files.push((format!("cotenant_check_{name}.sv"), module));
    }
    let told = |path: &Path, error: std::io::Error| format!("{}: {error}", path.display());
    std::fs::create_dir_all(folder).map_err(|error| told(folder, error))?;
    for (name, text) in files {
        let path = folder.join(name);
        std::fs::write(&path, text).map_err(|error| told(&path, error))?;
    }
    Ok(())
}
