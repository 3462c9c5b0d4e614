//! `umon`.
//!
//! Stimulus: most accesses go to one sampled set for a while, many to the set of the access before,
//! some to any set; hits at any position, near the MRU position or at LRU.
//!
//! Functional coverage: each position, with a stack that has been read or is being written; stacks
//! of each size; sets that are not sampled, accesses during the sweep; the counters' limit, periods
//! and reads.
//!
//! Example waveform: a line that comes back after another one, from its position to its counter.
//!
//! Facts: when what is kept for an access to the set of the one before matters.

use cotenant_golden::llc::counter_matrix::Answer;
use cotenant_golden::llc::pos_w;
use cotenant_golden::mgmt::umon::{position, Access, In, Params, State, Umon as Model};

use crate::unit::llc::shared::{self, matters_alone, near_limit, DISTANCE, LIVE};
use crate::unit::prelude::*;

/// The unit [`umon`](cotenant_golden::mgmt::umon).
#[derive(Debug, Clone, Copy)]
pub struct Umon;

impl Interface for Umon {
    const NAME: &'static str = "umon";
    const SUMMARY: &'static str = "hits that an application would have with each number of ways";
    const PLACE: Place = Place::Application;
    type Model = Model;

    fn working(flop: &str) -> bool {
        let matrix = flop.strip_prefix("matrix.");
        let beside = ["forward", "lookup_", "written_"];
        let pipeline = beside.iter().any(|name| flop.starts_with(name));
        pipeline || matrix.is_some_and(shared::working)
    }

    fn resumed(params: &Params, state: &State) -> Vec<(String, u128)> {
        // The mark is not told.
        let count = state.answers.due_or_default();
        let overflow = false;
        let mut flops = shared::resumed("matrix.", params.cnt_w, Answer { count, overflow });
        if let Some(Access { index, tag }) = due(state) {
            flops.extend([
                ("lookup_valid".into(), 1),
                ("lookup_index".into(), index as u128),
                ("lookup_tag".into(), tag.into()),
            ]);
        }
        flops
    }

    fn probe(_: &Params, register: &str, at: &[usize]) -> Probe {
        match register {
            "count[]" => shared::probe("matrix.", "count[][]", &[at[0], 0]),
            "shadow[]" => shared::probe("matrix.", "shadow[][]", &[at[0], 0]),
            "passed[]" | "last_passed[]" | "sequence_number" => {
                shared::probe("matrix.", register, at)
            }
            _ => Probe::Value(subscripted(register, at)),
        }
    }

    from_golden!();

    /// Which positions have a tag, then the tags by position.
    fn memories(params: &Params) -> Vec<Memory> {
        let tags = |p| Memory::values(format!("tag[{p}]"), params.sampled, params.tag_w);
        let valid = Memory::values("valid", params.sampled, params.ways);
        std::iter::once(valid)
            .chain((0..params.ways).map(tags))
            .collect()
    }

    fn written(params: &Params, model: &Model, each: &mut dyn FnMut((usize, usize))) {
        if let Some(stack) = model.written() {
            (0..=params.ways).for_each(|ram| each((ram, stack)));
        }
    }

    fn pack_word(
        params: &Params,
        state: &State,
        (ram, word): (usize, usize),
        packer: &mut WordPacker<'_>,
    ) {
        let stack = &state.stacks[word];
        match ram.checked_sub(1) {
            None => packer.value(params.ways, (1u64 << stack.len()) - 1),
            Some(position) => {
                packer.value(params.tag_w, stack.get(position).map_or(0, |&tag| tag));
            }
        }
    }

    fn word_read(_: &Params, state: &State, _: usize) -> usize {
        due(state).map_or(0, |access| access.index)
    }
}

/// The access that reaches its stack in this cycle.
fn due(state: &State) -> Option<Access> {
    state.in_flight.due().copied().flatten()
}

/// What happens in a cycle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Transaction {
    /// Reset.
    pub reset: bool,
    /// There is an access.
    pub valid: bool,
    /// Its set.
    pub set: Set,
    /// Its line.
    pub line: Line,
    /// The period ends.
    pub snapshot: bool,
    /// The counter to read; any code.
    pub read: u8,
    /// The running counter is read, not the last period's.
    pub live: bool,
}

/// The set of an access.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Set {
    /// That of the access before, if there is one on its way to a sampled set; else the first.
    Same,
    /// The n-th sampled one, modulo their number.
    Sampled(u32),
    /// Any, modulo their number.
    Any(u32),
}

/// The line of an access.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Line {
    /// The n-th of the stack, modulo their number; else as `Tag`.
    Nth(u8),
    /// That with this tag, cut to its width.
    Tag(u64),
}

impl Default for Transaction {
    fn default() -> Self {
        Self {
            reset: false,
            valid: false,
            set: Set::Any(0),
            line: Line::Tag(0),
            snapshot: false,
            read: 0,
            live: false,
        }
    }
}

impl Drive for Umon {
    type Transaction = Transaction;
    type World = ();
    const PROFILES: &'static [Profile] = &[
        Profile::Uniform,
        Profile::Skewed,
        Profile::Hits,
        Profile::Misses,
        Profile::Saturation,
        Profile::Idle,
        Profile::Storms,
    ];
    const FAR_STARTS: u64 = 96;

    fn kernels(_: &Params) -> usize {
        1
    }

    fn world(_: &Params) {}

    fn idle(_: &Params) -> In {
        In::default()
    }

    fn resolve(params: &Params, model: &Model, (): &mut (), what: &Transaction, input: &mut In) {
        let Params { sets, sampled, .. } = *params;
        let stride = (sets / sampled) as u32;
        let set = match what.set {
            Set::Same => {
                let before = model.state().in_flight.iter().flatten().next();
                before.map_or(0, |access| access.index as u32 * stride)
            }
            Set::Sampled(nth) => nth % sampled as u32 * stride,
            Set::Any(set) => set % sets as u32,
        };
        let tag = match (what.line, params.stack_of(set)) {
            (Line::Nth(nth), Some(index)) => {
                let stack = model.stack(index);
                let nth = usize::from(nth);
                stack
                    .get(nth % stack.len().max(1))
                    .map_or(nth as u64, |&tag| tag)
            }
            (Line::Nth(tag), None) => tag.into(),
            (Line::Tag(tag), _) => tag,
        };
        *input = In {
            reset: what.reset,
            access_valid: what.valid,
            access_set: set,
            access_tag: tag & ones(params.tag_w),
            snapshot: what.snapshot,
            read_position: what.read & ones(pos_w(params.ways)) as u8,
            read_live: what.live,
        };
    }

    fn draw(
        params: &Params,
        knobs: &Knobs,
        pace: &mut Pace,
        random: &mut Random,
        transaction: &mut Transaction,
    ) {
        let bits = random.bits();
        *transaction = Transaction {
            reset: random.chance(knobs.reset),
            valid: random.chance(knobs.access),
            set: match bits & 7 {
                0 | 1 => Set::Same,
                2 => Set::Sampled((bits >> 8) as u32),
                3 => Set::Any((bits >> 8) as u32),
                // One for a while, so that its stack fills up.
                _ => Set::Sampled(pace.character(0) as u32),
            },
            line: match random.chance(knobs.hit) {
                true => Line::Nth(knobs.nth(params.ways, random)),
                false => Line::Tag(random.bits()),
            },
            snapshot: random.chance(knobs.snapshot),
            read: (bits >> 40) as u8,
            live: random.chance(LIVE),
        };
    }

    /// Full stacks, counters near or at their limit, and any number of snapshots taken.
    fn far(params: &Params, random: &mut Random) -> Option<Model> {
        let mut model = Model::new(params.clone()).ok()?;
        let stride = (params.sets / params.sampled) as u32;
        for _ in 0..params.sampled {
            model.step(&In::default());
        }
        for stack in (0..params.sampled as u32)
            .cycle()
            .take(params.sampled * params.ways)
        {
            model.step(&In {
                access_valid: true,
                access_set: stack * stride,
                access_tag: random.bits() & ones(params.tag_w),
                ..In::default()
            });
        }
        let size = (params.counters(), 1);
        near_limit(
            size,
            params.cnt_w,
            DISTANCE,
            random,
            |position, _, count| {
                model.preset(position, count);
            },
        );
        // With many ways a period that ends with a counter just full is rare otherwise, as is one
        // that becomes full.
        if random.chance(Odds::one_in(4)) {
            let any = random.below(params.ways);
            for position in [0, any, params.ways - 1, params.ways] {
                model.preset(position, ones(params.cnt_w) - random.below(2) as u64);
            }
        }
        model.preset_sequence(random.bits() as u8);
        Some(model)
    }
}

collector! {
    /// Sorts accesses, counts, periods and reads.
    pub struct Collector {
        crosses { accesses, stacks, sets, limits, ends, periods, reads, live_reads }
        params: Params,
        snapshot_before: bool,
    }
}

impl Collector {
    /// An access that is taken.
    fn access(&mut self, model: &Model, index: usize, tag: u64) {
        let state = model.state();
        let mut before = state.in_flight.iter().flatten();
        let same = before.any(|access| access.index == index);
        let stack = model.stack(index);
        let position = position(&stack, tag);
        let counter = position.unwrap_or(self.params.ways);
        self.accesses.hit((counter, same));
        self.stacks.hit((stack.len(), position.is_none()));
    }

    /// What the access at the counters does to its own.
    fn count(&mut self, state: &State, counter: usize) {
        let place = self.place(counter);
        let limit = ones(self.params.cnt_w);
        let passed = state.passed >> counter & 1 == 1;
        let class = match limit - state.count[counter] {
            0 => 2 + usize::from(passed),
            left => usize::from(left == 1),
        };
        self.limits.hit((place, class));
    }

    /// What counters have come to as their period ends.
    fn end(&mut self, state: &State) {
        let limit = ones(self.params.cnt_w);
        for (counter, count) in state.count.iter().enumerate() {
            let class = match state.passed >> counter & 1 {
                0 => usize::from(*count == limit),
                _ => 2,
            };
            self.ends.hit((self.place(counter), class));
        }
    }

    /// The row of [`COUNTER_OF`] of a counter.
    fn place(&self, counter: usize) -> usize {
        let ways = self.params.ways;
        match counter {
            0 => 0,
            miss if miss == ways => 3,
            lru if lru == ways - 1 => 2,
            _ => 1,
        }
    }
}

/// What counters count.
const COUNTER_OF: [&str; 4] = ["MRU", "others", "LRU", "misses"];

/// The counter of the access that reaches the counters in this cycle.
fn counted(state: &State, ways: usize) -> Option<usize> {
    let Access { index, tag } = due(state)?;
    Some(position(&state.stacks[index], tag).unwrap_or(ways))
}

impl Cover for Umon {
    type Collector = Collector;

    fn collector(params: &Params) -> Collector {
        let (ways, counters) = (params.ways, params.counters());
        let position_or_miss = |name| {
            let positions = (0..ways).map(|p| p.to_string());
            Axis::new(name, positions.chain(["miss".into()]))
        };
        let all_sampled = params.sampled == params.sets;
        let two = ways == 2;
        Collector {
            params: params.clone(),
            accesses: Cross::new(
                "accesses",
                [
                    position_or_miss("position"),
                    Axis::new("stack", ["as it was read", "written as it was read"]),
                ],
            ),
            stacks: Cross::new(
                "stacks",
                [
                    Axis::numbers("lines", ways + 1),
                    Axis::new("access", ["hit", "miss"]),
                ],
            )
            .without("there is no line to hit", |at| at[0] == 0 && at[1] == 0),
            sets: Cross::new(
                "sets",
                [
                    Axis::new("set", ["not sampled", "sampled"]),
                    Axis::flag("ready"),
                ],
            )
            .without("all sets are sampled", |at| all_sampled && at[0] == 0),
            limits: Cross::new(
                "limits",
                [
                    Axis::new("counter of", COUNTER_OF),
                    Axis::new(
                        "limit",
                        ["not reached", "reached", "passed", "passed before"],
                    ),
                ],
            )
            .without("there are two positions", |at| two && at[0] == 1),
            ends: Cross::new(
                "ends of periods",
                [
                    Axis::new("counter of", COUNTER_OF),
                    Axis::new("limit", ["not reached", "reached", "passed"]),
                ],
            )
            .without("there are two positions", |at| two && at[0] == 1),
            periods: Cross::new(
                "periods",
                [
                    Axis::flag("snapshot"),
                    Axis::flag("access counted"),
                    Axis::flag("snapshot before"),
                ],
            ),
            reads: Cross::new(
                "reads",
                [
                    position_or_miss("counter"),
                    Axis::flag("snapshot"),
                    Axis::flag("snapshot before"),
                ],
            ),
            live_reads: Cross::new(
                "live reads",
                [
                    Axis::numbers("counter", counters),
                    Axis::flag("counted in this cycle"),
                ],
            ),
            snapshot_before: false,
        }
    }
}

impl Collect<Umon> for Collector {
    fn sample(&mut self, model: &Model, input: &In) {
        let before = std::mem::take(&mut self.snapshot_before);
        if input.reset {
            return;
        }
        let state = model.state();
        let counted = counted(state, self.params.ways);
        match (counted, input.snapshot) {
            (_, true) => self.end(state),
            (Some(counter), false) => self.count(state, counter),
            _ => {}
        }
        if input.access_valid {
            let index = self.params.stack_of(input.access_set);
            self.sets.hit((index.is_some(), !state.sweeping));
            if let (Some(index), false) = (index, state.sweeping) {
                self.access(model, index, input.access_tag);
            }
        }
        let snapshot = input.snapshot;
        self.periods.hit((snapshot, counted.is_some(), before));
        let read = usize::from(input.read_position);
        if read < self.params.counters() {
            match input.read_live {
                true => self.live_reads.hit((read, counted == Some(read))),
                false => self.reads.hit((read, snapshot, before)),
            }
        }
        self.snapshot_before = input.snapshot;
    }

    fn restart(&mut self, _: &Params) {
        self.snapshot_before = false;
    }
}

impl Teach for Umon {
    const SETS: &'static [&'static str] = &["4x16x4"];

    fn scene(params: &Params) -> Scene<Self> {
        let idle = In::default;
        let access = |access_set, access_tag| In {
            access_valid: true,
            access_set,
            access_tag,
            ..idle()
        };
        let read = |read_position| In {
            read_position,
            ..idle()
        };
        let reset = In {
            reset: true,
            ..idle()
        };
        let snapshot = In {
            snapshot: true,
            ..idle()
        };
        let sweep = (0..params.sampled).map(|_| idle());
        Scene::new("where a line is that comes back")
            .group(
                "access",
                [
                    row("ready"),
                    row("access_valid"),
                    row("access_set").when("access_valid"),
                    row("access_tag").hex().when("access_valid"),
                ],
            )
            .group(
                "its stack, a cycle later",
                [
                    row("lookup_valid"),
                    row("lookup_index").when("lookup_valid"),
                    row("hits").binary().when("lookup_valid"),
                ],
            )
            .group("hits at each position, and misses", [row("count[*]")])
            .group(
                "read port",
                [
                    row("snapshot"),
                    row("sequence_number"),
                    row("read_position"),
                    row("read_count"),
                ],
            )
            .step(
                Step::new("Reset: all counters are 0.", reset)
                    .then("count[*]", [0, 0, 0, 0, 0])
                    .then("ready", 0),
            )
            .step(
                Step::over("The stacks of the four sampled sets are cleared.", sweep)
                    .folded()
                    .sees("ready", 0)
                    .then("ready", 1),
            )
            .step(
                Step::new(
                    "Line a of set 4, the second sampled one, is new.",
                    access(4, 0xa),
                )
                .then("lookup_index", 1)
                .after(2, "count[*]", [0, 0, 0, 0, 1]),
            )
            .step(Step::new("So is line b.", access(4, 0xb)).after(2, "count[*]", [0, 0, 0, 0, 2]))
            .step(
                Step::new(
                    "Line a comes back. It is below b, at position 1: a cache of two ways would \
                     hit, one of one way would not.",
                    access(4, 0xa),
                )
                .then("hits", 0b0010)
                .after(2, "count[*]", [0, 1, 0, 0, 2]),
            )
            .step(
                Step::new(
                    "And again. Now it is at position 0, in the stack that is just being written.",
                    access(4, 0xa),
                )
                .then("hits", 0b0001)
                .after(2, "count[*]", [1, 1, 0, 0, 2]),
            )
            .step(
                Step::new("Set 5 is not sampled.", access(5, 0xa))
                    .then("lookup_valid", 0)
                    .after(2, "count[*]", [1, 1, 0, 0, 2]),
            )
            .step(
                Step::new("Line a of set 8 is in another stack.", access(8, 0xa))
                    .then("lookup_index", 2)
                    .after(2, "count[*]", [1, 1, 0, 0, 3]),
            )
            .step(Step::over(
                "The last access is on its way to its counter.",
                [idle(), idle()],
            ))
            .step(
                Step::new("A snapshot ends the period; the stacks stay.", snapshot)
                    .then("count[*]", [0, 0, 0, 0, 0])
                    .then("sequence_number", 1),
            )
            .step(
                Step::new(
                    "Read, the answer a cycle later: one hit with one way.",
                    read(0),
                )
                .then("read_count", 1),
            )
            .step(Step::new("A second one with two ways.", read(1)).then("read_count", 1))
            .step(Step::new("Three misses.", read(4)).then("read_count", 3))
            .step(Step::new("No request.", idle()).sees("overflow", 0))
    }
}

impl Facts for Umon {
    fn invariants(params: &Params, terms: &mut Terms<'_>) -> Vec<Term> {
        let mut all = rules::invariants::<Self>(params, terms);
        // While the stacks are being cleared no access reaches one.
        let [sweeping, access] = terms.flops(["sweeping", "lookup_valid"]);
        let both = terms.all([sweeping, access]);
        all.push(terms.not(both));
        all
    }

    // What was written is forwarded to an access only.
    fn matters(_: &Params, flop: &str, terms: &mut Terms<'_>) -> Option<Term> {
        let access = terms.flop("lookup_valid");
        match flop {
            "forward" | "lookup_index" | "lookup_tag" => Some(access),
            _ if flop.starts_with("written_") => {
                let forward = terms.flop("forward");
                Some(terms.all([access, forward]))
            }
            _ => None,
        }
    }

    fn matters_alone(params: &Params, flop: &str, terms: &mut Terms<'_>) -> Option<Term> {
        let matrix = |flop: &str, terms: &mut _| matters_alone(params.counters(), flop, terms);
        terms.flop_within("matrix.", flop, matrix)
    }
}
