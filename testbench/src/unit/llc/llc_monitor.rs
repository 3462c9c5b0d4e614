//! `llc_monitor`.
//!
//! Of a bank's directory the sets are compared, in its RAMs. The flops beside them, those on the way
//! to the counters and those of the read port are pipelines, of which the golden model has the
//! latency alone.
//!
//! Facts: what the pipelines hold.

pub(crate) mod coverage;
mod directory;
mod scene;
pub mod stimulus;

use cotenant_golden::llc::clog2;
use cotenant_golden::llc::counter_matrix::Answer;
use cotenant_golden::llc::llc_monitor::{
    Accesses, Bank, LlcMonitor as Model, Matrix, Params, State, READ_LATENCY,
};
use cotenant_golden::ports::Registers;

use super::plob::evictions_matter;
use super::shared::{self, known_kernels, matters_alone, some_row, stage_matters, subscript};
use super::{Attribution, Gdcu, Plob, Sce};
use crate::unit::prelude::*;

/// The unit [`llc_monitor`](cotenant_golden::llc::llc_monitor).
#[derive(Debug, Clone, Copy)]
pub struct LlcMonitor;

/// Rows of the counters of accesses: hits and misses.
pub(crate) const OUTCOMES: usize = 2;

/// Where a bank has what it may have beside the counters that all have.
const SCE: &str = "sce[0].sce";
const SAMPLER: &str = "sampler[0]";

/// RAMs of a bank: replacement bits, tags by way, and the stacks of sampled sets.
pub(crate) fn rams(params: &Params) -> usize {
    let lanes = || params.attribution().map_or(0, |sampler| sampler.lanes);
    // Asked for each word that is compared.
    1 + params.ways + if params.sampled > 0 { lanes() } else { 0 }
}

/// The words of RAMs written at the last edge: banks and sets, banks and words of stacks. Of the tags
/// only that of a line that was filled.
pub(crate) fn each_written(
    params: &Params,
    banks: &[Bank],
    sets: impl Iterator<Item = (usize, usize)>,
    stacks: impl Iterator<Item = (usize, usize)>,
    each: &mut dyn FnMut((usize, usize)),
) {
    let (rams, sampler) = (rams(params), 1 + params.ways);
    for (bank, set) in sets {
        each((bank * rams, set));
        let done = banks[bank].done;
        if done.valid && !done.hit {
            each((bank * rams + 1 + usize::from(done.way), set));
        }
    }
    for (bank, word) in stacks {
        (sampler..rams).for_each(|ram| each((bank * rams + ram, word)));
    }
}

/// The bank of a flop, and the flop in it.
fn in_bank(flop: &str) -> Option<(&str, &str)> {
    flop.split_once("].").filter(|_| flop.starts_with("bank["))
}

/// Where the matrices of a bank are, and how many rows they have, but for those of its sampled sets.
fn matrices(params: &Params, bank: usize) -> Vec<(String, usize)> {
    let kernels = params.kernels;
    let sce = params.sce().map(|_| (SCE, kernels));
    [("gdcu", kernels), ("plob", kernels), ("accesses", OUTCOMES)]
        .into_iter()
        .chain(sce)
        .map(|(part, rows)| (format!("bank[{bank}].{part}.matrix."), rows))
        .collect()
}

/// The flop of a part, where `flop` is one of its.
fn of_part<'a>(flop: &'a str, part: &str) -> Option<&'a str> {
    flop.strip_prefix(part)?.strip_prefix('.')
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
}

/// Registers of the counters of hits and misses.
fn accesses(params: &Params) -> Vec<StateField> {
    fields::<Accesses, _>(params, |name, at| {
        let name = name.strip_prefix("matrix.")?;
        Some(shared::probe("matrix.", name, at))
    })
}

/// The flops of the way to the counters of hits and misses.
fn counted(accesses: &Accesses) -> Vec<(String, u128)> {
    let stages = accesses.in_flight.iter().enumerate();
    let flops = stages.flat_map(|(stage, access)| {
        [
            (format!("valid[{stage}]"), access.valid.into()),
            (format!("kid[{stage}]"), access.kid.into()),
            (format!("hit[{stage}]"), access.hit.into()),
        ]
    });
    flops.collect()
}

/// The flops of the read port: the older answer is in the register behind the sum, and the banks
/// show the younger one, as demotions.
fn answers(params: &Params, state: &State) -> Vec<(String, u128)> {
    let [younger, older] = [0, READ_LATENCY - 1].map(|at| state.answers[at]);
    let mut flops = vec![
        ("read_sum".into(), older.count.into()),
        ("read_overflow_register".into(), older.overflow.into()),
        ("read_matrix_register".into(), Matrix::Gdc.code().into()),
    ];
    let (mut left, most) = (younger.count, ones(params.cnt_w));
    for bank in 0..params.banks {
        let matrix = format!("bank[{bank}].gdcu.matrix.");
        let answer = Answer {
            count: left.min(most),
            overflow: younger.overflow && bank == 0,
        };
        left -= answer.count;
        flops.extend(shared::resumed(&matrix, params.cnt_w, answer));
    }
    flops
}

impl Interface for LlcMonitor {
    const NAME: &'static str = "llc_monitor";
    const SUMMARY: &'static str = "tags, replacement bits and counters beside a shared cache";
    const PLACE: Place = Place::Banks;
    type Model = Model;

    fn working(flop: &str) -> bool {
        let sampler = in_bank(flop).and_then(|(_, flop)| of_part(flop, SAMPLER));
        if let Some(flop) = sampler {
            return Attribution::working(flop);
        }
        // All beside the matrices of `gdcu`, `plob` and `accesses` is pipelines in a bank.
        let matrix = flop.split_once(".matrix.");
        let in_a_bank = flop.starts_with("bank[") || flop.starts_with("read_");
        in_a_bank && matrix.is_none_or(|(_, flop)| shared::working(flop))
    }

    fn resumed(params: &Params, state: &State) -> Vec<(String, u128)> {
        let mut flops = Vec::new();
        for (index, bank) in state.banks.iter().enumerate() {
            let directory = directory::pipeline(params, bank).into_iter();
            let below = |(flop, value)| (format!("bank[{index}].directory.{flop}"), value);
            flops.extend(directory.map(below));
            let counters = [
                ("gdcu", Gdcu::resumed(&params.gdcu(), &bank.gdcu)),
                ("plob", Plob::resumed(&params.plob(), &bank.plob)),
                ("accesses", counted(&bank.accesses)),
            ];
            let sce = params.sce().zip(bank.sce.as_ref());
            let sce = sce.map(|(params, state)| (SCE, Sce::resumed(&params, state)));
            let sampler = params.attribution().zip(bank.sampler.as_ref());
            let sampler =
                sampler.map(|(params, state)| (SAMPLER, Attribution::resumed(&params, state)));
            for (part, counter) in counters.into_iter().chain(sce).chain(sampler) {
                let below = |(flop, value)| (format!("bank[{index}].{part}.{flop}"), value);
                flops.extend(counter.into_iter().map(below));
            }
        }
        flops.extend(answers(params, state));
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
                (SCE, params.sce().map_or(Vec::new(), |sce| Sce::state(&sce))),
                (
                    SAMPLER,
                    params
                        .attribution()
                        .map_or(Vec::new(), |sampler| Attribution::state(&sampler)),
                ),
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
            if let Some((params, state)) = params.sce().zip(bank.sce.as_ref()) {
                Sce::pack_state(&params, state, words);
            }
            if let Some((params, state)) = params.attribution().zip(bank.sampler.as_ref()) {
                Attribution::pack_state(&params, state, words);
            }
        }
    }

    /// A bank's replacement bits, then its tags by way, then the stacks of its sampled sets.
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
            let stacks = params.attribution();
            let stacks = stacks.map_or(Vec::new(), |sampler| Attribution::memories(&sampler));
            let stacks = stacks.into_iter().map(move |memory| Memory {
                ram: format!("bank[{bank}].{SAMPLER}.{}", memory.ram),
                ..memory
            });
            std::iter::once(replacement).chain(tags).chain(stacks)
        };
        (0..banks).flat_map(bank).collect()
    }

    fn written(params: &Params, model: &Model, each: &mut dyn FnMut((usize, usize))) {
        let banks = &model.state().banks;
        each_written(params, banks, model.written(), model.stacked(), each);
    }

    fn pack_word(
        params: &Params,
        state: &State,
        (ram, word): (usize, usize),
        packer: &mut WordPacker<'_>,
    ) {
        let rams = rams(params);
        let (bank, ram) = (&state.banks[ram / rams], ram % rams);
        if let Some(lane) = ram.checked_sub(1 + params.ways) {
            if let Some((params, state)) = params.attribution().zip(bank.sampler.as_ref()) {
                Attribution::pack_word(&params, state, (lane, word), packer);
            }
            return;
        }
        let set = &bank.sets[word];
        match ram {
            0 => {
                let set = directory::ByWay::new(&set.stack);
                let ways = params.ways;
                (1..ways).for_each(|way| packer.value(way, set.order[way]));
                packer.elements(id_w(params.kernels), set.owner[..ways].iter().copied());
                packer.value(ways, set.valid);
            }
            tags => packer.value(params.tag_w, set.tag[tags - 1]),
        }
    }

    fn word_read(params: &Params, state: &State, ram: usize) -> usize {
        let rams = rams(params);
        let on_their_way = &state.banks[ram / rams].in_flight;
        match ram % rams {
            0 => on_their_way[1].set as usize,
            ram if ram <= params.ways => on_their_way[0].set as usize,
            // Nothing is looked up in the stacks of far states.
            _ => 0,
        }
    }
}

impl Facts for LlcMonitor {
    fn invariants(params: &Params, terms: &mut Terms<'_>) -> Vec<Term> {
        let mut all = rules::invariants::<Self>(params, terms);
        for bank in 0..params.banks {
            all.extend(terms.within(&format!("bank[{bank}]."), |terms| {
                let mut all = terms.within("directory.", |terms| directory::holds(params, terms));
                all.extend(terms.within("gdcu.", |terms| Gdcu::invariants(&params.gdcu(), terms)));
                all.extend(terms.within("plob.", |terms| Plob::invariants(&params.plob(), terms)));
                all.extend(terms.within("accesses.", |terms| {
                    let mut all = known_kernels(params.stages, params.kernels, terms);
                    for stage in 0..params.stages {
                        let [valid, hit] =
                            ["valid", "hit"].map(|flop| terms.flop(&format!("{flop}[{stage}]")));
                        all.push(terms.implies(hit, valid));
                    }
                    all
                }));
                if let Some(sce) = params.sce() {
                    all.extend(
                        terms.within(&format!("{SCE}."), |terms| Sce::invariants(&sce, terms)),
                    );
                }
                if let Some(sampler) = params.attribution() {
                    all.extend(terms.within(&format!("{SAMPLER}."), |terms| {
                        Attribution::invariants(&sampler, terms)
                    }));
                }
                all
            }));
        }
        all
    }

    fn matters(params: &Params, flop: &str, terms: &mut Terms<'_>) -> Option<Term> {
        let (bank, flop) = in_bank(flop)?;
        terms.within(&format!("{bank}]."), |terms| {
            if of_part(flop, SCE).is_some() {
                return None;
            }
            if let Some(flop) = of_part(flop, SAMPLER) {
                let sampler = params.attribution()?;
                return terms.within(&format!("{SAMPLER}."), |terms| {
                    Attribution::matters(&sampler, flop, terms)
                });
            }
            let (part, flop) = flop.split_once('.')?;
            terms.within(&format!("{part}."), |terms| match part {
                "directory" => directory::matters(params, flop, terms),
                "gdcu" => Gdcu::matters(&params.gdcu(), flop, terms),
                "plob" => evictions_matter(&params.plob(), flop, terms),
                _ => {
                    let latch = flop.starts_with("kid[") || flop.starts_with("hit[");
                    let stage = subscript(flop).filter(|_| latch)?;
                    Some(stage_matters(stage, terms))
                }
            })
        })
    }

    fn matters_alone(params: &Params, flop: &str, terms: &mut Terms<'_>) -> Option<Term> {
        let shown = terms.flop("read_matrix_register");
        if flop == "read_matrix_register" && params.attribution().is_none() {
            return Some(some_row(
                (0..params.banks).flat_map(|b| matrices(params, b)),
                terms,
            ));
        }
        if let Some((bank, flop)) = in_bank(flop) {
            if let Some(flop) = of_part(flop, SAMPLER) {
                let sampler = params.attribution()?;
                let path = format!("{bank}].{SAMPLER}.");
                let matters = terms.within(&path, |terms| {
                    Attribution::matters_alone(&sampler, flop, terms)
                })?;
                // The codes of all its counters have this bit.
                let shown = terms.bit(shown, 2);
                return Some(terms.all([shown, matters]));
            }
            if let Some(flop) = of_part(flop, "directory") {
                let path = format!("{bank}].directory.");
                return terms.within(&path, |terms| directory::matters_alone(flop, terms));
            }
            let of_stage = |part| of_part(flop, part).filter(|flop| flop.starts_with("valid["));
            if let Some(flop) = of_stage("gdcu") {
                return terms.within(&format!("{bank}].gdcu."), |terms| {
                    Gdcu::matters_alone(&params.gdcu(), flop, terms)
                });
            }
            if let Some(flop) = of_stage("plob") {
                return terms.within(&format!("{bank}].plob."), |terms| {
                    Plob::matters_alone(&params.plob(), flop, terms)
                });
            }
        }
        // In each bank the matrices of `gdcu`, `plob`, `accesses` and `sce`; of the accesses rows are
        // hits and misses.
        let (part, flop) = flop.split_once(".matrix.")?;
        let (_, name) = part.split_once('.')?;
        let (matrix, rows) = match name {
            "gdcu" => (Matrix::Gdc, params.kernels),
            "plob" => (Matrix::Ike, params.kernels),
            "accesses" => (Matrix::Accesses, OUTCOMES),
            _ => (Matrix::Sce, params.kernels),
        };
        let path = format!("{part}.matrix.");
        let matters = terms.within(&path, |terms| matters_alone(rows, flop, terms))?;
        let shown = terms.is(shown, matrix.code().into());
        Some(terms.all([shown, matters]))
    }
}
