//! `shadow_stack` under test.
//!
//! Stimulus: most accesses go to one stack for a while, by all kernels; lines from any place of the
//! stack, the kernel's own or another's, and new ones; accesses while one is looked up, and during
//! the sweep.
//!
//! Functional coverage: where a line is found and whose it was; lines that leave since their kernel
//! has too many; stacks with empty places; accesses that are taken, ignored, and taken in the cycle
//! of an answer.
//!
//! Example waveform: a line that is used again after lines of two kernels.
//!
//! The stacks are compared in the RAMs, word by word as they are written, and all outputs; the flops
//! beside the RAMs are steps of a search, of which the golden model knows how long it takes.

use cotenant_golden::llc::clog2;
use cotenant_golden::llc::shadow_stack::{
    lines, In, Line as Held, Params, ShadowStack as Model, State,
};

use crate::unit::prelude::*;

/// The unit [`shadow_stack`](cotenant_golden::llc::shadow_stack).
#[derive(Debug, Clone, Copy)]
pub struct ShadowStack;

impl Interface for ShadowStack {
    const NAME: &'static str = "shadow_stack";
    const SUMMARY: &'static str = "counts each kernel's lines used since a line's last use";
    const PLACE: Place = Place::Bank;
    type Model = Model;

    fn working(_: &str) -> bool {
        true
    }

    /// A model without an access: ready, or still to be cleared from the first word on.
    fn resumed(_: &Params, state: &State) -> Vec<(String, u128)> {
        vec![("sweeping".into(), state.sweep.is_some().into())]
    }

    from_golden!();

    /// One RAM per lane: tag, KID and valid bit of a place.
    fn memories(params: &Params) -> Vec<Memory> {
        let words = 1 << params.address_w();
        let parts = [
            Port::value("tag", params.tag_w),
            Port::value("kid", id_w(params.kernels)),
            Port::value("valid", 1),
        ];
        let lane = |lane| Memory::parts(format!("place[{lane}]"), words, parts);
        (0..params.lanes).map(lane).collect()
    }

    fn written(params: &Params, model: &Model, each: &mut dyn FnMut((usize, usize))) {
        if let Some(word) = model.written() {
            (0..params.lanes).for_each(|lane| each((lane, word)));
        }
    }

    fn pack_word(
        params: &Params,
        state: &State,
        (lane, word): (usize, usize),
        packer: &mut WordPacker<'_>,
    ) {
        let row_w = clog2(params.rows());
        let (stack, row) = (word >> row_w, word % (1 << row_w));
        let place = state.stacks.get(stack);
        let line = place.and_then(|stack| *stack.get(row * params.lanes + lane)?);
        let (kid, tag) = line.map_or((0, 0), |Held { kid, tag }| (kid, tag));
        packer.value(params.tag_w, tag);
        packer.value(id_w(params.kernels), kid);
        packer.value(1, line.is_some());
    }
}

/// What happens in a cycle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Transaction {
    /// Reset, if at all.
    pub reset: Reset,
    /// There is an access.
    pub valid: bool,
    /// Its stack, modulo their number.
    pub stack: u32,
    /// The accessing kernel, modulo the number of kernels.
    pub kid: u8,
    /// Its line.
    pub line: Line,
}

/// When a reset comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Reset {
    /// Not in this cycle.
    #[default]
    No,
    /// Unless the stacks are being cleared, which takes longer than profiles with many resets leave.
    Cleared,
    /// While the stacks are being cleared, which then begins anew.
    Clearing,
    /// If the answer comes in the next cycle.
    Answer,
    /// If the answer is there.
    Answered,
    /// Whatever is going on.
    Anytime,
}

impl Reset {
    /// Whether it comes in this state.
    pub(super) fn comes(self, state: &State) -> bool {
        match self {
            Self::No => false,
            Self::Cleared => state.sweep.is_none(),
            Self::Clearing => state.sweep.is_some(),
            Self::Answer => {
                let lookup = state.lookup.as_ref();
                lookup.is_some_and(|lookup| lookup.row + 1 == lookup.rows)
            }
            Self::Answered => state.done.is_some(),
            Self::Anytime => true,
        }
    }

    pub(super) fn draw(knobs: &Knobs, random: &mut Random) -> Self {
        // After each the stacks are cleared, so there are fewer than in other units.
        match random.chance(knobs.reset).then(|| random.below(256)) {
            Some(0) => Self::Anytime,
            Some(1..=24) => Self::Cleared,
            Some(25..=52) => Self::Answer,
            Some(53..=80) => Self::Answered,
            Some(81..=96) => Self::Clearing,
            _ => Self::No,
        }
    }
}

/// The line of an access.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Line {
    /// The n-th of the kernel's own in the stack, modulo their number, 255 the last one; else as
    /// `Tag`.
    Own(u8),
    /// The same of all in the stack.
    Any(u8),
    /// That with this tag, cut to its width.
    Tag(u64),
}

impl Line {
    /// Its tag, where the stack of its set holds these.
    pub(in crate::unit) fn tag(self, held: &[Option<Held>], kid: u8) -> u64 {
        match self {
            Self::Own(n) => nth(held, n, |line| line.kid == kid),
            Self::Any(n) => nth(held, n, |_| true),
            Self::Tag(tag) => tag,
        }
    }

    /// Any, the last one or the first more often than others.
    pub(in crate::unit) fn draw(knobs: &Knobs, random: &mut Random) -> Self {
        let place = match random.below(8) {
            0 => 0,
            1 => u8::MAX,
            _ => random.bits() as u8,
        };
        match random.chance(knobs.hit) {
            true if random.below(3) == 0 => Self::Any(place),
            true => Self::Own(place),
            false => Self::Tag(random.bits()),
        }
    }
}

/// A stack that many accesses have left: so many lines of each kernel, in any order, and empty places
/// between them, as lines leave that change hands.
pub(in crate::unit) fn any_stack(params: &Params, random: &mut Random) -> Vec<Option<Held>> {
    let full = random.below(4) == 0;
    let mut left: Vec<usize> = (0..params.kernels)
        .map(|_| match random.below(4) {
            _ if full => params.ways,
            0 => params.ways,
            1 => 0,
            _ => random.below(params.ways + 1),
        })
        .collect();
    let mut lines = Vec::new();
    while left.iter().any(|&left| left > 0) {
        let kid = random.below(params.kernels);
        // Some of a kernel come one after the other.
        for _ in 0..=random.below(3) {
            if left[kid] > 0 {
                left[kid] -= 1;
                let tag = lines.len() as u64 & ones(params.tag_w);
                lines.push(Some(Held {
                    kid: kid as u8,
                    tag,
                }));
            }
        }
    }
    let empty = params.places() - lines.len();
    for _ in 0..random.below(empty.min(4) + 1) {
        lines.insert(random.below(lines.len() + 1), None);
    }
    lines
}

impl Default for Transaction {
    fn default() -> Self {
        Self {
            reset: Reset::No,
            valid: false,
            stack: 0,
            kid: 0,
            line: Line::Tag(0),
        }
    }
}

/// The tag of the n-th line of those that are `of` interest.
fn nth(stack: &[Option<Held>], nth: u8, of: impl Fn(&&Held) -> bool) -> u64 {
    let lines: Vec<&Held> = stack.iter().flatten().filter(of).collect();
    let line = match nth {
        u8::MAX => lines.last(),
        nth => lines.get(usize::from(nth) % lines.len().max(1)),
    };
    line.map_or(nth.into(), |line| line.tag)
}

impl Drive for ShadowStack {
    type Transaction = Transaction;
    type World = ();
    const PROFILES: &'static [Profile] = &[
        Profile::Uniform,
        Profile::Skewed,
        Profile::Hits,
        Profile::Misses,
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
        let stack = what.stack % params.stacks as u32;
        let kid = what.kid % params.kernels as u8;
        let tag = what.line.tag(&model.state().stacks[stack as usize], kid);
        *input = In {
            reset: what.reset.comes(model.state()),
            access_valid: what.valid,
            access_stack: stack,
            access_tag: tag & ones(params.tag_w),
            access_kid: kid,
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
            stack: match bits & 7 {
                0 => (bits >> 32) as u32,
                // One for a while, so that it fills up.
                _ => pace.character(0) as u32,
            },
            kid: pace.kid(knobs.kernels, random),
            line: Line::draw(knobs, random),
        };
    }

    const FAR_STARTS: u64 = 240;

    fn far_cycles(params: &Params) -> (u64, u64) {
        let look = params.rows() as u64 + 1;
        (2 * look, 16 * look)
    }

    /// Stacks that many accesses have left.
    fn far(params: &Params, random: &mut Random) -> Option<Model> {
        let mut model = Model::new(params.clone()).ok()?;
        for stack in 0..params.stacks {
            model.preset(stack, any_stack(params, random));
        }
        model.start();
        Some(model)
    }
}

collector! {
    /// Sorts accesses and answers.
    pub struct Collector {
        crosses { accesses, found, lines_above, leaving }
        params: Params,
    }
}

/// What becomes of what is on the port.
const PORT: [&str; 4] = [
    "ignored during the sweep",
    "ignored during a look",
    "taken",
    "taken as an answer comes",
];
/// Whose line it was.
const WHOSE: [&str; 3] = ["the kernel's own", "another kernel's", "in no place"];
/// In which row it was.
const ROW: [&str; 3] = ["first", "others", "last"];

impl Cover for ShadowStack {
    type Collector = Collector;

    fn collector(params: &Params) -> Collector {
        let two_rows = params.rows() == 2;
        let Params { ways, kernels, .. } = *params;
        Collector {
            params: params.clone(),
            accesses: Cross::named("accesses")
                .axis("access", PORT)
                .numbers("kernel", kernels),
            found: Cross::named("found")
                .axis("line", WHOSE)
                .axis("row", ROW)
                .axis("stack", ["has empty places", "is full"])
                .without("there are two rows", move |at| two_rows && at[1] == 1)
                .without("all rows are looked at", |at| at[0] == 2 && at[1] < 2),
            lines_above: Cross::named("lines above")
                .numbers("kernel", kernels)
                .axis("lines", ["none", "some", "all ways"])
                .axis("of", ["the accessing kernel", "another"])
                .without("one way is all", move |at| ways == 1 && at[1] == 1),
            leaving: Cross::named("leaving")
                .axis("line", WHOSE)
                .axis("a line of the kernel leaves", ["no", "yes"])
                .without("then it has as many lines as before", |at| {
                    at[0] == 0 && at[1] == 1
                }),
        }
    }
}

impl Collect<ShadowStack> for Collector {
    fn sample(&mut self, model: &Model, input: &In) {
        if input.reset || !input.access_valid {
            return;
        }
        let state = model.state();
        let kernel = usize::from(input.access_kid);
        let port = match state {
            State { sweep: Some(_), .. } => 0,
            State {
                lookup: Some(_), ..
            } => 1,
            State { done: Some(_), .. } => 3,
            _ => 2,
        };
        self.accesses.hit((port, kernel));
        if port < 2 {
            return;
        }
        let Params {
            ways,
            kernels,
            lanes,
            ..
        } = self.params;
        let before = &state.stacks[input.access_stack as usize];
        let look = Model::looked_up(&self.params, &state.stacks, input);
        let whose = match &look.done {
            done if done.again => 0,
            done if done.shared => 1,
            _ => 2,
        };
        let place = before
            .iter()
            .position(|line| line.is_some_and(|line| line.tag == input.access_tag));
        let rows = self.params.rows();
        let row = match place.map_or(rows - 1, |place| place / lanes) {
            last if last == rows - 1 => 2,
            row => usize::from(row > 0),
        };
        let full = before.iter().all(Option::is_some);
        self.found.hit((whose, row, full));
        for (other, &above) in look.done.above.iter().enumerate() {
            let class = match usize::from(above) {
                0 => 0,
                all if all == ways => 2,
                _ => 1,
            };
            self.lines_above.hit((other, class, other != kernel));
        }
        let own = lines(before, kernels)[kernel];
        let leaves = whose > 0 && usize::from(own) == ways;
        self.leaving.hit((whose, leaves));
    }
}

impl Teach for ShadowStack {
    const SETS: &'static [&'static str] = &["4x4x4l4"];

    fn scene(params: &Params) -> Scene<Self> {
        let idle = In::default;
        let access = |access_kid, access_tag| In {
            access_valid: true,
            access_stack: 1,
            access_tag,
            access_kid,
            ..idle()
        };
        let reset = In {
            reset: true,
            ..idle()
        };
        let sweep = (0..1 << params.address_w()).map(|_| idle());
        let look = |rows: usize| (0..rows).map(|_| idle());
        Scene::new("what was used since a line's last use")
            .group(
                "access",
                [
                    row("ready"),
                    row("access_valid"),
                    row("access_kid").kernel().when("access_valid"),
                    row("access_stack").when("access_valid"),
                    row("access_tag").hex().when("access_valid"),
                ],
            )
            .group("the last row is looked at", [row("ends")])
            .group(
                "answer, with the lines of K0 K1 K2 K3 above",
                [
                    row("done"),
                    row("done_kid").kernel().when("done"),
                    row("done_again").when("done"),
                    row("done_shared").when("done"),
                    row("done_above").when("done"),
                ],
            )
            .step(Step::new("Reset.", reset).then("ready", 0))
            .step(
                Step::over("The stacks are cleared.", sweep)
                    .folded()
                    .sees("ready", 0)
                    .then("ready", 1),
            )
            .step(Step::new("K0 uses line a, which is new.", access(0, 0xa)).then("ready", 0))
            .step(
                Step::over(
                    "Four rows of four places are looked at: it is in none.",
                    look(4),
                )
                .folded()
                .then("done", 1),
            )
            .step(Step::new("K1 uses b as the answer comes.", access(1, 0xb)).sees("done_again", 0))
            .step(Step::over("New, too.", look(4)).folded().then("done", 1))
            .step(Step::new("K1 uses c.", access(1, 0xc)).then("ready", 0))
            .step(Step::over("New.", look(4)).folded().then("done", 1))
            .step(Step::new("K0 uses a again.", access(0, 0xa)).then("ready", 0))
            .step(Step::over("It is in the first row, below c and b.", look(1)).then("done", 1))
            .step(
                Step::new("Two lines of K1 were used since.", idle())
                    .sees("done_again", 1)
                    .sees("done_above", [0, 2, 0, 0]),
            )
            .step(Step::new("K2 uses b, a line of K1.", access(2, 0xb)).then("ready", 0))
            .step(
                Step::over(
                    "All rows are looked at, since a line of K2 might have to leave.",
                    look(4),
                )
                .folded()
                .then("done", 1),
            )
            .step(
                Step::new("It is K2's from now on.", idle())
                    .sees("done_shared", 1)
                    .sees("done_kid", 2),
            )
    }
}

impl Facts for ShadowStack {
    fn invariants(params: &Params, terms: &mut Terms<'_>) -> Vec<Term> {
        let mut all = rules::invariants::<Self>(params, terms);
        // Nothing is looked up while the stacks are being cleared.
        let [sweeping, busy, done] = terms.flops(["sweeping", "busy", "done_register"]);
        all.push(terms.disjoint(sweeping, busy));
        all.push(terms.disjoint(sweeping, done));
        all.push(terms.disjoint(busy, done));
        // The line is searched for until it is found: the kernel's own ends the look, that of another
        // does not.
        let [searches, shared] = terms.flops(["searches", "shared"]);
        let looks = terms.not(shared);
        let looks = terms.all([busy, looks]);
        all.push(terms.implies(looks, searches));
        // What is on its way down is a line.
        let [carries, carried] = terms.flops(["carries", "carried"]);
        let line = terms.bit(carried, params.tag_w + id_w(params.kernels));
        let moves = terms.all([busy, carries]);
        all.push(terms.implies(moves, line));
        all
    }

    // Of a search that is not going on nothing matters but its answer.
    fn matters(_: &Params, flop: &str, terms: &mut Terms<'_>) -> Option<Term> {
        let search = ["stack", "tag", "row", "searches", "carries", "own_above"];
        let [busy, done, carries] = terms.flops(["busy", "done_register", "carries"]);
        match flop {
            "carried" => Some(terms.all([busy, carries])),
            _ if search.contains(&flop) => Some(busy),
            "again" => Some(done),
            "kid" | "shared" => Some(terms.any([busy, done])),
            _ if flop.starts_with("above[") => Some(terms.any([busy, done])),
            _ => None,
        }
    }
}
