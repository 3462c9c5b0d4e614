//! `llc_monitor`: the monitor beside a shared cache, which counts demotions and evictions per
//! victim and aggressor.
//!
//! Source: GDC paper, sections II-A (PLOB) and III, figures 1 and 2; table I for the banks.
//!
//! Each bank keeps the tags and replacement bits of its sets and so knows for itself whether an
//! access hits, where in the LRU stack, and whom it pushes. A [`gdcu`](super::gdcu), a
//! [`plob`](super::plob) and counters of hits and misses watch the accesses of each bank; the
//! read port sums over the banks.
//!
//! Timing: the kernel of a request is looked up in its own cycle, t. The request is done
//! [`REQUEST_LATENCY`] cycles later, or with `ram_stages` 1 one more:
//!
//! | cycle | happens |
//! | --- | --- |
//! | t + 3 | the request is done: the counters' units see it, the set changes at the end |
//! | t + 4 | `done_*` tell about it |
//! | t + 4 + `stages` | it is in the counters |
//!
//! A bank takes one request every cycle, to one set too; what they do is as if each were done
//! before the next one begins. Snapshots are not delayed. A read given at t is answered at t + 2:
//! what the last period came to, or with `read_live` what the running one has come to before t; and
//! whether a counter of that sum has saturated.
//!
//! With `sce` the shares at eviction are counted as the [unit](super::sce) does, when the request is
//! done. With `sampled` sets each bank gives its accesses, in the cycle in which they come, to an
//! [`attribution`](super::attribution) of its own.
//!
//! After reset and after a flush, a sweep clears the sets, one per cycle; meanwhile `ready` is low
//! and requests are ignored. A reset does not touch the memories: the request whose turn it is is
//! still done, and the sweep makes them defined.
//!
//! ASSUMPTION: the paper runs one kernel per SM. Here a table says which kernel a requester runs;
//! requesters that are no SM share one entry.
//! ASSUMPTION: several banks have their own units, and the read port sums them.
//! ASSUMPTION: flushes and invalidations leave the stacks of sampled sets alone.
//! ASSUMPTION: an invalidation has priority over an access in the same cycle, which is dropped; a
//! flush drops the requests of its cycle, goes after those before it, and leaves the counters
//! alone.
//! ASSUMPTION: hits, misses and invalid ways as in [`lru_stack`](super::lru_stack).

mod counters;
mod lines;
mod params;
mod ports;
mod state;

pub use params::{Matrix, Params, MAX_BANKS, MAX_REQUESTERS, PARTIAL_W, QUEUE};
pub use ports::{In, Out};
pub use state::{Accesses, Bank, Done, InFlight, Request, Set, Stack, State};

use std::sync::Arc;

use super::counter_matrix::{read, Answer};
use super::shadow_stack::Line;
use super::ByPosition;
use crate::delay::Delayed;
use crate::model::{Model, ParamError, Part, Violation};
use crate::rules::*;
use counters::Counters;
use lines::{Found, Lines};

/// Cycles from a request to the one in which it is done; see [`Params::request_latency`].
pub const REQUEST_LATENCY: usize = 3;

/// Cycles from a read to its answer.
pub const READ_LATENCY: usize = 2;

/// The model.
#[derive(Debug, Clone)]
pub struct LlcMonitor {
    params: Params,
    rules: Arc<Rules<In, State>>,
    state: State,
    /// `sets[bank][set]`.
    sets: Vec<Vec<Lines>>,
    counters: Counters,
    /// By bank, the set changed at the last edge.
    changed: Vec<Option<usize>>,
    /// By bank, the word of the stacks of sampled sets written at the last edge.
    stacked: Vec<Option<usize>>,
}

impl LlcMonitor {
    /// A monitor of which the requests are done so many cycles, at least one, after they come in,
    /// not [`Params::request_latency`]: for hardware with another pipeline.
    ///
    /// # Errors
    /// As [`new`](Model::new).
    pub fn with_latency(params: Params, latency: usize) -> Result<Self, ParamError> {
        params.check()?;
        let Params {
            ways, sets, banks, ..
        } = params;
        let counters = Counters::new(&params)?;
        let stack = Stack {
            way: vec![0; ways],
            owner: vec![0; ways],
            valid: 0,
        };
        let set = Set {
            stack,
            tag: vec![0; ways],
        };
        let bank = Bank {
            in_flight: Delayed::new(latency.max(1), Request::default()),
            ..counters.bank(params.stages, vec![set; sets])
        };
        let state = State {
            banks: vec![bank; banks],
            kid_of: vec![0; params.requesters + 1],
            answers: Delayed::new(READ_LATENCY, Answer::default()),
            ..State::default()
        };
        let mut model = Self {
            state,
            sets: vec![vec![Lines::power_up(ways); sets]; banks],
            counters,
            changed: vec![None; banks],
            stacked: vec![None; banks],
            rules: Arc::new(Self::rules(&params)),
            params,
        };
        model.reset();
        Ok(model)
    }

    /// Sets a counter, as if so many events had come in the period. Does nothing where there
    /// is no such counter. The row is the victim, or of [`Matrix::Accesses`] 0 for hits and 1 for
    /// misses; the column is the kernel that makes the access.
    ///
    /// For runs that start close to the limit, which a wide counter reaches only after hours.
    pub fn preset(
        &mut self,
        bank: usize,
        matrix: Matrix,
        row: usize,
        aggressor: usize,
        count: u64,
    ) {
        if let Some(bank) = self.state.banks.get_mut(bank) {
            self.counters.preset(bank, matrix, (row, aggressor), count);
        }
    }

    /// Bank and set of the memories' words that changed at the last edge, or were written with
    /// what they held; one per bank at most.
    pub fn written(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let changed = self.changed.iter().enumerate();
        changed.filter_map(|(bank, &set)| set.map(|set| (bank, set)))
    }

    /// The same of the stacks of sampled sets.
    pub fn stacked(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let stacked = self.stacked.iter().enumerate();
        stacked.filter_map(|(bank, &word)| word.map(|word| (bank, word)))
    }

    /// The sets of each bank that are sampled, in ascending order.
    pub fn sampled(&self) -> &[usize] {
        self.counters.sampled()
    }

    /// Puts lines into the stack of a sampled set of a bank; see
    /// [`Attribution::preset_stack`](super::attribution::Attribution::preset_stack).
    pub fn preset_stack(
        &mut self,
        bank: usize,
        stack: usize,
        lines: impl IntoIterator<Item = Option<Line>>,
    ) {
        if let Some(bank) = self.state.banks.get_mut(bank) {
            self.counters.preset_stack(bank, stack, lines);
        }
    }

    /// The sampled sets take accesses from the coming cycle on.
    pub fn start_sampling(&mut self) {
        for bank in &mut self.state.banks {
            self.counters.start_sampling(bank);
        }
    }

    /// The outputs, as the registers have them; `asked` is the requester to look up.
    fn outputs(&self, asked: u16) -> Out {
        let State {
            banks,
            sweeping,
            kid_of,
            answers,
            ..
        } = &self.state;
        let answer = answers.due_or_default();
        let mask = |bit: fn(&Bank) -> bool| {
            let bits = banks.iter().enumerate();
            bits.fold(0, |mask, (b, bank)| mask | u64::from(bit(bank)) << b)
        };
        let any = |rows: fn(&Bank) -> u64| banks.iter().fold(0, |all, bank| all | rows(bank));
        let (mut way, mut owner) = ([0; MAX_BANKS], [0; MAX_BANKS]);
        for (b, bank) in banks.iter().enumerate() {
            (way[b], owner[b]) = (bank.done.way, bank.done.owner);
        }
        Out {
            ready: !sweeping,
            done_valid: mask(|bank| bank.done.valid),
            done_hit: mask(|bank| bank.done.hit),
            done_way: ByPosition::copied(&way[..banks.len()]),
            done_evict: mask(|bank| bank.done.evict),
            done_owner: ByPosition::copied(&owner[..banks.len()]),
            read_count: answer.count,
            read_overflow: answer.overflow,
            overflow_gdc: any(|bank| bank.gdcu.overflow()),
            overflow_ike: any(|bank| bank.plob.overflow()),
            overflow_access: any(Bank::overflow_access),
            // All banks see the same snapshots.
            sequence_number: banks.first().map_or(0, |bank| bank.gdcu.sequence_number),
            mapped_kid: kid_of[usize::from(asked).min(self.params.requesters)],
        }
    }

    /// What enters a bank this cycle.
    fn request(&self, bank: usize, input: &In) -> Request {
        let State {
            sweeping,
            sweep_set,
            kid_of,
            ..
        } = &self.state;
        fn at<T: Copy + Default>(port: &[T], bank: usize) -> T {
            port.get(bank).copied().unwrap_or_default()
        }
        let requester = usize::from(at(&input.access_requester, bank));
        let carried = Request {
            set: at(&input.request_set, bank),
            tag: at(&input.access_tag, bank),
            kid: kid_of[requester.min(self.params.requesters)],
            way: at(&input.invalidate_way, bank),
            ..Request::default()
        };
        if input.flush {
            return carried;
        }
        if *sweeping {
            return Request {
                clear: true,
                set: *sweep_set,
                tag: 0,
                ..carried
            };
        }
        let invalidate = input.invalidate_valid >> bank & 1 == 1;
        Request {
            invalidate,
            access: input.access_valid >> bank & 1 == 1 && !invalidate,
            ..carried
        }
    }

    /// The request of a bank whose turn it is.
    fn due(&self, bank: usize) -> Request {
        let in_flight = &self.state.banks[bank].in_flight;
        in_flight.due_or_default()
    }

    /// What the request whose turn it is finds, if it is an access.
    fn look_up(&self, bank: usize, request: &Request) -> Option<Found> {
        let lines = self.sets[bank].get(request.set as usize)?;
        request.access.then(|| lines.find(request.tag))
    }

    /// Does the request whose turn it is.
    fn serve(&mut self, bank: usize, request: &Request, found: Option<Found>) {
        self.changed[bank] = None;
        let state = &mut self.state.banks[bank];
        state.done = Done::default();
        let set = request.set as usize;
        let Some(lines) = self.sets[bank].get_mut(set).filter(|_| request.is_any()) else {
            return;
        };
        if request.clear {
            lines.clear();
        } else if request.invalidate {
            lines.invalidate(request.way);
        } else if let Some(line) = found {
            lines.access(&line, request.tag, request.kid);
            state.done = Done {
                valid: true,
                hit: line.hit,
                way: line.way,
                evict: !line.hit && line.valid,
                owner: if line.valid { line.owner } else { 0 },
            };
        }
        lines.store(&mut state.sets[set]);
        self.changed[bank] = Some(set);
    }

    /// The read port: the sum over the banks of the counter that is asked for.
    fn read(&mut self, input: &In) {
        let state = &mut self.state;
        let matrix = Matrix::ALL.get(usize::from(input.read_matrix));
        let at = (input.read_victim.into(), input.read_aggressor.into());
        let mut sum = Answer::default();
        for bank in &state.banks {
            let answer = match (matrix, input.read_live) {
                (Some(Matrix::Gdc), false) => read(&bank.gdcu.shadow, &bank.gdcu.last_passed, at),
                (Some(Matrix::Gdc), true) => read(&bank.gdcu.count, &bank.gdcu.passed, at),
                (Some(Matrix::Ike), false) => read(&bank.plob.shadow, &bank.plob.last_passed, at),
                (Some(Matrix::Ike), true) => read(&bank.plob.count, &bank.plob.passed, at),
                (Some(Matrix::Accesses), live) => bank.accesses.matrix.at(at, live),
                (Some(Matrix::Sce), live) => bank.sce.as_ref().map_or_else(
                    Answer::default,
                    // Its rows are the aggressors.
                    |sce| sce.matrix.at((at.1, at.0), live),
                ),
                (Some(matrix), live) => {
                    bank.sampler
                        .as_ref()
                        .map_or_else(Answer::default, |all| match matrix.event() {
                            None => all.shares.at((at.1, at.0), live),
                            Some(event) => all.events.at((event, 0), live),
                        })
                }
                (None, _) => Answer::default(),
            };
            sum.count += answer.count;
            sum.overflow |= answer.overflow;
        }
        state.answers.pass(sum);
    }

    /// The requester table and the sweep.
    fn map_and_sweep(&mut self, input: &In) {
        let State {
            sweeping,
            sweep_set,
            kid_of,
            ..
        } = &mut self.state;
        if input.map_valid {
            let entry = usize::from(input.map_requester).min(self.params.requesters);
            kid_of[entry] = input.map_kid;
        }
        if input.flush {
            (*sweeping, *sweep_set) = (true, 0);
        } else if *sweeping {
            *sweep_set += 1;
            if *sweep_set as usize == self.params.sets {
                (*sweeping, *sweep_set) = (false, 0);
            }
        }
    }
}

impl Model for LlcMonitor {
    type Params = Params;
    type In = In;
    type Out = Out;
    type State = State;

    fn legal(params: &Params) -> Result<(), ParamError> {
        params.check()
    }

    fn new(params: Params) -> Result<Self, ParamError> {
        let latency = params.request_latency();
        Self::with_latency(params, latency)
    }

    fn params(&self) -> &Params {
        &self.params
    }

    /// Puts every register back to its reset value; the memories keep what they hold.
    fn reset(&mut self) {
        let State {
            banks,
            sweeping,
            sweep_set,
            kid_of,
            answers,
        } = &mut self.state;
        for bank in banks {
            bank.in_flight.clear(&Request::default());
            bank.done = Done::default();
            self.counters.reset(bank);
        }
        (*sweeping, *sweep_set) = (true, 0);
        let last = self.params.kernels - 1;
        let (others, own) = kid_of.split_last_mut().expect("one entry more");
        for (requester, kid) in own.iter_mut().enumerate() {
            *kid = requester.min(last) as u8;
        }
        *others = last as u8;
        answers.clear(&Answer::default());
    }

    fn step(&mut self, input: &In) -> Out {
        let out = self.outputs(input.map_requester);
        if input.reset {
            for bank in 0..self.params.banks {
                let due = self.due(bank);
                let found = self.look_up(bank, &due);
                self.serve(bank, &due, found);
                let state = &mut self.state.banks[bank];
                self.stacked[bank] = self.counters.sample(state, &Request::default(), input);
            }
            self.reset();
            return out;
        }
        self.read(input);
        for bank in 0..self.params.banks {
            let next = self.request(bank, input);
            let due = self.due(bank);
            let found = self.look_up(bank, &due);
            let state = &mut self.state.banks[bank];
            self.counters.step(state, &due, found.as_ref(), input);
            self.stacked[bank] = self.counters.sample(state, &next, input);
            self.serve(bank, &due, found);
            self.state.banks[bank].in_flight.pass(next);
        }
        self.map_and_sweep(input);
        out
    }

    fn state(&self) -> &State {
        &self.state
    }

    fn rules(p: &Params) -> Rules<In, State> {
        let ways = each(0..p.banks, |bank| {
            input!(invalidate_valid[bank]).implies(input!(invalidate_way[bank]).below(p.ways))
        });
        Rules::new()
            .legal("known_ways", "Ways are invalidated that there are.", ways)
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
            .invariant(
                "sweep_ended",
                "Outside a sweep the next one starts with set 0.",
                register!(sweeping).or(register!(sweep_set).is(0usize)),
            )
    }

    fn assume(&self, input: &In) -> Result<(), Violation> {
        self.rules.check(&self.params, input, &self.state)
    }
}

impl Part for LlcMonitor {
    fn registers(&mut self) -> &mut State {
        &mut self.state
    }
}

#[cfg(test)]
mod tests;
