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
//! Timing: the request that ends an interval comes at cycle t. Its peak is that of the counts up to
//! the one of t + 1. With less than one failure per request, the limit is released at t + [`LATENCY`];
//! else a quotient takes a cycle per bit more, and the limit shows at t + [`LATENCY`] + `count_w`. A
//! launch removes the limit in the cycle after it, and drops an interval that has ended and whose
//! limit would show later.
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
use crate::model::{limit, Model, ParamError, Part, Violation};
use crate::ports::{Parameters, Ports, Registers};
use crate::rules::*;

/// Cycles from the request that ends an interval to the limit that its peak and failures give, beside
/// one for each bit of a quotient.
pub const LATENCY: usize = 2;

/// What an interval with less than one failure per request does to the limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Release {
    /// No limit from then on: the literal reading of a division by zero.
    Unlimited,
    /// The limit doubles; from half the count's range up there is none from then on.
    Double,
    /// The limit stays as it is.
    Hold,
    /// The limit rises by one; from the count's maximum there is none from then on.
    PlusOne,
}

impl Release {
    /// All of them, in the order of their codes.
    pub const ALL: [Self; 4] = [Self::Unlimited, Self::Double, Self::Hold, Self::PlusOne];

    /// Its name in tables.
    pub const fn name(self) -> &'static str {
        ["unlimited", "double", "hold", "plus-one"][self as usize]
    }
}

/// The RTL's parameter `RELEASE`: 0 to 3.
impl TryFrom<usize> for Release {
    type Error = ParamError;

    fn try_from(code: usize) -> Result<Self, ParamError> {
        ParamError::range("release", code as u64, 0, 3)?;
        Ok(Self::ALL[code])
    }
}

/// Parameters of [`Milg`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Parameters)]
pub struct Params {
    /// Width of the count in flight in bits, 1 to 32 and below 2^`interval_w`: a limit shows before
    /// the next interval's can.
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
    /// The most that were in flight in this interval, up to this cycle; `count_w` bits.
    #[register(p.count_w)]
    pub peak: u64,
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
    /// The interval that ended last, until its limit shows.
    #[register(skip)]
    pub ended: Option<Ended>,
}

/// An interval that has ended and whose limit does not show yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Ended {
    /// The most that were in flight in it.
    pub peak: u64,
    /// Reservation failures per request, truncated; below 1 it releases the limit.
    pub ratio: u64,
    /// Cycles until its limit shows, at least 1.
    pub left: u64,
}

impl State {
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
    latency: usize,
    rules: Arc<Rules<In, State>>,
}

impl Milg {
    /// A limiter whose limits show so many cycles, at least 1, after an interval's end, and one more
    /// per bit of a quotient; not [`LATENCY`]: for hardware with another pipeline.
    ///
    /// # Errors
    /// As [`new`](Model::new), and for a latency so long that the next interval could end meanwhile.
    pub fn with_latency(params: Params, latency: usize) -> Result<Self, ParamError> {
        params.check_ranges()?;
        let shortest = limit(params.interval_w) + 1;
        let most = shortest + 1 - params.count_w as u64;
        ParamError::range("latency", latency as u64, 1, most)?;
        let mut model = Self {
            rules: Arc::new(Self::rules(&params)),
            params,
            state: State::default(),
            latency,
        };
        model.reset();
        Ok(model)
    }

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
        let most = limit(self.params.count_w);
        let raised = match self.params.release {
            Release::Hold => return,
            Release::Unlimited => None,
            Release::Double => Some(2 * self.state.limit),
            Release::PlusOne => Some(self.state.limit + 1),
        };
        match raised.filter(|raised| *raised <= most) {
            Some(raised) => self.state.limit = raised,
            None => self.lift(),
        }
    }

    /// The limit after an interval with this peak and so many failures per request.
    fn follow(&mut self, Ended { peak, ratio, .. }: Ended) {
        match peak.checked_div(ratio) {
            None => self.release(),
            Some(limit) => (self.state.limit, self.state.unlimited) = (limit.max(1), false),
        }
    }

    /// The interval ends or is dropped, and another one begins.
    fn start(&mut self) {
        self.state.peak = self.state.in_flight;
        self.state.requests = 0;
        self.state.failures = 0;
    }

    /// The request that ends an interval.
    fn end(&mut self) {
        let ratio = self.state.failures >> self.params.interval_w;
        let quotient_bits = if ratio > 0 { self.params.count_w } else { 0 };
        let ended = Ended {
            peak: self.state.peak,
            ratio,
            // As seen from the next cycle.
            left: (self.latency + quotient_bits) as u64 - 1,
        };
        self.start();
        match ended.left {
            0 => self.follow(ended),
            _ => self.state.ended = Some(ended),
        }
    }

    /// A cycle passes for the interval that ended last.
    fn wait(&mut self) {
        let Some(mut ended) = self.state.ended.take() else {
            return;
        };
        ended.left -= 1;
        match ended.left {
            0 => self.follow(ended),
            _ => self.state.ended = Some(ended),
        }
    }
}

impl Model for Milg {
    type Params = Params;
    type In = In;
    type Out = Out;
    type State = State;

    fn new(params: Params) -> Result<Self, ParamError> {
        Self::with_latency(params, LATENCY)
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
        let full = limit(self.params.count_w);
        let in_flight = self.state.in_flight + u64::from(input.issue);
        let completed = u64::from(input.complete);
        self.state.in_flight = in_flight.saturating_sub(completed).min(full);
        self.state.peak = self.state.peak.max(self.state.in_flight);
        if input.launch {
            self.start();
            self.lift();
            self.state.ended = None;
            return out;
        }
        self.wait();
        if input.request && self.state.requests == limit(self.params.interval_w) {
            self.end();
        } else {
            let state = &mut self.state;
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
        let below_limit = register!(in_flight as in_flight).below(register!(limit as limit));
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
                "peak_in_flight",
                "No more are in flight than the peak.",
                register!(in_flight as in_flight).at_most(register!(peak)),
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
