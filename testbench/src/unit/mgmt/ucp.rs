//! `ucp`.
//!
//! Stimulus: decisions, completed, dropped and restarted, by counters of several shapes that each
//! application keeps for a while: none, all alike, hits behind a plateau, fewer at each position, about
//! as many per way as the others, as many per way as the best so far, one more or less, or anything; low
//! ones, so that there are ties, and full ones.
//!
//! Functional coverage: when decisions start; who wins a round, with how many of the ways that are
//! left; ties; masks and ratios; counters; quotas.
//!
//! Example waveform: hits that one more way does not show and two do; the same with XSRATIO.
//!
//! Facts: which of the three steps each register is for; the order of the counters in them; the best
//! so far is one of the round's; hits of so many ways fit in as many counters, and cost as often the ratio.

mod coverage;
mod facts;
mod stimulus;

use cotenant_golden::mgmt::ucp::{max_mu, winner, In, Params, Round, State, Ucp as Model, Utility};
use cotenant_golden::mgmt::ByApplication;

use crate::unit::prelude::*;

/// The unit [`ucp`](cotenant_golden::mgmt::ucp).
#[derive(Debug, Clone, Copy)]
pub struct Ucp;

impl Interface for Ucp {
    const NAME: &'static str = "ucp";
    const SUMMARY: &'static str = "gives the ways of the cache to the applications that gain most";
    const PLACE: Place = Place::Cache;
    type Model = Model;

    /// The model knows how long a round takes, not its steps.
    fn working(flop: &str) -> bool {
        let steps = ["asking", "application", "blocks", "answering", "comparing"];
        let kept = ["sum", "cost", "found", "best_", "deciding"];
        steps.iter().chain(&kept).any(|name| flop.starts_with(name))
    }

    fn resumed(params: &Params, state: &State) -> Vec<(String, u128)> {
        state
            .round
            .as_ref()
            .map_or_else(Vec::new, |round| steps(params, state, round))
    }

    fn probe(_: &Params, register: &str, at: &[usize]) -> Probe {
        Probe::Value(match register {
            "quota[]" => format!("quota_register[{}]", at[0]),
            "done" => "done_register".into(),
            _ => subscripted(register, at),
        })
    }

    from_golden!();
}

/// What the three steps hold in a round: each is a cycle behind the one before.
fn steps(params: &Params, state: &State, round: &Round) -> Vec<(String, u128)> {
    let balance = state.balance as usize;
    let asked = params.applications * balance;
    let counter = |nth: usize| (nth / balance, nth % balance + 1);
    let mut flops = vec![("asking".to_string(), u128::from(round.cycle < asked.max(1)))];
    let mut named = |step: &str, (application, blocks): (usize, usize)| {
        flops.extend([
            (format!("{step}application"), application as u128),
            (format!("{step}blocks"), blocks as u128),
        ]);
    };
    let nth = |behind: usize| round.cycle.checked_sub(behind).filter(|&nth| nth < asked);
    if let Some(nth) = nth(0) {
        named("", counter(nth));
    }
    for (step, behind) in [("answering", 1), ("comparing", 2)] {
        if let Some(nth) = nth(behind) {
            named(&format!("{step}_"), counter(nth));
        }
    }
    for (step, behind) in [("answering", 1), ("comparing", 2)] {
        if let Some(nth) = nth(behind) {
            flops.push((step.into(), 1));
            flops.push((format!("{step}_last"), u128::from(nth + 1 == asked)));
        }
    }
    if let Some(nth) = nth(2) {
        let (application, blocks) = counter(nth);
        let hits = round.hits[application][..blocks].iter();
        let cost = blocks as u128 * u128::from(state.ratio[application]);
        flops.push(("sum".into(), hits.map(|&hits| u128::from(hits)).sum()));
        flops.push(("cost".into(), cost));
    }
    if asked > 0 && round.cycle == asked + 2 {
        flops.push(("deciding".into(), 1));
    }
    let compared = round.cycle.saturating_sub(2).min(asked);
    let best = winner((0..params.applications).map(|application| {
        let from = application * balance;
        let known = compared.saturating_sub(from).min(balance);
        match state.mask >> application & 1 {
            1 => None,
            _ => max_mu(&round.hits[application][..known], state.ratio[application]),
        }
    }));
    if let Some((application, Utility { hits, ratio, ways })) = best {
        flops.extend([
            ("found".into(), 1),
            ("best_application".into(), application as u128),
            ("best_blocks".into(), ways.into()),
            ("best_sum".into(), hits),
            ("best_cost".into(), u128::from(ways) * u128::from(ratio)),
        ]);
    }
    flops
}

impl Teach for Ucp {
    const SETS: &'static [&'static str] = &["4x2"];

    fn scene(params: &Params) -> Scene<Self> {
        // What the monitors have counted at positions 0 to 3.
        const FIRST: [u64; 4] = [9, 3, 0, 0];
        const SECOND: [u64; 4] = [9, 0, 8, 0];
        let idle = || Self::idle(params);
        let answer = |position: usize| In {
            read_count: ByApplication::from_fn(params.applications, |i| {
                [FIRST, SECOND][i][position]
            }),
            ..idle()
        };
        let start = |ratio| In {
            start: true,
            xsratio: ByApplication::from_fn(params.applications, |i| [1, ratio][i]),
            ..idle()
        };
        let reset = In {
            reset: true,
            ..idle()
        };
        Scene::new("hits that one more way does not show, and two do")
            .group(
                "decision",
                [
                    row("start"),
                    row("xsratio").when("start"),
                    row("busy"),
                    row("balance").when("busy"),
                    row("allocation[*]").when("busy"),
                ],
            )
            .group(
                "counters, a cycle after they were asked for",
                [
                    row("asking"),
                    row("read_position"),
                    row("answering"),
                    row("read_count").when("answering"),
                ],
            )
            .group(
                "hits of so many ways more",
                [
                    row("comparing"),
                    row("comparing_application").when("comparing"),
                    row("comparing_blocks").when("comparing"),
                    row("sum").when("comparing"),
                    row("cost").when("comparing"),
                ],
            )
            .group(
                "the best so far",
                [
                    row("found"),
                    row("best_application").when("found"),
                    row("best_sum").when("found"),
                    row("best_cost").when("found"),
                ],
            )
            .group("quotas", [row("done"), row("quota")])
            .step(Step::new("Reset: two of four ways each.", reset).then("quota", [2, 2]))
            .step(
                Step::new(
                    "A period ends. Each application has one way, two are to give.",
                    start(1),
                )
                .then("busy", 1)
                .then("balance", 2)
                .then("allocation[*]", [1, 1]),
            )
            .step(
                Step::new(
                    "Application 0: its hits at position 1, where its second way would be.",
                    idle(),
                )
                .sees("read_position", 1),
            )
            .step(
                Step::new(
                    "They are 3, 3 per way. Those at position 2 are asked for.",
                    answer(1),
                )
                .sees("read_position", 2)
                .then("sum", 3)
                .then("cost", 1),
            )
            .step(
                Step::new("None: 3 for two ways. Now application 1.", answer(2))
                    .sees("read_position", 1)
                    .then("sum", 3)
                    .then("cost", 2)
                    .then("best_sum", 3)
                    .then("best_cost", 1),
            )
            .step(
                Step::new(
                    "It has no hit at position 1: one way more would do nothing.",
                    answer(1),
                )
                .sees("read_position", 2)
                .then("sum", 0)
                .then("cost", 1),
            )
            .step(
                Step::new("But 8 at position 2: 8 for two ways.", answer(2))
                    .then("sum", 8)
                    .then("cost", 2),
            )
            .step(
                Step::new(
                    "8 times 1 is more than 3 times 2: the highest hits per way.",
                    idle(),
                )
                .then("best_application", 1)
                .then("best_sum", 8)
                .then("best_cost", 2),
            )
            .step(
                Step::new("Application 1 gets two ways, and none is left.", idle())
                    .then("allocation[*]", [1, 3])
                    .then("balance", 0),
            )
            .step(
                Step::new("The decision is complete.", idle())
                    .sees("busy", 1)
                    .sees("quota", [2, 2])
                    .then("quota", [1, 3])
                    .then("done", 1),
            )
            .step(
                Step::new(
                    "The same counters, but application 1 is of the GPU, with four times the \
                     accesses: XSRATIO 4.",
                    start(4),
                )
                .sees("done", 1),
            )
            .step(Step::over(
                "Application 0 as before.",
                [idle(), answer(1), answer(2)],
            ))
            .step(
                Step::over("8 hits for two ways, divided by 4.", [answer(1), answer(2)])
                    .then("sum", 8)
                    .then("cost", 8),
            )
            .step(
                Step::new("8 times 1 is less than 3 times 8.", idle())
                    .then("best_application", 0)
                    .then("best_sum", 3),
            )
            .step(
                Step::new("Application 0 gets one way; one is left.", idle())
                    .then("allocation[*]", [2, 1])
                    .then("balance", 1),
            )
            .step(
                Step::over(
                    "The next round: neither has hits with one way more, and the lower id wins.",
                    [idle(), answer(2), answer(1), idle(), idle()],
                )
                .then("allocation[*]", [3, 1])
                .then("balance", 0),
            )
            .step(
                Step::new("The decision is complete.", idle())
                    .then("quota", [3, 1])
                    .then("done", 1),
            )
            .step(Step::new("It stays until the next one.", idle()).sees("done", 1))
    }
}
