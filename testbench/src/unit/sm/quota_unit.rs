//! `quota_unit` under test: stimulus, coverage, example waveform and invariants.
//!
//! Stimulus: computations of quotas, completed, dropped and restarted.
//!
//! Example waveform: quotas from ratios, by the pairs and the triple of kernels of the paper.
//!
//! Source: Dai et al., section 3.2 and table 2: bp makes 2 requests per instruction, sv 3, ks 17,
//! ax 11. The latency is that of the schedule: for each kernel a cycle and 40 steps.
//!
//! Facts: a schedule that does not depend on them.

mod coverage;

use cotenant_golden::sm::quota_unit::{In, Params, QuotaUnit as Model};
use cotenant_golden::sm::ByKernel;

use super::shared::{coprime, ready};
use crate::unit::prelude::*;

/// The unit [`quota_unit`](cotenant_golden::sm::quota_unit).
#[derive(Debug, Clone, Copy)]
pub struct QuotaUnit;

impl Interface for QuotaUnit {
    const NAME: &'static str = "quota_unit";
    const SUMMARY: &'static str =
        "computes quotas of memory instructions that give all kernels the same number of requests";
    const PLACE: Place = Place::Sm;
    type Model = Model;

    /// The model knows how long a computation takes, not its steps.
    fn working(flop: &str) -> bool {
        let compared = flop == "left" || flop == "done_register";
        !compared && !flop.starts_with("quota_register[")
    }

    fn probe(_: &Params, register: &str, at: &[usize]) -> Probe {
        Probe::Value(match register {
            "quota[]" => format!("quota_register[{}]", at[0]),
            "done" => "done_register".into(),
            other => other.into(),
        })
    }

    from_golden!();
}

/// What happens in a cycle.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Transaction {
    /// Reset.
    pub reset: bool,
    /// What is under way is dropped, and all quotas are 1.
    pub clear: When,
    /// A computation is started.
    pub start: When,
    /// The kernels that take part; those that are not there are dropped.
    pub active: u64,
    /// Requests per instruction, by kernel, any codes; missing ones are 1. Of a kernel that takes
    /// part in a start, brought into the range that there is.
    pub ratio: Vec<u8>,
}

/// When a computation is started, or all is cleared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum When {
    /// Not in this cycle.
    #[default]
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
            ratio: ByKernel::from_fn(params.kernels, |_| 1),
            ..In::default()
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
            ratio: ByKernel::from_fn(params.kernels, |kernel| {
                let code = u64::from(transaction.ratio.get(kernel).map_or(1, |&code| code));
                match start && active >> kernel & 1 == 1 {
                    true if code == 0 => params.ratio_max,
                    true => (code - 1) % params.ratio_max + 1,
                    // Ignored.
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
        transaction.ratio.resize(params.kernels, 1);
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
            let ratios = coprime(params.kernels, params.ratio_max, random);
            transaction.ratio = ratios.into_iter().map(|ratio| ratio as u8).collect();
            transaction.active = ones(params.kernels);
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

/// Cycles that a kernel takes, of ratios up to 32.
const CYCLES: usize = 41;

impl Teach for QuotaUnit {
    const SETS: &'static [&'static str] = &["2x32", "3x32"];

    fn scene(params: &Params) -> Scene<Self> {
        let start = |ratios: &[u64]| In {
            start: true,
            active: (1 << ratios.len()) - 1,
            // As many as there are kernels.
            ratio: ByKernel::try_from(ratios).unwrap_or_default(),
            ..In::default()
        };
        let idle = In {
            start: false,
            active: 0,
            ..start(&[1, 1, 1][..params.kernels])
        };
        let computes = |scene: Scene<Self>,
                        what: String,
                        ratios: &[u64],
                        quotas: &[u64],
                        why: &str| {
            let busy = CYCLES * params.kernels;
            scene
                .cycle(what, start(ratios))
                .then("busy", true)
                .then("left", busy as u64)
                .cycles(
                    format!("{busy} cycles, whatever the ratios: {CYCLES} per kernel, off the issue path."),
                    std::iter::repeat_n(idle, busy),
                )
                .folded()
                .sees("left", 1)
                .then("busy", false)
                .cycle(why, idle)
                .sees("done", true)
                .sees("quota", quotas)
                .then("done", false)
        };
        let scene = Scene::new("quotas that give the same number of requests")
            .rows(
                "ratios: requests per instruction",
                "start, active when start, ratio when start",
            )
            .rows("computation", "busy, left, done")
            .rows("quotas", "quota")
            .cycle(
                "Reset: all quotas are 1.",
                Self::cycle(params, |i| i.reset = true),
            )
            .then("busy", false);
        let scene = match params.kernels {
            2 => {
                let scene = computes(
                    scene,
                    "bp makes 2 requests per instruction, sv 3: their quotas are computed.".into(),
                    &[2, 3],
                    &[3, 2],
                    "The least common multiple of 2 and 3 is 6: bp may issue 3 instructions while sv issues 2.",
                );
                computes(
                    scene,
                    "Beside bp, ks makes 17 requests per instruction.".into(),
                    &[2, 17],
                    &[17, 2],
                    "bp may issue 17 instructions while ks issues 2: 34 requests each.",
                )
            }
            _ => computes(
                scene,
                "sv makes 3 requests per instruction, ks 17, ax 11: their quotas are computed."
                    .into(),
                &[3, 17, 11],
                &[187, 33, 51],
                "The least common multiple is 561: 187, 33 and 51 instructions, 561 requests each.",
            ),
        };
        let clear = Self::cycle(params, |i| i.clear = true);
        let ones = vec![1; params.kernels];
        scene
            .cycle("A kernel starts or ends: quotas restart at 1.", clear)
            .then("quota", &ones[..])
            .cycle("All are equal until the next computation is done.", idle)
    }
}

/// Cycles that a kernel takes, the one that begins it included.
fn steps(params: &Params) -> usize {
    (params.latency() as usize - 1) / params.kernels
}

impl Facts for QuotaUnit {
    fn invariants(params: &Params, terms: &mut Terms<'_>) -> Vec<Term> {
        let steps = steps(params);
        let [left, step] = terms.flops(["left", "step"]);
        let mut all = vec![
            terms.below(left, steps * params.kernels + 1),
            terms.below(step, steps),
        ];
        for at in 1..=steps * params.kernels {
            let here = terms.is(left, at);
            let scheduled = terms.is(step, (steps - at % steps) % steps);
            all.push(terms.implies(here, scheduled));
        }
        all
    }

    /// The prime powers until the last kernel has begun, those still to be multiplied and the product
    /// after a kernel has begun, finished quotas until all are.
    fn matters(params: &Params, flop: &str, terms: &mut Terms<'_>) -> Option<Term> {
        let steps = steps(params);
        let [left, step] = terms.flops(["left", "step"]);
        let idle = terms.is(left, 0);
        let busy = terms.not(idle);
        let (name, index) = match flop.split_once('[') {
            Some((name, index)) => (name, index.trim_end_matches(']').parse().ok()?),
            None => (flop, 0usize),
        };
        match name {
            "step" => Some(busy),
            "powers" | "members" => {
                let last = terms.below(left, steps);
                Some(terms.not(last))
            }
            "product" | "partial" => {
                let begins = terms.is(step, 0);
                let goes_on = terms.not(begins);
                Some(terms.all([busy, goes_on]))
            }
            // The lowest bit is of the prime power whose turn it is; above those that are left there
            // is nothing.
            "missing" => {
                let begins = terms.is(step, 0);
                let goes_on = terms.not(begins);
                let firsts = first_steps(params);
                let bits = firsts.iter().skip(1).rev().map(|&first| {
                    let comes = terms.below(step, first);
                    terms.all([busy, goes_on, comes])
                });
                let bits = bits.collect();
                Some(terms.word(bits))
            }
            "waiting" => {
                let filled = terms.below(left, (index + 1) * steps + 1);
                Some(terms.all([busy, filled]))
            }
            _ => None,
        }
    }
}

/// The prime powers up to the largest ratio, each behind its prime, in the order of their bits.
fn prime_powers(params: &Params) -> Vec<(usize, usize)> {
    let most = params.ratio_max as usize;
    let prime = |n: &usize| (2..*n).all(|divisor| n % divisor != 0);
    let powers = (2..=most).filter(prime).flat_map(|prime| {
        std::iter::successors(Some(prime), move |power| Some(power * prime))
            .take_while(|&power| power <= most)
            .map(move |power| (prime, power))
    });
    powers.collect()
}

/// The step in which the multiplication with each of them begins, of a bit of the prime each below its
/// leading one, and the one behind the last.
fn first_steps(params: &Params) -> Vec<usize> {
    let mut firsts = vec![1];
    for (prime, _) in prime_powers(params) {
        firsts.push(firsts[firsts.len() - 1] + prime.ilog2() as usize);
    }
    firsts
}

/// What follows where only such `ratios` come: no prime power that divides none of them, and none
/// among those still to be multiplied, the lowest first.
pub(crate) fn factors(params: &Params, ratios: &[usize], terms: &mut Terms<'_>) -> Vec<Term> {
    let occurs = |power: usize| ratios.iter().any(|ratio| ratio % power == 0);
    let occurs: Vec<bool> = prime_powers(params)
        .into_iter()
        .map(|(_, power)| occurs(power))
        .collect();
    let mut all = Vec::new();
    let missing = terms.flop("missing");
    for bit in 0..occurs.len() {
        if !occurs[bit] {
            for kernel in 0..params.kernels {
                let powers = terms.flop(&format!("powers[{kernel}]"));
                let set = terms.bit(powers, bit);
                all.push(terms.not(set));
            }
        }
        if !occurs[bit..].contains(&true) {
            let set = terms.bit(missing, bit);
            all.push(terms.not(set));
        }
    }
    all
}
