//! The crosses of `llc_monitor`, and the bins that no stimulus can hit.

use cotenant_golden::llc::llc_monitor::Params;

use super::served::Served;
use crate::verify::coverage::classes::Positions;
use crate::verify::coverage::{Axis, Cross};

/// Who owned the line that is hit or replaced.
const OWNER: [&str; 3] = ["no kernel", "the accessor", "another kernel"];
/// How many lines the set has.
const LINES: [&str; 3] = ["none", "some", "all ways"];
/// Kinds of an access, by what it does.
const OUTCOME: [&str; 3] = ["hit", "fill", "eviction"];
/// Where an access is while a period ends.
const PHASE: [&str; 6] = [
    "in none",
    "as requested",
    "in COMPARE",
    "in LOOKUP",
    "in UPDATE",
    "as counted",
];
/// What came upon the tag of an access in the three cycles before.
const TAG: [&str; 10] = [
    "nothing",
    "filled 1 before",
    "filled 2 before",
    "filled 3 before",
    "evicted 1 before",
    "evicted 2 before",
    "evicted 3 before",
    "invalidated 1 before",
    "invalidated 2 before",
    "invalidated 3 before",
];
/// Whose counters are read.
const PERIOD: [&str; 2] = ["the last one", "the running one"];
const SNAPSHOT: [&str; 4] = ["neither", "in the cycle before", "in this cycle", "in both"];

/// Position, owner and number of lines of an access.
pub(in crate::unit) fn accesses(params: &Params) -> Cross {
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
    let axes = [
        positions.axis("position"),
        Axis::new("line of", OWNER),
        Axis::new("lines", LINES),
    ];
    Cross::new("accesses", axes)
        .without("no number of valid lines allows it", move |at| {
            !possible(at)
        })
        .without("there is only one kernel", move |at| {
            kernels == 1 && at[1] == 2
        })
}

/// A request, and those of the two cycles before it.
pub(in crate::unit) fn successions(params: &Params) -> Cross {
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

/// The tag of an access.
pub(in crate::unit) fn tags() -> Cross {
    let axes = [Axis::new("access", ["hit", "miss"]), Axis::new("tag", TAG)];
    Cross::new("tags", axes)
        .without("an evicted or invalidated line is not hit", |at| {
            at[0] == 0 && at[1] > 3
        })
        .without("a line just filled is not missed", |at| {
            at[0] == 1 && (1..=3).contains(&at[1])
        })
}

pub(in crate::unit) fn evictions(params: &Params) -> Cross {
    let axes = [
        Axis::numbers("victim", params.kernels),
        Axis::numbers("aggressor", params.kernels),
    ];
    Cross::new("evictions", axes)
}

/// Accesses, and where they are as a period ends.
pub(in crate::unit) fn periods() -> Cross {
    let axes = [
        Axis::new("access", OUTCOME),
        Axis::new("period ends", PHASE),
    ];
    Cross::new("periods", axes)
}

/// What a bank's ports ask for, and whether it is heard.
pub(in crate::unit) fn ports(params: &Params) -> Cross {
    let axes = [
        Axis::numbers("bank", params.banks),
        Axis::new("access", ["no", "yes"]),
        Axis::new("invalidate", ["no", "yes"]),
        Axis::new("in", ["a ready unit", "a sweep", "the cycle of a flush"]),
    ];
    Cross::new("ports", axes)
}

/// Flushes and resets.
pub(in crate::unit) fn sweeps(params: &Params) -> Cross {
    let sets = params.sets;
    let axes = [
        Axis::new("event", ["flush", "reset"]),
        Axis::new(
            "sweep",
            [
                "is over",
                "at its first set",
                "at some set",
                "at its last set",
            ],
        ),
        Axis::new(
            "UPDATE does",
            ["nothing", "an access", "an invalidation", "a clear"],
        ),
    ];
    Cross::new("sweeps", axes).without("a sweep has no pauses", move |at| {
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
pub(in crate::unit) fn table(params: &Params) -> Cross {
    let axes = [
        Axis::numbers("entry", params.requesters + 1),
        Axis::numbers("kernel", params.kernels),
    ];
    Cross::new("table", axes)
}

/// Who asks, and which entry of the table is written meanwhile.
pub(in crate::unit) fn requesters(params: &Params) -> Cross {
    let axes = [
        Axis::numbers("entry", params.requesters + 1),
        Axis::new("written", ["none", "the same entry", "another entry"]),
    ];
    Cross::new("requesters", axes)
}

pub(in crate::unit) fn reads(params: &Params) -> Cross {
    let axes = [
        Axis::numbers("matrix", 4),
        Axis::numbers("victim", params.kernels),
        Axis::numbers("aggressor", params.kernels),
        Axis::new("period", PERIOD),
    ];
    Cross::new("reads", axes)
}

pub(in crate::unit) fn read_periods() -> Cross {
    let axes = [
        Axis::numbers("matrix", 4),
        Axis::new("snapshot", SNAPSHOT),
        Axis::new("period", PERIOD),
    ];
    Cross::new("read periods", axes)
}

/// Where an increment takes a counter; more about it in the crosses of the counting units.
pub(in crate::unit) fn limits() -> Cross {
    let axes = [
        Axis::new("matrix", ["gdc", "ike", "accesses"]),
        Axis::new(
            "counter",
            ["stays below its maximum", "reaches it", "exceeds it"],
        ),
    ];
    Cross::new("limits", axes)
}
