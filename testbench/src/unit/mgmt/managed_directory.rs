//! `managed_directory` under test.
//!
//! Stimulus: most accesses go to one set for a while, many to that of the access before, some to leader
//! sets; policy, quotas and masks last for a while, and change between an access and its set now and
//! then.
//!
//! Functional coverage: what each core's accesses find under each policy, where, and whose lines go;
//! why quotas and RRIP choose a victim; hits of masked applications; the set of the access before;
//! changes of the policy; invalidations; the sweep.
//!
//! Example waveform: a line of another application goes by quotas, then one by predictions.
//!
//! Facts: when what is kept of an access and of what was written matters.

mod coverage;
pub(crate) mod stimulus;

use cotenant_golden::mgmt::managed_directory::{
    Access, In, ManagedDirectory as Model, Params, Policy, State,
};
use cotenant_golden::mgmt::ByApplication;

use crate::unit::prelude::*;

/// The unit [`managed_directory`](cotenant_golden::mgmt::managed_directory).
#[derive(Debug, Clone, Copy)]
pub struct ManagedDirectory;

impl Interface for ManagedDirectory {
    const NAME: &'static str = "managed_directory";
    const SUMMARY: &'static str =
        "tags and owners of a cache under LRU, quotas or RRIP by a register";
    const PLACE: Place = Place::Bank;
    type Model = Model;

    fn working(flop: &str) -> bool {
        let beside = ["lookup_", "written_"];
        let pipeline = beside.iter().any(|name| flop.starts_with(name));
        pipeline || flop == "forward" || flop == "stale"
    }

    fn resumed(_: &Params, state: &State) -> Vec<(String, u128)> {
        let Some(access) = due(state) else {
            return Vec::new();
        };
        [
            ("valid", 1),
            ("invalidate", access.invalidate.into()),
            ("set", access.set.into()),
            ("tag", access.tag.into()),
            ("app", access.app.into()),
            ("pol1", access.pol1.into()),
            ("pol2", access.pol2.into()),
        ]
        .map(|(name, value)| (format!("lookup_{name}"), value))
        .into()
    }

    fn probe(_: &Params, register: &str, at: &[usize]) -> Probe {
        Probe::Value(match (register, register.strip_prefix("done_")) {
            ("drrip.psel[]", _) => format!("drrip.selector[{}]", at[0]),
            (_, Some(told)) => format!("{told}_register"),
            _ => subscripted(register, at),
        })
    }

    from_golden!();

    /// Ways, owners and valid bits by position and predictions by way, then the tags by way.
    fn memories(params: &Params) -> Vec<Memory> {
        let Params { ways, sets, .. } = *params;
        let parts = [
            Port::packed("way", ways, id_w(ways)),
            Port::packed("owner", ways, id_w(params.applications)),
            Port::packed("rrpv", ways, params.rrpv_w),
            Port::packed("valid", ways, 1),
        ];
        let tags = |way| Memory::values(format!("tag[{way}]"), sets, params.tag_w);
        std::iter::once(Memory::parts("replacement", sets, parts))
            .chain((0..ways).map(tags))
            .collect()
    }

    fn written(params: &Params, model: &Model, each: &mut dyn FnMut((usize, usize))) {
        let Some((set, tags)) = model.written() else {
            return;
        };
        each((0, set));
        for way in (0..params.ways).filter(|way| tags >> way & 1 == 1) {
            each((1 + way, set));
        }
    }

    fn pack_word(
        params: &Params,
        state: &State,
        (ram, word): (usize, usize),
        packer: &mut WordPacker<'_>,
    ) {
        let set = &state.sets[word];
        let in_way = |way: usize| set.iter().find(|line| usize::from(line.way) == way);
        match ram.checked_sub(1) {
            None => {
                packer.elements(id_w(params.ways), set.iter().map(|line| line.way));
                let owners = set.iter().map(|line| line.owner);
                packer.elements(id_w(params.applications), owners);
                let predictions = (0..params.ways).map(|way| in_way(way).map_or(0, |at| at.rrpv));
                packer.elements(params.rrpv_w, predictions);
                packer.elements(1, set.iter().map(|line| line.valid));
            }
            Some(way) => packer.value(params.tag_w, in_way(way).map_or(0, |line| line.tag)),
        }
    }

    fn word_read(_: &Params, state: &State, _: usize) -> usize {
        due(state).map_or(0, |access| access.set as usize)
    }
}

/// The access that is at its set in this cycle.
fn due(state: &State) -> Option<Access> {
    state.in_flight.due().copied().flatten()
}
impl Teach for ManagedDirectory {
    const SETS: &'static [&'static str] = &["4x16x3x2"];

    fn scene(params: &Params) -> Scene<Self> {
        let base = |policy: Policy| In {
            policy: policy as u8,
            quota: ByApplication::from_fn(params.applications, |app| [2, 1, 1][app]),
            rrip_mask: 0b100,
            ..In::default()
        };
        let access = |policy, access_app, access_tag| In {
            access_valid: true,
            // Nobody leads it.
            access_set: 3,
            access_tag,
            access_app,
            ..base(policy)
        };
        let idle = || base(Policy::Lru);
        let reset = In {
            reset: true,
            ..idle()
        };
        let sweep = (0..params.sets).map(|_| idle());
        Scene::new("one set under three policies")
            .group(
                "access",
                [
                    row("ready"),
                    row("access_valid"),
                    row("access_app").when("access_valid"),
                    row("access_set").when("access_valid"),
                    row("access_tag").hex().when("access_valid"),
                ],
            )
            .group(
                "configuration",
                [row("policy"), row("quota"), row("rrip_mask").binary()],
            )
            .group(
                "its set, a cycle later, by position",
                [
                    row("lookup_valid"),
                    row("way[*]").when("lookup_valid"),
                    row("owner[*]").when("lookup_valid"),
                    row("stack_valid").binary().when("lookup_valid"),
                ],
            )
            .group(
                "report",
                [
                    row("done_valid"),
                    row("done_app").when("done_valid"),
                    row("done_hit").when("done_valid"),
                    row("done_way").when("done_valid"),
                    row("done_evict").when("done_valid"),
                    row("done_owner").when("done_valid"),
                ],
            )
            .step(Step::new("Reset.", reset).then("ready", 0))
            .step(
                Step::over("The sets are cleared.", sweep)
                    .folded()
                    .sees("ready", 0)
                    .then("ready", 1),
            )
            .step(
                Step::new("Application 0 brings line a.", access(Policy::Lru, 0, 0xa))
                    .then("stack_valid", 0)
                    .after(2, "done_way", 3),
            )
            .step(
                Step::new(
                    "Application 1 brings b, without a pause: the set is forwarded.",
                    access(Policy::Lru, 1, 0xb),
                )
                .then("stack_valid", 0b0001)
                .after(2, "done_way", 2),
            )
            .step(
                Step::new("And c.", access(Policy::Lru, 1, 0xc)).after(2, "done_way", 1),
            )
            .step(
                Step::new("Application 2 brings d. The set is full.", access(Policy::Lru, 2, 0xd))
                    .after(2, "done_evict", 0),
            )
            .step(
                Step::new(
                    "Quotas of two, one and one lines. Application 0 is below its own: b goes, the \
                     older line of application 1, which is above, though a is at LRU.",
                    access(Policy::Quotas, 0, 0xe),
                )
                .then("owner[*]", [2, 1, 1, 0])
                .after(2, "done_evict", 1),
            )
            .step(
                Step::new(
                    "Application 2 is at its quota, and replaces its own line d.",
                    access(Policy::Quotas, 2, 0xf),
                ),
            )
            .step(
                Step::new(
                    "The configuration of this cycle counts for f.",
                    base(Policy::Quotas),
                )
                .sees("done_owner", 1)
                .then("done_owner", 2),
            )
            .step(
                Step::new("Application 1 hits c, which goes to the top.", access(Policy::Rrip, 1, 0xc)),
            )
            .step(
                Step::new(
                    "Under RRIP all lines have been used so far: they age, and that of application \
                     2, whose mask is set, goes first.",
                    access(Policy::Rrip, 0, 0x9),
                )
                .after(2, "done_owner", 2),
            )
            .step(Step::over(
                "The last access is on its way.",
                [base(Policy::Rrip), base(Policy::Rrip), idle()],
            ))
    }
}

impl Facts for ManagedDirectory {
    fn invariants(params: &Params, terms: &mut Terms<'_>) -> Vec<Term> {
        let mut all = rules::invariants::<Self>(params, terms);
        // While the sets are being cleared no access reaches one.
        let [sweeping, access] = terms.flops(["sweeping", "lookup_valid"]);
        all.push(terms.disjoint(sweeping, access));
        let [app, pol1, pol2] = terms.flops(["lookup_app", "lookup_pol1", "lookup_pol2"]);
        let told = terms.flop("app_register");
        all.extend([app, told].map(|app| terms.below(app, params.applications)));
        all.push(terms.disjoint(pol1, pol2));
        // A tag is written with its set.
        let [forward, stale] = terms.flops(["forward", "stale"]);
        let none = terms.is(stale, 0);
        all.push(terms.any([forward, none]));
        let written = terms.flop("written_word");
        for true_of_it in replacement_bits(params, written, terms) {
            all.push(terms.implies(forward, true_of_it));
        }
        all
    }

    /// The sets are cleared in order; none is accessed before all are.
    fn words(
        params: &Params,
        ram: &str,
        question: Words,
        terms: &mut Terms<'_>,
    ) -> Option<Vec<Term>> {
        let joint = params.ways <= MOST_COMPARED;
        if let Some(way) = ram.strip_prefix("tag[").filter(|_| joint) {
            let way: usize = way.strip_suffix(']')?.parse().ok()?;
            let Words::Held(read) = question else {
                return None;
            };
            let [stale, written] = terms.flops(["stale", "written_tag"]);
            let stale = terms.bit(stale, way);
            return Some(vec![terms.either(stale, written, read)]);
        }
        if ram != "replacement" {
            return None;
        }
        Some(match question {
            Words::Read => vec![terms.flop("lookup_valid")],
            Words::Written(set) => {
                let [sweeping, next] = terms.flops(["sweeping", "sweep_set"]);
                let cleared = terms.lower(set, next);
                let all = terms.not(sweeping);
                vec![terms.any([all, cleared])]
            }
            Words::Hold(word) => replacement_bits(params, word, terms),
            Words::Row if joint => lines(params, terms),
            Words::Row => return None,
            Words::Address => vec![terms.flop("lookup_set")],
            Words::Held(read) => {
                let [forward, written] = terms.flops(["forward", "written_word"]);
                vec![terms.either(forward, written, read)]
            }
        })
    }

    // What was written is forwarded to an access only.
    fn matters(_: &Params, flop: &str, terms: &mut Terms<'_>) -> Option<Term> {
        let [access, forward] = terms.flops(["lookup_valid", "forward"]);
        match flop {
            "lookup_valid" => None,
            "forward" | "stale" => Some(access),
            "written_word" | "written_tag" => Some(terms.all([access, forward])),
            _ if flop.starts_with("lookup_") => Some(access),
            _ => None,
        }
    }
}

/// Up to so many ways it is said that their tags differ: the proof compares each two of them.
const MOST_COMPARED: usize = 8;

/// In a set each way is in one place, and valid lines have different tags.
fn lines(params: &Params, terms: &mut Terms<'_>) -> Vec<Term> {
    let word = terms.ram("replacement");
    let [way, valid] = ["way", "valid"].map(|part| parts_of(params, word, part, terms));
    let mut all = Vec::new();
    // By way: the one place, and whether the line there is valid.
    let mut there = Vec::new();
    for w in 0..params.ways {
        let here: Vec<Term> = way.iter().map(|&way| terms.is(way, w)).collect();
        all.push(terms.any(here.iter().copied()));
        let valid = here.iter().zip(&valid);
        let valid: Vec<Term> = valid
            .map(|(&here, &valid)| terms.all([here, valid]))
            .collect();
        there.push(terms.any(valid));
    }
    let tags: Vec<Term> = (0..params.ways)
        .map(|w| terms.ram(&format!("tag[{w}]")))
        .collect();
    for w in 0..params.ways {
        for v in 0..w {
            let equal = terms.same(tags[v], tags[w]);
            let twice = terms.all([there[v], there[w], equal]);
            all.push(terms.not(twice));
        }
    }
    all
}

/// In a set valid lines are nearer to MRU than others, and there are the applications that own lines.
fn replacement_bits(params: &Params, word: Term, terms: &mut Terms<'_>) -> Vec<Term> {
    let valid = parts_of(params, word, "valid", terms);
    let pairs = valid.iter().zip(&valid[1..]);
    let nearer = pairs.map(|(&above, &below)| terms.implies(below, above));
    let mut all: Vec<Term> = nearer.collect();
    let owners = parts_of(params, word, "owner", terms).into_iter();
    all.extend(owners.map(|owner| terms.below(owner, params.applications)));
    all
}

/// A part of a word of the replacement bits, by position.
fn parts_of(params: &Params, word: Term, part: &str, terms: &mut Terms<'_>) -> Vec<Term> {
    let memories = ManagedDirectory::memories(params);
    let places = (0..params.ways).filter_map(|position| memories[0].place(part, position));
    places
        .map(|(low, width)| terms.slice(word, low, width))
        .collect()
}
