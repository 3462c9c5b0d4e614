//! Makes typed modules of the instances that [`hierarchy`](super::hierarchy) found; equal instances
//! share a module.

use super::hierarchy::{readable, Field, Instance};
use super::infer::parse_literal;
use super::scope::{Scope, Symbol};
use super::statements::read_bits;
use super::widgets::Widgets;
use crate::error::{Error, Warning};
use crate::graph::ones;
use crate::hdl::{AtomKind, Verilog};
use crate::ir::{Body, Child, Module, Net, NetId, NetKind};
use crate::primitive::{declared, instead, Declared};
use crate::About;
use num_bigint::BigUint;
use std::collections::HashMap;
use std::rc::Rc;

/// What to write instead of an `InOut`.
const BIDIRECTIONAL: &str =
    "make it an input, an output and an enable, and leave the buffer of the pad outside";

/// Types blocks, sharing equal modules.
#[derive(Default)]
pub(super) struct Typer {
    known: HashMap<Module, Rc<Module>>,
    pub warnings: Vec<Warning>,
}

impl Typer {
    /// Types an instance and everything below it.
    pub fn module(&mut self, instance: &Instance, path: &str) -> Result<Rc<Module>, Error> {
        let unsupported = |what: String, instead: &str| Error::Unsupported {
            block: path.into(),
            what,
            instead: instead.into(),
        };
        let pads = |field: &&Field| field.kind == AtomKind::InOutParameter;
        if let Some(pad) = instance.fields.iter().find(pads) {
            return Err(unsupported(
                format!("the bidirectional '{}'", readable(&pad.name)),
                BIDIRECTIONAL,
            ));
        }
        let statements = match &instance.hdl {
            Verilog::Combinatorial(statements) => statements,
            Verilog::Custom(_) | Verilog::Empty => {
                return Err(unsupported(
                    "a block without #[hdl_gen]".into(),
                    "put #[hdl_gen] on its update(), or make it a Reg or a Ram",
                ))
            }
            Verilog::Blackbox(_) | Verilog::Wrapper(_) => {
                return Err(unsupported(
                    "foreign Verilog".into(),
                    "it cannot be simulated; instantiate it outside the exported top",
                ))
            }
        };
        let mut scope = Scope {
            path: path.into(),
            module: Module::default(),
            names: HashMap::new(),
            loops: vec![],
            depth: 0,
            widgets: Widgets::default(),
        };
        for field in &instance.fields {
            scope.declare(field)?;
        }
        for child in &instance.children {
            if let Some(about) = About::from_hdl(&child.hdl) {
                scope.module.about = Some(about);
                continue;
            }
            self.child(child, &mut scope)?;
        }
        let mut body = scope.statements(statements)?;
        body.extend(scope.widgets.ties());
        scope.module.body = body;
        scope.widgets.one_clock_each(&scope.module, path)?;
        let mut module = scope.module;
        self.warn_unread(&module, path);
        let base = instance.name.split('$').next().unwrap_or(&instance.name);
        let name = module
            .about
            .as_ref()
            .map_or_else(|| base.to_string(), About::module_name);
        // Blocks that do not say who they are share a module whatever their
        // instances are called.
        if module.about.is_some() {
            module.name = name.clone();
        }
        let shared = self.known.entry(module.clone()).or_insert_with(|| {
            module.name = name;
            Rc::new(module)
        });
        Ok(shared.clone())
    }

    fn child(&mut self, child: &Instance, scope: &mut Scope) -> Result<(), Error> {
        let name = readable(&child.name);
        let path = if scope.path.is_empty() {
            name.clone()
        } else {
            format!("{}.{name}", scope.path)
        };
        let mut ports = vec![];
        for field in &child.fields {
            scope.variants(field)?;
            let kind = match field.kind {
                AtomKind::InputParameter => NetKind::ChildInput,
                AtomKind::OutputParameter => NetKind::ChildOutput,
                AtomKind::LocalSignal | AtomKind::Constant => continue,
                AtomKind::InOutParameter => {
                    return Err(Error::Unsupported {
                        block: path,
                        what: format!("the bidirectional '{}'", readable(&field.name)),
                        instead: BIDIRECTIONAL.into(),
                    })
                }
                other => {
                    return Err(Error::Unsupported {
                        block: path,
                        what: format!("{other:?} '{}'", readable(&field.name)),
                        instead: "use In, Out, Local and Constant".into(),
                    })
                }
            };
            let canonical = format!("{}${}", child.name, field.name);
            let id = scope.net(&canonical, field, kind)?;
            ports.push((readable(&field.name), id));
        }
        let body = match &child.hdl {
            Verilog::Custom(text) => {
                let body = primitive(text, child, &path)?;
                scope.widget_ports(&name, &body, &mut ports);
                body
            }
            _ => Body::Module(self.module(child, &path)?),
        };
        scope.module.children.push(Child { name, ports, body });
        Ok(())
    }

    fn warn_unread(&mut self, module: &Module, path: &str) {
        let read = read_bits(module);
        for (id, net) in module.ids() {
            let meant = module
                .about
                .as_ref()
                .is_some_and(|a| a.unused.contains(&net.name));
            let readable_kind = matches!(
                net.kind,
                NetKind::Input | NetKind::Local | NetKind::ChildOutput
            );
            let unread = ones(net.width) ^ &read[id.index()];
            if meant || !readable_kind || unread.bits() == 0 {
                continue;
            }
            let bits = (read[id.index()].bits() > 0).then(|| ranges(&unread));
            self.warnings.push(Warning::Unread {
                block: path.into(),
                signal: net.name.clone(),
                bits,
            });
        }
    }
}

/// The set bits as `[7:4][0]`.
fn ranges(mask: &BigUint) -> String {
    let mut out = String::new();
    let mut high = mask.bits();
    while high > 0 {
        if !mask.bit(high - 1) {
            high -= 1;
            continue;
        }
        let mut low = high - 1;
        while low > 0 && mask.bit(low - 1) {
            low -= 1;
        }
        out.push_str(&if low == high - 1 {
            format!("[{low}]")
        } else {
            format!("[{}:{low}]", high - 1)
        });
        high = low;
    }
    out
}

impl Scope {
    fn declare(&mut self, field: &Field) -> Result<(), Error> {
        self.variants(field)?;
        let kind = match field.kind {
            AtomKind::Constant => {
                self.refuse_type(field)?;
                let Some((_, value)) = parse_literal(&field.literal) else {
                    return self.unsupported(format!("constant '{}'", field.name), "use Bits");
                };
                let constant = Symbol::Const(field.width, value.clone());
                self.module
                    .constants
                    .push((readable(&field.name), field.width, value));
                self.names.insert(field.name.clone(), constant);
                return Ok(());
            }
            AtomKind::InputParameter => NetKind::Input,
            AtomKind::OutputParameter => NetKind::Output,
            AtomKind::LocalSignal => NetKind::Local,
            other => {
                return self.unsupported(
                    format!("{other:?} '{}'", readable(&field.name)),
                    "use In, Out, Local and Constant",
                )
            }
        };
        self.net(&field.name, field, kind)?;
        Ok(())
    }

    fn refuse_type(&self, field: &Field) -> Result<(), Error> {
        let name = readable(&field.name);
        if field.signed {
            return self.unsupported(
                format!("Signed '{name}'"),
                "the AST drops its width; use Bits",
            );
        }
        if field.width == 0 {
            return self.unsupported(format!("'{name}' of 0 bits"), "give it at least one bit");
        }
        Ok(())
    }

    fn net(&mut self, canonical: &str, field: &Field, kind: NetKind) -> Result<NetId, Error> {
        self.refuse_type(field)?;
        let id = NetId(self.module.nets.len() as u32);
        self.module.nets.push(Net {
            name: readable(canonical),
            width: field.width,
            kind,
            clock: field.clock,
            variants: field.variant_names.clone(),
        });
        if self
            .names
            .insert(canonical.into(), Symbol::Net(id))
            .is_some()
        {
            return self.unsupported(
                format!("two things called '{}'", readable(canonical)),
                "rename one of them",
            );
        }
        Ok(id)
    }

    /// Brings the values of a field's enums into scope.
    fn variants(&mut self, field: &Field) -> Result<(), Error> {
        for (name, width, value) in &field.variants {
            match self
                .names
                .insert(name.clone(), Symbol::Const(*width, value.clone()))
            {
                None => {}
                Some(Symbol::Const(w, v)) if w == *width && v == *value => {}
                Some(_) => {
                    return self.unsupported(
                        format!("two meanings of '{}'", name.replace('$', "::")),
                        "give the enums different names",
                    )
                }
            }
        }
        Ok(())
    }
}

/// Checks the ports of a primitive.
fn primitive(text: &str, child: &Instance, path: &str) -> Result<Body, Error> {
    let unsupported = |what: String| Error::Unsupported {
        block: path.into(),
        what,
        instead: instead(text).into(),
    };
    let width_of = |port: &str| {
        let field = child.fields.iter().find(|f| f.name == port);
        field
            .map(|f| f.width)
            .ok_or_else(|| unsupported(format!("a primitive without port '{port}'")))
    };
    let same = |port: &str, expected: usize| match width_of(port)? {
        found if found == expected => Ok(()),
        found => Err(Error::Width {
            block: path.into(),
            what: format!("port '{port}'"),
            expected,
            found,
        }),
    };
    let ports = |names: &[&str]| -> Result<(), Error> {
        match child
            .fields
            .iter()
            .find(|f| f.kind.is_parameter() && !names.contains(&f.name.as_str()))
        {
            Some(extra) => Err(unsupported(format!(
                "a primitive with port '{}'",
                extra.name
            ))),
            None => Ok(()),
        }
    };
    match declared(text) {
        Some(Declared::Reg {
            init,
            clock,
            resets,
        }) => {
            let width = width_of("q")?;
            same("d", width)?;
            same(clock, 1)?;
            if resets {
                same("reset", 1)?;
                ports(&[clock, "reset", "d", "q"])?;
            } else {
                ports(&[clock, "d", "q"])?;
            }
            if init.bits() as usize > width {
                return Err(Error::DoesNotFit {
                    block: path.into(),
                    value: init.to_string(),
                    width,
                });
            }
            Ok(Body::Reg { width, init })
        }
        Some(Declared::Ram { clocks }) => {
            let (width, address_width) = (width_of("read_data")?, width_of("read_address")?);
            same("write_data", width)?;
            same("write_address", address_width)?;
            same("write_enable", 1)?;
            clocks.iter().try_for_each(|clock| same(clock, 1))?;
            let data = [
                "read_address",
                "read_data",
                "write_enable",
                "write_address",
                "write_data",
            ];
            ports(&[clocks, &data].concat())?;
            Ok(Body::Ram {
                address_width,
                width,
            })
        }
        None => Err(unsupported("hand-written Verilog".into())),
    }
}
