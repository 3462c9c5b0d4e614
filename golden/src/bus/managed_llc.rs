//! [`managed_llc`] behind a bus, independent of the protocol: with the registers of
//! [`managed_registers`].

use serde::{Deserialize, Serialize};

use super::apb4::Apb4;
use super::axi4_lite::Axi4Lite;
use super::managed_registers::{self, ManagedRegisters};
use super::Bridge;
use crate::llc::{clog2, id_w};
use crate::mgmt::core_sampling::ByCore;
use crate::mgmt::managed_llc::{self, ManagedLlc, Params};
use crate::model::{Model, ParamError, Part, Violation};
use crate::ports::Ports;
use crate::rules::Rules;

/// Registers.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct State<B> {
    /// The bridge.
    pub bus: B,
    /// The registers that software sees.
    pub registers: managed_registers::State,
    /// The unit.
    pub managed: managed_llc::State,
}

/// Output ports: what is done with an access, as in [`managed_llc::Out`], and the bus's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Ports)]
pub struct Out<B> {
    /// Accesses are taken.
    pub ready: bool,
    /// An access was done, of which the next ports tell.
    pub done_valid: bool,
    /// Whose.
    #[port(id_w(p.applications))]
    pub done_app: u8,
    /// It hit.
    pub done_hit: bool,
    /// It filled a way.
    pub done_fill: bool,
    /// The way that it hit or filled; 0 if none.
    #[port(id_w(p.ways))]
    pub done_way: u8,
    /// It replaced a valid line.
    pub done_evict: bool,
    /// Who owned the line hit or replaced; 0 if there was none.
    #[port(id_w(p.applications))]
    pub done_owner: u8,
    /// The ports of the bus.
    #[port(nested)]
    pub bus: B,
    /// A period has ended or quotas have been computed, and the interrupt is enabled.
    pub irq: bool,
}

/// Input ports: those of caches and cores as in [`managed_llc::In`], and the bus's.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Ports)]
pub struct In<B> {
    /// Synchronous reset.
    pub reset: bool,
    /// There is an access this cycle.
    pub access_valid: bool,
    /// It does not access the line, but invalidates it, if there is one.
    pub access_invalidate: bool,
    /// Its set.
    #[port(clog2(p.sets))]
    pub access_set: u32,
    /// Its tag.
    #[port(p.tag_w)]
    pub access_tag: u64,
    /// The accessing application.
    #[port(id_w(p.applications))]
    pub access_app: u8,
    /// The accessing core, if the application is of the GPU.
    #[port(p.id_w)]
    pub access_core: u8,
    /// Instructions that each core of the GPU retires in this cycle.
    #[port([p.retired_w; p.cores])]
    pub retired: ByCore,
    /// The ports of the bus.
    #[port(nested)]
    pub bus: B,
}

impl<B: Default> In<B> {
    /// The inputs of an idle cycle.
    pub fn idle(params: &Params) -> Self {
        Self::new(&managed_llc::In::idle(params), B::default())
    }
}

impl<B> In<B> {
    /// The inputs from caches and cores, and from the bus.
    pub fn new(cache: &managed_llc::In, bus: B) -> Self {
        Self {
            reset: cache.reset,
            access_valid: cache.access_valid,
            access_invalidate: cache.access_invalidate,
            access_set: cache.access_set,
            access_tag: cache.access_tag,
            access_app: cache.access_app,
            access_core: cache.access_core,
            retired: cache.retired,
            bus,
        }
    }

    /// The inputs from caches and cores, on the unit's ports.
    pub fn cache(&self, params: &Params) -> managed_llc::In {
        managed_llc::In {
            reset: self.reset,
            access_valid: self.access_valid,
            access_invalidate: self.access_invalidate,
            access_set: self.access_set,
            access_tag: self.access_tag,
            access_app: self.access_app,
            access_core: self.access_core,
            retired: self.retired,
            ..managed_llc::In::idle(params)
        }
    }
}

/// `managed_llc_apb`: a [`managed_llc`] with registers behind APB4.
pub type ManagedLlcApb = ManagedLlcBus<Apb4>;

/// `managed_llc_axi`: a [`managed_llc`] with registers behind AXI4-Lite.
pub type ManagedLlcAxi = ManagedLlcBus<Axi4Lite>;

/// The model.
#[derive(Debug, Clone)]
pub struct ManagedLlcBus<B: Bridge> {
    registers: ManagedRegisters,
    // It works on the registers in `state`.
    managed: ManagedLlc,
    state: State<B::State>,
}

impl<B: Bridge> ManagedLlcBus<B> {
    /// The unit's ports in this cycle.
    pub(super) fn ports(&self, input: &In<B::In>) -> managed_llc::In {
        let mut ports = input.cache(self.managed.params());
        self.registers.set(&self.state.registers, &mut ports);
        ports
    }

    /// The register file.
    pub fn registers(&self) -> &ManagedRegisters {
        &self.registers
    }

    /// Lets the unit inside `act`, to find or come to a state.
    pub fn with_managed<R>(&mut self, act: impl FnOnce(&mut ManagedLlc) -> R) -> R {
        self.managed.on(&mut self.state.managed, act)
    }

    /// The unit inside; its registers are in the state of this one.
    pub fn managed(&self) -> &ManagedLlc {
        &self.managed
    }

    /// Goes on with these registers and with no transfer on its way.
    ///
    /// For runs that start in a state that has been running for long.
    pub fn load(&mut self, registers: managed_registers::State) {
        self.state.registers = registers;
        self.state.registers.quiet();
    }
}

impl<B: Bridge> Model for ManagedLlcBus<B> {
    type Params = Params;
    type In = In<B::In>;
    type Out = Out<B::Out>;
    type State = State<B::State>;

    fn legal(params: &Params) -> Result<(), ParamError> {
        ManagedLlc::legal(params)?;
        ManagedRegisters::new(params).map(drop)
    }

    fn new(params: Params) -> Result<Self, ParamError> {
        Self::legal(&params)?;
        let registers = ManagedRegisters::new(&params)?;
        let managed = ManagedLlc::new(params)?;
        let state = State {
            bus: B::State::default(),
            registers: registers.registers(),
            managed: managed.state().clone(),
        };
        Ok(Self {
            registers,
            managed,
            state,
        })
    }

    fn params(&self) -> &Params {
        self.managed.params()
    }

    fn reset(&mut self) {
        self.state.bus = B::State::default();
        self.state.registers = self.registers.registers();
        self.managed.on(&mut self.state.managed, ManagedLlc::reset);
    }

    fn step(&mut self, input: &Self::In) -> Self::Out {
        let ports = self.ports(input);
        let Self {
            registers,
            managed,
            state,
        } = self;
        let out = managed.on(&mut state.managed, |managed| managed.step(&ports));

        let irq = state.registers.irq;
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
            ready: out.ready,
            done_valid: out.done_valid,
            done_app: out.done_app,
            done_hit: out.done_hit,
            done_fill: out.done_fill,
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
        self.managed
            .assume_in(&self.state.managed, &self.ports(input))?;
        B::check(&input.bus)
    }
}
