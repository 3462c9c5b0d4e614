//! `mem_issue`: kernels that want to issue, and the LSU that answers what is granted.
//!
//! The loop is closed: an instruction that the model grants goes into a small LSU
//! ([`lsu`]), makes its requests there, each of which is accepted or
//! refused, and completes when all its responses are back. A transaction says which kernels want to
//! issue, how many requests an instruction granted in this cycle makes, by kernel, and whether a
//! request that is tried in this cycle hits, by kernel. So limits and grants change what comes
//! next.
//!
//! Instructions that the model has in flight and the LSU does not know, as in a far state, complete
//! when the transaction says so.

use std::collections::VecDeque;

use cotenant_golden::sm::lsu::{self, Draw, Latency, Lsu};
use cotenant_golden::sm::mem_issue::{In, MemIssue as Model, Params, Priority, State};
use cotenant_golden::sm::{MAX_KERNELS, MAX_REQUESTS};

use super::MemIssue;
use crate::unit::prelude::*;
use crate::unit::sm::milg;
use crate::unit::sm::qbmi::far::{self, Plan};
use crate::unit::sm::qbmi::stimulus::Reset;
use crate::unit::sm::shared::{
    accepted, draw_kernels, failures, ready, Exit, Launch, Traffic, MOST_IN_FLIGHT, MOST_REQUESTS,
};
use crate::unit::sm::smil::Limit;

/// What happens in a cycle.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Transaction {
    /// Reset.
    pub reset: Reset,
    /// Kernels that start.
    pub launch: Launch,
    /// Kernels that end.
    pub exit: Exit,
    /// Kernels with an instruction to issue; those that are not there are dropped.
    pub want: u64,
    /// Requests of an instruction that is granted, by kernel, 1 to 32 counted around; missing ones
    /// are 1.
    pub requests: Vec<u8>,
    /// Kernels whose request hits, if it is at the head of the LSU.
    pub hit: u64,
    /// Cycles until the response to a miss.
    pub latency: u32,
    /// Kernels of which an instruction completes that the LSU does not know, if there is one.
    pub complete: u64,
    /// The limit of a kernel is set: which, modulo the number of kernels, and to what.
    pub set: Option<(u8, Limit)>,
    /// Values of the ports that are ignored.
    pub noise: u64,
}

/// The LSU, and what it does not tell of itself.
#[derive(Debug, Clone)]
pub struct World {
    lsu: Lsu,
    /// Kernel and requests to come of each instruction that waits, the head in front.
    waiting: VecDeque<(u8, u8)>,
    /// Instructions that have not completed, by kernel.
    in_flight: [u64; MAX_KERNELS],
}

/// Instructions that wait in the LSU.
const DEPTH: usize = 4;
/// The paper's table 1.
const MSHRS: usize = 128;

impl World {
    fn new(params: &Params) -> Self {
        // As many misses as there can be instructions in flight, and a memory that is slower than
        // that: with all of them in use a request waits for two or three cycles.
        let mshrs = MSHRS.min(1 << params.count_w.min(16));
        let params = lsu::Params {
            kernels: params.kernels.clamp(1, MAX_KERNELS),
            depth: DEPTH,
            mshrs,
            hit_latency: 3,
            miss_latency: Latency {
                min: 4,
                max: 3 * mshrs as u32,
            },
        };
        Self {
            lsu: Lsu::new(params).expect("the kernels are in range, and so is the rest"),
            waiting: VecDeque::new(),
            in_flight: [0; MAX_KERNELS],
        }
    }

    fn reset(&mut self) {
        self.lsu.reset();
        self.waiting.clear();
        self.in_flight.fill(0);
    }

    /// The kernel at the head.
    fn head(&self) -> Option<u8> {
        self.waiting.front().map(|&(kid, _)| kid)
    }

    /// The first half of a cycle; the LSU's share of the inputs.
    fn offer(&mut self, transaction: &Transaction, input: &mut In) {
        let offer = self.lsu.offer(&Draw {
            hit: self
                .head()
                .is_some_and(|kid| transaction.hit >> kid & 1 == 1),
            latency: transaction.latency,
        });
        input.lsu_ready = offer.lsu_ready;
        input.request_valid = offer.request_valid;
        input.request_first = offer.request_first;
        input.fail_valid = offer.fail_valid;
        input.lsu_kid = offer.lsu_kid;
        input.complete = offer.complete;
        if offer.request_valid {
            if let Some((_, left)) = self.waiting.front_mut() {
                *left -= 1;
                if *left == 0 {
                    self.waiting.pop_front();
                }
            }
        }
        for (kernel, count) in self.in_flight.iter_mut().enumerate() {
            *count -= offer.complete >> kernel & 1;
        }
    }

    /// The second half: an instruction that the unit granted.
    fn issue(&mut self, kid: u8, transaction: &Transaction) {
        let code = transaction
            .requests
            .get(usize::from(kid))
            .map_or(0, |n| n.wrapping_sub(1));
        let requests = code % MAX_REQUESTS as u8 + 1;
        // It has offered to take one.
        if self.lsu.issue(kid, requests.into()).is_ok() {
            self.waiting.push_back((kid, requests));
            self.in_flight[usize::from(kid)] += 1;
        }
    }
}

/// Instructions of a kernel in flight.
fn in_flight(state: &State, kernel: usize) -> u64 {
    let milg = state.milg.get(kernel).map(|milg| milg.in_flight);
    milg.or(state.smil.get(kernel).map(|smil| smil.in_flight))
        .unwrap_or(0)
}

/// The inputs that make a transaction happen in this state; the world goes through the same cycle.
pub(crate) fn resolve(
    params: &Params,
    state: &State,
    world: &mut World,
    transaction: &Transaction,
    input: &mut In,
) {
    let kernels = params.kernels;
    let counts = || (0..kernels).map(|kernel| in_flight(state, kernel));
    // Another model than the one that the LSU has answered so far.
    if counts()
        .zip(world.in_flight)
        .any(|(model, lsu)| lsu > model)
    {
        world.reset();
    }
    let unknown: u64 = counts()
        .zip(world.in_flight)
        .enumerate()
        .map(|(kernel, (model, lsu))| u64::from(model > lsu) << kernel)
        .sum();
    world.offer(transaction, input);
    // One per kernel and cycle.
    input.complete |= transaction.complete & unknown;
    if !(input.request_valid || input.fail_valid) {
        input.lsu_kid = transaction.noise as u8 & ones(id_w(kernels)) as u8;
        input.request_first = transaction.noise >> 8 & 1 == 1;
    }
    let milg = &state.milg;
    let bits_left = |ended| milg::bits_left(&params.milg(), ended);
    let divides = milg.iter().any(|milg| milg.ended.map_or(0, bits_left) > 0);
    let last = ones(params.milg().interval_w);
    let ends = milg.iter().any(|milg| milg.requests == last);
    let qbmi = state.qbmi.as_ref();
    input.reset = transaction.reset.now(qbmi, divides, ends);
    input.launch = transaction.launch.mask(kernels, state.active);
    input.exit = transaction.exit.mask(kernels);
    input.want = transaction.want & ones(kernels);
    input.set_valid = transaction.set.is_some();
    let (kid, limit) = match transaction.set {
        Some((kid, limit)) => (kid % kernels as u8, limit),
        None => {
            let kid = (transaction.noise >> 16) as u8 & ones(id_w(kernels)) as u8;
            (kid, Limit::Lifted(transaction.noise >> 24))
        }
    };
    input.set_kid = kid;
    let in_flight = match usize::from(kid) < kernels {
        true => in_flight(state, kid.into()),
        false => 0,
    };
    (input.set_limit, input.set_unlimited) =
        limit.resolve(input.set_valid, params.limit_w, in_flight);
    if input.reset {
        world.reset();
    } else if let Some(kid) = state.grant(input) {
        world.issue(kid, transaction);
    }
}

impl Drive for MemIssue {
    type Transaction = Transaction;
    type World = World;
    const PROFILES: &'static [Profile] = &Profile::ALL;
    const FAR_STARTS: u64 = 64;

    fn kernels(params: &Params) -> usize {
        params.kernels
    }

    fn world(params: &Params) -> World {
        World::new(params)
    }

    fn resolve(
        params: &Params,
        model: &Model,
        world: &mut World,
        transaction: &Transaction,
        input: &mut In,
    ) {
        resolve(params, model.state(), world, transaction, input);
    }

    fn draw(
        params: &Params,
        knobs: &Knobs,
        pace: &mut Pace,
        random: &mut Random,
        transaction: &mut Transaction,
    ) {
        let kernels = params.kernels;
        transaction.reset = Reset::draw(knobs, random);
        (transaction.launch, transaction.exit) = draw_kernels(knobs, params.kernels, pace, random);
        transaction.want = match random.chance(knobs.access) {
            true => ready(knobs, kernels, random) | 1 << pace.kid(knobs.kernels, random),
            false => 0,
        };
        let noise = random.bits();
        (transaction.hit, transaction.complete) = (0, 0);
        transaction.requests.resize(kernels, 1);
        for (kernel, requests) in transaction.requests.iter_mut().enumerate() {
            let character = pace.character(kernel as u8);
            let mean = match knobs.near == Odds::NEVER {
                true => 1 + (character >> 16) as u8 % MAX_REQUESTS as u8,
                false => 1 + (character >> 16) as u8 % 4,
            };
            // Mostly as the kernel's are, sometimes any.
            *requests = match noise >> (2 * kernel) & 3 {
                0 => 1 + random.below(MAX_REQUESTS as usize) as u8,
                _ => mean,
            };
            let hits = accepted(knobs, character, random);
            transaction.hit |= u64::from(hits) << kernel;
            let completes = random.chance(Traffic::new(knobs, character).complete);
            transaction.complete |= u64::from(completes) << kernel;
        }
        // Mostly a slow memory.
        transaction.latency = match noise >> 62 {
            0 => (noise >> 32) as u32 % 512,
            _ => 256 + (noise >> 32) as u32 % 256,
        };
        let set = random.chance(knobs.snapshot);
        transaction.set = set.then(|| (random.below(kernels) as u8, Limit::draw(knobs, random)));
        transaction.noise = random.bits();
    }

    /// Long enough for new quotas.
    fn far_cycles(params: &Params) -> (u64, u64) {
        far::cycles(&params.qbmi())
    }

    /// Kernels with instructions in flight, close to the end of their intervals, with many
    /// failures and credit piled up; in most, quotas are about to be computed. The model is in no
    /// computation of quotas.
    fn far(params: &Params, random: &mut Random) -> Option<Model> {
        let mut model = Model::new(params.clone()).ok()?;
        let interval = 1u64 << params.interval_w;
        if interval * params.kernels as u64 > MOST_REQUESTS {
            return None;
        }
        let all = ones(params.kernels);
        model.step(&Self::cycle(params, |i| i.launch = all));
        let most = ones(params.count_w) as usize;
        for kid in 0..params.kernels as u8 {
            let wanted = match random.below(8) {
                0..=1 => most,
                2 => most - 1,
                // Fewer than the failures per request.
                3..=5 => random.below(3).min(most),
                _ => random.below(most + 1),
            };
            for _ in 0..wanted.min(MOST_IN_FLIGHT as usize) {
                model.step(&In {
                    want: 1 << kid,
                    lsu_ready: true,
                    ..In::default()
                });
            }
        }
        let measures = params.priority == Priority::Qbmi;
        let changing = (measures && random.below(4) > 0).then(|| random.below(params.kernels));
        let plans = Plan::of_all(&params.qbmi(), changing, random);
        let request = |kid: usize, request_first: bool| In {
            request_valid: true,
            request_first,
            lsu_kid: kid as u8,
            ..In::default()
        };
        for (kid, plan) in plans.iter().enumerate() {
            let intervals = match changing == Some(kid) {
                true => 2,
                false => 1 + u64::from(random.below(4) > 0),
            };
            for (number, first) in (1..).zip(plan.requests(intervals)) {
                if number == interval {
                    let failures = failures(params.fail_w, params.interval_w, random);
                    model.preset_failures(kid, failures);
                }
                model.step(&request(kid, first));
            }
        }
        settle(&mut model);
        if let Some(kid) = changing {
            for first in plans[kid].rest() {
                model.step(&request(kid, first));
            }
            let left = |model: &Model| {
                let qbmi = model.state().qbmi.as_ref();
                qbmi.map_or(0, |qbmi| qbmi.meter[kid].left)
            };
            while left(&model) > 0 {
                model.step(&In::default());
            }
        }
        let most = ones(params.qbmi().quota_w());
        let credits = far::credits(&plans, most, random);
        for (kernel, quota) in credits.into_iter().enumerate() {
            let failures = failures(params.fail_w, params.interval_w, random);
            model.preset_failures(kernel, failures);
            if let Some(quota) = quota {
                model.preset_quota(kernel, quota);
            }
        }
        Some(model)
    }
}

/// Cycles in which an idle unit has computed what it has to.
fn settle(model: &mut Model) {
    while model.state().qbmi.as_ref().is_some_and(far::busy) {
        model.step(&In::default());
    }
}
