//! Flop with synchronous reset.

use crate::hdl::*;
use crate::primitive;

/// Flop with synchronous, active-high reset to the value given to [`new`].
///
/// Starts at its reset value, too, so that simulation and an FPGA's power-up
/// agree with a reset.
///
/// [`new`]: Reg::new
#[derive(Clone, Debug, LogicBlock)]
pub struct Reg<T: Synth> {
    /// Rising edge active.
    pub clock: Signal<In, Clock>,
    /// At an edge with `reset` high, `q` takes the reset value.
    pub reset: Signal<In, Bit>,
    /// The next value.
    pub d: Signal<In, T>,
    /// The value stored.
    pub q: Signal<Out, T>,
    // The underscore keeps it out of rust-hdl's walk over the signals.
    _init: T,
}

impl<T: Synth> Reg<T> {
    /// A flop that resets to `init`.
    pub fn new(init: T) -> Self {
        Reg {
            clock: Default::default(),
            reset: Default::default(),
            d: Default::default(),
            q: Signal::new_with_default(init),
            _init: init,
        }
    }
}

/// A flop that resets to zero.
impl<T: Synth> Default for Reg<T> {
    fn default() -> Self {
        Reg::new(T::default())
    }
}

impl<T: Synth> Logic for Reg<T> {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            self.q.next = if self.reset.val() {
                self._init
            } else {
                self.d.val()
            };
        }
    }

    fn connect(&mut self) {
        self.q.connect();
    }

    fn hdl(&self) -> Verilog {
        primitive::reg(self._init.verilog())
    }
}
