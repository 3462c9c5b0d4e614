//! Every construct of the subset, against rust-hdl's own `update()`.
//!
//! Rationale: the elaborator reads an AST that leaves out much of the Rust it
//! stands for; what a construct means is decided by running it. One block per
//! construct, at the widths where representations change (1, 32 and 33, 64
//! and 65, 128 and beyond), with random and extreme inputs; every named signal
//! below the block is compared in each cycle, in each simulator, and every
//! output in Icarus.
// A loop without iterations is a construct, too.
#![allow(clippy::reversed_empty_ranges)]

/// Random cycles per block.
const CYCLES: usize = 200;

/// Runs blocks everywhere; each is named after its type.
macro_rules! everywhere {
    ($($block:ident),* $(,)?) => {{
        use crate::support::agree::{agree, Run};
        let runs: Vec<Run> =
            vec![$(agree(&stringify!($block).to_lowercase(), $block::default(), crate::constructs::CYCLES)),*];
        crate::support::exported::agrees(&runs);
        crate::support::lint::clean(&runs);
    }};
}

mod arrays;
mod control;
mod interfaces;
mod state;
mod structs;
mod widths;
