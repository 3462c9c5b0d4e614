//! The unit for parameters that are known at run time: what the elaborator reads of the block,
//! made without the block.

use super::{about, fields::Fields, hdl};
use crate::parameters;
use crate::unit::Unit;
use proc_macro2::TokenStream;
use quote::quote;

/// `__parameters`, `DEFINITION` and `describe`, on the type with all parameters zero.
pub fn of(unit: &Unit, fields: &Fields, code: &TokenStream) -> TokenStream {
    let (hdl, describe) = (hdl(), quote!(::cotenant_netlist::describe));
    let (zero, parameters) = (parameters::zero(unit), parameters::items(unit));
    let known = parameters::unpacked(&unit.given);
    let derivation = parameters::derivation(unit);
    let (with, about, describes) = (about::with(unit), about::of(unit), &fields.describes);
    let from = unit.attributes.given.as_ref();
    let from = from.map(|(name, ty)| quote!(, #name: #ty));
    quote! {
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
                #known
                #derivation
                #with
                let code: Vec<ast::VerilogStatement> = #code;
                let code = ast::Verilog::Combinatorial(code);
                let mut unit = #describe::Description::new(name, code);
                #(#describes)*
                #about
                unit.about(about);
                Ok(unit)
            }
        }
    }
}
