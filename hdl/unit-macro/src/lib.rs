//! `#[unit]`: see `cotenant-unit-syntax`.

use cotenant_unit_syntax as syntax;
use proc_macro::TokenStream;

/// A unit: on an inline module with one struct and `fn update(&mut self)`, or on the struct and
/// then on `impl Logic for` it.
#[proc_macro_attribute]
pub fn unit(attribute: TokenStream, item: TokenStream) -> TokenStream {
    syntax::attribute(attribute.into(), item.into()).into()
}

/// Goes on once the parameters of a block inside are known.
#[doc(hidden)]
#[proc_macro]
pub fn __unit(input: TokenStream) -> TokenStream {
    syntax::step(input.into()).into()
}
