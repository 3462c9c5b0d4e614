//! `llc_monitor`: kernels and ways that there are, and what the pipelines hold.

use cotenant_golden::llc::llc_monitor::{Matrix, Params};
use cotenant_golden::llc::{gdcu, plob};
use cotenant_netlist::graph::NodeId;

use super::{counter_matrix, gdcu as demotions, plob as evictions};
use crate::fault::proof::{Facts, Terms};
use crate::unit::llc::{LlcMonitor, OUTCOMES};

impl Facts for LlcMonitor {
    fn assumptions(params: &Params, terms: &mut Terms<'_>) -> Vec<NodeId> {
        let (valid, kid) = (terms.port("map_valid"), terms.port("map_kid"));
        let known = terms.below(kid, params.kernels);
        let mut all = vec![terms.implies(valid, known)];
        all.extend(ways(params, terms));
        all
    }

    fn invariants(params: &Params, terms: &mut Terms<'_>) -> Vec<NodeId> {
        registers("", params, terms)
    }

    fn matters_alone(params: &Params, flop: &str, terms: &mut Terms<'_>) -> Option<NodeId> {
        matters_alone("", params, flop, terms)
    }
}

/// When a flop below `path` (empty, or with a dot at its end) that is not compared matters, while
/// all others are equal.
pub(in crate::fault::proof) fn matters_alone(
    path: &str,
    params: &Params,
    flop: &str,
    terms: &mut Terms<'_>,
) -> Option<NodeId> {
    // In each bank the matrices of `gdcu`, `plob` and `accesses`; of these rows are hits and misses.
    let (part, _) = flop.strip_prefix(path)?.split_once(".matrix.")?;
    let (_, name) = part.split_once('.')?;
    let (matrix, rows) = match name {
        "gdcu" => (Matrix::Gdc, params.kernels),
        "plob" => (Matrix::Ike, params.kernels),
        _ => (Matrix::Accesses, OUTCOMES),
    };
    let matters =
        counter_matrix::matters_alone(&format!("{path}{part}.matrix."), rows, flop, terms)?;
    let shown = terms.flop(&format!("{path}read_matrix_register"));
    let shown = terms.is(shown, matrix.code().into());
    Some(terms.all([shown, matters]))
}

/// Ways that are invalidated are some that there are.
pub(in crate::fault::proof) fn ways(params: &Params, terms: &mut Terms<'_>) -> Vec<NodeId> {
    let valid = terms.port("invalidate_valid");
    let of_bank = |bank| {
        let valid = terms.bit(valid, bank);
        let way = terms.element("invalidate_way", bank);
        let known = terms.below(way, params.ways);
        terms.implies(valid, known)
    };
    (0..params.banks).map(of_bank).collect()
}

/// What the flops hold, which are below `path` (empty, or with a dot at its end).
pub(in crate::fault::proof) fn registers(
    path: &str,
    params: &Params,
    terms: &mut Terms<'_>,
) -> Vec<NodeId> {
    let mut all = Vec::new();
    for requester in 0..=params.requesters {
        let kid = terms.flop(&format!("{path}kid_of[{requester}]"));
        all.push(terms.below(kid, params.kernels));
    }
    // The last set of a sweep ends it.
    let sweeping = terms.flop(&format!("{path}sweeping"));
    let set = terms.flop(&format!("{path}sweep_set"));
    let idle = terms.is(set, 0);
    all.push(terms.any([sweeping, idle]));
    for bank in 0..params.banks {
        all.extend(self::bank(&format!("{path}bank[{bank}]."), params, terms));
    }
    all
}

/// What the flops of a bank hold.
fn bank(path: &str, params: &Params, terms: &mut Terms<'_>) -> Vec<NodeId> {
    let Params {
        ways,
        kernels,
        cnt_w,
        stages,
        ..
    } = *params;
    let mut all = Vec::new();
    for stage in ["lookup", "update"] {
        let mut flop = |flop: &str| terms.flop(&format!("{path}directory.{stage}_{flop}"));
        let (kid, way) = (flop("kid"), flop("way"));
        let kinds = ["access", "invalidate", "clear"].map(&mut flop);
        all.push(terms.below(kid, kernels));
        let known = terms.below(way, ways);
        all.push(terms.implies(kinds[1], known));
        for (i, &kind) in kinds.iter().enumerate() {
            for &other in &kinds[..i] {
                all.push(terms.disjoint(kind, other));
            }
        }
    }
    // Nothing is hit without an access.
    let access = terms.flop(&format!("{path}directory.update_access"));
    let hits = terms.flop(&format!("{path}directory.hits"));
    let none = terms.is(hits, 0);
    all.push(terms.any([access, none]));
    let gdcu = gdcu::Params {
        ways,
        kernels,
        cnt_w,
        stages,
    };
    all.extend(demotions::latches(&format!("{path}gdcu."), &gdcu, terms));
    let plob = plob::Params {
        kernels,
        cnt_w,
        stages,
    };
    all.extend(evictions::latches(&format!("{path}plob."), &plob, terms));
    for stage in 0..stages {
        let [valid, kid, hit] = ["valid", "kid", "hit"]
            .map(|flop| terms.flop(&format!("{path}accesses.{flop}[{stage}]")));
        let known = terms.below(kid, kernels);
        all.push(terms.implies(valid, known));
        all.push(terms.implies(hit, valid));
    }
    all
}
