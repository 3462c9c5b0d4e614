//! Facts about limiters, which several units have.

use cotenant_netlist::graph::NodeId;

use crate::verify::fault::Terms;

/// What every limiter may be driven with: an instruction is issued only below the limit, and
/// completes only if it is in flight. Its flops are below `path`.
pub(in crate::unit) fn gate(
    path: &str,
    issue: NodeId,
    complete: NodeId,
    terms: &mut Terms<'_>,
) -> Vec<NodeId> {
    let count = terms.flop(&format!("{path}counter.value"));
    let limit = terms.flop(&format!("{path}limit_register"));
    let allow = terms.less(count, limit);
    let none = terms.is(count, 0);
    let some = terms.not(none);
    vec![terms.implies(issue, allow), terms.implies(complete, some)]
}

/// The limit of a limiter whose flops are below `path`: at least 1, and as high as can be if there
/// is none.
pub(in crate::unit) fn limit(path: &str, count_w: usize, terms: &mut Terms<'_>) -> Vec<NodeId> {
    let limit = terms.flop(&format!("{path}limit_register"));
    let unlimited = terms.flop(&format!("{path}unlimited_register"));
    let zero = terms.is(limit, 0);
    let highest = terms.is(limit, usize::MAX >> (usize::BITS as usize - count_w));
    vec![terms.not(zero), terms.implies(unlimited, highest)]
}
