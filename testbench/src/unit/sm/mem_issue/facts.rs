//! `mem_issue`: what its limiters and its priority take for granted, and kernels that both know.

use cotenant_golden::sm::mem_issue::{Limiter, Params, Priority};
use cotenant_netlist::graph::NodeId;

use crate::unit::sm::milg::facts as milg;
use crate::unit::sm::qbmi::facts as qbmi;
use crate::unit::sm::rbmi::facts as rbmi;
use crate::unit::sm::smil::facts as smil;
use crate::unit::sm::MemIssue;
use crate::verify::fault::{Facts, Terms};

impl Facts for MemIssue {
    fn assumptions(params: &Params, terms: &mut Terms<'_>) -> Vec<NodeId> {
        let (set, set_kid) = (terms.port("set_valid"), terms.port("set_kid"));
        let known = terms.below(set_kid, params.kernels);
        let mut all = vec![smil::settable(terms), terms.implies(set, known)];
        all.extend(requests("", params, terms));
        all
    }

    fn invariants(params: &Params, terms: &mut Terms<'_>) -> Vec<NodeId> {
        registers("", params, terms)
    }

    fn matters(params: &Params, flop: &str, terms: &mut Terms<'_>) -> Option<NodeId> {
        matters("", params, flop, terms)
    }
}

/// What the LSU may say to a unit whose flops are below `path` (empty, or with a dot at its end).
pub(in crate::unit) fn requests(path: &str, params: &Params, terms: &mut Terms<'_>) -> Vec<NodeId> {
    let kernels = params.kernels;
    let [request, fail] = ["request_valid", "fail_valid"].map(|port| terms.port(port));
    let (lsu_kid, complete) = (terms.port("lsu_kid"), terms.port("complete"));
    let mut all = vec![terms.disjoint(request, fail)];
    let tried = terms.any([request, fail]);
    let known = terms.below(lsu_kid, kernels);
    all.push(terms.implies(tried, known));
    let limiter = match params.limiter {
        Limiter::Milg => "milg",
        Limiter::Smil => "smil",
    };
    for kernel in 0..kernels {
        let count = terms.flop(&format!("{path}{limiter}[{kernel}].counter.value"));
        let none = terms.is(count, 0);
        let some = terms.not(none);
        let completes = terms.bit(complete, kernel);
        all.push(terms.implies(completes, some));
    }
    all
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
                smil::registers(&format!("{path}smil[{kernel}]."), &params.smil(), terms)
            }
        });
    }
    match params.priority {
        Priority::Rbmi => {
            all.extend(rbmi::registers(
                &format!("{path}rbmi[0]."),
                &params.rbmi(),
                terms,
            ));
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
