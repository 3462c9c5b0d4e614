//! [`mem_issue`] behind a bus, independent of the protocol.

use serde::{Deserialize, Serialize};

use super::apb4::Apb4;
use super::axi4_lite::Axi4Lite;
use super::issue_registers::{self, IssueRegisters};
use super::Bridge;
use crate::llc::id_w;
use crate::model::{Model, ParamError, Part, Violation};
use crate::ports::Ports;
use crate::rules::Rules;
use crate::sm::mem_issue::{self, MemIssue, Params};

/// Registers.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct State<B> {
    /// The bridge.
    pub bus: B,
    /// The registers that software sees.
    pub registers: issue_registers::State,
    /// The unit.
    pub issue: mem_issue::State,
}

/// Output ports: those of the unit, and the bus's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Ports)]
pub struct Out<B> {
    /// The ports of the unit.
    #[port(nested)]
    pub issue: mem_issue::Out,
    /// The ports of the bus.
    #[port(nested)]
    pub bus: B,
}

/// Input ports: those of the SM as in [`mem_issue::In`], and the bus's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, Ports)]
pub struct In<B> {
    /// Synchronous reset.
    pub reset: bool,
    /// The kernels that start.
    #[port([1; p.kernels])]
    pub launch: u64,
    /// The kernels that end.
    #[port([1; p.kernels])]
    pub exit: u64,
    /// The kernels with a warp that is ready to issue a memory instruction.
    #[port([1; p.kernels])]
    pub want: u64,
    /// The LSU accepts an instruction in this cycle.
    pub lsu_ready: bool,
    /// The kernels of which an instruction's last response is back.
    #[port([1; p.kernels])]
    pub complete: u64,
    /// The LSU's request is accepted.
    pub request_valid: bool,
    /// The request is the first of its instruction.
    pub request_first: bool,
    /// The LSU's request is refused.
    pub fail_valid: bool,
    /// The kernel of the request.
    #[port(id_w(p.kernels))]
    pub lsu_kid: u8,
    /// The ports of the bus.
    #[port(nested)]
    pub bus: B,
}

impl<B> In<B> {
    /// The inputs from the SM and from the bus.
    pub fn new(sm: &mem_issue::In, bus: B) -> Self {
        Self {
            reset: sm.reset,
            launch: sm.launch,
            exit: sm.exit,
            want: sm.want,
            lsu_ready: sm.lsu_ready,
            complete: sm.complete,
            request_valid: sm.request_valid,
            request_first: sm.request_first,
            fail_valid: sm.fail_valid,
            lsu_kid: sm.lsu_kid,
            bus,
        }
    }

    /// The inputs from the SM, on the unit's ports.
    pub fn sm(&self) -> mem_issue::In {
        mem_issue::In {
            reset: self.reset,
            launch: self.launch,
            exit: self.exit,
            want: self.want,
            lsu_ready: self.lsu_ready,
            complete: self.complete,
            request_valid: self.request_valid,
            request_first: self.request_first,
            fail_valid: self.fail_valid,
            lsu_kid: self.lsu_kid,
            ..mem_issue::In::default()
        }
    }
}

/// `mem_issue_apb`: a [`mem_issue`] with registers behind APB4.
pub type MemIssueApb = MemIssueBus<Apb4>;

/// `mem_issue_axi`: a [`mem_issue`] with registers behind AXI4-Lite.
pub type MemIssueAxi = MemIssueBus<Axi4Lite>;

/// The model.
#[derive(Debug, Clone)]
pub struct MemIssueBus<B: Bridge> {
    registers: IssueRegisters,
    // It works on the registers in `state`.
    issue: MemIssue,
    state: State<B::State>,
}

impl<B: Bridge> MemIssueBus<B> {
    /// The unit's registers and what it is asked by this input besides the bus.
    fn ports(&self, input: &In<B::In>) -> mem_issue::In {
        let set = self.registers.set(&self.state.registers);
        mem_issue::In {
            set_valid: set.valid,
            set_kid: set.kid,
            set_limit: set.limit,
            set_unlimited: set.unlimited,
            ..input.sm()
        }
    }

    /// Goes on with the registers that a unit without a bus has come to, of which a snapshot is
    /// taken.
    pub fn load(&mut self, issue: &mem_issue::State) {
        let shown = self.issue.on(&mut issue.clone(), |unit| {
            unit.step(&mem_issue::In::default())
        });
        self.state.registers.capture(&shown);
        self.state.issue.clone_from(issue);
    }

    /// So many snapshots have been taken, modulo 256.
    pub fn preset_sequence(&mut self, taken: u8) {
        self.state.registers.sequence = taken;
    }

    /// The register file.
    pub fn registers(&self) -> &IssueRegisters {
        &self.registers
    }
}

impl<B: Bridge> Model for MemIssueBus<B> {
    type Params = Params;
    type In = In<B::In>;
    type Out = Out<B::Out>;
    type State = State<B::State>;

    fn legal(params: &Params) -> Result<(), ParamError> {
        MemIssue::legal(params)?;
        IssueRegisters::new(params).map(drop)
    }

    fn new(params: Params) -> Result<Self, ParamError> {
        Self::legal(&params)?;
        let registers = IssueRegisters::new(&params)?;
        let issue = MemIssue::new(params)?;
        let state = State {
            bus: B::State::default(),
            registers: registers.registers(),
            issue: issue.state().clone(),
        };
        Ok(Self {
            registers,
            issue,
            state,
        })
    }

    fn params(&self) -> &Params {
        self.issue.params()
    }

    fn reset(&mut self) {
        self.state.bus = B::State::default();
        self.state.registers = self.registers.registers();
        self.issue.on(&mut self.state.issue, MemIssue::reset);
    }

    fn step(&mut self, input: &Self::In) -> Self::Out {
        let ports = self.ports(input);
        let Self {
            registers,
            issue,
            state,
        } = self;
        let out = issue.on(&mut state.issue, |issue| issue.step(&ports));

        let answer = state.registers.access.answer();
        let answered = B::outputs(&state.bus, answer);
        if ports.reset {
            state.bus = B::State::default();
            state.registers = registers.registers();
        } else {
            let request = B::request(&state.bus, &input.bus);
            registers.step(&mut state.registers, &request, &out);
            B::step(&mut state.bus, &input.bus, answer);
        }
        Out {
            issue: out,
            bus: answered,
        }
    }

    fn state(&self) -> &Self::State {
        &self.state
    }

    /// No assumptions of its own; those of the unit inside are checked there.
    fn rules(_: &Params) -> Rules<Self::In, Self::State> {
        Rules::new()
    }

    fn assume(&self, input: &Self::In) -> Result<(), Violation> {
        self.issue
            .assume_in(&self.state.issue, &self.ports(input))?;
        B::check(&input.bus)
    }
}
