//! The unit as written.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{format_ident, quote, ToTokens};
use std::collections::BTreeMap;
use syn::parse::{Parse, ParseStream};
use syn::spanned::Spanned;
use syn::{Attribute, Error, Expr, Result, Token};

/// What `#[unit]` stands on.
pub enum Item {
    Module(syn::ItemStruct, syn::ImplItemFn),
    Struct(syn::ItemStruct),
    Impl(Ident, syn::ItemImpl),
}

impl Item {
    pub fn parse(item: TokenStream) -> Result<Item> {
        Ok(match syn::parse2::<syn::Item>(item)? {
            syn::Item::Struct(s) => Item::Struct(s),
            syn::Item::Impl(i) => {
                let name = match &*i.self_ty {
                    syn::Type::Path(t) => last(&t.path).clone(),
                    t => return Err(Error::new(t.span(), "the unit's name")),
                };
                Item::Impl(name, i)
            }
            syn::Item::Mod(m) => {
                let span = m.span();
                let items = m.content.map(|c| c.1).unwrap_or_default();
                let (mut structure, mut function) = (None, None);
                for item in items {
                    match item {
                        syn::Item::Struct(s) if structure.is_none() => structure = Some(s),
                        syn::Item::Fn(f) if function.is_none() => {
                            function = Some(syn::parse2(f.into_token_stream())?);
                        }
                        // `fn update(&mut self)` outside of an impl.
                        syn::Item::Verbatim(t) if function.is_none() => {
                            function = Some(syn::parse2(t)?);
                        }
                        other => {
                            let what = "a unit is one struct and `fn update(&mut self)`";
                            return Err(Error::new(other.span(), what));
                        }
                    }
                }
                match (structure, function) {
                    (Some(s), Some(f)) => Item::Module(s, f),
                    _ => {
                        let what = "a unit is one struct and `fn update(&mut self)`";
                        return Err(Error::new(span, what));
                    }
                }
            }
            other => {
                let what = "#[unit] stands on a module, on a struct, or on its `impl Logic`";
                return Err(Error::new(other.span(), what));
            }
        })
    }
}

pub fn hidden_name(structure: &Ident) -> Ident {
    format_ident!("__unit_{structure}", span = structure.span())
}

pub fn update_of(item: &syn::ItemImpl) -> Result<syn::ImplItemFn> {
    match &item.items[..] {
        [syn::ImplItem::Fn(f)] if f.sig.ident == "update" => Ok(f.clone()),
        _ => Err(Error::new(
            item.self_ty.span(),
            "here is `fn update(&mut self)`, and nothing else",
        )),
    }
}

pub fn both(tokens: TokenStream) -> Result<(syn::ItemStruct, syn::ImplItemFn)> {
    struct Both(syn::ItemStruct, syn::ImplItemFn);
    impl Parse for Both {
        fn parse(input: ParseStream) -> Result<Self> {
            Ok(Both(input.parse()?, input.parse()?))
        }
    }
    syn::parse2(tokens).map(|Both(s, f)| (s, f))
}

/// The struct, and `update()` if it is one yet: editors ask while it is typed.
pub fn both_or_less(
    tokens: TokenStream,
) -> Result<(syn::ItemStruct, syn::ImplItemFn, Option<Error>)> {
    struct Front(syn::ItemStruct, TokenStream);
    impl Parse for Front {
        fn parse(input: ParseStream) -> Result<Self> {
            Ok(Front(input.parse()?, input.parse()?))
        }
    }
    let Front(structure, rest) = syn::parse2(tokens)?;
    match syn::parse2(rest) {
        Ok(function) => Ok((structure, function, None)),
        Err(e) => Ok((
            structure,
            syn::parse_quote!(
                fn update(&mut self) {}
            ),
            Some(e),
        )),
    }
}

pub fn paths(tokens: TokenStream) -> Result<Vec<syn::Path>> {
    use syn::parse::Parser;
    let parser = syn::punctuated::Punctuated::<syn::Path, Token![;]>::parse_terminated;
    Ok(parser.parse2(tokens)?.into_iter().collect())
}

/// `source = "..", unused = .., require(condition, "text")` and the like.
#[derive(Default)]
pub struct Attributes {
    pub source: Option<Expr>,
    pub unused: Option<Expr>,
    pub name: Option<syn::LitStr>,
    pub requires: Vec<(Expr, syn::LitStr)>,
    pub file: Option<syn::LitStr>,
    /// `given(map: &Map)`: besides parameters, who uses the unit gives it this.
    pub given: Option<(Ident, syn::Type)>,
    /// `with(map = llc_map(WAYS))`: what constants are made from.
    pub with: Vec<(Ident, Expr)>,
    /// `names = map`: a string in `update()` is the constant `map.number("..")`.
    pub names: Option<Expr>,
    /// `parameters = map.parameters`: pairs of name and value that identify the unit.
    pub parameters: Option<Expr>,
    /// `ports(part(.., a), other(b))`: ports of parts that are the unit's own.
    pub ports: Vec<Inherited>,
}

/// Ports of a part that are the unit's own.
#[derive(Clone)]
pub struct Inherited {
    pub part: Ident,
    /// `..`: all that are not connected to another part by their name.
    pub rest: bool,
    pub listed: Vec<Ident>,
}

impl Parse for Inherited {
    fn parse(input: ParseStream) -> Result<Self> {
        let part = input.parse()?;
        let inner;
        syn::parenthesized!(inner in input);
        let (mut rest, mut listed) = (false, vec![]);
        while !inner.is_empty() {
            if inner.peek(Token![..]) {
                inner.parse::<Token![..]>()?;
                rest = true;
            } else {
                listed.push(inner.parse()?);
            }
            if !inner.is_empty() {
                inner.parse::<Token![,]>()?;
            }
        }
        Ok(Inherited { part, rest, listed })
    }
}

impl Parse for Attributes {
    fn parse(input: ParseStream) -> Result<Self> {
        let mut all = Attributes::default();
        while !input.is_empty() {
            let name: Ident = input.parse()?;
            if name == "require" {
                let inner;
                syn::parenthesized!(inner in input);
                let condition = inner.parse()?;
                inner.parse::<Token![,]>()?;
                all.requires.push((condition, inner.parse()?));
            } else if name == "given" {
                let inner;
                syn::parenthesized!(inner in input);
                let given = inner.parse()?;
                inner.parse::<Token![:]>()?;
                all.given = Some((given, inner.parse()?));
            } else if name == "with" {
                let inner;
                syn::parenthesized!(inner in input);
                while !inner.is_empty() {
                    let value = inner.parse()?;
                    inner.parse::<Token![=]>()?;
                    all.with.push((value, inner.parse()?));
                    if !inner.is_empty() {
                        inner.parse::<Token![,]>()?;
                    }
                }
            } else if name == "ports" {
                let inner;
                syn::parenthesized!(inner in input);
                let parts =
                    syn::punctuated::Punctuated::<Inherited, Token![,]>::parse_terminated(&inner)?;
                all.ports = parts.into_iter().collect();
            } else {
                input.parse::<Token![=]>()?;
                match name.to_string().as_str() {
                    "source" => all.source = Some(input.parse()?),
                    "unused" => all.unused = Some(input.parse()?),
                    "name" => all.name = Some(input.parse()?),
                    "file" => all.file = Some(input.parse()?),
                    "names" => all.names = Some(input.parse()?),
                    "parameters" => all.parameters = Some(input.parse()?),
                    _ => {
                        let what = "source, unused, name, file, names, parameters, require(..), \
                                    given(..), with(..) or ports(..)";
                        return Err(Error::new(name.span(), what));
                    }
                }
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(all)
    }
}

/// What a value is.
#[derive(Clone)]
pub enum Value {
    Bit,
    Clock,
    Bits(Expr),
    /// Elements side by side, the first lowest.
    Packed(Box<Value>, Expr),
}

/// What a field is.
#[derive(Clone)]
pub enum Kind {
    Signal(Ident, Value),
    Constant(Value),
    Reg(Value),
    Ram(Value, Expr),
    Block(syn::Path, Vec<Argument>),
}

/// An argument of a block inside: its parameter, if named.
#[derive(Clone)]
pub struct Argument {
    pub name: Option<Ident>,
    pub value: Expr,
}

pub struct Field {
    pub attrs: Vec<Attribute>,
    pub vis: syn::Visibility,
    pub name: Ident,
    pub kind: Kind,
    /// Lengths of the arrays around, outermost first.
    pub lengths: Vec<Expr>,
    /// `#[reset(..)]` of a flop, `#[value(..)]` of a constant, `#[given(..)]` of a block inside.
    pub init: Option<Expr>,
}

/// A parameter that is given.
pub struct Given {
    pub attrs: Vec<Attribute>,
    pub name: Ident,
    pub range: Option<syn::ExprRange>,
    /// What it is unless given.
    pub default: Option<Expr>,
}

/// A parameter that follows from others.
#[derive(Clone)]
pub struct Derived {
    pub name: Ident,
    /// Its value: written, or the place in the list of a block inside.
    pub value: DerivedValue,
    /// Its formula over the given ones, which tells whether two are the same.
    pub canonical: String,
}

#[derive(Clone)]
pub enum DerivedValue {
    Expr(Expr),
    /// Which use of a block, which of its parameters.
    Of(usize, usize),
}

/// How a block inside is used.
pub struct Use {
    pub path: syn::Path,
    pub given: Vec<Expr>,
    pub total: usize,
    /// All its parameters.
    pub arguments: Vec<TokenStream>,
    pub tokens: String,
}

/// What a block tells of itself.
#[derive(Clone)]
pub struct Signature {
    pub required: Vec<Ident>,
    pub optional: Vec<(Ident, TokenStream)>,
    pub derived: Vec<(Ident, TokenStream)>,
    pub clocked: bool,
    pub ports: Vec<Port>,
}

/// A port that a block tells of itself; clocks and arrays are not told.
#[derive(Clone)]
pub struct Port {
    pub attrs: Vec<Attribute>,
    /// `In` or `Out`.
    pub direction: Ident,
    pub name: Ident,
    /// Width of a vector: a parameter of the block, a constant or a number; none of a `Bit`.
    pub width: Option<Expr>,
}

impl Parse for Port {
    fn parse(input: ParseStream) -> Result<Self> {
        let attrs = input.call(Attribute::parse_outer)?;
        let (direction, name) = (input.parse()?, input.parse()?);
        let width;
        syn::braced!(width in input);
        let width = match width.is_empty() {
            true => None,
            false => Some(width.parse()?),
        };
        Ok(Port {
            attrs,
            direction,
            name,
            width,
        })
    }
}

impl Parse for Signature {
    fn parse(input: ParseStream) -> Result<Self> {
        let list = |input: ParseStream| -> Result<Vec<Ident>> {
            let inner;
            syn::bracketed!(inner in input);
            let mut names = vec![];
            while !inner.is_empty() {
                names.push(inner.parse()?);
            }
            Ok(names)
        };
        let formulas = |input: ParseStream| -> Result<Vec<(Ident, TokenStream)>> {
            let inner;
            syn::bracketed!(inner in input);
            let mut all = vec![];
            while !inner.is_empty() {
                let name = inner.parse()?;
                let formula;
                syn::braced!(formula in inner);
                all.push((name, formula.parse()?));
            }
            Ok(all)
        };
        Ok(Signature {
            required: list(input)?,
            optional: formulas(input)?,
            derived: formulas(input)?,
            clocked: input.parse::<syn::LitBool>()?.value,
            ports: {
                let inner;
                syn::bracketed!(inner in input);
                let mut ports = vec![];
                while !inner.is_empty() {
                    ports.push(inner.parse()?);
                }
                ports
            },
        })
    }
}

impl Signature {
    /// All parameters in order.
    pub fn names(&self) -> impl Iterator<Item = &Ident> {
        let optional = self.optional.iter().map(|o| &o.0);
        let derived = self.derived.iter().map(|d| &d.0);
        self.required.iter().chain(optional).chain(derived)
    }

    pub fn list(known: TokenStream, paths: &[syn::Path]) -> Result<BTreeMap<String, Signature>> {
        let groups = known.into_iter().filter_map(|t| match t {
            TokenTree::Group(g) => Some(g.stream()),
            _ => None,
        });
        let all: Result<Vec<Signature>> = groups.map(syn::parse2).collect();
        Ok(paths.iter().map(text).zip(all?).collect())
    }
}

pub struct Unit {
    pub attributes: Attributes,
    pub attrs: Vec<Attribute>,
    pub vis: syn::Visibility,
    pub ident: Ident,
    pub name: String,
    pub given: Vec<Given>,
    pub derived: Vec<Derived>,
    pub fields: Vec<Field>,
    pub uses: Vec<Use>,
    pub update: syn::ImplItemFn,
    pub signatures: Option<BTreeMap<String, Signature>>,
}

pub fn last(path: &syn::Path) -> &Ident {
    &path.segments.last().expect("a path").ident
}

/// Tokens without spaces.
pub fn text(tokens: &impl ToTokens) -> String {
    tokens
        .to_token_stream()
        .to_string()
        .split_whitespace()
        .collect()
}

pub fn ident_of(e: &Expr) -> Option<&Ident> {
    match e {
        Expr::Path(p) => p.path.get_ident(),
        Expr::Paren(p) => ident_of(&p.expr),
        Expr::Group(g) => ident_of(&g.expr),
        _ => None,
    }
}

fn argument(argument: &syn::GenericArgument) -> Result<Argument> {
    use syn::GenericArgument as A;
    let plain = |value| Argument { name: None, value };
    Ok(match argument {
        A::Type(syn::Type::Path(t)) if t.path.get_ident().is_some() => {
            plain(syn::parse2(quote!(#t))?)
        }
        A::Const(Expr::Block(b)) => match &b.block.stmts[..] {
            [syn::Stmt::Expr(e, None)] => plain(e.clone()),
            _ => return Err(Error::new(b.span(), "one expression")),
        },
        A::Const(e) => plain(e.clone()),
        A::AssocType(a) => {
            let ty = &a.ty;
            Argument {
                name: Some(a.ident.clone()),
                value: syn::parse2(quote!(#ty))?,
            }
        }
        A::AssocConst(a) => {
            let value = match &a.value {
                Expr::Block(b) => match &b.block.stmts[..] {
                    [syn::Stmt::Expr(e, None)] => e.clone(),
                    _ => return Err(Error::new(b.span(), "one expression")),
                },
                e => e.clone(),
            };
            Argument {
                name: Some(a.ident.clone()),
                value,
            }
        }
        other => return Err(Error::new(other.span(), "a number of bits or elements")),
    })
}

fn arguments(path: &syn::Path) -> Vec<&syn::GenericArgument> {
    match &path.segments.last().expect("a path").arguments {
        syn::PathArguments::AngleBracketed(a) => a.args.iter().collect(),
        _ => vec![],
    }
}

fn value(ty: &syn::Type) -> Result<Value> {
    let what = "Bit, Clock, Bits<N>, or an array of Bit or Bits<N>";
    match ty {
        syn::Type::Path(t) => {
            let args = arguments(&t.path);
            match (last(&t.path).to_string().as_str(), &args[..]) {
                ("Bit", []) => Ok(Value::Bit),
                ("Clock", []) => Ok(Value::Clock),
                ("Bits", [n]) => Ok(Value::Bits(argument(n)?.value)),
                _ => Err(Error::new(ty.span(), what)),
            }
        }
        syn::Type::Array(a) => Ok(Value::Packed(Box::new(value(&a.elem)?), a.len.clone())),
        _ => Err(Error::new(ty.span(), what)),
    }
}

fn type_argument<'a>(
    args: &[&'a syn::GenericArgument],
    at: usize,
    span: Span,
) -> Result<&'a syn::Type> {
    match args.get(at) {
        Some(syn::GenericArgument::Type(t)) => Ok(t),
        _ => Err(Error::new(span, "what type of value?")),
    }
}

fn kind(ty: &syn::Type) -> Result<(Kind, Vec<Expr>)> {
    match ty {
        syn::Type::Array(a) => {
            let (kind, inner) = kind(&a.elem)?;
            Ok((kind, std::iter::once(a.len.clone()).chain(inner).collect()))
        }
        syn::Type::Path(t) => {
            let args = arguments(&t.path);
            let name = last(&t.path);
            let kind = match name.to_string().as_str() {
                "In" | "Out" | "Local" => {
                    Kind::Signal(name.clone(), value(type_argument(&args, 0, ty.span())?)?)
                }
                "Signal" => {
                    let direction = match type_argument(&args, 0, ty.span())? {
                        syn::Type::Path(d) => last(&d.path).clone(),
                        other => return Err(Error::new(other.span(), "In, Out or Local")),
                    };
                    Kind::Signal(direction, value(type_argument(&args, 1, ty.span())?)?)
                }
                "Constant" => Kind::Constant(value(type_argument(&args, 0, ty.span())?)?),
                "Reg" => Kind::Reg(value(type_argument(&args, 0, ty.span())?)?),
                "Ram" => {
                    let address = args
                        .get(1)
                        .ok_or_else(|| Error::new(ty.span(), "how many address bits?"))?;
                    Kind::Ram(
                        value(type_argument(&args, 0, ty.span())?)?,
                        argument(address)?.value,
                    )
                }
                _ => {
                    let mut path = t.path.clone();
                    path.segments.last_mut().expect("a path").arguments = syn::PathArguments::None;
                    Kind::Block(path, args.into_iter().map(argument).collect::<Result<_>>()?)
                }
            };
            Ok((kind, vec![]))
        }
        _ => Err(Error::new(
            ty.span(),
            "In, Out, Local, Constant, Reg, Ram, a block, or an array of them",
        )),
    }
}

/// The blocks inside, each once.
pub fn blocks_inside(structure: &syn::ItemStruct) -> Result<Vec<syn::Path>> {
    let mut found: Vec<syn::Path> = vec![];
    for field in &structure.fields {
        if let (Kind::Block(path, _), _) = kind(&field.ty)? {
            if !found.contains(&path) {
                found.push(path);
            }
        }
    }
    Ok(found)
}

fn take(attrs: &mut Vec<Attribute>, name: &str) -> Result<Option<Expr>> {
    let Some(at) = attrs.iter().position(|a| a.path().is_ident(name)) else {
        return Ok(None);
    };
    attrs.remove(at).parse_args().map(Some)
}

/// `LruStack` as `lru_stack`.
fn snake(name: &str) -> String {
    let mut out = String::new();
    for (i, c) in name.char_indices() {
        if c.is_uppercase() && i > 0 {
            out.push('_');
        }
        out.extend(c.to_lowercase());
    }
    out
}

impl Unit {
    pub fn new(
        attributes: Attributes,
        structure: syn::ItemStruct,
        update: syn::ImplItemFn,
        signatures: Option<BTreeMap<String, Signature>>,
    ) -> Result<Unit> {
        let mut unit = Unit {
            name: attributes
                .name
                .as_ref()
                .map_or_else(|| snake(&structure.ident.to_string()), |n| n.value()),
            attributes,
            attrs: structure.attrs,
            vis: structure.vis,
            ident: structure.ident,
            given: vec![],
            derived: vec![],
            fields: vec![],
            uses: vec![],
            update,
            signatures,
        };
        for parameter in structure.generics.params {
            let syn::GenericParam::Const(mut p) = parameter else {
                return Err(Error::new(
                    parameter.span(),
                    "parameters are numbers: `const WAYS: usize`",
                ));
            };
            let default = match p.default.take() {
                Some(Expr::Block(b)) => match &b.block.stmts[..] {
                    [syn::Stmt::Expr(e, None)] => Some(e.clone()),
                    _ => return Err(Error::new(b.span(), "one expression")),
                },
                other => other,
            };
            let mut attrs = p.attrs;
            let range = match take(&mut attrs, "range")? {
                Some(Expr::Range(r)) => Some(r),
                Some(e) => return Err(Error::new(e.span(), "a range, as 1..=64")),
                None => None,
            };
            let optional = attrs.iter().position(|a| a.path().is_ident("optional"));
            optional.map(|at| attrs.remove(at));
            match (default, range.is_some() || optional.is_some()) {
                (Some(value), false) => {
                    let canonical = unit.canonical(&value);
                    unit.derived.push(Derived {
                        name: p.ident,
                        value: DerivedValue::Expr(value),
                        canonical,
                    });
                }
                (default, _) => unit.given.push(Given {
                    attrs,
                    name: p.ident,
                    range,
                    default,
                }),
            }
        }
        for field in structure.fields {
            let name = field
                .ident
                .clone()
                .ok_or_else(|| Error::new(field.span(), "fields have names"))?;
            let (kind, lengths) = kind(&field.ty)?;
            let mut attrs = field.attrs;
            let init = match kind {
                Kind::Reg(_) => take(&mut attrs, "reset")?,
                Kind::Constant(_) => take(&mut attrs, "value")?,
                Kind::Block(..) => take(&mut attrs, "given")?,
                _ => None,
            };
            if matches!(kind, Kind::Constant(_)) && init.is_none() {
                return Err(Error::new(name.span(), "a constant has a #[value(..)]"));
            }
            unit.fields.push(Field {
                attrs,
                vis: field.vis,
                name,
                kind,
                lengths,
                init,
            });
        }
        unit.inherit_ports()?;
        Ok(unit)
    }

    /// Makes ports of parts the unit's own, once the parts have told them.
    fn inherit_ports(&mut self) -> Result<()> {
        if self.signatures.is_none() {
            return Ok(());
        }
        let mut inherited = vec![];
        for from in self.attributes.ports.clone() {
            let no_part = || Error::new(from.part.span(), format!("no part `{}`", from.part));
            let Some(Kind::Block(path, arguments)) = self.field(&from.part).map(|f| f.kind.clone())
            else {
                return Err(no_part());
            };
            let signature = self.signature(&path).cloned().ok_or_else(no_part)?;
            if let Some(unknown) = from
                .listed
                .iter()
                .find(|name| signature.ports.iter().all(|p| p.name != **name))
            {
                let what = format!("{} has no port `{unknown}`", text(&path));
                return Err(Error::new(unknown.span(), what));
            }
            let at = self.use_of(&path, &arguments)?;
            let names: Vec<&Ident> = signature.names().collect();
            for port in &signature.ports {
                let own = self.field(&port.name).is_some();
                let inner = self.parts_with(&port.name, Some(&from.part));
                let other_side = |p: &Port| p.direction != port.direction;
                let inner = inner.iter().any(|(_, p)| other_side(p));
                if own || !(from.listed.contains(&port.name) || from.rest && !inner) {
                    continue;
                }
                let value = port.width.as_ref().map_or(Value::Bit, |width| {
                    let of_part = ident_of(width)
                        .and_then(|w| names.iter().position(|n| *n == w))
                        .map(|at_name| self.uses[at].arguments[at_name].clone());
                    Value::Bits(of_part.map_or(width.clone(), |w| syn::parse_quote!(#w)))
                });
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
        let is_port = |f: &Field| matches!(&f.kind, Kind::Signal(d, _) if d != "Local");
        let at = self.fields.iter().take_while(|f| is_port(f)).count();
        self.fields.splice(at..at, inherited);
        Ok(())
    }

    /// What a block inside tells of itself.
    pub fn signature(&self, path: &syn::Path) -> Option<&Signature> {
        self.signatures.as_ref()?.get(&text(path))
    }

    /// The blocks inside, other than `but`, that have a port of this name; no arrays of blocks.
    pub fn parts_with(&self, name: &Ident, but: Option<&Ident>) -> Vec<(&Ident, &Port)> {
        let parts = self
            .fields
            .iter()
            .filter(|f| f.lengths.is_empty() && Some(&f.name) != but);
        parts
            .filter_map(|f| match &f.kind {
                Kind::Block(path, _) => {
                    let ports = &self.signature(path)?.ports;
                    Some((&f.name, ports.iter().find(|p| p.name == *name)?))
                }
                _ => None,
            })
            .collect()
    }

    /// A formula over the given parameters.
    pub fn canonical(&self, e: &impl ToTokens) -> String {
        text(&self.inlined(e.to_token_stream()))
    }

    pub fn inlined(&self, tokens: TokenStream) -> TokenStream {
        normal(substitute(tokens, &|name| {
            let derived = self.derived.iter().find(|d| d.name == *name)?;
            derived.canonical.parse().ok()
        }))
    }

    /// A width or length as it stands in a type: a name or a number.
    pub fn width(&mut self, e: &Expr) -> TokenStream {
        if ident_of(e).is_some() || matches!(e, Expr::Lit(_)) {
            return quote!(#e);
        }
        let canonical = self.canonical(e);
        if let Some(known) = self.derived.iter().find(|d| d.canonical == canonical) {
            let name = &known.name;
            return quote!(#name);
        }
        let words: String = text(e)
            .chars()
            .map(|c| {
                if c.is_ascii_alphanumeric() {
                    c.to_ascii_uppercase()
                } else {
                    '_'
                }
            })
            .collect();
        let name = Ident::new(&format!("W_{words}"), e.span());
        self.derived.push(Derived {
            name: name.clone(),
            value: DerivedValue::Expr(e.clone()),
            canonical,
        });
        quote!(#name)
    }

    /// [`Self::width`] of a field that has one already.
    pub fn known_width(&self, e: &Expr) -> TokenStream {
        let canonical = self.canonical(e);
        let known = self.derived.iter().find(|d| d.canonical == canonical);
        match known {
            Some(known) if ident_of(e).is_none() && !matches!(e, Expr::Lit(_)) => {
                known.name.to_token_stream()
            }
            _ => e.to_token_stream(),
        }
    }

    /// Width of a value, as a formula.
    pub fn bits(&self, value: &Value) -> Expr {
        match value {
            Value::Bit | Value::Clock => syn::parse_quote!(1),
            Value::Bits(e) => e.clone(),
            Value::Packed(element, count) => match &**element {
                Value::Bit => count.clone(),
                element => {
                    let width = self.bits(element);
                    syn::parse_quote!(#count * #width)
                }
            },
        }
    }

    /// The Rust type of a value.
    pub fn value_type(&mut self, value: &Value, span: Span) -> TokenStream {
        use quote::quote_spanned;
        match value {
            Value::Bit => quote_spanned!(span=> ::cotenant_netlist::hdl::Bit),
            Value::Clock => quote_spanned!(span=> ::cotenant_netlist::hdl::Clock),
            value => {
                let width = self.bits(value);
                let width = self.width(&width);
                quote_spanned!(span=> ::cotenant_netlist::hdl::Bits<#width>)
            }
        }
    }

    /// How a block inside is used: all its parameters.
    pub fn use_of(&mut self, path: &syn::Path, arguments: &[Argument]) -> Result<usize> {
        let by_name;
        let arguments = match arguments {
            [] => {
                by_name = self.arguments_by_name(path);
                &by_name
            }
            written => written,
        };
        let spelled: Vec<String> = arguments
            .iter()
            .map(|a| {
                format!(
                    "{}={}",
                    a.name.as_ref().map(ToString::to_string).unwrap_or_default(),
                    self.canonical(&a.value)
                )
            })
            .collect();
        let tokens = format!("{}<{}>", text(path), spelled.join(","));
        if let Some(at) = self.uses.iter().position(|u| u.tokens == tokens) {
            return Ok(at);
        }
        let at = self.uses.len();
        let Some(signature) = self
            .signatures
            .as_ref()
            .and_then(|s| s.get(&text(path)))
            .cloned()
        else {
            let given: Vec<Expr> = arguments.iter().map(|a| a.value.clone()).collect();
            let arguments = given.iter().map(|e| self.width(e)).collect();
            self.uses.push(Use {
                path: path.clone(),
                given,
                total: 0,
                arguments,
                tokens,
            });
            return Ok(at);
        };
        // By place, then by name.
        let names: Vec<&Ident> = signature
            .required
            .iter()
            .chain(signature.optional.iter().map(|o| &o.0))
            .collect();
        let mut given: Vec<Option<Expr>> = vec![None; names.len()];
        for (i, argument) in arguments.iter().enumerate() {
            let place = match &argument.name {
                None if i < names.len() => i,
                None => {
                    let what = format!(
                        "{} takes {} parameters: {}",
                        text(path),
                        names.len(),
                        names
                            .iter()
                            .map(ToString::to_string)
                            .collect::<Vec<_>>()
                            .join(", ")
                    );
                    return Err(Error::new(argument.value.span(), what));
                }
                Some(name) => names.iter().position(|n| *n == name).ok_or_else(|| {
                    let names: Vec<String> = names.iter().map(ToString::to_string).collect();
                    Error::new(
                        name.span(),
                        format!(
                            "{} has no parameter {name}; it has {}",
                            text(path),
                            names.join(", ")
                        ),
                    )
                })?,
            };
            given[place] = Some(argument.value.clone());
        }
        let required = signature.required.len();
        if let Some(missing) = (0..required).find(|&i| given[i].is_none()) {
            let what = format!("{} needs {}", text(path), names[missing]);
            return Err(Error::new(path.span(), what));
        }
        let mut values: BTreeMap<String, TokenStream> = BTreeMap::new();
        let mut all = vec![];
        for (i, name) in names.iter().enumerate() {
            let value = match &given[i] {
                Some(e) => e.to_token_stream(),
                None => {
                    let formula = signature.optional[i - required].1.clone();
                    substitute(formula, &|n| values.get(&n.to_string()).cloned())
                }
            };
            let inlined = self.inlined(value.clone());
            values.insert(name.to_string(), inlined.clone());
            all.push(match &given[i] {
                Some(e) => self.width(e),
                None => self.derived_of(at, i, path, name, inlined),
            });
        }
        for (k, (name, formula)) in signature.derived.iter().enumerate() {
            let formula = substitute(formula.clone(), &|n| values.get(&n.to_string()).cloned());
            all.push(self.derived_of(at, names.len() + k, path, name, formula));
        }
        let last_given = given
            .iter()
            .rposition(Option::is_some)
            .map_or(0, |at| at + 1);
        let given: Vec<Expr> = (0..last_given)
            .map(|i| match &given[i] {
                Some(e) => e.clone(),
                None => {
                    let value = &all[i];
                    syn::parse_quote!(#value)
                }
            })
            .collect();
        self.uses.push(Use {
            path: path.clone(),
            given,
            total: all.len(),
            arguments: all,
            tokens,
        });
        Ok(at)
    }

    /// A block that is named without parameters takes those of the unit of the same names.
    fn arguments_by_name(&self, path: &syn::Path) -> Vec<Argument> {
        let Some(signature) = self.signature(path) else {
            return vec![];
        };
        let optional = signature.optional.iter().map(|o| &o.0);
        let names = signature.required.iter().chain(optional);
        let own = names.filter(|n| self.is_parameter(n));
        own.map(|name| {
            let here = Ident::new(&name.to_string(), path.span());
            Argument {
                name: Some(name.clone()),
                value: syn::parse_quote!(#here),
            }
        })
        .collect()
    }

    fn derived_of(
        &mut self,
        at: usize,
        place: usize,
        path: &syn::Path,
        name: &Ident,
        formula: TokenStream,
    ) -> TokenStream {
        let formula = normal(formula);
        let canonical = text(&formula);
        if let Ok(number) = canonical.parse::<usize>() {
            let number = proc_macro2::Literal::usize_unsuffixed(number);
            return quote!(#number);
        }
        let same = self.derived.iter().find(|d| d.canonical == canonical);
        if let Some(known) = same {
            let name = &known.name;
            return quote!(#name);
        }
        // A parameter that is given, passed on as it is.
        if let Some(given) = self.given.iter().find(|g| g.name == canonical) {
            let name = &given.name;
            return quote!(#name);
        }
        let block = snake(&last(path).to_string()).to_uppercase();
        let mut hidden = format_ident!("{block}_{name}", span = path.span());
        let mut again = 1;
        while self.derived.iter().any(|d| d.name == hidden) {
            again += 1;
            hidden = format_ident!("{block}{again}_{name}", span = path.span());
        }
        self.derived.push(Derived {
            name: hidden.clone(),
            value: DerivedValue::Of(at, place),
            canonical,
        });
        quote!(#hidden)
    }

    pub fn field(&self, name: &Ident) -> Option<&Field> {
        self.fields.iter().find(|f| f.name == *name)
    }

    /// Whether a block inside has a clock and a reset.
    pub fn is_clocked(&self, path: &syn::Path) -> bool {
        self.signatures
            .as_ref()
            .and_then(|s| s.get(&text(path)))
            .is_some_and(|s| s.clocked)
    }

    pub fn has_clock(&self) -> bool {
        self.fields
            .iter()
            .any(|f| matches!(&f.kind, Kind::Signal(d, Value::Clock) if d == "In"))
    }

    pub fn is_parameter(&self, name: &Ident) -> bool {
        self.given.iter().any(|g| g.name == *name) || self.derived.iter().any(|d| d.name == *name)
    }
}

/// Without what multiplies by one and without needless brackets.
fn normal(tokens: TokenStream) -> TokenStream {
    fn number(e: &Expr) -> Option<u128> {
        match e {
            Expr::Lit(syn::ExprLit {
                lit: syn::Lit::Int(i),
                ..
            }) => i.base10_parse().ok(),
            _ => None,
        }
    }
    fn fold(e: Expr) -> Expr {
        use syn::BinOp as Op;
        match e {
            Expr::Paren(p) => match fold(*p.expr.clone()) {
                inner @ (Expr::Lit(_) | Expr::Path(_) | Expr::Call(_)) => inner,
                inner => Expr::Paren(syn::ExprParen {
                    expr: Box::new(inner),
                    ..p
                }),
            },
            Expr::Group(g) => fold(*g.expr),
            Expr::Call(mut c) => {
                c.args = c.args.into_iter().map(fold).collect();
                Expr::Call(c)
            }
            Expr::Binary(mut b) => {
                b.left = Box::new(fold(*b.left));
                b.right = Box::new(fold(*b.right));
                let value = match (&b.op, number(&b.left), number(&b.right)) {
                    (Op::Mul(_), Some(1), _) => return *b.right,
                    (Op::Mul(_), _, Some(1)) => return *b.left,
                    (Op::Mul(_), Some(x), Some(y)) => x * y,
                    (Op::Add(_), Some(x), Some(y)) => x + y,
                    _ => return Expr::Binary(b),
                };
                let value = proc_macro2::Literal::u128_unsuffixed(value);
                syn::parse_quote!(#value)
            }
            e => e,
        }
    }
    match syn::parse2::<Expr>(tokens.clone()) {
        Ok(e) => fold(e).into_token_stream(),
        Err(_) => tokens,
    }
}

/// Names replaced by values, in brackets where those are more than one token.
pub fn substitute(
    tokens: TokenStream,
    value: &dyn Fn(&Ident) -> Option<TokenStream>,
) -> TokenStream {
    tokens
        .into_iter()
        .map(|token| match token {
            TokenTree::Ident(name) => match value(&name) {
                Some(value) if value.clone().into_iter().nth(1).is_some() => TokenTree::Group(
                    proc_macro2::Group::new(proc_macro2::Delimiter::Parenthesis, value),
                ),
                Some(value) => value.into_iter().next().unwrap_or(TokenTree::Ident(name)),
                None => TokenTree::Ident(name),
            },
            TokenTree::Group(group) => {
                let mut inner =
                    proc_macro2::Group::new(group.delimiter(), substitute(group.stream(), value));
                inner.set_span(group.span());
                TokenTree::Group(inner)
            }
            other => other,
        })
        .collect()
}
