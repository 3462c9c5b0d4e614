//! [`llc_monitor`] behind a bus, independent of the protocol.

use serde::{Deserialize, Serialize};

use super::apb4::Apb4;
use super::axi4_lite::Axi4Lite;
use super::llc_registers::{self, LlcRegisters, Seen};
use super::Bridge;
use crate::llc::llc_monitor::{self, LlcMonitor, Matrix, Params};
use crate::llc::shadow_stack::Line;
use crate::llc::{clog2, id_w, ByPosition};
use crate::model::{Model, ParamError, Part, Violation};
use crate::ports::Ports;
use crate::rules::Rules;

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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Ports)]
pub struct Out<B> {
    /// Requests are accepted; low during a sweep.
    pub ready: bool,
    /// The banks in which an access was done in the cycle before.
    #[port([1; p.banks])]
    pub done_valid: u64,
    /// The access hit.
    #[port([1; p.banks])]
    pub done_hit: u64,
    /// The way hit or filled.
    #[port([id_w(p.ways); p.banks])]
    pub done_way: ByPosition,
    /// The access replaced a valid line.
    #[port([1; p.banks])]
    pub done_evict: u64,
    /// Owner, before the access, of the line hit or replaced.
    #[port([id_w(p.kernels); p.banks])]
    pub done_owner: ByPosition,
    /// The ports of the bus.
    #[port(nested)]
    pub bus: B,
    /// A budget is exceeded or a period has ended, and the interrupt is enabled.
    pub irq: bool,
}

/// Input ports: those of the cache as in [`llc_monitor::In`], and the bus's.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Ports)]
pub struct In<B> {
    /// Synchronous reset.
    pub reset: bool,
    /// The banks with an access this cycle.
    #[port([1; p.banks])]
    pub access_valid: u64,
    /// The banks in which to invalidate a way.
    #[port([1; p.banks])]
    pub invalidate_valid: u64,
    /// The set of the access or invalidation.
    #[port([clog2(p.sets); p.banks])]
    pub request_set: Vec<u32>,
    /// The tag of the line accessed.
    #[port([p.tag_w; p.banks])]
    pub access_tag: Vec<u64>,
    /// The requester.
    #[port([p.requester_w(); p.banks])]
    pub access_requester: Vec<u16>,
    /// The way to invalidate.
    #[port([id_w(p.ways); p.banks])]
    pub invalidate_way: Vec<u8>,
    /// The ports of the bus.
    #[port(nested)]
    pub bus: B,
}

impl<B: Default> In<B> {
    /// The inputs of an idle cycle.
    pub fn idle(params: &Params) -> Self {
        let mut input = Self::default();
        input.set_cache(&llc_monitor::In::idle(params));
        input
    }
}

impl<B> In<B> {
    /// Copies the cache's inputs to the monitor's ports.
    pub fn drive(&self, monitor: &mut llc_monitor::In) {
        monitor.reset = self.reset;
        monitor.access_valid = self.access_valid;
        monitor.invalidate_valid = self.invalidate_valid;
        monitor.request_set.clone_from(&self.request_set);
        monitor.access_tag.clone_from(&self.access_tag);
        monitor.access_requester.clone_from(&self.access_requester);
        monitor.invalidate_way.clone_from(&self.invalidate_way);
    }

    /// Copies the cache's inputs from the monitor's ports.
    pub fn set_cache(&mut self, monitor: &llc_monitor::In) {
        self.reset = monitor.reset;
        self.access_valid = monitor.access_valid;
        self.invalidate_valid = monitor.invalidate_valid;
        self.request_set.clone_from(&monitor.request_set);
        self.access_tag.clone_from(&monitor.access_tag);
        self.access_requester.clone_from(&monitor.access_requester);
        self.invalidate_way.clone_from(&monitor.invalidate_way);
    }
}

/// `llc_monitor_apb`: an [`llc_monitor`] with registers behind APB4.
pub type LlcMonitorApb = LlcMonitorBus<Apb4>;

/// `llc_monitor_axi`: an [`llc_monitor`] with registers behind AXI4-Lite.
pub type LlcMonitorAxi = LlcMonitorBus<Axi4Lite>;

/// The model.
#[derive(Debug, Clone)]
pub struct LlcMonitorBus<B: Bridge> {
    registers: LlcRegisters,
    // It works on the registers in `state`.
    monitor: LlcMonitor,
    state: State<B::State>,
    /// Its input ports; here so that no step allocates them.
    input: llc_monitor::In,
    /// The limit written at the last edge.
    written: Option<usize>,
}

impl<B: Bridge> LlcMonitorBus<B> {
    /// Sets a counter; see [`LlcMonitor::preset`].
    pub fn preset(&mut self, bank: usize, matrix: Matrix, row: usize, kernel: usize, count: u64) {
        self.monitor.on(&mut self.state.monitor, |monitor| {
            monitor.preset(bank, matrix, row, kernel, count);
        });
    }

    /// Sets the budget of a pair, as software does. Does nothing where there is none.
    ///
    /// For runs that start with budgets.
    pub fn preset_limit(&mut self, matrix: Matrix, victim: usize, aggressor: usize, limit: u32) {
        let kernels = self.monitor.params().kernels;
        let pair = (matrix, victim, aggressor);
        self.state.registers.preset_limit(kernels, pair, limit);
    }

    /// Forgets the transfer and the pairs of the scan that are on their way, and what the
    /// monitor's read port is reading; the monitor passes so many cycles without requests.
    ///
    /// For runs that start in a state where nothing is.
    pub fn quiet(&mut self, cycles: usize) {
        self.state.bus = B::State::default();
        self.state.registers.quiet();
        let nothing = llc_monitor::In {
            read_matrix: Matrix::Sce.code(),
            ..llc_monitor::In::idle(self.monitor.params())
        };
        self.monitor.on(&mut self.state.monitor, |monitor| {
            for _ in 0..cycles {
                monitor.step(&nothing);
            }
        });
    }

    /// Puts lines into the stack of a sampled set; see [`LlcMonitor::preset_stack`].
    pub fn preset_stack(
        &mut self,
        bank: usize,
        stack: usize,
        lines: impl IntoIterator<Item = Option<Line>>,
    ) {
        self.monitor.on(&mut self.state.monitor, |monitor| {
            monitor.preset_stack(bank, stack, lines);
        });
    }

    /// The sampled sets take accesses from the coming cycle on.
    pub fn start_sampling(&mut self) {
        let Self { monitor, state, .. } = self;
        monitor.on(&mut state.monitor, LlcMonitor::start_sampling);
    }

    /// The sets of each bank that are sampled; see [`LlcMonitor::sampled`].
    pub fn sampled(&self) -> &[usize] {
        self.monitor.sampled()
    }

    /// Bank and word of the stacks of sampled sets written at the last edge.
    pub fn stacked(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.monitor.stacked()
    }

    /// Bank and set of the cache's words that changed at the last edge; see
    /// [`LlcMonitor::written`].
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

impl<B: Bridge> Model for LlcMonitorBus<B> {
    type Params = Params;
    type In = In<B::In>;
    type Out = Out<B::Out>;
    type State = State<B::State>;

    fn legal(params: &Params) -> Result<(), ParamError> {
        LlcMonitor::legal(params)?;
        LlcRegisters::new(params).map(drop)
    }

    fn new(params: Params) -> Result<Self, ParamError> {
        Self::legal(&params)?;
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
        input.drive(ports);
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

        let irq = state.registers.irq;
        let answer = state.registers.access.answer();
        let answered = B::outputs(&state.bus, answer);
        *written = registers.write_limit(&mut state.registers);
        if ports.reset {
            state.bus = B::State::default();
            registers.reset(&mut state.registers);
        } else {
            let request = B::request(&state.bus, &input.bus);
            registers.step(&mut state.registers, &request, &Seen::from(&out));
            B::step(&mut state.bus, &input.bus, answer);
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

    /// No assumptions of its own; those of the unit inside are checked there.
    fn rules(_: &Params) -> Rules<Self::In, Self::State> {
        Rules::new()
    }

    fn assume(&self, input: &Self::In) -> Result<(), Violation> {
        let mut ports = llc_monitor::In::idle(self.params());
        input.drive(&mut ports);
        self.monitor.assume(&ports)?;
        B::check(&input.bus)
    }
}
