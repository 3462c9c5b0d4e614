//! `llc_monitor`: invariants of the pipelines.

use cotenant_golden::llc::llc_monitor::{Matrix, Params};
use cotenant_netlist::graph::NodeId;

use crate::unit::llc::gdcu as demotions;
use crate::unit::llc::plob as evictions;
use crate::unit::llc::shared as counter_matrix;
use crate::unit::llc::{LlcMonitor, OUTCOMES};
use crate::verify::fault::{rules, Facts, Terms};

impl Facts for LlcMonitor {
    fn invariants(params: &Params, terms: &mut Terms<'_>) -> Vec<NodeId> {
        registers("", params, terms)
    }

    fn matters_alone(params: &Params, flop: &str, terms: &mut Terms<'_>) -> Option<NodeId> {
        matters_alone("", params, flop, terms)
    }
}

/// When a flop below `path` (empty, or with a dot at its end) that is not compared matters, while
/// all others are equal.
pub(in crate::unit) fn matters_alone(
    path: &str,
    params: &Params,
    flop: &str,
    terms: &mut Terms<'_>,
) -> Option<NodeId> {
    // In each bank the matrices of `gdcu`, `plob` and `accesses`; of these rows are hits and
    // misses.
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

/// What the flops hold, which are below `path` (empty, or with a dot at its end).
pub(in crate::unit) fn registers(
    path: &str,
    params: &Params,
    terms: &mut Terms<'_>,
) -> Vec<NodeId> {
    let mut all = rules::invariants::<LlcMonitor>(path, params, terms);
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
        stages,
        ..
    } = *params;
    let mut all = Vec::new();
    let directory = |flop: &str| format!("{path}directory.{flop}");
    for (before, after) in [
        ("compare.", "_register"),
        ("lookup.", "_register"),
        ("update_", ""),
    ] {
        let mut flop = |flop: &str| terms.flop(&directory(&format!("{before}{flop}{after}")));
        let kid = flop("kid");
        let kinds = ["access", "invalidate", "clear"].map(&mut flop);
        all.push(terms.below(kid, kernels));
        for (i, &kind) in kinds.iter().enumerate() {
            for &other in &kinds[..i] {
                all.push(terms.disjoint(kind, other));
            }
        }
    }
    // A way is invalidated that there is, by a request to do so.
    for stage in ["compare", "lookup"] {
        let valid = terms.flop(&directory(&format!("{stage}.invalidate_register")));
        let way = terms.flop(&directory(&format!("{stage}.way_register")));
        let known = terms.below(way, ways);
        all.push(terms.implies(valid, known));
    }
    let removed = terms.flop(&directory("removed"));
    let removes = terms.flop(&directory("update_invalidate"));
    let none = terms.is(removed, 0);
    let keeps = terms.not(removes);
    all.push(terms.equal(none, keeps));
    for way in 0..ways {
        for other in 0..way {
            let [way, other] = [way, other].map(|way| terms.bit(removed, way));
            all.push(terms.disjoint(way, other));
        }
    }
    // Nothing matches, hits or misses without an access, and nothing misses that hits.
    let access = terms.flop(&directory("lookup.access_register"));
    for flop in ["same_tag", "tags.early_tag", "tags.late_tag"] {
        let equal = terms.flop(&directory(flop));
        all.push(terms.implies(equal, access));
    }
    let unwritten = terms.flop(&directory("tags.unwritten"));
    let none = terms.is(unwritten, 0);
    all.push(terms.any([access, none]));
    let access = terms.flop(&directory("update_access"));
    let missed = terms.flop(&directory("missed"));
    let hits = terms.flop(&directory("hits"));
    let none = terms.is(hits, 0);
    all.push(terms.implies(missed, access));
    all.push(terms.implies(missed, none));
    all.push(terms.any([access, none]));
    // A way's tag was written last as it was read, as it was compared, or before.
    let [early, late] =
        ["early", "late"].map(|flop| terms.flop(&directory(&format!("tags.{flop}"))));
    for way in 0..ways {
        let [early, late, unwritten] = [early, late, unwritten].map(|ways| terms.bit(ways, way));
        all.push(terms.disjoint(early, late));
        all.push(terms.disjoint(early, unwritten));
        all.push(terms.disjoint(late, unwritten));
    }
    all.extend(demotions::latches(
        &format!("{path}gdcu."),
        &params.gdcu(),
        terms,
    ));
    all.extend(evictions::latches(
        &format!("{path}plob."),
        &params.plob(),
        terms,
    ));
    for stage in 0..stages {
        let [valid, kid, hit] = ["valid", "kid", "hit"]
            .map(|flop| terms.flop(&format!("{path}accesses.{flop}[{stage}]")));
        let known = terms.below(kid, kernels);
        all.push(terms.implies(valid, known));
        all.push(terms.implies(hit, valid));
    }
    all
}
