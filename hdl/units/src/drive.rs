//! Runs a block on rust-hdl's own `update()`, without simulation threads.
//!
//! This is the one engine that shares nothing with the elaborator, so it is
//! what netlists are compared with. Inputs are given and outputs read by
//! closures, or by name for a unit.
//!
//! ```
//! use cotenant_units::drive::Driver;
//! use cotenant_units::llc::{LruStack, Popcnt};
//!
//! let mut popcnt = Driver::combinational(<Popcnt!(4)>::default())?;
//! let count = popcnt.cycle(|p| p.data.next = 0b1011.into(), |p| p.count.val())?;
//! assert_eq!(count, 3);
//!
//! let mut stack = Driver::of(Box::<LruStack!(4, 2)>::default())?;
//! stack.set("access_valid", 1u8)?;
//! stack.settle()?;
//! assert_eq!(stack.get("victim_way")?, 3u8.into());
//! stack.edge()?;
//! assert_eq!(stack.get("victim_way")?, 2u8.into());
//! # Ok::<(), cotenant_units::drive::DriveError>(())
//! ```

use crate::unit::Unit;
use cotenant_netlist::hdl::*;
use num_bigint::BigUint;

/// Passes over the block after which it is said to oscillate; a block settles
/// in about twice its depth in hierarchy levels.
const MAX_PASSES: usize = 1000;

/// Why a block cannot be driven so.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DriveError {
    /// The block's signals keep changing.
    #[error(
        "the block did not settle within {MAX_PASSES} passes: break its combinational loop with a flop"
    )]
    Unsettled,
    /// The unit has no such port in this direction.
    #[error("no port '{port}'; there are {}", .ports.join(", "))]
    UnknownPort {
        /// The name asked for.
        port: String,
        /// The ports that there are.
        ports: Vec<String>,
    },
    /// The value needs more bits than the port has.
    #[error("{value} does not fit into the {width} bits of '{port}'")]
    DoesNotFit {
        /// The port.
        port: String,
        /// Its width in bits.
        width: usize,
        /// The value.
        value: BigUint,
    },
}

/// Calls `update()` until no signal changes.
///
/// # Errors
/// [`DriveError::Unsettled`] if that does not come to an end.
pub fn settle(block: &mut (impl Block + ?Sized)) -> Result<(), DriveError> {
    for _ in 0..MAX_PASSES {
        block.update_all();
        if !block.has_changed() {
            return Ok(());
        }
    }
    Err(DriveError::Unsettled)
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
    /// [`DriveError::Unsettled`] if it has a combinational loop.
    pub fn new(mut block: B, clock: ClockOf<B>) -> Result<Self, DriveError> {
        block.connect_all();
        settle(&mut block)?;
        Ok(Driver { block, clock })
    }

    /// Connects and settles a block that has no clock.
    ///
    /// # Errors
    /// [`DriveError::Unsettled`] if it has a combinational loop.
    pub fn combinational(block: B) -> Result<Self, DriveError> {
        Driver::new(block, |_| None)
    }

    /// The block.
    pub fn block(&self) -> &B {
        &self.block
    }

    /// The block, to give its inputs (`.next`).
    pub fn block_mut(&mut self) -> &mut B {
        &mut self.block
    }

    /// Lets the inputs take effect on the outputs.
    ///
    /// # Errors
    /// [`DriveError::Unsettled`] if there is a combinational loop.
    pub fn settle(&mut self) -> Result<(), DriveError> {
        settle(&mut self.block)
    }

    /// A rising and a falling edge of the clock, each settled; nothing
    /// without a clock. Settle the inputs before.
    ///
    /// # Errors
    /// [`DriveError::Unsettled`] if there is a combinational loop.
    pub fn edge(&mut self) -> Result<(), DriveError> {
        for level in [true, false] {
            if let Some(clock) = (self.clock)(&mut self.block) {
                clock.next = level.into();
                settle(&mut self.block)?;
            }
        }
        Ok(())
    }

    /// One clock cycle: `set` gives the inputs (`.next`), `see` reads the
    /// outputs (`.val()`) just before the rising edge.
    ///
    /// # Errors
    /// [`DriveError::Unsettled`] if there is a combinational loop.
    pub fn cycle<R>(
        &mut self,
        set: impl FnOnce(&mut B),
        see: impl FnOnce(&B) -> R,
    ) -> Result<R, DriveError> {
        set(&mut self.block);
        self.settle()?;
        let seen = see(&self.block);
        self.edge()?;
        Ok(seen)
    }
}

impl Driver<Box<dyn Unit>> {
    /// Connects and settles a unit.
    ///
    /// # Errors
    /// [`DriveError::Unsettled`] if it has a combinational loop.
    pub fn of(unit: Box<dyn Unit>) -> Result<Self, DriveError> {
        Driver::new(unit, |unit| unit.clock())
    }

    /// Gives an input its value, which [`settle`](Driver::settle) lets take
    /// effect.
    ///
    /// # Errors
    /// [`DriveError::UnknownPort`] and [`DriveError::DoesNotFit`].
    pub fn set(&mut self, port: &str, value: impl Into<BigUint>) -> Result<(), DriveError> {
        let value = value.into();
        let mut inputs = self.block.inputs();
        let ports = inputs.iter().map(|(name, _)| name.clone()).collect();
        let Some((_, input)) = inputs.iter_mut().find(|(name, _)| *name == port) else {
            return Err(DriveError::UnknownPort {
                port: port.into(),
                ports,
            });
        };
        if input.set(&value) {
            Ok(())
        } else {
            Err(DriveError::DoesNotFit {
                port: port.into(),
                width: input.width(),
                value,
            })
        }
    }

    /// An output's value.
    ///
    /// # Errors
    /// [`DriveError::UnknownPort`].
    pub fn get(&self, port: &str) -> Result<BigUint, DriveError> {
        let outputs = self.block.outputs();
        match outputs.iter().find(|(name, _)| *name == port) {
            Some((_, output)) => Ok(output.get()),
            None => Err(DriveError::UnknownPort {
                port: port.into(),
                ports: outputs.iter().map(|(name, _)| name.clone()).collect(),
            }),
        }
    }
}
