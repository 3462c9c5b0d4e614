//! [`llc_counters`] behind a bus, independent of the protocol: with the registers of
//! [`llc_registers`].

use serde::{Deserialize, Serialize};

use super::apb4::Apb4;
use super::axi4_lite::Axi4Lite;
use super::llc_registers::{self, LlcRegisters, Seen};
use super::Bridge;
use crate::llc::llc_counters::{self, LlcCounters, Params};
use crate::llc::llc_monitor::Matrix;
use crate::llc::{id_w, ByPosition};
use crate::model::{Model, ParamError, Part, Violation};
use crate::ports::Ports;
use crate::rules::Rules;

/// Registers.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct State<B> {
    /// The bridge.
    pub bus: B,
    /// The registers that software sees.
    pub registers: llc_registers::State,
    /// The counters.
    pub counters: llc_counters::State,
}

/// Output ports: that of the cache as in [`llc_counters::Out`], and the bus's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Ports)]
pub struct Out<B> {
    /// Limits are in force; low after reset, while they are set.
    pub ready: bool,
    /// The kernel that each bank's requester runs, to be stored with the line that is hit or filled.
    #[port([id_w(p.kernels); p.banks])]
    pub access_kid: ByPosition,
    /// The ports of the bus.
    #[port(nested)]
    pub bus: B,
    /// A budget is exceeded or a period has ended, and the interrupt is enabled.
    pub irq: bool,
}

/// Input ports: those of the cache as in [`llc_counters::In`], and the bus's.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Ports)]
pub struct In<B> {
    /// Synchronous reset.
    pub reset: bool,
    /// The banks with an access this cycle.
    #[port([1; p.banks])]
    pub access_valid: u64,
    /// The access hits.
    #[port([1; p.banks])]
    pub access_hit: u64,
    /// The requester.
    #[port([p.requester_w(); p.banks])]
    pub access_requester: Vec<u16>,
    /// The lines that the access moves one step towards eviction.
    #[port([1; p.ways * p.banks])]
    pub demoted: Vec<u8>,
    /// The owner of each line.
    #[port([id_w(p.kernels); p.ways * p.banks])]
    pub line_owner: Vec<u8>,
    /// The access replaces a valid line.
    #[port([1; p.banks])]
    pub victim_valid: u64,
    /// Owner of that line.
    #[port([id_w(p.kernels); p.banks])]
    pub victim_owner: Vec<u8>,
    /// The ports of the bus.
    #[port(nested)]
    pub bus: B,
}

impl<B: Default> In<B> {
    /// The inputs of an idle cycle.
    pub fn idle(params: &Params) -> Self {
        let mut input = Self::default();
        input.set_cache(&llc_counters::In::idle(params));
        input
    }
}

impl<B> In<B> {
    /// Copies the cache's inputs to the counters' ports.
    pub fn drive(&self, counters: &mut llc_counters::In) {
        counters.reset = self.reset;
        counters.access_valid = self.access_valid;
        counters.access_hit = self.access_hit;
        counters.access_requester.clone_from(&self.access_requester);
        counters.demoted.clone_from(&self.demoted);
        counters.line_owner.clone_from(&self.line_owner);
        counters.victim_valid = self.victim_valid;
        counters.victim_owner.clone_from(&self.victim_owner);
    }

    /// Copies the cache's inputs from the counters' ports.
    pub fn set_cache(&mut self, counters: &llc_counters::In) {
        self.reset = counters.reset;
        self.access_valid = counters.access_valid;
        self.access_hit = counters.access_hit;
        self.access_requester.clone_from(&counters.access_requester);
        self.demoted.clone_from(&counters.demoted);
        self.line_owner.clone_from(&counters.line_owner);
        self.victim_valid = counters.victim_valid;
        self.victim_owner.clone_from(&counters.victim_owner);
    }
}

/// `llc_counters_apb`: an [`llc_counters`] with registers behind APB4.
pub type LlcCountersApb = LlcCountersBus<Apb4>;

/// `llc_counters_axi`: an [`llc_counters`] with registers behind AXI4-Lite.
pub type LlcCountersAxi = LlcCountersBus<Axi4Lite>;

/// The model.
#[derive(Debug, Clone)]
pub struct LlcCountersBus<B: Bridge> {
    registers: LlcRegisters,
    // They work on the registers in `state`.
    counters: LlcCounters,
    state: State<B::State>,
    /// Their input ports; here so that no step allocates them.
    input: llc_counters::In,
    /// The limit written at the last edge.
    written: Option<usize>,
}

impl<B: Bridge> LlcCountersBus<B> {
    /// Sets a counter; see [`LlcCounters::preset`].
    pub fn preset(&mut self, bank: usize, matrix: Matrix, row: usize, kernel: usize, count: u64) {
        self.counters.on(&mut self.state.counters, |counters| {
            counters.preset(bank, matrix, row, kernel, count);
        });
    }

    /// Sets the budget of a pair, as software does. Does nothing where there is none.
    ///
    /// For runs that start with budgets.
    pub fn preset_limit(&mut self, matrix: Matrix, victim: usize, aggressor: usize, limit: u32) {
        let kernels = self.counters.params().kernels;
        let pair = (matrix, victim, aggressor);
        self.state.registers.preset_limit(kernels, pair, limit);
    }

    /// The sweep of the limits is over.
    ///
    /// For runs that start in a state that has been running for long.
    pub fn swept(&mut self) {
        let idle = In::idle(self.params());
        while self.state.registers.sweeping {
            self.step(&idle);
        }
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

impl<B: Bridge> Model for LlcCountersBus<B> {
    type Params = Params;
    type In = In<B::In>;
    type Out = Out<B::Out>;
    type State = State<B::State>;

    fn legal(params: &Params) -> Result<(), ParamError> {
        LlcCounters::legal(params)?;
        LlcRegisters::of_counters(params).map(drop)
    }

    fn new(params: Params) -> Result<Self, ParamError> {
        Self::legal(&params)?;
        let registers = LlcRegisters::of_counters(&params)?;
        let input = llc_counters::In::idle(&params);
        let counters = LlcCounters::new(params)?;
        let state = State {
            bus: B::State::default(),
            registers: registers.registers(),
            counters: counters.state().clone(),
        };
        Ok(Self {
            registers,
            counters,
            state,
            input,
            written: None,
        })
    }

    fn params(&self) -> &Params {
        self.counters.params()
    }

    fn reset(&mut self) {
        self.state.bus = B::State::default();
        self.registers.reset(&mut self.state.registers);
        self.counters
            .on(&mut self.state.counters, LlcCounters::reset);
    }

    fn step(&mut self, input: &Self::In) -> Self::Out {
        let Self {
            registers,
            counters,
            state,
            input: ports,
            written,
        } = self;
        input.drive(ports);
        let controls = registers.controls(&state.registers);
        ports.snapshot = controls.snapshot;
        ports.map_valid = controls.map_valid;
        ports.map_requester = controls.map_requester;
        ports.map_kid = controls.map_kid;
        ports.read_live = controls.read_live;
        ports.read_matrix = controls.read.matrix;
        ports.read_victim = controls.read.victim;
        ports.read_aggressor = controls.read.aggressor;
        let out = counters.on(&mut state.counters, |counters| counters.step(ports));

        let (irq, ready) = (state.registers.irq, !state.registers.sweeping);
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
            ready,
            access_kid: out.access_kid,
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
        let mut ports = llc_counters::In::idle(self.params());
        input.drive(&mut ports);
        self.counters.assume(&ports)?;
        B::check(&input.bus)
    }
}

#[cfg(test)]
mod tests {
    //! Rationale: software's way to a count: it maps a requester, the cache presents an access, a
    //! read gives the number of demotions; there is nothing to flush, and the widths of what it has
    //! not read 0. Registers, budgets and bridges are tested with the monitor.
    use super::*;
    use crate::bus::apb4;

    struct Bench {
        model: LlcCountersApb,
    }

    impl Bench {
        fn new() -> Self {
            let model = LlcCountersApb::new(Params {
                ways: 2,
                kernels: 2,
                banks: 1,
                cnt_w: 8,
                stages: 1,
                requesters: 2,
            });
            let mut bench = Self {
                model: model.unwrap(),
            };
            // The limits are swept.
            for _ in 0..8 {
                bench.cache(|_| {});
            }
            bench
        }

        fn cache(&mut self, set: impl FnOnce(&mut In<apb4::In>)) -> Out<apb4::Out> {
            let mut input = In::idle(self.model.params());
            set(&mut input);
            self.model.step(&input)
        }

        /// A transfer: what was read, or whether it failed.
        fn transfer(&mut self, address: u16, data: Option<u32>) -> Result<u32, ()> {
            for cycle in 0..20 {
                let out = self.cache(|input| {
                    input.bus = apb4::In {
                        psel: true,
                        penable: cycle > 0,
                        pwrite: data.is_some(),
                        paddr: address,
                        pwdata: data.unwrap_or(0),
                        pstrb: if data.is_some() { 15 } else { 0 },
                        ..apb4::In::default()
                    };
                });
                if cycle > 0 && out.bus.pready {
                    return match out.bus.pslverr {
                        true => Err(()),
                        false => Ok(out.bus.prdata),
                    };
                }
            }
            panic!("no answer");
        }
    }

    const STATUS: u16 = 0x018;
    const WIDTHS: u16 = 0x010;
    const MAP_1: u16 = 0x404;
    const GDC_LIVE_1_0: u16 = 0x1840;
    const MISSES_LIVE_0: u16 = 0x2040;

    #[test]
    fn software_maps_a_requester_and_reads_what_it_did() {
        let mut bench = Bench::new();
        assert_eq!(bench.transfer(MAP_1, Some(0)), Ok(0));
        let out = bench.cache(|input| {
            input.access_valid = 1;
            input.access_requester = vec![1];
            input.demoted = vec![1, 1];
            input.line_owner = vec![1, 1];
        });
        assert_eq!(out.access_kid[..], [0]);
        assert_eq!(bench.transfer(GDC_LIVE_1_0, None), Ok(2));
        assert_eq!(bench.transfer(MISSES_LIVE_0, None), Ok(1));
    }

    #[test]
    fn it_is_ready_and_has_no_sets_and_tags() {
        let mut bench = Bench::new();
        assert_eq!(bench.transfer(STATUS, None), Ok(1));
        let widths = bench.transfer(WIDTHS, None).unwrap();
        assert_eq!(widths.to_le_bytes(), [0, 0, 8, 8]);
    }
}
