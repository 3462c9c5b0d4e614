//! `quota_unit`: how many memory instructions each kernel may issue so that all make the same
//! number of requests.
//!
//! Source: the paper, section 3.2:
//!
//! > quota of kernel *i* = LCM of the ratios of all kernels / ratio of kernel *i*.
//!
//! Timing: sequential and off the issue path (section 4.4: "not on the critical path"). A start at
//! cycle t takes the inputs of that cycle; `busy` is high from t + 1 to t + *L* - 1, and the
//! quotas and `done` show at t + *L*, where *L* = [`Params::latency`] depends on no data.
//!
//! ASSUMPTION: inactive kernels take no part; their quota is 1.
//! ASSUMPTION: a start before the unit is done drops what is under way, in its last cycle too.
//! ASSUMPTION: the latency is that of a fixed schedule: a kernel takes a cycle to begin, and for
//! each prime power up to `ratio_max` one cycle per bit of the prime below its leading one.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{has, ByKernel, MAX_KERNELS, MAX_REQUESTS};
use crate::llc::clog2;
use crate::model::{Model, ParamError, Part, Violation};
use crate::ports::{Parameters, Ports, Registers};
use crate::rules::*;

/// Parameters of [`QuotaUnit`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Parameters)]
pub struct Params {
    /// Kernels, 1 to [`MAX_KERNELS`].
    #[range(1..=MAX_KERNELS)]
    pub kernels: usize,
    /// The largest ratio, 2 to 32.
    #[range(2..=MAX_REQUESTS)]
    pub ratio_max: u64,
}

impl Params {
    /// Width of a ratio.
    pub fn ratio_w(&self) -> usize {
        clog2(self.ratio_max as usize + 1)
    }

    /// The largest quota: the LCM of the ratios of all kernels but one, whose ratio is 1.
    ///
    /// An LCM is also that of numbers that share no prime, each a divisor of one of its own, and
    /// then it is their product. So only such numbers are tried.
    pub fn quota_max(&self) -> u64 {
        /// The largest product of up to `left` numbers up to `top` and `product`, all coprime.
        fn search(top: u64, left: usize, product: u64, best: &mut u64) {
            *best = product.max(*best);
            let bound = u128::from(product) * u128::from(top).pow(left as u32);
            if left == 0 || top < 2 || bound <= u128::from(*best) {
                return;
            }
            if gcd(product, top) == 1 {
                search(top - 1, left - 1, product * top, best);
            }
            search(top - 1, left, product, best);
        }
        let mut best = 1;
        search(self.ratio_max, self.kernels - 1, 1, &mut best);
        best
    }

    /// Width of a quota.
    pub fn set_w(&self) -> usize {
        bits(self.quota_max())
    }

    /// Cycles from a start to the new quotas.
    pub fn latency(&self) -> u64 {
        self.busy() + 1
    }

    /// Cycles in which the unit is busy.
    fn busy(&self) -> u64 {
        let is_prime = |n: &u64| (2..*n).all(|divisor| n % divisor != 0);
        let powers = |prime: u64| (1..).take_while(move |&e| prime.pow(e) <= self.ratio_max);
        let cycles_of = |prime: u64| u64::from(prime.ilog2()) * powers(prime).count() as u64;
        let steps: u64 = (2..=self.ratio_max).filter(is_prime).map(cycles_of).sum();
        self.kernels as u64 * (1 + steps)
    }
}

/// The greatest number that divides both.
fn gcd(a: u64, b: u64) -> u64 {
    match b {
        0 => a,
        _ => gcd(b, a % b),
    }
}

/// Bits of a number, at least 1.
pub(super) fn bits(number: u64) -> usize {
    number.max(1).ilog2() as usize + 1
}

/// Input ports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, Ports)]
pub struct In {
    /// Synchronous reset.
    pub reset: bool,
    /// All quotas become 1 and any computation is aborted; has priority over `start`.
    pub clear: bool,
    /// Compute the quotas of the kernels as they are in this cycle.
    pub start: bool,
    /// The kernels that take part.
    #[port([1; p.kernels])]
    pub active: u64,
    /// Requests per instruction; 1 to `ratio_max` for active kernels at a start.
    #[port([p.ratio_w(); p.kernels])]
    pub ratio: ByKernel,
}

/// Output ports, all registered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, Ports)]
pub struct Out {
    /// A computation is under way.
    pub busy: bool,
    /// The quotas are new in this cycle.
    pub done: bool,
    /// Instructions that make the same number of requests for all active kernels; `set_w` bits.
    #[port([p.set_w(); p.kernels])]
    pub quota: ByKernel,
}

/// Registers. Those of the computation's steps are not here.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Registers)]
pub struct State {
    /// By kernel; `set_w` bits. Reset: 1.
    #[register([p.set_w(); p.kernels])]
    pub quota: Vec<u64>,
    /// Cycles until the quotas under way are loaded; 0 when none are. Reset: 0.
    #[register(clog2(p.latency() as usize))]
    pub left: u64,
    /// They were loaded at the last edge. Reset: 0.
    pub done: bool,
}

/// The model.
#[derive(Debug, Clone)]
pub struct QuotaUnit {
    params: Params,
    state: State,
    // Cycles that a computation takes.
    busy: u64,
    // The quotas that show when `left` has run out.
    next: ByKernel,
    rules: Arc<Rules<In, State>>,
}

impl QuotaUnit {
    /// The quotas, by definition. A ratio of 0, which is not legal, counts as 1.
    fn quotas(&self, input: &In) -> ByKernel {
        let ratio = |kernel: usize| input.ratio.get(kernel).map_or(1, |&ratio| ratio.max(1));
        let active = || (0..self.params.kernels).filter(|&kernel| has(input.active, kernel));
        let lcm = active().map(ratio).fold(1, |a, b| a / gcd(a, b) * b);
        ByKernel::from_fn(self.params.kernels, |kernel| {
            match has(input.active, kernel) {
                true => lcm / ratio(kernel),
                false => 1,
            }
        })
    }

    fn clear(&mut self) {
        self.state.quota.fill(1);
        (self.state.left, self.state.done) = (0, false);
    }
}

impl Model for QuotaUnit {
    type Params = Params;
    type In = In;
    type Out = Out;
    type State = State;

    fn new(params: Params) -> Result<Self, ParamError> {
        params.check_ranges()?;
        let state = State {
            quota: vec![1; params.kernels],
            ..State::default()
        };
        Ok(Self {
            busy: params.busy(),
            rules: Arc::new(Self::rules(&params)),
            params,
            state,
            next: ByKernel::default(),
        })
    }

    fn params(&self) -> &Params {
        &self.params
    }

    fn reset(&mut self) {
        self.clear();
    }

    fn step(&mut self, input: &In) -> Out {
        let out = Out {
            busy: self.state.left > 0,
            done: self.state.done,
            quota: ByKernel::copied(&self.state.quota),
        };
        if input.reset || input.clear {
            self.clear();
            return out;
        }
        self.state.done = false;
        if input.start {
            self.next = self.quotas(input);
            self.state.left = self.busy;
        } else if self.state.left > 0 {
            self.state.left -= 1;
            if self.state.left == 0 {
                self.state.quota.copy_from_slice(&self.next);
                self.state.done = true;
            }
        }
        out
    }

    fn state(&self) -> &State {
        &self.state
    }

    fn rules(p: &Params) -> Rules<In, State> {
        let known_ratio = each(0..p.kernels, |kernel| {
            let ratio = || input!(ratio[kernel]);
            let known = ratio().at_least(1usize).and(ratio().at_most(p.ratio_max));
            input!(active[kernel]).implies(known)
        });
        Rules::new().legal(
            "known_ratios",
            "The ratios of the kernels that take part are some that there are.",
            input!(start).implies(known_ratio),
        )
    }

    fn assume(&self, input: &In) -> Result<(), Violation> {
        self.rules.check(&self.params, input, &self.state)
    }
}

impl Part for QuotaUnit {
    fn registers(&mut self) -> &mut State {
        &mut self.state
    }
}

#[cfg(test)]
mod tests;
