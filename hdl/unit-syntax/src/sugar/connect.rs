//! Inputs of a part and outputs of the unit, connected as a struct is written.
//!
//! `self.part.next = Part { a: e, b, ..self };` connects the inputs `a` and `b`, and the others to
//! the unit's signal of their name, else to the one part's output of it. `..self.other` takes
//! outputs of that part only. `self.next = Self { ..self };` connects the unit's outputs.

use super::place::{place, target};
use super::Rewriter;
use crate::formula::{ident_of, last, text};
use crate::unit::Kind;
use proc_macro2::{Ident, Span};
use std::collections::BTreeSet;
use syn::spanned::Spanned;
use syn::{parse_quote_spanned, Error, Expr, Result, Stmt, Token};

type Semi = Option<Token![;]>;

impl Rewriter<'_> {
    /// `PLACE.next = STRUCT { .. }`.
    pub fn connect(&mut self, a: &syn::ExprAssign, semi: &Semi, out: &mut Vec<Stmt>) -> Result<()> {
        let Expr::Struct(ports) = &*a.right else {
            return Err(Error::new(a.right.span(), "ports, as in a struct"));
        };
        match target(&a.left) {
            Some(base) if text(base) == "self" => self.outputs(ports, semi, out),
            base => {
                let part = base.and_then(|base| {
                    let p = place(base).filter(|p| p.rest.is_empty())?;
                    match self.unit.field(p.name).map(|f| f.kind.clone()) {
                        Some(Kind::Part(path, _)) => Some((base, p.name, path)),
                        _ => None,
                    }
                });
                let Some((base, name, path)) = part else {
                    return Err(Error::new(a.left.span(), "inputs are those of a part"));
                };
                if last(&path) != last(&ports.path) {
                    let what = format!("`{name}` is a {}", text(&path));
                    return Err(Error::new(ports.path.span(), what));
                }
                self.inputs(base, name, &path, ports, semi, out)
            }
        }
    }

    fn inputs(
        &mut self,
        base: &Expr,
        part: &Ident,
        path: &syn::Path,
        ports: &syn::ExprStruct,
        semi: &Semi,
        out: &mut Vec<Stmt>,
    ) -> Result<()> {
        let mut base = base.clone();
        self.subscripts_only(&mut base)?;
        let mut listed = BTreeSet::new();
        for input in &ports.fields {
            let port = port_of(input)?;
            let value = match (input.colon_token, ident_of(&input.expr)) {
                // A name alone: a wire, or the unit's own port.
                (None, Some(name)) if self.local(name).is_none() => {
                    let span = name.span();
                    self.assigned(&parse_quote_spanned!(span=> self.#name))?
                }
                _ => self.assigned(&input.expr)?,
            };
            listed.insert(port.to_string());
            out.push(assign(&base, port, &value, semi));
        }
        let (Some(from), Some(signature)) = (rest(ports)?, self.unit.signature(path).cloned())
        else {
            return Ok(());
        };
        let span = ports.path.span();
        for port in &signature.ports {
            let name = Ident::new(&port.name.to_string(), span);
            if port.direction != "In" || name == "reset" || listed.contains(&name.to_string()) {
                continue;
            }
            let own = self.unit.field(&name).is_some_and(|f| {
                (f.direction_is("In") || f.direction_is("Local")) && f.lengths.is_empty()
            });
            let value: Expr = if from.is_none() && (own || self.local(&name).is_some()) {
                parse_quote_spanned!(span=> self.#name.val())
            } else {
                match &self.outputs_called(&name, part, from)[..] {
                    [part] => parse_quote_spanned!(span=> self.#part.#name.val()),
                    [] if from.is_some() => continue,
                    found => return Err(not_one(found, &name, span)),
                }
            };
            out.push(assign(&base, &name, &value, semi));
        }
        Ok(())
    }

    fn outputs(&mut self, ports: &syn::ExprStruct, semi: &Semi, out: &mut Vec<Stmt>) -> Result<()> {
        let name = last(&ports.path);
        if name != "Self" && *name != self.unit.ident {
            let what = format!("outputs are those of `Self`, a {}", self.unit.ident);
            return Err(Error::new(ports.path.span(), what));
        }
        let mut listed = BTreeSet::new();
        for output in &ports.fields {
            let port = port_of(output)?;
            let value = self.assigned(&output.expr)?;
            let span = port.span();
            listed.insert(port.to_string());
            out.push(assign(
                &parse_quote_spanned!(span=> self),
                port,
                &value,
                semi,
            ));
        }
        let (Some(from), true) = (rest(ports)?, self.unit.signatures.is_some()) else {
            return Ok(());
        };
        let span = ports.path.span();
        for port in self.unit.fields.iter().filter(|f| f.direction_is("Out")) {
            let name = &port.name;
            if !port.lengths.is_empty() || listed.contains(&name.to_string()) {
                continue;
            }
            match &self.outputs_called(name, name, from)[..] {
                [part] => {
                    out.push(parse_quote_spanned!(span=> self.#name.next = self.#part.#name.val();))
                }
                [] => {}
                found => return Err(not_one(found, name, span)),
            }
        }
        Ok(())
    }

    /// The parts, or only the one that is named, that have an output of this name.
    fn outputs_called(&self, name: &Ident, but: &Ident, from: Option<&Ident>) -> Vec<Ident> {
        let parts = self.unit.parts_with(name, Some(but)).into_iter();
        let outputs = parts.filter(|(part, port)| {
            port.direction == "Out" && from.is_none_or(|wanted| wanted == *part)
        });
        outputs.map(|(part, _)| part.clone()).collect()
    }
}

/// `base.port.next = value`.
fn assign(base: &Expr, port: &Ident, value: &Expr, semi: &Semi) -> Stmt {
    let span = port.span();
    let assign = parse_quote_spanned!(span=> #base.#port.next = #value);
    Stmt::Expr(assign, *semi)
}

fn port_of(field: &syn::FieldValue) -> Result<&Ident> {
    match &field.member {
        syn::Member::Named(port) => Ok(port),
        syn::Member::Unnamed(_) => Err(Error::new(field.span(), "a port's name")),
    }
}

/// `..self` as nothing in particular, `..self.part` as that part.
fn rest(ports: &syn::ExprStruct) -> Result<Option<Option<&Ident>>> {
    let Some(rest) = &ports.rest else {
        return Ok(None);
    };
    if text(rest) == "self" {
        return Ok(Some(None));
    }
    match place(rest) {
        Some(p) if p.subscripts.is_empty() && p.rest.is_empty() => Ok(Some(Some(p.name))),
        _ => Err(Error::new(rest.span(), "`..self` or `..self.part`")),
    }
}

fn not_one(found: &[Ident], port: &Ident, span: Span) -> Error {
    let names = found.iter().map(|part| format!("self.{part}.{port}"));
    let names: Vec<String> = names.collect();
    let what = match &names[..] {
        [] => format!("nothing here is called `{port}`: say what is connected"),
        several => format!("`{port}` is one of {}: say which", several.join(", ")),
    };
    Error::new(span, what)
}
