//! `qbmi`: picks the kernel that issues the next memory instruction, by quota.
//!
//! Source: the paper, section 3.2 and figure 7. "The priority of a kernel to issue a memory
//! instruction is based on its current quota and the more its quota, the higher its priority. Each
//! time a memory instruction is issued from a kernel, its quota is decremented by 1. When the
//! quota of any kernel reaches zero, a new set of quotas, calculated with the most recent values of
//! Req/Minst, will be added to the current quota values of concurrent kernels."
//!
//! One [`request_ratio`] per kernel measures the requests per instruction; a [`quota_unit`]
//! computes a set of quotas from the ratios whenever one of them or the set of active kernels
//! changes.
//!
//! Timing: the grant is combinational; one at cycle t shows in the quotas at t + 1, and so does the
//! set that is added because of it. Launch and exit at cycle t show in `active` at t + 1. A changed
//! ratio starts the quota unit in the cycle in which it shows, or as soon as the unit is idle; issue
//! never waits for it.
//!
//! With `lag` a grant is deducted, and the set added if that leaves none, so many cycles later:
//! until then grants are decided by quotas that do not know of it.
//!
//! ASSUMPTION: a tie goes to the first of the kernels in question after the one last granted.
//! ASSUMPTION: the new set is the newest completed one, and it is added in the very cycle in which
//! a quota reaches zero. So that of an active kernel is never 0, and as there is one grant per cycle
//! two never reach zero at once.
//! ASSUMPTION: launch or exit of any kernel restarts all quotas: 1 for an active kernel, and a set
//! of ones in force until the quota unit has the new one. The measurement of the kernel launched
//! restarts; a grant in that cycle, or one not yet deducted, still counts as the last one, but is
//! not deducted. A kernel that is launched and exits in one cycle is active.
//! ASSUMPTION: a kernel that issues nothing accumulates credit; the quota register saturates. With
//! `cap` an addition leaves an active kernel at most twice its newest quota instead.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::quota_unit::{self, QuotaUnit};
use super::request_ratio::{self, RequestRatio};
use super::{cyclically_after, has, rbmi, ByKernel, MAX_KERNELS};
use crate::delay::Delayed;
use crate::llc::id_w;
use crate::model::{limit, Model, ParamError, Part, Violation};
use crate::ports::{Parameters, Ports, Registers};
use crate::rules::*;

/// Parameters of [`Qbmi`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Parameters)]
pub struct Params {
    /// Kernels, 1 to [`MAX_KERNELS`].
    #[range(1..=MAX_KERNELS)]
    pub kernels: usize,
    /// A kernel's ratio is measured over 2^`interval_w` of its requests; 1 to 32.
    #[range(1..=super::MAX_W)]
    pub interval_w: usize,
    /// Keeps the credit of an idle kernel at twice its newest quota.
    pub cap: bool,
    /// Cycles from a grant to its deduction, beyond the one that a register takes; 0 to 3.
    #[range(0..=3)]
    pub lag: usize,
}

impl Params {
    /// Those of a kernel's [`request_ratio`].
    pub fn meter(&self) -> request_ratio::Params {
        request_ratio::Params {
            interval_w: self.interval_w,
        }
    }

    /// Those of the [`quota_unit`].
    pub fn unit(&self) -> quota_unit::Params {
        quota_unit::Params {
            kernels: self.kernels,
            ratio_max: self.ratio_max(),
        }
    }

    /// The largest ratio.
    pub fn ratio_max(&self) -> u64 {
        self.meter().ratio_max()
    }

    /// Width of a ratio.
    pub fn ratio_w(&self) -> usize {
        self.meter().ratio_w()
    }

    /// Width of a quota in a set.
    pub fn set_w(&self) -> usize {
        self.unit().set_w()
    }

    /// Width of a current quota: it holds twice the largest in a set.
    pub fn quota_w(&self) -> usize {
        quota_unit::bits(2 * self.unit().quota_max())
    }

    /// Cycles that the quota unit takes.
    pub fn latency(&self) -> u64 {
        self.unit().latency()
    }
}

/// Input ports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, Ports)]
pub struct In {
    /// Synchronous reset.
    pub reset: bool,
    /// The kernels that start.
    #[port([1; p.kernels])]
    pub launch: u64,
    /// The kernels that end.
    #[port([1; p.kernels])]
    pub exit: u64,
    /// The kernels with a memory instruction that may issue; inactive ones are passed over.
    #[port([1; p.kernels])]
    pub ready: u64,
    /// The LSU accepts an instruction in this cycle.
    pub accept: bool,
    /// A request is accepted.
    pub request_valid: bool,
    /// The request is the first of its instruction.
    pub request_first: bool,
    /// The kernel of the request; below `kernels`.
    #[port(id_w(p.kernels))]
    pub request_kid: u8,
}

/// Output ports. The grant is combinational and all 0 in a cycle without one; the rest is
/// registered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, Ports)]
pub struct Out {
    /// The kernel that issues, as a mask of at most one bit.
    #[port([1; p.kernels])]
    pub grant: u64,
    /// A kernel is granted.
    pub grant_valid: bool,
    /// KID of the kernel granted.
    #[port(id_w(p.kernels))]
    pub grant_kid: u8,
    /// The kernels that are launched and have not exited.
    #[port([1; p.kernels])]
    pub active: u64,
    /// Current quotas; `quota_w` bits, 0 for inactive kernels, at least 1 for active ones.
    #[port([p.quota_w(); p.kernels])]
    pub quota: ByKernel,
    /// Requests per instruction; `ratio_w` bits.
    #[port([p.ratio_w(); p.kernels])]
    pub ratio: ByKernel,
}

/// Registers; reset to 0 but where it says otherwise.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Registers)]
pub struct State {
    /// The kernels that are launched and have not exited.
    #[register(p.kernels)]
    pub active: u64,
    /// Instructions until the next set is added, by kernel; `quota_w` bits.
    #[register([p.quota_w(); p.kernels])]
    pub current: Vec<u64>,
    /// The kernels granted and not yet deducted from their quota, the newest first; as masks.
    #[register(skip)]
    pub undeducted: Delayed<u64>,
    /// The kernel last granted. Reset: the last one.
    #[register(id_w(p.kernels))]
    pub last: u8,
    /// Kernels or ratios have changed since the quota unit was last started.
    pub dirty: bool,
    /// The measuring units, by kernel.
    #[register([nested(p.meter()); p.kernels])]
    pub meter: Vec<request_ratio::State>,
    /// The quota unit. Its quotas are the set in force.
    #[register(nested(p.unit()))]
    pub unit: quota_unit::State,
}

impl State {
    /// Which of the `ready` kernels issues when the LSU accepts.
    pub fn pick(&self, ready: u64) -> Option<usize> {
        let quota = &self.current;
        let mut best: Option<usize> = None;
        for kernel in cyclically_after(self.last, quota.len()) {
            let better = best.is_none_or(|best| quota[kernel] > quota[best]);
            if has(ready & self.active, kernel) && better {
                best = Some(kernel);
            }
        }
        best
    }
}

/// The model.
#[derive(Debug, Clone)]
pub struct Qbmi {
    params: Params,
    state: State,
    // The largest current quota.
    max: u64,
    meter: Vec<RequestRatio>,
    unit: QuotaUnit,
    rules: Arc<Rules<In, State>>,
}

impl Qbmi {
    /// Sets a kernel's current quota, as if it had accumulated credit; from 1 to its limit, and
    /// only of an active kernel.
    ///
    /// For runs that start close to the limit, which many kernels reach only after hours.
    pub fn preset(&mut self, kernel: usize, quota: u64) {
        if let Some(current) = self.state.current.get_mut(kernel) {
            if has(self.state.active, kernel) {
                *current = quota.clamp(1, self.max);
            }
        }
    }

    /// Takes an instruction of the kernel, as a mask, from its quota; if none is left, the set in
    /// force is added to all.
    fn deduct(&mut self, kernel: u64) {
        let State {
            active,
            current,
            unit,
            ..
        } = &mut self.state;
        let mut used_up = false;
        for (at, quota) in current.iter_mut().enumerate() {
            if has(kernel, at) {
                *quota -= 1;
                used_up = *quota == 0;
            }
        }
        if !used_up {
            return;
        }
        for (at, (quota, set)) in current.iter_mut().zip(&unit.quota).enumerate() {
            if has(*active, at) {
                let most = match self.params.cap {
                    true => 2 * set,
                    false => self.max,
                };
                *quota = (*quota + set).min(most);
            }
        }
    }

    /// Restarts all quotas for the kernels that are now active.
    fn restart(&mut self) {
        self.state.undeducted.clear(&0);
        for (kernel, current) in self.state.current.iter_mut().enumerate() {
            *current = u64::from(has(self.state.active, kernel));
        }
    }

    /// One cycle of the measuring units; whether a ratio changes at its end.
    fn measure(&mut self, input: &In) -> bool {
        let mut updated = false;
        let meters = self.meter.iter_mut().zip(&mut self.state.meter);
        for (kernel, (meter, registers)) in meters.enumerate() {
            let input = request_ratio::In {
                reset: false,
                clear: has(input.launch, kernel),
                request: input.request_valid && usize::from(input.request_kid) == kernel,
                first: input.request_first,
            };
            updated |= meter.on(registers, |meter| meter.step(&input)).updated;
        }
        updated
    }
}

impl Model for Qbmi {
    type Params = Params;
    type In = In;
    type Out = Out;
    type State = State;

    fn new(params: Params) -> Result<Self, ParamError> {
        params.check_ranges()?;
        let kernels = params.kernels;
        let meter = RequestRatio::new(params.meter())?;
        let unit = QuotaUnit::new(params.unit())?;
        let state = State {
            last: kernels as u8 - 1,
            current: vec![0; kernels],
            undeducted: Delayed::new(params.lag, 0),
            meter: vec![*meter.state(); kernels],
            unit: unit.state().clone(),
            ..State::default()
        };
        Ok(Self {
            state,
            max: limit(params.quota_w()),
            meter: vec![meter; kernels],
            unit,
            rules: Arc::new(Self::rules(&params)),
            params,
        })
    }

    fn params(&self) -> &Params {
        &self.params
    }

    fn reset(&mut self) {
        let State {
            active,
            current,
            undeducted,
            last,
            dirty,
            meter,
            unit,
        } = &mut self.state;
        *active = 0;
        current.fill(0);
        undeducted.clear(&0);
        *last = self.params.kernels as u8 - 1;
        *dirty = false;
        for (part, registers) in self.meter.iter_mut().zip(meter) {
            part.on(registers, RequestRatio::reset);
        }
        self.unit.on(unit, QuotaUnit::reset);
    }

    fn step(&mut self, input: &In) -> Out {
        let granted = self.state.pick(input.ready).filter(|_| input.accept);
        let grant = rbmi::Out::to(granted);
        let meter = &self.state.meter;
        let out = Out {
            grant: grant.grant,
            grant_valid: grant.grant_valid,
            grant_kid: grant.grant_kid,
            active: self.state.active,
            quota: ByKernel::copied(&self.state.current),
            ratio: ByKernel::from_fn(meter.len(), |kernel| meter[kernel].ratio),
        };
        if input.reset {
            self.reset();
            return out;
        }
        if let Some(winner) = granted {
            self.state.last = winner as u8;
        }
        let due = self.state.undeducted.pass(grant.grant);
        self.deduct(due);
        let change = (input.launch | input.exit) & limit(self.params.kernels) != 0;
        let start = self.state.dirty && self.state.unit.left == 0 && !change;
        let compute = quota_unit::In {
            reset: false,
            clear: change,
            start,
            active: out.active,
            ratio: out.ratio,
        };
        let unit = &mut self.state.unit;
        self.unit.on(unit, |unit| unit.step(&compute));
        let updated = self.measure(input);
        self.state.dirty = change || updated || self.state.dirty && !start;
        if change {
            let launched = input.launch & limit(self.params.kernels);
            self.state.active = self.state.active & !input.exit | launched;
            self.restart();
        }
        out
    }

    fn state(&self) -> &State {
        &self.state
    }

    fn rules(p: &Params) -> Rules<In, State> {
        let inactive = |kernel: usize| register!(active.bit(kernel)).not();
        Rules::new()
            .legal(
                "known_kernel",
                "A request is of a kernel that there is.",
                input!(request_valid).implies(input!(request_kid).below(p.kernels)),
            )
            .invariant(
                "known_last",
                "The kernel last granted is one that there is.",
                register!(last).below(p.kernels),
            )
            .invariant(
                "no_quota",
                "An inactive kernel has no quota.",
                each(0..p.kernels, |kernel| {
                    inactive(kernel).implies(register!(current[kernel] as quota).is(0usize))
                }),
            )
    }

    fn assume(&self, input: &In) -> Result<(), Violation> {
        self.rules.check(&self.params, input, &self.state)
    }
}

impl Part for Qbmi {
    fn registers(&mut self) -> &mut State {
        &mut self.state
    }
}

#[cfg(test)]
mod tests;
