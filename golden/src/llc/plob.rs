//! `plob`: the inter-kernel eviction monitors, which attribute a miss to the kernel that evicted
//! the line.
//!
//! Source: GDC paper, section II-A: when kernel *a* evicts a line that is owned by *v*, the
//! counter `ike[v][a]` goes up by one.
//!
//! An eviction is an access that misses and whose victim holds a valid line.
//!
//! Timing: as in [`gdcu`](super::gdcu). An eviction presented at cycle t is in the counters at
//! t + `stages` + 1; snapshots and reads are not delayed. One access every cycle, without a stall.
//!
//! ASSUMPTION: a kernel that evicts a line of its own is counted too, on the diagonal.
//! ASSUMPTION: filling an invalid way evicts nothing. ASSUMPTION: saturation, snapshots and reads
//! as in [`counter_matrix`](super::counter_matrix).

use std::sync::Arc;

use bitvec::prelude::*;
use serde::{Deserialize, Serialize};

use super::counter_matrix::{preset, read, rows_of, Answer, READ_LATENCY};
use super::{id_w, MAX_KERNELS};
use crate::delay::Delayed;
use crate::model::{limit, Model, ParamError, Part, Violation};
use crate::ports::{Parameters, Ports, Registers};
use crate::rules::*;

/// Parameters of [`Plob`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Parameters)]
pub struct Params {
    /// Number of kernels, 1 to [`MAX_KERNELS`].
    #[range(1..=MAX_KERNELS)]
    pub kernels: usize,
    /// Width of a counter in bits, 1 to 64.
    #[range(1..=64)]
    pub cnt_w: usize,
    /// Cycles between an access and its increment, 0 to 2.
    #[range(0..=2)]
    pub stages: usize,
}

/// Input ports.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Ports)]
pub struct In {
    /// Synchronous reset.
    pub reset: bool,
    /// There is an access this cycle.
    pub access_valid: bool,
    /// The access hits.
    pub access_hit: bool,
    /// The line in the LRU position is valid.
    pub victim_valid: bool,
    /// Its owner; only looked at if the access evicts it.
    #[port(id_w(p.kernels))]
    pub victim_owner: u8,
    /// The accessing kernel, the aggressor.
    #[port(id_w(p.kernels))]
    pub access_kid: u8,
    /// Ends the period: copy the counters to the shadow registers and clear them.
    pub snapshot: bool,
    /// Victim of the counter to read.
    #[port(id_w(p.kernels))]
    pub read_victim: u8,
    /// Aggressor of the counter to read.
    #[port(id_w(p.kernels))]
    pub read_aggressor: u8,
    /// Read the counter as it is now, before this cycle's increment, not as the last period left
    /// it.
    pub read_live: bool,
}

/// Output ports, all registered.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Ports)]
pub struct Out {
    /// The counter addressed in the cycle before, of the last period or the running one; `cnt_w`
    /// bits, 0 for an unknown KID.
    #[port(p.cnt_w)]
    pub read_count: u64,
    /// That counter has saturated in its period: there were more events.
    pub read_overflow: bool,
    /// Victims of whose counters at least one saturated in the last period.
    #[port([1; p.kernels])]
    pub overflow: u64,
    /// Snapshots taken since reset, modulo 256.
    #[port(8)]
    pub sequence_number: u8,
}

/// An eviction on its way to the counters, or the bubble of a cycle without one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct InFlight {
    /// It is an eviction.
    pub valid: bool,
    /// The kernel that evicts; 0 in a bubble.
    pub kid: u8,
    /// The kernel whose line is evicted, as a mask of one bit; 0 in a bubble.
    pub victim: u64,
}

/// Registers; all reset to 0.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Registers)]
pub struct State {
    /// Evictions in the present period, `count[victim][aggressor]`.
    #[register([[p.cnt_w; p.kernels]; p.kernels])]
    pub count: Vec<Vec<u64>>,
    /// Evictions in the last period.
    #[register([[p.cnt_w; p.kernels]; p.kernels])]
    pub shadow: Vec<Vec<u64>>,
    /// By victim, the aggressors whose counters would have passed their limit in the present
    /// period.
    #[register([p.kernels; p.kernels])]
    pub passed: Vec<u64>,
    /// The same of the last period.
    #[register([p.kernels; p.kernels])]
    pub last_passed: Vec<u64>,
    /// Snapshots taken, modulo 256.
    #[register(8)]
    pub sequence_number: u8,
    /// What was asked for in the cycles before; [`READ_LATENCY`].
    #[register(skip)]
    pub answers: Delayed<Answer>,
    /// What was presented in the last `stages` cycles, the youngest first.
    #[register(skip)]
    pub in_flight: Delayed<InFlight>,
}

impl State {
    /// Victims that overflowed in the present period.
    pub fn live_overflow(&self) -> u64 {
        rows_of(&self.passed)
    }

    /// Victims that overflowed in the last period.
    pub fn overflow(&self) -> u64 {
        rows_of(&self.last_passed)
    }
}

/// The model.
#[derive(Debug, Clone)]
pub struct Plob {
    params: Params,
    state: State,
    rules: Arc<Rules<In, State>>,
}

impl Plob {
    /// Sets a counter, as if so many evictions had come in the period. Unknown KIDs have
    /// none.
    ///
    /// For runs that start close to the limit, which a wide counter reaches only after hours.
    pub fn preset(&mut self, victim: usize, aggressor: usize, count: u64) {
        let max = limit(self.params.cnt_w);
        let State {
            count: counters,
            passed,
            ..
        } = &mut self.state;
        preset(counters, passed, (victim, aggressor), (count, max));
    }

    /// Who evicts whom in this cycle.
    fn observe(&self, input: &In) -> InFlight {
        let valid = input.access_valid && !input.access_hit && input.victim_valid;
        let mut victim = 0u64;
        if valid && usize::from(input.victim_owner) < self.params.kernels {
            let mask = victim.view_bits_mut::<Lsb0>();
            mask.set(input.victim_owner.into(), true);
        }
        InFlight {
            valid,
            kid: if valid { input.access_kid } else { 0 },
            victim,
        }
    }

    /// Counts an eviction that has come to the counters.
    fn count(&mut self, eviction: InFlight) {
        if !eviction.valid {
            return;
        }
        let max = limit(self.params.cnt_w);
        for victim in eviction.victim.view_bits::<Lsb0>().iter_ones() {
            let row = self.state.count.get_mut(victim);
            match row.and_then(|row| row.get_mut(usize::from(eviction.kid))) {
                Some(count) if *count == max => self.state.passed[victim] |= 1 << eviction.kid,
                Some(count) => *count += 1,
                // A KID without a kernel has no counter.
                None => {}
            }
        }
    }

    /// Closes the period: its counters become the shadow.
    fn snapshot(&mut self) {
        let state = &mut self.state;
        std::mem::swap(&mut state.shadow, &mut state.count);
        state.count.iter_mut().for_each(|row| row.fill(0));
        std::mem::swap(&mut state.last_passed, &mut state.passed);
        state.passed.fill(0);
        state.sequence_number = state.sequence_number.wrapping_add(1);
    }
}

impl Model for Plob {
    type Params = Params;
    type In = In;
    type Out = Out;
    type State = State;

    fn new(params: Params) -> Result<Self, ParamError> {
        params.check_ranges()?;
        let zeros = vec![vec![0; params.kernels]; params.kernels];
        let state = State {
            count: zeros.clone(),
            shadow: zeros,
            passed: vec![0; params.kernels],
            last_passed: vec![0; params.kernels],
            answers: Delayed::new(READ_LATENCY, Answer::default()),
            in_flight: Delayed::new(params.stages, InFlight::default()),
            ..State::default()
        };
        Ok(Self {
            rules: Arc::new(Self::rules(&params)),
            params,
            state,
        })
    }

    fn params(&self) -> &Params {
        &self.params
    }

    fn reset(&mut self) {
        let State {
            count,
            shadow,
            passed,
            last_passed,
            sequence_number,
            answers,
            in_flight,
        } = &mut self.state;
        count.iter_mut().chain(shadow).for_each(|row| row.fill(0));
        passed
            .iter_mut()
            .chain(last_passed)
            .for_each(|row| *row = 0);
        *sequence_number = 0;
        answers.clear(&Answer::default());
        in_flight.clear(&InFlight::default());
    }

    fn step(&mut self, input: &In) -> Out {
        let state = &mut self.state;
        let answer = state.answers.due_or_default();
        let out = Out {
            read_count: answer.count,
            read_overflow: answer.overflow,
            overflow: state.overflow(),
            sequence_number: state.sequence_number,
        };
        if input.reset {
            self.reset();
            return out;
        }
        let last = (&state.shadow, &state.last_passed);
        let running = (&state.count, &state.passed);
        let (counts, marks) = if input.read_live { running } else { last };
        let at = (input.read_victim.into(), input.read_aggressor.into());
        state.answers.pass(read(counts, marks, at));
        if input.snapshot {
            self.snapshot();
        }
        let observed = self.observe(input);
        let due = self.state.in_flight.pass(observed);
        self.count(due);
        out
    }

    fn state(&self) -> &State {
        &self.state
    }

    fn rules(p: &Params) -> Rules<In, State> {
        let evicts = all([
            input!(access_valid).into(),
            input!(access_hit).not(),
            input!(victim_valid).into(),
        ]);
        Rules::new()
            .legal(
                "known_kernel",
                "An access is by a kernel that there is.",
                input!(access_valid).implies(input!(access_kid).below(p.kernels)),
            )
            .legal(
                "known_owner",
                "A line that is evicted is owned by a kernel that there is.",
                evicts.implies(input!(victim_owner).below(p.kernels)),
            )
    }

    fn assume(&self, input: &In) -> Result<(), Violation> {
        self.rules.check(&self.params, input, &self.state)
    }
}

impl Part for Plob {
    fn registers(&mut self) -> &mut State {
        &mut self.state
    }
}

#[cfg(test)]
mod tests;
