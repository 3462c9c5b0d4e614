//! `llc_counters_axi`: `llc_counters` behind AXI4-Lite, with budgets and an interrupt.
//!
//! Source: GDC, as `llc_counters`; AMBA AXI Protocol Specification (ARM IHI 0022).
//!
//! Timing: the cache's side is that of `llc_counters`. A response comes six cycles
//! after the cycle in which the address (and data) are taken, if nothing else is
//! under way; accesses to limits wait for their sweep after reset. `irq` is
//! level, and stays until software clears its cause.
//!
//! The registers are those of `cotenant registers llc_counters_axi`.

use super::{Axi4Lite, LlcRegisters, ADDRESS_W};
use crate::llc::{position_width, LlcCounters, MAX_WAYS};
use crate::table::bus::counters;
use crate::table::line::Line;
use crate::unit;
use cotenant_netlist::hdl::*;
use cotenant_registers::{MAX_KERNELS, MAX_REQUESTERS};

#[unit(
    source = "GDC, sections II-A and III; AMBA AXI",
    ports(counters(..), bus(..), registers(irq)),
    // There is nothing to flush.
    unused = ["registers.flush"],
)]
mod llc_counters_axi {
    /// [`LlcCounters`] behind AXI4-Lite, with the registers of [`LlcRegisters`].
    ///
    /// ```
    /// use cotenant_units::bus::LlcCountersAxi;
    /// // Ways, kernels, banks; counter; stages, requesters.
    /// let unit = <LlcCountersAxi!(16, 4, 4, 21, 1, 4)>::default();
    /// ```
    pub struct LlcCountersAxi<
        #[range(2..=MAX_WAYS)] const WAYS: usize,
        #[range(1..=MAX_KERNELS)] const KERNELS: usize,
        #[range(1..=64)] const BANKS: usize,
        #[range(position_width(WAYS)..=32 - clog2(BANKS))] const CNT_W: usize,
        #[range(0..=2)] const STAGES: usize,
        #[range(1..=MAX_REQUESTERS)] const REQUESTERS: usize,
    > {
        /// Rising edge active.
        pub clock: In<Clock>,
        /// Synchronous, active high: the unit, its registers and the bus.
        pub reset: In<Bit>,
        /// Limits are in force; 0 after reset, while they are set. Accesses are counted all the
        /// same.
        pub ready: Out<Bit>,
        bus: Axi4Lite,
        registers: LlcRegisters<WAYS, KERNELS, 1, BANKS, 0, CNT_W, STAGES, REQUESTERS, 0, 0, 0>,
        counters: LlcCounters,
    }

    fn update(&mut self) {
        self.bus.next = Axi4Lite { ..self };
        // Nothing but the limits needs time after a reset.
        self.registers.next = LlcRegisters {
            ready: true,
            ..self
        };
        self.counters.next = LlcCounters { ..self };
        self.ready.next = self.registers.limits_ready[0].val();
        self.next = Self { ..self };
    }
}

/// Parameter sets.
pub(crate) static LINE: Line = counters(&<LlcCountersAxi!(@any)>::DEFINITION);
