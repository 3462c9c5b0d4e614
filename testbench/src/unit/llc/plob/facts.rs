//! `plob`: what the pipeline makes of an eviction.

use cotenant_golden::llc::plob::Params;
use cotenant_netlist::graph::NodeId;

use crate::unit::llc::counter_matrix::facts::matters_alone;
use crate::unit::llc::Plob;
use crate::verify::fault::{rules, Facts, Terms};

impl Facts for Plob {
    fn invariants(params: &Params, terms: &mut Terms<'_>) -> Vec<NodeId> {
        latches("", params, terms)
    }

    fn matters_alone(params: &Params, flop: &str, terms: &mut Terms<'_>) -> Option<NodeId> {
        matters_alone("matrix.", params.kernels, flop, terms)
    }
}

/// What the latches of a `plob` hold, whose flops are below `path` (empty, or with a dot at its
/// end).
pub(in crate::unit) fn latches(path: &str, params: &Params, terms: &mut Terms<'_>) -> Vec<NodeId> {
    let mut all = rules::invariants::<Plob>(path, params, terms);
    for stage in 0..params.stages {
        let [valid, lane] =
            ["valid", "lane"].map(|flop| terms.flop(&format!("{path}{flop}[{stage}]")));
        // Nobody loses a line in a bubble, else just one kernel does.
        let none = terms.is(lane, 0);
        all.push(terms.any([valid, none]));
        let some = terms.not(none);
        all.push(terms.implies(valid, some));
        let bits: Vec<NodeId> = (0..params.kernels).map(|v| terms.bit(lane, v)).collect();
        for (victim, &bit) in bits.iter().enumerate() {
            for &other in &bits[..victim] {
                all.push(terms.disjoint(bit, other));
            }
        }
    }
    all
}
