//! Functional coverage of `quota_unit`: when computations start and are dropped; which powers of
//! primes divide a kernel's own ratio, another's, or none; quotas that are done.

use cotenant_golden::sm::quota_unit::{In, Params, QuotaUnit as Model};

use super::QuotaUnit;
use crate::unit::prelude::*;

collector! {
    /// Sorts starts, ratios and quotas.
    pub struct Collector {
        crosses { starts, ratios, divisors, quotas }
        params: Params,
        busy: u64,
        highest: u64,
        powers: Vec<u64>,
    }
}

/// Where a computation is.
const STEP: [&str; 4] = ["none", "first", "in the middle", "last"];
/// Whose ratio a power of a prime divides.
const DIVIDES: [&str; 3] = ["own", "another's only", "none"];
/// Kernels that take part.
const ACTIVE: [&str; 4] = ["none", "one", "several", "all"];
/// The highest quota that is done.
const QUOTA: [&str; 3] = ["1", "more", "the maximum"];

/// Powers of primes up to `most`.
fn prime_powers(most: u64) -> Vec<u64> {
    let prime = |n: u64| n > 1 && (2..n).all(|divisor| n % divisor != 0);
    let power = |n: &u64| {
        let root = (2..=*n).find(|&p| prime(p) && n % p == 0);
        root.is_some_and(|p| (1..=n.ilog2()).any(|e| p.checked_pow(e) == Some(*n)))
    };
    (2..=most).filter(power).collect()
}

impl Cover for QuotaUnit {
    type Collector = Collector;

    fn collector(params: &Params) -> Collector {
        let (kernels, most) = (params.kernels, params.ratio_max as usize);
        let powers = prime_powers(params.ratio_max);
        let names: Vec<String> = powers.iter().map(u64::to_string).collect();
        Collector {
            busy: params.latency() - 1,
            starts: Cross::named("starts")
                .axis("in progress", STEP)
                .flag("start")
                .flag("clear"),
            ratios: Cross::named("ratios")
                .numbers("kernel", kernels)
                .axis("ratio", (1..=most).map(|ratio| ratio.to_string())),
            divisors: Cross::named("divisors")
                .numbers("kernel", kernels)
                .axis("power", names)
                .axis("divides", DIVIDES)
                .without("there is only one kernel", move |at| {
                    kernels == 1 && at[2] == 1
                }),
            quotas: Cross::named("quotas")
                .axis("active", ACTIVE)
                .axis("highest", QUOTA)
                .without("one kernel alone has a quota of 1", move |at| {
                    at[0] < 2 && at[1] > 0 || kernels == 1 && at[0] == 3 && at[1] > 0
                })
                .without("there are too few kernels", move |at| {
                    kernels < 3 && at[0] == 2 || kernels < 2 && at[0] == 1
                })
                .without("the maximum needs more kernels", move |at| {
                    kernels > 2 && at[0] == 2 && at[1] == 2
                }),
            highest: params.quota_max(),
            powers,
            params: params.clone(),
        }
    }
}

impl Collector {
    fn start(&mut self, input: &In) {
        let active = |kernel: &usize| input.active >> kernel & 1 == 1;
        let ratio = |kernel: usize| input.ratio[kernel];
        let kernels: Vec<usize> = (0..self.params.kernels).filter(active).collect();
        for &kernel in &kernels {
            self.ratios.hit((kernel, ratio(kernel) as usize - 1));
            for (index, power) in self.powers.iter().enumerate() {
                let divides = |kernel: &usize| ratio(*kernel) % power == 0;
                let whose = match (divides(&kernel), kernels.iter().any(divides)) {
                    (true, _) => 0,
                    (false, true) => 1,
                    (false, false) => 2,
                };
                self.divisors.hit((kernel, index, whose));
            }
        }
        let lcm = kernels.iter().fold(1, |lcm, &kernel| {
            let ratio = ratio(kernel);
            (1..=ratio)
                .map(|n| n * lcm)
                .find(|m| m % ratio == 0)
                .unwrap_or(lcm)
        });
        let highest = kernels.iter().map(|&kernel| lcm / ratio(kernel)).max();
        let count = match kernels.len() {
            0 => 0,
            all if all == self.params.kernels => 3,
            1 => 1,
            _ => 2,
        };
        let quota = match highest.unwrap_or(1) {
            1 => 0,
            quota if quota == self.highest => 2,
            _ => 1,
        };
        self.quotas.hit((count, quota));
    }
}

impl Collect<QuotaUnit> for Collector {
    fn sample(&mut self, model: &Model, input: &In) {
        if input.reset {
            return;
        }
        let step = match model.state().left {
            0 => 0,
            1 => 3,
            left if left == self.busy => 1,
            _ => 2,
        };
        let flags = [input.start, input.clear].map(usize::from);
        self.starts.hit((step, flags[0], flags[1]));
        if input.start && !input.clear {
            self.start(input);
        }
    }
}
