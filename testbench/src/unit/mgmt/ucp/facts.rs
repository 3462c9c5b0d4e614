//! Facts of `ucp`: which of the three steps each register is for, and the order of the counters in them;
//! that the best so far is one of the round's; the most that sums and costs can be.

use cotenant_golden::mgmt::ucp::Params;

use super::Ucp;
use crate::unit::prelude::*;

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
            // The next round begins with the first counter, and without a best one.
            "blocks" | "found" => {
                let asks = asks(terms);
                let steps = terms.flops(["answering", "comparing", "deciding"]);
                return Some(terms.any([asks].into_iter().chain(steps)));
            }
            "application" => "asking",
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
    // Behind the last counter the application is one that there is not, or the first.
    let application = terms.flop("application");
    let behind = params.applications % (1 << id_w(params.applications));
    let [first, behind] = [0, behind].map(|number| terms.is(application, number));
    let at_rest = terms.any([first, behind]);
    all.push(terms.any([asks, at_rest]));
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
    let some = terms.some(ways);
    let more = terms.lower(balance, ways);
    let left = terms.not(more);
    terms.all([known, some, left])
}

/// Hits and cost of so many ways are no more than as many counters and ratios hold, also where a step
/// holds nothing: the numbers of ways pass through the steps one by one, or begin again.
fn added(params: &Params, terms: &mut Terms<'_>) -> Vec<Term> {
    let mut all = Vec::new();
    let most = terms.number(params.given_out().max(1) as u64);
    let mut ahead = terms.flop("blocks");
    for ways in [
        "blocks",
        "answering_blocks",
        "comparing_blocks",
        "best_blocks",
    ] {
        let ways = terms.flop(ways);
        let beyond = terms.lower(most, ways);
        all.extend([terms.some(ways), terms.not(beyond)]);
    }
    for step in ["answering_blocks", "comparing_blocks"] {
        let here = terms.flop(step);
        let one = terms.number(1);
        let more = terms.sum([here, one]);
        let follows = terms.same(ahead, more);
        let first = terms.is(ahead, 1);
        all.push(terms.any([first, follows]));
        ahead = here;
    }
    for (ways, sum, cost) in [
        ("comparing_blocks", "sum", "cost"),
        ("best_blocks", "best_sum", "best_cost"),
    ] {
        let ways = terms.flop(ways);
        for (value, width) in [(sum, params.cnt_w), (cost, params.xs_w)] {
            let value = terms.flop(value);
            // Each is one less than a power of two at most.
            let mut powers = vec![terms.constant(false); width];
            powers.push(ways);
            let powers = terms.word(powers);
            let with_ways = terms.sum([value, ways]);
            let more = terms.lower(powers, with_ways);
            all.push(terms.not(more));
        }
    }
    all
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
