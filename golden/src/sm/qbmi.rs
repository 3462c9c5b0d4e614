//! `qbmi`: picks the kernel that issues the next memory instruction, by quota.
//!
//! Source: the paper, section 3.2 and figure 7. "The priority of a kernel to issue a memory
//! instruction is based on its current quota and the more its quota, the higher its priority. Each
//! time a memory instruction is issued from a kernel, its quota is decremented by 1. When the
//! quota of any kernel reaches zero, a new set of quotas, calculated with the most recent values of
//! Req/Minst, will be added to the current quota values of concurrent kernels."
//!
//! A [`request_ratio`] a kernel measures, a [`quota_unit`] makes a set of quotas of the ratios
//! whenever one of them or the set of active kernels changes.
//!
//! Timing: the grant is combinational. Launch and exit at cycle t show in `active` at t + 1. A
//! changed ratio starts the quota unit in the cycle in which it shows, or as soon as the unit is
//! idle; issue never waits for it.
//!
//! ASSUMPTION: a tie goes to the first of the kernels in question after the one last granted.
//! ASSUMPTION: the new set is the newest completed one, and it is added in the very cycle in which
//! a quota would reach zero. So that of an active kernel is never 0, and as there is one grant a
//! cycle two never reach zero at once.
//! ASSUMPTION: launch or exit of any kernel starts all quotas afresh and equal: 1 for an active
//! kernel, and a set of ones in force until the quota unit has the new one. The kernel launched is
//! measured afresh; a grant in that cycle still counts as the last one. A kernel that is launched
//! and exits in one cycle is active.
//! ASSUMPTION: a kernel that issues nothing piles up credit; the quota register saturates. With
//! `cap` an addition leaves an active kernel at most twice its newest quota instead.

use serde::{Deserialize, Serialize};

use super::quota_unit::{self, QuotaUnit};
use super::request_ratio::{self, RequestRatio};
use super::{cyclically_after, has, rbmi, ByKernel, MAX_KERNELS};
use crate::llc::id_w;
use crate::model::{limit, Model, ParamError, Part, Violation};

/// Parameters of [`Qbmi`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Params {
    /// Kernels, 1 to [`MAX_KERNELS`].
    pub kernels: usize,
    /// A kernel's ratio is measured over 2^`interval_w` of its requests; 1 to 32.
    pub interval_w: usize,
    /// Keeps the credit of an idle kernel at twice its newest quota.
    pub cap: bool,
}

impl Params {
    fn meter(&self) -> request_ratio::Params {
        request_ratio::Params {
            interval_w: self.interval_w,
        }
    }

    fn unit(&self) -> quota_unit::Params {
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct In {
    /// Synchronous reset.
    pub reset: bool,
    /// The kernels that start.
    pub launch: u64,
    /// The kernels that end.
    pub exit: u64,
    /// The kernels with a memory instruction that may issue; inactive ones are passed over.
    pub ready: u64,
    /// The LSU takes an instruction in this cycle.
    pub accept: bool,
    /// A request is accepted.
    pub request_valid: bool,
    /// It is its instruction's first.
    pub request_first: bool,
    /// Whose it is; below `kernels`.
    pub request_kid: u8,
}

/// Output ports. The grant is combinational and all 0 in a cycle without one; the rest is
/// registered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Out {
    /// The kernel that issues, as a mask of at most one bit.
    pub grant: u64,
    /// There is one.
    pub grant_valid: bool,
    /// Which.
    pub grant_kid: u8,
    /// The kernels that are launched and have not exited.
    pub active: u64,
    /// Current quotas; `quota_w` bits, 0 for inactive kernels.
    pub quota: ByKernel,
    /// Requests an instruction; `ratio_w` bits.
    pub ratio: ByKernel,
}

/// Registers; reset to 0 but where it says otherwise.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct State {
    /// The kernels that are launched and have not exited.
    pub active: u64,
    /// Instructions until the next set is added, by kernel; `quota_w` bits.
    pub current: Vec<u64>,
    /// The kernel last granted. Reset: the last one.
    pub last: u8,
    /// Kernels or ratios have changed since the quota unit was last started.
    pub dirty: bool,
    /// The measuring units, by kernel.
    pub meter: Vec<request_ratio::State>,
    /// The quota unit. Its quotas are the set in force.
    pub unit: quota_unit::State,
}

impl State {
    /// Which of the `ready` kernels issues when the LSU accepts.
    pub(super) fn pick(&self, ready: u64) -> Option<usize> {
        let current = &self.current;
        let mut best: Option<usize> = None;
        for kernel in cyclically_after(self.last, current.len()) {
            let better = best.is_none_or(|best| current[kernel] > current[best]);
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
}

impl Qbmi {
    /// Sets a kernel's current quota, as if it had piled up credit; from 1 to its limit, and
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

    /// The winner has issued an instruction.
    fn charge(&mut self, winner: usize) {
        let State {
            active,
            current,
            unit,
            ..
        } = &mut self.state;
        current[winner] -= 1;
        if current[winner] > 0 {
            return;
        }
        for (kernel, (current, &set)) in current.iter_mut().zip(&unit.quota).enumerate() {
            if has(*active, kernel) {
                let most = match self.params.cap {
                    true => 2 * set,
                    false => self.max,
                };
                *current = (*current + set).min(most);
            }
        }
    }

    /// All quotas start afresh for the kernels that are now active.
    fn restart(&mut self) {
        for (kernel, current) in self.state.current.iter_mut().enumerate() {
            *current = u64::from(has(self.state.active, kernel));
        }
    }

    /// The measuring units pass a cycle; whether a ratio changes at its end.
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
        let Params {
            kernels,
            interval_w,
            ..
        } = params;
        ParamError::range("kernels", kernels as u64, 1, MAX_KERNELS as u64)?;
        ParamError::range("interval_w", interval_w as u64, 1, super::MAX_W as u64)?;
        let meter = RequestRatio::new(params.meter())?;
        let unit = QuotaUnit::new(params.unit())?;
        let state = State {
            last: kernels as u8 - 1,
            current: vec![0; kernels],
            meter: vec![*meter.state(); kernels],
            unit: unit.state().clone(),
            ..State::default()
        };
        Ok(Self {
            state,
            max: limit(params.quota_w()),
            meter: vec![meter; kernels],
            unit,
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
            last,
            dirty,
            meter,
            unit,
        } = &mut self.state;
        *active = 0;
        current.fill(0);
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
            self.charge(winner);
        }
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

    fn assume(&self, input: &In) -> Result<(), Violation> {
        let kernels = self.params.kernels;
        Violation::mask("launch", input.launch, kernels)?;
        Violation::mask("exit", input.exit, kernels)?;
        Violation::mask("ready", input.ready, kernels)?;
        Violation::fits("request_kid", input.request_kid.into(), id_w(kernels))?;
        if input.request_valid {
            Violation::below("request_kid", input.request_kid.into(), kernels)?;
        }
        Ok(())
    }
}

impl Part for Qbmi {
    fn registers(&mut self) -> &mut State {
        &mut self.state
    }
}

#[cfg(test)]
mod tests;
