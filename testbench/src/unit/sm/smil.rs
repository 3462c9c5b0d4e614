//! `smil` under test: stimulus, coverage, example waveform and invariants.
//!
//! Stimulus: instructions that come and go under limits that change.
//!
//! Functional coverage: permission to issue; limits written, compared with the instructions in
//! flight.
//!
//! Example waveform: a limit set, reached, and lifted. Limit 3 is the paper's best for sv beside
//! ks.

use cotenant_golden::sm::smil::{In, Params, Smil as Model};

use super::shared::{gate, gates, Traffic, MOST_IN_FLIGHT};
use crate::unit::prelude::*;

/// The unit [`smil`](cotenant_golden::sm::smil).
#[derive(Debug, Clone, Copy)]
pub struct Smil;

impl Interface for Smil {
    const NAME: &'static str = "smil";
    const SUMMARY: &'static str =
        "limits a kernel's memory instructions in flight to a programmed number";
    const PLACE: Place = Place::Kernel;
    type Model = Model;

    fn probe(_: &Params, register: &str, _: &[usize]) -> Probe {
        match register {
            "in_flight" => Probe::Value("counter.value".into()),
            other => Probe::Value(format!("{other}_register")),
        }
    }

    from_golden!();
}

/// What happens in a cycle.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Transaction {
    /// Reset.
    pub reset: bool,
    /// The limit is set.
    pub set: bool,
    /// To this; what is beyond the port is dropped, and 0 is 1 where it counts.
    pub limit: Limit,
    /// An instruction is issued, if the unit allows it.
    pub issue: bool,
    /// An instruction completes, if one is in flight.
    pub complete: bool,
}

/// A limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Limit {
    /// As many.
    To(u64),
    /// As many as are in flight, and this many more or less.
    Near(i8),
    /// None; what the port for the limit carries.
    Lifted(u64),
}

impl Default for Limit {
    fn default() -> Self {
        Self::To(0)
    }
}

impl Limit {
    /// What the ports carry: limit, and whether it is lifted.
    pub(crate) fn resolve(self, set: bool, limit_w: usize, in_flight: u64) -> (u64, bool) {
        let most = ones(limit_w);
        match self {
            Self::Lifted(limit) => (limit & most, true),
            Self::To(limit) if !set => (limit & most, false),
            Self::To(limit) => ((limit & most).max(1), false),
            Self::Near(apart) => {
                let near = in_flight.saturating_add_signed(apart.into());
                (near.clamp(1, most), false)
            }
        }
    }

    pub(crate) fn draw(knobs: &Knobs, random: &mut Random) -> Self {
        let noise = random.bits();
        match noise & 7 {
            0..=1 => Self::Lifted(noise >> 8),
            2 => Self::To(u64::MAX),
            3 => Self::To(1),
            4..=5 => Self::Near((noise >> 8 & 3) as i8 - 1),
            _ if random.chance(knobs.near) => Self::To(noise >> 8 & 3),
            _ => Self::To(noise >> 8),
        }
    }
}

impl Drive for Smil {
    type Transaction = Transaction;
    type World = ();
    const PROFILES: &'static [Profile] = &Profile::ALL;
    const FAR_STARTS: u64 = 64;

    fn world(_: &Params) {}

    fn resolve(
        params: &Params,
        model: &Model,
        (): &mut (),
        transaction: &Transaction,
        input: &mut In,
    ) {
        let state = model.state();
        let set_valid = transaction.set;
        let limit = transaction.limit;
        let (set_limit, set_unlimited) = limit.resolve(set_valid, params.limit_w, state.in_flight);
        *input = In {
            reset: transaction.reset,
            set_valid,
            set_limit,
            set_unlimited,
            issue: transaction.issue && state.in_flight < state.limit,
            complete: transaction.complete && state.in_flight > 0,
        };
    }

    fn draw(
        _: &Params,
        knobs: &Knobs,
        pace: &mut Pace,
        random: &mut Random,
        transaction: &mut Transaction,
    ) {
        let traffic = Traffic::new(knobs, pace.character(0));
        *transaction = Transaction {
            reset: random.chance(knobs.reset),
            set: random.chance(knobs.snapshot),
            limit: Limit::draw(knobs, random),
            issue: random.chance(traffic.issue),
            complete: random.chance(traffic.complete),
        };
    }

    /// Many instructions in flight.
    fn far(params: &Params, random: &mut Random) -> Option<Model> {
        let mut model = Model::new(params.clone()).ok()?;
        let most = ones(params.count_w);
        let wanted = match random.chance(Odds::one_in(2)) {
            true => most.saturating_sub(random.below(3) as u64),
            false => random.bits() & most,
        };
        let issue = Self::cycle(params, |i| i.issue = true);
        (0..wanted.min(MOST_IN_FLIGHT)).for_each(|_| {
            model.step(&issue);
        });
        Some(model)
    }
}

collector! {
    /// Sorts issues and new limits.
    pub struct Collector {
        crosses { gates, sets }
        params: Params,
    }
}

/// A new limit.
const LIMIT: [&str; 4] = ["1", "more", "the highest", "none"];
/// A new limit against the instructions in flight.
const AGAINST: [&str; 3] = ["below", "equal", "above"];

impl Cover for Smil {
    type Collector = Collector;

    fn collector(params: &Params) -> Collector {
        let Params { count_w, limit_w } = *params;
        Collector {
            params: params.clone(),
            gates: gates("issue"),
            sets: Cross::named("sets")
                .axis("limit", LIMIT)
                .axis("in flight", AGAINST)
                .without("no more instructions can be in flight", move |at| {
                    at[1] == 2 && (at[0] == 3 || at[0] == 2 && limit_w == count_w)
                })
                .without("the limit is one bit", move |at| limit_w == 1 && at[0] < 2),
        }
    }
}

impl Collect<Smil> for Collector {
    fn sample(&mut self, model: &Model, input: &In) {
        if input.reset {
            return;
        }
        let state = model.state();
        let at = gate(
            state.in_flight,
            state.limit,
            state.unlimited,
            input.issue,
            input.complete,
        );
        self.gates.hit(at);
        if input.set_valid {
            let (class, limit) = match (input.set_unlimited, input.set_limit) {
                (true, _) => (3, ones(self.params.count_w)),
                (false, limit) if limit == ones(self.params.limit_w) => (2, limit),
                (false, 1) => (0, 1),
                (false, limit) => (1, limit),
            };
            let against = match state.in_flight.cmp(&limit) {
                std::cmp::Ordering::Less => 0,
                std::cmp::Ordering::Equal => 1,
                std::cmp::Ordering::Greater => 2,
            };
            self.sets.hit((class, against));
        }
    }
}

impl Teach for Smil {
    const SETS: &'static [&'static str] = &["7x5", "7x7", "10x5", "3x2"];

    fn scene(params: &Params) -> Scene<Self> {
        let no_limit = (1u64 << params.count_w) - 1;
        let idle = In::default();
        let issue = Self::cycle(params, |i| i.issue = true);
        let reset = Self::cycle(params, |i| i.reset = true);
        let set = In {
            set_valid: true,
            set_limit: 3,
            ..idle
        };
        let complete = Self::cycle(params, |i| i.complete = true);
        let lift = In {
            set_valid: true,
            set_unlimited: true,
            ..idle
        };
        Scene::new("a limit set, reached, and removed")
            .rows(
                "limit written",
                "set_valid, set_unlimited when set_valid, set_limit when set_valid",
            )
            .rows("memory instructions", "issue, complete, in_flight")
            .rows("permission to issue", "limit, unlimited, allow")
            .cycle("Reset: no limit but that of the counter.", reset)
            .then("limit", no_limit)
            .then("unlimited", true)
            .then("allow", true)
            .cycle(
                "The limit is set to 3, in force from the next cycle on.",
                set,
            )
            .then("limit", 3)
            .then("unlimited", false)
            .cycles(
                "Three memory instructions issue: the limit is reached, no further one may issue.",
                [issue, issue, issue],
            )
            .then("in_flight", 3)
            .then("allow", false)
            .cycle(
                "One instruction's last response arrives: another may issue.",
                complete,
            )
            .sees("allow", false)
            .then("in_flight", 2)
            .then("allow", true)
            .cycle("Another one issues, and the limit is reached again.", issue)
            .then("in_flight", 3)
            .then("allow", false)
            .cycle("The limit is removed.", lift)
            .then("limit", no_limit)
            .then("unlimited", true)
            .then("allow", true)
            .cycle("A fourth one issues.", issue)
            .sees("allow", true)
            .then("in_flight", 4)
            .cycle("Four are in flight.", idle)
            .sees("in_flight", 4)
    }
}

impl Facts for Smil {}
