//! `demotion`: the position is one that there is, or the code for a miss.

use cotenant_golden::llc::demotion::Params;
use cotenant_netlist::graph::NodeId;

use crate::unit::llc::Demotion;
use crate::verify::fault::{Facts, Terms};

impl Facts for Demotion {
    fn assumptions(params: &Params, terms: &mut Terms<'_>) -> Vec<NodeId> {
        let position = terms.port("access_pos");
        vec![terms.below(position, params.ways + 1)]
    }
}
