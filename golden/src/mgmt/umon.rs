//! `umon`: UCP's utility monitor, which tells how many hits an application would have with how many
//! ways.
//!
//! Source: TAP, section 3.3: "For each application, UCP maintains an LRU stack for each sampled set
//! and a hit counter for each way in all the sampled sets during a period. When a cache hit occurs
//! in a certain position of an LRU stack, the corresponding hit counter will be incremented."
//!
//! Timing: an access at cycle t is in its stack and in the counters at t + 2. After reset the
//! stacks are cleared, one per cycle; accesses are ignored until then.
//!
//! ASSUMPTION: every (sets / sampled)-th set is sampled, beginning with set 0.
//! ASSUMPTION: a snapshot ends the period of the counters; the stacks go on.
//! ASSUMPTION: misses of sampled sets are counted, too, behind the hits by position.
//! ASSUMPTION: saturation, snapshots and reads as in
//! [`counter_matrix`](crate::llc::counter_matrix).

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::delay::Delayed;
use crate::llc::counter_matrix::READ_LATENCY;
use crate::llc::{clog2, pos_w};
use crate::model::{limit, Model, ParamError, Part, Violation};
use crate::ports::{Parameters, Ports, Registers};
use crate::rules::*;

/// Parameters of [`Umon`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Parameters)]
pub struct Params {
    /// Ways of the cache, 2 to 32.
    #[range(2..=32)]
    pub ways: usize,
    /// Sets of the cache, a power of two.
    #[range(2..=1 << 24)]
    pub sets: usize,
    /// Sets that are sampled, a power of two from 2 to `sets`.
    #[range(2..=p.sets)]
    pub sampled: usize,
    /// Width of a tag in bits, 1 to 64.
    #[range(1..=64)]
    pub tag_w: usize,
    /// Width of a counter in bits, 1 to 64.
    #[range(1..=64)]
    pub cnt_w: usize,
}

impl Params {
    /// One counter per position, and one for misses.
    pub fn counters(&self) -> usize {
        self.ways + 1
    }

    /// The stack of a set, if it is sampled.
    pub fn stack_of(&self, set: u32) -> Option<usize> {
        let stride = self.sets / self.sampled;
        let set = set as usize;
        (set % stride == 0).then_some(set / stride)
    }
}

/// Input ports.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Ports)]
pub struct In {
    /// Synchronous reset.
    pub reset: bool,
    /// There is an access of the application this cycle.
    pub access_valid: bool,
    /// Its set.
    #[port(clog2(p.sets))]
    pub access_set: u32,
    /// Its tag.
    #[port(p.tag_w)]
    pub access_tag: u64,
    /// Ends the period: copy the counters to the shadow registers and clear them.
    pub snapshot: bool,
    /// The counter to read: a stack position, or `ways` for misses.
    #[port(pos_w(p.ways))]
    pub read_position: u8,
    /// Read the counter as it is now, before this cycle's increment, not as the last period left it.
    pub read_live: bool,
}

/// Output ports, all registered.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Ports)]
pub struct Out {
    /// Accesses are taken.
    pub ready: bool,
    /// The counter addressed in the cycle before, of the last period or the running one; `cnt_w`
    /// bits, 0 where there is none.
    #[port(p.cnt_w)]
    pub read_count: u64,
    /// The counters that saturated in the last period.
    #[port([1; p.counters()])]
    pub overflow: u64,
    /// Snapshots taken since reset, modulo 256.
    #[port(8)]
    pub sequence_number: u8,
}

/// Registers, which reset to 0 but where it says otherwise, and memories, which do not.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Registers)]
pub struct State {
    /// The stacks are being cleared. Reset: 1.
    pub sweeping: bool,
    /// The next one.
    #[register(clog2(p.sampled))]
    pub sweep_index: u32,
    /// The accesses to sampled sets that have not reached their stacks, the youngest first;
    /// [`ACCESS_LATENCY`].
    #[register(skip)]
    pub in_flight: Delayed<Option<Access>>,
    /// Accesses of the present period by position, the last counter those that missed.
    #[register([p.cnt_w; p.counters()])]
    pub count: Vec<u64>,
    /// Accesses of the last period.
    #[register([p.cnt_w; p.counters()])]
    pub shadow: Vec<u64>,
    /// Counters that would have passed their limit in the present period.
    #[register([1; p.counters()])]
    pub passed: u64,
    /// The same of the last period.
    #[register([1; p.counters()])]
    pub last_passed: u64,
    /// Snapshots taken, modulo 256.
    #[register(8)]
    pub sequence_number: u8,
    /// The counters that were asked for in the cycles before; [`READ_LATENCY`].
    #[register(skip)]
    pub answers: Delayed<u64>,
    /// The memories: the tags of each sampled set from MRU to LRU, as if the application had the
    /// cache for itself.
    #[register(skip)]
    pub stacks: Vec<Vec<u64>>,
}

/// Cycles from an access to the one in which it reaches its stack and the counters.
pub const ACCESS_LATENCY: usize = 1;

/// An access to a sampled set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Access {
    /// The stack of its set.
    pub index: usize,
    /// Its tag.
    pub tag: u64,
}

/// The position of a line in a stack.
pub fn position(stack: &[u64], tag: u64) -> Option<usize> {
    stack.iter().position(|&line| line == tag)
}

/// Makes a line the most recently used one and says where it was.
pub(super) fn access(stack: &mut Vec<u64>, ways: usize, tag: u64) -> Option<usize> {
    let position = position(stack, tag);
    match position {
        Some(position) => _ = stack.remove(position),
        None => stack.truncate(ways - 1),
    }
    stack.insert(0, tag);
    position
}

/// The model.
#[derive(Debug, Clone)]
pub struct Umon {
    params: Params,
    state: State,
    rules: Arc<Rules<In, State>>,
    written: Option<usize>,
}

impl Umon {
    /// Sets a counter, as if so many accesses had come in the period: more than its limit leave it
    /// there, and marked. There is none from `ways` + 1 up.
    ///
    /// For runs that start close to the limit, which a wide counter reaches only after hours.
    pub fn preset(&mut self, position: usize, count: u64) {
        let max = limit(self.params.cnt_w);
        if let Some(counter) = self.state.count.get_mut(position) {
            *counter = count.min(max);
            self.state.passed &= !(1 << position);
            self.state.passed |= u64::from(count > max) << position;
        }
    }

    /// So many snapshots have been taken, modulo 256.
    pub fn preset_sequence(&mut self, taken: u8) {
        self.state.sequence_number = taken;
    }

    /// The stack that was written at the last edge.
    pub fn written(&self) -> Option<usize> {
        self.written
    }

    /// A stack as an access of this cycle will find it.
    pub fn stack(&self, index: usize) -> Vec<u64> {
        let mut stack = self.state.stacks[index].clone();
        let before = self.state.in_flight.iter().rev().flatten();
        for before in before.filter(|access| access.index == index) {
            access(&mut stack, self.params.ways, before.tag);
        }
        stack
    }

    fn count(&mut self, position: usize) {
        let state = &mut self.state;
        match &mut state.count[position] {
            count if *count == limit(self.params.cnt_w) => state.passed |= 1 << position,
            count => *count += 1,
        }
    }

    /// Closes the period: its counters become the shadow.
    fn snapshot(&mut self) {
        let state = &mut self.state;
        std::mem::swap(&mut state.shadow, &mut state.count);
        state.count.fill(0);
        state.last_passed = std::mem::take(&mut state.passed);
        state.sequence_number = state.sequence_number.wrapping_add(1);
    }
}

impl Model for Umon {
    type Params = Params;
    type In = In;
    type Out = Out;
    type State = State;

    fn legal(params: &Params) -> Result<(), ParamError> {
        params.check_ranges()?;
        let Params { sets, sampled, .. } = *params;
        ParamError::power_of_two("sets", sets as u64, "set is a field of address bits")?;
        ParamError::power_of_two("sampled", sampled as u64, "sets in between are as many")
    }

    fn new(params: Params) -> Result<Self, ParamError> {
        Self::legal(&params)?;
        let sampled = params.sampled;
        let state = State {
            sweeping: true,
            in_flight: Delayed::new(ACCESS_LATENCY, None),
            answers: Delayed::new(READ_LATENCY, 0),
            count: vec![0; params.counters()],
            shadow: vec![0; params.counters()],
            stacks: vec![Vec::new(); sampled],
            ..State::default()
        };
        Ok(Self {
            rules: Arc::new(Self::rules(&params)),
            params,
            state,
            written: None,
        })
    }

    fn params(&self) -> &Params {
        &self.params
    }

    fn reset(&mut self) {
        let state = &mut self.state;
        state.count.fill(0);
        state.shadow.fill(0);
        state.in_flight.clear(&None);
        state.answers.clear(&0);
        *state = State {
            sweeping: true,
            in_flight: std::mem::take(&mut state.in_flight),
            answers: std::mem::take(&mut state.answers),
            count: std::mem::take(&mut state.count),
            shadow: std::mem::take(&mut state.shadow),
            stacks: std::mem::take(&mut state.stacks),
            ..State::default()
        };
    }

    fn step(&mut self, input: &In) -> Out {
        let state = &mut self.state;
        let out = Out {
            ready: !state.sweeping,
            read_count: state.answers.due_or_default(),
            overflow: state.last_passed,
            sequence_number: state.sequence_number,
        };
        // The memories know no reset.
        let mut seen = None;
        self.written = None;
        if state.sweeping {
            let index = state.sweep_index as usize;
            state.stacks[index].clear();
            self.written = Some(index);
        } else if let Some(&Some(Access { index, tag })) = state.in_flight.due() {
            let stack = &mut state.stacks[index];
            let position = access(stack, self.params.ways, tag);
            seen = Some(position.unwrap_or(self.params.ways));
            self.written = Some(index);
        }
        if input.reset {
            self.reset();
            return out;
        }
        let (last, running) = (&state.shadow, &state.count);
        let period = if input.read_live { running } else { last };
        let read = period.get(usize::from(input.read_position));
        state.answers.pass(read.copied().unwrap_or_default());
        if input.snapshot {
            self.snapshot();
        }
        if let Some(position) = seen {
            self.count(position);
        }
        let state = &mut self.state;
        let accepted = input.access_valid && !state.sweeping;
        let index = self.params.stack_of(input.access_set);
        let tag = input.access_tag;
        let access = index.map(|index| Access { index, tag });
        state.in_flight.pass(access.filter(|_| accepted));
        if state.sweeping {
            state.sweep_index = (state.sweep_index + 1) % self.params.sampled as u32;
            state.sweeping = state.sweep_index != 0;
        }
        out
    }

    fn state(&self) -> &State {
        &self.state
    }

    fn rules(_: &Params) -> Rules<In, State> {
        Rules::new().invariant(
            "cleared_from_the_first",
            "The next clearing begins with the first stack.",
            any([
                register!(sweeping).into(),
                register!(sweep_index).is(0usize),
            ]),
        )
    }

    fn assume(&self, input: &In) -> Result<(), Violation> {
        self.rules.check(&self.params, input, &self.state)
    }
}

impl Part for Umon {
    fn registers(&mut self) -> &mut State {
        &mut self.state
    }
}

#[cfg(test)]
mod tests {
    //! Rationale: the counters stand for caches that are not there, so they are held to such caches:
    //! LRU caches of 1 to W ways, each simulated for itself by times of last use, not by a stack.
    //! Then the edges: what is sampled, the limit, an access beside a snapshot, accesses during
    //! the sweep, a reset as a stack is written.
    use super::*;
    use proptest::prelude::{self, *};
    use std::collections::HashMap;

    fn params(ways: usize, sets: usize, sampled: usize) -> Params {
        Params {
            ways,
            sets,
            sampled,
            tag_w: 8,
            cnt_w: 8,
        }
    }

    fn swept(params: Params) -> Umon {
        let mut umon = Umon::new(params.clone()).unwrap();
        for _ in 0..params.sampled {
            assert!(!umon.step(&In::default()).ready);
        }
        umon
    }

    fn access(access_set: u32, access_tag: u64) -> In {
        In {
            access_valid: true,
            access_set,
            access_tag,
            ..In::default()
        }
    }

    /// Hits of a cache of so many ways that evicts the line whose last use is longest ago.
    fn hits_of_lru(ways: usize, accesses: &[(u32, u64)]) -> u64 {
        let mut sets: HashMap<u32, HashMap<u64, usize>> = HashMap::new();
        let mut hits = 0;
        for (now, &(set, tag)) in accesses.iter().enumerate() {
            let lines = sets.entry(set).or_default();
            match lines.insert(tag, now) {
                Some(_) => hits += 1,
                None if lines.len() > ways => {
                    let oldest = lines.iter().min_by_key(|(_, &used)| used);
                    let oldest = oldest.map(|(&tag, _)| tag);
                    oldest.map(|tag| lines.remove(&tag));
                }
                None => {}
            }
        }
        hits
    }

    fn drawn() -> impl Strategy<Value = (bool, u32, u64)> {
        prelude::any::<(bool, u32, u64)>()
    }

    proptest! {
        #[test]
        fn the_first_counters_are_the_hits_of_a_cache_of_as_many_ways(
            ways in 2usize..9,
            (sets, sampled) in prop::sample::select(vec![(2, 2), (4, 2), (8, 2), (8, 8)]),
            tags in 1u64..12,
            stream in prop::collection::vec(drawn(), 0..200),
        ) {
            let params = params(ways, sets, sampled);
            let mut umon = swept(params.clone());
            let mut accesses = Vec::new();
            for (valid, set, tag) in stream {
                let (set, tag) = (set % sets as u32, tag % tags);
                umon.step(&In { access_valid: valid, ..access(set, tag) });
                if valid && params.stack_of(set).is_some() {
                    accesses.push((set, tag));
                }
            }
            umon.step(&In::default());
            let count = &umon.state().count;
            for ways in 1..=ways {
                let hits: u64 = count[..ways].iter().sum();
                prop_assert_eq!(hits, hits_of_lru(ways, &accesses), "{} ways", ways);
            }
            prop_assert_eq!(count.iter().sum::<u64>(), accesses.len() as u64);
        }
    }

    #[test]
    fn every_fourth_set_is_sampled() {
        let mut umon = swept(params(2, 16, 4));
        for set in 0..16 {
            umon.step(&access(set, 7));
        }
        umon.step(&In::default());
        assert_eq!(umon.state().count, [0, 0, 4]);
        let lines = umon.state().stacks.iter().map(Vec::len);
        assert_eq!(lines.collect::<Vec<_>>(), [1, 1, 1, 1]);
    }

    #[test]
    fn a_hit_is_counted_where_the_line_was() {
        let mut umon = swept(params(4, 2, 2));
        for tag in [1, 2, 3, 1, 1, 2, 4, 5, 3] {
            umon.step(&access(1, tag));
        }
        umon.step(&In::default());
        // 1, 2, 3 miss; 1 is third, then first; 2 is third; 4 and 5 miss; 3 has been evicted.
        assert_eq!(umon.state().count, [1, 0, 2, 0, 6]);
        assert_eq!(umon.state().stacks[1], [3, 5, 4, 2]);
    }

    #[test]
    fn the_limit_is_reached_then_passed() {
        let mut umon = swept(params(2, 2, 2));
        umon.preset(0, 254);
        umon.preset(2, 1000);
        assert_eq!((umon.state().count[2], umon.state().passed), (255, 0b100));
        for _ in 0..4 {
            umon.step(&access(0, 3));
        }
        // A miss, and two hits that have been counted.
        assert_eq!((umon.state().count[0], umon.state().passed), (255, 0b101));
        let snapshot = In {
            snapshot: true,
            ..In::default()
        };
        umon.step(&snapshot);
        let out = umon.step(&In::default());
        assert_eq!((out.overflow, out.sequence_number), (0b101, 1));
    }

    #[test]
    fn an_access_at_the_counters_beside_a_snapshot_opens_the_new_period() {
        let mut umon = swept(params(2, 2, 2));
        umon.step(&access(0, 3));
        umon.step(&In {
            snapshot: true,
            read_position: 2,
            ..access(0, 3)
        });
        let live = In {
            read_live: true,
            read_position: 2,
            ..In::default()
        };
        assert_eq!(umon.step(&live).read_count, 0, "shadow as of the snapshot");
        assert_eq!(umon.step(&In::default()).read_count, 1);
        assert_eq!(umon.state().count, [1, 0, 1]);
        assert_eq!(umon.state().shadow, [0, 0, 0]);
    }

    #[test]
    fn a_reset_clears_the_stacks_before_anything_is_counted() {
        let mut umon = swept(params(2, 4, 4));
        umon.step(&access(3, 9));
        let reset = In {
            reset: true,
            ..access(3, 9)
        };
        umon.step(&reset);
        assert_eq!(umon.state().stacks[3], [9], "it was being written");
        for _ in 0..4 {
            assert!(!umon.step(&access(3, 9)).ready);
        }
        assert!(umon.step(&access(3, 9)).ready);
        umon.step(&In::default());
        assert_eq!(umon.state().count, [0, 0, 1], "one miss, after the sweep");
    }

    #[test]
    fn parameters_out_of_range_are_refused() {
        for (ways, sets, sampled) in [(1, 4, 2), (33, 4, 2), (4, 6, 2), (4, 8, 3), (4, 4, 8)] {
            assert!(Umon::new(params(ways, sets, sampled)).is_err());
        }
    }
}
