//! The units under test: what is particular to each.
//!
//! A unit is in a file of its own: where the netlist keeps its registers, stimulus, functional
//! coverage, example waveform and facts for proofs. What is large is apart, in a folder of the same
//! name.

pub mod addr;
pub mod bus;
pub mod llc;
pub mod mgmt;
pub mod sm;

/// What the file of a unit uses.
pub(crate) mod prelude {
    pub(crate) use std::fmt::Arguments;

    pub(crate) use cotenant_golden::llc::id_w;
    pub(crate) use cotenant_golden::Model as _;
    pub(crate) use serde::{Deserialize, Serialize};

    pub(crate) use crate::scenes::{row, Scene, Step, Teach};
    pub(crate) use crate::verify::coverage::classes::{Positions, Valid};
    pub(crate) use crate::verify::coverage::{collector, Axis, Collect, Cover, Cross, Crosses};
    pub(crate) use crate::verify::facts::{rules, Facts, Term, Terms, Words};
    pub(crate) use crate::verify::interface::*;
    pub(crate) use crate::verify::stimulus::values::ones;
    pub(crate) use crate::verify::stimulus::{
        Drive, Fill, Kernels, Knobs, Odds, Pace, Profile, Random,
    };
}
