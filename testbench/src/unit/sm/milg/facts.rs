//! `milg`: the gate, the peak that follows a cycle late, and a division that ends before the next
//! interval's peak is known.

use cotenant_golden::sm::milg::Params;
use cotenant_netlist::graph::NodeId;

use crate::unit::sm::Milg;
use crate::verify::fault::{Facts, Terms};

impl Facts for Milg {
    fn assumptions(_: &Params, terms: &mut Terms<'_>) -> Vec<NodeId> {
        let [issue, complete] = ["issue", "complete"].map(|port| terms.port(port));
        let mut all = crate::unit::sm::facts::gate("", issue, complete, terms);
        let [request, fail] = ["request", "fail"].map(|port| terms.port(port));
        all.push(terms.disjoint(request, fail));
        all
    }

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
    let steps = params.count_w;
    let mut all = crate::unit::sm::facts::limit(path, steps, terms);
    let mut flop = |name: &str| terms.flop(&format!("{path}{name}"));
    let (count, peak) = (flop("counter.value"), flop("peak"));
    let (left, requests, last) = (flop("left"), flop("requests"), flop("last"));
    let (divisor, remainder) = (flop("divisor"), flop("remainder"));
    let [grew, began, closed] =
        ["grew", "began", "closed"].map(|name| terms.flop(&format!("{path}{name}")));
    let above = terms.less(peak, count);
    all.push(terms.equal(grew, above));
    all.push(terms.implies(closed, began));
    let none_yet = terms.is(requests, 0);
    all.push(terms.implies(began, none_yet));
    let full = terms.is(requests, (1 << params.interval_w) - 1);
    all.push(terms.equal(last, full));
    all.push(terms.below(left, steps + 1));
    // A request a cycle at most, since the interval began a cycle before the division.
    for step in 1..=steps {
        let here = terms.is(left, step);
        let few = terms.below(requests, steps - step + 2);
        all.push(terms.implies(here, few));
        // The remainder of so few bits.
        let small = terms.below(remainder, 1 << (steps - step));
        all.push(terms.implies(here, small));
    }
    let idle = terms.is(left, 0);
    all.push(terms.implies(closed, idle));
    let less = terms.less(remainder, divisor);
    all.push(terms.any([idle, less]));
    all
}
