//! Values of all named signals of a design, for waves and debugging.

use super::code::Code;
use super::layout::{Layout, Slot};
use super::Sim;
use std::sync::Arc;

/// Computes the signals inside a design; not for every cycle of a long run.
#[derive(Clone, Debug)]
pub struct Observer {
    code: Arc<Code>,
    /// A copy of the registers, the signals, and what the program needs.
    memory: Vec<u64>,
}

impl Observer {
    pub(super) fn new(code: Arc<Code>) -> Observer {
        let mut memory = vec![0; code.observe.words()];
        code.observe.prepare(&mut memory);
        Observer { code, memory }
    }

    /// Names, widths and places; those of signals count within what
    /// [`Observer::observe`] returns.
    pub fn layout(&self) -> &Layout {
        &self.code.layout
    }

    /// All signals for the present inputs and state of an instance, in the
    /// order of the netlist.
    ///
    /// # Panics
    /// If the instance is of another design.
    pub fn observe(&mut self, sim: &Sim) -> &[u64] {
        let registers = self.code.layout.registers_end();
        self.memory[..registers].copy_from_slice(&sim.memory[..registers]);
        self.code.observe.run(&mut self.memory);
        self.values()
    }

    /// What the last [`observe`](Observer::observe) returned.
    pub fn values(&self) -> &[u64] {
        let start = self.code.layout.registers_end();
        &self.memory[start..start + self.code.layout.signal_words()]
    }

    /// Words of one signal.
    pub fn get(&self, slot: Slot) -> &[u64] {
        &self.values()[slot.range()]
    }
}
