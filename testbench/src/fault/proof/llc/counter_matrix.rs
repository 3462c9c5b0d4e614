//! `counter_matrix`: kernels are some that there are.

use cotenant_golden::llc::counter_matrix::Params;
use cotenant_netlist::graph::NodeId;

use crate::fault::proof::{Facts, Terms};
use crate::unit::llc::CounterMatrix;

/// The read port's kernels, which a `gdcu` passes on.
pub(super) fn reads(kernels: usize, terms: &mut Terms<'_>) -> Vec<NodeId> {
    let ports = ["read_victim", "read_aggressor"].map(|port| terms.port(port));
    ports.map(|kid| terms.below(kid, kernels)).into()
}

impl Facts for CounterMatrix {
    fn assumptions(params: &Params, terms: &mut Terms<'_>) -> Vec<NodeId> {
        let (valid, kid) = (terms.port("inc_valid"), terms.port("inc_kid"));
        let known = terms.below(kid, params.kernels);
        let mut all = reads(params.kernels, terms);
        all.push(terms.implies(valid, known));
        all
    }
}
