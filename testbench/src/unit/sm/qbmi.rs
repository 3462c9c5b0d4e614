//! `qbmi` under test: stimulus, coverage, example waveform and invariants.
//!
//! Example waveform: ratios measured, quotas computed, and quotas used up and filled again; figure
//! 7, with intervals of 4 requests in place of 1024.
//!
//! Facts: ratios and how they are measured, and what follows from the quotas.

mod coverage;
pub(crate) mod far;
pub mod stimulus;

use cotenant_golden::sm::qbmi::{In, Params, Qbmi as Model, State};

use super::quota_unit::{self, QuotaUnit};
use super::shared::COST;
use crate::unit::prelude::*;

/// The unit [`qbmi`](cotenant_golden::sm::qbmi).
#[derive(Debug, Clone, Copy)]
pub struct Qbmi;

impl Interface for Qbmi {
    const NAME: &'static str = "qbmi";
    const SUMMARY: &'static str =
        "selects the kernel that issues a memory instruction, by highest quota";
    const PLACE: Place = Place::Sm;
    type Model = Model;

    /// Section 4.4: "one more 10-bit memory instruction counter"; the request counter is MILG's,
    /// which `qbmi` has once more.
    fn named_in_paper(flop: &str) -> Option<&'static str> {
        let instructions = flop.starts_with("meter[") && flop.ends_with("].instructions");
        instructions.then_some(COST)
    }

    fn working(flop: &str) -> bool {
        match flop.strip_prefix("unit.") {
            Some(flop) => QuotaUnit::working(flop),
            None => {
                let of_a_meter = |work: &&str| flop.starts_with("meter[") && flop.ends_with(*work);
                let works = [".total", ".sum", ".candidate"];
                flop.starts_with("undeducted[") || works.iter().any(of_a_meter)
            }
        }
    }

    fn resumed(_: &Params, state: &State) -> Vec<(String, u128)> {
        let flops = state.undeducted.iter().enumerate();
        flops
            .map(|(at, &kernel)| (format!("undeducted[{at}]"), kernel.into()))
            .collect()
    }

    fn probe(params: &Params, register: &str, at: &[usize]) -> Probe {
        if let Some(register) = register.strip_prefix("unit.") {
            return QuotaUnit::probe(&params.unit(), register, at).below("unit");
        }
        Probe::Value(match register {
            "active" | "meter[].ratio" => subscripted(register, at) + "_register",
            other => subscripted(other, at),
        })
    }

    from_golden!();
}

impl Teach for Qbmi {
    const SETS: &'static [&'static str] = &["2x2"];

    fn scene(params: &Params) -> Scene<Self> {
        let idle = In::default();
        let request = |request_first| In {
            request_valid: true,
            request_first,
            request_kid: 1,
            ..idle
        };
        let both = In {
            ready: 0b11,
            accept: true,
            ..idle
        };
        // Who wins, and the quotas that it leads to.
        let wins = |caption, kernel: u64, quotas: [u64; 2]| {
            Step::new(caption, both)
                .sees("grant_valid", true)
                .sees("grant_kid", kernel)
                .then("quota", quotas)
        };
        let reset = Self::cycle(params, |i| i.reset = true);
        let launch = Self::cycle(params, |i| i.launch = 0b11);
        Scene::new("ratios, quotas, and a refill")
            .rows("kernels, K0 lowest", "launch, active")
            .rows(
                "requests accepted",
                "request_valid, request_first when request_valid, request_kid kernel when \
                 request_valid, ratio",
            )
            .rows("newest set of quotas", "unit.left, unit.quota[*]")
            .rows("grant", "ready, accept, grant_kid kernel when grant_valid, quota")
            .cycle("Reset: no kernel is active.", reset)
            .then("active", 0b00)
            .cycle("K0 and K1 are launched: all quotas restart at 1.", launch)
            .then("active", 0b11)
            .then("quota", [1, 1])
            .then("ratio", [1, 1])
            .cycles(
                "K1's interval: 4 requests of 2 instructions. Meanwhile the quotas of equal ratios are computed.",
                [request(true), request(false), request(true), request(false)],
            )
            .then("meter[1].requests", 0)
            .then("meter[1].left", 3)
            .cycles("4 / 2 is found in three steps.", [idle; 3])
            .sees("ratio", [1, 1])
            .then("ratio", [1, 2])
            .cycles("The first computation ends.", [idle; 2])
            .then("unit.left", 0)
            .then("unit.quota[*]", [1, 1])
            .cycles("Another one, with the new ratio, takes nine cycles.", [idle; 9])
            .folded()
            .sees("unit.quota[*]", [1, 1])
            .then("unit.quota[*]", [2, 1])
            .then("quota", [1, 1])
            .step(wins(
                "Both are ready with equal quotas: K0 is first. Its quota reaches zero, and the newest set, 2 and 1, is added to both.",
                0,
                [2, 2],
            ))
            .step(wins("Equal: K1, after K0.", 1, [2, 1]))
            .step(wins("K0 has the higher quota.", 0, [1, 1]))
            .step(wins("Equal: K1, whose quota reaches zero.", 1, [3, 1]))
            .step(wins("K0 has the higher quota", 0, [2, 1]))
            .step(wins("and again,", 0, [1, 1]))
            .step(wins(
                "then equal: from now on, two instructions of K0 for each of K1, two requests each.",
                1,
                [3, 1],
            ))
            .cycle("The LSU accepts none: no grant.", idle)
            .sees("grant_valid", false)
    }
}

impl Facts for Qbmi {
    fn invariants(params: &Params, terms: &mut Terms<'_>) -> Vec<Term> {
        let most = params.ratio_max() as usize;
        let mut all = rules::invariants::<Self>(params, terms);
        for kernel in 0..params.kernels {
            let mut meter = |name: &str| terms.flop(&format!("meter[{kernel}].{name}"));
            let (left, ratio) = (meter("left"), meter("ratio_register"));
            let (candidate, requests) = (meter("candidate"), meter("requests"));
            let (instructions, total, sum) = (meter("instructions"), meter("total"), meter("sum"));
            all.push(terms.below(left, most));
            for value in [ratio, candidate] {
                all.push(terms.some(value));
                all.push(terms.below(value, most + 1));
            }
            let more = terms.less(requests, instructions);
            all.push(terms.not(more));
            // The sum and the total's lowest bit below it are an odd multiple of the total: never the
            // power of two that it is compared with.
            all.push(terms.below(total, (1 << params.interval_w) + 1));
            for bit in 1..=params.interval_w {
                let even = terms.even(total, 0);
                let (total, sum) = (terms.even(total, bit), terms.even(sum, bit - 1));
                let product = terms.all([even, sum]);
                all.push(terms.equal(total, product));
            }
            for at in 1..most {
                // One candidate per cycle, and so many of them are left.
                let here = terms.is(left, at);
                let tried = terms.below(candidate, most - at + 1);
                all.push(terms.implies(here, tried));
            }
        }
        let active = terms.flop("active_register");
        for at in 0..params.lag {
            let undeducted = terms.flop(&format!("undeducted[{at}]"));
            for kernel in 0..params.kernels {
                // A restart drops what is not deducted.
                let (granted, active) = (terms.bit(undeducted, kernel), terms.bit(active, kernel));
                all.push(terms.implies(granted, active));
                for other in kernel + 1..params.kernels {
                    let both = [kernel, other].map(|kernel| terms.bit(undeducted, kernel));
                    let both = terms.all(both);
                    all.push(terms.not(both));
                }
            }
        }
        let ratios = (params.interval_w <= SHORT).then(|| ratios(params, &mut all, terms));
        all.extend(terms.within("unit.", |terms| {
            let quotas = params.unit();
            let mut all = QuotaUnit::invariants(&quotas, terms);
            if let Some(ratios) = ratios {
                all.extend(quota_unit::factors(&quotas, &ratios, terms));
            }
            all
        }));
        all
    }

    /// Total, sum and candidate: while a ratio is made of them.
    fn matters(params: &Params, flop: &str, terms: &mut Terms<'_>) -> Option<Term> {
        let unit = |flop: &str, terms: &mut _| QuotaUnit::matters(&params.unit(), flop, terms);
        if let Some(matters) = terms.flop_within("unit.", flop, unit) {
            return Some(matters);
        }
        let (meter, _) = flop.strip_prefix("meter[")?.split_once(']')?;
        let left = terms.flop(&format!("meter[{meter}].left"));
        let idle = terms.is(left, 0);
        Some(terms.not(idle))
    }
}

/// Width of an interval of so few requests that some ratios never come of it.
const SHORT: usize = 3;

/// The ratios that there are, by trying all numbers of instructions in an interval; to `all` is
/// added what the meters hold on the way to them.
fn ratios(params: &Params, all: &mut Vec<Term>, terms: &mut Terms<'_>) -> Vec<usize> {
    let (interval, most) = (1usize << params.interval_w, params.ratio_max() as usize);
    let mut ratios = vec![1];
    // Left, total, sum and candidate of each step.
    let mut steps = Vec::new();
    for total in 0..=interval {
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
        let flops = flops.map(|name| terms.flop(&format!("meter[{kernel}].{name}")));
        let mut known: Vec<Term> = vec![terms.is(flops[0], 0)];
        for step in &steps {
            let here = std::array::from_fn::<_, 4, _>(|i| terms.is(flops[i], step[i]));
            known.push(terms.all(here));
        }
        all.push(terms.any(known));
        let ratio = terms.flop(&format!("meter[{kernel}].ratio_register"));
        let known: Vec<Term> = ratios.iter().map(|&known| terms.is(ratio, known)).collect();
        all.push(terms.any(known));
    }
    ratios
}
