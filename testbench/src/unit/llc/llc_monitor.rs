//! `llc_monitor`.
//!
//! Of a bank's directory the sets are compared, in its RAMs: the flops beside them are a pipeline,
//! of which the golden model has the latency alone.
//!
//! Facts: what the pipelines hold.

pub(crate) mod coverage;
mod directory;
mod scene;
pub mod stimulus;

use cotenant_golden::llc::clog2;
use cotenant_golden::llc::llc_monitor::{Accesses, LlcMonitor as Model, Matrix, Params, State};
use cotenant_golden::ports::Registers;

use super::shared::{self, matters_alone};
use super::{Gdcu, Plob};
use crate::unit::prelude::*;

/// The unit [`llc_monitor`](cotenant_golden::llc::llc_monitor).
#[derive(Debug, Clone, Copy)]
pub struct LlcMonitor;

/// Flops of a bank's directory, behind the bank.
const DIRECTORY: &str = ".directory.";

/// Rows of the counters of accesses: hits and misses.
pub(crate) const OUTCOMES: usize = 2;

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
        flop.contains(DIRECTORY) || matrix.is_some_and(|(_, flop)| shared::working(flop))
    }

    fn resumed(params: &Params, state: &State) -> Vec<(String, u128)> {
        let mut flops = Vec::new();
        for (index, bank) in state.banks.iter().enumerate() {
            let directory = directory::pipeline(bank).into_iter();
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
                let set = directory::ByWay::new(&set.stack);
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
        let [compare, lookup, _] = directory::on_their_way(&state.banks[ram / rams]);
        let reader = if ram % rams == 0 { lookup } else { compare };
        reader.set as usize
    }
}

impl Facts for LlcMonitor {
    fn invariants(params: &Params, terms: &mut Terms<'_>) -> Vec<NodeId> {
        let mut all = rules::invariants::<Self>(params, terms);
        for bank in 0..params.banks {
            all.extend(terms.within(&format!("bank[{bank}]."), |terms| {
                let mut all = terms.within("directory.", |terms| directory::holds(params, terms));
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

    fn matters(_: &Params, flop: &str, terms: &mut Terms<'_>) -> Option<NodeId> {
        let (bank, flop) = flop.split_once(DIRECTORY)?;
        terms.within(&format!("{bank}{DIRECTORY}"), |terms| {
            directory::matters(flop, terms)
        })
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
