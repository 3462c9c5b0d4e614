//! [`llc_monitor`] behind a bus, whichever it is.

use serde::{Deserialize, Serialize};

use super::apb4::{self, Apb4};
use super::axi4_lite::{self, Axi4Lite};
use super::llc_registers::{self, LlcRegisters};
use super::Bridge;
use crate::llc::llc_monitor::{self, LlcMonitor, Matrix, Params};
use crate::llc::ByPosition;
use crate::model::{Model, ParamError, Part, Plain, Violation};

/// Registers and memories.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct State<B> {
    /// The bridge.
    pub bus: B,
    /// The registers that software sees.
    pub registers: llc_registers::State,
    /// The monitor.
    pub monitor: llc_monitor::State,
}

/// Output ports: those of the cache as in [`llc_monitor::Out`], and the bus's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Out<B> {
    /// Requests are taken; low during a sweep.
    pub ready: bool,
    /// The banks in which an access was done in the cycle before.
    pub done_valid: u64,
    /// It hit.
    pub done_hit: u64,
    /// The way hit or filled.
    pub done_way: ByPosition,
    /// It replaced a valid line.
    pub done_evict: u64,
    /// Owner, before the access, of the line hit or replaced.
    pub done_owner: ByPosition,
    /// The ports of the bus.
    pub bus: B,
    /// A budget is exceeded or a period has ended, and software wants to know.
    pub irq: bool,
}

/// The input ports of a monitor that the cache has; see [`llc_monitor::In`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cache<'a> {
    /// Synchronous reset.
    pub reset: bool,
    /// The banks with an access this cycle.
    pub access_valid: u64,
    /// The banks in which to invalidate a way.
    pub invalidate_valid: u64,
    /// The set of the access or invalidation.
    pub request_set: &'a [u32],
    /// The tag of the line accessed.
    pub access_tag: &'a [u64],
    /// Who accesses.
    pub access_requester: &'a [u16],
    /// The way to invalidate.
    pub invalidate_way: &'a [u8],
}

impl Cache<'_> {
    /// Puts this on a monitor's ports.
    pub fn drive(&self, monitor: &mut llc_monitor::In) {
        fn copy<T: Copy>(from: &[T], to: &mut Vec<T>) {
            to.clear();
            to.extend_from_slice(from);
        }
        monitor.reset = self.reset;
        monitor.access_valid = self.access_valid;
        monitor.invalidate_valid = self.invalidate_valid;
        copy(self.request_set, &mut monitor.request_set);
        copy(self.access_tag, &mut monitor.access_tag);
        copy(self.access_requester, &mut monitor.access_requester);
        copy(self.invalidate_way, &mut monitor.invalidate_way);
    }
}

/// A bridge with the ports of a monitor beside its own.
pub trait MonitorPorts: Bridge {
    /// Input ports.
    type MonitorIn: Plain;

    /// A cycle in which nothing is asked.
    fn idle(params: &Params) -> Self::MonitorIn;
    /// What the cache asks.
    fn cache(input: &Self::MonitorIn) -> Cache<'_>;
    /// Takes what the cache asks from the monitor's ports.
    fn set_cache(input: &mut Self::MonitorIn, monitor: &llc_monitor::In);
    /// What is on the bus.
    fn beside_cache(input: &Self::MonitorIn) -> Self::In;
    /// Puts this on the bus.
    fn set_beside_cache(input: &mut Self::MonitorIn, bus: &Self::In);
}

/// The model.
#[derive(Debug, Clone)]
pub struct LlcMonitorBus<B: MonitorPorts> {
    registers: LlcRegisters,
    // It works on the registers in `state`.
    monitor: LlcMonitor,
    state: State<B::State>,
    /// Its input ports; here so that no step allocates them.
    input: llc_monitor::In,
    /// The limit written at the last edge.
    written: Option<usize>,
}

impl<B: MonitorPorts> LlcMonitorBus<B> {
    /// Sets a counter; see [`LlcMonitor::preset`].
    pub fn preset(&mut self, bank: usize, matrix: Matrix, row: usize, kernel: usize, count: u64) {
        self.monitor.on(&mut self.state.monitor, |monitor| {
            monitor.preset(bank, matrix, row, kernel, count);
        });
    }

    /// Forgets the transfer and the pairs of the scan that are on their way, and what the
    /// monitor's read port is reading.
    ///
    /// For runs that start in a state where nothing is.
    pub fn quiet(&mut self) {
        self.state.bus = B::State::default();
        self.state.registers.quiet();
        let nothing = llc_monitor::In {
            read_matrix: 3,
            ..llc_monitor::In::idle(self.monitor.params())
        };
        self.monitor.on(&mut self.state.monitor, |monitor| {
            for _ in 0..2 {
                monitor.step(&nothing);
            }
        });
    }

    /// Bank and set of the cache's words that changed at the last edge; see [`LlcMonitor::written`].
    pub fn written(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.monitor.written()
    }

    /// The limit that was written at the last edge.
    pub fn limit_written(&self) -> Option<usize> {
        self.written
    }

    /// The register file.
    pub fn registers(&self) -> &LlcRegisters {
        &self.registers
    }
}

impl<B: MonitorPorts> Model for LlcMonitorBus<B> {
    type Params = Params;
    type In = B::MonitorIn;
    type Out = Out<B::Out>;
    type State = State<B::State>;

    fn new(params: Params) -> Result<Self, ParamError> {
        let registers = LlcRegisters::new(&params)?;
        let input = llc_monitor::In::idle(&params);
        let monitor = LlcMonitor::new(params)?;
        let state = State {
            bus: B::State::default(),
            registers: registers.registers(),
            monitor: monitor.state().clone(),
        };
        Ok(Self {
            registers,
            monitor,
            state,
            input,
            written: None,
        })
    }

    fn params(&self) -> &Params {
        self.monitor.params()
    }

    fn reset(&mut self) {
        self.state.bus = B::State::default();
        self.registers.reset(&mut self.state.registers);
        self.monitor.on(&mut self.state.monitor, LlcMonitor::reset);
    }

    fn step(&mut self, input: &Self::In) -> Self::Out {
        let Self {
            registers,
            monitor,
            state,
            input: ports,
            written,
        } = self;
        B::cache(input).drive(ports);
        let controls = registers.controls(&state.registers);
        ports.flush = controls.flush;
        ports.snapshot = controls.snapshot;
        ports.map_valid = controls.map_valid;
        ports.map_requester = controls.map_requester;
        ports.map_kid = controls.map_kid;
        ports.read_live = controls.read_live;
        ports.read_matrix = controls.read.matrix;
        ports.read_victim = controls.read.victim;
        ports.read_aggressor = controls.read.aggressor;
        let out = monitor.on(&mut state.monitor, |monitor| monitor.step(ports));

        let (bus, irq) = (B::beside_cache(input), state.registers.irq);
        let answer = state.registers.access.answer();
        let answered = B::outputs(&state.bus, answer);
        *written = registers.write_limit(&mut state.registers);
        if ports.reset {
            state.bus = B::State::default();
            registers.reset(&mut state.registers);
        } else {
            let request = B::request(&state.bus, &bus);
            registers.step(&mut state.registers, &request, &out);
            B::step(&mut state.bus, &bus, answer);
        }
        Out {
            ready: out.ready,
            done_valid: out.done_valid,
            done_hit: out.done_hit,
            done_way: out.done_way,
            done_evict: out.done_evict,
            done_owner: out.done_owner,
            bus: answered,
            irq,
        }
    }

    fn state(&self) -> &Self::State {
        &self.state
    }

    fn assume(&self, input: &Self::In) -> Result<(), Violation> {
        let mut ports = llc_monitor::In::idle(self.params());
        B::cache(input).drive(&mut ports);
        self.monitor.assume(&ports)?;
        B::check(&B::beside_cache(input))
    }
}

/// The ports of a monitor and those of a bus.
macro_rules! monitor_behind {
    (
        $(#[$about:meta])* $module:ident, $Model:ident, $bridge:ident::$Bridge:ident;
        $($in:ident: $in_type:ty),* $(,)?
    ) => {
        $(#[$about])*
        pub mod $module {
            use serde::{Deserialize, Serialize};

            use super::*;
            pub use crate::llc::llc_monitor::Params;

            /// The model.
            pub type $Model = LlcMonitorBus<$Bridge>;

            /// Registers and memories.
            pub type State = super::State<$bridge::State>;

            /// Input ports: those of the cache as in [`llc_monitor::In`], and the bus's.
            #[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
            pub struct In {
                /// Synchronous reset.
                pub reset: bool,
                /// The banks with an access this cycle.
                pub access_valid: u64,
                /// The banks in which to invalidate a way.
                pub invalidate_valid: u64,
                /// The set of the access or invalidation.
                pub request_set: Vec<u32>,
                /// The tag of the line accessed.
                pub access_tag: Vec<u64>,
                /// Who accesses.
                pub access_requester: Vec<u16>,
                /// The way to invalidate.
                pub invalidate_way: Vec<u8>,
                $(#[doc = concat!("As in [`", stringify!($bridge), "::In`].")] pub $in: $in_type,)*
            }

            /// Output ports.
            pub type Out = super::Out<$bridge::Out>;

            impl MonitorPorts for $Bridge {
                type MonitorIn = In;

                fn idle(params: &Params) -> In {
                    let mut input = In::default();
                    Self::set_cache(&mut input, &llc_monitor::In::idle(params));
                    input
                }

                fn cache(input: &In) -> Cache<'_> {
                    Cache {
                        reset: input.reset,
                        access_valid: input.access_valid,
                        invalidate_valid: input.invalidate_valid,
                        request_set: &input.request_set,
                        access_tag: &input.access_tag,
                        access_requester: &input.access_requester,
                        invalidate_way: &input.invalidate_way,
                    }
                }

                fn set_cache(input: &mut In, monitor: &llc_monitor::In) {
                    input.reset = monitor.reset;
                    input.access_valid = monitor.access_valid;
                    input.invalidate_valid = monitor.invalidate_valid;
                    input.request_set.clone_from(&monitor.request_set);
                    input.access_tag.clone_from(&monitor.access_tag);
                    input.access_requester.clone_from(&monitor.access_requester);
                    input.invalidate_way.clone_from(&monitor.invalidate_way);
                }

                fn beside_cache(input: &In) -> $bridge::In {
                    $bridge::In { $($in: input.$in),* }
                }

                fn set_beside_cache(input: &mut In, bus: &$bridge::In) {
                    $(input.$in = bus.$in;)*
                }
            }
        }
    };
}

monitor_behind! {
    /// `llc_monitor_apb`: an [`llc_monitor`] with registers behind APB4.
    llc_monitor_apb, LlcMonitorApb, apb4::Apb4;
    psel: bool, penable: bool, pwrite: bool, paddr: u16, pwdata: u32, pstrb: u8,
}

monitor_behind! {
    /// `llc_monitor_axi`: an [`llc_monitor`] with registers behind AXI4-Lite.
    llc_monitor_axi, LlcMonitorAxi, axi4_lite::Axi4Lite;
    awvalid: bool, awaddr: u16, wvalid: bool, wdata: u32, wstrb: u8, bready: bool,
    arvalid: bool, araddr: u16, rready: bool,
}
