//! `kid_demux`: any kernel, passed on or not.

use cotenant_golden::llc::kid_demux::{In, KidDemux as Model, Params};
use serde::{Deserialize, Serialize};

use crate::unit::llc::KidDemux;
use crate::verify::stimulus::{Drive, Knobs, Pace, Profile, Random};

/// A bit to pass on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Transaction {
    /// It is set.
    pub enable: bool,
    /// Whose lane it goes to, modulo the number of kernels.
    pub kid: u8,
}

impl Drive for KidDemux {
    type Transaction = Transaction;
    type World = ();
    const PROFILES: &'static [Profile] = &[
        Profile::Uniform,
        Profile::Skewed,
        Profile::PingPong,
        Profile::Bursts,
        Profile::Idle,
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
            enable: false,
            kid: 0,
        }
    }

    fn resolve(params: &Params, _: &Model, (): &mut (), transaction: &Transaction, input: &mut In) {
        input.enable = transaction.enable;
        input.select = transaction.kid % params.kernels as u8;
    }

    fn draw(
        _: &Params,
        knobs: &Knobs,
        pace: &mut Pace,
        random: &mut Random,
        transaction: &mut Transaction,
    ) {
        transaction.enable = random.chance(knobs.access);
        transaction.kid = pace.kid(knobs.kernels, random);
    }
}
