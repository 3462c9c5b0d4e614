//! `mem_issue`: what its limiters and its priority take for granted, and kernels that both know.

use cotenant_golden::sm::mem_issue::{Limiter, Params, Priority};
use cotenant_netlist::graph::NodeId;

use super::{milg, qbmi, rbmi, smil};
use crate::fault::proof::{Facts, Terms};
use crate::unit::sm::MemIssue;

impl Facts for MemIssue {
    fn assumptions(params: &Params, terms: &mut Terms<'_>) -> Vec<NodeId> {
        let kernels = params.kernels;
        let [request, fail] = ["request_valid", "fail_valid"].map(|port| terms.port(port));
        let [lsu_kid, set_kid] = ["lsu_kid", "set_kid"].map(|port| terms.port(port));
        let (set, complete) = (terms.port("set_valid"), terms.port("complete"));
        let mut all = vec![terms.disjoint(request, fail), smil::settable(terms)];
        let tried = terms.any([request, fail]);
        let known = terms.below(lsu_kid, kernels);
        all.push(terms.implies(tried, known));
        let known = terms.below(set_kid, kernels);
        all.push(terms.implies(set, known));
        let limiter = match params.limiter {
            Limiter::Milg => "milg",
            Limiter::Smil => "smil",
        };
        for kernel in 0..kernels {
            let count = terms.flop(&format!("{limiter}[{kernel}].counter.value"));
            let none = terms.is(count, 0);
            let some = terms.not(none);
            let completes = terms.bit(complete, kernel);
            all.push(terms.implies(completes, some));
        }
        all
    }

    fn invariants(params: &Params, terms: &mut Terms<'_>) -> Vec<NodeId> {
        let mut all = Vec::new();
        for kernel in 0..params.kernels {
            all.extend(match params.limiter {
                Limiter::Milg => {
                    milg::registers(&format!("milg[{kernel}]."), &params.milg(), terms)
                }
                Limiter::Smil => {
                    smil::registers(&format!("smil[{kernel}]."), &params.smil(), terms)
                }
            });
        }
        match params.priority {
            Priority::Rbmi => all.extend(rbmi::registers("rbmi[0].", &params.rbmi(), terms)),
            Priority::Qbmi => {
                all.extend(qbmi::registers("qbmi[0].", &params.qbmi(), terms));
                let own = terms.flop("active_register");
                let its = terms.flop("qbmi[0].active_register");
                all.push(terms.equal(own, its));
            }
        }
        all
    }

    fn matters(params: &Params, flop: &str, terms: &mut Terms<'_>) -> Option<NodeId> {
        qbmi::matters("qbmi[0].", &params.qbmi(), flop, terms)
    }
}
