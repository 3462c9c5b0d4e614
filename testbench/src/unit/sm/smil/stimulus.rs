//! `smil`: instructions that come and go under limits that change.

use cotenant_golden::sm::smil::{In, Params, Smil as Model};
use cotenant_golden::Model as _;
use serde::{Deserialize, Serialize};

use crate::unit::sm::stimulus::Traffic;
use crate::unit::sm::Smil;
use crate::verify::stimulus::values::ones;
use crate::verify::stimulus::{Drive, Knobs, Odds, Pace, Profile, Random};

/// What happens in a cycle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
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

impl Limit {
    /// What the ports carry: limit, and whether it is lifted.
    pub(in crate::unit) fn resolve(self, set: bool, limit_w: usize, in_flight: u64) -> (u64, bool) {
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

    pub(in crate::unit) fn draw(knobs: &Knobs, random: &mut Random) -> Self {
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
            set: false,
            limit: Limit::To(0),
            issue: false,
            complete: false,
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
            true => most - random.below(3) as u64,
            false => random.bits() & most,
        };
        let issue = In {
            issue: true,
            ..In::default()
        };
        (0..wanted).for_each(|_| {
            model.step(&issue);
        });
        Some(model)
    }
}
