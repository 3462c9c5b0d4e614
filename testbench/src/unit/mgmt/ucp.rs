//! `ucp`.
//!
//! Stimulus: decisions, completed, dropped and restarted, by counters of several shapes that each
//! application keeps for a while: none, all alike, hits behind a plateau, fewer at each position, about
//! as many per way as the others, or anything; low ones, so that there are ties, and full ones.
//!
//! Functional coverage: when decisions start; who wins a round, with how many of the ways that are
//! left; ties; masks and ratios; counters; quotas.
//!
//! Example waveform: hits that one more way does not show and two do; the same with XSRATIO.
//!
//! Facts: which of the three steps each register is for; the order of the counters in them; the best
//! so far is one of the round's.

mod coverage;

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

/// What happens in a cycle.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Transaction {
    /// Reset.
    pub reset: When,
    /// A decision is started.
    pub start: When,
    /// The applications that get one way only; at a start not all.
    pub mask: u64,
    /// By what the counters of each are divided, cut to its width; at a start at least 1, missing
    /// ones are 1.
    pub ratio: Vec<u16>,
    /// The counters of each application, where they are asked for.
    pub curves: Vec<Curve>,
    /// What they are else.
    pub noise: u64,
}

/// When a decision is started, or dropped by a reset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum When {
    /// Not in this cycle.
    #[default]
    Never,
    /// If none is under way.
    Idle,
    /// As the last counters of a round are on their way.
    Ending,
    /// In the last cycle of a decision, which it drops.
    Last,
    /// In this cycle.
    Now,
}

/// The counters of an application.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Curve {
    /// How they go with the position.
    pub shape: Shape,
    /// The most, cut to the counters' width.
    pub height: u64,
    /// The position at which something changes.
    pub knee: u8,
}

/// How counters go with the position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Shape {
    /// All alike.
    #[default]
    Flat,
    /// Hits at one position alone.
    Peak,
    /// Hits up to one position.
    Step,
    /// Half of those at the position before.
    Falling,
    /// Nearly the same number per way and XSRATIO, so that products differ by little.
    Even,
    /// What gives as many hits per way and XSRATIO as the best so far has, or one more or less; of the
    /// first the most.
    Rival,
    /// Anything up to the most.
    Noise,
}

impl Curve {
    fn at(self, model: &Model, (application, position): (usize, u64), noise: u64) -> u64 {
        let (limit, ratio) = (ones(model.params().cnt_w), model.state().ratio[application]);
        let height = self.height & limit;
        let knee = u64::from(self.knee);
        match self.shape {
            Shape::Flat => height,
            Shape::Peak if position == knee => height,
            Shape::Step if position <= knee => height,
            Shape::Peak | Shape::Step => 0,
            Shape::Falling => height >> position.min(63),
            Shape::Even => ((height & 0xff) * ratio + (noise & 3)).min(limit),
            Shape::Rival => match rival(model, application) {
                Some(equal) => {
                    let off = (noise % 3) as i8 - 1;
                    equal.saturating_add_signed(off.into()).min(limit)
                }
                None => height,
            },
            Shape::Noise => {
                noise
                    & self
                        .height
                        .checked_next_power_of_two()
                        .map_or(u64::MAX, |end| end - 1)
            }
        }
    }

    /// From an application's character.
    fn of(ways: usize, character: u64) -> Self {
        let shape = match character & 7 {
            0 => Shape::Flat,
            1 => Shape::Rival,
            2 | 3 => Shape::Peak,
            4 => Shape::Step,
            5 => Shape::Falling,
            6 => Shape::Even,
            _ => Shape::Noise,
        };
        let height = match character >> 3 & 7 {
            0 => 0,
            1..=3 => character >> 8 & 3,
            4 => u64::MAX,
            5 => character >> 8,
            // Of all magnitudes.
            _ => character >> 8 & ones((character >> 56 & 15) as usize + 1),
        };
        Self {
            shape,
            height,
            knee: ((character >> 40) % ways as u64) as u8,
        }
    }
}

/// The count at which an application, whose counter is taken, would have as many hits per way and
/// XSRATIO as the best of the round so far; none if that is none, or has more than a counter holds.
fn rival(model: &Model, application: usize) -> Option<u64> {
    let state = model.state();
    let hits = &state.round.as_ref()?.hits;
    let best = winner(hits.iter().enumerate().map(|(i, hits)| {
        let free = state.mask >> i & 1 == 0;
        free.then(|| max_mu(hits, state.ratio[i])).flatten()
    }));
    let (_, best) = best?;
    let ways = 1 + hits[application].len() as u128;
    let ours = ways * u128::from(state.ratio[application]);
    let equal = best.hits * ours / (u128::from(best.ways) * u128::from(best.ratio));
    let before: u128 = hits[application].iter().copied().map(u128::from).sum();
    u64::try_from(equal.saturating_sub(before)).ok()
}

impl Drive for Ucp {
    type Transaction = Transaction;
    type World = ();
    const PROFILES: &'static [Profile] = &[
        Profile::Uniform,
        Profile::Skewed,
        Profile::Bursts,
        Profile::Saturation,
        Profile::Idle,
        Profile::Storms,
    ];

    fn kernels(params: &Params) -> usize {
        params.applications
    }

    fn world(_: &Params) {}

    fn idle(params: &Params) -> In {
        In {
            xsratio: ByApplication::from_fn(params.applications, |_| 1),
            read_count: ByApplication::from_fn(params.applications, |_| 0),
            ..In::default()
        }
    }

    fn resolve(params: &Params, model: &Model, (): &mut (), what: &Transaction, input: &mut In) {
        let state = model.state();
        let under_way = state.round.is_some();
        let asked = params.applications as u64 * state.balance;
        let happens = |when: When| match when {
            When::Never => false,
            When::Idle => !under_way,
            When::Ending => {
                let mut round = state.round.iter();
                round.any(|round| round.cycle as u64 + 1 >= asked)
            }
            When::Last => under_way && state.balance == 0,
            When::Now => true,
        };
        let start = happens(what.start);
        let all = ones(params.applications);
        let answered = model.answered();
        *input = In {
            reset: happens(what.reset),
            start,
            ucp_mask: match what.mask & all {
                mask if start && mask == all => {
                    all & !(1 << (what.noise % params.applications as u64))
                }
                mask => mask,
            },
            xsratio: ByApplication::from_fn(params.applications, |i| {
                let ratio =
                    what.ratio.get(i).map_or(1, |&ratio| u64::from(ratio)) & ones(params.xs_w);
                match start {
                    true => ratio.max(1),
                    false => ratio,
                }
            }),
            read_count: ByApplication::from_fn(params.applications, |i| {
                let noise = what.noise.rotate_left(7 * i as u32);
                let count = match (answered, what.curves.get(i)) {
                    (Some(at), Some(curve)) if at.0 == i => curve.at(model, at, noise),
                    _ => noise,
                };
                count & ones(params.cnt_w)
            }),
        };
    }

    fn draw(
        params: &Params,
        knobs: &Knobs,
        pace: &mut Pace,
        random: &mut Random,
        transaction: &mut Transaction,
    ) {
        let applications = params.applications;
        // A decision takes up to a thousand cycles.
        let rarer = |odds, random: &mut Random| random.chance(odds) && random.below(64) == 0;
        transaction.reset = match random.chance(knobs.reset) {
            true if random.below(64) == 0 => When::Now,
            true => When::Ending,
            false => When::Never,
        };
        transaction.start = match random.below(8) {
            0 if rarer(knobs.snapshot, random) => When::Now,
            1 if random.chance(Odds::one_in(2)) => When::Last,
            2..=4 if random.chance(knobs.access) => When::Idle,
            _ => When::Never,
        };
        let bits = random.bits();
        transaction.mask = match bits & 7 {
            0 => bits >> 32,
            // All but one of them, whichever that is.
            1 => u64::MAX,
            2 | 3 => 1 << ((bits >> 32) % applications as u64),
            _ => 0,
        };
        transaction.ratio.resize(applications, 1);
        for ratio in &mut transaction.ratio {
            *ratio = match random.below(8) {
                0 => u16::MAX,
                1 => random.bits() as u16 >> random.below(16),
                2 | 3 => random.below(4) as u16,
                _ => 1,
            };
        }
        // Now and then all applications have the same ones, or others in each cycle.
        let habits = pace.character(u8::MAX);
        let (alike, fickle) = (habits & 3 == 0, habits >> 2 & 1 == 1);
        let characters: Vec<u64> = (0..applications as u8)
            .map(|i| match fickle {
                true => random.bits(),
                false => pace.character(if alike { 0 } else { i }),
            })
            .collect();
        let curves = characters
            .into_iter()
            .map(|character| Curve::of(params.ways, character));
        transaction.curves.clear();
        transaction.curves.extend(curves);
        transaction.noise = random.bits();
    }
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

impl Facts for Ucp {
    fn invariants(params: &Params, terms: &mut Terms<'_>) -> Vec<Term> {
        let mut all = rules::invariants::<Self>(params, terms);
        let asks = asks(terms);
        all.extend(order(params, asks, terms));
        all.extend(kept(params, terms));
        all.extend(added(params, terms));
        all
    }

    /// What a step holds, while there is something in it.
    fn matters(_: &Params, flop: &str, terms: &mut Terms<'_>) -> Option<Term> {
        let step = match flop {
            "application" | "blocks" => "asking",
            "answering_application" | "answering_blocks" => "answering",
            "comparing_application" | "comparing_blocks" => "comparing",
            "best_sum" | "best_cost" | "best_application" | "best_blocks" => "found",
            // A sum begins with the first counter of an application.
            "sum" | "cost" => {
                let [compared, added, blocks] =
                    terms.flops(["comparing", "answering", "answering_blocks"]);
                let first = terms.is(blocks, 1);
                let more = terms.not(first);
                let goes_on = terms.all([added, more]);
                return Some(terms.any([compared, goes_on]));
            }
            _ => return None,
        };
        Some(terms.flop(step))
    }
}

/// A counter is asked for: a round has begun, and some way is left.
fn asks(terms: &mut Terms<'_>) -> Term {
    let [asking, balance] = terms.flops(["asking", "balance"]);
    let complete = terms.is(balance, 0);
    let left = terms.not(complete);
    terms.all([asking, left])
}

/// The steps of a round hold counters that follow each other, and nothing else happens meanwhile.
fn order(params: &Params, asks: Term, terms: &mut Terms<'_>) -> Vec<Term> {
    let last_application = params.applications - 1;
    let [balance, asking, deciding] = terms.flops(["balance", "asking", "deciding"]);
    let complete = terms.is(balance, 0);
    let mut all = Vec::new();
    // Each step, with the one that is a counter ahead of it.
    let mut ahead = (asks, "application", "blocks");
    for (step, application, blocks) in [
        ("answering", "answering_application", "answering_blocks"),
        ("comparing", "comparing_application", "comparing_blocks"),
    ] {
        let name = format!("{step}_last");
        let [valid, last] = terms.flops([step, &name]);
        let [its, ways] = terms.flops([application, blocks]);
        let [next_its, next_ways] = terms.flops([ahead.1, ahead.2]);
        let its_last = terms.same(ways, balance);
        let of_last = terms.is(its, last_application);
        let ends = terms.all([its_last, of_last]);
        let ends = terms.same(last, ends);
        let more = terms.not(last);
        let followed = terms.same(more, ahead.0);
        let some = terms.not(complete);
        let holds = terms.all([ends, followed, some]);
        all.push(terms.implies(valid, holds));
        all.push(terms.implies(last, valid));

        // What follows is one way more, or the next application's first.
        let one = terms.number(1);
        let [same, after] = [its, terms.sum([its, one])].map(|value| terms.same(next_its, value));
        let one_more = terms.sum([ways, one]);
        let one_more = terms.same(next_ways, one_more);
        let first = terms.is(next_ways, 1);
        let [goes_on, begins] = [[same, one_more], [after, first]].map(|both| terms.all(both));
        let follows = terms.either(its_last, begins, goes_on);
        let both = terms.all([valid, ahead.0]);
        all.push(terms.implies(both, follows));

        // A round begins with the first counter.
        let nothing = terms.not(valid);
        let alone = terms.all([ahead.0, nothing]);
        let of_first = terms.is(next_its, 0);
        let first = terms.all([of_first, first]);
        all.push(terms.implies(alone, first));
        ahead = (valid, application, blocks);
    }
    for (valid, application, blocks) in [
        (asks, "application", "blocks"),
        (
            terms.flop("answering"),
            "answering_application",
            "answering_blocks",
        ),
        (
            terms.flop("comparing"),
            "comparing_application",
            "comparing_blocks",
        ),
    ] {
        let fits = fits(params, application, blocks, terms);
        all.push(terms.implies(valid, fits));
    }
    let [answering, comparing] = terms.flops(["answering", "comparing"]);
    let [answering_last, comparing_last] = terms.flops(["answering_last", "comparing_last"]);
    let under_way = terms.any([asking, answering, comparing]);
    let nothing = terms.not(under_way);
    all.push(terms.implies(deciding, nothing));
    let some = terms.not(complete);
    all.push(terms.implies(deciding, some));
    // The last counter is the end of what is asked for.
    let not_asking = terms.not(asking);
    all.push(terms.implies(answering_last, not_asking));
    let ahead = terms.any([asking, answering]);
    let nothing = terms.not(ahead);
    all.push(terms.implies(comparing_last, nothing));
    let not_asks = terms.not(asks);
    let blocks = terms.flop("blocks");
    let first = terms.is(blocks, 1);
    all.push(terms.implies(not_asks, first));
    let begun = terms.all([asking, complete]);
    let application = terms.flop("application");
    let of_first = terms.is(application, 0);
    all.push(terms.implies(begun, of_first));
    all
}

/// An application that there is, and at least one way and no more than are left.
fn fits(params: &Params, application: &str, blocks: &str, terms: &mut Terms<'_>) -> Term {
    let [balance, its, ways] = terms.flops(["balance", application, blocks]);
    let known = terms.below(its, params.applications);
    let none = terms.is(ways, 0);
    let some = terms.not(none);
    let more = terms.lower(balance, ways);
    let left = terms.not(more);
    terms.all([known, some, left])
}

/// What is compared, and the best so far: the hits of so many ways are no more than as many counters
/// hold, and their cost is as often the ratio of their application.
fn added(params: &Params, terms: &mut Terms<'_>) -> Vec<Term> {
    let mut all = Vec::new();
    for (valid, its, ways, sum, cost) in [
        (
            "comparing",
            "comparing_application",
            "comparing_blocks",
            "sum",
            "cost",
        ),
        (
            "found",
            "best_application",
            "best_blocks",
            "best_sum",
            "best_cost",
        ),
    ] {
        let [valid, its, ways] = terms.flops([valid, its, ways]);
        let [sum, cost] = terms.flops([sum, cost]);
        // Counters that are full hold one less than a power of two each.
        let mut powers = vec![terms.constant(false); params.cnt_w];
        powers.push(ways);
        let powers = terms.word(powers);
        let with_ways = terms.sum([sum, ways]);
        let more = terms.lower(powers, with_ways);
        let mut holds = vec![terms.not(more)];
        for i in 0..params.applications {
            let ratio = terms.flop(&format!("ratio[{i}]"));
            let product = times((ratio, params.xs_w), (ways, params.ways), terms);
            let same = terms.same(cost, product);
            let of_it = terms.is(its, i);
            holds.push(terms.implies(of_it, same));
        }
        let holds = terms.all(holds);
        all.push(terms.implies(valid, holds));
    }
    all
}

/// A number of so many bits times one that is at most so large.
fn times((value, width): (Term, usize), (by, most): (Term, usize), terms: &mut Terms<'_>) -> Term {
    let parts = (0..=most.ilog2() as usize).map(|bit| {
        let set = terms.bit(by, bit);
        let mut part = vec![terms.constant(false); bit];
        for bit in terms.bits(value, width) {
            part.push(terms.all([set, bit]));
        }
        terms.word(part)
    });
    let parts: Vec<Term> = parts.collect();
    terms.sum(parts)
}

/// The best so far is one of the round's, and there is one as soon as an application that may get
/// ways has been compared.
fn kept(params: &Params, terms: &mut Terms<'_>) -> Vec<Term> {
    let [found, comparing, deciding] = terms.flops(["found", "comparing", "deciding"]);
    let best = fits(params, "best_application", "best_blocks", terms);
    let under_way = terms.any([comparing, deciding]);
    let mut all = vec![terms.implies(found, best), terms.implies(found, under_way)];
    let [its, ways] = terms.flops(["comparing_application", "comparing_blocks"]);
    let one = terms.number(1);
    let more = terms.lower(one, ways);
    for i in 0..params.applications {
        let masked = terms.flop(&format!("mask[{i}]"));
        let free = terms.not(masked);
        let number = terms.number(i as u64);
        let past = terms.lower(number, its);
        let same = terms.same(number, its);
        let begun = terms.all([same, more]);
        let compared = terms.any([past, begun]);
        let compared = terms.all([comparing, compared]);
        let seen = terms.any([deciding, compared]);
        let seen = terms.all([seen, free]);
        all.push(terms.implies(seen, found));
    }
    all
}
