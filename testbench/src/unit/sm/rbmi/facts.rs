//! `rbmi`: a last winner that there is.

use cotenant_golden::sm::rbmi::Params;
use cotenant_netlist::graph::NodeId;

use crate::unit::sm::Rbmi;
use crate::verify::fault::{Facts, Terms};

impl Facts for Rbmi {
    fn assumptions(_: &Params, _: &mut Terms<'_>) -> Vec<NodeId> {
        Vec::new()
    }

    fn invariants(params: &Params, terms: &mut Terms<'_>) -> Vec<NodeId> {
        registers("", params, terms)
    }
}

/// What the register of an `rbmi` holds, whose flop is below `path` (empty, or with a dot at its
/// end).
pub(in crate::unit) fn registers(
    path: &str,
    params: &Params,
    terms: &mut Terms<'_>,
) -> Vec<NodeId> {
    let last = terms.flop(&format!("{path}last"));
    vec![terms.below(last, params.kernels)]
}
