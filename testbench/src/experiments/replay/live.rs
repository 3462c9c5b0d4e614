//! The hardware beside a cache that something else drives, access by access.

use super::hardware::{Hardware, Mismatch};
use super::report::LockstepCount;
use super::Error;
use cotenant_golden::llc::cache::{Cache, Fast, Geometry};
use cotenant_golden::workload::Access;
use cotenant_netlist::sim::Engine;

/// An `llc_monitor` as netlist and golden model in lockstep, or single units, and the golden cache that
/// says what becomes of each access.
pub(crate) struct Live {
    cache: Fast,
    hardware: Hardware,
    done: u64,
}

impl Live {
    /// None where there is no hardware of this geometry.
    ///
    /// # Errors
    /// [`Error`].
    pub fn new(geometry: &Geometry, engine: Engine) -> Result<Option<Self>, Error> {
        let Some(hardware) = Hardware::new(geometry, engine, true)? else {
            return Ok(None);
        };
        Ok(Some(Self {
            cache: Fast::new(*geometry)?,
            hardware,
            done: 0,
        }))
    }

    /// One access.
    ///
    /// # Errors
    /// [`Error`].
    pub fn access(&mut self, access: &Access) -> Result<(), Error> {
        let (stack, outcome) = self.cache.observe(access)?;
        self.hardware.access(self.done, access, &stack, &outcome)?;
        self.done += 1;
        Ok(())
    }

    /// What has been compared, and the first difference.
    pub fn finish(mut self) -> (LockstepCount, Option<Mismatch>) {
        self.hardware.finish(self.done, &self.cache.counts());
        let mismatch = self.hardware.mismatch().cloned();
        (self.hardware.count(), mismatch)
    }
}
