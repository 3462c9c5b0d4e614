//! `quota_unit`: ratios that there are, and a schedule that does not depend on them.

use cotenant_golden::sm::quota_unit::Params;
use cotenant_netlist::graph::NodeId;

use crate::fault::proof::{Facts, Terms};
use crate::unit::sm::QuotaUnit;

impl Facts for QuotaUnit {
    fn assumptions(params: &Params, terms: &mut Terms<'_>) -> Vec<NodeId> {
        let (start, active) = (terms.port("start"), terms.port("active"));
        let mut all = Vec::new();
        for kernel in 0..params.kernels {
            let ratio = terms.element("ratio", kernel);
            let zero = terms.is(ratio, 0);
            let some = terms.not(zero);
            let few = terms.below(ratio, params.ratio_max as usize + 1);
            let legal = terms.all([some, few]);
            let active = terms.bit(active, kernel);
            let taken = terms.all([start, active]);
            all.push(terms.implies(taken, legal));
        }
        all
    }

    fn invariants(params: &Params, terms: &mut Terms<'_>) -> Vec<NodeId> {
        registers("", params, terms)
    }

    fn matters(params: &Params, flop: &str, terms: &mut Terms<'_>) -> Option<NodeId> {
        matters("", params, flop, terms)
    }
}

/// Cycles that a kernel takes, the one that begins it included.
fn steps(params: &Params) -> usize {
    (params.latency() as usize - 2) / params.kernels
}

/// What the registers of a `quota_unit` hold, whose flops are below `path` (empty, or with a dot
/// at its end).
pub(super) fn registers(path: &str, params: &Params, terms: &mut Terms<'_>) -> Vec<NodeId> {
    let steps = steps(params);
    let cycles = steps * params.kernels + 1;
    let mut flop = |name: &str| terms.flop(&format!("{path}{name}"));
    let (left, step) = (flop("left"), flop("step"));
    let [busy, finishes] = ["busy_register", "finishes"].map(&mut flop);
    let [begins, ends, ended] = ["begins", "ends", "ended"].map(&mut flop);
    let [bit, bit_ends] = ["bit", "bit_ends"].map(&mut flop);
    let mut all = vec![terms.below(left, cycles + 1), terms.below(step, steps)];
    let idle = terms.is(left, 0);
    let first = terms.is(step, 0);
    all.push(terms.implies(idle, first));
    for at in 1..=cycles {
        let here = terms.is(left, at);
        let scheduled = terms.is(step, (steps - (at - 1) % steps) % steps);
        all.push(terms.implies(here, scheduled));
        // In the first cycle it may be of a set that was abandoned.
        if at < cycles {
            let ended = match (at - 1) % steps {
                0 => ended,
                _ => terms.not(ended),
            };
            all.push(terms.implies(here, ended));
        }
    }
    // What is known of a step before it comes.
    let works = terms.not(idle);
    all.push(terms.equal(busy, works));
    let one = terms.is(left, 1);
    all.push(terms.equal(finishes, one));
    all.push(terms.equal(begins, first));
    let last = terms.is(step, steps - 1);
    all.push(terms.equal(ends, last));
    let (mut set, mut end) = (Vec::new(), Vec::new());
    let mut at = 0;
    for prime in powers(params).into_iter().map(|(prime, _)| prime) {
        for place in (0..prime.ilog2()).rev() {
            at += 1;
            let here = terms.is(step, at);
            if prime >> place & 1 == 1 {
                set.push(here);
            }
            if place == 0 {
                end.push(here);
            }
        }
    }
    let (set, end) = (terms.any(set), terms.any(end));
    all.push(terms.equal(bit, set));
    all.push(terms.equal(bit_ends, end));
    all
}

/// Prime powers that a ratio can have, in the order of the multiplications, with the prime first.
fn powers(params: &Params) -> Vec<(usize, usize)> {
    let most = params.ratio_max as usize;
    let prime = |n: &usize| (2..*n).all(|divisor| n % divisor != 0);
    let primes = (2..=most).filter(prime);
    let powers = primes.flat_map(|prime| {
        std::iter::successors(Some(prime), move |power| Some(power * prime))
            .take_while(move |&power| power <= most)
            .map(move |power| (prime, power))
    });
    powers.collect()
}

/// What follows where only such `ratios` come: no prime power that divides none of them, and none
/// among those still to be multiplied, the lowest first.
pub(super) fn factors(
    path: &str,
    params: &Params,
    ratios: &[usize],
    terms: &mut Terms<'_>,
) -> Vec<NodeId> {
    let occurs = |power: usize| ratios.iter().any(|ratio| ratio % power == 0);
    let powers = powers(params).into_iter();
    let occurs: Vec<bool> = powers.map(|(_, power)| occurs(power)).collect();
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
pub(super) fn matters(
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
            let last = terms.below(left, steps + 1);
            Some(terms.not(last))
        }
        "missing" | "product" | "partial" => {
            let step = terms.flop(&format!("{path}step"));
            let begins = terms.is(step, 0);
            let mut needed = vec![terms.not(begins)];
            // It is taken in the cycle after.
            if name == "product" {
                needed.push(terms.flop(&format!("{path}ended")));
            }
            let needed = terms.any(needed);
            Some(terms.all([busy, needed]))
        }
        "waiting" => {
            let filled = terms.below(left, (index + 1) * steps + 1);
            Some(terms.all([busy, filled]))
        }
        _ => None,
    }
}
