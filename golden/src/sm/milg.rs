//! `milg`: the memory instruction limiting number generator of one kernel.
//!
//! Source: the paper, section 3.3.2 (DMIL), figure 10, and section 4.4 for the widths: a 7-bit
//! counter of instructions in flight, a 12-bit counter of reservation failures, a 10-bit counter
//! of requests, and a shift by 10.
//!
//! The kernel may issue a memory instruction while fewer are in flight than its limit. At the end
//! of every interval of 2^`interval_w` requests of the kernel,
//!
//! > limit = max(peak in flight / (failures >> `interval_w`), 1),
//!
//! truncating, and a new interval begins: no failures, and a peak that is the present count.
//!
//! Timing: the request that ends an interval comes at cycle t. The peak of the counts up to that
//! of t + 1 is known in t + 1. With less than one failure per request, the limit is released at
//! t + 2; else the division takes one cycle per quotient bit from there and the limit shows at
//! t + `count_w` + 2. A launch at t removes the limit at t + 1, and drops an interval that ended at
//! t - 1 or t.
//!
//! ASSUMPTION: the failures saturate at 2^`fail_w` - 1. With the paper's widths the divisor is 0
//! to 3.
//! ASSUMPTION: a divisor of 0, which the formula leaves undefined, releases the limit as
//! [`Release`] says. A limit also rises where a kernel has more in flight than its new limit, since
//! the next peak starts from that count: with 3 in flight a limit of 1 becomes 3 if the next
//! divisor is 1.
//! ASSUMPTION: "no limit" is a flag of its own, and the state after reset and launch. Even then
//! no more than 2^`count_w` - 1 instructions are in flight, so that the count stays exact: the
//! paper's maximum of 128 does not fit its 7 bits.
//! ASSUMPTION: the peak counts an issue in the cycle that ends the interval, for both intervals.
//! ASSUMPTION: a launch restarts the interval and removes the limit, but keeps the count in
//! flight: responses to the kernel before are still out. An interval of the kernel before whose
//! limit is not yet there sets none.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::MAX_W;
use crate::llc::clog2;
use crate::model::{limit, Model, ParamError, Part, Violation};
use crate::ports::{Parameters, Ports, Registers};
use crate::rules::*;

/// What an interval with less than one failure per request does to the limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Release {
    /// No limit from then on: the literal reading of a division by zero.
    Unlimited,
    /// The limit doubles; from half the count's range up there is none from then on.
    Double,
}

/// The RTL's parameter `RELEASE`: 0 or 1.
impl TryFrom<usize> for Release {
    type Error = ParamError;

    fn try_from(code: usize) -> Result<Self, ParamError> {
        ParamError::range("release", code as u64, 0, 1)?;
        Ok([Self::Unlimited, Self::Double][code])
    }
}

/// Parameters of [`Milg`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Parameters)]
pub struct Params {
    /// Width of the count in flight in bits, 1 to 32 and below 2^`interval_w`: a division ends
    /// before the peak of the next interval is known.
    #[range(1..=limit(p.interval_w).min(MAX_W as u64))]
    pub count_w: usize,
    /// Width of the failure counter in bits, `interval_w` + 1 to 63.
    #[range(p.interval_w + 1..=63)]
    pub fail_w: usize,
    /// An interval has 2^`interval_w` requests; 1 to 32.
    #[range(1..=MAX_W)]
    pub interval_w: usize,
    /// The effect of an interval with less than one failure per request.
    pub release: Release,
}

impl Params {
    /// The paper's platform (section 4.4).
    pub const PAPER: Self = Self {
        count_w: 7,
        fail_w: 12,
        interval_w: 10,
        release: Release::Unlimited,
    };
}

/// Input ports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, Ports)]
pub struct In {
    /// Synchronous reset.
    pub reset: bool,
    /// The kernel starts; of this cycle only issue and completion are counted.
    pub launch: bool,
    /// A memory instruction of the kernel goes to the LSU; only while `allow`.
    pub issue: bool,
    /// An instruction's last response is back; only while one is in flight.
    pub complete: bool,
    /// A request of the kernel is accepted.
    pub request: bool,
    /// A request of the kernel is refused; never with `request`.
    pub fail: bool,
}

/// Output ports, all from registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, Ports)]
#[ports(Params, super::smil::Params)]
pub struct Out {
    /// A memory instruction may be issued in this cycle: `in_flight < limit`.
    pub allow: bool,
    /// Instructions in flight.
    #[port(p.count_w)]
    pub in_flight: u64,
    /// The limit of instructions in flight; 2^`count_w` - 1 while `unlimited`.
    #[port(p.count_w)]
    pub limit: u64,
    /// There is no limit.
    pub unlimited: bool,
}

/// Registers; reset to 0 but where it says otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, Registers)]
pub struct State {
    /// Instructions in flight; `count_w` bits.
    #[register(p.count_w)]
    pub in_flight: u64,
    /// The most that were in flight in the interval to which the cycle before belonged, up to
    /// that cycle; `count_w` bits.
    #[register(p.count_w)]
    pub peak: u64,
    /// More are in flight than `peak`.
    pub grew: bool,
    /// This is the first cycle of an interval, after a launch or the end of another.
    pub began: bool,
    /// An interval ended in the cycle before, without a launch.
    pub closed: bool,
    /// Reservation failures in this interval; `fail_w` bits, saturating.
    #[register(p.fail_w)]
    pub failures: u64,
    /// Requests in this interval; `interval_w` bits.
    #[register(p.interval_w)]
    pub requests: u64,
    /// The limit of instructions in flight; `count_w` bits. Reset: all ones.
    #[register(p.count_w)]
    pub limit: u64,
    /// There is no limit. Reset: 1.
    pub unlimited: bool,
    /// Quotient bits still to come; 0 when no division is under way.
    #[register(clog2(p.count_w + 1))]
    pub left: u64,
    /// Failures per request in the interval that ended last; `fail_w - interval_w` bits.
    #[register(p.fail_w - p.interval_w)]
    pub divisor: u64,
    /// Remainder of the dividend's bits used so far; width as `divisor`.
    #[register(p.fail_w - p.interval_w)]
    pub remainder: u64,
    /// The dividend's bits still to come, then the quotient's so far; `count_w` bits.
    #[register(p.count_w)]
    pub shift: u64,
}

impl State {
    /// The most that were in flight in this interval, up to this cycle.
    pub fn highest(&self) -> u64 {
        if self.began {
            self.in_flight
        } else {
            self.peak.max(self.in_flight)
        }
    }

    /// The outputs, as the registers have them.
    pub(super) fn outputs(&self) -> Out {
        let State {
            in_flight,
            limit,
            unlimited,
            ..
        } = *self;
        Out {
            allow: in_flight < limit,
            in_flight,
            limit,
            unlimited,
        }
    }
}

/// The model.
#[derive(Debug, Clone)]
pub struct Milg {
    params: Params,
    state: State,
    // The peak that is being divided.
    dividend: u64,
    rules: Arc<Rules<In, State>>,
}

impl Milg {
    /// Sets the failure counter; at most its limit.
    ///
    /// For runs that start close to the limit, which a wide counter reaches only after hours.
    pub fn preset(&mut self, failures: u64) {
        self.state.failures = failures.min(limit(self.params.fail_w));
    }

    fn lift(&mut self) {
        self.state.limit = limit(self.params.count_w);
        self.state.unlimited = true;
    }

    /// Less than one failure per request.
    fn release(&mut self) {
        let state = &mut self.state;
        match self.params.release {
            Release::Double if state.unlimited => {}
            Release::Double if 2 * state.limit <= limit(self.params.count_w) => state.limit *= 2,
            Release::Double | Release::Unlimited => self.lift(),
        }
    }

    /// The registers of the division after so many of its quotient's bits are known, and the
    /// limit when all are.
    fn divide(&mut self) {
        let State {
            left,
            divisor,
            remainder,
            shift,
            ..
        } = &mut self.state;
        let width = self.params.count_w;
        let used = self.dividend >> *left;
        let unused = self.dividend << (width as u64 - *left) & limit(width);
        *remainder = used % *divisor;
        *shift = unused | (used / *divisor);
        if *left == 0 {
            self.state.limit = (self.dividend / self.state.divisor).max(1);
            self.state.unlimited = false;
        }
    }

    /// A new interval begins with the next cycle.
    fn start(&mut self) {
        self.state.requests = 0;
        self.state.failures = 0;
        self.state.began = true;
    }

    /// The interval that ended in the cycle before, of which the count is the last to see: a
    /// division, or none.
    fn conclude(&mut self) {
        let State {
            in_flight, peak, ..
        } = self.state;
        self.dividend = peak.max(in_flight);
        if self.state.divisor > 0 {
            self.state.left = self.params.count_w as u64;
            self.divide();
        } else {
            (self.state.remainder, self.state.shift) = (0, self.dividend);
            self.release();
        }
    }
}

impl Model for Milg {
    type Params = Params;
    type In = In;
    type Out = Out;
    type State = State;

    fn new(params: Params) -> Result<Self, ParamError> {
        params.check_ranges()?;
        let mut model = Self {
            rules: Arc::new(Self::rules(&params)),
            params,
            state: State::default(),
            dividend: 0,
        };
        model.reset();
        Ok(model)
    }

    fn params(&self) -> &Params {
        &self.params
    }

    fn reset(&mut self) {
        self.state = State::default();
        self.lift();
    }

    fn step(&mut self, input: &In) -> Out {
        let out = self.state.outputs();
        if input.reset {
            self.reset();
            return out;
        }
        let highest = self.state.highest();
        if !input.launch {
            // An interval is longer than a division, so that there is but one of the two.
            if self.state.closed {
                self.conclude();
            } else if self.state.left > 0 {
                self.state.left -= 1;
                self.divide();
            }
        }
        let full = limit(self.params.count_w);
        let state = &mut self.state;
        let in_flight = state.in_flight + u64::from(input.issue);
        state.in_flight = in_flight
            .saturating_sub(u64::from(input.complete))
            .min(full);
        state.peak = highest;
        state.grew = state.in_flight > highest;
        (state.began, state.closed) = (false, false);
        if input.launch {
            self.start();
            self.lift();
            self.state.left = 0;
        } else if input.request && state.requests == limit(self.params.interval_w) {
            state.closed = true;
            state.divisor = state.failures >> self.params.interval_w;
            self.start();
        } else {
            state.requests += u64::from(input.request);
            let failures = state.failures + u64::from(input.fail);
            state.failures = failures.min(limit(self.params.fail_w));
        }
        out
    }

    fn state(&self) -> &State {
        &self.state
    }

    fn rules(p: &Params) -> Rules<In, State> {
        let steps = p.count_w;
        let below_limit = register!(in_flight as in_flight).below(register!(limit as limit));
        let idle = || register!(left).is(0usize);
        let above_peak = || register!(peak).below(register!(in_flight as in_flight));
        // One request per cycle at most, since the interval began a cycle before the division.
        let few_requests = each(1..steps + 1, |step| {
            let few = register!(requests).at_most(steps - step + 1);
            register!(left).is(step).implies(few)
        });
        let small_remainder = each(1..steps + 1, |step| {
            let small = register!(remainder).at_most(limit(steps) >> step);
            register!(left).is(step).implies(small)
        });
        Rules::new()
            .legal(
                "issue_allowed",
                "An instruction is issued only below the limit.",
                input!(issue).only_while(below_limit.shown("allow"), "`allow` is low"),
            )
            .legal(
                "complete_in_flight",
                "An instruction completes only if one is in flight.",
                input!(complete).only_while(
                    register!(in_flight as in_flight).at_least(1usize),
                    "nothing is in flight",
                ),
            )
            .legal(
                "accepted_or_refused",
                "A request is accepted or refused.",
                input!(request).and(input!(fail)).not(),
            )
            .invariant(
                "some_limit",
                "A limit lets something pass.",
                register!(limit as limit).at_least(1usize),
            )
            .invariant(
                "highest_limit",
                "The limit is as high as can be while there is none.",
                register!(unlimited as unlimited)
                    .implies(register!(limit as limit).is(limit(p.count_w))),
            )
            .invariant(
                "grew_above_peak",
                "More are in flight than the peak if and only if a register says so.",
                all([
                    register!(grew).implies(above_peak()),
                    above_peak().implies(register!(grew)),
                ]),
            )
            .invariant(
                "closed_begins",
                "After the end of an interval another one begins.",
                register!(closed).implies(register!(began)),
            )
            .invariant(
                "begins_empty",
                "An interval begins without requests.",
                register!(began).implies(register!(requests).is(0usize)),
            )
            .invariant(
                "quotient_bits",
                "A division has a step for each bit of a count.",
                register!(left).at_most(steps),
            )
            .invariant(
                "few_requests",
                "While a division is under way there was at most one request per step.",
                few_requests,
            )
            .invariant(
                "small_remainder",
                "The remainder has no more bits than were used of the dividend.",
                small_remainder,
            )
            .invariant(
                "one_division",
                "An interval ends only when no division is under way.",
                register!(closed).implies(idle()),
            )
            .invariant(
                "remainder_below_divisor",
                "A remainder is less than the divisor.",
                idle().or(register!(remainder).below(register!(divisor))),
            )
    }

    fn assume(&self, input: &In) -> Result<(), Violation> {
        self.rules.check(&self.params, input, &self.state)
    }
}

impl Part for Milg {
    fn registers(&mut self) -> &mut State {
        &mut self.state
    }
}

#[cfg(test)]
mod tests;
