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

/// When a register of the read port that is not compared matters, of a matrix of so many rows whose
/// flops are below `path`: which row is shown, while they are not all 0.
pub(super) fn matters(
    path: &str,
    rows: usize,
    flop: &str,
    terms: &mut Terms<'_>,
) -> Option<NodeId> {
    if flop.strip_prefix(path)? != "read_from" {
        return None;
    }
    let rows = (0..rows).map(|row| terms.flop(&format!("{path}read_row[{row}]")));
    let rows: Vec<NodeId> = rows.collect();
    let some = rows.into_iter().map(|row| {
        let none = terms.is(row, 0);
        terms.not(none)
    });
    let some: Vec<NodeId> = some.collect();
    Some(terms.any(some))
}

impl Facts for CounterMatrix {
    fn assumptions(params: &Params, terms: &mut Terms<'_>) -> Vec<NodeId> {
        let (valid, kid) = (terms.port("inc_valid"), terms.port("inc_kid"));
        let known = terms.below(kid, params.kernels);
        let mut all = reads(params.kernels, terms);
        all.push(terms.implies(valid, known));
        all
    }

    fn matters(params: &Params, flop: &str, terms: &mut Terms<'_>) -> Option<NodeId> {
        matters("", params.kernels, flop, terms)
    }
}
