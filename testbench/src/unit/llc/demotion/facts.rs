//! `demotion`: the golden model's rules.

use crate::unit::llc::Demotion;
use crate::verify::fault::Facts;

impl Facts for Demotion {}
