//! `popcnt`: vectors as a `gdcu` sees them, and others.

use cotenant_golden::llc::popcnt::{In, Params, Popcnt as Model};
use serde::{Deserialize, Serialize};

use crate::unit::llc::Popcnt;
use crate::verify::stimulus::values::ones;
use crate::verify::stimulus::{Drive, Fill, Knobs, Pace, Profile, Random};

/// A vector.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Transaction {
    /// The bits to count; those beyond the width are dropped.
    pub data: u64,
}

impl Drive for Popcnt {
    type Transaction = Transaction;
    type World = ();
    const PROFILES: &'static [Profile] =
        &[Profile::Uniform, Profile::InvalidWays, Profile::Saturation];

    fn kernels(_: &Params) -> usize {
        1
    }

    fn world(_: &Params) {}

    fn idle(_: &Params) -> In {
        In::default()
    }

    fn nothing(_: &Params) -> Transaction {
        Transaction { data: 0 }
    }

    fn resolve(params: &Params, _: &Model, (): &mut (), transaction: &Transaction, input: &mut In) {
        input.data = transaction.data & ones(params.width);
    }

    fn draw(
        params: &Params,
        knobs: &Knobs,
        _: &mut Pace,
        random: &mut Random,
        transaction: &mut Transaction,
    ) {
        transaction.data = knobs.valid(params.width, random);
        if knobs.fill == Fill::Full {
            // All bits set is one vector; all but a few are many.
            transaction.data &= random.bits() | random.bits() | random.bits();
        }
    }
}
