//! Several units in one folder, under one namespace.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use cotenant_netlist::verilog::File;
use cotenant_units::table::{self, ParameterSet};
use serde::Serialize;

use super::design::{manifest, registers, Options};
use super::error::{Error, Result};
use super::manifest::{Manifest, KIND, MANIFEST, REGISTERS, SCHEMA};
use super::{assertions, packages};
use crate::registry::{visit, Unit, Visitor};
use crate::whole::Folder;

/// An export of several units.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct Together {
    /// Where it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub folder: Option<PathBuf>,
    /// [`SCHEMA`].
    pub schema: u32,
    /// The units; the sources of each are among those of all.
    pub units: Vec<Manifest>,
    /// Verilog files of all designs, each once, children before their parents.
    pub sources: Vec<String>,
    /// All files and folders of the folder.
    pub files: Vec<String>,
}

/// Exports units with their parameter sets, by name, into one folder: modules that several of them
/// have are there once; one file list, one core, one package.
///
/// # Errors
/// [`Error::Clash`] if two have different modules of one name, [`Error::Twice`], and whatever keeps
/// one of them from being exported.
pub fn export_together(
    units: &[(&str, &str)],
    folder: &Path,
    options: &Options,
) -> Result<Together> {
    let mut modules = Modules::default();
    let mut manifests: Vec<Manifest> = vec![];
    // Registers and assertions.
    let mut descriptions: Vec<(String, String)> = vec![];
    for &(unit, set) in units {
        let set = &table::set(unit, set).map_err(crate::Error::from)?;
        let (mut manifest, files) = visit(unit, Make { set, options })??;
        let label = format!("{unit} {}", manifest.set);
        let twice = |known: &Manifest| known.unit == manifest.unit && known.set == manifest.set;
        if manifests.iter().any(twice) {
            return Err(Error::Twice {
                unit: unit.into(),
                set: manifest.set,
            });
        }
        modules.add(&label, files)?;
        if manifest.loops {
            descriptions.extend(assertions::file(&manifest));
        }
        // A unit's registers are the same behind any bus, but not with any parameters.
        let own = format!("{REGISTERS}/{unit}_{}", manifest.set);
        descriptions.extend(registers(&mut manifest, &own)?);
        manifests.push(manifest);
    }
    let name = name(folder);
    let sources: Vec<String> = modules.files.iter().map(|f| f.file_name.clone()).collect();
    let tops: Vec<String> = manifests.iter().map(|m| m.top.clone()).collect();
    let texts = [
        ("files.f".to_owned(), file_list(&tops, &sources)),
        (
            format!("{name}.core"),
            packages::core_of_several(&name, &tops, &sources),
        ),
        (
            "Bender.yml".into(),
            packages::bender_of_several(&name, &sources),
        ),
        ("README.md".into(), readme(&manifests)),
    ];
    let mut files = sources.clone();
    files.extend(texts.iter().map(|(name, _)| name.clone()));
    let apart = descriptions.iter().map(|(name, _)| name);
    let (inside, beside): (Vec<&String>, Vec<&String>) = apart.partition(|n| n.contains('/'));
    files.extend(beside.into_iter().cloned());
    if !inside.is_empty() {
        files.push(REGISTERS.into());
    }
    files.push(MANIFEST.into());
    let mut together = Together {
        folder: None,
        schema: SCHEMA,
        units: manifests,
        sources,
        files,
    };
    let json = serde_json::to_string_pretty(&together)
        .map_err(|error| Error::io("write", MANIFEST)(error.into()))?;

    let place = Folder::new(folder, KIND)?;
    for File {
        file_name, text, ..
    } in &modules.files
    {
        place.write(file_name, text)?;
    }
    for (file, text) in texts.into_iter().chain(descriptions) {
        place.write(&file, &text)?;
    }
    place.write(MANIFEST, &(json + "\n"))?;
    together.folder = Some(place.finish()?);
    Ok(together)
}

/// The modules of all designs.
#[derive(Default)]
struct Modules {
    files: Vec<File>,
    /// Where each is from.
    labels: Vec<String>,
}

impl Modules {
    fn add(&mut self, label: &str, files: Vec<File>) -> Result<()> {
        for file in files {
            // Names that differ in case only are one on some systems.
            let same = |known: &File| known.file_name.eq_ignore_ascii_case(&file.file_name);
            match self.files.iter().position(same) {
                None => {
                    self.files.push(file);
                    self.labels.push(label.into());
                }
                Some(at) if self.files[at] == file => {}
                Some(at) => {
                    return Err(Error::Clash {
                        file: file.file_name,
                        first: self.labels[at].clone(),
                        second: label.into(),
                    })
                }
            }
        }
        Ok(())
    }
}

struct Make<'a> {
    set: &'a ParameterSet,
    options: &'a Options,
}

impl Visitor for Make<'_> {
    type Output = Result<(Manifest, Vec<File>)>;

    fn visit<U: Unit>(self) -> Self::Output {
        let netlist = U::netlist(self.set)?;
        let (made, design) = self.options.design(&netlist, true)?;
        let manifest = manifest::<U>(self.set, &made, &design, self.options)?;
        Ok((manifest, design.modules))
    }
}

/// The folder's name as one of a package.
fn name(folder: &Path) -> String {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let name = name.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
    match name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        true => name,
        false => format!("cotenant_{name}"),
    }
}

fn file_list(tops: &[String], sources: &[String]) -> String {
    let mut out = format!(
        "// Designs {}; children before their parents.\n",
        tops.join(", ")
    );
    for file in sources {
        out.push_str(file);
        out.push('\n');
    }
    out
}

fn readme(manifests: &[Manifest]) -> String {
    let mut out = format!(
        "# {} units\n\nVerilog-2005, made by cotenant {}; do not edit, export again. Modules that \
         several units have are there once. `files.f` lists all of them, `export.json` holds the \
         same and the ports for programs.\nLicence: MIT OR Apache-2.0.\n\n\
         | unit | parameter set | top module | netlist |\n|---|---|---|---|\n",
        manifests.len(),
        env!("CARGO_PKG_VERSION")
    );
    for Manifest {
        unit,
        set,
        top,
        netlist,
        ..
    } in manifests
    {
        let _ = writeln!(out, "| {unit} | {set} | `{top}` | {netlist} |");
    }
    out
}

#[cfg(test)]
mod tests {
    //! Rationale: two modules of one name are one module to every tool, so an export in which they
    //! differ must fail; the same module twice is no problem.
    use super::*;

    #[test]
    fn modules_of_one_name_have_one_content() {
        let file = |text: &str| File {
            name: "count6".into(),
            file_name: "count6.v".into(),
            text: text.into(),
        };
        let mut modules = Modules::default();
        modules.add("gdcu 16x4x21", vec![file("a")]).unwrap();
        modules.add("plob 4x21", vec![file("a")]).unwrap();
        assert_eq!(modules.files.len(), 1);
        let error = modules.add("popcnt 16", vec![file("b")]).unwrap_err();
        let text = error.to_string();
        assert!(
            text.contains("gdcu 16x4x21 and popcnt 16") && text.contains("'count6.v'"),
            "{text}"
        );
    }

    #[test]
    fn a_package_has_the_name_of_its_folder() {
        assert_eq!(name(Path::new("out/soc")), "soc");
        assert_eq!(name(Path::new("my-soc.1")), "my_soc_1");
        assert_eq!(name(Path::new("2nd")), "cotenant_2nd");
    }
}
