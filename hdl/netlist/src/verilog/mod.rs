//! Verilog-2005 of a netlist's module hierarchy.
//!
//! One module for each distinct block and parameter set, one file for each
//! module, named signals, comments kept. What is exported is the typed form
//! that the simulators run, not the optimised graph; [`blif`](crate::blif)
//! writes the graph, and proving the two equal closes the circle.
//!
//! Conventions of the text: no `initial` but for flops without reset, no waiver pragmas but for the attribute of RAMs, no X in reach:
//! every bit is assigned on every path, indices stay inside, clocks are never
//! data. Names are those of the Rust fields with `_` for `.` and subscripts;
//! words that Verilog, SystemVerilog or C++ reserve get a `_` at the end.
//! Equal input gives equal bytes.

mod bench;
mod circles;
mod code;
mod constants;
mod files;
mod flat;
mod flow;
mod header;
mod hoist;
mod layout;
mod module;
mod names;
mod paths;
mod print;
mod ram;
mod reserved;
mod rolled;
mod style;
mod symbolic;
mod unread;
mod value;

pub use bench::{testbench, verilator_main, BenchError};
pub use flat::flat;

use crate::ir::{Module, NetKind};
use crate::Netlist;
use module::{port_names, Place, Text};
use names::Scope;
use std::collections::HashMap;
use std::path::PathBuf;
use std::rc::Rc;
use style::Style;

/// How to export.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// Name of the top module in place of the block's own.
    pub top: Option<String>,
    /// Put before the name of every other module, against clashes with
    /// modules of the surrounding design.
    pub prefix: String,
    /// For designs that are compiled together: the prefix goes before the top
    /// module's name, too, and the header of a module says nothing of the
    /// design that it is exported with, so that designs which share a module
    /// have the same file of it.
    pub shared: bool,
    /// Loops and arrays of the source are loops and arrays, and RAMs are instances of one module. A
    /// loop reads array elements in `always @*`, of which Icarus warns with `-Wall`.
    pub readable: bool,
    /// How flops are reset.
    pub reset: Reset,
    /// What follows `SPDX-License-Identifier:` in the files' headers, such as `"Apache-2.0"`: the
    /// license of the block that is exported. Without one there is no such line.
    pub license: Option<String>,
}

/// How the flops of an exported design are reset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reset {
    /// At once, and not at the next rising edge of the clock as the netlist's.
    pub asynchronous: bool,
    /// While the top module's port `reset_n` is low, which stands in place of `reset`.
    pub active_low: bool,
}

/// Why an export fails.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A module name from the options that Verilog does not allow.
    #[error(
        "'{name}' cannot be a Verilog module's name: use letters, digits and '_', no reserved word"
    )]
    Name {
        /// The name.
        name: String,
    },
    /// A file that cannot be written.
    #[error("{}: {source}", .path.display())]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
}

/// Direction of a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Into the block.
    Input,
    /// Out of the block.
    Output,
}

/// A port of the top module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Port {
    /// Name of the Rust field.
    pub name: String,
    /// Name in Verilog.
    pub verilog: String,
    /// Width in bits.
    pub width: usize,
    /// Direction.
    pub direction: Direction,
    /// It is a clock.
    pub clock: bool,
    /// It is 0 where the block's own is 1.
    pub active_low: bool,
}

/// A flop or RAM of the design.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// Hierarchical name in the netlist: `matrix.count[3][2]`.
    pub name: String,
    /// Hierarchical path below the top module: `matrix.count_3_2`. A RAM's
    /// is that of its array of words.
    pub path: String,
    /// The same with the words of an array counted through, as Yosys names the flops that it makes
    /// of them: `count[1][0]` of two words in each of two rows is `count[2]`.
    pub flat: String,
    /// Path of a RAM's read data register.
    pub read_data: Option<String>,
}

/// A file of one module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Name of the module.
    pub name: String,
    /// Name of the file: the module's with `.v`.
    pub file_name: String,
    /// Contents.
    pub text: String,
}

/// An exported design.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Design {
    /// One file per module, children before their parents.
    pub modules: Vec<File>,
    /// Name of the top module.
    pub top: String,
    /// Ports of the top module, in order.
    pub ports: Vec<Port>,
    /// Flops and RAMs, in the order of [`Netlist::regs`] and [`Netlist::rams`].
    pub regs: Vec<State>,
    /// Flops are reset at once, and not at the clock's edge.
    pub asynchronous: bool,
    /// The license that files name.
    pub license: Option<String>,
}

/// Exports a netlist.
///
/// # Errors
/// [`Error::Name`] if the options hold an impossible name.
pub fn export(netlist: &Netlist, options: &Options) -> Result<Design, Error> {
    let head = header::Header {
        digest: (!options.shared).then(|| netlist.digest()),
        license: options.license.clone(),
    };
    Exporter {
        options,
        head,
        scope: Scope::default(),
        ram: String::new(),
        known: vec![],
        files: vec![],
    }
    .design(netlist.module())
}

/// Exports a block's typed form alone: what [`export`] does, without the
/// netlist's digest.
///
/// # Errors
/// [`Error::Name`] if the options hold an impossible name.
pub fn export_module(module: &Module, options: &Options) -> Result<Design, Error> {
    let head = header::Header {
        digest: None,
        license: options.license.clone(),
    };
    Exporter {
        options,
        head,
        scope: Scope::default(),
        ram: String::new(),
        known: vec![],
        files: vec![],
    }
    .design(module)
}

/// Whether a RAM is in it, at any depth.
fn has_ram(module: &Module) -> bool {
    module.children.iter().any(|child| match &child.body {
        crate::ir::Body::Module(inner) => has_ram(inner),
        body => matches!(body, crate::ir::Body::Ram { .. }),
    })
}

struct Exported {
    module: Rc<Module>,
    name: String,
    text: Text,
}

struct Exporter<'a> {
    options: &'a Options,
    head: header::Header,
    scope: Scope,
    /// The module of RAMs.
    ram: String,
    known: Vec<Exported>,
    files: Vec<File>,
}

impl Exporter<'_> {
    fn design(mut self, top: &Module) -> Result<Design, Error> {
        let allowed = |name: &str| {
            name == names::identifier(name) && Scope::default().claim_module(name) == name
        };
        let refused = |name: &str| Error::Name { name: name.into() };
        // A prefix may end in `_`, and only starts a name.
        let prefixed = format!("{}x", self.options.prefix);
        if !allowed(&prefixed) {
            return Err(refused(&self.options.prefix));
        }
        // The top module's name has precedence over those of its children.
        let prefix = match self.options.shared {
            true => self.options.prefix.as_str(),
            false => "",
        };
        let name = match &self.options.top {
            Some(name) if !allowed(name) => return Err(refused(name)),
            Some(name) => self.scope.claim_module(&format!("{prefix}{name}")),
            None => self.scope.claim_module(&format!("{prefix}{}", top.name)),
        };
        let top = Rc::new(top.clone());
        if self.options.readable && has_ram(&top) {
            self.ram = self
                .scope
                .claim_module(&format!("{}ram_1r1w", self.options.prefix));
            self.files.push(File {
                name: self.ram.clone(),
                file_name: format!("{}.v", self.ram),
                text: ram::ram_module(&self.ram, self.options.license.as_deref()),
            });
        }
        self.module(&top, Some(name.clone()));

        let (mut ports, mut scope) = port_names(&top, &name);
        let low = self.style(true).reset_low(&top, &mut ports, &mut scope);
        let low = low.map(|reset| reset.net);
        let ports = ports
            .into_iter()
            .map(|(id, verilog)| {
                let net = top.net(id);
                let direction = match net.kind {
                    NetKind::Input => Direction::Input,
                    _ => Direction::Output,
                };
                Port {
                    name: net.name.clone(),
                    verilog,
                    width: net.width,
                    direction,
                    clock: net.clock,
                    active_low: low == Some(id),
                }
            })
            .collect();
        let (mut flops, mut rams) = (vec![], vec![]);
        self.state(&top, "", "", &mut flops, &mut rams);
        flops.append(&mut rams);
        Ok(Design {
            license: self.options.license.clone(),
            modules: self.files,
            top: name,
            ports,
            regs: flops,
            asynchronous: self.options.reset.asynchronous,
        })
    }

    fn style(&self, top: bool) -> Style<'_> {
        let Reset {
            asynchronous,
            active_low,
        } = self.options.reset;
        Style {
            head: &self.head,
            asynchronous,
            active_low: active_low && top,
            ram: &self.ram,
        }
    }

    /// Exports a module and what it instantiates; returns its place.
    fn module(&mut self, module: &Rc<Module>, name: Option<String>) -> usize {
        let same = |e: &Exported| Rc::ptr_eq(&e.module, module) || e.module == *module;
        if let Some(at) = self.known.iter().position(same) {
            return at;
        }
        let top = name.is_some();
        for child in &module.children {
            if let crate::ir::Body::Module(inner) = &child.body {
                self.module(inner, None);
            }
        }
        let name = name.unwrap_or_else(|| {
            self.scope
                .claim_module(&format!("{}{}", self.options.prefix, module.name))
        });
        let names: HashMap<*const Module, String> = self
            .known
            .iter()
            .map(|e| (Rc::as_ptr(&e.module), e.name.clone()))
            .collect();
        let print = match self.options.readable {
            true => rolled::print,
            false => module::print,
        };
        let text = print(module, &name, &self.style(top), &|instance| {
            let known = names.get(&Rc::as_ptr(&instance.module));
            let equal = || self.known.iter().find(|e| e.module == instance.module);
            known
                .cloned()
                .or_else(|| equal().map(|e| e.name.clone()))
                .unwrap_or_default()
        });
        self.files.push(File {
            file_name: format!("{name}.v"),
            name: name.clone(),
            text: text.body.clone(),
        });
        self.known.push(Exported {
            module: module.clone(),
            name,
            text,
        });
        self.known.len() - 1
    }

    /// Notes flops and RAMs in the order in which elaboration meets them.
    fn state(
        &self,
        module: &Rc<Module>,
        rust: &str,
        verilog: &str,
        flops: &mut Vec<State>,
        rams: &mut Vec<State>,
    ) {
        let Some(exported) = self.known.iter().find(|e| e.module == *module) else {
            return;
        };
        let instance = |name: &str| {
            let instances = exported.text.instances.iter();
            let mut found = instances.filter(|(rust, _)| rust == name);
            found.next().map(|(_, v)| v.clone()).unwrap_or_default()
        };
        let place = |name: &str| {
            let mut found = exported.text.state.iter().filter(|(rust, _)| rust == name);
            let Place { path, flat } = found.next().map(|(_, v)| v.clone()).unwrap_or_default();
            (format!("{verilog}{path}"), format!("{verilog}{flat}"))
        };
        for child in &module.children {
            let name = format!("{rust}{}", child.name);
            match &child.body {
                crate::ir::Body::Module(inner) => {
                    let path = format!("{verilog}{}.", instance(&child.name));
                    self.state(inner, &format!("{name}."), &path, flops, rams);
                }
                body => {
                    let (path, flat) = place(&child.name);
                    if let crate::ir::Body::Ram { .. } = body {
                        let port = format!("{}.read_data", child.name);
                        let (data, _) = place(&port);
                        rams.push(State {
                            name,
                            path,
                            flat,
                            read_data: Some(data),
                        });
                    } else {
                        flops.push(State {
                            name,
                            path,
                            flat,
                            read_data: None,
                        });
                    }
                }
            }
        }
    }
}
