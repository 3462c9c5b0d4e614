//! The Rust of a unit: the rust-hdl block, its ports by name, its definition for any parameters,
//! its type macro.

mod about;
mod callback;
mod definition;
mod fields;

use crate::ast;
use crate::parameters;
use crate::steps::resolved;
use crate::sugar::{self, Kernel};
use crate::unit::{Field, Kind, Unit};
use fields::Fields;
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::{Result, Stmt};

/// The whole unit.
pub fn unit(mut unit: Unit) -> Result<TokenStream> {
    parameters::check_order(&unit)?;
    // With what is wrong in update(), all the rest is still there for others.
    let (kernel, code, wrong) = match rewritten(&mut unit) {
        Ok((kernel, code)) => (kernel, code, None),
        Err(e) => (
            Kernel::default(),
            quote!(vec![]),
            Some(e.to_compile_error()),
        ),
    };
    let fields = Fields::of(&mut unit, &kernel)?;
    let block = block(&unit, &fields, &kernel.body);
    let make = make(&unit, &fields);
    let ports = ports(&unit);
    let definition = definition::of(&unit, &fields, &code);
    let callback = callback::of(&unit);
    let all = quote!(#wrong #block #make #ports #definition #callback);
    Ok(resolved(all, unit.update.sig.ident.span()))
}

/// Struct and `update()` as far as they are known without the parts.
pub fn plain(mut unit: Unit) -> Result<TokenStream> {
    parameters::check_order(&unit)?;
    let (kernel, _) = rewritten(&mut unit)?;
    let fields = Fields::of(&mut unit, &kernel)?;
    let block = block(&unit, &fields, &kernel.body);
    Ok(resolved(block, unit.update.sig.ident.span()))
}

/// `update()` for editors, if there are parts: tokens that an editor adds while it completes do
/// not survive the way through the parts' macros.
pub fn for_editor(mut unit: Unit) -> TokenStream {
    if !unit.fields.iter().any(|f| matches!(f.kind, Kind::Part(..))) {
        return quote!();
    }
    let body = match sugar::rewrite(&mut unit) {
        Ok(kernel) => kernel.body,
        Err(_) => unit.update.block.stmts.clone(),
    };
    let (ident, names) = (&unit.ident, parameters::all(&unit));
    let tokens = quote! {
        #[cfg(rust_analyzer)]
        impl #ident!(@any) {
            fn update_in_editor(&mut self) { #(const #names: usize = 0;)* #(#body)* }
        }
    };
    resolved(tokens, unit.update.sig.ident.span())
}

/// `update()` as `#[hdl_gen]` takes it, and the code that makes the same AST.
fn rewritten(unit: &mut Unit) -> Result<(Kernel, TokenStream)> {
    let kernel = sugar::rewrite(unit)?;
    let code = ast::statements(&kernel.body)?;
    Ok((kernel, code))
}

/// Path of what a block needs of rust-hdl.
fn hdl() -> TokenStream {
    quote!(::cotenant_netlist::hdl)
}

/// `<tokens>` if there are any.
fn angled(all: &[TokenStream]) -> TokenStream {
    match all {
        [] => quote!(),
        all => quote!(<#(#all),*>),
    }
}

/// `<const WAYS: usize, ..>`.
fn generics(unit: &Unit) -> TokenStream {
    let names = parameters::all(unit).into_iter();
    angled(&names.map(|n| quote!(const #n: usize)).collect::<Vec<_>>())
}

/// `<WAYS, ..>`.
fn arguments(unit: &Unit) -> TokenStream {
    let names = parameters::all(unit).into_iter();
    angled(&names.map(|n| quote!(#n)).collect::<Vec<_>>())
}

/// The struct and `impl Logic`.
fn block(unit: &Unit, fields: &Fields, body: &[Stmt]) -> TokenStream {
    let (docs, vis, ident, hdl) = (&unit.attrs, &unit.vis, &unit.ident, hdl());
    let (generics, arguments) = (generics(unit), arguments(unit));
    let declared = &fields.declared;
    let (attrs, signature) = (&unit.update.attrs, &unit.update.sig);
    quote! {
        #(#docs)*
        #[derive(Clone, Debug, #hdl::LogicBlock)]
        #[allow(non_snake_case)]
        #vis struct #ident #generics {
            #(#declared,)*
            about: ::cotenant_netlist::About,
        }

        // Generated code: widths and values are spelled out, whether they need it or not.
        #[allow(clippy::all)]
        impl #generics #hdl::Logic for #ident #arguments {
            #(#attrs)*
            #[hdl_gen]
            #signature { #(#body)* }
        }
    }
}

/// `Default`, or `new` of a unit that is given more than parameters.
fn make(unit: &Unit, fields: &Fields) -> TokenStream {
    let (ident, generics, arguments) = (&unit.ident, generics(unit), arguments(unit));
    let (checks, inits) = (parameters::constant_checks(unit), &fields.inits);
    let (with, about) = (about::with(unit), about::of(unit));
    let body = quote! {
        const { #checks }
        #with
        #about
        Self { #(#inits,)* about }
    };
    match &unit.attributes.given {
        None => quote! {
            #[allow(clippy::all)]
            impl #generics ::std::default::Default for #ident #arguments {
                fn default() -> Self { #body }
            }
        },
        Some((name, ty)) => quote! {
            #[allow(clippy::all)]
            impl #generics #ident #arguments {
                /// The unit with constants from this.
                pub fn new(#name: #ty) -> Self { #body }
            }
        },
    }
}

/// The trait `Unit`: ports by name.
fn ports(unit: &Unit) -> TokenStream {
    let (hdl, ident, trait_) = (hdl(), &unit.ident, quote!(::cotenant_netlist::unit));
    let (generics, arguments) = (generics(unit), arguments(unit));
    let names = |direction| -> (Vec<&Ident>, Vec<String>) {
        let ports = unit.ports(direction).map(|f: &Field| &f.name);
        ports.map(|name| (name, name.to_string())).unzip()
    };
    let ((inputs, input_names), (outputs, output_names)) = (names("In"), names("Out"));
    let clock = match unit.clock().map(|f| &f.name) {
        Some(clock) => quote!(Some(&mut self.#clock)),
        None => quote!(None),
    };
    quote! {
        impl #generics #trait_::Unit for #ident #arguments {
            fn clock(&mut self) -> Option<&mut #hdl::Signal<#hdl::In, #hdl::Clock>> {
                #clock
            }
            fn inputs(&mut self) -> Vec<(String, &mut dyn #trait_::InputPort)> {
                let mut all = Vec::new();
                #(#trait_::InputPorts::each(&mut self.#inputs, #input_names.into(), &mut all);)*
                all
            }
            fn outputs(&self) -> Vec<(String, &dyn #trait_::OutputPort)> {
                let mut all = Vec::new();
                #(#trait_::OutputPorts::each(&self.#outputs, #output_names.into(), &mut all);)*
                all
            }
        }
    }
}
