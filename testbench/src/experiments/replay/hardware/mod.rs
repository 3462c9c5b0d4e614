//! The hardware beside the replayed cache, as netlist and golden model in
//! lockstep: an `llc_monitor` where the geometry is legal for one, else single
//! units.

mod monitor;
mod units;

use super::report::{Beside, LockstepCount};
use crate::error::Result;
use crate::unit::llc::{Gdcu, LlcMonitor, LruStack};
use crate::verify::dut::Difference;
use crate::verify::interface::Interface;
use crate::verify::waves::recorder::AFTER;
use cotenant_golden::llc::cache::{Counts, Geometry, Outcome, Stack};
use cotenant_golden::workload::Access;
use cotenant_netlist::sim::Engine;
use cotenant_netlist::Netlist;
use cotenant_units::table::{self, ParameterSet, TableError};
use std::fmt;

pub(super) use monitor::Monitor;
pub(super) use units::Units;

/// Width of the single units' counters.
const CNT_W: usize = 32;
/// Accesses between two snapshots, at most; fewer where counters could saturate.
const PERIOD: u64 = 1 << 16;

/// The first value in which hardware and golden side differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch {
    /// The unit and where it sits: `lru_stack of set 3`.
    pub unit: String,
    /// The access, counted from 0.
    pub access: u64,
    /// Output or register: `victim_way`, `count[2][1]`.
    pub field: String,
    /// The netlist's value.
    pub dut: u64,
    /// The golden value.
    pub golden: u64,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Mismatch {
            unit,
            access,
            field,
            dut,
            golden,
        } = self;
        write!(
            f,
            "{unit}: access {access}: {field}: dut {dut}, golden {golden}"
        )
    }
}

/// The parameter sets of the hardware for a geometry.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Sets {
    /// An `llc_monitor`.
    Monitor(ParameterSet),
    /// One `lru_stack` per set and one `gdcu` per bank.
    Units(ParameterSet, ParameterSet),
}

impl Sets {
    /// An `llc_monitor` where there can be one, else single units.
    ///
    /// # Errors
    /// The parameter that is out of range if there cannot be single units either.
    pub fn of(geometry: &Geometry) -> std::result::Result<Sets, TableError> {
        if let Ok(set) = Self::monitor(geometry) {
            return Ok(Sets::Monitor(set));
        }
        let Geometry { ways, kernels, .. } = geometry;
        let stack = table::set(LruStack::NAME, &format!("{ways}x{kernels}"))?;
        let gdcu = table::set(Gdcu::NAME, &format!("{ways}x{kernels}x{CNT_W}"))?;
        Ok(Sets::Units(stack, gdcu))
    }

    /// That of the `llc_monitor`: each kernel is a requester of its own.
    ///
    /// # Errors
    /// The parameter that is out of range.
    pub fn monitor(geometry: &Geometry) -> std::result::Result<ParameterSet, TableError> {
        let Geometry {
            ways,
            kernels,
            sets,
            banks,
            ..
        } = *geometry;
        let sets = sets / banks.max(1);
        table::set(
            LlcMonitor::NAME,
            &format!("{ways}x{kernels}x{sets}x{banks}"),
        )
    }
}

/// What has been compared, and what was found.
#[derive(Debug, Clone, Default)]
pub(super) struct Findings {
    cycles: u64,
    mismatch: Option<Mismatch>,
    /// Cycles that the hardware has gone on for after it.
    after: u64,
}

impl Findings {
    /// A cycle that is compared.
    fn cycle(&mut self) {
        if self.mismatch.is_none() {
            self.cycles += 1;
        }
    }

    /// Whether the hardware goes on for one more access or cycle.
    fn goes_on(&mut self) -> bool {
        if self.mismatch.is_some() {
            self.after += 1;
        }
        !self.stopped()
    }

    /// A mismatch and what waves show of the cycles after it have been.
    fn stopped(&self) -> bool {
        self.after > AFTER
    }

    fn note(&mut self, difference: Option<Difference>, access: u64, unit: impl Fn() -> String) {
        let (Some(difference), None) = (difference, &self.mismatch) else {
            return;
        };
        let Difference { field, dut, golden } = difference;
        self.mismatch = Some(Mismatch {
            unit: unit(),
            access,
            field,
            dut,
            golden,
        });
    }
}

/// The hardware.
pub struct Hardware {
    pub(super) kind: Kind,
    found: Findings,
}

/// What it consists of.
#[allow(clippy::large_enum_variant)] // There is one.
pub(super) enum Kind {
    Monitor(Monitor),
    Units(Units),
}

impl Hardware {
    /// Hardware for a geometry; `None` if there can be none. `together`: accesses to different
    /// banks may share a cycle.
    ///
    /// # Errors
    /// Whatever keeps the units from being built.
    pub fn new(geometry: &Geometry, engine: Engine, together: bool) -> Result<Option<Self>> {
        Ok(match Sets::of(geometry) {
            Err(_) => None,
            Ok(Sets::Monitor(set)) => {
                let netlist = LlcMonitor::netlist(&set)?;
                Some(Self::monitor(geometry, &set, &netlist, engine, together)?)
            }
            Ok(Sets::Units(stack, gdcu)) => Some(Self::units(
                geometry,
                (&stack, &LruStack::netlist(&stack)?),
                (&gdcu, &Gdcu::netlist(&gdcu)?),
                engine,
            )?),
        })
    }

    /// An `llc_monitor` with a netlist of one's own.
    ///
    /// # Errors
    /// [`Error::Interface`](crate::Error::Interface) if its ports or registers are not the golden
    /// model's.
    pub fn monitor(
        geometry: &Geometry,
        set: &ParameterSet,
        netlist: &Netlist,
        engine: Engine,
        together: bool,
    ) -> Result<Self> {
        let mut found = Findings::default();
        let monitor = Monitor::new(geometry, set, netlist, engine, together, &mut found)?;
        Ok(Hardware {
            kind: Kind::Monitor(monitor),
            found,
        })
    }

    /// An `lru_stack` and a `gdcu` with netlists of one's own.
    ///
    /// # Errors
    /// [`Error::Interface`](crate::Error::Interface) if their ports or registers are not the golden
    /// models'.
    pub fn units(
        geometry: &Geometry,
        stack: (&ParameterSet, &Netlist),
        gdcu: (&ParameterSet, &Netlist),
        engine: Engine,
    ) -> Result<Self> {
        Ok(Hardware {
            kind: Kind::Units(Units::new(geometry, stack, gdcu, engine)?),
            found: Findings::default(),
        })
    }

    /// From now on accesses have cycles, which pass by [`advance`](Hardware::advance); counters are
    /// read every `period` cycles, or more often where they could saturate.
    ///
    /// The period that was taken; `None` for single units, which have no cycles of their own.
    pub fn timed(&mut self, period: u64) -> Option<u64> {
        match &mut self.kind {
            Kind::Monitor(monitor) => {
                monitor.timed(period);
                Some(monitor.period())
            }
            Kind::Units(_) => None,
        }
    }

    /// Ends the present cycle of a timed run; the accesses that come belong to the next.
    /// `number` is the access that is under way.
    pub fn advance(&mut self, number: u64) {
        if !self.found.goes_on() {
            return;
        }
        if let Kind::Monitor(monitor) = &mut self.kind {
            monitor.advance(number, &mut self.found);
        }
    }

    /// Cycles compared and mismatches so far.
    pub fn count(&self) -> LockstepCount {
        LockstepCount {
            hardware: match self.kind {
                Kind::Monitor(_) => Beside::LlcMonitor,
                Kind::Units(_) => Beside::Units,
            },
            cycles: self.found.cycles,
            mismatches: self.found.mismatch.is_some().into(),
        }
    }

    /// A mismatch has been, and the few cycles after it that waves show: it stands still.
    pub(crate) fn stopped(&self) -> bool {
        self.found.stopped()
    }

    /// The first difference; after it nothing is compared any more.
    pub fn mismatch(&self) -> Option<&Mismatch> {
        self.found.mismatch.as_ref()
    }

    /// One access, and what the golden cache made of it.
    ///
    /// # Errors
    /// [`Error::Simulate`](crate::Error::Simulate) if a state cannot be put back,
    /// [`Error::Tags`](crate::Error::Tags).
    pub fn access(
        &mut self,
        number: u64,
        access: &Access,
        before: &Stack,
        outcome: &Outcome,
    ) -> Result<()> {
        if !self.found.goes_on() {
            return Ok(());
        }
        let found = &mut self.found;
        match &mut self.kind {
            Kind::Monitor(monitor) => monitor.access(number, access, before, outcome, found),
            Kind::Units(units) => units.access(number, access.kernel, before, outcome, found),
        }
    }

    /// Reads out what is left and compares the sums with the golden cache's.
    pub fn finish(&mut self, number: u64, counts: &Counts) {
        let found = &mut self.found;
        if found.mismatch.is_some() {
            return;
        }
        match &mut self.kind {
            Kind::Monitor(monitor) => monitor.finish(number, counts, found),
            Kind::Units(units) => units.finish(number, &counts.gdc, found),
        }
    }
}
