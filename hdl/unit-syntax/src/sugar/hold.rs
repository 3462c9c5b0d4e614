//! What has to stand before a statement: flops hold their value, parts of signals start at zero.

use super::place::{assignments, peel, place, without_d, Assigned};
use super::survey::is_flop;
use super::Rewriter;
use crate::formula::text;
use proc_macro2::TokenStream;
use quote::quote_spanned;
use std::collections::BTreeSet;
use syn::spanned::Spanned;
use syn::{parse_quote, parse_quote_spanned, Error, Expr, Result, Stmt};

impl Rewriter<'_> {
    /// Before a condition, says of each flop that only conditions assign that it keeps its value.
    pub fn hold_flops(&mut self, e: &Expr, out: &mut Vec<Stmt>) -> Result<()> {
        if !matches!(e, Expr::If(_) | Expr::Match(_)) {
            return Ok(());
        }
        for Assigned { target, loops } in assignments(e) {
            let Some(p) = place(&target) else { continue };
            let name = p.name.to_string();
            if !self.survey.hold.contains(&name) || !(is_flop(self.unit, &p) || p.is_d()) {
                continue;
            }
            if self.survey.places.get(&name).is_some_and(|p| p.len() > 1) {
                let what = format!(
                    "`{name}` is assigned under conditions with several subscripts: \
                     say first what it is otherwise"
                );
                return Err(Error::new(target.span(), what));
            }
            let mut flop = without_d(&target).clone();
            if !self.held.insert(text(&flop)) {
                continue;
            }
            self.subscripts_only(&mut flop)?;
            let span = flop.span();
            let mut tokens: TokenStream = quote_spanned!(span=> #flop.d.next = #flop.q.val(););
            for l in loops.iter().rev() {
                let (pat, range) = (&l.pat, &l.expr);
                tokens = quote_spanned!(span=> for #pat in #range { #tokens });
            }
            let block: syn::Block = parse_quote!({ #tokens });
            out.extend(block.stmts);
        }
        Ok(())
    }

    /// Zeroes what a statement writes in parts, the first time.
    pub fn zero_parts(&mut self, e: &Expr, out: &mut Vec<Stmt>) {
        for Assigned { target, .. } in assignments(e) {
            let Some(p) = place(&target) else { continue };
            let Some(depth) = self.unit.field(p.name).map(|f| f.lengths.len()) else {
                continue;
            };
            let name = p.name.to_string();
            let is_part = p.rest.is_empty() && p.subscripts.len() == depth + 1;
            if !is_part || !self.survey.zeroed.contains(&name) {
                continue;
            }
            // In the loops that choose the array's element, and in no others.
            let chosen: BTreeSet<String> = p.subscripts[..depth].iter().map(text).collect();
            let around: BTreeSet<String> = self.loops.iter().cloned().collect();
            let Expr::Index(part) = peel(&target) else {
                continue;
            };
            if chosen == around {
                self.survey.zeroed.remove(&name);
                let (span, whole) = (p.name.span(), &part.expr);
                out.push(parse_quote_spanned!(span=> #whole.next = 0.into();));
            }
        }
    }
}
