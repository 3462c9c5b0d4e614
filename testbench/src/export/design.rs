//! Exports a unit.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use cotenant_golden::rules::verilog::Expression;
use cotenant_netlist::fault::find;
use cotenant_netlist::vectors::Header;
use cotenant_netlist::verilog::{self, Design, Direction, Reset};
use cotenant_netlist::{Netlist, WithoutError};
use cotenant_units::bus;
use cotenant_units::table::{self, ParameterSet};
use serde::Serialize;

use super::error::{Error, Result};
use super::manifest::{AssumptionEntry, Manifest, PortEntry, KIND, MANIFEST, REGISTERS, SCHEMA};
use super::vectors;
use super::{assertions, ipxact, packages, text};
use crate::export::registers;
use crate::verify::interface::Port;
use crate::verify::lockstep::Flow;
use crate::verify::stimulus::Drive;
use crate::verify::vectors::{header, Vectors};
use crate::whole::Folder;

/// What to export beside the Verilog of the design.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// Testbenches for Icarus and Verilator that play these vectors.
    pub testbench: Option<Vectors>,
    /// The fault that the Verilog has, as reports word it: a check that is worth something sees it.
    /// Vectors are those of the unit without it.
    pub fault: Option<String>,
    /// Instances of the top block that are left out, with commas between; what they put out are
    /// inputs. Has no testbench.
    pub without: Option<String>,
    /// Put before the names of all modules. Modules that designs share are then the same files.
    pub prefix: String,
    /// Each register of an array has a name of its own, for programs that look for registers by
    /// name. Otherwise loops and arrays of the source are kept, RAMs are instances of one module,
    /// and assertions of legal inputs stand beside.
    pub unrolled: bool,
    /// How flops are reset.
    pub reset: Reset,
}

/// The netlist without instances of the top block, with commas between.
///
/// # Errors
/// [`WithoutError`] for the first that is not there.
pub fn without(netlist: &Netlist, instances: &str) -> std::result::Result<Netlist, WithoutError> {
    let mut instances = instances.split(',');
    instances.try_fold(netlist.clone(), |rest, instance| rest.without(instance))
}

/// Put before the names of modules, unless something else is wanted.
pub const PREFIX: &str = "cotenant_";
/// The units' license, which their files name.
pub(super) const LICENSE: &str = env!("CARGO_PKG_LICENSE");

impl Default for Options {
    fn default() -> Self {
        Self {
            testbench: None,
            fault: None,
            without: None,
            prefix: PREFIX.into(),
            unrolled: false,
            reset: Reset::default(),
        }
    }
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

    /// With a prefix of all modules.
    #[must_use]
    pub fn with_prefix(mut self, prefix: &str) -> Self {
        self.prefix = prefix.into();
        self
    }

    /// With loops and arrays unrolled, and no prefix.
    #[must_use]
    pub fn unrolled(mut self) -> Self {
        self.unrolled = true;
        self.prefix = String::new();
        self
    }

    /// With another reset.
    #[must_use]
    pub fn with_reset(mut self, asynchronous: bool, active_low: bool) -> Self {
        self.reset.asynchronous = asynchronous;
        self.reset.active_low = active_low;
        self
    }

    /// Loops are loops in the Verilog: not in that of a unit with a fault, which is flat.
    fn loops(&self) -> bool {
        !self.unrolled && self.fault.is_none()
    }

    /// What the Verilog is of, and the Verilog; with `shared`, of modules that other designs have
    /// the same files of.
    pub(super) fn design(&self, netlist: &Netlist, shared: bool) -> Result<(Netlist, Design)> {
        let mut options = verilog::Options::default();
        options.prefix = self.prefix.clone();
        options.shared = shared || !self.prefix.is_empty();
        options.readable = self.loops();
        options.reset = self.reset;
        options.license = Some(LICENSE.into());
        let whole = match &self.without {
            Some(instances) => without(netlist, instances)?,
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
    let (made, design) = options.design(&netlist, false)?;
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

pub(super) fn manifest<U: Drive>(
    set: &ParameterSet,
    netlist: &Netlist,
    design: &Design,
    options: &Options,
) -> Result<Manifest> {
    let params = U::params(set)?;
    let known = [U::inputs(&params), U::outputs(&params)].concat();
    let legal = |called: &dyn Fn(&str) -> String| U::legal(&params, called);
    manifest_of(U::NAME, (&known, &legal), set, netlist, design, options)
}

/// Legal inputs over ports that are called so.
type Legal<'a> = dyn Fn(&dyn Fn(&str) -> String) -> Vec<Expression> + 'a;

/// Of a unit with these ports and legal inputs.
fn manifest_of(
    unit: &'static str,
    (known, legal): (&[Port], &Legal<'_>),
    set: &ParameterSet,
    netlist: &Netlist,
    design: &Design,
    options: &Options,
) -> Result<Manifest> {
    let ports = design.ports.iter().map(|port| {
        let known = known.iter().find(|known| known.name == port.name);
        let elements = match known {
            _ if port.clock => 1,
            // A port of what was left out.
            None if options.without.is_some() => 1,
            Some(known) => known.elements,
            None => {
                return Err(Error::Port {
                    unit,
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
            active_low: port.active_low,
            constant: constant.map(|value| format!("{value:x}")),
        })
    });
    let called = |port: &str| {
        let found = design.ports.iter().find(|known| known.name == port);
        found.map_or(port, |port| &port.verilog).to_owned()
    };
    let assumptions = legal(&called).into_iter();
    let assumptions = assumptions.map(|rule| AssumptionEntry {
        name: rule.name.into(),
        text: rule.text.into(),
        verilog: rule.verilog,
    });
    Ok(Manifest {
        schema: SCHEMA,
        unit: unit.into(),
        set: set.name.into(),
        aliases: set.aliases.iter().map(|&alias| alias.into()).collect(),
        parameters: stated(unit, set)?,
        top: design.top.clone(),
        netlist: netlist.digest(),
        fault: options.fault.clone(),
        without: options.without.clone(),
        loops: options.loops(),
        asynchronous: design.asynchronous,
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
    if manifest.loops {
        texts.extend(assertions::file(manifest));
    }
    let registers = registers(manifest, REGISTERS)?;
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

/// The description of the unit's registers, if it is behind a bus, in a folder of the export; adds
/// it to the manifest.
pub(super) fn registers(manifest: &mut Manifest, folder: &str) -> Result<Vec<(String, String)>> {
    let set = table::set(&manifest.unit, &manifest.set).map_err(crate::Error::from)?;
    let Some(map) = bus::registers(&manifest.unit, &set) else {
        return Ok(vec![]);
    };
    let map = map.map_err(crate::Error::from)?;
    let mut files = Vec::from(registers::files(&map));
    let component = ipxact::component(manifest, &map, folder.split('/').count());
    files.extend(component.map(|text| (format!("{}.xml", manifest.top), text)));
    let files = files.into_iter().map(|(name, text)| {
        let path = format!("{folder}/{name}");
        manifest.registers.push(path.clone());
        (path, text)
    });
    Ok(files.collect())
}
