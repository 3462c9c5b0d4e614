//! Parses the arguments of `#[unit(..)]`.

use proc_macro2::Ident;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Error, Expr, LitStr, Result, Token};

/// `source = "..", require(condition, "text")` and the like.
#[derive(Default)]
pub struct Attributes {
    /// `source = "GDC, figure 2"`: what the unit implements.
    pub source: Option<Expr>,
    /// `unused = ["bank.flag"]`: signals that are deliberately not read.
    pub unused: Option<Expr>,
    /// `name = "gdcu"`: the unit's name where it is not the struct's in snake case.
    pub name: Option<LitStr>,
    /// `require(LIMIT_W <= COUNT_W, "LIMIT_W is 1 to COUNT_W")`.
    pub requires: Vec<(Expr, LitStr)>,
    /// `file = "gdcu.rs"`: where the unit stands, if not in a file of its name.
    pub file: Option<LitStr>,
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
            comma(&inner)?;
        }
        Ok(Inherited { part, rest, listed })
    }
}

impl Parse for Attributes {
    fn parse(input: ParseStream) -> Result<Self> {
        let mut all = Attributes::default();
        while !input.is_empty() {
            let name: Ident = input.parse()?;
            match name.to_string().as_str() {
                "require" | "given" | "with" | "ports" => {
                    let inner;
                    syn::parenthesized!(inner in input);
                    all.list(&name, &inner)?;
                }
                "source" => all.source = Some(value(input)?),
                "unused" => all.unused = Some(value(input)?),
                "name" => all.name = Some(value(input)?),
                "file" => all.file = Some(value(input)?),
                "names" => all.names = Some(value(input)?),
                "parameters" => all.parameters = Some(value(input)?),
                _ => {
                    let what = "source, unused, name, file, names, parameters, require(..), \
                                given(..), with(..) or ports(..)";
                    return Err(Error::new(name.span(), what));
                }
            }
            comma(input)?;
        }
        Ok(all)
    }
}

impl Attributes {
    /// What stands in the brackets of `name(..)`.
    fn list(&mut self, name: &Ident, inner: ParseStream) -> Result<()> {
        if name == "require" {
            let condition = inner.parse()?;
            inner.parse::<Token![,]>()?;
            self.requires.push((condition, inner.parse()?));
            comma(inner)?;
        } else if name == "given" {
            let given = inner.parse()?;
            inner.parse::<Token![:]>()?;
            self.given = Some((given, inner.parse()?));
        } else if name == "with" {
            while !inner.is_empty() {
                let name = inner.parse()?;
                self.with.push((name, value(inner)?));
                comma(inner)?;
            }
        } else {
            let parts = Punctuated::<Inherited, Token![,]>::parse_terminated(inner)?;
            self.ports = parts.into_iter().collect();
        }
        Ok(())
    }
}

/// `= value`.
fn value<T: Parse>(input: ParseStream) -> Result<T> {
    input.parse::<Token![=]>()?;
    input.parse()
}

/// A comma, unless nothing follows.
fn comma(input: ParseStream) -> Result<()> {
    if !input.is_empty() {
        input.parse::<Token![,]>()?;
    }
    Ok(())
}
