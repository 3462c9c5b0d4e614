//! `attribution` under test.
//!
//! Stimulus: accesses to a sampled set for a while, by all kernels, with time for the search between
//! them or without; to sets that are not sampled, and during the sweep; lines from any place of the
//! stack and new ones.
//!
//! Functional coverage: accesses taken, dropped, ignored, by how many wait and whether the stacks are
//! free; shares by pair of kernels and by part, or whole misses; lines that kernels share; the counters' limit,
//! periods and reads.
//!
//! Example waveform: a miss of which two kernels have caused a half each, or for which one of them is
//! charged.
//!
//! Compared are counters and the stacks, in their RAMs; between them is a search, of which the
//! golden model knows how long it takes, as of the read port. Of the queue is compared what comes
//! out of it, and what is dropped in front of it.

use cotenant_golden::llc::attribution::{Attribution as Model, In, Mode, Params, State, EVENTS};

use super::shadow_stack::{any_stack, Line, Reset, ShadowStack};
use super::shared::{self, matters_alone, near_limit, Counting, Read, DISTANCE, LIVE};
use super::Pivot;
use crate::unit::prelude::*;

/// The unit [`attribution`](cotenant_golden::llc::attribution).
#[derive(Debug, Clone, Copy)]
pub struct Attribution;

/// Where the counters are, in the netlist as in the golden model.
const MATRICES: [&str; 2] = ["shares.", "events."];

/// Where the netlist has the order in which kernels join, if misses are charged as a whole, and the
/// golden model.
const PIVOT: &str = "pivot[0].";
const GOLDEN_PIVOT: &str = "pivot.";

/// The matrix that a flop or register belongs to, and its name there.
fn in_matrix(name: &str) -> Option<(&'static str, &str)> {
    let within = |path: &&'static str| Some((*path, name.strip_prefix(path)?));
    MATRICES.iter().find_map(within)
}

impl Interface for Attribution {
    const NAME: &'static str = "attribution";
    const SUMMARY: &'static str = "exact shares of each kernel's misses, in sampled sets";
    const PLACE: Place = Place::Bank;
    type Model = Model;

    fn working(flop: &str) -> bool {
        match in_matrix(flop) {
            Some((_, flop)) => shared::working(flop),
            None => flop != "started" && !flop.starts_with(PIVOT),
        }
    }

    fn resumed(params: &Params, state: &State) -> Vec<(String, u128)> {
        let shares = shared::resumed(
            "shares.",
            params.cnt_w,
            state.shares.answers.due_or_default(),
        );
        let events = shared::resumed(
            "events.",
            params.cnt_w,
            state.events.answers.due_or_default(),
        );
        let stacks = ShadowStack::resumed(&params.shadow(), &state.shadow);
        let stacks = stacks
            .into_iter()
            .map(|(flop, value)| (format!("stacks.{flop}"), value));
        let from = state.asked.due_or_default();
        let from = std::iter::once(("read_from_register".into(), from.into()));
        stacks.chain(shares).chain(events).chain(from).collect()
    }

    fn probe(_: &Params, register: &str, at: &[usize]) -> Probe {
        match (in_matrix(register), register.strip_prefix(GOLDEN_PIVOT)) {
            (Some((path, register)), _) => shared::probe(path, register, at),
            (None, Some(register)) => Probe::Value(format!("{PIVOT}{register}")),
            (None, None) => Probe::Value(subscripted(register, at)),
        }
    }

    from_golden!();

    fn memories(params: &Params) -> Vec<Memory> {
        let mut memories = ShadowStack::memories(&params.shadow());
        for memory in &mut memories {
            memory.ram.insert_str(0, "stacks.");
        }
        memories
    }

    fn written(params: &Params, model: &Model, each: &mut dyn FnMut((usize, usize))) {
        if let Some(word) = model.written() {
            (0..params.lanes).for_each(|lane| each((lane, word)));
        }
    }

    fn pack_word(
        params: &Params,
        state: &State,
        word: (usize, usize),
        packer: &mut WordPacker<'_>,
    ) {
        ShadowStack::pack_word(&params.shadow(), &state.shadow, word, packer);
    }
}

/// What happens in a cycle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Transaction {
    /// Reset, if at all.
    pub reset: Reset,
    /// There is an access.
    pub valid: bool,
    /// Its set.
    pub set: Set,
    /// The accessing kernel, modulo the number of kernels.
    pub kid: u8,
    /// Its line.
    pub line: Line,
    /// The period ends.
    pub snapshot: bool,
    /// What to read: a share, or a kind of accesses.
    pub from: u8,
    /// The share.
    pub read: Which,
    /// The running counter is read, not the last period's.
    pub live: bool,
}

/// The set of an access.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Set {
    /// The n-th sampled one, modulo their number.
    Sampled(u32),
    /// Any, modulo their number.
    Any(u32),
}

/// The share to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Which {
    /// Of this victim and aggressor, modulo the number of kernels.
    Pair(u8, u8),
    /// Of the miss that is counted in this cycle, if there is one: its victim, and the n-th of those
    /// who have a part in it.
    Counted(u8),
}

impl Default for Transaction {
    fn default() -> Self {
        Self {
            reset: Reset::No,
            valid: false,
            set: Set::Any(0),
            kid: 0,
            line: Line::Tag(0),
            snapshot: false,
            from: 0,
            read: Which::Pair(0, 0),
            live: false,
        }
    }
}

impl Drive for Attribution {
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

    fn kernels(params: &Params) -> usize {
        params.kernels
    }

    fn world(_: &Params) {}

    fn idle(_: &Params) -> In {
        In::default()
    }

    fn resolve(params: &Params, model: &Model, (): &mut (), what: &Transaction, input: &mut In) {
        let kernels = params.kernels as u8;
        let set = match what.set {
            Set::Sampled(n) => model.sampled()[n as usize % params.sampled] as u32,
            Set::Any(set) => set % params.sets as u32,
        };
        let kid = what.kid % kernels;
        let stack = model.stack_of(set);
        // Of a tag that is held there is one with nothing more in it.
        let held = stack.map_or(&[][..], |stack| &model.state().shadow.stacks[stack]);
        let tag = what.line.tag(held, kid);
        let due = model.state().in_flight.due().and_then(Option::as_ref);
        let (victim, aggressor) = match what.read {
            Which::Pair(victim, aggressor) => (victim, aggressor),
            Which::Counted(n) => due.map_or((0, n), |due| {
                let parts = (0..kernels).filter(|&kernel| due.parts[usize::from(kernel)] > 0);
                let aggressors: Vec<u8> = parts.collect();
                (due.victim, aggressors[usize::from(n) % aggressors.len()])
            }),
        };
        *input = In {
            reset: what.reset.comes(&model.state().shadow),
            access_valid: what.valid,
            access_set: set,
            access_tag: tag & ones(params.tag_w),
            access_kid: kid,
            snapshot: what.snapshot,
            read_from: what.from & 3,
            read_victim: victim % kernels,
            read_aggressor: aggressor % kernels,
            read_live: what.live,
        };
    }

    fn draw(
        _: &Params,
        knobs: &Knobs,
        pace: &mut Pace,
        random: &mut Random,
        transaction: &mut Transaction,
    ) {
        let bits = random.bits();
        *transaction = Transaction {
            reset: Reset::draw(knobs, random),
            valid: random.chance(knobs.access),
            set: match bits & 7 {
                0 => Set::Any((bits >> 32) as u32),
                1..=3 => Set::Sampled((bits >> 32) as u32),
                // One for a while, so that its stack fills up.
                _ => Set::Sampled(pace.character(0) as u32),
            },
            kid: pace.kid(knobs.kernels, random),
            line: Line::draw(knobs, random),
            snapshot: random.chance(knobs.snapshot),
            from: match bits & 0xc00 {
                0 => (bits >> 12) as u8,
                _ => 0,
            },
            read: match bits & 0x7_0000 {
                0 => Which::Pair((bits >> 40) as u8, (bits >> 48) as u8),
                _ => Which::Counted((bits >> 40) as u8),
            },
            live: random.chance(LIVE),
        };
    }

    const FAR_STARTS: u64 = 240;

    fn far_cycles(params: &Params) -> (u64, u64) {
        ShadowStack::far_cycles(&params.shadow())
    }

    /// Stacks that many accesses have left, and counters near their limit.
    fn far(params: &Params, random: &mut Random) -> Option<Model> {
        let mut model = Model::new(params.clone()).ok()?;
        for stack in 0..params.sampled {
            model.preset_stack(stack, any_stack(&params.shadow(), random));
        }
        model.start();
        let pairs = (params.kernels, params.kernels);
        let set = |victim, aggressor, count| model.preset(victim, aggressor, count);
        near_limit(pairs, params.cnt_w, DISTANCE, random, set);
        let set = |event, _, count| model.preset_events(event, count);
        near_limit((EVENTS, 1), params.cnt_w, DISTANCE, random, set);
        Some(model)
    }
}

collector! {
    /// Sorts accesses, shares, increments and reads.
    pub struct Collector {
        crosses { accesses, waiting, shares, events; counting: Counting }
        params: Params,
    }
}

/// What becomes of what is on the port.
const PORT: [&str; 4] = [
    "ignored during the sweep",
    "ignored, not sampled",
    "dropped",
    "taken",
];

/// Accesses in the queue.
const WAITING: [&str; 3] = ["none", "some", "as many as there are places"];

impl Cover for Attribution {
    type Collector = Collector;

    fn collector(params: &Params) -> Collector {
        let Params {
            kernels,
            cnt_w,
            queue,
            ..
        } = *params;
        let all_sampled = params.sampled == params.sets;
        let whole = params.mode.unit() as usize;
        let parts = (1..=whole).map(move |part| format!("{part}/{whole}"));
        let sixths = params.mode == Mode::Sixths;
        let one_way = params.ways == 1;
        let two_ways = params.ways == 2;
        Collector {
            params: params.clone(),
            accesses: Cross::named("accesses")
                .axis("access", PORT)
                .numbers("kernel", kernels)
                .without("all sets are sampled", move |at| all_sampled && at[0] == 1),
            waiting: Cross::named("waiting")
                .axis("accesses that wait", WAITING)
                .axis("stacks", ["busy", "free"])
                .axis("access", ["taken", "dropped"])
                .without("there is no queue", move |_| queue == 0)
                .without("there is one place", move |at| queue == 1 && at[0] == 1)
                .without("one is dropped if there is no place, and none goes", |at| {
                    (at[0] == 2 && at[1] == 0) != (at[2] == 1)
                }),
            shares: Cross::new(
                "shares",
                [
                    Axis::numbers("victim", kernels),
                    Axis::numbers("aggressor", kernels),
                    Axis::new("part", parts),
                ],
            )
            .without("a kernel's own miss is all its own", move |at| {
                at[0] == at[1] && at[2] + 1 != whole
            })
            .without("no kernel completes the ways in five orders of six", |at| {
                at[2] == 4
            })
            .without(
                "with two co-runners a part is a whole number of halves",
                move |at| sixths && kernels < 4 && at[2] % 3 != 2,
            )
            .without("the only co-runner is to blame for all", move |at| {
                kernels == 2 && at[2] + 1 != whole
            })
            .without("so few lines are one kernel's or all kernels'", move |at| {
                sixths && one_way && kernels == 4 && at[2] % 2 == 0
                    || (one_way || two_ways) && kernels == 4 && at[2] == 3
            }),
            events: Cross::named("events")
                .axis("event", ["taken", "dropped", "another kernel's line"])
                .axis(
                    "counter",
                    ["stays below its maximum", "reaches it", "exceeds it"],
                ),
            counting: Counting::new(kernels, cnt_w),
        }
    }
}

impl Collect<Attribution> for Collector {
    fn sample(&mut self, model: &Model, input: &In) {
        if input.reset {
            Collect::<Attribution>::restart(self, model.params());
            return;
        }
        let (state, snapshot) = (model.state(), input.snapshot);
        let kernel = usize::from(input.access_kid);
        let due = state.in_flight.due().and_then(Option::as_ref);
        if input.access_valid {
            let cleared = state.started || state.shadow.sweep.is_none();
            let drops = model.drops();
            let port = match (cleared, model.arrives(input)) {
                (false, _) => 0,
                (true, None) => 1,
                (true, Some(_)) => 2 + usize::from(!drops),
            };
            self.accesses.hit((port, kernel));
            if port >= 2 {
                let Params { queue, .. } = self.params;
                if queue > 0 {
                    let waiting = match state.queue.len() {
                        0 => 0,
                        all if all == queue => 2,
                        _ => 1,
                    };
                    self.waiting.hit((waiting, model.free(), drops));
                }
                if !snapshot {
                    self.event(state, drops.into());
                }
            }
        }
        let shared = state.shadow.done.as_ref().is_some_and(|done| done.shared);
        if shared && !snapshot {
            self.event(state, 2);
        }
        if let Some(due) = due {
            for (aggressor, &part) in due.parts.iter().enumerate() {
                if part > 0 {
                    self.shares.hit((due.victim, aggressor, part as usize - 1));
                }
                if !snapshot {
                    let count = state.shares.count[aggressor][usize::from(due.victim)];
                    let overflowed = state.shares.live_overflow();
                    self.counting
                        .increment(aggressor, count, part.into(), overflowed);
                }
            }
        }
        if input.read_from == 0 {
            let read = Read {
                victim: input.read_victim,
                aggressor: input.read_aggressor,
                live: input.read_live,
            };
            let counts = due.is_some_and(|due| {
                due.victim == read.victim && due.parts[usize::from(read.aggressor)] > 0
            });
            self.counting.read(read, counts, snapshot);
        }
        self.counting
            .pass(snapshot, input.access_valid.then_some(input.access_kid));
    }

    fn restart(&mut self, _: &Params) {
        self.counting.restart();
    }
}

impl Collector {
    /// An access of a kind that is counted.
    fn event(&mut self, state: &State, event: usize) {
        let limit = match ones(self.params.cnt_w) - state.events.count[event][0] {
            0 => 2,
            left => usize::from(left == 1),
        };
        self.events.hit((event, limit));
    }
}

impl Teach for Attribution {
    const SETS: &'static [&'static str] = &["3x3x16x4l2", "3x3x16x4l2q3", "3x3x16x4l2p"];

    fn scene(params: &Params) -> Scene<Self> {
        let idle = In::default;
        let rows = params.shadow().rows();
        let sampled = cotenant_golden::llc::exact::sampled_sets(params.sets, params.sampled);
        let access = |access_kid, access_tag| In {
            access_valid: true,
            access_set: sampled[1] as u32,
            access_tag,
            access_kid,
            ..idle()
        };
        let read = |read_from, read_victim, read_aggressor| In {
            read_from,
            read_victim,
            read_aggressor,
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
        let sweep = (0..1 << params.shadow().address_w()).map(|_| idle());
        let look = || (0..rows + 2).map(|_| idle());
        let whole = u64::from(params.mode.unit());
        let (title, shown, first, divided) = match params.mode {
            Mode::Sixths => (
                "half a miss each",
                "sixths of K0's misses that are of K0 K1 K2, and of K1's",
                "K0 uses line a, which is new: its own miss, six sixths.",
                ("Half a miss each.", [6, 3, 3]),
            ),
            Mode::Pivot => (
                "one of two is charged",
                "misses of K0 that are charged to K0 K1 K2, and of K1",
                "K0 uses line a, which is new: its own miss.",
                (
                    "In the order that is drawn K1 joins before K2, which completes the ways.",
                    [1, 0, 1],
                ),
            ),
        };
        let mut scene = Scene::new(title)
            .group(
                "access",
                [
                    row("ready"),
                    row("access_valid"),
                    row("access_kid").kernel().when("access_valid"),
                    row("access_set").when("access_valid"),
                    row("access_tag").hex().when("access_valid"),
                ],
            )
            .group(
                "answer of the shadow stack",
                [
                    row("stacks.ends"),
                    row("stacks.done"),
                    row("stacks.done_again").when("stacks.done"),
                    row("stacks.done_above").when("stacks.done"),
                ],
            )
            .rows(shown, "shares.count[*][0], shares.count[*][1]")
            .rows(
                "accesses taken, dropped, to lines of others",
                "events.count[*][0]",
            )
            .rows(
                "read port",
                "snapshot, read_from, read_victim kernel, read_aggressor kernel, read_count",
            )
            .step(Step::new("Reset.", reset).then("ready", 0))
            .step(
                Step::over("The stacks are cleared.", sweep)
                    .folded()
                    .sees("ready", 0)
                    .then("ready", 1),
            );
        let before = [
            (0, 0xa, first),
            (1, 0xb, "K1 uses two lines."),
            (1, 0xc, "The second one."),
            (2, 0xd, "K2 uses one."),
        ];
        for (kid, tag, says) in before {
            scene = scene
                .step(Step::new(says, access(kid, tag)).sees("stacks.done", 0))
                .step(
                    Step::over("The stack is searched.", look())
                        .folded()
                        .then("stacks.done", 0),
                );
        }
        let scene = scene.step(
            Step::new(
                "K0 uses a again. With the two lines of K1 and the one of K2 the three ways are \
                 full: neither of them alone has pushed it out.",
                access(0, 0xa),
            )
            .sees("shares.count[*][0]", [whole, 0, 0]),
        );
        let (dropped, says) = match params.queue {
            0 => (1, "An access during the search is dropped."),
            _ => (0, "An access during the search waits."),
        };
        scene
            .step(
                Step::new(says, access(1, 0xe))
                    .then("events.count[*][0]", [6 - dropped, dropped, 0]),
            )
            .step(
                Step::over(divided.0, look())
                    .folded()
                    .then("shares.count[*][0]", divided.1),
            )
            .step(Step::new("The period ends.", snapshot).then("shares.count[*][0]", [0, 0, 0]))
            .step(
                Step::new("K2's share of K0's misses.", read(0, 0, 2))
                    .then("read_count", divided.1[2]),
            )
            .step(Step::new("Accesses dropped.", read(2, 0, 0)).then("read_count", dropped))
            .step(Step::new("No further read.", idle()).sees("overflow", 0))
    }
}

/// Where the netlist has the queue.
const QUEUE: &str = "queue[0].";

/// The place in the queue, in brackets, of which a flop holds a part of the access.
fn place_in_queue(flop: &str) -> Option<&str> {
    let flop = flop.strip_prefix(QUEUE)?;
    let of_access = ["stack", "tag", "kid"].into_iter();
    let place = of_access
        .filter_map(|part| flop.strip_prefix(part))
        .next()?;
    place.strip_prefix('[')?.strip_suffix(']')
}

/// Accesses wait in the first places, and only while the stacks are busy or have just answered.
fn waiting(params: &Params, terms: &mut Terms<'_>) -> Vec<Term> {
    let [sweeping, started] = terms.flops(["stacks.sweeping", "started"]);
    let mut all = vec![terms.disjoint(sweeping, started)];
    let used = |place| format!("{QUEUE}used[{place}]");
    let mut before = {
        let [busy, done] = terms.flops(["stacks.busy", "stacks.done_register"]);
        terms.any([busy, done])
    };
    for place in 0..params.queue {
        let here = terms.flop(&used(place));
        all.push(terms.implies(here, before));
        before = here;
    }
    all
}

impl Facts for Attribution {
    fn invariants(params: &Params, terms: &mut Terms<'_>) -> Vec<Term> {
        let mut all = rules::invariants::<Self>(params, terms);
        let stacks = terms.within("stacks.", |terms| {
            ShadowStack::invariants(&params.shadow(), terms)
        });
        all.extend(stacks);
        if params.mode == Mode::Pivot {
            all.extend(terms.within(PIVOT, |terms| Pivot::invariants(&params.pivot(), terms)));
        }
        if params.queue > 0 {
            all.extend(waiting(params, terms));
        }
        all
    }

    fn matters(params: &Params, flop: &str, terms: &mut Terms<'_>) -> Option<Term> {
        if let Some(place) = place_in_queue(flop) {
            // Of a place that nobody has nothing matters.
            return Some(terms.flop(&format!("{QUEUE}used[{place}]")));
        }
        if flop == "victim" || flop.starts_with("sixths[") || flop == "charged[0]" {
            return Some(terms.flop("miss"));
        }
        let matters = terms.flop_within("stacks.", flop, |flop, terms| {
            ShadowStack::matters(&params.shadow(), flop, terms)
        })?;
        // Nobody is to blame for a miss of a line that another kernel used last.
        if flop == "stacks.searches" || flop.starts_with("stacks.above[") {
            let shared = terms.flop("stacks.shared");
            let divided = terms.not(shared);
            return Some(terms.all([matters, divided]));
        }
        Some(matters)
    }

    fn matters_alone(params: &Params, flop: &str, terms: &mut Terms<'_>) -> Option<Term> {
        if flop == "read_from_register" {
            // While one of the two matrices has something to show.
            let rows = [("shares.", params.kernels), ("events.", EVENTS)];
            let shown = rows.map(|(path, rows)| {
                terms.within(path, |terms| matters_alone(rows, "read_from", terms))
            });
            return Some(terms.any(shown.into_iter().flatten()));
        }
        let (path, rows) = match in_matrix(flop)?.0 {
            "shares." => ("shares.", params.kernels),
            events => (events, EVENTS),
        };
        let matrix = |flop: &str, terms: &mut _| matters_alone(rows, flop, terms);
        terms.flop_within(path, flop, matrix)
    }
}
