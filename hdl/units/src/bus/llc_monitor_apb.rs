//! `llc_monitor_apb`: `llc_monitor` behind APB4, with budgets and an interrupt.
//!
//! Source: GDC, as `llc_monitor`; AMBA APB Protocol Specification (ARM IHI 0024).
//!
//! Timing: the cache's side is that of `llc_monitor`. An APB4 transfer has four
//! wait states, in its ACCESS phase: `pready` is high four cycles after the
//! first cycle with `penable`; accesses to limits wait for their sweep after
//! reset. `irq` is level, and stays until software clears its cause.
//!
//! The registers are those of `cotenant registers llc_monitor_apb`.

use super::{Apb4, LlcRegisters, ADDRESS_W};
use crate::llc::LlcMonitor;
use crate::table::bus::monitor;
use crate::table::line::Line;
use crate::unit;
use cotenant_netlist::hdl::*;

#[unit(
    source = "GDC, sections II-A and III; AMBA APB",
    ports(monitor(.., ready), bus(..), registers(..)),
)]
mod llc_monitor_apb {
    /// [`LlcMonitor`] behind APB4; the parameters are its, and those of [`LlcRegisters`].
    ///
    /// ```
    /// use cotenant_units::bus::LlcMonitorApb;
    /// // Ways, kernels, sets per bank, banks; tag, counter; stages, requesters.
    /// let unit = <LlcMonitorApb!(16, 4, 64, 4, 36, 21, 1, 4)>::default();
    /// ```
    pub struct LlcMonitorApb<
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
        bus: Apb4,
        registers: LlcRegisters,
        monitor: LlcMonitor,
    }

    fn update(&mut self) {
        self.bus.next = Apb4 { ..self };
        self.registers.next = LlcRegisters { ..self };
        self.monitor.next = LlcMonitor { ..self };
        self.next = Self { ..self };
    }
}

/// Parameter sets.
pub(crate) static LINE: Line = monitor(&<LlcMonitorApb!(@any)>::DEFINITION);
