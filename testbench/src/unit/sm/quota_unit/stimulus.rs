//! `quota_unit`: computations of quotas, let alone, dropped and started anew.

use cotenant_golden::sm::quota_unit::{In, Params, QuotaUnit as Model};
use cotenant_golden::sm::ByKernel;
use cotenant_golden::Model as _;
use serde::{Deserialize, Serialize};

use crate::unit::sm::stimulus::ready;
use crate::unit::sm::QuotaUnit;
use crate::verify::stimulus::values::ones;
use crate::verify::stimulus::{Drive, Knobs, Odds, Pace, Profile, Random};

/// What happens in a cycle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Transaction {
    /// Reset.
    pub reset: bool,
    /// What is under way is dropped, and all quotas are 1.
    pub clear: When,
    /// A computation is started.
    pub start: When,
    /// The kernels that take part; those that are not there are dropped.
    pub active: u64,
    /// Requests an instruction, by kernel, any codes; missing ones are 1. Of a kernel that takes
    /// part in a start, brought into the range that there is.
    pub ratio: Vec<u8>,
}

/// When a computation is started, or all is cleared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum When {
    /// Not in this cycle.
    Never,
    /// If none is under way.
    Idle,
    /// In the first cycle of one, which it drops.
    First,
    /// In the last cycle of one, which it drops.
    Last,
    /// In this cycle.
    Now,
}

impl Drive for QuotaUnit {
    type Transaction = Transaction;
    type World = ();
    const PROFILES: &'static [Profile] = &Profile::ALL;

    fn kernels(params: &Params) -> usize {
        params.kernels
    }

    fn world(_: &Params) {}

    fn idle(params: &Params) -> In {
        In {
            ratio: ratios(params, |_| 1),
            ..In::default()
        }
    }

    fn nothing(params: &Params) -> Transaction {
        Transaction {
            reset: false,
            clear: When::Never,
            start: When::Never,
            active: 0,
            ratio: vec![1; params.kernels],
        }
    }

    fn resolve(
        params: &Params,
        model: &Model,
        (): &mut (),
        transaction: &Transaction,
        input: &mut In,
    ) {
        let left = model.state().left;
        let now = |when| match when {
            When::Never => false,
            When::Idle => left == 0,
            When::First => left == params.latency() - 1,
            When::Last => left == 1,
            When::Now => true,
        };
        let start = now(transaction.start);
        let active = transaction.active & ones(params.kernels);
        let codes = ones(params.ratio_w());
        *input = In {
            reset: transaction.reset,
            clear: now(transaction.clear),
            start,
            active,
            ratio: ratios(params, |kernel| {
                let code = u64::from(transaction.ratio.get(kernel).map_or(1, |&code| code));
                match start && active >> kernel & 1 == 1 {
                    true if code == 0 => params.ratio_max,
                    true => (code - 1) % params.ratio_max + 1,
                    // Nobody looks.
                    false => code & codes,
                }
            }),
        };
    }

    fn draw(
        params: &Params,
        knobs: &Knobs,
        _: &mut Pace,
        random: &mut Random,
        transaction: &mut Transaction,
    ) {
        transaction.reset = random.chance(knobs.reset);
        transaction.clear = match random.below(128) {
            0..=3 if random.chance(knobs.invalidate) => When::Now,
            4 => When::First,
            5..=8 => When::Last,
            _ => When::Never,
        };
        transaction.start = match random.below(16) {
            0 if random.chance(knobs.snapshot) => When::Now,
            1 if random.chance(Odds::one_in(4)) => When::First,
            2 if random.chance(knobs.access) => When::Last,
            3..=7 if random.chance(knobs.access) => When::Idle,
            _ => When::Never,
        };
        if random.below(32) == 0 {
            transaction.clear = transaction.start;
        }
        transaction.active = match random.below(4) {
            0 => ready(knobs, params.kernels, random),
            _ => ones(params.kernels),
        };
        if random.below(16) == 0 {
            apart(params, random, transaction);
            return;
        }
        let alike = random.below(16) == 0;
        let near = random.chance(knobs.near);
        let codes = match near {
            true => 4,
            false => 1 << params.ratio_w(),
        };
        let first = random.below(codes) as u8;
        for ratio in &mut transaction.ratio {
            *ratio = match alike {
                true => first,
                false => random.below(codes) as u8,
            };
        }
    }
}

/// Ratios that make for the highest quotas: from the highest down, no two with a common divisor,
/// and one that is 1.
fn apart(params: &Params, random: &mut Random, transaction: &mut Transaction) {
    let coprime = |a: u64, b: u64| (2..=a.min(b)).all(|n| a % n != 0 || b % n != 0);
    let mut ratios: Vec<u64> = vec![1];
    for ratio in (2..=params.ratio_max).rev() {
        if ratios.iter().all(|&other| coprime(ratio, other)) {
            ratios.push(ratio);
        }
    }
    let turned = random.below(params.kernels);
    for (kernel, ratio) in transaction.ratio.iter_mut().enumerate() {
        let place = (kernel + turned) % params.kernels;
        *ratio = ratios.get(place).map_or(1, |&ratio| ratio as u8);
    }
    transaction.active = ones(params.kernels);
}

/// A packed port of a value a kernel.
fn ratios(params: &Params, of: impl FnMut(usize) -> u64) -> ByKernel {
    let ratios: Vec<u64> = (0..params.kernels).map(of).collect();
    // No unit has more kernels than it holds.
    ByKernel::try_from(&ratios[..]).unwrap_or_default()
}
