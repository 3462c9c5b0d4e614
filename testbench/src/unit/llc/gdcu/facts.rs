//! `gdcu`: what the pipeline makes of accesses.

use cotenant_golden::llc::gdcu::Params;
use cotenant_netlist::graph::NodeId;

use crate::unit::llc::counter_matrix::facts::matters_alone;
use crate::unit::llc::{inside_popcnt, Gdcu};
use crate::verify::fault::{rules, Facts, Terms};

impl Facts for Gdcu {
    fn invariants(params: &Params, terms: &mut Terms<'_>) -> Vec<NodeId> {
        latches("", params, terms)
    }

    fn matters_alone(params: &Params, flop: &str, terms: &mut Terms<'_>) -> Option<NodeId> {
        matters_alone("matrix.", params.kernels, flop, terms)
    }
}

/// What the latches of a `gdcu` hold, whose flops are below `path` (empty, or with a dot at its
/// end).
pub(in crate::unit) fn latches(path: &str, params: &Params, terms: &mut Terms<'_>) -> Vec<NodeId> {
    let Params {
        kernels, stages, ..
    } = *params;
    let mut all = rules::invariants::<Gdcu>(path, params, terms);
    for stage in 0..stages {
        let valid = terms.flop(&format!("{path}valid[{stage}]"));
        let latches: &[&str] = match stage {
            0 => &["lane"],
            _ if Some(stage) == inside_popcnt(params) => &["sums", "carries"],
            _ => &["demotions"],
        };
        let of = |latch: &str, victim: usize| format!("{path}{latch}[0][{victim}]");
        let all_of = latches
            .iter()
            .flat_map(|latch| (0..kernels).map(move |v| (latch, v)));
        let lanes: Vec<NodeId> = all_of.map(|(latch, v)| terms.flop(&of(latch, v))).collect();
        for (victim, &lane) in lanes.iter().enumerate() {
            // Nothing is demoted in a bubble.
            let none = terms.is(lane, 0);
            all.push(terms.any([valid, none]));
            if stage == 0 {
                // A line has one owner.
                for &other in &lanes[..victim] {
                    all.push(terms.disjoint(lane, other));
                }
            }
        }
    }
    all
}
