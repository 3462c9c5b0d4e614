//! `milg`: instructions that come and go, requests that are accepted and refused, launches.

use cotenant_golden::sm::milg::{In, Milg as Model, Params};
use cotenant_golden::Model as _;
use serde::{Deserialize, Serialize};

use crate::unit::sm::stimulus::{accepted, failures, rarer, Traffic};
use crate::unit::sm::Milg;
use crate::verify::stimulus::values::ones;
use crate::verify::stimulus::{Drive, Knobs, Odds, Pace, Profile, Random};

/// What happens in a cycle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Launch {
    /// Not in this cycle.
    Never,
    /// If an interval would end in this cycle.
    AtTheEnd,
    /// If a division is under way that has so many steps to go; 0: if it may begin in this cycle.
    WhileDividing(u8),
    /// In this cycle.
    Now,
}

/// A request of the kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Request {
    /// None.
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

    fn kernels(_: &Params) -> usize {
        1
    }

    fn world(_: &Params) {}

    fn idle(_: &Params) -> In {
        In::default()
    }

    fn nothing(_: &Params) -> Transaction {
        Transaction {
            reset: false,
            launch: Launch::Never,
            issue: false,
            complete: false,
            request: Request::None,
        }
    }

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
                Launch::WhileDividing(0) => state.closed,
                Launch::WhileDividing(left) => state.left == u64::from(left),
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
        let request = In {
            request: true,
            ..In::default()
        };
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
    while model.state().in_flight < wanted.min(model.state().limit) {
        model.step(&issue);
    }
}
