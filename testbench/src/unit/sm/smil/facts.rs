//! `smil`: the gate, and limits that can be set.

use cotenant_golden::sm::smil::Params;
use cotenant_netlist::graph::NodeId;

use crate::unit::sm::Smil;
use crate::verify::fault::{Facts, Terms};

impl Facts for Smil {
    fn assumptions(_: &Params, terms: &mut Terms<'_>) -> Vec<NodeId> {
        let [issue, complete] = ["issue", "complete"].map(|port| terms.port(port));
        let mut all = crate::unit::sm::facts::gate("", issue, complete, terms);
        all.push(settable(terms));
        all
    }

    fn invariants(params: &Params, terms: &mut Terms<'_>) -> Vec<NodeId> {
        registers("", params, terms)
    }
}

/// A limit that is set is at least 1.
pub(in crate::unit) fn settable(terms: &mut Terms<'_>) -> NodeId {
    let [set, lift] = ["set_valid", "set_unlimited"].map(|port| terms.port(port));
    let limit = terms.port("set_limit");
    let zero = terms.is(limit, 0);
    let some = terms.not(zero);
    let kept = terms.not(lift);
    let limits = terms.all([set, kept]);
    terms.implies(limits, some)
}

/// What the registers of a `smil` hold, whose flops are below `path` (empty, or with a dot at its
/// end).
pub(in crate::unit) fn registers(
    path: &str,
    params: &Params,
    terms: &mut Terms<'_>,
) -> Vec<NodeId> {
    let mut all = crate::unit::sm::facts::limit(path, params.count_w, terms);
    let limit = terms.flop(&format!("{path}limit_register"));
    let unlimited = terms.flop(&format!("{path}unlimited_register"));
    let settable = terms.below(limit, 1 << params.limit_w);
    all.push(terms.any([unlimited, settable]));
    all
}
