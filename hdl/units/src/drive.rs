//! Runs a block on rust-hdl's own `update()`, without simulation threads.
//!
//! This is the one engine that shares nothing with the elaborator, so it is
//! what netlists are compared with.
//!
//! ```
//! use cotenant_units::drive::Driver;
//! use cotenant_units::llc::Popcnt;
//!
//! let mut popcnt = Driver::combinational(<cotenant_units::popcnt!(4)>::default())?;
//! let count = popcnt.cycle(|p| p.data.next = 0b1011.into(), |p| p.count.val())?;
//! assert_eq!(count, 3);
//! # Ok::<(), cotenant_units::drive::Unsettled>(())
//! ```

use cotenant_netlist::hdl::*;

/// Passes over the block after which it is said to oscillate; a block settles
/// in about twice its depth in hierarchy levels.
const MAX_PASSES: usize = 1000;

/// The block's signals keep changing: it has a combinational loop.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the block did not settle within {MAX_PASSES} passes: it has a combinational loop")]
#[non_exhaustive]
pub struct Unsettled;

/// Calls `update()` until no signal changes.
///
/// # Errors
/// [`Unsettled`] if that does not come to an end.
pub fn settle(block: &mut (impl Block + ?Sized)) -> Result<(), Unsettled> {
    for _ in 0..MAX_PASSES {
        block.update_all();
        if !block.has_changed() {
            return Ok(());
        }
    }
    Err(Unsettled)
}

/// Where a block has its clock, if it has one.
type ClockOf<B> = fn(&mut B) -> Option<&mut Signal<In, Clock>>;

/// A block and its clock.
pub struct Driver<B> {
    block: B,
    clock: ClockOf<B>,
}

impl<B: Block> Driver<B> {
    /// Connects and settles a block whose clock is where `clock` says.
    ///
    /// Pass `|b| Some(&mut b.clock)`, or `|_| None` for a combinational block.
    ///
    /// # Errors
    /// [`Unsettled`] if it has a combinational loop.
    pub fn new(mut block: B, clock: ClockOf<B>) -> Result<Self, Unsettled> {
        block.connect_all();
        settle(&mut block)?;
        Ok(Driver { block, clock })
    }

    /// Connects and settles a block that has no clock.
    ///
    /// # Errors
    /// [`Unsettled`] if it has a combinational loop.
    pub fn combinational(block: B) -> Result<Self, Unsettled> {
        Driver::new(block, |_| None)
    }

    /// The block; settled after every call of [`cycle`](Driver::cycle).
    pub fn block(&self) -> &B {
        &self.block
    }

    /// One clock cycle: `set` gives the inputs (`.next`), `see` reads the
    /// outputs (`.val()`) just before the rising edge.
    ///
    /// # Errors
    /// [`Unsettled`] if it has a combinational loop.
    pub fn cycle<R>(
        &mut self,
        set: impl FnOnce(&mut B),
        see: impl FnOnce(&B) -> R,
    ) -> Result<R, Unsettled> {
        set(&mut self.block);
        settle(&mut self.block)?;
        let seen = see(&self.block);
        for level in [true, false] {
            if let Some(clock) = (self.clock)(&mut self.block) {
                clock.next = level.into();
                settle(&mut self.block)?;
            }
        }
        Ok(seen)
    }
}
