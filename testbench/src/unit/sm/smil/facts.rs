//! `smil`: the golden model's rules.

use crate::unit::sm::Smil;
use crate::verify::fault::Facts;

impl Facts for Smil {}
