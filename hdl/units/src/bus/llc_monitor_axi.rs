//! `llc_monitor_axi`: `llc_monitor` behind AXI4-Lite, with budgets and an interrupt.
//!
//! Source: GDC, as `llc_monitor`; AMBA AXI Protocol Specification (ARM IHI 0022).
//!
//! Timing: the cache's side is that of `llc_monitor`. A response comes six cycles
//! after the cycle in which the address (and data) are taken, if nothing else is
//! under way; accesses to limits wait for their sweep after reset. `irq` is
//! level, and stays until software clears its cause.
//!
//! The registers are those of `cotenant registers llc_monitor_axi`.

use super::{Axi4Lite, LlcRegisters, ADDRESS_W};
use crate::llc::LlcMonitor;
use crate::table::bus::monitor;
use crate::table::line::Line;
use crate::unit;
use cotenant_netlist::hdl::*;

#[unit(
    source = "GDC, sections II-A and III; AMBA AXI",
    ports(monitor(.., ready), bus(..), registers(..)),
)]
mod llc_monitor_axi {
    /// [`LlcMonitor`] behind AXI4-Lite; the parameters are its, and those of [`LlcRegisters`].
    ///
    /// ```
    /// use cotenant_units::bus::LlcMonitorAxi;
    /// // Ways, kernels, sets per bank, banks; tag, counter; stages, requesters.
    /// let unit = <LlcMonitorAxi!(16, 4, 64, 4, 36, 21, 1, 4)>::default();
    /// ```
    pub struct LlcMonitorAxi<
        const WAYS: usize,
        const KERNELS: usize,
        const SETS: usize,
        const BANKS: usize,
        const TAG_W: usize,
        const CNT_W: usize,
        const STAGES: usize,
        const REQUESTERS: usize,
        #[range(0..=1)] const SCE: usize = { 0 },
        #[range(0..=SETS)] const SAMPLED: usize = { 0 },
        #[range(0..=1)] const MODE: usize = { 0 },
        #[range(0..=1)] const RAM_STAGES: usize = { 0 },
    > {
        /// Rising edge active.
        pub clock: In<Clock>,
        /// Synchronous, active high: the unit, its registers and the bus.
        pub reset: In<Bit>,
        bus: Axi4Lite,
        registers: LlcRegisters,
        monitor: LlcMonitor,
    }

    fn update(&mut self) {
        self.bus.next = Axi4Lite { ..self };
        self.registers.next = LlcRegisters { ..self };
        self.monitor.next = LlcMonitor { ..self };
        self.next = Self { ..self };
    }
}

/// Parameter sets.
pub(crate) static LINE: Line = monitor(&<LlcMonitorAxi!(@any)>::DEFINITION);
