//! `counter_matrix`: increments, snapshots and reads.

use cotenant_golden::llc::counter_matrix::{CounterMatrix as Model, In, Params};
use cotenant_golden::llc::id_w;
use cotenant_golden::Model as _;
use serde::{Deserialize, Serialize};

use crate::unit::llc::CounterMatrix;
use crate::verify::stimulus::values::ones;
use crate::verify::stimulus::{Drive, Fill, Knobs, Odds, Pace, Profile, Random};

/// How far from their limit, as a power of two, counters are in a state near it.
pub(in crate::unit) const DISTANCE: usize = 6;

/// What happens to the counters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Transaction {
    /// Reset.
    pub reset: bool,
    /// There are increments.
    pub valid: bool,
    /// The aggressor, modulo the number of kernels; also on the port when there are none.
    pub kid: u8,
    /// Events of each victim, cut to the width of an increment; missing ones are 0.
    pub inc: Vec<u32>,
    /// The period ends.
    pub snapshot: bool,
    /// Victim and aggressor of the counter to read, modulo the number of kernels.
    pub read: (u8, u8),
    /// The running counter is read, not the last period's.
    pub live: bool,
}

/// How often the running counters are read.
pub(in crate::unit) const LIVE: Odds = Odds::one_in(3);

impl Drive for CounterMatrix {
    type Transaction = Transaction;
    type World = ();
    const PROFILES: &'static [Profile] = &[
        Profile::Uniform,
        Profile::Skewed,
        Profile::PingPong,
        Profile::Bursts,
        Profile::Hits,
        Profile::Saturation,
        Profile::Idle,
        Profile::Storms,
    ];

    fn kernels(params: &Params) -> usize {
        params.kernels
    }

    fn world(_: &Params) {}

    fn idle(params: &Params) -> In {
        In {
            inc: vec![0; params.kernels],
            ..In::default()
        }
    }

    fn nothing(params: &Params) -> Transaction {
        Transaction {
            reset: false,
            valid: false,
            kid: 0,
            inc: vec![0; params.kernels],
            snapshot: false,
            read: (0, 0),
            live: false,
        }
    }

    fn resolve(params: &Params, _: &Model, (): &mut (), transaction: &Transaction, input: &mut In) {
        let kernels = params.kernels as u8;
        input.reset = transaction.reset;
        input.inc_valid = transaction.valid;
        input.inc_kid = match transaction.valid {
            true => transaction.kid % kernels,
            // Nobody looks, so it may be a kernel that is not there.
            false => transaction.kid & ones(id_w(params.kernels)) as u8,
        };
        let most = ones(params.inc_w) as u32;
        for (victim, events) in input.inc.iter_mut().enumerate() {
            *events = transaction
                .inc
                .get(victim)
                .map_or(0, |events| events & most);
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
        let most = ones(params.inc_w);
        transaction.reset = random.chance(knobs.reset);
        transaction.valid = random.chance(knobs.access);
        transaction.kid = pace.kid(knobs.kernels, random);
        if !transaction.valid {
            transaction.kid = random.bits() as u8;
        }
        let small = random.chance(knobs.hit);
        for events in &mut transaction.inc {
            let bits = random.bits();
            *events = match (knobs.fill, bits >> 61) {
                (Fill::Full, 1..) | (_, 7) => most,
                (_, 6) => 0,
                _ if small => bits & 3 & most,
                _ => bits & most,
            } as u32;
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

/// Counters less than two to the `distance` events below their limit, some beyond it, and others
/// that are neither.
pub(in crate::unit) fn near_limit(
    (rows, kernels): (usize, usize),
    cnt_w: usize,
    distance: usize,
    random: &mut Random,
    mut preset: impl FnMut(usize, usize, u64),
) {
    for victim in 0..rows {
        for aggressor in 0..kernels {
            if random.chance(Odds::all_but_one_in(4)) {
                // One event below as often as many.
                let magnitude = random.below(distance + 1);
                let distance = random.below(1 << magnitude) as u64;
                let beyond = random.chance(Odds::one_in(8));
                preset(
                    victim,
                    aggressor,
                    match beyond {
                        true => u64::MAX,
                        false => ones(cnt_w) - distance,
                    },
                );
            }
        }
    }
}
