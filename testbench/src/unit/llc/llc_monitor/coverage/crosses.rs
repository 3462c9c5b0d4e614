//! The crosses of `llc_monitor`, and the bins that no stimulus can hit.

use cotenant_golden::llc::attribution;
use cotenant_golden::llc::llc_monitor::{Matrix, Params};

use super::served::Served;
use crate::unit::prelude::*;

/// Who owned the line that is hit or replaced.
const OWNER: [&str; 3] = ["no kernel", "the accessor", "another kernel"];
/// How many lines the set has.
const LINES: [&str; 3] = ["none", "some", "all ways"];
/// Kinds of an access, by what it does.
const OUTCOME: [&str; 3] = ["hit", "fill", "eviction"];
/// What comes upon the tag of an access before it.
const EVENTS: [&str; 3] = ["filled", "evicted", "invalidated"];
/// Whose counters are read.
const PERIOD: [&str; 2] = ["the last one", "the running one"];
const SNAPSHOT: [&str; 4] = ["neither", "in the cycle before", "in this cycle", "in both"];

/// Position, owner and number of lines of an access.
pub(crate) fn accesses(params: &Params) -> Cross {
    let Params { ways, kernels, .. } = *params;
    let positions = Positions::new(ways);
    let counts = move |class: usize| match class {
        0 => 0..=0,
        1 => 1..=ways - 1,
        _ => ways..=ways,
    };
    let possible = move |at: &[usize]| {
        let (first, last) = positions.range(at[0]);
        (first..=last).any(|position| {
            counts(at[2]).any(|count| match position == ways {
                true => (count == ways) == (at[1] > 0),
                false => position < count && at[1] > 0,
            })
        })
    };
    Cross::named("accesses")
        .by(positions.axis("position"))
        .axis("line of", OWNER)
        .axis("lines", LINES)
        .without("no number of valid lines allows it", move |at| {
            !possible(at)
        })
        .without("there is only one kernel", move |at| {
            kernels == 1 && at[1] == 2
        })
}

/// A request, and those of the two cycles before it.
pub(crate) fn successions(params: &Params) -> Cross {
    let sets = params.sets;
    let axes = [
        Axis::new("request", ["hit", "miss", "invalidation"]),
        Axis::new("1 before", Served::NAMES),
        Axis::new("2 before", Served::NAMES),
    ];
    let [same, other] = Served::CLEARS;
    let clear = move |class: usize| class == same || class == other;
    Cross::new("successions", axes)
        .without(
            "a sweep ends with two sets, and another sweep begins with a pause",
            move |at| {
                let both_same = at[1] == same && at[2] == same;
                let neither = sets == 2 && at[1] == other && at[2] == other;
                clear(at[1]) && (!clear(at[2]) || both_same || neither)
            },
        )
        .without("no access hits right after a sweep", move |at| {
            let hit = at[0] == 0;
            clear(at[2]) && (Served::is_hit(at[1]) || hit && at[1] != Served::MISS_SAME)
        })
}

/// Cycles before an access in which what comes upon its tag is not yet in what is read.
pub(crate) fn recent(params: &Params) -> usize {
    3 + params.ram_stages
}

/// The tag of an access.
pub(crate) fn tags(params: &Params) -> Cross {
    let most = recent(params);
    let events = EVENTS
        .into_iter()
        .flat_map(|event| (1..=most).map(move |before| format!("{event} {before} before")));
    Cross::named("tags")
        .axis("access", ["hit", "miss"])
        .axis("tag", std::iter::once("nothing".into()).chain(events))
        .without("an evicted or invalidated line is not hit", move |at| {
            at[0] == 0 && at[1] > most
        })
        .without("a line just filled is not missed", move |at| {
            at[0] == 1 && (1..=most).contains(&at[1])
        })
}

pub(crate) fn evictions(params: &Params) -> Cross {
    Cross::named("evictions")
        .numbers("victim", params.kernels)
        .numbers("aggressor", params.kernels)
}

/// The stages that an access passes after the cycle in which it is requested, in their order.
pub(crate) fn stages(params: &Params) -> &'static [&'static str] {
    &["in READ", "in COMPARE", "in LOOKUP", "in UPDATE"][1 - params.ram_stages..]
}

/// Accesses, and where they are as a period ends.
pub(crate) fn periods(params: &Params) -> Cross {
    let phases = ["in none", "as requested"].iter();
    let phases = phases.chain(stages(params)).chain(&["as counted"]);
    Cross::named("periods")
        .axis("access", OUTCOME)
        .axis("period ends", phases.copied())
}

/// What a bank's ports ask for, and whether it is heard.
pub(crate) fn ports(params: &Params) -> Cross {
    Cross::named("ports")
        .numbers("bank", params.banks)
        .flag("access")
        .flag("invalidate")
        .axis("in", ["a ready unit", "a sweep", "the cycle of a flush"])
}

/// Flushes and resets.
pub(crate) fn sweeps(params: &Params) -> Cross {
    let sets = params.sets;
    Cross::named("sweeps")
        .axis("event", ["flush", "reset"])
        .axis(
            "sweep",
            [
                "is over",
                "at its first set",
                "at some set",
                "at its last set",
            ],
        )
        .axis(
            "UPDATE does",
            ["nothing", "an access", "an invalidation", "a clear"],
        )
        .without("a sweep has no pauses", move |at| {
            match (at[1], at[2]) {
                (0 | 1, _) => false,
                // Of two sets there is a first and a last one.
                (2, _) => sets == 2,
                // The pause is in UPDATE with the third set, the first clear with the fourth.
                (_, 3) => false,
                _ => sets != 2,
            }
        })
}

/// The table read back.
pub(crate) fn table(params: &Params) -> Cross {
    Cross::named("table")
        .numbers("entry", params.requesters + 1)
        .numbers("kernel", params.kernels)
}

/// Who asks, and which entry of the table is written meanwhile.
pub(crate) fn requesters(params: &Params) -> Cross {
    Cross::named("requesters")
        .numbers("entry", params.requesters + 1)
        .axis("written", ["none", "the same entry", "another entry"])
}

pub(crate) fn reads(params: &Params) -> Cross {
    Cross::named("reads")
        .numbers("matrix", 1 << Matrix::code_w(params))
        .numbers("victim", params.kernels)
        .numbers("aggressor", params.kernels)
        .axis("period", PERIOD)
}

pub(crate) fn read_periods(params: &Params) -> Cross {
    Cross::named("read periods")
        .numbers("matrix", 1 << Matrix::code_w(params))
        .axis("snapshot", SNAPSHOT)
        .axis("period", PERIOD)
}

/// What becomes of the accesses of a kernel, as the sampled sets see them.
pub(crate) fn sampled(params: &Params) -> Cross {
    let (none, all) = (params.sampled == 0, params.sampled == params.sets);
    let words = |sampler: attribution::Params| 1 << sampler.shadow().address_w();
    let soon = params.attribution().map_or(0, words) <= params.sets;
    Cross::named("sampled sets")
        .axis(
            "access",
            [
                "before they are cleared",
                "to another set",
                "dropped",
                "taken",
            ],
        )
        .numbers("kernel", params.kernels)
        .without("no set is sampled", move |_| none)
        .without("all sets are sampled", move |at| all && at[0] == 1)
        .without("the sweep over the sets takes as long", move |at| {
            soon && at[0] == 0
        })
}

/// The counters whose limits are reached.
fn limited(params: &Params) -> Vec<&'static str> {
    let mut all = vec!["gdc", "ike", "accesses"];
    if params.sce > 0 {
        all.push("sce");
    }
    if params.sampled > 0 {
        all.extend(["shares", "accesses to sampled sets"]);
    }
    all
}

/// Where an increment takes a counter; more about it in the crosses of the counting units.
pub(crate) fn limits(params: &Params) -> Cross {
    Cross::named("limits").axis("matrix", limited(params)).axis(
        "counter",
        ["stays below its maximum", "reaches it", "exceeds it"],
    )
}
