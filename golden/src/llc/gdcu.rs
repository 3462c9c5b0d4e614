//! `gdcu`: the GPU demotion counter unit.
//!
//! Source: GDC paper, section III and figures 1 and 2.
//!
//! On an access by kernel *a* that hits in position *k* of the LRU stack, the lines in the
//! positions 0 to *k* - 1 are demoted by one position; on a miss, all lines are. For each
//! demoted line, owned by *v*, the counter `GDC[v][a]` goes up by one.
//!
//! Timing: the counters of an access presented at cycle t have changed at t + `stages` + 1.
//! Snapshots and reads are not delayed, so an access belongs to the period in which its
//! demotions reach the counters. One access every cycle, without a stall.
//!
//! ASSUMPTION: an invalid line is never demoted. ASSUMPTION: saturation, snapshots and reads as
//! in [`counter_matrix`](super::counter_matrix).

use std::sync::Arc;

use bitvec::prelude::*;
use serde::{Deserialize, Serialize};

use super::counter_matrix::{known_counter, preset, read, rows_of, Answer, READ_LATENCY};
use super::{id_w, pos_w, MAX_KERNELS, MAX_WAYS};
use crate::delay::Delayed;
use crate::model::{limit, Model, ParamError, Part, Violation};
use crate::ports::{Parameters, Ports, Registers};
use crate::rules::*;

/// Parameters of [`Gdcu`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Parameters)]
pub struct Params {
    /// Ways of the cache, 1 to [`MAX_WAYS`].
    #[range(1..=MAX_WAYS)]
    pub ways: usize,
    /// Number of kernels, 1 to [`MAX_KERNELS`].
    #[range(1..=MAX_KERNELS)]
    pub kernels: usize,
    /// Width of a counter in bits, from that of a position code to 64.
    #[range(pos_w(p.ways)..=64)]
    pub cnt_w: usize,
    /// Cycles between an access and its increment, 0 to 3. Figure 2 has one, the latch.
    #[range(0..=3)]
    pub stages: usize,
}

/// Input ports.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Ports)]
pub struct In {
    /// Synchronous reset.
    pub reset: bool,
    /// There is an access this cycle.
    pub access_valid: bool,
    /// The position hit, or `ways` for a miss.
    #[port(pos_w(p.ways))]
    pub access_pos: u8,
    /// The accessing kernel.
    #[port(id_w(p.kernels))]
    pub access_kid: u8,
    /// The owner of the line in each position, before the access.
    #[port([id_w(p.kernels); p.ways])]
    pub stack_owner: Vec<u8>,
    /// The positions that hold a valid line, before the access.
    #[port([1; p.ways])]
    pub stack_valid: u64,
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

/// An access on its way to the counters, or the bubble of a cycle without one.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct InFlight {
    /// It is an access.
    pub valid: bool,
    /// The accessing kernel; 0 in a bubble.
    pub kid: u8,
    /// How many lines of each kernel it demotes; zeros in a bubble.
    pub demotions: Vec<u32>,
}

/// Registers; all reset to 0.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Registers)]
pub struct State {
    /// Demotions in the present period, `count[victim][aggressor]`.
    #[register([[p.cnt_w; p.kernels]; p.kernels])]
    pub count: Vec<Vec<u64>>,
    /// Demotions in the last period.
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
pub struct Gdcu {
    params: Params,
    state: State,
    // The access of this cycle, before it joins those in flight.
    access: InFlight,
    rules: Arc<Rules<In, State>>,
}

impl Gdcu {
    /// A model of hardware that answers a read so many cycles later, at least 1.
    ///
    /// # Errors
    /// As [`new`](Model::new).
    pub fn with_read_latency(params: Params, latency: usize) -> Result<Self, ParamError> {
        params.check_ranges()?;
        let zeros = vec![vec![0; params.kernels]; params.kernels];
        let bubble = InFlight {
            demotions: vec![0; params.kernels],
            ..InFlight::default()
        };
        let state = State {
            count: zeros.clone(),
            shadow: zeros,
            passed: vec![0; params.kernels],
            last_passed: vec![0; params.kernels],
            answers: Delayed::new(latency.max(1), Answer::default()),
            in_flight: Delayed::new(params.stages, bubble.clone()),
            ..State::default()
        };
        Ok(Self {
            rules: Arc::new(Self::rules(&params)),
            params,
            state,
            access: bubble,
        })
    }

    /// Sets a counter, as if so many demotions had come in the period. Unknown KIDs have
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

    /// Which kernels' lines the access demotes, and how many of each.
    fn observe(&mut self, input: &In) {
        let InFlight {
            valid,
            kid,
            demotions,
        } = &mut self.access;
        (*valid, *kid) = (input.access_valid, 0);
        demotions.fill(0);
        if !input.access_valid {
            return;
        }
        *kid = input.access_kid;
        let pushed = usize::from(input.access_pos).min(self.params.ways);
        for position in input.stack_valid.view_bits::<Lsb0>()[..pushed].iter_ones() {
            let owner = input.stack_owner.get(position).map(|&kid| usize::from(kid));
            if let Some(lines) = owner.and_then(|kid| demotions.get_mut(kid)) {
                *lines += 1;
            }
        }
    }

    /// Adds the demotions of the access that is due.
    fn count(&mut self) {
        let InFlight {
            valid,
            kid,
            demotions,
        } = &self.access;
        let aggressor = usize::from(*kid);
        if !valid || aggressor >= self.params.kernels {
            return;
        }
        let max = limit(self.params.cnt_w);
        for (victim, &lines) in demotions.iter().enumerate() {
            let count = &mut self.state.count[victim][aggressor];
            if u64::from(lines) > max - *count {
                self.state.passed[victim] |= 1 << aggressor;
                *count = max;
            } else {
                *count += u64::from(lines);
            }
        }
    }

    /// Closes the period: its counters become the shadow.
    fn snapshot(&mut self) {
        let state = &mut self.state;
        for (shadow, count) in state.shadow.iter_mut().zip(&mut state.count) {
            shadow.copy_from_slice(count);
            count.fill(0);
        }
        state.last_passed.clone_from(&state.passed);
        state.passed.fill(0);
        state.sequence_number = state.sequence_number.wrapping_add(1);
    }
}

impl Model for Gdcu {
    type Params = Params;
    type In = In;
    type Out = Out;
    type State = State;

    fn new(params: Params) -> Result<Self, ParamError> {
        Self::with_read_latency(params, READ_LATENCY)
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
        in_flight.clear_each(|access| {
            (access.valid, access.kid) = (false, 0);
            access.demotions.fill(0);
        });
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
        let (matrix, marks) = if input.read_live {
            (&state.count, &state.passed)
        } else {
            (&state.shadow, &state.last_passed)
        };
        let at = (input.read_victim.into(), input.read_aggressor.into());
        state.answers.pass(read(matrix, marks, at));
        if input.snapshot {
            self.snapshot();
        }
        self.observe(input);
        self.access = self.state.in_flight.pass(std::mem::take(&mut self.access));
        self.count();
        out
    }

    fn state(&self) -> &State {
        &self.state
    }

    fn rules(p: &Params) -> Rules<In, State> {
        let access = input!(access_pos)
            .at_most(p.ways)
            .and(input!(access_kid).below(p.kernels));
        let owners = each(0..p.ways, |i| {
            input!(stack_valid[i]).implies(input!(stack_owner[i]).below(p.kernels))
        });
        let hit = each(0..p.ways, |i| {
            let line = valid_line(input!(stack_valid[i]), input!(access_pos));
            input!(access_pos).is(i).implies(line)
        });
        Rules::new()
            .legal(
                "known_counter",
                "The counter that is read is of kernels that there are.",
                known_counter(input!(read_victim), input!(read_aggressor), p.kernels),
            )
            .legal(
                "known_access",
                "An access is by a kernel that there is, to a position of the stack or the code for a miss.",
                input!(access_valid).implies(access),
            )
            .legal(
                "known_owners",
                "The owners of valid lines are kernels that there are.",
                input!(access_valid).implies(owners),
            )
            .legal(
                "valid_hit",
                "A hit is in a position that holds a valid line.",
                input!(access_valid).implies(hit),
            )
    }

    fn assume(&self, input: &In) -> Result<(), Violation> {
        self.rules.check(&self.params, input, &self.state)
    }
}

impl Part for Gdcu {
    fn registers(&mut self) -> &mut State {
        &mut self.state
    }
}

#[cfg(test)]
mod tests;
