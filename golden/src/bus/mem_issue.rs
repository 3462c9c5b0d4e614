//! [`mem_issue`] behind a bus, whichever it is.

use serde::{Deserialize, Serialize};

use super::apb4::{self, Apb4};
use super::axi4_lite::{self, Axi4Lite};
use super::issue_registers::{self, IssueRegisters};
use super::Bridge;
use crate::model::{Model, ParamError, Part, Plain, Violation};
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Out<B> {
    /// The ports of the unit.
    pub issue: mem_issue::Out,
    /// The ports of the bus.
    pub bus: B,
}

/// A bridge with the ports of a `mem_issue` beside its own.
pub trait IssuePorts: Bridge {
    /// Input ports.
    type IssueIn: Plain + Default;

    /// What the SM asks, on the unit's ports.
    fn sm(input: &Self::IssueIn) -> mem_issue::In;
    /// Takes what the SM asks from the unit's ports.
    fn set_sm(input: &mut Self::IssueIn, issue: &mem_issue::In);
    /// What is on the bus.
    fn beside_sm(input: &Self::IssueIn) -> Self::In;
    /// Puts this on the bus.
    fn set_beside_sm(input: &mut Self::IssueIn, bus: &Self::In);
}

/// The model.
#[derive(Debug, Clone)]
pub struct MemIssueBus<B: IssuePorts> {
    registers: IssueRegisters,
    // It works on the registers in `state`.
    issue: MemIssue,
    state: State<B::State>,
}

impl<B: IssuePorts> MemIssueBus<B> {
    /// The unit's registers and what it is asked by this input besides the bus.
    fn ports(&self, input: &B::IssueIn) -> mem_issue::In {
        let set = self.registers.set(&self.state.registers);
        mem_issue::In {
            set_valid: set.valid,
            set_kid: set.kid,
            set_limit: set.limit,
            set_unlimited: set.unlimited,
            ..B::sm(input)
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

    /// The register file.
    pub fn registers(&self) -> &IssueRegisters {
        &self.registers
    }
}

impl<B: IssuePorts> Model for MemIssueBus<B> {
    type Params = Params;
    type In = B::IssueIn;
    type Out = Out<B::Out>;
    type State = State<B::State>;

    fn new(params: Params) -> Result<Self, ParamError> {
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

        let bus = B::beside_sm(input);
        let answer = state.registers.access.answer();
        let answered = B::outputs(&state.bus, answer);
        if ports.reset {
            state.bus = B::State::default();
            state.registers = registers.registers();
        } else {
            let request = B::request(&state.bus, &bus);
            registers.step(&mut state.registers, &request, &out);
            B::step(&mut state.bus, &bus, answer);
        }
        Out {
            issue: out,
            bus: answered,
        }
    }

    fn state(&self) -> &Self::State {
        &self.state
    }

    fn assume(&self, input: &Self::In) -> Result<(), Violation> {
        self.state.issue.check(self.params(), &self.ports(input))?;
        B::check(&B::beside_sm(input))
    }
}

/// The ports of a `mem_issue` and those of a bus.
macro_rules! issue_behind {
    (
        $(#[$about:meta])* $module:ident, $Model:ident, $bridge:ident::$Bridge:ident;
        $($in:ident: $in_type:ty),* $(,)?
    ) => {
        $(#[$about])*
        pub mod $module {
            use serde::{Deserialize, Serialize};

            use super::*;
            pub use crate::sm::mem_issue::Params;

            /// The model.
            pub type $Model = MemIssueBus<$Bridge>;

            /// Registers.
            pub type State = super::State<$bridge::State>;

            /// Input ports: those of the SM as in [`mem_issue::In`], and the bus's.
            #[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
            pub struct In {
                /// Synchronous reset.
                pub reset: bool,
                /// The kernels that start.
                pub launch: u64,
                /// The kernels that end.
                pub exit: u64,
                /// The kernels with a warp that is ready to issue a memory instruction.
                pub want: u64,
                /// The LSU takes an instruction in this cycle.
                pub lsu_ready: bool,
                /// The kernels of which an instruction's last response is back.
                pub complete: u64,
                /// The LSU's request is accepted.
                pub request_valid: bool,
                /// It is its instruction's first.
                pub request_first: bool,
                /// The LSU's request is refused.
                pub fail_valid: bool,
                /// Whose the request is.
                pub lsu_kid: u8,
                $(#[doc = concat!("As in [`", stringify!($bridge), "::In`].")] pub $in: $in_type,)*
            }

            /// Output ports.
            pub type Out = super::Out<$bridge::Out>;

            impl IssuePorts for $Bridge {
                type IssueIn = In;

                fn sm(input: &In) -> mem_issue::In {
                    mem_issue::In {
                        reset: input.reset,
                        launch: input.launch,
                        exit: input.exit,
                        want: input.want,
                        lsu_ready: input.lsu_ready,
                        complete: input.complete,
                        request_valid: input.request_valid,
                        request_first: input.request_first,
                        fail_valid: input.fail_valid,
                        lsu_kid: input.lsu_kid,
                        ..mem_issue::In::default()
                    }
                }

                fn set_sm(input: &mut In, issue: &mem_issue::In) {
                    input.reset = issue.reset;
                    input.launch = issue.launch;
                    input.exit = issue.exit;
                    input.want = issue.want;
                    input.lsu_ready = issue.lsu_ready;
                    input.complete = issue.complete;
                    input.request_valid = issue.request_valid;
                    input.request_first = issue.request_first;
                    input.fail_valid = issue.fail_valid;
                    input.lsu_kid = issue.lsu_kid;
                }

                fn beside_sm(input: &In) -> $bridge::In {
                    $bridge::In { $($in: input.$in),* }
                }

                fn set_beside_sm(input: &mut In, bus: &$bridge::In) {
                    $(input.$in = bus.$in;)*
                }
            }
        }
    };
}

issue_behind! {
    /// `mem_issue_apb`: a [`mem_issue`] with registers behind APB4.
    mem_issue_apb, MemIssueApb, apb4::Apb4;
    psel: bool, penable: bool, pwrite: bool, paddr: u16, pwdata: u32, pstrb: u8,
}

issue_behind! {
    /// `mem_issue_axi`: a [`mem_issue`] with registers behind AXI4-Lite.
    mem_issue_axi, MemIssueAxi, axi4_lite::Axi4Lite;
    awvalid: bool, awaddr: u16, wvalid: bool, wdata: u32, wstrb: u8, bready: bool,
    arvalid: bool, araddr: u16, rready: bool,
}
