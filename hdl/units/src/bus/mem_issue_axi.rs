//! `mem_issue_axi`: `mem_issue` behind AXI4-Lite.
//!
//! Source: Dai et al., as `mem_issue`; AMBA AXI Protocol Specification (ARM IHI
//! 0022).
//!
//! Timing: the SM's side is that of `mem_issue`. A response comes six cycles
//! after the cycle in which the address (and data) are taken, if nothing else is
//! under way.
//!
//! The registers are those of `cotenant registers mem_issue_axi`.

use super::{Axi4Lite, IssueRegisters, ADDRESS_W};
use crate::sm::MemIssue;
use crate::table::bus::issue;
use crate::table::line::Line;
use crate::unit;
use cotenant_netlist::hdl::*;

#[unit(
    source = "Dai et al., section 3.4; AMBA AXI",
    ports(issue(.., active, allow, in_flight, limit, unlimited, quota), bus(..)),
)]
mod mem_issue_axi {
    /// [`MemIssue`] behind AXI4-Lite; the parameters are its, and those of [`IssueRegisters`].
    ///
    /// ```
    /// use cotenant_units::bus::MemIssueAxi;
    /// // Kernels, MILG, QBMI; failure counter, release, cap, lag; counts, interval, limit.
    /// let unit = <MemIssueAxi!(2, 1, 1, 12, 0, 0, 0, 7, 10, 5)>::default();
    /// ```
    pub struct MemIssueAxi<
        const KERNELS: usize,
        const LIMITER: usize,
        const PRIORITY: usize,
        const FAIL_W: usize,
        const RELEASE: usize,
        const CAP: usize,
        const LAG: usize,
        const COUNT_W: usize,
        const INTERVAL_W: usize,
        const LIMIT_W: usize,
    > {
        /// Rising edge active.
        pub clock: In<Clock>,
        /// Synchronous, active high: the unit, its registers and the bus.
        pub reset: In<Bit>,
        bus: Axi4Lite,
        registers: IssueRegisters,
        issue: MemIssue,
    }

    fn update(&mut self) {
        self.bus.next = Axi4Lite { ..self };
        self.registers.next = IssueRegisters { ..self };
        self.issue.next = MemIssue { ..self };
        self.next = Self { ..self };
    }
}

/// Parameter sets.
pub(crate) static LINE: Line = issue(&<MemIssueAxi!(@any)>::DEFINITION);
