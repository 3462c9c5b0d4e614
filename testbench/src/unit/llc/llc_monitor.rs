//! `llc_monitor`.
//!
//! Of a bank's directory the sets are compared, in its RAMs: the flops beside them are a pipeline,
//! of which the golden model has the latency alone.
//!
//! Facts: what the pipelines hold.

pub(crate) mod coverage;
mod scene;
pub mod stimulus;

use cotenant_golden::llc::clog2;
use cotenant_golden::llc::llc_monitor::{
    Accesses, Bank, LlcMonitor as Model, Matrix, Params, Request, Set, Stack, State,
    REQUEST_LATENCY,
};
use cotenant_golden::ports::Registers;

use super::shared::{self, matters_alone};
use super::{Gdcu, Plob};
use crate::unit::prelude::*;

/// The unit [`llc_monitor`](cotenant_golden::llc::llc_monitor).
#[derive(Debug, Clone, Copy)]
pub struct LlcMonitor;

/// Rows of the counters of accesses: hits and misses.
pub(crate) const OUTCOMES: usize = 2;

/// The replacement bits of a set as the netlist has them: by way, and the order as one bit for
/// each two of them.
struct ByWay {
    /// Bit w of row v, w below v: way w is above way v in the stack.
    order: Vec<u64>,
    owner: Vec<u8>,
    valid: u64,
}

impl ByWay {
    fn new(stack: &Stack) -> Self {
        let ways = stack.way.len();
        // A set that has never been cleared need not have all ways.
        let mut position = vec![None; ways];
        let (mut owner, mut valid) = (vec![0; ways], 0);
        for (at, &way) in stack.way.iter().enumerate() {
            let way = usize::from(way);
            position[way] = position[way].or(Some(at));
            owner[way] = stack.owner[at];
            valid |= (stack.valid >> at & 1) << way;
        }
        let above = |w: usize, v: usize| position[v].is_some() && position[w] < position[v];
        let row = |v| (0..v).fold(0, |row, w| row | u64::from(above(w, v)) << w);
        Self {
            order: (0..ways).map(row).collect(),
            owner,
            valid,
        }
    }
}

/// The flops of a bank's pipeline in which the requests of the golden model are on their way: as if
/// none of them had met a write, so that each finds in the RAMs what is now in the sets.
fn pipeline(bank: &Bank) -> Vec<(String, u128)> {
    let mut flops: Vec<(String, u128)> = Vec::new();
    let mut flop = |name: String, value: u64| flops.push((name, value.into()));
    let [compare, lookup, update] = on_their_way(bank);
    for (before, after, request) in [
        ("compare.", "_register", compare),
        ("lookup.", "_register", lookup),
        ("update_", "", update),
    ] {
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
    for (stage, request) in [("compare", compare), ("lookup", lookup)] {
        flop(format!("{stage}.way_register"), request.way.into());
    }
    flop("removed".into(), u64::from(update.invalidate) << update.way);
    // What the request in UPDATE has found.
    let ways_with = |set: &Set, tag| {
        let ways = set.tag.iter().enumerate();
        ways.fold(0, |ways, (way, &held)| ways | u64::from(held == tag) << way)
    };
    let set = &bank.sets[update.set as usize];
    let found = ByWay::new(&set.stack);
    let mut hits = 0;
    if update.is_any() {
        for (way, (&row, &owner)) in found.order.iter().zip(&found.owner).enumerate() {
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

/// The requests in COMPARE, LOOKUP and UPDATE.
fn on_their_way(bank: &Bank) -> [&Request; 3] {
    [0, 1, REQUEST_LATENCY - 1].map(|stage| &bank.in_flight[stage])
}

/// Registers that are not in a bank.
fn outside_banks(params: &Params, state: &State, each: &mut (impl EachRegister + ?Sized)) {
    for (name, width, value) in [
        ("sweeping", 1, state.sweeping.into()),
        ("sweep_set", clog2(params.sets), state.sweep_set.into()),
    ] {
        each(format_args!("{name}"), width, format_args!("{name}"), value);
    }
    for (requester, &kid) in state.kid_of.iter().enumerate() {
        let name = format_args!("kid_of[{requester}]");
        each(name, id_w(params.kernels), name, kid.into());
    }
    let matrix = state.read_matrix.into();
    each(
        format_args!("read_matrix"),
        2,
        format_args!("read_matrix_register"),
        matrix,
    );
    let count = state.read_count;
    each(
        format_args!("read_count"),
        params.total_w(),
        format_args!("read_sum"),
        count,
    );
    each(
        format_args!("read_overflow"),
        1,
        format_args!("read_overflow_register"),
        state.read_overflow.into(),
    );
}

/// Registers of the counters of hits and misses.
fn accesses(params: &Params) -> Vec<StateField> {
    fields::<Accesses, _>(params, |name, at| {
        Some(match name.strip_prefix("matrix.") {
            Some(name) => shared::probe("matrix.", name, at),
            None => {
                let name = name.trim_start_matches("in_flight[].");
                Probe::Value(format!("{name}[{}]", at[0]))
            }
        })
    })
}

impl Interface for LlcMonitor {
    const NAME: &'static str = "llc_monitor";
    const SUMMARY: &'static str = "tags, replacement bits and counters beside a shared cache";
    const PLACE: Place = Place::Banks;
    type Model = Model;

    fn working(flop: &str) -> bool {
        // In each bank the pipeline, and the matrices of `gdcu`, `plob` and `accesses`.
        let matrix = flop.split_once(".matrix.");
        flop.contains("].directory.") || matrix.is_some_and(|(_, flop)| shared::working(flop))
    }

    fn resumed(params: &Params, state: &State) -> Vec<(String, u128)> {
        let mut flops = Vec::new();
        for (index, bank) in state.banks.iter().enumerate() {
            let directory = pipeline(bank).into_iter();
            let below = |(flop, value)| (format!("bank[{index}].directory.{flop}"), value);
            flops.extend(directory.map(below));
            let accesses = &bank.accesses.matrix;
            for (part, shown) in [
                ("gdcu", (bank.gdcu.read_count, bank.gdcu.read_overflow)),
                ("plob", (bank.plob.read_count, bank.plob.read_overflow)),
                ("accesses", (accesses.read_count, accesses.read_overflow)),
            ] {
                let matrix = format!("bank[{index}].{part}.matrix.");
                flops.extend(shared::resumed(&matrix, params.cnt_w, shown));
            }
        }
        flops
    }

    fn codes(name: &str) -> Option<ValueNames> {
        let values = Matrix::ALL.map(|matrix| (matrix.code().into(), format!("{matrix:?}")));
        (name == "read_matrix").then(|| ValueNames {
            name: "Matrix".into(),
            values: values.into(),
        })
    }

    from_golden!(but state);

    fn state(params: &Params) -> Vec<StateField> {
        // Without a model there is no netlist.
        let Ok(model) = Self::model(params) else {
            return Vec::new();
        };
        let state = model.state();
        let mut all = listed(|each| outside_banks(params, state, each));
        for number in 0..params.banks {
            for (part, fields) in [
                ("gdcu", Gdcu::state(&params.gdcu())),
                ("plob", Plob::state(&params.plob())),
                ("accesses", accesses(params)),
            ] {
                all.extend(below(&format!("bank[{number}].{part}"), fields));
            }
        }
        all
    }

    fn pack_state(params: &Params, state: &State, words: &mut Packer<'_>) {
        outside_banks(params, state, &mut |_, _, _, value| words.value(value));
        for bank in &state.banks {
            Gdcu::pack_state(&params.gdcu(), &bank.gdcu, words);
            Plob::pack_state(&params.plob(), &bank.plob, words);
            let accesses = &bank.accesses;
            accesses.each(params, &mut |_, _, value| words.value(value));
        }
    }

    /// A bank's replacement bits, then its tags by way.
    fn memories(params: &Params) -> Vec<Memory> {
        let Params {
            ways,
            kernels,
            sets,
            banks,
            tag_w,
            ..
        } = *params;
        let parts = [
            Port::packed("order", ways * (ways - 1) / 2, 1),
            Port::packed("owner", ways, id_w(kernels)),
            Port::packed("valid", ways, 1),
        ];
        let bank = |bank: usize| {
            let path = format!("bank[{bank}].directory");
            let replacement = Memory::parts(format!("{path}.replacement"), sets, parts);
            let tags = (0..ways)
                .map(move |way| Memory::values(format!("{path}.tags.way[{way}]"), sets, tag_w));
            std::iter::once(replacement).chain(tags)
        };
        (0..banks).flat_map(bank).collect()
    }

    fn written(params: &Params, model: &Model, each: &mut dyn FnMut((usize, usize))) {
        let rams = 1 + params.ways;
        for (bank, set) in model.written() {
            (0..rams).for_each(|ram| each((bank * rams + ram, set)));
        }
    }

    fn pack_word(
        params: &Params,
        state: &State,
        (ram, word): (usize, usize),
        packer: &mut WordPacker<'_>,
    ) {
        let rams = 1 + params.ways;
        let set = &state.banks[ram / rams].sets[word];
        match ram % rams {
            0 => {
                let set = ByWay::new(&set.stack);
                for (way, &row) in set.order.iter().enumerate() {
                    packer.elements(1, (0..way).map(|above| row >> above & 1));
                }
                packer.elements(id_w(params.kernels), set.owner);
                packer.elements(1, (0..params.ways).map(|way| set.valid >> way & 1));
            }
            tags => packer.value(params.tag_w, set.tag[tags - 1]),
        }
    }

    fn word_read(params: &Params, state: &State, ram: usize) -> usize {
        let rams = 1 + params.ways;
        let [compare, lookup, _] = on_their_way(&state.banks[ram / rams]);
        let reader = if ram % rams == 0 { lookup } else { compare };
        reader.set as usize
    }
}

impl Facts for LlcMonitor {
    fn invariants(params: &Params, terms: &mut Terms<'_>) -> Vec<NodeId> {
        let mut all = rules::invariants::<Self>(params, terms);
        for bank in 0..params.banks {
            all.extend(terms.within(&format!("bank[{bank}]."), |terms| {
                let mut all = terms.within("directory.", |terms| directory_holds(params, terms));
                all.extend(terms.within("gdcu.", |terms| Gdcu::invariants(&params.gdcu(), terms)));
                all.extend(terms.within("plob.", |terms| Plob::invariants(&params.plob(), terms)));
                for stage in 0..params.stages {
                    let [valid, kid, hit] = ["valid", "kid", "hit"]
                        .map(|flop| terms.flop(&format!("accesses.{flop}[{stage}]")));
                    let known = terms.below(kid, params.kernels);
                    all.push(terms.implies(valid, known));
                    all.push(terms.implies(hit, valid));
                }
                all
            }));
        }
        all
    }

    fn matters_alone(params: &Params, flop: &str, terms: &mut Terms<'_>) -> Option<NodeId> {
        // In each bank the matrices of `gdcu`, `plob` and `accesses`; of these rows are hits and
        // misses.
        let (part, flop) = flop.split_once(".matrix.")?;
        let (_, name) = part.split_once('.')?;
        let (matrix, rows) = match name {
            "gdcu" => (Matrix::Gdc, params.kernels),
            "plob" => (Matrix::Ike, params.kernels),
            _ => (Matrix::Accesses, OUTCOMES),
        };
        let path = format!("{part}.matrix.");
        let matters = terms.within(&path, |terms| matters_alone(rows, flop, terms))?;
        let shown = terms.flop("read_matrix_register");
        let shown = terms.is(shown, matrix.code().into());
        Some(terms.all([shown, matters]))
    }
}

/// What the flops of a bank's directory hold.
fn directory_holds(params: &Params, terms: &mut Terms<'_>) -> Vec<NodeId> {
    let Params { ways, kernels, .. } = *params;
    let mut all = Vec::new();
    for (before, after) in [
        ("compare.", "_register"),
        ("lookup.", "_register"),
        ("update_", ""),
    ] {
        let mut flop = |flop: &str| terms.flop(&format!("{before}{flop}{after}"));
        let kid = flop("kid");
        let kinds = ["access", "invalidate", "clear"].map(&mut flop);
        all.push(terms.below(kid, kernels));
        all.extend(terms.all_disjoint(&kinds));
    }
    // A way is invalidated that there is, by a request to do so.
    for stage in ["compare", "lookup"] {
        let valid = terms.flop(&format!("{stage}.invalidate_register"));
        let way = terms.flop(&format!("{stage}.way_register"));
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
    for flop in ["same_tag", "tags.early_tag", "tags.late_tag"] {
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
    all.extend(terms.all_disjoint(&[early, late, unwritten]));
    all
}
