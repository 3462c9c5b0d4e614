//! `mem_issue` between the warp schedulers and the load/store unit of a simulated SM, as netlist
//! and golden model in lockstep.
//!
//! An [`IssueControl`] is put into an SM; each cycle of the SM is a cycle of the unit. Outputs and
//! registers of both sides are compared in each cycle, and their common grant goes to the SM, so
//! that the limits of the hardware throttle the SM that drives it. The [`Log`] shows the
//! statistics, also during the run.
//!
//! Each cycle is also checked for two more things: the SM keeps the unit's assumptions, and no
//! kernel has more instructions in flight than its limit allows ([`Bound`]).
//!
//! After the first error nothing is granted any more, and [`Log::ended`] tells the caller to stop
//! the run.

mod bound;
mod log;

pub use bound::{Bound, Excess};
pub use log::{Ended, Log, Period, Seen, Span};

use cotenant_golden::gpu::sm::MemoryIssue;
use cotenant_golden::sm::mem_issue::{In, Out};
use cotenant_netlist::sim::Engine;
use cotenant_netlist::Netlist;
use cotenant_units::table::ParameterSet;

use crate::error::Result;
use crate::unit::sm::MemIssue;
use crate::verify::lockstep::Lockstep;

/// The unit in an SM.
#[derive(Debug)]
pub struct IssueControl {
    lockstep: Lockstep<MemIssue>,
    bound: Bound,
    /// The schedulers choose among the kernels that may issue.
    leaves_order: bool,
    /// Cycles of a period.
    every: u64,
    period: Period,
    log: Log,
}

impl IssueControl {
    /// The unit of a parameter set, on the default engine, and its log, with an entry every so
    /// many cycles (at least 1).
    ///
    /// # Errors
    /// Whatever keeps it from being built: [`Error`](crate::Error).
    pub fn new(set: &ParameterSet, every: u64) -> Result<(Self, Log)> {
        Ok(Self::around(Lockstep::new(set)?, every))
    }

    /// With a netlist of one's own, for instance one with a fault.
    ///
    /// # Errors
    /// [`Error::Interface`](crate::Error::Interface) if it is no netlist of this unit.
    pub fn with_netlist(
        set: &ParameterSet,
        netlist: &Netlist,
        engine: Engine,
        every: u64,
    ) -> Result<(Self, Log)> {
        let lockstep = Lockstep::with_netlist(set, netlist, engine)?;
        Ok(Self::around(lockstep, every))
    }

    fn around(lockstep: Lockstep<MemIssue>, every: u64) -> (Self, Log) {
        let kernels = lockstep.params().kernels;
        let log = Log::default();
        let control = Self {
            lockstep: lockstep.check_assumptions(true),
            bound: Bound::new(kernels),
            leaves_order: false,
            every: every.max(1),
            period: Period::new(kernels),
            log: log.clone(),
        };
        (control, log)
    }

    /// Leaves it to the warp schedulers which kernel below its limit issues, as limits alone do.
    #[must_use]
    pub fn leaving_order(mut self, leaves_order: bool) -> Self {
        self.leaves_order = leaves_order;
        self
    }

    /// What runs the netlist: `jit` or `interpreter`.
    pub fn engine(&self) -> &'static str {
        self.lockstep.engine()
    }

    /// A cycle: what the SM tells the unit, and what the unit answers.
    pub fn cycle(&mut self, input: &In) -> Out {
        if self.log.ended() {
            return Out::default();
        }
        let cycle = self.lockstep.cycle();
        let out = match self.lockstep.step_with_outputs(input) {
            Ok((out, None)) => out,
            Ok((_, Some(mismatch))) => return self.end(Ended::Mismatch(mismatch)),
            Err(error) => return self.end(Ended::Error(error)),
        };
        if let Err(excess) = self.bound.step(cycle, input, &out) {
            return self.end(Ended::Excess(excess));
        }
        self.period.count(input, &out);
        if self.lockstep.cycle() % self.every == 0 {
            self.flush();
        }
        out
    }

    /// The period so far becomes an entry of the log.
    fn flush(&mut self) {
        let next = Period::new(self.lockstep.params().kernels);
        self.log.push(std::mem::replace(&mut self.period, next));
    }

    fn end(&mut self, why: Ended) -> Out {
        self.flush();
        self.log.end(why);
        Out::default()
    }
}

impl MemoryIssue for IssueControl {
    fn step(&mut self, input: &In) -> Out {
        self.cycle(input)
    }

    fn schedulers_choose(&self) -> Option<u64> {
        self.leaves_order.then(|| self.lockstep.model().may_issue())
    }
}

impl Drop for IssueControl {
    /// What the last period has is not lost.
    fn drop(&mut self) {
        if self.period.cycles > 0 {
            self.flush();
        }
    }
}

#[cfg(test)]
mod tests;
