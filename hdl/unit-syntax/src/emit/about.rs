//! Emits the unit's `About`, which names and documents the Verilog module.

use crate::unit::Unit;
use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use std::fmt::Write;
use syn::LitStr;

/// `let about = ..` where the parameters are known.
pub fn of(unit: &Unit) -> TokenStream {
    let (name, attributes) = (&unit.name, &unit.attributes);
    let source = attributes.source.as_ref().map(|s| quote!(.citing(#s)));
    let file = attributes.file.clone();
    let file = file.unwrap_or_else(|| LitStr::new(&format!("{name}.rs"), Span::call_site()));
    // The file is beside the source of the unit, not of the part that was asked last.
    let text = quote_spanned!(unit.ident.span()=> include_str!(#file));
    // Which has not the documentation of ports that are a part's.
    let inherited = (!attributes.ports.is_empty()).then(|| {
        let ports = ports_in_words(unit);
        quote!(.and_in(#ports))
    });
    let (optional, required): (Vec<_>, Vec<_>) =
        unit.given.iter().partition(|g| g.default.is_some());
    let identity = match &attributes.parameters {
        Some(pairs) => quote!(.parameters(#pairs)),
        None => {
            let names = required.iter().map(|g| &g.name);
            let texts = required.iter().map(|g| g.name.to_string());
            quote!(#(.parameter(#texts, #names))*)
        }
    };
    // Parameters with a default name the module only where they differ from it, of arrays each.
    let (elements, optional): (Vec<_>, Vec<_>) = optional.into_iter().partition(|g| g.element);
    let elements = elements.into_iter().filter_map(|g| {
        let (name, default, text) = (&g.name, g.default.as_ref()?, g.name.to_string());
        Some(quote!(if #name != #default { about = about.parameter(#text, #name); }))
    });
    let elements: Vec<TokenStream> = elements.collect();
    let optional = (!optional.is_empty()).then(|| {
        let differ = optional.iter().filter_map(|g| {
            let (name, default) = (&g.name, g.default.as_ref()?);
            Some(quote!(#name != #default))
        });
        let names = optional.iter().map(|g| &g.name);
        let texts = optional.iter().map(|g| g.name.to_string());
        quote!(if #(#differ)||* { about = about #(.parameter(#texts, #names))*; })
    });
    let unused = attributes
        .unused
        .as_ref()
        .map(|names| quote!(for name in #names { about = about.unused(&name.to_string()); }));
    quote! {
        #[allow(unused_mut)]
        let mut about = ::cotenant_netlist::About::new(#name)
            #identity
            #source
            .documented_in(#text)
            #inherited;
        #optional
        #(#elements)*
        #unused
    }
}

/// `let`s of what constants are made from.
pub fn with(unit: &Unit) -> TokenStream {
    let values = unit.attributes.with.iter();
    let values = values.map(|(name, value)| quote!(let #name = #value;));
    quote!(#(#values)*)
}

/// A struct with all ports and their documentation, as text.
fn ports_in_words(unit: &Unit) -> String {
    let doc = |attrs: &[syn::Attribute]| -> String {
        let docs = attrs.iter().filter(|a| a.path().is_ident("doc"));
        docs.map(|a| format!("{} ", quote!(#a))).collect()
    };
    let mut out = format!(
        "\n{}#[derive(LogicBlock)] struct {} {{ ",
        doc(&unit.attrs),
        unit.ident
    );
    for f in unit.fields.iter().filter(|f| f.is_port()) {
        write!(out, "{}pub {}: (), ", doc(&f.attrs), f.name).expect("a string takes all");
    }
    out + "}\n"
}
