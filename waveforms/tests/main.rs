//! The tests that use the crate from outside, one module per subject, in one program: each of its
//! own would link everything again.

mod common;
mod files;
#[path = "common/gtkw.rs"]
mod gtkw;
mod hierarchy;
mod random;
mod round_trip;
mod select;
mod values;
mod viewer;
