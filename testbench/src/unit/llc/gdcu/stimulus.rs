//! `gdcu`: accesses to sets in any state, snapshots and reads.

use cotenant_golden::llc::gdcu::{Gdcu as Model, In, Params};
use cotenant_golden::llc::{id_w, pos_w};
use serde::{Deserialize, Serialize};

use crate::unit::llc::demotion::stimulus::Access;
use cotenant_golden::Model as _;

use crate::unit::llc::counter_matrix::stimulus::{near_limit, DISTANCE, LIVE};
use crate::unit::llc::Gdcu;
use crate::verify::stimulus::values::ones;
use crate::verify::stimulus::{Drive, Kernels, Knobs, Pace, Profile, Random};

/// What happens in a cycle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Transaction {
    /// Reset.
    pub reset: bool,
    /// The access, if there is one.
    pub access: Access,
    /// The accessing kernel, modulo the number of kernels; also on the port of a bubble.
    pub kid: u8,
    /// Owner of the line in each position, modulo the number of kernels; missing ones are 0. At
    /// invalid positions any code that the port can carry.
    pub owner: Vec<u8>,
    /// Positions that hold a valid line; those beyond the ways are dropped.
    pub valid: u64,
    /// The period ends.
    pub snapshot: bool,
    /// Victim and aggressor of the counter to read, modulo the number of kernels.
    pub read: (u8, u8),
    /// The running counter is read, not the last period's.
    pub live: bool,
}

impl Drive for Gdcu {
    type Transaction = Transaction;
    type World = ();
    const PROFILES: &'static [Profile] = &Profile::ALL;

    fn kernels(params: &Params) -> usize {
        params.kernels
    }

    fn world(_: &Params) {}

    fn idle(params: &Params) -> In {
        In {
            stack_owner: vec![0; params.ways],
            ..In::default()
        }
    }

    fn nothing(params: &Params) -> Transaction {
        Transaction {
            reset: false,
            access: Access::Bubble { position: 0 },
            kid: 0,
            owner: vec![0; params.ways],
            valid: 0,
            snapshot: false,
            read: (0, 0),
            live: false,
        }
    }

    fn resolve(params: &Params, _: &Model, (): &mut (), transaction: &Transaction, input: &mut In) {
        let (ways, kernels) = (params.ways, params.kernels as u8);
        let any_kid = ones(id_w(params.kernels)) as u8;
        input.reset = transaction.reset;
        input.stack_valid = transaction.valid & ones(ways);
        input.access_valid = transaction.access.valid();
        let position = transaction.access.position(ways, input.stack_valid);
        // Nobody looks at a bubble, so its codes may be none.
        input.access_pos = position & ones(pos_w(ways)) as u8;
        input.access_kid = match input.access_valid {
            true => transaction.kid % kernels,
            false => transaction.kid & any_kid,
        };
        for (position, owner) in input.stack_owner.iter_mut().enumerate() {
            let code = transaction.owner.get(position).map_or(0, |&code| code);
            *owner = code & any_kid;
            if *owner >= kernels && input.stack_valid >> position & 1 == 1 {
                *owner = code % kernels;
            }
        }
        input.snapshot = transaction.snapshot;
        input.read_victim = transaction.read.0 % kernels;
        input.read_aggressor = transaction.read.1 % kernels;
        input.read_live = transaction.live;
    }

    fn draw(
        params: &Params,
        knobs: &Knobs,
        pace: &mut Pace,
        random: &mut Random,
        transaction: &mut Transaction,
    ) {
        transaction.reset = random.chance(knobs.reset);
        transaction.valid = knobs.valid(params.ways, random);
        transaction.access = Access::draw(knobs, params.ways, transaction.valid, random);
        transaction.kid = pace.kid(knobs.kernels, random);
        if let Access::Bubble { position } = &mut transaction.access {
            let noise = random.bits();
            *position = noise as u8;
            transaction.kid = (noise >> 8) as u8;
        }
        let favourite = pace.favourite();
        let skewed = knobs.kernels == Kernels::Skewed;
        // Now and then all lines are one kernel's, the accessor's or another's.
        let only = match random.below(8) {
            0 => Some(transaction.kid),
            1 => Some(random.below(params.kernels) as u8),
            _ => None,
        };
        for owners in transaction.owner.chunks_mut(8) {
            let mut bits = random.bits();
            for owner in owners {
                // The high bits choose a favourite, which leaves all codes to the others.
                *owner = match only {
                    Some(only) => only,
                    None if skewed && bits & 0xc0 != 0 => favourite,
                    None => bits as u8,
                };
                bits >>= 8;
            }
        }
        transaction.snapshot = random.chance(knobs.snapshot);
        transaction.read = (
            random.below(params.kernels) as u8,
            random.below(params.kernels) as u8,
        );
        transaction.live = random.chance(LIVE);
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
