//! `milg` under test: stimulus, coverage, example waveform and invariants.
//!
//! Stimulus: instructions that come and go, requests that are accepted and refused, launches.
//!
//! Example waveform: the end of an interval: failures per request by a shift, the limit by a
//! division, the limit released. Figure 10, with intervals of 8 requests in place of 1024.
//!
//! Facts: the golden model's rules, what the peak's flops and the divider hold, and a flop that
//! says that an interval's last request is next.

mod coverage;

use cotenant_golden::sm::milg::{Ended, In, Milg as Model, Params, Release, State};

use super::shared::{accepted, failures, rarer, Traffic, COST, MOST_IN_FLIGHT};
use crate::unit::prelude::*;

/// The unit [`milg`](cotenant_golden::sm::milg).
#[derive(Debug, Clone, Copy)]
pub struct Milg;

impl Interface for Milg {
    const NAME: &'static str = "milg";
    const SUMMARY: &'static str =
        "limits a kernel's memory instructions in flight by its reservation failures";
    const PLACE: Place = Place::Kernel;
    type Model = Model;

    /// Section 4.4: in-flight instructions, reservation failures, memory requests.
    fn named_in_paper(flop: &str) -> Option<&'static str> {
        let named = ["counter.value", "failures", "requests"];
        named.contains(&flop).then_some(COST)
    }

    fn codes(name: &str) -> Option<ValueNames> {
        (name == "RELEASE").then(|| names_of_codes::<Release>("Release"))
    }

    /// The model knows how long a limit takes, not how it is divided; of the peak it has the value,
    /// not the flops that bring it up to date.
    fn working(flop: &str) -> bool {
        let late = ["grew", "began"];
        let divider = ["closed", "left", "divisor", "remainder", "shift"];
        late.contains(&flop) || divider.contains(&flop)
    }

    /// The divider after as many of the quotient's bits as the cycles to come leave; before its
    /// first cycle the peak of the interval is still in its flop.
    fn resumed(params: &Params, state: &State) -> Vec<(String, u128)> {
        let Some(ended) = state.ended else {
            return Vec::new();
        };
        let Ended { peak, ratio, .. } = ended;
        let (bits, left) = (params.count_w as u64, bits_left(params, ended));
        let flops = match left {
            0 => vec![
                ("closed", 1),
                ("began", 1),
                ("peak", peak),
                ("divisor", ratio),
            ],
            _ => {
                let (used, unused) = (peak >> left, peak << (bits - left) & ones(params.count_w));
                vec![
                    ("left", left),
                    ("divisor", ratio),
                    ("remainder", used % ratio),
                    ("shift", unused | (used / ratio)),
                ]
            }
        };
        let flops = flops.into_iter();
        flops
            .map(|(flop, value)| (flop.into(), value.into()))
            .collect()
    }

    fn probe(_: &Params, register: &str, _: &[usize]) -> Probe {
        if register == "peak" {
            return Probe::Late {
                flop: "peak".into(),
                newer: "counter.value".into(),
                flags: ["grew", "began"].map(String::from).into(),
            };
        }
        Probe::Value(match register {
            "in_flight" => "counter.value".into(),
            "limit" | "unlimited" => format!("{register}_register"),
            other => other.into(),
        })
    }

    fn computed(_: &Params) -> Vec<StateField> {
        vec![StateField::value("last", 1, "last")]
    }

    fn pack_computed(params: &Params, state: &State, words: &mut Packer<'_>) {
        words.value(state.requests == (1 << params.interval_w) - 1);
    }

    from_golden!();
}

/// Bits of the quotient that are still to come of an interval that has ended; 0 if its division has
/// not begun, or there is none.
pub(crate) fn bits_left(params: &Params, ended: Ended) -> u64 {
    match ended.left <= params.count_w as u64 && ended.ratio > 0 {
        true => ended.left,
        false => 0,
    }
}

/// What happens in a cycle.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Transaction {
    /// Reset.
    pub reset: bool,
    /// The kernel starts.
    pub launch: Launch,
    /// An instruction is issued, if the unit allows it.
    pub issue: bool,
    /// An instruction completes, if one is in flight.
    pub complete: bool,
    /// The request at the head of the LSU, if there is one.
    pub request: Request,
}

/// When a kernel starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Launch {
    /// Not in this cycle.
    #[default]
    Never,
    /// If an interval would end in this cycle.
    AtTheEnd,
    /// If a division is under way that has so many steps to go; 0: if it may begin in this cycle.
    WhileDividing(u8),
    /// In this cycle.
    Now,
}

/// A request of the kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Request {
    /// None.
    #[default]
    None,
    /// It is accepted.
    Accepted,
    /// It is refused: a reservation failure.
    Refused,
}

impl Request {
    fn new(valid: bool, accepted: bool) -> Self {
        match (valid, accepted) {
            (false, _) => Self::None,
            (true, true) => Self::Accepted,
            (true, false) => Self::Refused,
        }
    }
}

impl Launch {
    /// A quarter of the intervals that end meet a launch, and so do two in five of the divisions,
    /// as often in their first and last step as in all between.
    fn draw(params: &Params, knobs: &Knobs, random: &mut Random) -> Self {
        if rarer(knobs.flush, random) {
            return Self::Now;
        }
        let noise = random.bits();
        match noise & 3 {
            _ if knobs.flush == Odds::NEVER => Self::Never,
            0 => Self::AtTheEnd,
            1 | 2 => Self::WhileDividing(match noise >> 8 & 7 {
                0 => 0,
                1 | 2 => params.count_w as u8,
                3 | 4 => 1,
                _ => ((noise >> 16) % (params.count_w as u64 + 1)) as u8,
            }),
            _ => Self::Never,
        }
    }
}

impl Drive for Milg {
    type Transaction = Transaction;
    type World = ();
    const PROFILES: &'static [Profile] = &Profile::ALL;
    const FAR_STARTS: u64 = 128;

    fn world(_: &Params) {}

    fn resolve(
        params: &Params,
        model: &Model,
        (): &mut (),
        transaction: &Transaction,
        input: &mut In,
    ) {
        let state = model.state();
        let request = transaction.request == Request::Accepted;
        let ends = request && state.requests == ones(params.interval_w);
        *input = In {
            reset: transaction.reset,
            launch: match transaction.launch {
                Launch::Never => false,
                Launch::AtTheEnd => ends,
                Launch::WhileDividing(left) => {
                    let bits = state.ended.map(|ended| bits_left(params, ended));
                    bits.is_some_and(|bits| bits == u64::from(left))
                }
                Launch::Now => true,
            },
            issue: transaction.issue && state.in_flight < state.limit,
            complete: transaction.complete && state.in_flight > 0,
            request,
            fail: transaction.request == Request::Refused,
        };
    }

    fn draw(
        params: &Params,
        knobs: &Knobs,
        pace: &mut Pace,
        random: &mut Random,
        transaction: &mut Transaction,
    ) {
        let character = pace.character(0);
        let traffic = Traffic::new(knobs, character);
        *transaction = Transaction {
            reset: rarer(knobs.reset, random),
            launch: Launch::draw(params, knobs, random),
            issue: random.chance(traffic.issue),
            complete: random.chance(traffic.complete),
            request: Request::new(
                random.chance(knobs.access),
                accepted(knobs, character, random),
            ),
        };
    }

    /// Close to the end of an interval, with or without a limit from the one before.
    fn far(params: &Params, random: &mut Random) -> Option<Model> {
        let mut model = Model::new(params.clone()).ok()?;
        let request = Self::cycle(params, |i| i.request = true);
        if random.chance(Odds::one_in(2)) {
            fill(&mut model, random);
            (0..=ones(params.interval_w)).for_each(|request_number| {
                if request_number == ones(params.interval_w) {
                    model.preset(failures(params.fail_w, params.interval_w, random));
                }
                model.step(&request);
            });
        }
        fill(&mut model, random);
        // Half of them with the next request.
        let close = match random.chance(Odds::one_in(2)) {
            true => 0,
            false => ones(params.interval_w).min(random.below(8) as u64),
        };
        while model.state().requests < ones(params.interval_w) - close {
            model.step(&request);
        }
        model.preset(failures(params.fail_w, params.interval_w, random));
        Some(model)
    }
}

/// Issues instructions: none, one, some, as many as there can be, or one less.
fn fill(model: &mut Model, random: &mut Random) {
    let most = model.state().limit;
    let wanted = match random.below(8) {
        0..=1 => most,
        2 => most - 1,
        3 => 1,
        4..=6 => 0,
        _ => random.below(most as usize + 1) as u64,
    };
    let issue = In {
        issue: true,
        ..In::default()
    };
    let wanted = wanted.min(MOST_IN_FLIGHT);
    while model.state().in_flight < wanted.min(model.state().limit) {
        model.step(&issue);
    }
}

impl Teach for Milg {
    const SETS: &'static [&'static str] = &["3x6x3", "3x6x3d", "3x6x3h", "3x6x3p"];

    fn scene(params: &Params) -> Scene<Self> {
        let idle = In::default();
        let (issue, complete) = (
            Self::cycle(params, |i| i.issue = true),
            Self::cycle(params, |i| i.complete = true),
        );
        let (request, fail) = (
            Self::cycle(params, |i| i.request = true),
            Self::cycle(params, |i| i.fail = true),
        );
        let reset = Self::cycle(params, |i| i.reset = true);
        let next = match params.release {
            Release::Hold => "Three are in flight: none may issue.",
            _ => "The next one may issue.",
        };
        // Each request fails twice; the last one is a step of its own.
        let refused = std::iter::repeat_n([fail, fail, request], 8).flatten();
        let refused = refused.take(23);
        let (released, limit, unlimited) = match params.release {
            Release::Unlimited => (
                "No failure, so the limit is removed, the literal reading of the formula.",
                7,
                true,
            ),
            Release::Double => ("No failure, so the limit doubles.", 6, false),
            Release::Hold => ("No failure, so the limit stays.", 3, false),
            Release::PlusOne => ("No failure, so the limit rises by one.", 4, false),
        };
        Scene::new("intervals of 8 requests with and without failures")
            .rows("memory instructions", "issue, complete, in_flight, peak")
            .rows("their requests", "request, fail, requests, failures")
            .rows(
                "division, a quotient bit per cycle",
                "closed, left, divisor, remainder, shift binary",
            )
            .rows("permission to issue", "limit, unlimited, allow")
            .cycle("Reset: no limit but that of the counter, 7.", reset)
            .then("limit", 7)
            .then("unlimited", true)
            .cycles(
                "Six memory instructions go to the LSU; the peak follows.",
                [issue; 6],
            )
            .folded()
            .then("in_flight", 6)
            .then("peak", 6)
            .cycles(
                "The cache is congested: each request is refused twice before it is accepted.",
                refused,
            )
            .folded()
            .then("requests", 7)
            .then("failures", 16)
            .then("peak", 6)
            .cycle(
                "The eighth request ends the interval: 16 failures >> 3 are 2 per request.",
                request,
            )
            .then("requests", 0)
            .then("failures", 0)
            .then("closed", true)
            .then("divisor", 2)
            .cycle(
                "One cycle later the division of its peak, 6 by 2, begins.",
                idle,
            )
            .then("left", 3)
            .then("shift", 0b110)
            .cycles(
                "The quotient's three bits, the highest first: 0, 1, 1.",
                [idle; 3],
            )
            .sees("left", 1)
            .then("limit", 3)
            .then("unlimited", false)
            .then("shift", 0b011)
            .then("remainder", 0)
            .cycles(
                "The limit is 3 and six are in flight: none may issue until fewer than 3 are.",
                [complete; 4],
            )
            .sees("allow", false)
            .then("in_flight", 2)
            .then("allow", true)
            .cycle("One issues, and the limit is reached again.", issue)
            .then("in_flight", 3)
            .then("allow", false)
            .cycles(
                "An interval without a failure: seven requests,",
                [request; 7],
            )
            .folded()
            .then("requests", 7)
            .then("failures", 0)
            .cycle("and the eighth, which ends it.", request)
            .then("requests", 0)
            .then("divisor", 0)
            .then("limit", 3)
            .cycle(released, idle)
            .then("limit", limit)
            .then("unlimited", unlimited)
            .then("allow", limit > 3)
            .cycle(next, idle)
            .sees("allow", limit > 3)
    }
}

impl Facts for Milg {
    fn invariants(params: &Params, terms: &mut Terms<'_>) -> Vec<Term> {
        let mut all = rules::invariants::<Self>(params, terms);
        let [requests, last] = terms.flops(["requests", "last"]);
        let full = terms.is(requests, (1 << params.interval_w) - 1);
        all.push(terms.equal(last, full));
        all.extend(interval(terms));
        all.extend(division(params, terms));
        all
    }

    /// The divider while it divides; failures per request from an interval's end on.
    fn matters(params: &Params, flop: &str, terms: &mut Terms<'_>) -> Option<Term> {
        let divides = |terms: &mut Terms<'_>| {
            let left = terms.flop("left");
            let idle = terms.is(left, 0);
            terms.not(idle)
        };
        match flop {
            "remainder" => {
                let divides = divides(terms);
                let [left, remainder] = terms.flops(["left", "remainder"]);
                let last = terms.is(left, 1);
                let bits = (0..params.fail_w - params.interval_w).map(|bit| {
                    // With this bit set before the last step the quotient is 0 or 1, and so the
                    // limit 1; see `division`.
                    let whole = terms.bit(remainder, bit);
                    let settled = terms.all([last, whole]);
                    let open = terms.not(settled);
                    match bit + 2 == params.count_w {
                        true => terms.all([divides, open]),
                        false => divides,
                    }
                });
                let bits = bits.collect();
                Some(terms.word(bits))
            }
            "shift" => Some(divides(terms)),
            // The peak is the count, whether it follows it or not.
            "grew" | "began" => {
                let [peak, count] = terms.flops(["peak", "counter.value"]);
                let same = terms.equal(peak, count);
                Some(terms.not(same))
            }
            // Without failures a limit that there is not stays away, and with `Hold` any limit stays.
            "closed" => {
                let [divisor, limit, unlimited] =
                    terms.flops(["divisor", "limit_register", "unlimited_register"]);
                let most = (1 << params.count_w) - 1;
                let mut without = vec![terms.is(divisor, 0)];
                if params.release != Release::Hold {
                    without.extend([terms.is(limit, most), unlimited]);
                }
                let without = terms.all(without);
                Some(terms.not(without))
            }
            "divisor" => {
                let parts = [divides(terms), terms.flop("closed")];
                Some(terms.any(parts))
            }
            _ => None,
        }
    }
}

/// The flops that bring the peak up to date, and those of an interval's end.
fn interval(terms: &mut Terms<'_>) -> Vec<Term> {
    let [peak, count, grew, began] = terms.flops(["peak", "counter.value", "grew", "began"]);
    let [closed, requests] = terms.flops(["closed", "requests"]);
    let above = terms.less(peak, count);
    let empty = terms.is(requests, 0);
    vec![
        terms.equal(grew, above),
        terms.implies(closed, began),
        terms.implies(began, empty),
    ]
}

/// A division has a step for each bit of a count and ends before the next interval: one request per
/// cycle at most, since the interval began a cycle before it. Its remainder is less than the
/// divisor, and has no more bits than were used of the dividend.
fn division(params: &Params, terms: &mut Terms<'_>) -> Vec<Term> {
    let steps = params.count_w;
    let [closed, requests, left] = terms.flops(["closed", "requests", "left"]);
    let [divisor, remainder, shift] = terms.flops(["divisor", "remainder", "shift"]);
    let idle = terms.is(left, 0);
    let is_rest = terms.less(remainder, divisor);
    let mut all = vec![
        terms.below(left, steps + 1),
        terms.implies(closed, idle),
        terms.any([idle, is_rest]),
    ];
    for step in 1..=steps {
        let here = terms.is(left, step);
        let few = terms.below(requests, steps - step + 2);
        let small = terms.below(remainder, (((1u64 << steps) - 1) >> step) as usize + 1);
        let both = terms.all([few, small]);
        all.push(terms.implies(here, both));
        // A remainder of as many bits as were used is all of them: the quotient is 0 so far.
        let used = steps - step;
        if (1..=params.fail_w - params.interval_w).contains(&used) {
            let whole = terms.bit(remainder, used - 1);
            let whole = terms.all([here, whole]);
            let none = terms.even(shift, used - 1);
            all.push(terms.implies(whole, none));
        }
    }
    all
}
