//! `mem_issue`: decides which kernel's memory instruction goes to the LSU in each cycle.
//!
//! Source: the paper, sections 3.2 to 3.4 and figures 7 and 10; "QBMI+DMIL denotes the combination
//! of the two" (section 3.4).
//!
//! One limiter per kernel ([`milg`] or [`smil`]) says which kernels may issue, a priority ([`rbmi`]
//! or [`qbmi`]) picks one of them. The ports are the same in all variants; inputs that a variant
//! does not read are ignored.
//!
//! Timing: the grant is combinational, and an instruction granted is in the LSU in the next cycle.
//! Launch and exit at cycle t show in `active` at t + 1; an exit leaves the kernel's limiter alone.
//!
//! ASSUMPTION: only an active kernel is granted. A kernel that is launched and exits in one cycle
//! is active.

mod params;
mod ports;

pub use params::{Limiter, Params, Priority};
pub use ports::{In, Out};

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::milg::{self, Milg};
use super::qbmi::{self, Qbmi};
use super::rbmi::{self, Rbmi};
use super::smil::{self, Smil};
use super::{has, ByKernel};
use crate::model::{limit, Model, ParamError, Part, Violation};
use crate::ports::{Parameters, Registers};
use crate::rules::*;

/// Registers. The limiters are by kernel; what the variant does not have is empty.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Registers)]
pub struct State {
    /// The kernels that are launched and have not exited. Reset: 0.
    #[register(p.kernels)]
    pub active: u64,
    /// With [`Limiter::Milg`].
    #[register([nested(p.milg()); p.limiters(Limiter::Milg)])]
    pub milg: Vec<milg::State>,
    /// With [`Limiter::Smil`].
    #[register([nested(p.smil()); p.limiters(Limiter::Smil)])]
    pub smil: Vec<smil::State>,
    /// With [`Priority::Rbmi`].
    #[register(nested(p.rbmi()), when = p.priority == Priority::Rbmi)]
    pub rbmi: Option<rbmi::State>,
    /// With [`Priority::Qbmi`].
    #[register(nested(p.qbmi()), when = p.priority == Priority::Qbmi)]
    pub qbmi: Option<qbmi::State>,
}

impl State {
    /// The kernel that would be granted in this cycle.
    pub fn grant(&self, input: &In) -> Option<u8> {
        let ready = input.want & self.active & self.allowed();
        let by_quota = || self.qbmi.as_ref().and_then(|qbmi| qbmi.pick(ready));
        let round_robin = |rbmi: &rbmi::State| rbmi.pick(ready, self.kernels());
        let kernel = by_quota().or_else(|| self.rbmi.as_ref().and_then(round_robin));
        kernel
            .filter(|_| input.lsu_ready)
            .map(|kernel| kernel as u8)
    }

    /// A kernel's instructions in flight.
    pub fn in_flight(&self, kernel: usize) -> u64 {
        self.limiter(kernel).in_flight
    }

    /// How many of a kernel's instructions may be in flight.
    pub fn limit(&self, kernel: usize) -> u64 {
        self.limiter(kernel).limit
    }

    /// Whether a kernel is below its limit.
    pub fn allows(&self, kernel: usize) -> bool {
        self.limiter(kernel).allow
    }

    /// Each kernel has a limiter.
    fn kernels(&self) -> usize {
        self.milg.len() + self.smil.len()
    }

    /// What a kernel's limiter shows.
    fn limiter(&self, kernel: usize) -> milg::Out {
        match self.milg.get(kernel) {
            Some(milg) => milg.outputs(),
            None => self.smil[kernel].outputs(),
        }
    }

    /// The kernels whose limiter has this `bit`.
    fn kernels_with(&self, bit: impl Fn(milg::Out) -> bool) -> u64 {
        let kernels = 0..self.kernels();
        kernels.fold(0, |mask, k| mask | u64::from(bit(self.limiter(k))) << k)
    }

    fn allowed(&self) -> u64 {
        self.kernels_with(|limiter| limiter.allow)
    }
}

/// The model.
#[derive(Debug, Clone)]
pub struct MemIssue {
    params: Params,
    rules: Arc<Rules<In, State>>,
    state: State,
    // They work on the registers in `state`.
    milg: Vec<Milg>,
    smil: Vec<Smil>,
    rbmi: Option<Rbmi>,
    qbmi: Option<Qbmi>,
}

impl MemIssue {
    /// The kernel that would be granted in this cycle, without passing it.
    pub fn grant(&self, input: &In) -> Option<u8> {
        self.state.grant(input)
    }

    /// A cycle, as [`step`](Model::step); the kernel granted.
    pub fn pass(&mut self, input: &In) -> Option<u8> {
        let grant = self.grant(input);
        if input.reset {
            self.reset();
            return grant;
        }
        let (active, allowed) = (self.state.active, self.state.allowed());
        self.prioritise(input, input.want & active & allowed, grant);
        self.limit(input, grant.map_or(0, |kernel| 1 << kernel));
        let kernels = limit(self.params.kernels);
        self.state.active = (active & !input.exit | input.launch) & kernels;
        grant
    }

    /// Whether nothing is under way: a cycle without a grant, a launch, an exit, a response or a request
    /// that is accepted then changes only failure counters.
    pub fn rests(&self) -> bool {
        let State { milg, qbmi, .. } = &self.state;
        milg.iter().all(|milg| milg.ended.is_none()) && qbmi.as_ref().is_none_or(qbmi_rests)
    }

    /// So many such cycles, in each of which a request of the kernel is refused, if one is said. Only
    /// while it [`rests`](Self::rests).
    pub fn rest(&mut self, cycles: u64, refused: Option<u8>) {
        let most = limit(self.params.fail_w);
        let milg = refused.and_then(|kernel| self.state.milg.get_mut(usize::from(kernel)));
        if let Some(milg) = milg {
            milg.failures = milg.failures.saturating_add(cycles).min(most);
        }
    }

    /// The kernels that are active and below their limit.
    pub fn may_issue(&self) -> u64 {
        self.state.active & self.state.allowed()
    }

    /// Sets a kernel's failure counter, as [`Milg::preset`]; nothing with SMIL.
    pub fn preset_failures(&mut self, kernel: usize, failures: u64) {
        let parts = self.milg.iter_mut().zip(&mut self.state.milg);
        if let Some((part, registers)) = parts.into_iter().nth(kernel) {
            part.on(registers, |milg| milg.preset(failures));
        }
    }

    /// Sets a kernel's quota, as [`Qbmi::preset`]; nothing with RBMI.
    pub fn preset_quota(&mut self, kernel: usize, quota: u64) {
        if let Some((part, registers)) = self.qbmi.as_mut().zip(self.state.qbmi.as_mut()) {
            part.on(registers, |qbmi| qbmi.preset(kernel, quota));
        }
    }

    /// Whether a unit in this state may be driven with `input`; see [`Model::assume`].
    pub(crate) fn assume_in(&self, state: &State, input: &In) -> Result<(), Violation> {
        self.rules.check(&self.params, input, state)
    }

    fn outputs(&self, grant: Option<u8>) -> Out {
        let granted = rbmi::Out::to(grant.map(usize::from));
        let kernels = self.params.kernels;
        let state = &self.state;
        let qbmi = state.qbmi.as_ref();
        Out {
            grant: granted.grant,
            grant_valid: granted.grant_valid,
            grant_kid: granted.grant_kid,
            active: state.active,
            allow: state.allowed(),
            in_flight: ByKernel::from_fn(kernels, |k| state.limiter(k).in_flight),
            limit: ByKernel::from_fn(kernels, |k| state.limiter(k).limit),
            unlimited: state.kernels_with(|limiter| limiter.unlimited),
            quota: ByKernel::from_fn(kernels, |k| qbmi.map_or(0, |qbmi| qbmi.current[k])),
        }
    }

    /// The limiters pass a cycle.
    fn limit(&mut self, input: &In, grant: u64) {
        let of = |valid: bool, kid: u8, kernel: usize| valid && usize::from(kid) == kernel;
        let milgs = self.milg.iter_mut().zip(&mut self.state.milg);
        for (kernel, (part, registers)) in milgs.enumerate() {
            let input = milg::In {
                reset: false,
                launch: has(input.launch, kernel),
                issue: has(grant, kernel),
                complete: has(input.complete, kernel),
                request: of(input.request_valid, input.lsu_kid, kernel),
                fail: of(input.fail_valid, input.lsu_kid, kernel),
            };
            // Nothing happens to most of them in most cycles.
            if input != milg::In::default() || registers.ended.is_some() {
                part.on(registers, |milg| milg.step(&input));
            }
        }
        let smils = self.smil.iter_mut().zip(&mut self.state.smil);
        for (kernel, (part, registers)) in smils.enumerate() {
            let input = smil::In {
                reset: false,
                set_valid: of(input.set_valid, input.set_kid, kernel),
                set_limit: input.set_limit,
                set_unlimited: input.set_unlimited,
                issue: has(grant, kernel),
                complete: has(input.complete, kernel),
            };
            if input != smil::In::default() {
                part.on(registers, |smil| smil.step(&input));
            }
        }
    }

    /// The priority passes a cycle; the `ready` kernels are those that may issue.
    fn prioritise(&mut self, input: &In, ready: u64, grant: Option<u8>) {
        let rbmi = self.rbmi.as_mut().zip(self.state.rbmi.as_mut());
        if let Some((part, registers)) = rbmi.filter(|_| grant.is_some()) {
            let input = rbmi::In {
                reset: false,
                ready,
                accept: input.lsu_ready,
            };
            part.on(registers, |rbmi| rbmi.step(&input));
        }
        let happens = grant.is_some() || input.request_valid || input.launch | input.exit != 0;
        let qbmi = self.qbmi.as_mut().zip(self.state.qbmi.as_mut());
        let qbmi = qbmi.filter(|(_, registers)| happens || !qbmi_rests(registers));
        if let Some((part, registers)) = qbmi {
            let input = qbmi::In {
                reset: false,
                launch: input.launch,
                exit: input.exit,
                ready,
                accept: input.lsu_ready,
                request_valid: input.request_valid,
                request_first: input.request_first,
                request_kid: input.lsu_kid,
            };
            part.on(registers, |qbmi| qbmi.step(&input));
        }
    }
}

/// Whether no ratio, quota or deduction is under way.
fn qbmi_rests(qbmi: &qbmi::State) -> bool {
    let idle = |grant: &u64| *grant == 0;
    !qbmi.dirty
        && !qbmi.unit.done
        && qbmi.unit.left == 0
        && qbmi.meter.iter().all(|meter| meter.left == 0)
        && qbmi.undeducted.iter().all(idle)
}

impl Part for MemIssue {
    fn registers(&mut self) -> &mut State {
        &mut self.state
    }
}

impl Model for MemIssue {
    type Params = Params;
    type In = In;
    type Out = Out;
    type State = State;

    fn legal(params: &Params) -> Result<(), ParamError> {
        params.check_ranges()?;
        Milg::legal(&params.milg())?;
        Smil::legal(&params.smil())?;
        Rbmi::legal(&params.rbmi())?;
        Qbmi::legal(&params.qbmi())
    }

    fn new(params: Params) -> Result<Self, ParamError> {
        Self::legal(&params)?;
        let milg = Milg::new(params.milg())?;
        let smil = Smil::new(params.smil())?;
        let rbmi = Some(Rbmi::new(params.rbmi())?).filter(|_| params.priority == Priority::Rbmi);
        let qbmi = Some(Qbmi::new(params.qbmi())?).filter(|_| params.priority == Priority::Qbmi);
        let (milgs, smils) = match params.limiter {
            Limiter::Milg => (params.kernels, 0),
            Limiter::Smil => (0, params.kernels),
        };
        let state = State {
            active: 0,
            milg: vec![*milg.state(); milgs],
            smil: vec![*smil.state(); smils],
            rbmi: rbmi.as_ref().map(|rbmi| *rbmi.state()),
            qbmi: qbmi.as_ref().map(|qbmi| qbmi.state().clone()),
        };
        Ok(Self {
            rules: Arc::new(Self::rules(&params)),
            params,
            state,
            milg: vec![milg; milgs],
            smil: vec![smil; smils],
            rbmi,
            qbmi,
        })
    }

    fn params(&self) -> &Params {
        &self.params
    }

    fn reset(&mut self) {
        let State {
            active,
            milg,
            smil,
            rbmi,
            qbmi,
        } = &mut self.state;
        *active = 0;
        for (part, registers) in self.milg.iter_mut().zip(milg) {
            part.on(registers, Milg::reset);
        }
        for (part, registers) in self.smil.iter_mut().zip(smil) {
            part.on(registers, Smil::reset);
        }
        if let Some((part, registers)) = self.rbmi.as_mut().zip(rbmi.as_mut()) {
            part.on(registers, Rbmi::reset);
        }
        if let Some((part, registers)) = self.qbmi.as_mut().zip(qbmi.as_mut()) {
            part.on(registers, Qbmi::reset);
        }
    }

    fn step(&mut self, input: &In) -> Out {
        let out = self.outputs(self.grant(input));
        self.pass(input);
        out
    }

    fn state(&self) -> &State {
        &self.state
    }

    fn rules(p: &Params) -> Rules<In, State> {
        let in_flight = |kernel: usize| {
            let name = match p.limiter {
                Limiter::Milg => "milg[].in_flight",
                Limiter::Smil => "smil[].in_flight",
            };
            let count = |state: &State, at: &[usize]| state.in_flight(at[0]);
            Value::Register(Register::new(name, vec![kernel], count).shown(("in_flight", kernel)))
        };
        let in_flight = each(0..p.kernels, |kernel| {
            let some = in_flight(kernel).at_least(1usize);
            input!(complete[kernel]).only_while(some, "nothing is in flight")
        });
        let known = input!(lsu_kid).below(p.kernels);
        let sets = input!(set_valid).and(input!(set_unlimited).not());
        Rules::new()
            .legal(
                "complete_in_flight",
                "An instruction of a kernel completes only if one is in flight.",
                in_flight,
            )
            .legal(
                "accepted_or_refused",
                "A request is accepted or refused.",
                input!(request_valid).and(input!(fail_valid)).not(),
            )
            .legal(
                "known_kernel",
                "A request is of a kernel that there is.",
                input!(request_valid).or(input!(fail_valid)).implies(known),
            )
            .legal(
                "known_set_kernel",
                "A limit is set of a kernel that there is.",
                input!(set_valid).implies(input!(set_kid).below(p.kernels)),
            )
            .legal(
                "settable_limit",
                "A limit that is set lets something pass.",
                sets.implies(input!(set_limit).at_least(1usize)),
            )
    }

    fn assume(&self, input: &In) -> Result<(), Violation> {
        self.assume_in(&self.state, input)
    }
}

#[cfg(test)]
mod tests;
