//! `quota_unit`: a schedule that does not depend on them.

use cotenant_golden::sm::quota_unit::Params;
use cotenant_netlist::graph::NodeId;

use crate::unit::sm::QuotaUnit;
use crate::verify::fault::{Facts, Terms};

impl Facts for QuotaUnit {
    fn invariants(params: &Params, terms: &mut Terms<'_>) -> Vec<NodeId> {
        registers("", params, terms)
    }

    fn matters(params: &Params, flop: &str, terms: &mut Terms<'_>) -> Option<NodeId> {
        matters("", params, flop, terms)
    }
}

/// Cycles that a kernel takes, the one that begins it included.
fn steps(params: &Params) -> usize {
    (params.latency() as usize - 1) / params.kernels
}

/// What the registers of a `quota_unit` hold, whose flops are below `path` (empty, or with a dot
/// at its end).
pub(in crate::unit) fn registers(
    path: &str,
    params: &Params,
    terms: &mut Terms<'_>,
) -> Vec<NodeId> {
    let steps = steps(params);
    let mut flop = |name: &str| terms.flop(&format!("{path}{name}"));
    let (left, step) = (flop("left"), flop("step"));
    let mut all = vec![
        terms.below(left, steps * params.kernels + 1),
        terms.below(step, steps),
    ];
    for at in 1..=steps * params.kernels {
        let here = terms.is(left, at);
        let scheduled = terms.is(step, (steps - at % steps) % steps);
        all.push(terms.implies(here, scheduled));
    }
    all
}

/// What follows where only such `ratios` come: no prime power that divides none of them, and none
/// among those still to be multiplied, the lowest first.
pub(in crate::unit) fn factors(
    path: &str,
    params: &Params,
    ratios: &[usize],
    terms: &mut Terms<'_>,
) -> Vec<NodeId> {
    let most = params.ratio_max as usize;
    let prime = |n: &usize| (2..*n).all(|divisor| n % divisor != 0);
    let primes = (2..=most).filter(prime);
    let powers = primes.flat_map(|prime| {
        std::iter::successors(Some(prime), move |power| Some(power * prime))
            .take_while(|&power| power <= most)
    });
    let occurs = |power: usize| ratios.iter().any(|ratio| ratio % power == 0);
    let occurs: Vec<bool> = powers.map(occurs).collect();
    let mut all = Vec::new();
    let missing = terms.flop(&format!("{path}missing"));
    for bit in 0..occurs.len() {
        if !occurs[bit] {
            for kernel in 0..params.kernels {
                let powers = terms.flop(&format!("{path}powers[{kernel}]"));
                let set = terms.bit(powers, bit);
                all.push(terms.not(set));
            }
        }
        if !occurs[bit..].contains(&true) {
            let set = terms.bit(missing, bit);
            all.push(terms.not(set));
        }
    }
    all
}

/// When a working register of a `quota_unit` matters, whose flops are below `path`: the prime
/// powers until the last kernel has begun, the product after a kernel has begun, finished quotas
/// until all are.
pub(in crate::unit) fn matters(
    path: &str,
    params: &Params,
    flop: &str,
    terms: &mut Terms<'_>,
) -> Option<NodeId> {
    let flop = flop.strip_prefix(path)?;
    let steps = steps(params);
    let left = terms.flop(&format!("{path}left"));
    let idle = terms.is(left, 0);
    let busy = terms.not(idle);
    let (name, index) = match flop.split_once('[') {
        Some((name, index)) => (name, index.trim_end_matches(']').parse().ok()?),
        None => (flop, 0usize),
    };
    match name {
        "step" => Some(busy),
        "powers" | "members" => {
            let last = terms.below(left, steps);
            Some(terms.not(last))
        }
        "missing" | "product" | "partial" => {
            let step = terms.flop(&format!("{path}step"));
            let begins = terms.is(step, 0);
            let goes_on = terms.not(begins);
            Some(terms.all([busy, goes_on]))
        }
        "waiting" => {
            let filled = terms.below(left, (index + 1) * steps + 1);
            Some(terms.all([busy, filled]))
        }
        _ => None,
    }
}
