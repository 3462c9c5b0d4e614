//! The unit as written: a module with one struct and `fn update(&mut self)`.
//!
//! ```ignore
//! #[unit(source = "..", require(..))]
//! mod counter {
//!     /// What it is.
//!     pub struct Counter<#[range(1..=64)] const WIDTH: usize, const SUM_W: usize = { WIDTH + 1 }> {
//!         pub clock: In<Clock>,
//!         count: Reg<Bits<WIDTH>>,
//!     }
//!
//!     fn update(&mut self) {}
//! }
//! ```
//!
//! A parameter with a range (or `#[optional]`) is given, with its formula as the default; one
//! with a formula alone is derived.

mod arrays;
mod attributes;
mod fields;
mod widths;

pub use arrays::Arrays;
pub use attributes::Attributes;
pub use fields::{check_name, kind, Argument, Field, Kind, Value};

use crate::formula::{snake, unbraced};
use crate::parts::{Signatures, Use};
use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use syn::parse::{Parse, ParseStream};
use syn::spanned::Spanned;
use syn::{Attribute, Error, Expr, Result};

/// The two items of a unit.
pub struct Source {
    pub structure: syn::ItemStruct,
    pub update: syn::ImplItemFn,
}

impl Source {
    /// From the module below `#[unit]`.
    ///
    /// Its arrays of parameters are written out; where the unit's attribute names them,
    /// [`Arrays::spread`] does the same.
    pub fn of_module(item: TokenStream) -> Result<(Source, Arrays)> {
        let what =
            "#[unit] stands on a module `mod name { pub struct .. fn update(&mut self) .. }`";
        let syn::Item::Mod(module) = syn::parse2(item.clone())? else {
            return Err(Error::new_spanned(item, what));
        };
        let what = "a unit is one struct and `fn update(&mut self)`";
        let (mut structure, mut update) = (None, None);
        for item in module.content.iter().flat_map(|c| &c.1) {
            match item {
                syn::Item::Struct(s) if structure.is_none() => structure = Some(s.clone()),
                // A function with `self` outside of an impl may be no item to the parser.
                syn::Item::Fn(_) | syn::Item::Verbatim(_) if update.is_none() => {
                    let function: syn::ImplItemFn = syn::parse2(item.to_token_stream())?;
                    if function.sig.ident != "update" {
                        return Err(Error::new(function.sig.ident.span(), what));
                    }
                    update = Some(function);
                }
                other => return Err(Error::new(other.span(), what)),
            }
        }
        match (structure, update) {
            (Some(mut structure), Some(update)) => {
                let arrays = Arrays::expand(&mut structure)?;
                let update = syn::parse2(arrays.spread(update.into_token_stream()))?;
                Ok((Source { structure, update }, arrays))
            }
            _ => Err(Error::new(module.ident.span(), what)),
        }
    }

    /// From the state of a step. Without `update()` if it is none yet: an editor asks while it is
    /// typed, and wants to know the rest.
    pub fn of_step(both: TokenStream) -> Result<(Source, Option<Error>)> {
        struct Front(syn::ItemStruct, TokenStream);
        impl Parse for Front {
            fn parse(input: ParseStream) -> Result<Self> {
                Ok(Front(input.parse()?, input.parse()?))
            }
        }
        let Front(structure, rest) = syn::parse2(both)?;
        let (update, wrong) = match syn::parse2(rest) {
            Ok(update) => (update, None),
            Err(e) => {
                let nothing = syn::parse_quote!(
                    fn update(&mut self) {}
                );
                (nothing, Some(e))
            }
        };
        Ok((Source { structure, update }, wrong))
    }
}

/// A parameter that is given.
pub struct Given {
    pub attrs: Vec<Attribute>,
    pub name: Ident,
    pub range: Option<syn::ExprRange>,
    /// What it is unless given.
    pub default: Option<Expr>,
    /// It is an element of an array.
    pub element: bool,
}

/// A parameter that follows from others.
pub struct Derived {
    pub name: Ident,
    pub value: DerivedValue,
    /// Its formula over the given parameters, which tells whether two are the same.
    pub canonical: String,
}

/// Where a derived parameter's value is from.
pub enum DerivedValue {
    /// A formula.
    Expr(Box<Expr>),
    /// Which use of a part, which of its parameters.
    Of(usize, usize),
}

/// A unit; what its parts derive and `update()` adds comes in while it is emitted.
pub struct Unit {
    pub attributes: Attributes,
    pub attrs: Vec<Attribute>,
    pub vis: syn::Visibility,
    pub ident: Ident,
    /// Name of the Verilog module, `lru_stack` of a `LruStack`.
    pub name: String,
    pub given: Vec<Given>,
    pub derived: Vec<Derived>,
    pub fields: Vec<Field>,
    /// How parts are used, each pair of part and arguments once.
    pub uses: Vec<Use>,
    pub update: syn::ImplItemFn,
    /// What the parts tell; none where they cannot be asked.
    pub signatures: Option<Signatures>,
}

impl Unit {
    /// Reads a unit.
    pub fn new(
        attributes: Attributes,
        source: Source,
        signatures: Option<Signatures>,
    ) -> Result<Unit> {
        let Source { structure, update } = source;
        let name = match &attributes.name {
            Some(name) => name.value(),
            None => snake(&structure.ident.to_string()),
        };
        let mut unit = Unit {
            attributes,
            attrs: structure.attrs,
            vis: structure.vis,
            ident: structure.ident,
            name,
            given: vec![],
            derived: vec![],
            fields: vec![],
            uses: vec![],
            update,
            signatures,
        };
        for parameter in structure.generics.params {
            unit.parameter(parameter)?;
        }
        for field in structure.fields {
            unit.fields.push(Field::new(field)?);
        }
        unit.inherit_ports()?;
        Ok(unit)
    }

    fn parameter(&mut self, parameter: syn::GenericParam) -> Result<()> {
        let syn::GenericParam::Const(p) = parameter else {
            let what = "parameters are numbers: `const WAYS: usize`";
            return Err(Error::new(parameter.span(), what));
        };
        let default = p.default.as_ref().map(unbraced).transpose()?.cloned();
        let mut attrs = p.attrs;
        let range = match fields::take(&mut attrs, "range")? {
            Some(Expr::Range(r)) => Some(r),
            Some(e) => return Err(Error::new(e.span(), "a range, as 1..=64")),
            None => None,
        };
        let mut marked = |name| {
            let at = attrs.iter().position(|a| a.path().is_ident(name));
            at.map(|at| attrs.remove(at)).is_some()
        };
        let (optional, element) = (marked("optional"), marked("element"));
        let name = p.ident;
        match default {
            Some(value) if range.is_none() && !optional => {
                let canonical = self.canonical(&value);
                let value = DerivedValue::Expr(Box::new(value));
                self.derived.push(Derived {
                    name,
                    value,
                    canonical,
                });
            }
            default => self.given.push(Given {
                attrs,
                name,
                range,
                default,
                element,
            }),
        }
        Ok(())
    }

    pub fn field(&self, name: &Ident) -> Option<&Field> {
        self.fields.iter().find(|f| f.name == *name)
    }

    pub fn is_parameter(&self, name: &Ident) -> bool {
        self.given.iter().any(|g| g.name == *name) || self.derived.iter().any(|d| d.name == *name)
    }

    /// The unit's own clock.
    pub fn clock(&self) -> Option<&Field> {
        self.fields.iter().find(|f| f.is_clock())
    }

    /// Inputs (`In`) or outputs (`Out`) without the clock.
    pub fn ports<'a>(&'a self, direction: &'a str) -> impl Iterator<Item = &'a Field> {
        let ports = self
            .fields
            .iter()
            .filter(move |f| f.direction_is(direction));
        ports.filter(|f| !f.is_clock())
    }
}
