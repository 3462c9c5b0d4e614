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

/// A bridge with the ports of a `mem_issue` beside its own.
pub trait IssuePorts: Bridge {
    /// Input ports.
    type IssueIn: Plain + Default;
    /// Output ports.
    type IssueOut: Plain;

    /// What the SM asks, on the unit's ports.
    fn sm(input: &Self::IssueIn) -> mem_issue::In;
    /// Takes what the SM asks from the unit's ports.
    fn set_sm(input: &mut Self::IssueIn, issue: &mem_issue::In);
    /// What is on the bus.
    fn bus(input: &Self::IssueIn) -> Self::In;
    /// Puts this on the bus.
    fn set_bus(input: &mut Self::IssueIn, bus: &Self::In);
    /// The outputs.
    fn out(issue: mem_issue::Out, bus: Self::Out) -> Self::IssueOut;
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

    /// Goes on with the registers that a unit without a bus has come to.
    pub fn load(&mut self, issue: &mem_issue::State) {
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
    type Out = B::IssueOut;
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

        let bus = B::bus(input);
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
        B::out(out, answered)
    }

    fn state(&self) -> &Self::State {
        &self.state
    }

    fn assume(&self, input: &Self::In) -> Result<(), Violation> {
        self.state.issue.check(self.params(), &self.ports(input))?;
        B::check(&B::bus(input))
    }
}

/// The ports of a `mem_issue` and those of a bus.
macro_rules! issue_behind {
    (
        $(#[$about:meta])* $module:ident, $Model:ident, $bridge:ident::$Bridge:ident;
        in { $($in:ident: $in_type:ty),* $(,)? }
        out { $($out:ident: $out_type:ty),* $(,)? }
    ) => {
        $(#[$about])*
        pub mod $module {
            use serde::{Deserialize, Serialize};

            use super::*;
            use crate::sm::ByKernel;

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

            /// Output ports: those of the SM as in [`mem_issue::Out`], and the bus's.
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
                /// The kernels below their limit, active or not.
                pub allow: u64,
                /// Instructions in flight.
                pub in_flight: ByKernel,
                /// How many may be.
                pub limit: ByKernel,
                /// The kernels without a limit.
                pub unlimited: u64,
                /// Current quotas; 0 with RBMI.
                pub quota: ByKernel,
                $(#[doc = concat!("As in [`", stringify!($bridge), "::Out`].")] pub $out: $out_type,)*
            }

            impl IssuePorts for $Bridge {
                type IssueIn = In;
                type IssueOut = Out;

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

                fn bus(input: &In) -> $bridge::In {
                    $bridge::In { $($in: input.$in),* }
                }

                fn set_bus(input: &mut In, bus: &$bridge::In) {
                    $(input.$in = bus.$in;)*
                }

                fn out(issue: mem_issue::Out, bus: $bridge::Out) -> Out {
                    Out {
                        grant: issue.grant,
                        grant_valid: issue.grant_valid,
                        grant_kid: issue.grant_kid,
                        active: issue.active,
                        allow: issue.allow,
                        in_flight: issue.in_flight,
                        limit: issue.limit,
                        unlimited: issue.unlimited,
                        quota: issue.quota,
                        $($out: bus.$out,)*
                    }
                }
            }
        }
    };
}

issue_behind! {
    /// `mem_issue_apb`: a [`mem_issue`] with registers behind APB4.
    mem_issue_apb, MemIssueApb, apb4::Apb4;
    in { psel: bool, penable: bool, pwrite: bool, paddr: u16, pwdata: u32, pstrb: u8 }
    out { pready: bool, prdata: u32, pslverr: bool }
}

issue_behind! {
    /// `mem_issue_axi`: a [`mem_issue`] with registers behind AXI4-Lite.
    mem_issue_axi, MemIssueAxi, axi4_lite::Axi4Lite;
    in {
        awvalid: bool, awaddr: u16, wvalid: bool, wdata: u32, wstrb: u8, bready: bool,
        arvalid: bool, araddr: u16, rready: bool,
    }
    out {
        awready: bool, wready: bool, bvalid: bool, bresp: u8,
        arready: bool, rvalid: bool, rdata: u32, rresp: u8,
    }
}
