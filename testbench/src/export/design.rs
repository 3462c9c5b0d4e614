//! Exports a unit.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use cotenant_netlist::fault::find;
use cotenant_netlist::vectors::Header;
use cotenant_netlist::verilog::{self, Design, Direction};
use cotenant_netlist::Netlist;
use cotenant_units::bus;
use cotenant_units::table::{self, ParameterSet};
use serde::Serialize;

use super::error::{Error, Result};
use super::manifest::{AssumptionEntry, Manifest, PortEntry, KIND, MANIFEST, REGISTERS, SCHEMA};
use super::vectors;
use super::{packages, text};
use crate::export::registers;
use crate::verify::lockstep::Flow;
use crate::verify::stimulus::Drive;
use crate::verify::vectors::{header, Vectors};
use crate::whole::Folder;

/// What to export beside the Verilog of the design.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// Testbenches for Icarus and Verilator that play these vectors.
    pub testbench: Option<Vectors>,
    /// The fault that the Verilog has, as reports word it: a check that is worth something sees it.
    /// Vectors are those of the unit without it.
    pub fault: Option<String>,
    /// An instance of the top block that is left out; what it put out are inputs. Has no testbench.
    pub without: Option<String>,
}

impl Options {
    /// With testbenches.
    #[must_use]
    pub fn with_testbench(mut self, vectors: Vectors) -> Self {
        self.testbench = Some(vectors);
        self
    }

    /// Verilog of the unit with a fault.
    #[must_use]
    pub fn with_fault(mut self, fault: &str) -> Self {
        self.fault = Some(fault.into());
        self
    }

    /// What the Verilog is of, and the Verilog.
    fn design(&self, netlist: &Netlist) -> Result<(Netlist, Design)> {
        let options = verilog::Options::default();
        let whole = match &self.without {
            Some(instance) => netlist.without(instance)?,
            None => netlist.clone(),
        };
        let Some(words) = &self.fault else {
            let design = verilog::export(&whole, &options)?;
            return Ok((whole, design));
        };
        let faulty = whole.with_fault(&find(&whole, words)?)?;
        let design = verilog::flat(&faulty, &options, &format!("FAULT: {words}."))?;
        Ok((faulty, design))
    }
}

/// An exported unit.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct Exported {
    /// Where it is.
    pub folder: PathBuf,
    /// What it consists of.
    #[serde(flatten)]
    pub manifest: Manifest,
    /// What the Verilog was made from.
    #[serde(skip)]
    pub netlist: Netlist,
    /// The Verilog.
    #[serde(skip)]
    pub design: Design,
}

/// Exports a unit with a parameter set into `folder`, instead of the export that may be there.
///
/// The folder appears when all is written; if anything fails, what was there stays.
///
/// # Errors
/// [`Error::Mismatch`] if there are vectors to make and netlist and golden model differ on them,
/// [`Error::Place`] if the folder holds anything that no export wrote, and whatever keeps the
/// unit from being built, exported or written.
pub fn export<U: Drive>(set: &ParameterSet, folder: &Path, options: &Options) -> Result<Exported> {
    export_watched::<U>(set, folder, options, &mut |_| Flow::Continue)
}

/// [`export`], telling `watch` from time to time how many cycles of vectors are written.
///
/// # Errors
/// As [`export`]; [`Error::Interrupted`] if `watch` says so.
pub fn export_watched<U: Drive>(
    set: &ParameterSet,
    folder: &Path,
    options: &Options,
    watch: &mut dyn FnMut(u64) -> Flow,
) -> Result<Exported> {
    if let Some(vectors) = &options.testbench {
        vectors.check()?;
    }
    let folder = Folder::new(folder, KIND)?;
    let netlist = U::netlist(set)?;
    let (made, design) = options.design(&netlist)?;
    design.write_to(folder.path())?;
    let mut manifest = manifest::<U>(set, &made, &design, options)?;
    let mut columns = None;
    if let Some(vectors) = &options.testbench {
        let header = header::<U>(set, vectors)?;
        let path = folder.path().join(format!("{}.vec", design.top));
        let entry = vectors::write::<U>(set, &netlist, &header, &path, vectors, watch)?;
        manifest.vectors = Some(entry);
        columns = Some(header);
    }
    // Testbenches are those of the unit without the fault.
    let texts = texts(&netlist, &design, columns.as_ref(), &mut manifest)?;
    for (name, text) in texts {
        folder.write(&name, &text)?;
    }
    Ok(Exported {
        folder: folder.finish()?,
        manifest,
        netlist: made,
        design,
    })
}

fn manifest<U: Drive>(
    set: &ParameterSet,
    netlist: &Netlist,
    design: &Design,
    options: &Options,
) -> Result<Manifest> {
    let params = U::params(set)?;
    let known = [U::inputs(&params), U::outputs(&params)].concat();
    let ports = design.ports.iter().map(|port| {
        let known = known.iter().find(|known| known.name == port.name);
        let elements = match known {
            _ if port.clock => 1,
            // A port of what was left out.
            None if options.without.is_some() => 1,
            Some(known) => known.elements,
            None => {
                return Err(Error::Port {
                    unit: U::NAME,
                    port: port.name.clone(),
                })
            }
        };
        let direction = match port.direction {
            Direction::Input => "input",
            Direction::Output => "output",
        };
        let shown = netlist.outputs.iter().find(|o| o.name == port.name);
        let constant = shown.and_then(|o| netlist.graph.value(o.node));
        Ok(PortEntry {
            name: port.name.clone(),
            verilog: port.verilog.clone(),
            direction: direction.into(),
            width: port.width,
            elements,
            clock: port.clock,
            constant: constant.map(|value| format!("{value:x}")),
        })
    });
    let called = |port: &str| {
        let found = design.ports.iter().find(|known| known.name == port);
        found.map_or(port, |port| &port.verilog).to_owned()
    };
    let assumptions = U::legal(&params, &called).into_iter();
    let assumptions = assumptions.map(|rule| AssumptionEntry {
        name: rule.name.into(),
        text: rule.text.into(),
        verilog: rule.verilog,
    });
    Ok(Manifest {
        schema: SCHEMA,
        unit: U::NAME.into(),
        set: set.name.into(),
        aliases: set.aliases.iter().map(|&alias| alias.into()).collect(),
        parameters: stated(U::NAME, set)?,
        top: design.top.clone(),
        netlist: netlist.digest(),
        fault: options.fault.clone(),
        without: options.without.clone(),
        ports: ports.collect::<Result<_>>()?,
        assumptions: assumptions.collect(),
        sources: design
            .modules
            .iter()
            .map(|module| module.file_name.clone())
            .collect(),
        registers: vec![],
        files: vec![],
        vectors: None,
    })
}

/// The parameters of a set but for choices that are not taken.
fn stated(unit: &str, set: &ParameterSet) -> Result<BTreeMap<String, usize>> {
    let definition = table::definition(unit).map_err(crate::Error::from)?;
    let values: Vec<usize> = set.values().collect();
    let default = |name: &str| {
        let mut parameters = definition.parameters.iter();
        let parameter = parameters.find(|parameter| parameter.name == name)?;
        parameter.default.map(|default| default(&values))
    };
    let pairs = set.params.iter();
    let stated = pairs.filter(|&&(name, value)| default(name) != Some(value));
    Ok(stated.map(|&(name, value)| (name.into(), value)).collect())
}

/// The files beside modules and vectors; completes the manifest's list.
fn texts(
    netlist: &Netlist,
    design: &Design,
    vectors: Option<&Header>,
    manifest: &mut Manifest,
) -> Result<Vec<(String, String)>> {
    let top = &design.top;
    let mut texts = vec![
        ("files.f".into(), text::file_list(manifest)),
        (format!("{top}.core"), packages::core(manifest)),
        ("Bender.yml".into(), packages::bender(manifest)),
    ];
    let mut files = manifest.sources.clone();
    if let Some(vectors) = vectors {
        texts.extend([
            (
                format!("{top}_tb.v"),
                verilog::testbench(netlist, design, vectors)?,
            ),
            (format!("{top}_waves.v"), text::waves(top)),
            (
                format!("{top}_main.cpp"),
                verilog::verilator_main(netlist, design, vectors)?,
            ),
            ("Makefile".into(), text::makefile(manifest)),
        ]);
        files.push(format!("{top}.vec"));
    }
    let registers = registers(manifest)?;
    texts.push(("README.md".into(), text::readme(manifest)));
    files.extend(texts.iter().map(|(name, _)| name.clone()));
    if !registers.is_empty() {
        files.push(REGISTERS.into());
    }
    texts.extend(registers);
    files.push(MANIFEST.into());
    manifest.files = files;
    let json = serde_json::to_string_pretty(manifest)
        .map_err(|error| Error::io("write", MANIFEST)(error.into()))?;
    texts.push((MANIFEST.into(), json + "\n"));
    Ok(texts)
}

/// The description of the unit's registers, if it is behind a bus; adds it to the manifest.
fn registers(manifest: &mut Manifest) -> Result<Vec<(String, String)>> {
    let set = table::set(&manifest.unit, &manifest.set).map_err(crate::Error::from)?;
    let Some(map) = bus::registers(&manifest.unit, &set) else {
        return Ok(vec![]);
    };
    let files = registers::files(&map.map_err(crate::Error::from)?).map(|(name, text)| {
        let path = format!("{REGISTERS}/{name}");
        manifest.registers.push(path.clone());
        (path, text)
    });
    Ok(files.into())
}
