//! `popcnt`: any vector is legal.

use cotenant_golden::llc::popcnt::Params;
use cotenant_netlist::graph::NodeId;

use crate::unit::llc::Popcnt;
use crate::verify::fault::{Facts, Terms};

impl Facts for Popcnt {
    fn assumptions(_: &Params, _: &mut Terms<'_>) -> Vec<NodeId> {
        Vec::new()
    }
}
