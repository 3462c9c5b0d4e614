//! The Rust of a unit.

use crate::kernel::{self, Kernel};
use crate::model::{last, Kind, Unit, Value};
use crate::{ast, parameters};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::{Expr, Result};

pub fn unit(unit: Unit) -> Result<TokenStream> {
    let here = unit.update.sig.ident.span();
    items(unit).map(|tokens| crate::resolved(tokens, here))
}

/// `update()` for editors: what they see while it is typed and the unit's blocks inside cannot
/// be asked, since tokens that an editor adds do not survive that.
pub fn for_editor(unit: Unit) -> TokenStream {
    let mut unit = unit;
    if unit.uses.is_empty()
        && unit
            .fields
            .iter()
            .all(|f| !matches!(f.kind, Kind::Block(..)))
    {
        return quote!();
    }
    let here = unit.update.sig.ident.span();
    let ident = unit.ident.clone();
    let mut body = match kernel::rewrite(&mut unit) {
        Ok(kernel) => kernel.body,
        Err(_) => unit.update.block.clone(),
    };
    let names: Vec<Ident> = unit
        .given
        .iter()
        .map(|g| g.name.clone())
        .chain(unit.derived.iter().map(|d| d.name.clone()))
        .collect();
    // Wiring is of no use here.
    body.stmts
        .retain(|s| !crate::model::text(s).contains("at_0"));
    let tokens = quote! {
        #[cfg(rust_analyzer)]
        impl #ident!(@any) {
            fn update_in_editor(&mut self) { #(const #names: usize = 0;)* #body }
        }
    };
    crate::resolved(tokens, here)
}

fn items(unit: Unit) -> Result<TokenStream> {
    let mut unit = unit;
    parameters::check_order(&unit)?;
    // With what is wrong in update(), all the rest is still there for others.
    let (
        Kernel {
            body,
            locals,
            constants,
            strings,
        },
        wrong,
    ) = match kernel::rewrite(&mut unit) {
        Ok(kernel) => (kernel, None),
        Err(e) => {
            let body = syn::parse_quote!({});
            (
                Kernel {
                    body,
                    locals: vec![],
                    constants: vec![],
                    strings: vec![],
                },
                Some(e.to_compile_error()),
            )
        }
    };
    let complete = unit.signatures.is_some();
    let hdl = quote!(::cotenant_netlist::hdl);
    let describe = quote!(::cotenant_netlist::describe);

    // Fields, which add parameters for widths without a name.
    let mut fields = vec![];
    let mut inits = vec![];
    let mut describes = vec![];
    for i in 0..unit.fields.len() {
        let (attrs, vis, name, kind, lengths, init) = {
            let f = &unit.fields[i];
            (
                f.attrs.clone(),
                f.vis.clone(),
                f.name.clone(),
                f.kind.clone(),
                f.lengths.clone(),
                f.init.clone(),
            )
        };
        let span = name.span();
        let (ty, make, describe) = field(&mut unit, &kind, init.as_ref(), lengths.len(), span)?;
        let ty = lengths
            .iter()
            .fold(ty, |ty, _| quote!(::std::vec::Vec<#ty>));
        fields.push(quote!(#(#attrs)* #vis #name: #ty));
        let make = arrays(make, &lengths, 0);
        inits.push(quote!(#name: #make));
        let name = name.to_string();
        let mut format = name.clone();
        lengths.iter().for_each(|_| format.push_str("${}"));
        let at: Vec<Ident> = (0..lengths.len())
            .map(|i| format_ident!("at_{}", i))
            .collect();
        let mut describe = quote!({ let name = format!(#format #(, #at)*); #describe });
        for (at, length) in at.iter().zip(&lengths).rev() {
            describe = quote!(for #at in 0..(#length) { #describe });
        }
        describes.push(describe);
    }
    for (name, value) in &locals {
        let ty = unit.value_type(value, name.span());
        let width = unit.bits(value);
        let text = name.to_string();
        fields.push(quote!(#name: #hdl::Signal<#hdl::Local, #ty>));
        inits.push(quote!(#name: ::std::default::Default::default()));
        describes.push(quote!(unit.signal(#text, #hdl::AtomKind::LocalSignal, #width, false);));
    }
    for name in &constants {
        let text = name.to_string();
        fields.push(quote!(#name: #hdl::Constant<#hdl::Bits<32>>));
        inits.push(quote!(#name: #hdl::Constant::new((#name as u64).into())));
        describes.push(quote!(unit.constant(#text, 32, (#name as u64).into());));
    }

    for (name, string) in &strings {
        let Some(names) = &unit.attributes.names else {
            let what = "a string stands for a constant of the unit's `names = ..`";
            return Err(syn::Error::new(string.span(), what));
        };
        let text = name.to_string();
        let value = quote!((#names.number(#string) as u64).into());
        fields.push(quote!(#name: #hdl::Constant<#hdl::Bits<32>>));
        inits.push(quote!(#name: #hdl::Constant::new(#value)));
        describes.push(quote!(unit.constant(#text, 32, #value);));
    }

    let ident = &unit.ident;
    let given: Vec<&Ident> = unit.given.iter().map(|g| &g.name).collect();
    let required: Vec<&Ident> = unit
        .given
        .iter()
        .filter(|g| g.default.is_none())
        .map(|g| &g.name)
        .collect();
    let optional: Vec<(&Ident, &Expr)> = unit
        .given
        .iter()
        .filter_map(|g| Some((&g.name, g.default.as_ref()?)))
        .collect();
    let derived: Vec<&Ident> = unit.derived.iter().map(|d| &d.name).collect();
    let all: Vec<&Ident> = given.iter().chain(&derived).copied().collect();
    let total = all.len();
    let zero = parameters::zero(&unit);
    let generics = if total == 0 {
        quote!()
    } else {
        quote!(<#(const #all: usize),*>)
    };
    let generic: Vec<TokenStream> = unit
        .given
        .iter()
        .map(|g| {
            let n = &g.name;
            quote!(const #n: usize)
        })
        .chain(derived.iter().map(|d| quote!(const #d: usize)))
        .collect();
    let declared = if total == 0 {
        quote!()
    } else {
        quote!(<#(#generic),*>)
    };
    let arguments = if total == 0 {
        quote!()
    } else {
        quote!(<#(#all),*>)
    };

    let (derivation, const_checks) = (
        parameters::derivation(&unit),
        parameters::constant_checks(&unit),
    );

    // Who it is.
    let unit_name = &unit.name;
    let source = unit.attributes.source.as_ref().map(|s| quote!(.citing(#s)));
    let file = match &unit.attributes.file {
        Some(f) => f.clone(),
        None => syn::LitStr::new(&format!("{unit_name}.rs"), Span::call_site()),
    };
    let required_text: Vec<String> = required.iter().map(ToString::to_string).collect();
    let with: Vec<TokenStream> = unit
        .attributes
        .with
        .iter()
        .map(|(name, value)| quote!(let #name = #value;))
        .collect();
    let documentation = match unit.attributes.ports.is_empty() {
        true => quote!(include_str!(#file)),
        false => {
            let ports = ports_in_words(&unit);
            quote!(concat!(include_str!(#file), #ports))
        }
    };
    let identity = match &unit.attributes.parameters {
        Some(pairs) => quote!(.parameters(#pairs)),
        None => quote!(#(.parameter(#required_text, #required))*),
    };
    let mut about = quote! {
        #[allow(unused_mut)] let mut about = ::cotenant_netlist::About::new(#unit_name)
            #identity
            #source
            .documented_in(#documentation);
    };
    if !optional.is_empty() {
        let differ = optional
            .iter()
            .map(|(name, default)| quote!(#name != #default));
        let names = optional.iter().map(|(n, _)| n);
        let texts = optional.iter().map(|(n, _)| n.to_string());
        about = quote!(#about if #(#differ)||* { about = about #(.parameter(#texts, #names))*; });
    }
    if let Some(unused) = &unit.attributes.unused {
        about = quote!(#about for name in #unused { about = about.unused(&name.to_string()); });
    }

    let (docs, vis) = (&unit.attrs, &unit.vis);
    let structure = quote! {
        #(#docs)*
        #[derive(Clone, Debug, #hdl::LogicBlock)]
        #[allow(non_snake_case)]
        #vis struct #ident #declared {
            #(#fields,)*
            about: ::cotenant_netlist::About,
        }
    };
    let update_attrs = &unit.update.attrs;
    let signature = &unit.update.sig;
    let logic = quote! {
        impl #generics #hdl::Logic for #ident #arguments {
            #(#update_attrs)*
            #[hdl_gen]
            #signature #body
        }
    };
    if !complete {
        return Ok(quote!(#wrong #structure #logic));
    }

    let make = quote! {
        const { #const_checks }
        #(#with)*
        #about
        Self { #(#inits,)* about }
    };
    let (from, default) = match &unit.attributes.given {
        None => {
            let default = quote! {
                impl #generics ::std::default::Default for #ident #arguments {
                    fn default() -> Self { #make }
                }
            };
            (quote!(), default)
        }
        Some((name, ty)) => {
            let new = quote! {
                impl #generics #ident #arguments {
                    /// The unit with constants from this.
                    pub fn new(#name: #ty) -> Self { #make }
                }
            };
            (quote!(, #name: #ty), new)
        }
    };

    // Ports by name.
    let port = |direction: &str| -> Vec<Ident> {
        let is = |f: &&crate::model::Field| matches!(&f.kind, Kind::Signal(d, v) if d == direction && !matches!(v, Value::Clock));
        unit.fields
            .iter()
            .filter(is)
            .map(|f| f.name.clone())
            .collect()
    };
    let (inputs, outputs) = (port("In"), port("Out"));
    let clocks: Vec<&Ident> = unit
        .fields
        .iter()
        .filter(|f| matches!(&f.kind, Kind::Signal(d, Value::Clock) if d == "In"))
        .map(|f| &f.name)
        .collect();
    let (input_names, output_names) = (
        inputs.iter().map(ToString::to_string),
        outputs.iter().map(ToString::to_string),
    );
    let clock = match clocks.first() {
        Some(clock) => quote!(Some(&mut self.#clock)),
        None => quote!(None),
    };
    let ports = quote! {
        impl #generics ::cotenant_netlist::unit::Unit for #ident #arguments {
            fn clock(&mut self) -> Option<&mut #hdl::Signal<#hdl::In, #hdl::Clock>> { #clock }
            fn inputs(&mut self) -> Vec<(&'static str, &mut dyn ::cotenant_netlist::unit::InputPort)> {
                vec![#((#input_names, &mut self.#inputs)),*]
            }
            fn outputs(&self) -> Vec<(&'static str, &dyn ::cotenant_netlist::unit::OutputPort)> {
                vec![#((#output_names, &self.#outputs)),*]
            }
        }
    };

    let code = ast::block(&body)?;
    let least = required.len();
    let most = given.len();
    let parameters = parameters::items(&unit);
    let unpacked = parameters::unpacked(&unit.given);
    let description = quote! {
        #[allow(non_snake_case, unused_variables, clippy::all)]
        impl #zero {
            #parameters

            /// The unit with parameters that are known at run time, as the elaborator reads it.
            ///
            /// # Errors
            /// Parameters that are not legal, also of a part.
            pub fn describe(
                name: &str,
                given: &[usize]
                #from
            ) -> Result<#describe::Description, #describe::ParameterError> {
                use #hdl::ast;
                let given = Self::DEFINITION.check(given)?;
                #unpacked
                #derivation
                #(#with)*
                let code: Vec<ast::VerilogStatement> = #code;
                let mut unit = #describe::Description::new(name, ast::Verilog::Combinatorial(code));
                #(#describes)*
                #about
                unit.about(about);
                Ok(unit)
            }
        }
    };

    // What others ask it, and its type for some parameters.
    let hidden = format_ident!("__macro_{ident}");
    let clocked = unit.has_clock();
    let optional_formulas = optional.iter().map(|(n, d)| {
        let f = unit.inlined(quote!(#d));
        quote!(#n { #f })
    });
    let derived_formulas = unit.derived.iter().map(|d| {
        let (n, f): (_, TokenStream) = (&d.name, d.canonical.parse().expect("tokens"));
        quote!(#n { #f })
    });
    let told_ports = unit.fields.iter().filter_map(|f| match &f.kind {
        Kind::Signal(direction, value)
            if direction != "Local" && !matches!(value, Value::Clock) && f.lengths.is_empty() =>
        {
            let width = match value {
                Value::Bit => quote!(),
                value => {
                    let bits = unit.bits(value);
                    unit.known_width(&bits)
                }
            };
            let docs = f.attrs.iter().filter(|a| a.path().is_ident("doc"));
            let name = &f.name;
            Some(quote!(#(#docs)* #direction #name { #width }))
        }
        _ => None,
    });
    let mut arms = vec![];
    for n in least..=most {
        let names: Vec<Ident> = (0..n).map(|i| format_ident!("p{}", i)).collect();
        let places = 0..total;
        let dollars = names.iter().map(|n| quote!($#n));
        let values = quote!(&[#(#dollars),*]);
        let pattern = names.iter().map(|n| quote!($#n:expr));
        let body = places.map(|k| quote!({ #zero::__parameters(#values)[#k] }));
        arms.push(quote! { (#(#pattern),* $(,)?) => { #ident<#(#body),*> }; });
    }
    let plain = if total == 0 {
        quote!(#ident)
    } else {
        quote!(#zero)
    };
    let told = quote! {
        #[doc(hidden)]
        #[macro_export]
        macro_rules! #hidden {
            (@signature $($state:tt)*) => {
                ::cotenant_netlist::__unit! {
                    { [#(#required)*] [#(#optional_formulas)*] [#(#derived_formulas)*] #clocked [#(#told_ports)*] } $($state)*
                }
            };
            (@any) => { #plain };
            (@definition) => { #zero::DEFINITION };
            #(#arms)*
        }
        #[doc(hidden)]
        #[allow(unused_imports)]
        pub use #hidden as #ident;
    };
    let span = ident.span();
    let _ = quote_spanned!(span=> );
    Ok(quote!(#wrong #structure #default #logic #ports #description #told))
}

/// A struct with all ports and their documentation, as text: the source has not those of parts.
fn ports_in_words(unit: &Unit) -> String {
    use std::fmt::Write;
    let doc = |attrs: &[syn::Attribute]| -> String {
        let docs = attrs.iter().filter(|a| a.path().is_ident("doc"));
        docs.map(|a| format!("{} ", quote!(#a))).collect()
    };
    let mut out = format!(
        "\n{}#[derive(LogicBlock)] struct {} {{ ",
        doc(&unit.attrs),
        unit.ident
    );
    for f in &unit.fields {
        if matches!(&f.kind, Kind::Signal(d, _) if d != "Local") {
            write!(out, "{}pub {}: (), ", doc(&f.attrs), f.name).expect("a string");
        }
    }
    out + "}\n"
}

/// `make` for each element of the arrays around.
fn arrays(make: TokenStream, lengths: &[Expr], depth: usize) -> TokenStream {
    match lengths.split_first() {
        None => make,
        Some((length, rest)) => {
            let at = format_ident!("at_{}", depth);
            let inner = arrays(make, rest, depth + 1);
            quote!((0..(#length)).map(#[allow(unused_variables)] |#at| #inner).collect())
        }
    }
}

/// Type, value and description of one element of a field.
fn field(
    unit: &mut Unit,
    kind: &Kind,
    init: Option<&Expr>,
    depth: usize,
    span: Span,
) -> Result<(TokenStream, TokenStream, TokenStream)> {
    let hdl = quote!(::cotenant_netlist::hdl);
    let default = quote!(::std::default::Default::default());
    Ok(match kind {
        Kind::Signal(direction, value) => {
            let ty = unit.value_type(value, span);
            let width = unit.bits(value);
            let clock = matches!(value, Value::Clock);
            let atom = match direction.to_string().as_str() {
                "In" => quote!(InputParameter),
                "Out" => quote!(OutputParameter),
                _ => quote!(LocalSignal),
            };
            (
                quote!(#hdl::Signal<#hdl::#direction, #ty>),
                default,
                quote!(unit.signal(name, #hdl::AtomKind::#atom, #width, #clock);),
            )
        }
        Kind::Constant(value) => {
            let ty = unit.value_type(value, span);
            let width = unit.bits(value);
            let init = init.expect("checked");
            let (typed, number) = initial(unit, init, value, depth)?;
            (
                quote!(#hdl::Constant<#ty>),
                quote!(#hdl::Constant::new(#typed)),
                quote!(unit.constant(name, #width, #number);),
            )
        }
        Kind::Reg(value) => {
            let ty = unit.value_type(value, span);
            let width = unit.bits(value);
            let zero: Expr = syn::parse_quote!(0);
            let no: Expr = syn::parse_quote!(false);
            let init = init.unwrap_or(if matches!(value, Value::Bit) {
                &no
            } else {
                &zero
            });
            let (typed, number) = initial(unit, init, value, depth)?;
            (
                quote!(::cotenant_netlist::prim::Reg<#ty>),
                quote!(::cotenant_netlist::prim::Reg::new(#typed)),
                quote!(unit.reg(name, #width, #number);),
            )
        }
        Kind::Ram(value, address) => {
            let ty = unit.value_type(value, span);
            let width = unit.bits(value);
            let a = unit.width(address);
            (
                quote!(::cotenant_netlist::prim::Ram<#ty, #a>),
                default,
                quote!(unit.ram(name, #width, #address);),
            )
        }
        Kind::Block(path, arguments) => {
            let at = unit.use_of(path, arguments)?;
            let u = &unit.uses[at];
            let (all, given) = (&u.arguments, &u.given);
            let _ = last(path);
            let zeros = (0..u.total).map(|_| quote!(0));
            let make = match init {
                None => default,
                Some(from) => quote!(#path::<#(#all),*>::new(#from)),
            };
            let from = init.map(|from| quote!(, #from));
            let describe = quote!(#path::<#(#zeros),*>::describe(&name, &[#(#given),*] #from)?);
            (
                quote!(#path<#(#all),*>),
                make,
                quote!(unit.child(#describe);),
            )
        }
    })
}

/// A value as rust-hdl has it, and as a number.
fn initial(
    unit: &mut Unit,
    init: &Expr,
    value: &Value,
    depth: usize,
) -> Result<(TokenStream, TokenStream)> {
    let hdl = quote!(::cotenant_netlist::hdl);
    // `|i| ..` of an array.
    let e = match init {
        Expr::Closure(c) => {
            let at: Vec<Ident> = (0..depth).map(|i| format_ident!("at_{}", i)).collect();
            let (inputs, body) = (&c.inputs, &c.body);
            quote!({ let (#inputs,) = (#(#at,)*); #body })
        }
        e => quote!(#e),
    };
    if crate::model::text(init) == "ones" {
        let width = unit.bits(value);
        let w = unit.width(&width);
        return Ok((
            quote!(!#hdl::bits::<#w>(0)),
            quote!(::cotenant_netlist::describe::ones(#width)),
        ));
    }
    Ok(match value {
        Value::Bit => (quote!(#e), quote!(((#e) as u64).into())),
        _ => (quote!(((#e) as u64).into()), quote!(((#e) as u64).into())),
    })
}
