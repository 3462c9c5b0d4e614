//! Clock and reset of flops, RAMs and parts: the unit's own, unless `update()` assigns them.

use super::survey::Survey;
use crate::unit::{Kind, Unit};
use proc_macro2::Ident;
use quote::{format_ident, quote, quote_spanned};
use syn::{parse_quote, parse_quote_spanned, Stmt};

/// Name of the loop variable over the dimension `depth` of a field.
pub fn at(depth: usize) -> Ident {
    format_ident!("at_{}", depth)
}

pub fn of(unit: &Unit, survey: &Survey) -> Vec<Stmt> {
    let mut out = vec![];
    let has_reset = unit.fields.iter().any(|f| f.name == "reset");
    for f in &unit.fields {
        let (clock, reset) = match &f.kind {
            Kind::Reg(_) => (true, true),
            Kind::Ram(..) => (true, false),
            Kind::Part(path, _) => (unit.is_clocked(path), unit.is_clocked(path)),
            _ => continue,
        };
        let (name, span) = (&f.name, f.name.span());
        let variables: Vec<Ident> = (0..f.lengths.len()).map(at).collect();
        let subscripts = quote!(#([#variables])*);
        let mut inside: Vec<Stmt> = vec![];
        for (port, wanted) in [("clock", clock), ("reset", reset && has_reset)] {
            if wanted && !survey.driven.contains(&format!("{name}.{port}")) {
                let port = Ident::new(port, span);
                inside.push(parse_quote_spanned!(span=>
                    self.#name #subscripts.#port.next = self.#port.val();
                ));
            }
        }
        if inside.is_empty() {
            continue;
        }
        let mut statements = quote!(#(#inside)*);
        for (variable, length) in variables.iter().zip(&f.lengths).rev() {
            statements = quote_spanned!(span=> for #variable in 0..(#length) { #statements });
        }
        let block: syn::Block = parse_quote!({ #statements });
        out.extend(block.stmts);
    }
    out
}
