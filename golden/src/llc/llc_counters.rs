//! `llc_counters`: the counters of a shared cache that keeps its own replacement bits.
//!
//! Source: GDC paper, sections II-A (PLOB) and III, figure 1: the counters beside each bank of the
//! L2, which tells them the lines that each access demotes, and their owners.
//!
//! The cache presents each access with what it finds in the set: which lines the access moves one
//! step towards eviction, whose they are, and the line that is replaced. It stores the kernel of
//! an access with the line that is hit or filled, as its owner (section II-A: the kernel of the last
//! access to it): `access_kid` is looked up in the cycle of the access.
//!
//! Timing: an access of cycle t is in the counters at t + 1 + `stages`. Snapshots are not delayed. A
//! read given at t is answered at t + 2: what the last period came to, or with `read_live` what the
//! running one has come to before t; and whether a counter of that sum has saturated.
//!
//! ASSUMPTION: the paper runs one kernel per SM. Here a table says which kernel a requester runs;
//! requesters that are no SM share one entry.
//! ASSUMPTION: several banks have their own counters, and the read port sums them.
//! ASSUMPTION: which lines an access demotes is the cache's to say: under LRU those above the line
//! that it hits, and all on a miss; other policies have an order of their own, or none.
//! ASSUMPTION: a line that is replaced counts as demoted if the cache says so, as in GDC's figure 2;
//! an eviction of the accessing kernel's own line counts, on the diagonal.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::counter_matrix::{self, Answer, CounterMatrix, Kinds};
use super::llc_monitor::{Matrix, MAX_BANKS, MAX_REQUESTERS};
use super::{clog2, id_w, pos_w, ByPosition, MAX_KERNELS, MAX_WAYS};
use crate::delay::Delayed;
use crate::model::{Model, ParamError, Part, Violation};
use crate::ports::{Parameters, Ports, Registers};
use crate::rules::*;

/// Cycles from a read to its answer.
pub const READ_LATENCY: usize = 2;

/// Parameters of [`LlcCounters`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Parameters)]
pub struct Params {
    /// Ways of a set, 2 to [`MAX_WAYS`].
    #[range(2..=MAX_WAYS)]
    pub ways: usize,
    /// Number of kernels, 1 to [`MAX_KERNELS`].
    #[range(1..=MAX_KERNELS)]
    pub kernels: usize,
    /// Banks, a power of two up to [`MAX_BANKS`].
    #[range(1..=MAX_BANKS)]
    pub banks: usize,
    /// Width of a counter in bits, from that of a number of lines up; a sum over the banks has at
    /// most 64 bits.
    #[range(pos_w(p.ways)..=64 - clog2(p.banks))]
    pub cnt_w: usize,
    /// Cycles between an access and the increment, 0 to 2.
    #[range(0..=2)]
    pub stages: usize,
    /// Requesters with an entry of their own in the table, 1 to [`MAX_REQUESTERS`].
    #[range(1..=MAX_REQUESTERS)]
    pub requesters: usize,
}

impl Params {
    /// Width of a requester's code: one more than there are, for any other.
    pub fn requester_w(&self) -> usize {
        clog2(self.requesters + 1)
    }

    /// Width of `read_count`: a sum over the banks does not overflow.
    pub fn total_w(&self) -> usize {
        self.cnt_w + clog2(self.banks)
    }

    /// Those of a bank's demotion counters.
    pub fn demotions(&self) -> counter_matrix::Params {
        counter_matrix::Params {
            kernels: self.kernels,
            inc_w: pos_w(self.ways),
            cnt_w: self.cnt_w,
        }
    }

    /// Those of a bank's eviction counters.
    pub fn evictions(&self) -> counter_matrix::Params {
        counter_matrix::Params {
            inc_w: 1,
            ..self.demotions()
        }
    }

    /// Those of a bank's counters of hits and misses.
    pub fn accesses(&self) -> Kinds {
        Kinds {
            kinds: 2,
            kernels: self.kernels,
            cnt_w: self.cnt_w,
        }
    }

    fn check(&self) -> Result<(), ParamError> {
        self.check_ranges()?;
        ParamError::power_of_two(
            "banks",
            self.banks as u64,
            "bank is a field of address bits",
        )
    }
}

/// Input ports. A packed port has one element per bank, or one per line with those of bank 0 first;
/// a port of one bit per bank is a mask.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Ports)]
pub struct In {
    /// Synchronous reset.
    pub reset: bool,
    /// The banks with an access this cycle.
    #[port([1; p.banks])]
    pub access_valid: u64,
    /// The access hits.
    #[port([1; p.banks])]
    pub access_hit: u64,
    /// The requester; `clog2(requesters + 1)` bits. From `requesters` up: any other.
    #[port([p.requester_w(); p.banks])]
    pub access_requester: Vec<u16>,
    /// The lines that the access moves one step towards eviction, one bit per line of the set, in
    /// any order.
    #[port([1; p.ways * p.banks])]
    pub demoted: Vec<u8>,
    /// The owner of each line, in the order of `demoted`; below `kernels` where that has a bit.
    #[port([id_w(p.kernels); p.ways * p.banks])]
    pub line_owner: Vec<u8>,
    /// The access replaces a valid line; ignored on a hit.
    #[port([1; p.banks])]
    pub victim_valid: u64,
    /// Owner of the line that is replaced; below `kernels` if it is valid.
    #[port([id_w(p.kernels); p.banks])]
    pub victim_owner: Vec<u8>,
    /// Ends the period: copy all counters to the shadow registers and clear them.
    pub snapshot: bool,
    /// Write the requester table.
    pub map_valid: bool,
    /// The entry to write, as in `access_requester`.
    #[port(p.requester_w())]
    pub map_requester: u16,
    /// The kernel that the requester runs from the next cycle on; below `kernels`.
    #[port(id_w(p.kernels))]
    pub map_kid: u8,
    /// What to read, a [`Matrix`]: 0 demotions, 1 evictions, 2 hits and misses; 3 reads 0.
    #[port(2)]
    pub read_matrix: u8,
    /// Row to read: the victim; of the accesses 0 hits, 1 misses. Any value, unknown ones read 0.
    #[port(id_w(p.kernels))]
    pub read_victim: u8,
    /// Column to read: the aggressor, or the kernel that made the accesses. Likewise.
    #[port(id_w(p.kernels))]
    pub read_aggressor: u8,
    /// Read the counter as it is now, before this cycle's increment, not as the last period left
    /// it.
    pub read_live: bool,
}

impl In {
    /// The inputs of an idle cycle.
    pub fn idle(params: &Params) -> Self {
        Self {
            access_requester: vec![0; params.banks],
            demoted: vec![0; params.banks * params.ways],
            line_owner: vec![0; params.banks * params.ways],
            victim_owner: vec![0; params.banks],
            ..Self::default()
        }
    }
}

/// Output ports, all registered but `access_kid` and `mapped_kid`. Packed ports as in [`In`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Ports)]
pub struct Out {
    /// The kernel that the table has for `access_requester` in this very cycle; one element per
    /// bank. The cache stores it with the line that is hit or filled.
    #[port([id_w(p.kernels); p.banks])]
    pub access_kid: ByPosition,
    /// The counter addressed two cycles before, of the last period or the running one, summed over
    /// the banks; `total_w` bits.
    #[port(p.total_w())]
    pub read_count: u64,
    /// In at least one bank that counter has saturated in its period: there were more events than
    /// `read_count`.
    pub read_overflow: bool,
    /// Victims of whose demotion counters at least one saturated in the last period.
    #[port([1; p.kernels])]
    pub overflow_gdc: u64,
    /// Victims of whose eviction counters at least one saturated in the last period.
    #[port([1; p.kernels])]
    pub overflow_ike: u64,
    /// Bit 0: a counter of hits saturated in the last period; bit 1: one of misses.
    #[port([1; 2])]
    pub overflow_access: u64,
    /// Snapshots taken since reset, modulo 256.
    #[port(8)]
    pub sequence_number: u8,
    /// The kernel that the table has for `map_requester` in this very cycle.
    #[port(id_w(p.kernels))]
    pub mapped_kid: u8,
}

/// An access, as the counters see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Access {
    /// The accessing kernel.
    pub kid: u8,
    /// It hits.
    pub hit: bool,
    /// How many lines of each kernel it demotes.
    pub demoted: Vec<u32>,
    /// The kernel whose line it evicts.
    pub evicted: Option<u8>,
}

/// Counters of a bank; all reset to 0.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Registers)]
pub struct Bank {
    /// Demotions, `count[victim][aggressor]`.
    #[register(nested(p.demotions()))]
    pub gdcu: counter_matrix::State,
    /// Evictions, likewise.
    #[register(nested(p.evictions()))]
    pub plob: counter_matrix::State,
    /// Row 0 counts hits, row 1 misses; the column is the kernel that made the access.
    #[register(nested(p.accesses()))]
    pub accesses: counter_matrix::State,
    /// Accesses on their way to the counters.
    #[register(skip)]
    pub in_flight: Delayed<Option<Access>>,
}

/// Registers; all reset to 0 but the requester table.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Registers)]
pub struct State {
    /// By bank.
    #[register([nested; p.banks])]
    pub bank: Vec<Bank>,
    /// The requester table, and the entry of all other requesters behind it. Reset: requester r
    /// runs kernel r, but none above the last kernel; the others run the last one.
    #[register([id_w(p.kernels); p.requesters + 1])]
    pub kid_of: Vec<u8>,
    /// What was asked for in the cycles before, as sums over the banks.
    #[register(skip)]
    pub answers: Delayed<Answer>,
}

/// The model.
#[derive(Debug, Clone)]
pub struct LlcCounters {
    params: Params,
    rules: Arc<Rules<In, State>>,
    state: State,
    /// The units that count; they work on each bank's registers in turn.
    demotions: CounterMatrix,
    evictions: CounterMatrix,
    accesses: CounterMatrix,
}

impl LlcCounters {
    /// Sets a counter, as if so many events had come in the period. Does nothing where there is no
    /// such counter. The row is the victim, or of [`Matrix::Accesses`] 0 for hits and 1 for misses.
    ///
    /// For runs that start close to the limit, which a wide counter reaches only after hours.
    pub fn preset(&mut self, bank: usize, matrix: Matrix, row: usize, kernel: usize, count: u64) {
        let Some(bank) = self.state.bank.get_mut(bank) else {
            return;
        };
        let (unit, registers) = match matrix {
            Matrix::Gdc => (&mut self.demotions, &mut bank.gdcu),
            Matrix::Ike => (&mut self.evictions, &mut bank.plob),
            Matrix::Accesses => (&mut self.accesses, &mut bank.accesses),
            _ => return,
        };
        unit.on(registers, |unit| unit.preset(row, kernel, count));
    }

    /// The kernel that a requester runs.
    fn kid(&self, requester: u16) -> u8 {
        self.state.kid_of[usize::from(requester).min(self.params.requesters)]
    }

    /// What a bank is told in this cycle.
    pub fn access(&self, bank: usize, input: &In) -> Option<Access> {
        let bit = |mask: u64| mask >> bank & 1 == 1;
        if !bit(input.access_valid) {
            return None;
        }
        let Params { ways, kernels, .. } = self.params;
        let mut demoted = vec![0; kernels];
        let lines = input.demoted.iter().zip(&input.line_owner);
        for (&moves, &owner) in lines.skip(bank * ways).take(ways) {
            if let Some(lines) = demoted.get_mut(usize::from(owner)) {
                *lines += u32::from(moves);
            }
        }
        let hit = bit(input.access_hit);
        Some(Access {
            kid: self.kid(input.access_requester[bank]),
            hit,
            demoted,
            evicted: (!hit && bit(input.victim_valid)).then(|| input.victim_owner[bank]),
        })
    }

    /// The outputs, as the registers have them.
    fn outputs(&self, input: &In) -> Out {
        let State { bank, answers, .. } = &self.state;
        let answer = answers.due_or_default();
        let any = |rows: fn(&Bank) -> u64| bank.iter().fold(0, |all, bank| all | rows(bank));
        let mut kids = [0; MAX_BANKS];
        for (kid, &requester) in kids.iter_mut().zip(&input.access_requester) {
            *kid = self.kid(requester);
        }
        Out {
            access_kid: ByPosition::copied(&kids[..self.params.banks]),
            read_count: answer.count,
            read_overflow: answer.overflow,
            overflow_gdc: any(|bank| bank.gdcu.overflow()),
            overflow_ike: any(|bank| bank.plob.overflow()),
            overflow_access: any(|bank| bank.accesses.overflow()),
            // All banks see the same snapshots.
            sequence_number: bank.first().map_or(0, |bank| bank.gdcu.sequence_number),
            mapped_kid: self.kid(input.map_requester),
        }
    }

    /// The read port: the sum over the banks of the counter that is asked for.
    fn read(&mut self, input: &In) {
        let at = (input.read_victim.into(), input.read_aggressor.into());
        let mut sum = Answer::default();
        for bank in &self.state.bank {
            let matrix = match Matrix::ALL.get(usize::from(input.read_matrix)) {
                Some(Matrix::Gdc) => &bank.gdcu,
                Some(Matrix::Ike) => &bank.plob,
                Some(Matrix::Accesses) => &bank.accesses,
                _ => continue,
            };
            let answer = matrix.at(at, input.read_live);
            sum.count += answer.count;
            sum.overflow |= answer.overflow;
        }
        self.state.answers.pass(sum);
    }

    /// A cycle of a bank's counters.
    fn count(&mut self, number: usize, access: Option<Access>, snapshot: bool) {
        let kernels = self.params.kernels;
        let bank = &mut self.state.bank[number];
        let due = bank.in_flight.pass(access);
        let of = |inc: Vec<u32>| counter_matrix::In {
            inc_valid: due.is_some(),
            inc_kid: due.as_ref().map_or(0, |access| access.kid),
            inc,
            snapshot,
            ..counter_matrix::In::default()
        };
        let (mut demoted, mut evicted, mut outcome) =
            (vec![0; kernels], vec![0; kernels], vec![0; 2]);
        if let Some(access) = &due {
            demoted.copy_from_slice(&access.demoted);
            let victim = access.evicted.map(usize::from);
            if let Some(lines) = victim.and_then(|victim| evicted.get_mut(victim)) {
                *lines = 1;
            }
            outcome[usize::from(!access.hit)] = 1;
        }
        for (unit, registers, inc) in [
            (&mut self.demotions, &mut bank.gdcu, demoted),
            (&mut self.evictions, &mut bank.plob, evicted),
            (&mut self.accesses, &mut bank.accesses, outcome),
        ] {
            let input = of(inc);
            unit.on(registers, |unit| unit.step(&input));
        }
    }
}

impl Model for LlcCounters {
    type Params = Params;
    type In = In;
    type Out = Out;
    type State = State;

    fn legal(params: &Params) -> Result<(), ParamError> {
        params.check()
    }

    fn new(params: Params) -> Result<Self, ParamError> {
        params.check()?;
        let demotions = CounterMatrix::new(params.demotions())?;
        let evictions = CounterMatrix::new(params.evictions())?;
        let accesses = CounterMatrix::with_rows(
            2,
            counter_matrix::Params {
                inc_w: 1,
                ..params.demotions()
            },
        )?;
        let bank = Bank {
            gdcu: demotions.state().clone(),
            plob: evictions.state().clone(),
            accesses: accesses.state().clone(),
            in_flight: Delayed::new(params.stages, None),
        };
        let mut model = Self {
            rules: Arc::new(Self::rules(&params)),
            state: State {
                bank: vec![bank; params.banks],
                kid_of: vec![0; params.requesters + 1],
                answers: Delayed::new(READ_LATENCY, Answer::default()),
            },
            demotions,
            evictions,
            accesses,
            params,
        };
        model.reset();
        Ok(model)
    }

    fn params(&self) -> &Params {
        &self.params
    }

    fn reset(&mut self) {
        let State {
            bank,
            kid_of,
            answers,
        } = &mut self.state;
        for bank in bank {
            self.demotions.on(&mut bank.gdcu, Model::reset);
            self.evictions.on(&mut bank.plob, Model::reset);
            self.accesses.on(&mut bank.accesses, Model::reset);
            bank.in_flight.clear(&None);
        }
        let last = self.params.kernels - 1;
        for (requester, kid) in kid_of.iter_mut().enumerate() {
            *kid = match requester < self.params.requesters {
                true => requester.min(last) as u8,
                false => last as u8,
            };
        }
        answers.clear(&Answer::default());
    }

    fn step(&mut self, input: &In) -> Out {
        let out = self.outputs(input);
        if input.reset {
            self.reset();
            return out;
        }
        self.read(input);
        for bank in 0..self.params.banks {
            let access = self.access(bank, input);
            self.count(bank, access, input.snapshot);
        }
        if input.map_valid {
            let entry = usize::from(input.map_requester).min(self.params.requesters);
            self.state.kid_of[entry] = input.map_kid;
        }
        out
    }

    fn state(&self) -> &State {
        &self.state
    }

    fn rules(p: &Params) -> Rules<In, State> {
        let owners = each(0..p.banks * p.ways, |line| {
            input!(access_valid[line / p.ways])
                .and(input!(demoted[line]))
                .implies(input!(line_owner[line]).below(p.kernels))
        });
        let victims = each(0..p.banks, |bank| {
            input!(access_valid[bank])
                .and(input!(access_hit[bank]).not())
                .and(input!(victim_valid[bank]))
                .implies(input!(victim_owner[bank]).below(p.kernels))
        });
        Rules::new()
            .legal(
                "known_owners",
                "The owners of demoted lines are kernels that there are.",
                owners,
            )
            .legal(
                "known_victim",
                "The owner of a line that is replaced is a kernel that there is.",
                victims,
            )
            .legal(
                "known_kernel",
                "A requester is given a kernel that there is.",
                input!(map_valid).implies(input!(map_kid).below(p.kernels)),
            )
            .invariant(
                "known_requesters",
                "Each requester runs a kernel that there is.",
                each(0..p.requesters + 1, |r| {
                    register!(kid_of[r]).below(p.kernels)
                }),
            )
    }

    fn assume(&self, input: &In) -> Result<(), Violation> {
        self.rules.check(&self.params, input, &self.state)
    }
}

impl Part for LlcCounters {
    fn registers(&mut self) -> &mut State {
        &mut self.state
    }
}

#[cfg(test)]
mod tests;
