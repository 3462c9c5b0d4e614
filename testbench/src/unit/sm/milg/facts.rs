//! `milg`: the golden model's rules, and a flop that says that an interval's last request is next.

use cotenant_golden::sm::milg::Params;
use cotenant_netlist::graph::NodeId;

use crate::unit::sm::Milg;
use crate::verify::fault::{rules, Facts, Terms};

impl Facts for Milg {
    fn invariants(params: &Params, terms: &mut Terms<'_>) -> Vec<NodeId> {
        registers("", params, terms)
    }
}

/// What the registers of a `milg` hold, whose flops are below `path` (empty, or with a dot at its
/// end).
pub(in crate::unit) fn registers(
    path: &str,
    params: &Params,
    terms: &mut Terms<'_>,
) -> Vec<NodeId> {
    let mut all = rules::invariants::<Milg>(path, params, terms);
    let [requests, last] = ["requests", "last"].map(|name| terms.flop(&format!("{path}{name}")));
    let full = terms.is(requests, (1 << params.interval_w) - 1);
    all.push(terms.equal(last, full));
    all
}
