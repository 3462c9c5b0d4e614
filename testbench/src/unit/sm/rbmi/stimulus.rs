//! `rbmi`: kernels that are ready, and an LSU that takes an instruction or not.

use cotenant_golden::sm::rbmi::{In, Params, Rbmi as Model};
use serde::{Deserialize, Serialize};

use crate::unit::sm::stimulus::ready;
use crate::unit::sm::Rbmi;
use crate::verify::stimulus::values::ones;
use crate::verify::stimulus::{Drive, Knobs, Pace, Profile, Random};

/// What happens in a cycle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Transaction {
    /// Reset.
    pub reset: bool,
    /// The kernels that are ready; those that are not there are dropped.
    pub ready: u64,
    /// The LSU takes an instruction.
    pub accept: bool,
}

impl Drive for Rbmi {
    type Transaction = Transaction;
    type World = ();
    const PROFILES: &'static [Profile] = &[
        Profile::Uniform,
        Profile::InvalidWays,
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

    fn nothing(_: &Params) -> Transaction {
        Transaction {
            reset: false,
            ready: 0,
            accept: false,
        }
    }

    fn resolve(params: &Params, _: &Model, (): &mut (), transaction: &Transaction, input: &mut In) {
        *input = In {
            reset: transaction.reset,
            ready: transaction.ready & ones(params.kernels),
            accept: transaction.accept,
        };
    }

    fn draw(
        params: &Params,
        knobs: &Knobs,
        _: &mut Pace,
        random: &mut Random,
        transaction: &mut Transaction,
    ) {
        *transaction = Transaction {
            reset: random.chance(knobs.reset),
            ready: ready(knobs, params.kernels, random),
            accept: random.chance(knobs.access),
        };
    }
}
