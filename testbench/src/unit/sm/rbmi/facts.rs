//! `rbmi`: the golden model's rules.

use crate::unit::sm::Rbmi;
use crate::verify::fault::Facts;

impl Facts for Rbmi {}
