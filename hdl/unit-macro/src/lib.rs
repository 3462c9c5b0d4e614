//! The `#[unit]` attribute, which `cotenant-netlist` re-exports; `cotenant-unit-syntax` implements
//! it.

use cotenant_unit_syntax as syntax;
use proc_macro::TokenStream;

/// A hardware unit from its parameters, ports, parts and `update()`: stands on an inline module
/// with one struct and `fn update(&mut self)`.
///
/// `docs/unit-form.md` says how a unit is written.
#[proc_macro_attribute]
pub fn unit(attribute: TokenStream, item: TokenStream) -> TokenStream {
    syntax::attribute(attribute.into(), item.into()).into()
}

/// The next step of a unit's expansion, once a part has told its signature.
#[doc(hidden)]
#[proc_macro]
pub fn __unit(input: TokenStream) -> TokenStream {
    syntax::step(input.into()).into()
}
