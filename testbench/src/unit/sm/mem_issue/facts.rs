//! `mem_issue`: what its limiters and its priority hold, and kernels that it and the priority know.

use cotenant_golden::sm::mem_issue::{Limiter, Params, Priority};
use cotenant_netlist::graph::NodeId;

use crate::unit::sm::milg::facts as milg;
use crate::unit::sm::qbmi::facts as qbmi;
use crate::unit::sm::{MemIssue, Rbmi, Smil};
use crate::verify::fault::{rules, Facts, Terms};

impl Facts for MemIssue {
    fn invariants(params: &Params, terms: &mut Terms<'_>) -> Vec<NodeId> {
        registers("", params, terms)
    }

    fn matters(params: &Params, flop: &str, terms: &mut Terms<'_>) -> Option<NodeId> {
        matters("", params, flop, terms)
    }
}

/// What the flops hold, which are below `path`.
pub(in crate::unit) fn registers(
    path: &str,
    params: &Params,
    terms: &mut Terms<'_>,
) -> Vec<NodeId> {
    let mut all = Vec::new();
    for kernel in 0..params.kernels {
        all.extend(match params.limiter {
            Limiter::Milg => {
                milg::registers(&format!("{path}milg[{kernel}]."), &params.milg(), terms)
            }
            Limiter::Smil => {
                let path = format!("{path}smil[{kernel}].");
                rules::invariants::<Smil>(&path, &params.smil(), terms)
            }
        });
    }
    match params.priority {
        Priority::Rbmi => {
            let path = format!("{path}rbmi[0].");
            all.extend(rules::invariants::<Rbmi>(&path, &params.rbmi(), terms));
        }
        Priority::Qbmi => {
            all.extend(qbmi::registers(
                &format!("{path}qbmi[0]."),
                &params.qbmi(),
                terms,
            ));
            let own = terms.flop(&format!("{path}active_register"));
            let its = terms.flop(&format!("{path}qbmi[0].active_register"));
            all.push(terms.equal(own, its));
        }
    }
    all
}

/// When a flop below `path` that is not compared matters.
pub(in crate::unit) fn matters(
    path: &str,
    params: &Params,
    flop: &str,
    terms: &mut Terms<'_>,
) -> Option<NodeId> {
    qbmi::matters(&format!("{path}qbmi[0]."), &params.qbmi(), flop, terms)
}
