//! `kid_demux`: the golden model's rules.

use crate::unit::llc::KidDemux;
use crate::verify::fault::Facts;

impl Facts for KidDemux {}
