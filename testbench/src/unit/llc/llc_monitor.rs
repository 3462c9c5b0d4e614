//! `llc_monitor` under test: stimulus, coverage, example waveform and invariants.

pub(in crate::unit) mod coverage;
pub(in crate::unit) mod facts;
mod scene;
pub mod stimulus;

use cotenant_golden::llc::llc_monitor::{
    Accesses, Bank, LlcMonitor as Model, Matrix, Params, Request, Stack, State,
};
use cotenant_golden::llc::{clog2, id_w};
use cotenant_golden::ports::Registers;
use cotenant_waveforms::ValueNames;

use super::{shared as counter_matrix, Gdcu, Plob};
use crate::verify::interface::{fields as fields_of, *};

/// The unit [`llc_monitor`](cotenant_golden::llc::llc_monitor).
#[derive(Debug, Clone, Copy)]
pub struct LlcMonitor;

/// Rows of the counters of accesses: hits and misses.
pub(crate) const OUTCOMES: usize = 2;

/// A part's registers, as those of a whole.
fn below(path: &str, fields: Vec<StateField>) -> impl Iterator<Item = StateField> + '_ {
    fields.into_iter().map(move |field| field.below(path))
}

/// What UPDATE keeps of a request, and its width.
fn request(params: &Params) -> [(&'static str, usize); 6] {
    [
        ("access", 1),
        ("invalidate", 1),
        ("clear", 1),
        ("set", clog2(params.sets)),
        ("tag", params.tag_w),
        ("kid", id_w(params.kernels)),
    ]
}

/// Registers of the requests in the pipeline.
fn requests(params: &Params) -> Vec<StateField> {
    let mut fields = Vec::new();
    for stage in ["compare", "lookup"] {
        for (part, width) in request(params)
            .into_iter()
            .chain([("way", id_w(params.ways))])
        {
            let flop = format!("{stage}.{part}_register");
            fields.push(StateField::value(format!("{stage}.{part}"), width, flop));
        }
    }
    for (part, width) in request(params) {
        let flop = format!("update_{part}");
        fields.push(StateField::value(format!("update.{part}"), width, flop));
    }
    fields
}

/// Registers with the replacement bits of a set, by way.
fn set(name: &str, flops: &str, params: &Params) -> Vec<StateField> {
    let Params { ways, kernels, .. } = *params;
    let mut fields = Vec::new();
    for (part, width) in [("order", ways), ("owner", id_w(kernels))] {
        for way in 0..ways {
            let flop = format!("{flops}{part}[{way}]");
            fields.push(StateField::value(
                format!("{name}.{part}[{way}]"),
                width,
                flop,
            ));
        }
    }
    let flop = format!("{flops}valid");
    fields.push(StateField::value(format!("{name}.valid"), ways, flop));
    fields
}

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

fn pack_set(stack: &Stack, words: &mut Packer<'_>) {
    let set = ByWay::new(stack);
    set.order.iter().for_each(|&row| words.value(row));
    set.owner.iter().for_each(|&kid| words.value(kid));
    words.value(set.valid);
}

/// Registers of a bank's directory.
fn directory(params: &Params) -> Vec<StateField> {
    let Params { ways, kernels, .. } = *params;
    let (way_w, kid_w) = (id_w(ways), id_w(kernels));
    let mut fields = requests(params);
    let same = |name: &str, width| StateField::value(name, width, name);
    fields.push(same("removed", ways));
    fields.extend(set("found", "", params));
    fields.push(same("victim", ways));
    fields.push(same("hits", ways));
    fields.push(same("missed", 1));
    fields.push(same("again", 1));
    fields.push(same("same_tag", 1));
    fields.push(same("forward", 1));
    fields.extend(set("written", "written_", params));
    fields.push(same("written_victim", ways));
    for (part, width) in [
        ("stale", ways),
        ("written_tag", params.tag_w),
        ("unwritten", ways),
        ("early", ways),
        ("early_tag", 1),
        ("late", ways),
        ("late_tag", 1),
    ] {
        fields.push(StateField::value(part, width, part).below("tags"));
    }
    for (part, width) in [
        ("valid", 1),
        ("hit", 1),
        ("way", way_w),
        ("evict", 1),
        ("owner", kid_w),
    ] {
        let flop = format!("report.{part}_register");
        fields.push(StateField::value(format!("done.{part}"), width, flop));
    }
    fields
}

/// Registers of a bank.
fn bank(params: &Params) -> Vec<StateField> {
    let mut fields: Vec<StateField> = below("directory", directory(params)).collect();
    fields.extend(below("gdcu", Gdcu::state(&params.gdcu())));
    fields.extend(below("plob", Plob::state(&params.plob())));
    let accesses = fields_of::<Accesses, _>(params, |name, at| {
        Some(match name.strip_prefix("matrix.") {
            Some(name) => counter_matrix::probe("matrix.", name, at),
            None => Probe::Value(format!(
                "{}[{}]",
                name.trim_start_matches("in_flight[]."),
                at[0]
            )),
        })
    });
    fields.extend(below("accesses", accesses));
    fields
}

fn pack_request(request: &Request, words: &mut Packer<'_>) {
    words.value(request.access);
    words.value(request.invalidate);
    words.value(request.clear);
    words.value(request.set);
    words.value(request.tag);
    words.value(request.kid);
}

fn pack_bank(params: &Params, bank: &Bank, words: &mut Packer<'_>) {
    for request in [&bank.compare, &bank.lookup] {
        pack_request(request, words);
        words.value(request.way);
    }
    let update = &bank.update;
    pack_request(update, words);
    words.value(u64::from(update.invalidate) << update.way);
    pack_set(&bank.found, words);
    words.value(bank.victim);
    words.value(bank.hits);
    words.value(update.access && bank.hits == 0);
    words.value(bank.again);
    words.value(bank.same_tag);
    words.value(bank.forward);
    pack_set(&bank.written, words);
    words.value(bank.written_victim);
    words.value(bank.stale);
    words.value(bank.written_tag);
    words.value(bank.unwritten);
    words.value(bank.early);
    words.value(bank.early_tag);
    words.value(bank.late);
    words.value(bank.late_tag);
    words.value(bank.done.valid);
    words.value(bank.done.hit);
    words.value(bank.done.way);
    words.value(bank.done.evict);
    words.value(bank.done.owner);
    Gdcu::pack_state(&params.gdcu(), &bank.gdcu, words);
    Plob::pack_state(&params.plob(), &bank.plob, words);
    bank.accesses
        .each(params, &mut |_, _, value| words.value(value));
}

impl Interface for LlcMonitor {
    const NAME: &'static str = "llc_monitor";
    const SUMMARY: &'static str = "tags, replacement bits and counters beside a shared cache";
    const PLACE: Place = Place::Banks;
    type Model = Model;

    fn working(flop: &str) -> bool {
        // In each bank the matrices of `gdcu`, `plob` and `accesses`.
        let matrix = flop.split_once(".matrix.");
        matrix.is_some_and(|(_, flop)| counter_matrix::working(flop))
    }

    fn resumed(_: &Params, state: &State) -> Vec<(String, u64)> {
        let mut flops = Vec::new();
        for (index, bank) in state.banks.iter().enumerate() {
            for (part, count) in [
                ("gdcu", bank.gdcu.read_count),
                ("plob", bank.plob.read_count),
                ("accesses", bank.accesses.matrix.read_count),
            ] {
                let matrix = format!("bank[{index}].{part}.matrix.");
                flops.extend(counter_matrix::resumed(&matrix, count));
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
        let mut fields = vec![
            StateField::value("sweeping", 1, "sweeping"),
            StateField::value("sweep_set", clog2(params.sets), "sweep_set"),
        ];
        for requester in 0..=params.requesters {
            let name = format!("kid_of[{requester}]");
            fields.push(StateField::value(name.clone(), id_w(params.kernels), name));
        }
        fields.push(StateField::value("read_matrix", 2, "read_matrix_register"));
        fields.push(StateField::value(
            "read_count",
            params.total_w(),
            "read_sum",
        ));
        for number in 0..params.banks {
            fields.extend(below(&format!("bank[{number}]"), bank(params)));
        }
        fields
    }

    fn pack_state(params: &Params, state: &State, words: &mut Packer<'_>) {
        words.value(state.sweeping);
        words.value(state.sweep_set);
        state.kid_of.iter().for_each(|&kid| words.value(kid));
        words.value(state.read_matrix);
        words.value(state.read_count);
        for bank in &state.banks {
            pack_bank(params, bank, words);
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
        let bank = &state.banks[ram / rams];
        let reader = match ram % rams {
            0 => &bank.lookup,
            _ => &bank.compare,
        };
        reader.set as usize
    }
}
