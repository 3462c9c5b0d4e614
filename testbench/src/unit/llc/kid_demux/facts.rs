//! `kid_demux`: the kernel is one that there is.

use cotenant_golden::llc::kid_demux::Params;
use cotenant_netlist::graph::NodeId;

use crate::unit::llc::KidDemux;
use crate::verify::fault::{Facts, Terms};

impl Facts for KidDemux {
    fn assumptions(params: &Params, terms: &mut Terms<'_>) -> Vec<NodeId> {
        let select = terms.port("select");
        vec![terms.below(select, params.kernels)]
    }
}
