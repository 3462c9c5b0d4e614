//! What `#[unit]` expands to, as a library: for the macro, for the source check, for tests.
//!
//! A unit is written once: parameters, ports, parts, `update()`. From that come the rust-hdl
//! block (generic, with `Default`, `LogicBlock`, `#[hdl_gen]`), the type macro, and a definition
//! for any parameters at run time, which the elaborator takes as it takes the block.
//!
//! | module | what it does |
//! |---|---|
//! | `steps` | the order of expansion: asks the parts for their signatures first |
//! | `unit` | the unit as written: attribute, parameters, ports and parts |
//! | `parts` | what parts tell of themselves, and how the unit uses them |
//! | `formula` | widths and lengths as text over the given parameters |
//! | `parameters` | ranges, derived parameters, what must hold among them |
//! | `sugar` | `update()` as rust-hdl wants it |
//! | `emit` | the block, its description, what others ask it |
//! | `ast` | `update()` as rust-hdl's AST with widths of run time |
//!
//! How a unit is written, and what is refused, stands in `docs/unit-form.md`.

mod ast;
mod emit;
mod formula;
mod parameters;
mod parts;
mod steps;
mod sugar;
mod unit;

pub use steps::{attribute, plain, step};
