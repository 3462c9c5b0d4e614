//! `managed_llc_apb`: `managed_llc` behind APB4, with a timer for its periods and an interrupt.
//!
//! Source: TAP, as `managed_llc`; AMBA APB Protocol Specification (ARM IHI 0024).
//!
//! Timing: the cache's side is that of `managed_llc`. An APB4 transfer has four wait states,
//! in its ACCESS phase: `pready` is high four cycles after the first cycle with `penable`.
//! `irq` is level, and stays until software clears its cause.
//!
//! The registers are those of `cotenant registers managed_llc_apb`.

use super::{Apb4, ManagedRegisters, ADDRESS_W};
use crate::mgmt::ManagedLlc;
use crate::table::bus::managed;
use crate::table::line::Line;
use crate::unit;
use cotenant_netlist::hdl::*;

#[unit(
    source = "TAP, sections 3 and 5.3, tables 2 and 4; AMBA APB",
    ports(
        managed(
            access_valid,
            access_invalidate,
            access_set,
            access_tag,
            access_app,
            access_core,
            retired,
            ready,
            done_valid,
            done_app,
            done_hit,
            done_fill,
            done_way,
            done_evict,
            done_owner,
        ),
        bus(.., psel),
        registers(irq),
    ),
    // Software sees from a counter and the overflow registers what this says.
    unused = ["managed.read_overflow"],
)]
mod managed_llc_apb {
    /// [`ManagedLlc`] behind APB4, with the registers of [`ManagedRegisters`].
    ///
    /// ```
    /// use cotenant_units::bus::ManagedLlcApb;
    /// // Ways, sets, applications, leader sets, monitored sets, cores, tiles; tag, prediction,
    /// // selector, seed; ratio, counter, threshold; core's id, retired instructions, their counter;
    /// // sampled cores stay.
    /// let unit =
    ///     <ManagedLlcApb!(4, 8, 2, 1, 4, 2, 1, 31, 2, 10, 7, 3, 4, 2, 5, 2, 20, 0)>::default();
    /// ```
    pub struct ManagedLlcApb<
        const WAYS: usize,
        const SETS: usize,
        const APPLICATIONS: usize,
        const LEADERS: usize,
        const SAMPLED: usize,
        const CORES: usize,
        const TILES: usize,
        const TAG_W: usize,
        const RRPV_W: usize,
        const PSEL_W: usize,
        const SEED: usize,
        const XS_W: usize,
        const CNT_W: usize,
        const T_XS: usize,
        const ID_W: usize,
        const RETIRED_W: usize,
        const INSTR_W: usize,
        const ROTATE: usize,
    > {
        /// Rising edge active.
        pub clock: In<Clock>,
        /// Synchronous, active high: the unit, its registers and the bus.
        pub reset: In<Bit>,
        bus: Apb4,
        registers: ManagedRegisters,
        managed: ManagedLlc,
    }

    fn update(&mut self) {
        // `psel` is APB's select here and the policy selectors there: each is wired by hand.
        self.bus.next = Apb4 { psel, ..self };
        self.registers.next = ManagedRegisters {
            psel: self.managed.psel,
            ..self
        };
        self.managed.next = ManagedLlc { ..self };
        self.next = Self { ..self };
    }
}

/// Parameter sets.
pub(crate) static LINE: Line = managed(&<ManagedLlcApb!(@any)>::DEFINITION);
