//! `qbmi`: ratios and how they are measured, and what follows from the quotas.

use cotenant_golden::sm::qbmi::Params;
use cotenant_netlist::graph::NodeId;

use crate::unit::sm::quota_unit::facts as unit;
use crate::unit::sm::Qbmi;
use crate::verify::fault::{rules, Facts, Terms};

impl Facts for Qbmi {
    fn invariants(params: &Params, terms: &mut Terms<'_>) -> Vec<NodeId> {
        registers("", params, terms)
    }

    fn matters(params: &Params, flop: &str, terms: &mut Terms<'_>) -> Option<NodeId> {
        matters("", params, flop, terms)
    }
}

/// What the registers of a `qbmi` hold, whose flops are below `path` (empty, or with a dot at its
/// end).
pub(in crate::unit) fn registers(
    path: &str,
    params: &Params,
    terms: &mut Terms<'_>,
) -> Vec<NodeId> {
    let most = params.ratio_max() as usize;
    let mut all = rules::invariants::<Qbmi>(path, params, terms);
    let active = terms.flop(&format!("{path}active_register"));
    let pending = terms.flop(&format!("{path}pending"));
    let mut used_up = Vec::new();
    for kernel in 0..params.kernels {
        let current = terms.flop(&format!("{path}current[{kernel}]"));
        let none = terms.is(current, 0);
        let active = terms.bit(active, kernel);
        used_up.push(terms.all([active, none]));
        let mut meter = |name: &str| terms.flop(&format!("{path}meter[{kernel}].{name}"));
        let (left, ratio) = (meter("left"), meter("ratio_register"));
        let (candidate, requests) = (meter("candidate"), meter("requests"));
        let (instructions, total, sum) = (meter("instructions"), meter("total"), meter("sum"));
        all.push(terms.below(left, most));
        for value in [ratio, candidate] {
            let none = terms.is(value, 0);
            all.push(terms.not(none));
            all.push(terms.below(value, most + 1));
        }
        let more = terms.less(requests, instructions);
        all.push(terms.not(more));
        // The sum and the total's lowest bit below it are an odd multiple of the total: never the
        // power of two that it is compared with.
        let idle = terms.is(left, 0);
        let none = terms.is(total, 0);
        let some = terms.not(none);
        all.push(terms.any([idle, some]));
        all.push(terms.below(total, (1 << params.interval_w) + 1));
        for bit in 1..=params.interval_w {
            let even = terms.even(total, 0);
            let (total, sum) = (terms.even(total, bit), terms.even(sum, bit - 1));
            let product = terms.all([even, sum]);
            all.push(terms.equal(total, product));
        }
        for at in 1..most {
            // A candidate a cycle, and so many of them are left.
            let here = terms.is(left, at);
            let tried = terms.below(candidate, most - at + 1);
            all.push(terms.implies(here, tried));
        }
    }
    let used_up = terms.any(used_up);
    let flops = ["refill", "single", "last"];
    let [refill, single, last] = flops.map(|name| terms.flop(&format!("{path}{name}")));
    for kernel in 0..params.kernels {
        let (gains, active) = (terms.bit(refill, kernel), terms.bit(active, kernel));
        // Twice a set that is capped is never 0, but only since no product is too large.
        let refilled = terms.all([used_up, active]);
        match params.cap {
            true => all.push(terms.implies(gains, active)),
            false => all.push(terms.equal(gains, refilled)),
        }
        let newest = terms.flop(&format!("{path}newest[{kernel}]"));
        let (one, least) = (terms.bit(single, kernel), terms.is(newest, 0));
        all.push(terms.equal(one, least));
        let granted = terms.bit(pending, kernel);
        let latest = terms.is(last, kernel);
        let turn = terms.all([active, latest]);
        all.push(terms.implies(granted, turn));
    }
    let quotas = params.unit();
    let unit = format!("{path}unit.");
    all.extend(unit::registers(&unit, &quotas, terms));
    if params.interval_w <= SHORT {
        let ratios = ratios(path, params, &mut all, terms);
        all.extend(unit::factors(&unit, &quotas, &ratios, terms));
    }
    all
}

/// Width of an interval of so few requests that some ratios never come of it.
const SHORT: usize = 3;

/// The ratios that there are, by trying all numbers of instructions in an interval; to `all` is
/// added what the meters hold on the way to them.
fn ratios(path: &str, params: &Params, all: &mut Vec<NodeId>, terms: &mut Terms<'_>) -> Vec<usize> {
    let (interval, most) = (1usize << params.interval_w, params.ratio_max() as usize);
    let mut ratios = vec![1];
    // Left, total, sum and candidate of each step.
    let mut steps = Vec::new();
    for total in 1..=interval {
        let (mut sum, mut candidate) = (3 * total, 1);
        for left in (1..most).rev() {
            steps.push([left, total, sum / 2, candidate]);
            if sum <= 2 * interval {
                (sum, candidate) = (sum + 2 * total, candidate + 1);
            }
        }
        ratios.push(candidate);
    }
    for kernel in 0..params.kernels {
        let flops = ["left", "total", "sum", "candidate"];
        let flops = flops.map(|name| terms.flop(&format!("{path}meter[{kernel}].{name}")));
        let mut known: Vec<NodeId> = vec![terms.is(flops[0], 0)];
        for step in &steps {
            let here = std::array::from_fn::<_, 4, _>(|i| terms.is(flops[i], step[i]));
            known.push(terms.all(here));
        }
        all.push(terms.any(known));
        let ratio = terms.flop(&format!("{path}meter[{kernel}].ratio_register"));
        let known: Vec<NodeId> = ratios.iter().map(|&known| terms.is(ratio, known)).collect();
        all.push(terms.any(known));
    }
    ratios
}

/// When a working register of a `qbmi` matters, whose flops are below `path`.
pub(in crate::unit) fn matters(
    path: &str,
    params: &Params,
    flop: &str,
    terms: &mut Terms<'_>,
) -> Option<NodeId> {
    let below = flop.strip_prefix(path)?;
    if below.starts_with("unit.") {
        return unit::matters(&format!("{path}unit."), &params.unit(), flop, terms);
    }
    // Total, sum and candidate: while a ratio is made of them.
    let (meter, _) = below.strip_prefix("meter[")?.split_once(']')?;
    let left = terms.flop(&format!("{path}meter[{meter}].left"));
    let idle = terms.is(left, 0);
    Some(terms.not(idle))
}
