//! `llc_counters` under test.
//!
//! Stimulus: in each bank accesses that move any lines of any owners, whatever a cache's replacement
//! does, by requesters of all entries of the table, which is written meanwhile.
//!
//! Functional coverage: in `coverage`.
//!
//! Example waveform: a miss and a hit of a set of two ways, counted and read.
//!
//! Facts: those of `gdcu` and `plob` in each bank, and of the way to the counters of hits and misses.

mod coverage;

use cotenant_golden::llc::counter_matrix::Answer;
use cotenant_golden::llc::llc_counters::{In, LlcCounters as Model, Params, State, READ_LATENCY};
use cotenant_golden::llc::llc_monitor::Matrix;
use cotenant_golden::llc::{gdcu, plob};

use super::plob::evictions_matter;
use super::shared::{
    self, known_kernels, matters_alone, near_limit, some_row, stage_matters, subscript, DISTANCE,
    LIVE,
};
use super::{Gdcu, Plob};
use crate::unit::prelude::*;

/// The unit [`llc_counters`](cotenant_golden::llc::llc_counters).
#[derive(Debug, Clone, Copy)]
pub struct LlcCounters;

/// Matrices of a bank, where they are, with their codes and rows.
fn matrices(params: &Params) -> [(&'static str, Matrix, usize); 3] {
    [
        ("gdcu", Matrix::Gdc, params.kernels),
        ("plob", Matrix::Ike, params.kernels),
        ("accesses", Matrix::Accesses, 2),
    ]
}

fn of_gdcu(params: &Params) -> gdcu::Params {
    gdcu::Params {
        ways: params.ways,
        kernels: params.kernels,
        cnt_w: params.cnt_w,
        stages: params.stages,
    }
}

fn of_plob(params: &Params) -> plob::Params {
    plob::Params {
        kernels: params.kernels,
        cnt_w: params.cnt_w,
        stages: params.stages,
    }
}

impl Interface for LlcCounters {
    const NAME: &'static str = "llc_counters";
    const SUMMARY: &'static str =
        "counts demotions and evictions in a cache with replacement bits of its own";
    const PLACE: Place = Place::Banks;
    type Model = Model;

    /// In front of the counters and behind their read ports there is a pipeline alone.
    fn working(flop: &str) -> bool {
        let matrix = flop.split_once(".matrix.");
        let in_a_bank = flop.starts_with("bank[") || flop.starts_with("read_");
        in_a_bank && matrix.is_none_or(|(_, flop)| shared::working(flop))
    }

    fn resumed(params: &Params, state: &State) -> Vec<(String, u128)> {
        let [younger, older] = [0, READ_LATENCY - 1].map(|at| state.answers[at]);
        let mut flops = vec![
            ("read_sum".into(), older.count.into()),
            ("read_overflow_register".into(), older.overflow.into()),
            ("read_matrix_register".into(), Matrix::Gdc.code().into()),
        ];
        let (mut left, most) = (younger.count, ones(params.cnt_w));
        for (number, bank) in state.bank.iter().enumerate() {
            let answer = Answer {
                count: left.min(most),
                overflow: younger.overflow && number == 0,
            };
            left -= answer.count;
            let matrix = format!("bank[{number}].gdcu.matrix.");
            flops.extend(shared::resumed(&matrix, params.cnt_w, answer));
            for (stage, access) in bank.in_flight.iter().enumerate() {
                let Some(access) = access else {
                    continue;
                };
                let evicted = access.evicted.map_or(0, |victim| 1 << victim);
                let kid = u128::from(access.kid);
                for (flop, value) in [
                    ("gdcu.valid", 1),
                    ("gdcu.kid", kid),
                    ("plob.valid", access.evicted.is_some().into()),
                    ("plob.kid", kid),
                    ("plob.lane", evicted),
                    ("accesses.valid", 1),
                    ("accesses.kid", kid),
                    ("accesses.hit", access.hit.into()),
                ] {
                    flops.push((format!("bank[{number}].{flop}[{stage}]"), value));
                }
                let mut below = 0;
                for (victim, &lines) in access.demoted.iter().enumerate() {
                    // In lanes each line is one bit, of one owner.
                    let (latch, value) = match stage {
                        0 => ("lane", ((1u128 << lines) - 1) << below),
                        _ => ("demotions", lines.into()),
                    };
                    below += lines;
                    flops.push((format!("bank[{number}].gdcu.{latch}[0][{victim}]"), value));
                }
            }
        }
        flops
    }

    fn probe(_: &Params, register: &str, at: &[usize]) -> Probe {
        let in_bank = register.strip_prefix("bank[].");
        match in_bank.and_then(|register| register.split_once('.')) {
            Some((part, register)) => {
                let path = format!("bank[{}].{part}.matrix.", at[0]);
                shared::probe(&path, register, &at[1..])
            }
            None => Probe::Value(subscripted(register, at)),
        }
    }

    fn codes(name: &str) -> Option<ValueNames> {
        crate::unit::llc::LlcMonitor::codes(name)
    }

    from_golden!();
}

/// What happens in a cycle.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Transaction {
    /// Reset.
    pub reset: bool,
    /// By bank; missing ones are bubbles.
    pub accesses: Vec<Access>,
    /// The period ends.
    pub snapshot: bool,
    /// The requester table is written.
    pub maps: bool,
    /// Which entry, cut to the port's width.
    pub entry: u16,
    /// Its kernel, modulo the number of kernels if it is written.
    pub kid: u8,
    /// What is read: matrix, victim and aggressor, cut to the ports' widths.
    pub read: (u8, u8, u8),
    /// The running counters are read, not the last period's.
    pub live: bool,
}

/// What the ports of a bank carry.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Access {
    /// There is an access.
    pub valid: bool,
    /// It hits.
    pub hit: bool,
    /// The requester, cut to the port's width.
    pub requester: u16,
    /// The lines that move; those beyond the ways are dropped.
    pub demoted: u64,
    /// Owner of each line, modulo the number of kernels if it moves; missing ones are 0.
    pub owner: Vec<u8>,
    /// The line that is replaced is valid.
    pub victim_valid: bool,
    /// Its owner, modulo the number of kernels if it counts.
    pub victim_owner: u8,
}

impl Drive for LlcCounters {
    type Transaction = Transaction;
    type World = ();
    const PROFILES: &'static [Profile] = &Profile::ALL;

    fn kernels(params: &Params) -> usize {
        params.kernels
    }

    fn world(_: &Params) {}

    fn idle(params: &Params) -> In {
        In::idle(params)
    }

    fn resolve(params: &Params, _: &Model, (): &mut (), what: &Transaction, input: &mut In) {
        let kernels = params.kernels as u8;
        let any = ones(id_w(params.kernels)) as u8;
        // What is ignored may be a KID without a kernel.
        let code = |known: bool, kid: u8| match known && kid & any >= kernels {
            true => kid % kernels,
            false => kid & any,
        };
        let requester = ones(params.requester_w()) as u16;
        *input = In {
            reset: what.reset,
            snapshot: what.snapshot,
            map_valid: what.maps,
            map_requester: what.entry & requester,
            map_kid: code(what.maps, what.kid),
            read_matrix: what.read.0 & 3,
            read_victim: what.read.1 & any,
            read_aggressor: what.read.2 & any,
            read_live: what.live,
            ..In::idle(params)
        };
        for (bank, access) in what.accesses.iter().take(params.banks).enumerate() {
            let bit = |set: bool| u64::from(set) << bank;
            input.access_valid |= bit(access.valid);
            input.access_hit |= bit(access.hit);
            input.victim_valid |= bit(access.victim_valid);
            input.access_requester[bank] = access.requester & requester;
            let replaces = access.valid && !access.hit && access.victim_valid;
            input.victim_owner[bank] = code(replaces, access.victim_owner);
            for way in 0..params.ways {
                let moves = access.demoted >> way & 1 == 1;
                let owner = access.owner.get(way).map_or(0, |&owner| owner);
                input.demoted[bank * params.ways + way] = moves.into();
                input.line_owner[bank * params.ways + way] = code(access.valid && moves, owner);
            }
        }
    }

    fn draw(
        params: &Params,
        knobs: &Knobs,
        pace: &mut Pace,
        random: &mut Random,
        transaction: &mut Transaction,
    ) {
        transaction.reset = random.chance(knobs.reset);
        transaction.snapshot = random.chance(knobs.snapshot);
        let kid = pace.kid(knobs.kernels, random);
        transaction.accesses.resize(params.banks, Access::default());
        for access in &mut transaction.accesses {
            draw(params, knobs, (kid, pace.favourite()), random, access);
        }
        let noise = random.bits();
        transaction.maps = noise & 31 == 0;
        transaction.entry = match transaction.accesses.first() {
            Some(access) if noise & 0x20 == 0 => access.requester,
            _ => (noise >> 8) as u16,
        };
        transaction.kid = (noise >> 24) as u8;
        transaction.read = (
            (noise >> 32) as u8,
            (noise >> 40) as u8,
            (noise >> 48) as u8,
        );
        transaction.live = random.chance(LIVE);
    }

    /// Counters near their limit.
    fn far(params: &Params, random: &mut Random) -> Option<Model> {
        let mut model = Model::new(params.clone()).ok()?;
        preset_near_limits(params, random, |bank, matrix, row, kernel, count| {
            model.preset(bank, matrix, row, kernel, count);
        });
        Some(model)
    }
}

/// Counters near their limit: told bank, matrix, row, kernel and count.
pub(crate) fn preset_near_limits(
    params: &Params,
    random: &mut Random,
    mut preset: impl FnMut(usize, Matrix, usize, usize, u64),
) {
    for bank in 0..params.banks {
        for (_, matrix, rows) in matrices(params) {
            // An access evicts at most one line.
            let distance = if matrix == Matrix::Ike { 1 } else { DISTANCE };
            let near = |row, kernel, count| preset(bank, matrix, row, kernel, count);
            near_limit((rows, params.kernels), params.cnt_w, distance, random, near);
        }
    }
}

/// An access to a bank, mostly by the requester whose number is a kernel's.
fn draw(
    params: &Params,
    knobs: &Knobs,
    (kid, favourite): (u8, u8),
    random: &mut Random,
    access: &mut Access,
) {
    let noise = random.bits();
    access.valid = random.chance(knobs.access);
    access.hit = random.chance(knobs.hit);
    access.requester = match noise & 3 {
        0 => (noise >> 8) as u16,
        _ => kid.into(),
    };
    // All lines, the more recent ones as under LRU, or any.
    let all = ones(params.ways);
    access.demoted = match noise >> 2 & 3 {
        0 => all,
        1 => ones(random.below(params.ways + 1)),
        2 => knobs.valid(params.ways, random),
        _ => random.bits() & all,
    };
    access.owner.resize(params.ways, 0);
    // Now and then all lines are one kernel's.
    let only = match noise >> 4 & 7 {
        0 => Some(kid),
        1 => Some((noise >> 24) as u8),
        _ => None,
    };
    for owners in access.owner.chunks_mut(8) {
        let mut bits = random.bits();
        for owner in owners {
            *owner = match only {
                Some(only) => only,
                None if knobs.kernels == Kernels::Skewed && bits & 0xc0 != 0 => favourite,
                None => bits as u8,
            };
            bits >>= 8;
        }
    }
    access.victim_valid = noise >> 32 & 3 != 0;
    access.victim_owner = match noise >> 34 & 7 {
        0 => kid,
        _ => (noise >> 40) as u8,
    };
}

impl Teach for LlcCounters {
    const SETS: &'static [&'static str] = &["2x2x1"];

    fn scene(params: &Params) -> Scene<Self> {
        let idle = || Self::idle(params);
        let reset = Self::cycle(params, |i| i.reset = true);
        let snapshot = Self::cycle(params, |i| i.snapshot = true);
        let read = |read_matrix, read_victim, read_aggressor| In {
            read_matrix,
            read_victim,
            read_aggressor,
            ..idle()
        };
        let miss = In {
            access_valid: 1,
            access_requester: vec![1],
            demoted: vec![1, 1],
            line_owner: vec![0, 1],
            victim_valid: 1,
            victim_owner: vec![0],
            ..idle()
        };
        let hit = In {
            access_valid: 1,
            access_hit: 1,
            access_requester: vec![0],
            demoted: vec![1, 0],
            line_owner: vec![1, 0],
            ..idle()
        };
        // An access is in the counters two cycles later.
        let counted = 2;
        Scene::new("what a cache tells about its accesses, counted")
            .rows(
                "access (SM 0 runs K0, SM 1 runs K1)",
                "access_valid, access_hit when access_valid, access_requester when access_valid, \
                 access_kid kernel when access_valid",
            )
            .rows(
                "what it finds in its set",
                "demoted binary when access_valid, line_owner when access_valid, victim_valid when \
                 access_valid, victim_owner kernel when victim_valid",
            )
            .rows(
                "counters of the bank, of K0 and K1",
                "bank[0].gdcu.count[*][0], bank[0].gdcu.count[*][1], bank[0].plob.count[*][1]",
            )
            .group(
                "read port",
                [
                    row("snapshot"),
                    row("read_matrix").named(&[(0, "gdc"), (1, "ike"), (2, "acc")]),
                    row("read_victim"),
                    row("read_aggressor"),
                    row("read_count"),
                ],
            )
            .cycle("Reset: all counters are 0.", reset)
            .then("bank[0].gdcu.count[*][1]", [0, 0])
            .cycle(
                "K1 misses. Both lines move towards eviction, and that of K0 is replaced. The cache \
                 stores `access_kid` with the new line, as its owner.",
                miss,
            )
            .sees("access_kid", [1])
            .after(counted, "bank[0].gdcu.count[*][1]", [1, 1])
            .after(counted, "bank[0].plob.count[*][1]", [1, 0])
            .cycle(
                "K0 hits its line, the less recently used one: the other one moves.",
                hit,
            )
            .after(counted, "bank[0].gdcu.count[*][0]", [0, 1])
            .cycle("The accesses are on their way to the counters.", idle())
            .cycle("A snapshot ends the period.", snapshot)
            .sees("bank[0].gdcu.count[*][0]", [0, 1])
            .then("bank[0].gdcu.count[*][0]", [0, 0])
            .cycle(
                "Read, answered two cycles later: demotions of K0's lines by K1,",
                read(0, 0, 1),
            )
            .cycle("and evictions of them.", read(1, 0, 1))
            .cycle("The first answer: K1 has demoted one of K0's lines,", idle())
            .sees("read_count", 1)
            .cycle("and evicted one.", idle())
            .sees("read_count", 1)
    }
}

/// The bank of a flop, its part, and the flop in it.
fn in_part(flop: &str) -> Option<(&str, &str)> {
    let (_, in_bank) = flop
        .split_once("].")
        .filter(|_| flop.starts_with("bank["))?;
    let (part, rest) = in_bank.split_once('.')?;
    let path = flop.len() - rest.len();
    Some((&flop[..path], rest)).filter(|_| ["gdcu", "plob", "accesses"].contains(&part))
}

impl Facts for LlcCounters {
    fn invariants(params: &Params, terms: &mut Terms<'_>) -> Vec<Term> {
        let mut all = rules::invariants::<Self>(params, terms);
        for bank in 0..params.banks {
            all.extend(terms.within(&format!("bank[{bank}]."), |terms| {
                let (demotions, evictions) = (of_gdcu(params), of_plob(params));
                let mut all = terms.within("gdcu.", |terms| Gdcu::invariants(&demotions, terms));
                all.extend(terms.within("plob.", |terms| Plob::invariants(&evictions, terms)));
                all.extend(terms.within("accesses.", |terms| {
                    let mut all = known_kernels(params.stages, params.kernels, terms);
                    for stage in 0..params.stages {
                        let [valid, hit] =
                            ["valid", "hit"].map(|flop| terms.flop(&format!("{flop}[{stage}]")));
                        all.push(terms.implies(hit, valid));
                    }
                    all
                }));
                all
            }));
        }
        all
    }

    fn matters(params: &Params, flop: &str, terms: &mut Terms<'_>) -> Option<Term> {
        let (path, flop) = in_part(flop)?;
        terms.within(path, |terms| {
            if path.ends_with("gdcu.") {
                Gdcu::matters(&of_gdcu(params), flop, terms)
            } else if path.ends_with("plob.") {
                evictions_matter(&of_plob(params), flop, terms)
            } else {
                let latch = flop.starts_with("kid[") || flop.starts_with("hit[");
                let stage = subscript(flop).filter(|_| latch)?;
                Some(stage_matters(stage, terms))
            }
        })
    }

    fn matters_alone(params: &Params, flop: &str, terms: &mut Terms<'_>) -> Option<Term> {
        let shown = terms.flop("read_matrix_register");
        if flop == "read_matrix_register" {
            let of_bank = |bank| {
                let matrices = matrices(params).into_iter();
                matrices.map(move |(part, _, rows)| (format!("bank[{bank}].{part}.matrix."), rows))
            };
            return Some(some_row((0..params.banks).flat_map(of_bank), terms));
        }
        let (path, flop) = in_part(flop)?;
        let Some(flop) = flop.strip_prefix("matrix.") else {
            return terms.within(path, |terms| match path {
                _ if path.ends_with("gdcu.") => Gdcu::matters_alone(&of_gdcu(params), flop, terms),
                _ if path.ends_with("plob.") => Plob::matters_alone(&of_plob(params), flop, terms),
                _ => None,
            });
        };
        let named = |(part, ..): &(&str, Matrix, usize)| path.ends_with(&format!("{part}."));
        let (_, matrix, rows) = matrices(params).into_iter().find(named)?;
        let path = format!("{path}matrix.");
        let matters = terms.within(&path, |terms| matters_alone(rows, flop, terms))?;
        let shown = terms.is(shown, matrix.code().into());
        Some(terms.all([shown, matters]))
    }
}
