//! Transactions that shrink.

use cotenant_golden::llc::llc_monitor::Params;
use proptest::collection::vec;
use proptest::prelude::*;

use super::{Access, Entry, Map, Place, Request, Requester, Target, Transaction, When};
use crate::unit::llc::counter_matrix::stimulus::LIVE;
use crate::verify::stimulus::values::{below, chance};
use crate::verify::stimulus::{Knobs, Odds};

pub(in crate::unit) fn transaction(params: &Params, knobs: &Knobs) -> BoxedStrategy<Transaction> {
    (
        when(params, knobs.reset),
        when(params, knobs.flush),
        chance(knobs.snapshot),
        below(params.kernels),
        vec(request(params, knobs), params.banks),
        map(params),
        (
            (0..4u8, below(params.kernels), below(params.kernels)),
            chance(LIVE),
        ),
    )
        .prop_map(
            |(reset, flush, snapshot, kid, requests, map, (read, live))| Transaction {
                reset,
                flush,
                snapshot,
                kid,
                requests,
                map,
                read,
                live,
            },
        )
        .boxed()
}

/// Runs start with a sweep, which is to end.
fn when(params: &Params, odds: Odds) -> impl Strategy<Value = When> {
    let rarer = Odds::one_in(params.sets as u32);
    (chance(odds), chance(rarer), 0..5u8).prop_map(|(asked, now, other)| {
        match (asked, now, other) {
            (true, true, _) => When::Now,
            (true, _, 1) => When::StartOfSweep,
            (true, _, 2) => When::LastOfSweep,
            (true, _, 3) => When::AfterSweep,
            (true, _, 4) => When::Overflowed,
            _ => When::Never,
        }
    })
}

fn map(params: &Params) -> impl Strategy<Value = Map> {
    let code = 0..=params.requesters as u16;
    let entry = prop_oneof![
        code.prop_map(Entry::Code),
        below(params.banks).prop_map(Entry::OfBank),
    ];
    (chance(Odds::one_in(16)), entry, below(params.kernels)).prop_map(|(valid, entry, kid)| Map {
        valid,
        entry,
        kid,
    })
}

fn request(params: &Params, knobs: &Knobs) -> impl Strategy<Value = Request> {
    // In few sets, since a run has few transactions.
    let set = prop_oneof![
        3 => (0..2u32).prop_map(Place::Set),
        3 => Just(Place::Again),
        2 => Just(Place::Back),
        1 => (-1..=1i8).prop_map(Place::Away),
        1 => (0..params.sets as u32).prop_map(Place::Set),
    ];
    let requester = prop_oneof![
        3 => Just(Requester::OfKernel),
        1 => (0..=params.requesters as u16).prop_map(Requester::Code),
    ];
    let target = prop_oneof![
        below(params.ways).prop_map(Target::Way),
        below(params.ways).prop_map(Target::Position),
    ];
    (
        set,
        access(params, knobs),
        requester,
        chance(knobs.invalidate),
        target,
    )
        .prop_map(|(set, access, requester, invalidate, target)| Request {
            set,
            access,
            requester,
            invalidate,
            target,
        })
}

fn access(params: &Params, knobs: &Knobs) -> impl Strategy<Value = Access> {
    let nth = below(params.ways);
    let tag = prop_oneof![4 => 0..4u64, 1 => any::<u64>()];
    let hit = prop_oneof![
        2 => nth.clone().prop_map(|nth| Access::Line { nth }),
        1 => (0..3u8).prop_map(|ago| Access::Recent { ago }),
    ];
    let bit = below(params.tag_w);
    let miss = prop_oneof![
        4 => tag.clone().prop_map(|tag| Access::New { tag }),
        1 => tag.clone().prop_map(|tag| Access::Tag { tag }),
        1 => nth.clone().prop_map(|nth| Access::Stale { nth }),
        1 => (nth, bit).prop_map(|(nth, bit)| Access::Near { nth, bit }),
    ];
    (chance(knobs.access), chance(knobs.hit), hit, miss, tag).prop_map(
        |(valid, hits, hit, miss, tag)| match (valid, hits) {
            (false, _) => Access::Bubble { tag },
            (true, true) => hit,
            (true, false) => miss,
        },
    )
}
