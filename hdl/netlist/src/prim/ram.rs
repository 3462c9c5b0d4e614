//! RAM with one read and one write port.

use crate::hdl::*;
use crate::primitive;

/// RAM of two to the `ADDRESS_W` words with synchronous read.
///
/// Reading the word that is being written gives the old word here, and an
/// undefined one in hardware: a user bypasses around it. It has no reset;
/// simulation starts with all words zero, hardware with any.
#[derive(Clone, Debug, LogicBlock)]
pub struct Ram<T: Synth, const ADDRESS_W: usize> {
    /// Rising edge active.
    pub clock: Signal<In, Clock>,
    /// The word to read.
    pub read_address: Signal<In, Bits<ADDRESS_W>>,
    /// The word that was addressed in the cycle before.
    pub read_data: Signal<Out, T>,
    /// Store `write_data` at the edge; active high.
    pub write_enable: Signal<In, Bit>,
    /// The word to write.
    pub write_address: Signal<In, Bits<ADDRESS_W>>,
    /// Its new value.
    pub write_data: Signal<In, T>,
    // The underscore keeps it out of rust-hdl's walk over the signals.
    _words: Vec<T>,
}

impl<T: Synth, const ADDRESS_W: usize> Default for Ram<T, ADDRESS_W> {
    fn default() -> Self {
        const {
            assert!(
                ADDRESS_W >= 1 && ADDRESS_W <= 24,
                "ram: ADDRESS_W is 1 to 24"
            )
        };
        Ram {
            clock: Default::default(),
            read_address: Default::default(),
            read_data: Default::default(),
            write_enable: Default::default(),
            write_address: Default::default(),
            write_data: Default::default(),
            _words: vec![T::default(); 1 << ADDRESS_W],
        }
    }
}

impl<T: Synth, const ADDRESS_W: usize> Logic for Ram<T, ADDRESS_W> {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            self.read_data.next = self._words[self.read_address.val().index()];
            if self.write_enable.val() {
                self._words[self.write_address.val().index()] = self.write_data.val();
            }
        }
    }

    fn connect(&mut self) {
        self.read_data.connect();
    }

    fn hdl(&self) -> Verilog {
        primitive::ram()
    }
}
