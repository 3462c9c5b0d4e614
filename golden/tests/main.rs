//! The tests that use the models from outside, one module per subject, in one program: each of its
//! own would link everything again. Those that count what is allocated are programs of their own.
#![allow(missing_docs)]

mod derive;
mod dynamic;
mod dynamic_texts;
mod exact;
mod llc_cache;
mod llc_monitor;
mod llc_units;
mod pivot;
mod programs;
mod properties;
mod rules;
mod sm_units;
mod trace;
