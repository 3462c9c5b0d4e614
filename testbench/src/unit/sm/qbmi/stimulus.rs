//! `qbmi`: kernels that start, end and are ready, and requests that are their instructions' first
//! or not.

use cotenant_golden::sm::qbmi::{In, Params, Qbmi as Model, State};

use super::{far, Qbmi};
use crate::unit::prelude::*;
use crate::unit::sm::shared::{draw_kernels, rarer, ready, Exit, Launch};

/// What happens in a cycle.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Transaction {
    /// Reset.
    pub reset: Reset,
    /// Kernels that start.
    pub launch: Launch,
    /// Kernels that end.
    pub exit: Exit,
    /// The kernels that are ready; those that are not there are dropped.
    pub ready: u64,
    /// The LSU takes an instruction.
    pub accept: bool,
    /// A request is accepted.
    pub request: bool,
    /// It is its instruction's first.
    pub first: bool,
    /// Whose it is, modulo the number of kernels; without a request any code.
    pub kid: u8,
}

/// When a unit is reset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Reset {
    /// Not in this cycle.
    #[default]
    Never,
    /// If this is the last cycle in which quotas are computed.
    AsQuotasAreDone,
    /// If a ratio is made of an interval.
    AsRatiosAreMade,
    /// If a limit is made of an interval, where there are limits.
    AsLimitsAreMade,
    /// If the next request of a kernel ends an interval, where there are limits.
    AsIntervalsEnd,
    /// In this cycle.
    Now,
}

impl Reset {
    /// Whether it is in this cycle.
    pub(crate) fn now(self, qbmi: Option<&State>, divides: bool, ends: bool) -> bool {
        match self {
            Self::Never => false,
            Self::AsQuotasAreDone => qbmi.is_some_and(|qbmi| qbmi.unit.left == 1),
            Self::AsRatiosAreMade => {
                qbmi.is_some_and(|qbmi| qbmi.meter.iter().any(|meter| meter.left > 0))
            }
            Self::AsLimitsAreMade => divides,
            Self::AsIntervalsEnd => ends,
            Self::Now => true,
        }
    }

    pub(crate) fn draw(knobs: &Knobs, random: &mut Random) -> Self {
        if rarer(knobs.reset, random) {
            return Self::Now;
        }
        // So that about one in ten computations is met.
        match random.below(512) {
            _ if knobs.reset == Odds::NEVER => Self::Never,
            0..=15 => Self::AsQuotasAreDone,
            16..=17 => Self::AsRatiosAreMade,
            18..=25 => Self::AsLimitsAreMade,
            26..=33 => Self::AsIntervalsEnd,
            _ => Self::Never,
        }
    }
}

/// Whether a request is its instruction's first: by the knob, or by how many requests the kernel's
/// instructions make.
fn first(knobs: &Knobs, character: u64, random: &mut Random) -> bool {
    if knobs.hit == Odds::ALWAYS || knobs.hit == Odds::NEVER && character & 1 == 0 {
        return knobs.hit == Odds::ALWAYS;
    }
    let each = match knobs.near == Odds::NEVER {
        true => far::each(character >> 16),
        false => 1 + (character >> 16) % 4,
    };
    random.chance(Odds::one_in(each as u32))
}

impl Drive for Qbmi {
    type Transaction = Transaction;
    type World = ();
    const PROFILES: &'static [Profile] = &Profile::ALL;
    const FAR_STARTS: u64 = 64;

    fn kernels(params: &Params) -> usize {
        params.kernels
    }

    fn world(_: &Params) {}

    fn resolve(
        params: &Params,
        model: &Model,
        (): &mut (),
        transaction: &Transaction,
        input: &mut In,
    ) {
        let kernels = params.kernels;
        *input = In {
            reset: transaction.reset.now(Some(model.state()), false, false),
            launch: transaction.launch.mask(kernels, model.state().active),
            exit: transaction.exit.mask(kernels),
            ready: transaction.ready & ones(kernels),
            accept: transaction.accept,
            request_valid: transaction.request,
            request_first: transaction.first,
            request_kid: match transaction.request {
                true => transaction.kid % kernels as u8,
                // Ignored, so it may be a KID without a kernel.
                false => transaction.kid & ones(id_w(kernels)) as u8,
            },
        };
    }

    fn draw(
        params: &Params,
        knobs: &Knobs,
        pace: &mut Pace,
        random: &mut Random,
        transaction: &mut Transaction,
    ) {
        let kernels = params.kernels;
        let kid = pace.kid(knobs.kernels, random);
        let (launch, exit) = draw_kernels(knobs, kernels, pace, random);
        *transaction = Transaction {
            reset: Reset::draw(knobs, random),
            launch,
            exit,
            ready: ready(knobs, kernels, random),
            accept: random.chance(knobs.access),
            request: random.chance(knobs.access),
            first: first(knobs, pace.character(kid), random),
            kid,
        };
        if !transaction.request {
            transaction.kid = random.bits() as u8;
        }
    }

    /// Long enough for new quotas.
    fn far_cycles(params: &Params) -> (u64, u64) {
        far::cycles(params)
    }

    fn far(params: &Params, random: &mut Random) -> Option<Model> {
        far::state(params, random)
    }
}
