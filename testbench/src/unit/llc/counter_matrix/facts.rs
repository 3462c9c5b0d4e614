//! `counter_matrix`: when the registers of the read port matter.

use cotenant_golden::llc::counter_matrix::Params;
use cotenant_netlist::graph::NodeId;

use crate::unit::llc::CounterMatrix;
use crate::verify::fault::{Facts, Terms};

/// When a register of the read port that is not compared matters, of a matrix of so many rows whose
/// flops are below `path`: which row is shown, while they are not all 0; a row, while it is shown.
pub(in crate::unit) fn matters_alone(
    path: &str,
    rows: usize,
    flop: &str,
    terms: &mut Terms<'_>,
) -> Option<NodeId> {
    let row_of = |row: usize| format!("{path}read_row[{row}]");
    let read_from = format!("{path}read_from");
    if let Some(row) = (0..rows).find(|&row| row_of(row) == flop) {
        let shown = terms.flop(&read_from);
        return Some(terms.is(shown, row));
    }
    if flop != read_from {
        return None;
    }
    let some: Vec<NodeId> = (0..rows)
        .map(|row| {
            let row = terms.flop(&row_of(row));
            let none = terms.is(row, 0);
            terms.not(none)
        })
        .collect();
    Some(terms.any(some))
}

impl Facts for CounterMatrix {
    fn matters_alone(params: &Params, flop: &str, terms: &mut Terms<'_>) -> Option<NodeId> {
        matters_alone("", params.kernels, flop, terms)
    }
}
