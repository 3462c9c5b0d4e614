//! The directory of a bank: its sets in RAMs, which are compared, and a pipeline beside them, which
//! is not.

use cotenant_golden::llc::llc_monitor::{Bank, Params, Request, Set, Stack};
use cotenant_golden::llc::MAX_WAYS;

use crate::unit::prelude::*;

/// The replacement bits of a set as the netlist has them: by way, and the order as one bit for
/// each two of them. What is behind the last way is 0.
pub(super) struct ByWay {
    /// Bit w of row v, w below v: way w is above way v in the stack.
    pub order: [u64; MAX_WAYS],
    pub owner: [u8; MAX_WAYS],
    pub valid: u64,
}

impl ByWay {
    pub fn new(stack: &Stack) -> Self {
        let mut set = Self {
            order: [0; MAX_WAYS],
            owner: [0; MAX_WAYS],
            valid: 0,
        };
        let there = |ways: u64, way: &u8| ways | 1 << way;
        // A set that has never been cleared need not have all ways; those that it has not are above
        // all others.
        let mut above = !stack.way.iter().fold(0, there);
        for (at, (&way, &owner)) in stack.way.iter().zip(&stack.owner).enumerate() {
            let (way, bit) = (usize::from(way), 1 << way);
            // Of a way that it has twice the first position counts.
            if above & bit == 0 {
                set.order[way] = above & (bit - 1);
                above |= bit;
            }
            set.owner[way] = owner;
            set.valid |= (stack.valid >> at & 1) << way;
        }
        set
    }
}

/// The flops of a bank's pipeline in which the requests of the golden model are on their way: as if
/// none of them had met a write, so that each finds in the RAMs what is now in the sets.
pub(super) fn pipeline(params: &Params, bank: &Bank) -> Vec<(String, u128)> {
    let mut flops: Vec<(String, u128)> = Vec::new();
    let mut flop = |name: String, value: u64| flops.push((name, value.into()));
    let stages = on_their_way(params, bank);
    let [compare, lookup, update] = stages[params.ram_stages..] else {
        unreachable!("a request passes COMPARE, LOOKUP and UPDATE");
    };
    for ((before, after), request) in names(params).zip(&stages) {
        for (part, value) in [
            ("access", request.access.into()),
            ("invalidate", request.invalidate.into()),
            ("clear", request.clear.into()),
            ("set", request.set.into()),
            ("tag", request.tag),
            ("kid", request.kid.into()),
        ] {
            flop(format!("{before}{part}{after}"), value);
        }
    }
    for ((before, after), request) in names(params).zip(&stages) {
        if !after.is_empty() {
            flop(format!("{before}way{after}"), request.way.into());
        }
    }
    flop("removed".into(), u64::from(update.invalidate) << update.way);
    if params.ram_stages > 0 {
        // What the RAMs' registers hold.
        let set = &bank.sets[lookup.set as usize];
        let held = ByWay::new(&set.stack);
        for way in 0..params.ways {
            flop(format!("held_order[{way}]"), held.order[way]);
            flop(format!("held_owner[{way}]"), held.owner[way].into());
        }
        flop("held_valid[0]".into(), held.valid);
        let tags = &bank.sets[compare.set as usize].tag;
        for (way, &tag) in tags.iter().enumerate() {
            flop(format!("tags.held[{way}]"), tag);
        }
    }
    // What the request in UPDATE has found.
    let ways_with = |set: &Set, tag| {
        let ways = set.tag.iter().enumerate();
        ways.fold(0, |ways, (way, &held)| ways | u64::from(held == tag) << way)
    };
    let set = &bank.sets[update.set as usize];
    let found = ByWay::new(&set.stack);
    let mut hits = 0;
    if update.is_any() {
        let ways = found.order.iter().zip(&found.owner).take(set.tag.len());
        for (way, (&row, &owner)) in ways.enumerate() {
            flop(format!("order[{way}]"), row);
            flop(format!("owner[{way}]"), owner.into());
        }
        flop("valid".into(), found.valid);
        flop(
            "victim".into(),
            set.stack.way.last().map_or(0, |&way| 1 << way),
        );
        if update.access {
            hits = ways_with(set, update.tag) & found.valid;
        }
    }
    flop("hits".into(), hits);
    flop("missed".into(), (update.access && hits == 0).into());
    // What the one in LOOKUP has of it, and of its tags.
    flop(
        "again".into(),
        (update.is_any() && lookup.set == update.set).into(),
    );
    flop(
        "same_tag".into(),
        (lookup.access && lookup.tag == update.tag).into(),
    );
    if lookup.access {
        let set = &bank.sets[lookup.set as usize];
        flop("tags.unwritten".into(), ways_with(set, lookup.tag));
    }
    let done = &bank.done;
    for (part, value) in [
        ("valid", done.valid.into()),
        ("hit", done.hit.into()),
        ("way", done.way.into()),
        ("evict", done.evict.into()),
        ("owner", done.owner.into()),
    ] {
        flop(format!("report.{part}_register"), value);
    }
    flops
}

/// The requests in the stages, which are READ, if the RAMs have registers, COMPARE, LOOKUP and
/// UPDATE.
fn on_their_way<'a>(params: &Params, bank: &'a Bank) -> Vec<&'a Request> {
    let stages = bank.in_flight.iter();
    stages.take(params.request_latency()).collect()
}

/// What stands before and behind the names of the stages' flops.
fn names(params: &Params) -> impl Iterator<Item = (&'static str, &'static str)> {
    let stages = [
        ("read[0].", "_register"),
        ("compare.", "_register"),
        ("lookup.", "_register"),
        ("update_", ""),
    ];
    stages.into_iter().skip(1 - params.ram_stages)
}

/// What its flops hold.
pub(super) fn holds(params: &Params, terms: &mut Terms<'_>) -> Vec<Term> {
    let Params { ways, kernels, .. } = *params;
    let mut all = Vec::new();
    for (before, after) in names(params) {
        let mut flop = |flop: &str| terms.flop(&format!("{before}{flop}{after}"));
        let kid = flop("kid");
        let kinds = ["access", "invalidate", "clear"].map(&mut flop);
        all.push(terms.below(kid, kernels));
        all.extend(terms.all_disjoint(&kinds));
    }
    // A way is invalidated that there is, by a request to do so.
    for (before, after) in names(params).filter(|(_, after)| !after.is_empty()) {
        let valid = terms.flop(&format!("{before}invalidate{after}"));
        let way = terms.flop(&format!("{before}way{after}"));
        let known = terms.below(way, ways);
        all.push(terms.implies(valid, known));
    }
    let [removed, removes] = terms.flops(["removed", "update_invalidate"]);
    let none = terms.is(removed, 0);
    let keeps = terms.not(removes);
    all.push(terms.equal(none, keeps));
    let removed = terms.bits(removed, ways);
    all.extend(terms.all_disjoint(&removed));
    // Nothing matches, hits or misses without an access, and nothing misses that hits.
    let access = terms.flop("lookup.access_register");
    let before = (params.ram_stages > 0).then_some("tags.earliest_tag[0]");
    for flop in ["same_tag", "tags.early_tag", "tags.late_tag"]
        .into_iter()
        .chain(before)
    {
        let equal = terms.flop(flop);
        all.push(terms.implies(equal, access));
    }
    let unwritten = terms.flop("tags.unwritten");
    let none = terms.is(unwritten, 0);
    all.push(terms.any([access, none]));
    let [access, missed, hits] = terms.flops(["update_access", "missed", "hits"]);
    let none = terms.is(hits, 0);
    all.push(terms.implies(missed, access));
    all.push(terms.implies(missed, none));
    all.push(terms.any([access, none]));
    // A way's tag was written last as it was read, as it was compared, or before.
    let [early, late] = terms.flops(["tags.early", "tags.late"]);
    let mut written = vec![early, late, unwritten];
    if params.ram_stages > 0 {
        written.push(terms.flop("tags.earliest[0]"));
        // Before its comparison, too.
        let [stale, held] = terms.flops(["tags.stale", "tags.held_stale[0]"]);
        all.extend(terms.all_disjoint(&[stale, held]));
    }
    all.extend(terms.all_disjoint(&written));
    // What follows at once follows a request.
    let [again, invalidate, clear] = terms.flops(["again", "update_invalidate", "update_clear"]);
    let updates = terms.any([access, invalidate, clear]);
    all.push(terms.implies(again, updates));
    all
}

/// When a flop of it matters: what a stage carries, while a request is there that needs it; what was
/// written last, while LOOKUP takes it in place of what the RAM has read.
pub(super) fn matters(params: &Params, flop: &str, terms: &mut Terms<'_>) -> Option<Term> {
    if let Some((stage, part)) = flop.split_once('.') {
        let kinds = |kinds: &[&str], terms: &mut Terms<'_>| {
            let kinds = kinds.iter().map(|kind| format!("{stage}.{kind}_register"));
            let kinds: Vec<Term> = kinds.map(|kind| terms.flop(&kind)).collect();
            terms.any(kinds)
        };
        return match (stage, part) {
            ("read[0]" | "compare" | "lookup", "tag_register") => {
                Some(kinds(&["access", "clear"], terms))
            }
            ("read[0]" | "compare" | "lookup", "kid_register") => Some(kinds(&["access"], terms)),
            ("read[0]" | "compare" | "lookup", "way_register") => {
                Some(kinds(&["invalidate"], terms))
            }
            // The RAM is read at that of the stage before, for a request or none.
            ("lookup", "set_register") => Some(kinds(&["access", "invalidate", "clear"], terms)),
            ("tags", part) => matters_to_tags(part, terms),
            _ => None,
        };
    }
    let flops: &[&str] = match flop.split('[').next().unwrap_or(flop) {
        "update_set" | "order" | "owner" | "valid" | "victim" | "removed" => {
            &["update_access", "update_invalidate", "update_clear"]
        }
        "update_kid" => &["update_access"],
        "update_tag" => &["missed", "update_clear"],
        "again" | "forward" | "held_stale" | "held_order" | "held_owner" | "held_valid" => &[
            "lookup.access_register",
            "lookup.invalidate_register",
            "lookup.clear_register",
        ],
        "stale" => &[
            "compare.access_register",
            "compare.invalidate_register",
            "compare.clear_register",
        ],
        "same_tag" => &["missed"],
        "written_order" | "written_owner" | "written_valid" | "written_victim" => {
            &["forward", "stale[0]"][..=params.ram_stages]
        }
        "earlier_order" | "earlier_owner" | "earlier_valid" | "earlier_victim" => {
            &["held_stale[0]"]
        }
        _ => return None,
    };
    let flops: Vec<Term> = flops.iter().map(|flop| terms.flop(flop)).collect();
    Some(terms.any(flops))
}

/// The same while all other flops are equal: a miss matters to what UPDATE has found, which is
/// nothing without a request, and to the request that follows it at once; whether a way that was
/// written lately has the tag, while there is such a way.
pub(super) fn matters_alone(flop: &str, terms: &mut Terms<'_>) -> Option<Term> {
    let written = match flop {
        "tags.early_tag" => Some("tags.early"),
        "tags.late_tag" => Some("tags.late"),
        "tags.earliest_tag[0]" => Some("tags.earliest[0]"),
        _ => None,
    };
    if let Some(written) = written {
        let ways = terms.flop(written);
        return Some(terms.some(ways));
    }
    if flop != "missed" {
        return None;
    }
    let found = ["update_access", "again", "valid", "victim"].map(|flop| {
        let found = terms.flop(flop);
        terms.some(found)
    });
    Some(terms.any(found))
}

/// The same of those that compare tags: which ways were written lately matters to an access, and
/// whether with its tag, if there are any. Without an access it is never its tag.
fn matters_to_tags(flop: &str, terms: &mut Terms<'_>) -> Option<Term> {
    let [compares, looks] = terms.flops(["compare.access_register", "lookup.access_register"]);
    let some = |ways: &str, terms: &mut Terms<'_>| {
        let ways = terms.flop(&format!("tags.{ways}"));
        terms.some(ways)
    };
    match flop.split('[').next().unwrap_or(flop) {
        "stale" | "held" | "held_stale" => Some(compares),
        "read_stale" => Some(terms.flop("read[0].access_register")),
        "written_before" => {
            let stale = some("held_stale[0]", terms);
            Some(terms.all([compares, stale]))
        }
        "earliest" => Some(looks),
        "earliest_tag" => {
            let ways = some("earliest[0]", terms);
            let idle = terms.not(looks);
            Some(terms.any([ways, idle]))
        }
        "written_tag" => {
            let stale = some("stale", terms);
            Some(terms.all([compares, stale]))
        }
        "early" | "late" => Some(looks),
        "early_tag" | "late_tag" => {
            let ways = some(flop.trim_end_matches("_tag"), terms);
            let idle = terms.not(looks);
            Some(terms.any([ways, idle]))
        }
        _ => None,
    }
}
