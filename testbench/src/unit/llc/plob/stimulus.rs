//! `plob`: accesses with any victim, snapshots and reads.

use cotenant_golden::llc::id_w;
use cotenant_golden::llc::plob::{In, Params, Plob as Model};
use cotenant_golden::Model as _;
use serde::{Deserialize, Serialize};

use crate::unit::llc::counter_matrix::stimulus::{near_limit, DISTANCE, LIVE};
use crate::unit::llc::Plob;
use crate::verify::stimulus::values::ones;
use crate::verify::stimulus::{Drive, Fill, Kernels, Knobs, Odds, Pace, Profile, Random};

/// What happens in a cycle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Transaction {
    /// Reset.
    pub reset: bool,
    /// The access, if there is one.
    pub access: Access,
    /// The line in the LRU position is valid.
    pub victim_valid: bool,
    /// Its owner, modulo the number of kernels if the access evicts it; else any code that the
    /// port can carry.
    pub victim_owner: u8,
    /// The accessing kernel, modulo the number of kernels; in a bubble any code.
    pub kid: u8,
    /// The period ends.
    pub snapshot: bool,
    /// Victim and aggressor of the counter to read; any codes.
    pub read: (u8, u8),
    /// The running counter is read, not the last period's.
    pub live: bool,
}

/// An access.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Access {
    /// None.
    Bubble {
        /// What `access_hit` carries.
        hit: bool,
    },
    /// A hit, which evicts nothing.
    Hit,
    /// A miss, which evicts the victim if it is valid.
    Miss,
}

impl Access {
    fn new(valid: bool, hit: bool) -> Self {
        match (valid, hit) {
            (false, hit) => Self::Bubble { hit },
            (true, true) => Self::Hit,
            (true, false) => Self::Miss,
        }
    }
}

/// How often the victim is valid.
fn victim(knobs: &Knobs) -> Odds {
    match knobs.fill {
        Fill::Full => Odds::ALWAYS,
        Fill::Sparse => Odds::one_in(8),
        Fill::Mixed => Odds::all_but_one_in(4),
    }
}

impl Drive for Plob {
    type Transaction = Transaction;
    type World = ();
    const PROFILES: &'static [Profile] = &Profile::ALL;

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
            access: Access::Bubble { hit: false },
            victim_valid: false,
            victim_owner: 0,
            kid: 0,
            snapshot: false,
            read: (0, 0),
            live: false,
        }
    }

    fn resolve(params: &Params, _: &Model, (): &mut (), transaction: &Transaction, input: &mut In) {
        let kernels = params.kernels as u8;
        let any = ones(id_w(params.kernels)) as u8;
        let code = |known: bool, kid: u8| match known {
            true => kid % kernels,
            // Nobody looks, so it may be a kernel that is not there.
            false => kid & any,
        };
        let (valid, hit) = match transaction.access {
            Access::Bubble { hit } => (false, hit),
            Access::Hit => (true, true),
            Access::Miss => (true, false),
        };
        let evicts = valid && !hit && transaction.victim_valid;
        *input = In {
            reset: transaction.reset,
            access_valid: valid,
            access_hit: hit,
            victim_valid: transaction.victim_valid,
            victim_owner: code(evicts, transaction.victim_owner),
            access_kid: code(valid, transaction.kid),
            snapshot: transaction.snapshot,
            read_victim: transaction.read.0 & any,
            read_aggressor: transaction.read.1 & any,
            read_live: transaction.live,
        };
    }

    fn draw(
        params: &Params,
        knobs: &Knobs,
        pace: &mut Pace,
        random: &mut Random,
        transaction: &mut Transaction,
    ) {
        let access = Access::new(random.chance(knobs.access), random.chance(knobs.hit));
        let noise = random.bits();
        let kid = pace.kid(knobs.kernels, random);
        let owner = match knobs.kernels {
            Kernels::Skewed if noise & 3 != 0 => pace.favourite(),
            // A kernel may be its own victim.
            _ if noise & 7 == 7 => kid,
            _ => (noise >> 8) as u8,
        };
        let code = 1 << id_w(params.kernels);
        *transaction = Transaction {
            reset: random.chance(knobs.reset),
            access,
            victim_valid: random.chance(victim(knobs)),
            victim_owner: owner,
            kid: match access {
                Access::Bubble { .. } => (noise >> 16) as u8,
                _ => kid,
            },
            snapshot: random.chance(knobs.snapshot),
            read: (random.below(code) as u8, random.below(code) as u8),
            live: random.chance(LIVE),
        };
    }

    fn far(params: &Params, random: &mut Random) -> Option<Model> {
        let mut model = Model::new(params.clone()).ok()?;
        near_limit(
            (params.kernels, params.kernels),
            params.cnt_w,
            DISTANCE,
            random,
            |victim, aggressor, count| {
                model.preset(victim, aggressor, count);
            },
        );
        Some(model)
    }
}
