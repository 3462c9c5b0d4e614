//! `popcnt`: the golden model's rules.

use crate::unit::llc::Popcnt;
use crate::verify::fault::Facts;

impl Facts for Popcnt {}
