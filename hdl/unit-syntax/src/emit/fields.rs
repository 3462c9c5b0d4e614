//! Fields of the block: types, initial values, and how they are described.

use super::hdl;
use crate::formula::text;
use crate::sugar::Kernel;
use crate::unit::{Field, Kind, Unit, Value};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::{Error, Expr, Result};

/// The fields of a unit, with those that `update()` adds.
#[derive(Default)]
pub struct Fields {
    /// `name: type`.
    pub declared: Vec<TokenStream>,
    /// `name: value`.
    pub inits: Vec<TokenStream>,
    /// Statements that add them to a description `unit`.
    pub describes: Vec<TokenStream>,
}

/// One element of a field.
struct Element {
    ty: TokenStream,
    make: TokenStream,
    /// Adds it under `name`.
    describe: TokenStream,
}

impl Fields {
    /// Widths without a parameter get one here.
    pub fn of(unit: &mut Unit, kernel: &Kernel) -> Result<Fields> {
        let hdl = hdl();
        let mut all = Fields::default();
        for at in 0..unit.fields.len() {
            let field = unit.fields[at].clone();
            let element = element(unit, &field)?;
            all.arrays(&field, element);
        }
        for (name, value) in &kernel.locals {
            let (ty, width) = (unit.value_type(value, name.span()), unit.bits(value));
            let text = name.to_string();
            all.declared
                .push(quote!(#name: #hdl::Signal<#hdl::Local, #ty>));
            all.inits
                .push(quote!(#name: ::std::default::Default::default()));
            all.describes.push(quote!(
                unit.signal(#text, #hdl::AtomKind::LocalSignal, #width, false);
            ));
        }
        for name in &kernel.constants {
            all.constant(name, quote!((#name as u64).into()));
        }
        for (name, string) in kernel.strings.values() {
            let Some(names) = &unit.attributes.names else {
                let what = "a string stands for a constant of the unit's `names = ..`";
                return Err(Error::new(string.span(), what));
            };
            all.constant(name, quote!((#names.number(#string) as u64).into()));
        }
        Ok(all)
    }

    /// A field: arrays of its element.
    fn arrays(&mut self, field: &Field, element: Element) {
        let Element { ty, make, describe } = element;
        let (attrs, vis, name) = (&field.attrs, &field.vis, &field.name);
        let at: Vec<Ident> = (0..field.lengths.len()).map(at).collect();
        let (mut ty, mut make) = (ty, make);
        let format = name.to_string() + &"${}".repeat(at.len());
        let mut describe = quote!({ let name = format!(#format #(, #at)*); #describe });
        for (at, length) in at.iter().zip(&field.lengths).rev() {
            ty = quote!(::std::vec::Vec<#ty>);
            make = quote!((0..(#length)).map(#[allow(unused_variables)] |#at| #make).collect());
            describe = quote!(for #at in 0..(#length) { #describe });
        }
        self.declared.push(quote!(#(#attrs)* #vis #name: #ty));
        self.inits.push(quote!(#name: #make));
        self.describes.push(describe);
    }

    /// A constant that `update()` names.
    fn constant(&mut self, name: &Ident, value: TokenStream) {
        let (hdl, text) = (hdl(), name.to_string());
        self.declared
            .push(quote!(#name: #hdl::Constant<#hdl::Bits<32>>));
        self.inits.push(quote!(#name: #hdl::Constant::new(#value)));
        self.describes
            .push(quote!(unit.constant(#text, 32, #value);));
    }
}

/// Name of the position in the dimension `depth` of an array.
fn at(depth: usize) -> Ident {
    format_ident!("at_{}", depth)
}

fn element(unit: &mut Unit, field: &Field) -> Result<Element> {
    let (hdl, prim) = (hdl(), quote!(::cotenant_netlist::prim));
    let default = quote!(::std::default::Default::default());
    let (span, init, depth) = (field.name.span(), field.init.as_ref(), field.lengths.len());
    Ok(match &field.kind {
        Kind::Signal(direction, value) => {
            let (ty, width) = (unit.value_type(value, span), unit.bits(value));
            let clock = matches!(value, Value::Clock);
            let atom = match direction.to_string().as_str() {
                "In" => quote!(InputParameter),
                "Out" => quote!(OutputParameter),
                _ => quote!(LocalSignal),
            };
            Element {
                ty: quote!(#hdl::Signal<#hdl::#direction, #ty>),
                make: default,
                describe: quote!(unit.signal(name, #hdl::AtomKind::#atom, #width, #clock);),
            }
        }
        Kind::Constant(value) => {
            let (ty, width) = (unit.value_type(value, span), unit.bits(value));
            let (typed, number) = initial(unit, init, value, depth);
            Element {
                ty: quote!(#hdl::Constant<#ty>),
                make: quote!(#hdl::Constant::new(#typed)),
                describe: quote!(unit.constant(name, #width, #number);),
            }
        }
        Kind::Reg(value) => {
            let (ty, width) = (unit.value_type(value, span), unit.bits(value));
            let (typed, number) = initial(unit, init, value, depth);
            Element {
                ty: quote!(#prim::Reg<#ty>),
                make: quote!(#prim::Reg::new(#typed)),
                describe: quote!(unit.reg(name, #width, #number);),
            }
        }
        Kind::Ram(value, address) => {
            let (ty, width) = (unit.value_type(value, span), unit.bits(value));
            let typed = unit.width(address);
            Element {
                ty: quote!(#prim::Ram<#ty, #typed>),
                make: default,
                describe: quote!(unit.ram(name, #width, #address);),
            }
        }
        Kind::Part(path, arguments) => {
            let at = unit.use_of(path, arguments)?;
            let part = &unit.uses[at];
            let (all, given, zero) = (&part.arguments, &part.given, part.zero());
            let from = init.map(|from| quote!(, #from));
            Element {
                ty: quote!(#path<#(#all),*>),
                make: match init {
                    None => default,
                    Some(from) => quote!(#path::<#(#all),*>::new(#from)),
                },
                describe: quote!(unit.child(#zero::describe(&name, &[#(#given),*] #from)?);),
            }
        }
    })
}

/// A value as rust-hdl has it, and as a number; zero unless it is written.
fn initial(
    unit: &mut Unit,
    init: Option<&Expr>,
    value: &Value,
    depth: usize,
) -> (TokenStream, TokenStream) {
    let value_of = match init {
        None if matches!(value, Value::Bit) => quote!(false),
        None => quote!(0),
        Some(ones) if text(ones) == "ones" => {
            let (hdl, bits) = (hdl(), unit.bits(value));
            let width = unit.width(&bits);
            let number = quote!(::cotenant_netlist::describe::ones(#bits));
            return (quote!(!#hdl::bits::<#width>(0)), number);
        }
        // `|i| ..` of an array.
        Some(Expr::Closure(c)) => {
            let at = (0..depth).map(at);
            let (inputs, body) = (&c.inputs, &c.body);
            quote!({ let (#inputs,) = (#(#at,)*); #body })
        }
        Some(e) => quote!(#e),
    };
    let number = quote!(((#value_of) as u64).into());
    match value {
        Value::Bit => (value_of, number),
        _ => (number.clone(), number),
    }
}
