//! The tests that use the crate from outside, one module per subject, in one program: each of its
//! own would link everything again. The one that counts what is allocated is a program of its own.
#![allow(missing_docs)]
// Two examples have one module.
#![allow(clippy::duplicate_mod)]

#[macro_use]
mod support;

mod collisions;
mod constructs;
mod digest;
mod fault;
mod fault_engines;
mod flat;
mod guide;
mod hazards;
mod random_blocks;
mod refuse;
mod sim;
mod sliced;
mod source;
mod tables;
// Public, as a unit is: not all that there is of one is used here.
pub mod unit_form;
mod verilog;
mod widgets;
