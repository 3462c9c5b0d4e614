//! Blocks that compile and whose AST differs from their `update()`.
//!
//! Rationale: a rule is only worth having if rust-hdl really drops something.
//! Each block here has one hazard; its test shows what `update()` does and
//! what the AST has instead, so that a new version of rust-hdl that behaves
//! better is noticed. At the end of each file the check must find in that very
//! file each of its hazards and nothing else.

// The hazards are what these lints complain of.
#![allow(overflowing_literals, unused_mut, unused_variables, clippy::all)]

mod around;
mod loops_and_calls;
mod statements;
mod values;

use cotenant_netlist::hdl::*;
use cotenant_netlist::source::{check, Rule};

/// The AST as text.
fn ast(block: &dyn Logic) -> String {
    format!("{:?}", block.hdl())
}

/// Lets `update()` of a combinational block settle.
fn settle(block: &mut impl Block) {
    block.connect_all();
    loop {
        block.update_all();
        if !block.has_changed() {
            break;
        }
    }
}

/// The rules that a source breaks, in the order of the places.
fn rules(source: &str) -> Vec<Rule> {
    check(source, "hazards.rs").iter().map(|f| f.rule).collect()
}
