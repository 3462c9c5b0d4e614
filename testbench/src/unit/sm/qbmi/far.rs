//! States of `qbmi` far from reset: ratios that were measured, credit that was piled up.

use cotenant_golden::sm::qbmi::{In, Params, Qbmi as Model, State};
use cotenant_golden::sm::MAX_REQUESTS;

use crate::unit::prelude::*;
use crate::unit::sm::shared::{coprime, MOST_REQUESTS};

/// Quotas of ratios as drawn, credit piled up, all kernels' intervals close to their end; in
/// most, quotas of a new ratio are about to be computed. The model is in no computation.
pub(super) fn state(params: &Params, random: &mut Random) -> Option<Model> {
    let mut model = Model::new(params.clone()).ok()?;
    let interval = 1u64 << params.interval_w;
    if interval * params.kernels as u64 > MOST_REQUESTS {
        return None;
    }
    model.step(&In {
        launch: match random.below(4) {
            0 => random.bits() & ones(params.kernels) | 1,
            _ => ones(params.kernels),
        },
        ..In::default()
    });
    let changing = (random.below(4) > 0).then(|| random.below(params.kernels));
    let plans = Plan::of_all(params, changing, random);
    let request = |kid: usize, request_first: bool| In {
        request_valid: true,
        request_first,
        request_kid: kid as u8,
        ..In::default()
    };
    for (kid, plan) in plans.iter().enumerate() {
        for first in plan.requests(2) {
            model.step(&request(kid, first));
        }
    }
    settle(&mut model);
    if let Some(kid) = changing {
        for first in plans[kid].rest() {
            model.step(&request(kid, first));
        }
        while model.state().meter[kid].left > 0 {
            model.step(&In::default());
        }
    }
    let credits = credits(&plans, ones(params.quota_w()), random);
    for (kernel, quota) in credits.into_iter().enumerate() {
        if let Some(quota) = quota {
            model.preset(kernel, quota);
        }
    }
    Some(model)
}

/// Requests of an instruction: one, two, more, or at least as many as there can be.
pub(super) fn each(noise: u64) -> u64 {
    match noise & 7 {
        0 => 1,
        1 => 2,
        2..=3 => MAX_REQUESTS + (noise >> 3) % 8,
        _ => 1 + (noise >> 3) % MAX_REQUESTS,
    }
}

/// What a kernel requests before a far state: an interval of which its ratio is made, and another one
/// up to a few requests before its end.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plan {
    /// Requests of an interval.
    interval: u64,
    /// Requests per instruction of the first interval.
    measured: u64,
    /// Of the second one.
    next: u64,
    /// Requests that the second one lacks; at least one.
    left: u64,
}

impl Plan {
    /// Those of all kernels. The second interval of the one that is `changing` is about to end, and
    /// with it the ratios are mostly such that quotas of them are the highest. Where all ratios are
    /// equal, they are so before it ends or after.
    pub fn of_all(params: &Params, changing: Option<usize>, random: &mut Random) -> Vec<Self> {
        let (interval, most) = (1 << params.interval_w, params.ratio_max());
        let any = |random: &mut Random| 1 + random.below(MAX_REQUESTS as usize) as u64;
        let (ratios, before) = match random.below(4) {
            0 => (
                vec![each(random.bits()); params.kernels],
                random.below(4) > 0,
            ),
            1 => ((0..params.kernels).map(|_| any(random)).collect(), false),
            _ => (coprime(params.kernels, most, random), false),
        };
        let plans = ratios.into_iter().enumerate().map(|(kernel, ratio)| {
            let (measured, next) = match changing == Some(kernel) {
                true if before => (ratio, any(random)),
                true => (any(random), ratio),
                false => (ratio, each(random.bits())),
            };
            // As many instructions as requests: the next one begins one, later ones may not.
            let left = match next {
                1 => 1,
                _ => interval.min(1 + random.below(16) as u64),
            };
            Self {
                interval,
                measured,
                next,
                left,
            }
        });
        plans.collect()
    }

    /// Of the requests up to the few that the first or second interval lacks, whether each is its
    /// instruction's first.
    pub fn requests(&self, intervals: u64) -> impl Iterator<Item = bool> + use<> {
        let plan = *self;
        (0..intervals * plan.interval - plan.left).map(move |number| plan.is_first(number))
    }

    /// The same of those that the second interval lacks.
    pub fn rest(&self) -> impl Iterator<Item = bool> + use<> {
        let (plan, end) = (*self, 2 * self.interval);
        (end - plan.left..end).map(move |number| plan.is_first(number))
    }

    /// Whether the n-th request of the two intervals is its instruction's first, so that the ratios
    /// become these.
    fn is_first(&self, request: u64) -> bool {
        let interval = self.interval;
        let ratio = match request < interval {
            true => self.measured,
            false => self.next,
        };
        let instructions = ((interval + ratio / 2) / ratio).max(1);
        request % interval * instructions % interval < instructions
    }
}

/// What is left to each kernel in a far state, up to `most`; nothing in particular where it is none.
/// In some, kernels are at the most while the next grants of others add a set to all: in most of those
/// with equal ratios, whose set is the smallest.
pub(crate) fn credits(plans: &[Plan], most: u64, random: &mut Random) -> Vec<Option<u64>> {
    let equal = plans
        .windows(2)
        .all(|two| two[0].measured == two[1].measured);
    let apart = match equal {
        true => random.below(4) > 0,
        false => random.below(8) == 0,
    };
    let credit = |_: &Plan| match (apart, random.below(8)) {
        (true, 0..=3) => Some(most),
        (true, _) => Some(1),
        (false, 0) => Some(most - random.below(8) as u64),
        (false, 1) => Some(1 + (random.bits() & most)),
        (false, 2..=3) => Some(1 + random.below(8) as u64),
        (false, _) => None,
    };
    plans.iter().map(credit).collect()
}

/// Cycles of a far state: quotas are computed of the ratios there are, and some more.
pub(crate) fn cycles(params: &Params) -> (u64, u64) {
    let cycles = (params.latency() + 32).max(256);
    (cycles, cycles)
}

/// Something is under way that ends by itself.
pub(crate) fn busy(state: &State) -> bool {
    let issues = state.undeducted.iter().any(|&kernel| kernel != 0);
    let computes = state.dirty || state.unit.left > 0;
    issues || computes || state.meter.iter().any(|meter| meter.left > 0)
}

/// Cycles in which an idle unit has computed what it has to.
fn settle(model: &mut Model) {
    while busy(model.state()) {
        model.step(&In::default());
    }
}
