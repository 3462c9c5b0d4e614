//! `plob`: kernels that there are, and what the pipeline makes of an eviction.

use cotenant_golden::llc::plob::Params;
use cotenant_netlist::graph::NodeId;

use crate::unit::llc::counter_matrix::facts::matters_alone;
use crate::unit::llc::Plob;
use crate::verify::fault::{Facts, Terms};

impl Facts for Plob {
    fn assumptions(params: &Params, terms: &mut Terms<'_>) -> Vec<NodeId> {
        let [valid, hit, victim] =
            ["access_valid", "access_hit", "victim_valid"].map(|port| terms.port(port));
        let [kid, owner] = ["access_kid", "victim_owner"].map(|port| terms.port(port));
        let [kid, owner] = [kid, owner].map(|kid| terms.below(kid, params.kernels));
        let miss = terms.not(hit);
        let evicts = terms.all([valid, miss, victim]);
        vec![terms.implies(valid, kid), terms.implies(evicts, owner)]
    }

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
    let mut all = Vec::new();
    for stage in 0..params.stages {
        let [valid, kid, lane] =
            ["valid", "kid", "lane"].map(|flop| terms.flop(&format!("{path}{flop}[{stage}]")));
        let known = terms.below(kid, params.kernels);
        all.push(terms.implies(valid, known));
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
