//! `mem_issue_apb`: `mem_issue` behind APB4.
//!
//! Source: Dai et al., as `mem_issue`; AMBA APB Protocol Specification (ARM IHI
//! 0024).
//!
//! Timing: the SM's side is that of `mem_issue`. An APB4 transfer has four wait
//! states, in its ACCESS phase: `pready` is high four cycles after the first
//! cycle with `penable`.
//!
//! The registers are those of `cotenant registers mem_issue_apb`.

use super::{Apb4, IssueRegisters, ADDRESS_W};
use crate::sm::MemIssue;
use crate::table::bus::issue;
use crate::table::line::Line;
use crate::unit;
use cotenant_netlist::hdl::*;

#[unit(
    source = "Dai et al., section 3.4; AMBA APB",
    ports(issue(.., active, allow, in_flight, limit, unlimited, quota), bus(..)),
)]
mod mem_issue_apb {
    /// [`MemIssue`] behind APB4; the parameters are its, and those of [`IssueRegisters`].
    ///
    /// ```
    /// use cotenant_units::bus::MemIssueApb;
    /// // Kernels, MILG, QBMI; failure counter, release, cap, lag; counts, interval, limit.
    /// let unit = <MemIssueApb!(2, 1, 1, 12, 0, 0, 0, 7, 10, 5)>::default();
    /// ```
    pub struct MemIssueApb<
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
        bus: Apb4,
        registers: IssueRegisters,
        issue: MemIssue,
    }

    fn update(&mut self) {
        self.bus.next = Apb4 { ..self };
        self.registers.next = IssueRegisters { ..self };
        self.issue.next = MemIssue { ..self };
        self.next = Self { ..self };
    }
}

/// Parameter sets.
pub(crate) static LINE: Line = issue(&<MemIssueApb!(@any)>::DEFINITION);
