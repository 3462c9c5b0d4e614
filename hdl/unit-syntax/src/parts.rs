//! Parts of a unit: what each tells of itself, and how the unit uses it.
//!
//! A part names given parameters only. Its signature tells the formulas of the others, which
//! become derived parameters of the unit unless it has one of the same formula.

use crate::formula::{ident_of, last, normal, snake, substitute, text};
use crate::unit::{kind, Argument, Derived, DerivedValue, Field, Kind, Unit, Value};
use proc_macro2::{Ident, Literal, TokenStream, TokenTree};
use quote::{format_ident, quote, ToTokens};
use std::collections::BTreeMap;
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Error, Expr, Result};

/// What a unit tells those whose part it is:
/// `[required] [optional { default } ..] [derived { formula } ..] clocked [ports]`.
#[derive(Clone)]
pub struct Signature {
    pub required: Vec<Ident>,
    pub optional: Vec<(Ident, TokenStream)>,
    pub derived: Vec<(Ident, TokenStream)>,
    /// It has a clock and a reset.
    pub clocked: bool,
    pub ports: Vec<Port>,
}

/// Signatures by the paths of the parts.
pub type Signatures = BTreeMap<String, Signature>;

/// A port that a part tells; clocks and arrays are not told.
#[derive(Clone)]
pub struct Port {
    pub attrs: Vec<Attribute>,
    /// `In` or `Out`.
    pub direction: Ident,
    pub name: Ident,
    /// Width of a vector: a parameter of the part, a constant or a number; none of a `Bit`.
    pub width: Option<Expr>,
}

impl Parse for Port {
    fn parse(input: ParseStream) -> Result<Self> {
        let attrs = input.call(Attribute::parse_outer)?;
        let (direction, name) = (input.parse()?, input.parse()?);
        let inner;
        syn::braced!(inner in input);
        let width = match inner.is_empty() {
            true => None,
            false => Some(inner.parse()?),
        };
        Ok(Port {
            attrs,
            direction,
            name,
            width,
        })
    }
}

/// `[item item ..]`.
fn list<T>(input: ParseStream, item: impl Fn(ParseStream) -> Result<T>) -> Result<Vec<T>> {
    let inner;
    syn::bracketed!(inner in input);
    let mut all = vec![];
    while !inner.is_empty() {
        all.push(item(&inner)?);
    }
    Ok(all)
}

/// `NAME { formula }`.
fn formula(input: ParseStream) -> Result<(Ident, TokenStream)> {
    let (name, formula) = (input.parse()?, input.parse::<proc_macro2::Group>()?);
    Ok((name, formula.stream()))
}

impl Parse for Signature {
    fn parse(input: ParseStream) -> Result<Self> {
        Ok(Signature {
            required: list(input, |i| i.parse())?,
            optional: list(input, formula)?,
            derived: list(input, formula)?,
            clocked: input.parse::<syn::LitBool>()?.value,
            ports: list(input, |i| i.parse())?,
        })
    }
}

impl Signature {
    /// Parameters that are given, in order.
    fn given(&self) -> impl Iterator<Item = &Ident> {
        self.required
            .iter()
            .chain(self.optional.iter().map(|o| &o.0))
    }

    /// All parameters in order.
    fn names(&self) -> impl Iterator<Item = &Ident> {
        self.given().chain(self.derived.iter().map(|d| &d.0))
    }

    /// The signatures of these parts, told in their order.
    pub fn list(known: TokenStream, parts: &[syn::Path]) -> Result<Signatures> {
        let groups = known.into_iter().filter_map(|token| match token {
            TokenTree::Group(group) => Some(syn::parse2(group.stream())),
            _ => None,
        });
        let all: Result<Vec<Signature>> = groups.collect();
        Ok(parts.iter().map(text).zip(all?).collect())
    }
}

/// The parts' units, each once.
pub fn inside(structure: &syn::ItemStruct) -> Result<Vec<syn::Path>> {
    let mut found: Vec<syn::Path> = vec![];
    for field in &structure.fields {
        if let (Kind::Part(path, _), _) = kind(&field.ty)? {
            if !found.contains(&path) {
                found.push(path);
            }
        }
    }
    Ok(found)
}

/// How a part is used.
pub struct Use {
    pub path: syn::Path,
    /// Its given parameters.
    pub given: Vec<Expr>,
    /// All its parameters, as they stand in its type.
    pub arguments: Vec<TokenStream>,
    /// How many of them its macro knows; none where it was not asked.
    pub total: usize,
    /// Path and given parameters over those of the unit.
    canonical: String,
}

impl Use {
    /// The part's type with all parameters zero.
    pub fn zero(&self) -> TokenStream {
        let (path, zeros) = (&self.path, (0..self.total).map(|_| quote!(0)));
        quote!(#path::<#(#zeros),*>)
    }
}

impl Unit {
    /// What a part tells.
    pub fn signature(&self, path: &syn::Path) -> Option<&Signature> {
        self.signatures.as_ref()?.get(&text(path))
    }

    /// Whether a part has a clock and a reset.
    pub fn is_clocked(&self, path: &syn::Path) -> bool {
        self.signature(path).is_some_and(|s| s.clocked)
    }

    /// The parts, other than `but`, that have a port of this name; no arrays of parts.
    pub fn parts_with(&self, name: &Ident, but: Option<&Ident>) -> Vec<(&Ident, &Port)> {
        let single = |f: &&Field| f.lengths.is_empty() && Some(&f.name) != but;
        let parts = self.fields.iter().filter(single).filter_map(|f| {
            let Kind::Part(path, _) = &f.kind else {
                return None;
            };
            let ports = &self.signature(path)?.ports;
            Some((&f.name, ports.iter().find(|p| p.name == *name)?))
        });
        parts.collect()
    }

    /// Makes ports of parts the unit's own, once the parts have told them.
    pub fn inherit_ports(&mut self) -> Result<()> {
        if self.signatures.is_none() {
            return Ok(());
        }
        let mut inherited = vec![];
        for from in self.attributes.ports.clone() {
            let no_part = || Error::new(from.part.span(), format!("no part `{}`", from.part));
            let Some(Kind::Part(path, arguments)) = self.field(&from.part).map(|f| f.kind.clone())
            else {
                return Err(no_part());
            };
            let signature = self.signature(&path).cloned().ok_or_else(no_part)?;
            let has = |name: &Ident| signature.ports.iter().any(|p| p.name == *name);
            if let Some(unknown) = from.listed.iter().find(|name| !has(name)) {
                let what = format!("{} has no port `{unknown}`", text(&path));
                return Err(Error::new(unknown.span(), what));
            }
            let at = self.use_of(&path, &arguments)?;
            for port in &signature.ports {
                let inner = self.parts_with(&port.name, Some(&from.part));
                let inner = inner.iter().any(|(_, p)| p.direction != port.direction);
                let wanted = from.listed.contains(&port.name) || from.rest && !inner;
                if !wanted || self.field(&port.name).is_some() {
                    continue;
                }
                let value = match &port.width {
                    None => Value::Bit,
                    Some(width) => Value::Bits(self.width_in_part(at, &signature, width)),
                };
                inherited.push(Field {
                    attrs: port.attrs.clone(),
                    vis: syn::parse_quote!(pub),
                    name: Ident::new(&port.name.to_string(), from.part.span()),
                    kind: Kind::Signal(port.direction.clone(), value),
                    lengths: vec![],
                    init: None,
                });
            }
        }
        let ports = self.fields.iter().take_while(|f| f.is_port()).count();
        self.fields.splice(ports..ports, inherited);
        // As in every unit: inputs first, then outputs.
        let is_output = |f: &Field| matches!(&f.kind, Kind::Signal(d, _) if d == "Out");
        let ports = self.fields.iter().take_while(|f| f.is_port()).count();
        self.fields[..ports].sort_by_key(is_output);
        Ok(())
    }

    /// A width that a part names, in the unit's parameters.
    fn width_in_part(&self, at: usize, signature: &Signature, width: &Expr) -> Expr {
        let place = ident_of(width).and_then(|w| signature.names().position(|n| n == w));
        match place.map(|place| &self.uses[at].arguments[place]) {
            Some(argument) => syn::parse_quote!(#argument),
            None => width.clone(),
        }
    }

    /// How a part is used: all its parameters. A part without any takes the unit's of their names.
    pub fn use_of(&mut self, path: &syn::Path, arguments: &[Argument]) -> Result<usize> {
        let by_name;
        let arguments = match arguments {
            [] => {
                by_name = self.arguments_by_name(path);
                &by_name
            }
            written => written,
        };
        let spelled = arguments.iter().map(|a| {
            let name = a.name.as_ref().map(ToString::to_string).unwrap_or_default();
            format!("{name}={}", self.canonical(&a.value))
        });
        let spelled: Vec<String> = spelled.collect();
        let canonical = format!("{}<{}>", text(path), spelled.join(","));
        if let Some(at) = self.uses.iter().position(|u| u.canonical == canonical) {
            return Ok(at);
        }
        let at = self.uses.len();
        let (given, total, arguments) = match self.signature(path).cloned() {
            Some(signature) => {
                let given = placed(path, &signature, arguments)?;
                let all = self.arguments_of(at, path, &signature, &given);
                let last_given = given.iter().rposition(Option::is_some);
                let given = given
                    .into_iter()
                    .take(last_given.map_or(0, |last| last + 1));
                let value = |(given, value): (Option<Expr>, &TokenStream)| {
                    given.unwrap_or_else(|| syn::parse_quote!(#value))
                };
                (given.zip(&all).map(value).collect(), all.len(), all)
            }
            None => {
                let given: Vec<Expr> = arguments.iter().map(|a| a.value.clone()).collect();
                let arguments = given.iter().map(|e| self.width(e)).collect();
                (given, 0, arguments)
            }
        };
        let path = path.clone();
        self.uses.push(Use {
            path,
            given,
            arguments,
            total,
            canonical,
        });
        Ok(at)
    }

    fn arguments_by_name(&self, path: &syn::Path) -> Vec<Argument> {
        let Some(signature) = self.signature(path) else {
            return vec![];
        };
        let own = signature.given().filter(|n| self.is_parameter(n));
        let argument = |name: &Ident| {
            let here = Ident::new(&name.to_string(), last(path).span());
            Argument {
                name: Some(name.clone()),
                value: syn::parse_quote!(#here),
            }
        };
        own.map(argument).collect()
    }

    /// All of a part's parameters as they stand in its type.
    fn arguments_of(
        &mut self,
        at: usize,
        path: &syn::Path,
        signature: &Signature,
        given: &[Option<Expr>],
    ) -> Vec<TokenStream> {
        let mut values: BTreeMap<String, TokenStream> = BTreeMap::new();
        let mut all = vec![];
        let required = signature.required.iter().map(|name| (name, None));
        let formulas = signature.optional.iter().chain(&signature.derived);
        let formulas = formulas.map(|(name, formula)| (name, Some(formula)));
        for (place, (name, formula)) in required.chain(formulas).enumerate() {
            let (argument, value) = match (given.get(place).cloned().flatten(), formula) {
                (Some(e), _) => (self.width(&e), self.inlined(e.to_token_stream())),
                (None, formula) => {
                    let formula = formula.cloned().unwrap_or_default();
                    let formula = substitute(formula, &|n| values.get(&n.to_string()).cloned());
                    let value = self.inlined(formula);
                    (self.derived_of(at, place, path, name, &value), value)
                }
            };
            values.insert(name.to_string(), value);
            all.push(argument);
        }
        all
    }

    /// The unit's parameter of a formula that a part tells; a new one if there is none yet.
    fn derived_of(
        &mut self,
        at: usize,
        place: usize,
        path: &syn::Path,
        name: &Ident,
        formula: &TokenStream,
    ) -> TokenStream {
        let canonical = text(&normal(formula.clone()));
        if let Ok(number) = canonical.parse() {
            return Literal::usize_unsuffixed(number).into_token_stream();
        }
        let given = self
            .given
            .iter()
            .map(|g| &g.name)
            .find(|g| **g == canonical);
        if let Some(known) = self.derived_as(&canonical).or(given) {
            return known.to_token_stream();
        }
        let part = snake(&last(path).to_string()).to_uppercase();
        let mut hidden = format_ident!("{part}_{name}", span = last(path).span());
        let mut again = 1;
        while self.derived.iter().any(|d| d.name == hidden) {
            again += 1;
            hidden = format_ident!("{part}{again}_{name}", span = last(path).span());
        }
        let value = DerivedValue::Of(at, place);
        self.derived.push(Derived {
            name: hidden.clone(),
            value,
            canonical,
        });
        hidden.into_token_stream()
    }
}

/// A part's arguments at their places, by place or by name.
fn placed(
    path: &syn::Path,
    signature: &Signature,
    arguments: &[Argument],
) -> Result<Vec<Option<Expr>>> {
    let names: Vec<&Ident> = signature.given().collect();
    let listed = || {
        let names: Vec<String> = names.iter().map(ToString::to_string).collect();
        names.join(", ")
    };
    let unit = text(path);
    let mut given: Vec<Option<Expr>> = vec![None; names.len()];
    for (i, argument) in arguments.iter().enumerate() {
        let place = match &argument.name {
            None if i < names.len() => i,
            None => {
                let what = format!("{unit} takes {} parameters: {}", names.len(), listed());
                return Err(Error::new_spanned(&argument.value, what));
            }
            Some(name) => names.iter().position(|n| *n == name).ok_or_else(|| {
                let what = format!("{unit} has no parameter {name}; it has {}", listed());
                Error::new(name.span(), what)
            })?,
        };
        given[place] = Some(argument.value.clone());
    }
    match signature
        .required
        .iter()
        .zip(&given)
        .find(|(_, g)| g.is_none())
    {
        Some((missing, _)) => {
            let what = format!("{unit} needs {missing}; it takes {}", listed());
            Err(Error::new_spanned(path, what))
        }
        None => Ok(given),
    }
}
