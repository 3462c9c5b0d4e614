//! `attribution`: what part of each kernel's misses each kernel has caused, in sampled sets.
//!
//! Source: docs/attribution.md: an access to a sampled set is looked up in a
//! [shadow stack](super::shadow_stack), its miss is [divided](super::blame) in sixths, or
//! [charged](super::pivot) to one kernel as a whole, and that is added up by victim and aggressor, the
//! victim's own misses on the diagonal.
//!
//! Timing: an access is in the counters two cycles after the answer of the shadow stack, which looks
//! up one access at a time. Accesses to sampled sets stand in line for it, `queue` of them at most
//! behind the one that is its turn; one that finds the line as long as that is dropped. Whoever
//! comes when nobody waits and the stack is free does not wait. Snapshots and reads are not delayed.
//!
//! An access is counted as taken or dropped when it comes. Its parts are counted when they are known,
//! which may be in a later period.
//!
//! ASSUMPTION: tags are kept in `partial_w` bits: each bit says whether an odd number of the tag's
//! bits is set that are so many bits apart.
//! ASSUMPTION: an access to a line that another kernel used last charges nobody; it is counted, and
//! so are accesses that are dropped.
//! ASSUMPTION: the sets sampled are [`sampled_sets`]. A snapshot leaves the stacks as they are.

use std::collections::VecDeque;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::blame;
use super::counter_matrix::{self, CounterMatrix, READ_LATENCY};
use super::exact::sampled_sets;
use super::pivot::{self, Pivot};
use super::shadow_stack::{self, Line, ShadowStack};
use super::{clog2, id_w};
use crate::delay::Delayed;
use crate::model::{Model, ParamError, Part, Violation};
use crate::ports::{Parameters, Ports, Registers};
use crate::rules::*;

mod params;

pub use params::{Mode, Params, MAX_QUEUE};

/// Cycles from the answer of the shadow stack to the counters' adders.
pub const LATENCY: usize = 1;

/// Kinds of accesses to sampled sets that are counted: taken, dropped, to lines of other kernels.
pub const EVENTS: usize = 3;

/// Input ports.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Ports)]
pub struct In {
    /// Synchronous reset.
    pub reset: bool,
    /// There is an access this cycle.
    pub access_valid: bool,
    /// Its set.
    #[port(clog2(p.sets))]
    pub access_set: u32,
    /// Its tag.
    #[port(p.tag_w)]
    pub access_tag: u64,
    /// The accessing kernel.
    #[port(id_w(p.kernels))]
    pub access_kid: u8,
    /// Ends the period: copy the counters to the shadow registers and clear them.
    pub snapshot: bool,
    /// What to read: 0 the share of a pair, else one of the [`EVENTS`], from 1.
    #[port(2)]
    pub read_from: u8,
    /// Victim of the share to read.
    #[port(id_w(p.kernels))]
    pub read_victim: u8,
    /// Aggressor of the share to read.
    #[port(id_w(p.kernels))]
    pub read_aggressor: u8,
    /// Read the counter as it is now, before this cycle's increment, not as the last period left
    /// it.
    pub read_live: bool,
}

/// Output ports, all registered.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Ports)]
pub struct Out {
    /// Accesses are taken or dropped, not ignored.
    pub ready: bool,
    /// The counter addressed in the cycle before, of the last period or the running one; `cnt_w`
    /// bits, 0 for an unknown KID.
    #[port(p.cnt_w)]
    pub read_count: u64,
    /// That counter has saturated in its period: there were more events.
    pub read_overflow: bool,
    /// Aggressors of whose shares at least one saturated in the last period.
    #[port([1; p.kernels])]
    pub overflow: u64,
    /// Kinds of accesses whose counter saturated in the last period.
    #[port([1; EVENTS])]
    pub overflow_events: u64,
    /// Snapshots taken since reset, modulo 256.
    #[port(8)]
    pub sequence_number: u8,
}

/// An access to a sampled set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Access {
    /// The stack of its set.
    pub stack: usize,
    /// What is kept of its tag.
    pub tag: u64,
    /// The accessing kernel.
    pub kid: u8,
}

/// A miss that has been divided, or charged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Divided {
    /// Whose miss it is.
    pub victim: u8,
    /// Each kernel's part, in sixths, or in whole misses.
    pub parts: Vec<u32>,
}

/// Registers, which reset to 0 but where it says otherwise, and memories, which do not.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Registers)]
pub struct State {
    /// The shadow stacks.
    #[register(skip)]
    pub shadow: shadow_stack::State,
    /// The stacks have been cleared.
    pub started: bool,
    /// Accesses that wait for the stacks, in the order in which they came.
    #[register(skip)]
    pub queue: VecDeque<Access>,
    /// What charges whole misses.
    #[register(nested(p.pivot()), when = p.mode == Mode::Pivot)]
    pub pivot: Option<pivot::State>,
    /// Misses on their way to the counters.
    #[register(skip)]
    pub in_flight: Delayed<Option<Divided>>,
    /// Shares in sixths of a miss, or in whole misses, `count[aggressor][victim]`.
    #[register(nested(p.shares()))]
    pub shares: counter_matrix::State,
    /// Accesses taken, dropped, and to lines of other kernels.
    #[register(nested(p.events()))]
    pub events: counter_matrix::State,
    /// Where the read port has been asked to read in the cycles before; [`READ_LATENCY`].
    #[register(skip)]
    pub asked: Delayed<u8>,
}

/// The model.
#[derive(Debug, Clone)]
pub struct Attribution {
    params: Params,
    state: State,
    /// The set of each stack.
    sampled: Arc<[usize]>,
    // They work on the registers in `state`.
    shadow: ShadowStack,
    pivot: Option<Pivot>,
    shares: CounterMatrix,
    events: CounterMatrix,
    rules: Arc<Rules<In, State>>,
}

impl Attribution {
    /// The stack of a set, if it is sampled.
    pub fn stack_of(&self, set: u32) -> Option<usize> {
        self.sampled.binary_search(&(set as usize)).ok()
    }

    /// The sampled sets, in ascending order.
    pub fn sampled(&self) -> &[usize] {
        &self.sampled
    }

    /// The word of the shadow stacks that was written at the last edge.
    pub fn written(&self) -> Option<usize> {
        self.shadow.written()
    }

    /// Sets a share, as if so much of the misses of `victim` were `aggressor`'s in the period.
    /// Unknown KIDs have none.
    ///
    /// For runs that start close to the limit, which a wide counter reaches only after hours.
    pub fn preset(&mut self, victim: usize, aggressor: usize, count: u64) {
        let Self { state, shares, .. } = self;
        shares.on(&mut state.shares, |shares| {
            shares.preset(aggressor, victim, count);
        });
    }

    /// The same of accesses taken, dropped or to lines of other kernels.
    pub fn preset_events(&mut self, event: usize, count: u64) {
        let Self { state, events, .. } = self;
        events.on(&mut state.events, |events| events.preset(event, 0, count));
    }

    /// Puts lines into a stack, as [`ShadowStack::preset`] does.
    pub fn preset_stack(&mut self, stack: usize, lines: impl IntoIterator<Item = Option<Line>>) {
        let Self { state, shadow, .. } = self;
        shadow.on(&mut state.shadow, |shadow| shadow.preset(stack, lines));
    }

    /// Accesses are taken from the coming cycle on.
    pub fn start(&mut self) {
        let Self { state, shadow, .. } = self;
        shadow.on(&mut state.shadow, ShadowStack::start);
    }

    /// The access of a cycle, if it is to a sampled set and is not ignored.
    pub fn arrives(&self, input: &In) -> Option<Access> {
        let stack = self.stack_of(input.access_set)?;
        let cleared = self.state.started || self.state.shadow.sweep.is_none();
        (input.access_valid && cleared).then(|| Access {
            stack,
            tag: self.params.partial(input.access_tag),
            kid: input.access_kid,
        })
    }

    /// The stacks can look up an access.
    pub fn free(&self) -> bool {
        self.state.shadow.sweep.is_none() && self.state.shadow.lookup.is_none()
    }

    /// An access that comes in this cycle would be dropped: none leaves the line, and nobody else
    /// may wait.
    pub fn drops(&self) -> bool {
        !self.free() && self.state.queue.len() >= self.params.queue
    }

    /// How the miss of an access that was looked up is divided, or to whom it is charged; none for a
    /// hit.
    fn divided(&mut self, done: &shadow_stack::Out) -> Option<Divided> {
        if !done.done || done.done_shared {
            return None;
        }
        let Params { ways, kernels, .. } = self.params;
        let victim = usize::from(done.done_kid);
        let (again, above) = (done.done_again, &done.done_above);
        let parts: Vec<u32> = match self.pivot.as_mut().zip(self.state.pivot.as_mut()) {
            None => {
                let (parts, _) = blame::parts(ways, victim, again, above);
                parts.into_iter().map(u32::from).collect()
            }
            Some((pivot, state)) => {
                let miss = pivot::In {
                    reset: false,
                    access_valid: true,
                    access_kid: done.done_kid,
                    access_again: again,
                    above: above.clone(),
                };
                let charged = pivot.on(state, |pivot| pivot.step(&miss)).charged;
                let part = |kernel| (charged >> kernel & 1) as u32;
                (0..kernels).map(part).collect()
            }
        };
        parts.iter().any(|&part| part > 0).then_some(Divided {
            victim: done.done_kid,
            parts,
        })
    }
}

impl Model for Attribution {
    type Params = Params;
    type In = In;
    type Out = Out;
    type State = State;

    fn legal(params: &Params) -> Result<(), ParamError> {
        params.check_ranges()?;
        ParamError::power_of_two("sets", params.sets as u64, "set is a field of address bits")
    }

    fn new(params: Params) -> Result<Self, ParamError> {
        Self::legal(&params)?;
        let shadow = ShadowStack::new(params.shadow())?;
        let pivot = match params.mode {
            Mode::Sixths => None,
            Mode::Pivot => Some(Pivot::new(params.pivot())?),
        };
        let shares = CounterMatrix::new(params.shares())?;
        let one = counter_matrix::Params {
            kernels: 1,
            inc_w: 1,
            cnt_w: params.cnt_w,
        };
        let events = CounterMatrix::with_rows(EVENTS, one)?;
        let state = State {
            shadow: shadow.state().clone(),
            started: false,
            queue: VecDeque::new(),
            pivot: pivot.as_ref().map(|pivot| *pivot.state()),
            in_flight: Delayed::new(LATENCY, None),
            shares: shares.state().clone(),
            events: events.state().clone(),
            asked: Delayed::new(READ_LATENCY, 0),
        };
        Ok(Self {
            sampled: sampled_sets(params.sets, params.sampled).into(),
            rules: Arc::new(Self::rules(&params)),
            params,
            state,
            shadow,
            pivot,
            shares,
            events,
        })
    }

    fn params(&self) -> &Params {
        &self.params
    }

    fn reset(&mut self) {
        let Self {
            state,
            shadow,
            pivot,
            shares,
            events,
            ..
        } = self;
        shadow.on(&mut state.shadow, Model::reset);
        if let Some((pivot, state)) = pivot.as_mut().zip(state.pivot.as_mut()) {
            pivot.on(state, Model::reset);
        }
        shares.on(&mut state.shares, Model::reset);
        events.on(&mut state.events, Model::reset);
        state.queue.clear();
        state.in_flight.clear(&None);
        state.asked.clear(&0);
        state.started = false;
    }

    fn step(&mut self, input: &In) -> Out {
        let arrives = self.arrives(input);
        let ready = self.state.started || self.state.shadow.sweep.is_none();
        let (free, drops) = (self.free(), self.drops());
        let happened = [arrives.is_some() && !drops, arrives.is_some() && drops];
        let Self { state, shadow, .. } = self;
        state.queue.extend(arrives.filter(|_| !drops));
        let first = free.then(|| state.queue.pop_front()).flatten();
        let looked_up = first.map_or_else(shadow_stack::In::default, |first| shadow_stack::In {
            access_valid: true,
            access_stack: first.stack as u32,
            access_tag: first.tag,
            access_kid: first.kid,
            ..shadow_stack::In::default()
        });
        let looked_up = shadow_stack::In {
            reset: input.reset,
            ..looked_up
        };
        let answer = shadow.on(&mut state.shadow, |shadow| shadow.step(&looked_up));
        let divided = self.divided(&answer);
        let Self {
            params,
            state,
            shares,
            events,
            ..
        } = self;
        let due = match input.reset {
            true => None,
            false => state.in_flight.pass(divided),
        };
        let shares_in = counter_matrix::In {
            reset: input.reset,
            inc_valid: due.is_some(),
            inc_kid: due.as_ref().map_or(0, |due| due.victim),
            inc: due.map_or_else(|| vec![0; params.kernels], |due| due.parts),
            snapshot: input.snapshot,
            read_victim: input.read_aggressor,
            read_aggressor: input.read_victim,
            read_live: input.read_live,
        };
        let [taken, dropped] = happened;
        let happened = [taken, dropped, answer.done_shared];
        let events_in = counter_matrix::In {
            reset: input.reset,
            inc_valid: true,
            inc_kid: 0,
            inc: happened.map(u32::from).into(),
            snapshot: input.snapshot,
            // There is no fourth kind.
            read_victim: input.read_from.wrapping_sub(1) & 3,
            read_aggressor: 0,
            read_live: input.read_live,
        };
        let share = shares.on(&mut state.shares, |shares| shares.step(&shares_in));
        let event = events.on(&mut state.events, |events| events.step(&events_in));
        let read = match state.asked.due_or_default() {
            0 => &share,
            _ => &event,
        };
        let out = Out {
            ready,
            read_count: read.read_count,
            read_overflow: read.read_overflow,
            overflow: share.overflow,
            overflow_events: event.overflow,
            sequence_number: share.sequence_number,
        };
        match input.reset {
            true => self.reset(),
            false => {
                state.started = ready;
                state.asked.pass(input.read_from);
            }
        }
        out
    }

    fn state(&self) -> &State {
        &self.state
    }

    fn rules(p: &Params) -> Rules<In, State> {
        Rules::new()
            .legal(
                "known_kernel",
                "An access is by a kernel that there is.",
                input!(access_valid).implies(input!(access_kid).below(p.kernels)),
            )
            .legal(
                "known_counter",
                "The share that is read is of kernels that there are.",
                counter_matrix::known_counter(
                    input!(read_victim),
                    input!(read_aggressor),
                    p.kernels,
                ),
            )
    }

    fn assume(&self, input: &In) -> Result<(), Violation> {
        self.rules.check(&self.params, input, &self.state)
    }
}

impl Part for Attribution {
    fn registers(&mut self) -> &mut State {
        &mut self.state
    }
}

#[cfg(test)]
mod tests;
