//! Two-state simulation: a bytecode interpreter and native code.
//!
//! Both engines run the same program on the same memory; see [`Layout`]. A
//! [`Sim`] is that memory and a share of the code, so that many instances of
//! a design (one `lru_stack` per set of a cache) cost only their state.
//!
//! ```
//! use cotenant_netlist::hdl::*;
//! use cotenant_netlist::{elaborate, primitive, sim::Sim};
//!
//! #[derive(Default, LogicBlock)]
//! struct Adder {
//!     pub a: Signal<In, Bits<8>>,
//!     pub b: Signal<In, Bits<8>>,
//!     pub sum: Signal<Out, Bits<8>>,
//! }
//!
//! impl Logic for Adder {
//!     #[hdl_gen]
//!     fn update(&mut self) {
//!         self.sum.next = self.a.val() + self.b.val();
//!     }
//! }
//!
//! let mut adder = Adder::default();
//! adder.connect_all();
//! let mut sim = Sim::new(&elaborate(&adder, "adder")?)?;
//! let sum = sim.layout().output("sum")?;
//! sim.set_input("a", 200)?;
//! sim.set_input("b", 100)?;
//! sim.eval();
//! assert_eq!(sim.get(sum), 44);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod code;
mod error;
mod interpreter;
#[cfg(feature = "jit")]
mod jit;
mod layout;
mod observe;
mod plan;
#[cfg(test)]
mod tests;
mod words;

pub use code::Engine;
pub use error::SimError;
pub use layout::{Layout, RamLayout, Slot};
pub use observe::Observer;

use crate::Netlist;
use bitvec::prelude::{BitSlice, BitVec, Lsb0};
use code::Code;
use std::sync::Arc;

/// A design in simulation: shared code and a state of its own.
///
/// Inputs keep their value until they are set again; they start at zero.
#[derive(Clone, Debug)]
pub struct Sim {
    code: Arc<Code>,
    memory: Vec<u64>,
}

/// What the flops and RAMs of a design hold: the words of
/// [`Layout::state_range`].
#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct State(pub Vec<u64>);

impl Sim {
    /// Compiles a design for the default engine, at power-up.
    ///
    /// Without native code for this machine or this design, that is the
    /// interpreter.
    ///
    /// # Errors
    /// [`SimError::TooLarge`], [`SimError::Malformed`].
    pub fn new(netlist: &Netlist) -> Result<Sim, SimError> {
        match Sim::with_engine(netlist, Engine::default()) {
            Err(SimError::Host { .. } | SimError::Codegen { .. }) => {
                Sim::with_engine(netlist, Engine::Interpreter)
            }
            other => other,
        }
    }

    /// Compiles a design for an engine, at power-up.
    ///
    /// # Errors
    /// As [`Sim::new`], and [`SimError::Host`], [`SimError::Codegen`].
    pub fn with_engine(netlist: &Netlist, engine: Engine) -> Result<Sim, SimError> {
        let code = Arc::new(Code::new(netlist, engine)?);
        let mut sim = Sim {
            memory: vec![0; code.memory_words()],
            code,
        };
        sim.power_on();
        Ok(sim)
    }

    /// Names, widths and places.
    pub fn layout(&self) -> &Layout {
        &self.code.layout
    }

    /// The engine that runs it.
    pub fn engine(&self) -> Engine {
        self.code.engine()
    }

    /// Flops at their initial value; RAM, read-data registers, inputs and
    /// outputs at zero.
    pub fn power_on(&mut self) {
        self.code.power_on(&mut self.memory);
    }

    /// Computes the outputs from inputs and state.
    #[inline]
    pub fn eval(&mut self) {
        self.code.eval(&mut self.memory);
    }

    /// One cycle: computes the outputs as they are before the edge, then
    /// the edge. Flops take their next value, read-data registers the word
    /// addressed (the old one, if it is being written), RAMs what is written.
    #[inline]
    pub fn step(&mut self) {
        self.code.step(&mut self.memory);
    }

    /// The low 64 bits of a value.
    #[inline]
    pub fn get(&self, slot: Slot) -> u64 {
        self.memory[slot.offset()]
    }

    /// Sets a value, zero extended; bits beyond its width are dropped.
    #[inline]
    pub fn set(&mut self, slot: Slot, value: u64) {
        let at = slot.offset();
        if slot.width() <= 64 {
            self.memory[at] = value & slot.top_mask();
        } else {
            self.memory[at..at + slot.words()].fill(0);
            self.memory[at] = value;
        }
    }

    /// All words of a value, low word first.
    pub fn get_words(&self, slot: Slot) -> &[u64] {
        &self.memory[slot.range()]
    }

    /// Sets all words of a value; missing words are zero, bits beyond its
    /// width are dropped.
    pub fn set_words(&mut self, slot: Slot, words: &[u64]) {
        let place = &mut self.memory[slot.range()];
        place.fill(0);
        place
            .iter_mut()
            .zip(words)
            .for_each(|(to, from)| *to = *from);
        if let Some(top) = place.last_mut() {
            *top &= slot.top_mask();
        }
    }

    /// A value of any width.
    pub fn get_bits(&self, slot: Slot) -> BitVec<u64, Lsb0> {
        let mut bits = BitVec::from_slice(self.get_words(slot));
        bits.truncate(slot.width());
        bits
    }

    /// Sets a value of any width.
    ///
    /// # Errors
    /// [`SimError::Width`] if the bits are not as many as the value's.
    pub fn set_bits(&mut self, slot: Slot, bits: &BitSlice<u64, Lsb0>) -> Result<(), SimError> {
        if bits.len() != slot.width() {
            let name = format!("word {}", slot.offset());
            return Err(SimError::Width {
                name,
                expected: slot.width(),
                found: bits.len(),
            });
        }
        let mut vector = bits.to_bitvec();
        vector.force_align();
        vector.set_uninitialized(false);
        self.set_words(slot, vector.as_raw_slice());
        Ok(())
    }

    /// Sets an input by name.
    ///
    /// # Errors
    /// [`SimError::UnknownName`]; [`SimError::Width`] if the value needs more
    /// bits than the input has.
    pub fn set_input(&mut self, name: &str, value: u64) -> Result<(), SimError> {
        let slot = self.layout().input(name)?;
        self.set_checked(name, slot, value)
    }

    /// The low 64 bits of an output, by name.
    ///
    /// # Errors
    /// [`SimError::UnknownName`].
    pub fn output(&self, name: &str) -> Result<u64, SimError> {
        Ok(self.get(self.layout().output(name)?))
    }

    /// The low 64 bits of a flop or RAM word, by name: `matrix.count[3][2]`,
    /// `tags[17]`, `tags.read_data`.
    ///
    /// # Errors
    /// [`SimError::UnknownName`], [`SimError::Index`].
    pub fn peek(&self, name: &str) -> Result<u64, SimError> {
        Ok(self.get(self.layout().state(name)?))
    }

    /// Sets a flop or RAM word by name.
    ///
    /// # Errors
    /// As [`Sim::peek`]; [`SimError::Width`] if the value needs more bits.
    pub fn poke(&mut self, name: &str, value: u64) -> Result<(), SimError> {
        let slot = self.layout().state(name)?;
        self.set_checked(name, slot, value)
    }

    fn set_checked(&mut self, name: &str, slot: Slot, value: u64) -> Result<(), SimError> {
        let found = 64 - value.leading_zeros() as usize;
        if found > slot.width() {
            return Err(SimError::Width {
                name: name.to_owned(),
                expected: slot.width(),
                found,
            });
        }
        self.set(slot, value);
        Ok(())
    }

    /// The state, as it is in memory.
    pub fn state_words(&self) -> &[u64] {
        &self.memory[self.layout().state_range()]
    }

    /// A copy of the state.
    pub fn save(&self) -> State {
        State(self.state_words().to_vec())
    }

    /// Copies the state into one that was saved before, without allocating.
    ///
    /// # Errors
    /// [`SimError::State`] if it belongs to another design.
    pub fn save_into(&self, state: &mut State) -> Result<(), SimError> {
        self.check(state)?;
        state.0.copy_from_slice(self.state_words());
        Ok(())
    }

    /// Takes on a state; inputs stay, outputs follow with the next
    /// [`eval`](Sim::eval) or [`step`](Sim::step).
    ///
    /// # Errors
    /// [`SimError::State`] if it belongs to another design.
    pub fn restore(&mut self, state: &State) -> Result<(), SimError> {
        self.check(state)?;
        let range = self.code.layout.state_range();
        self.memory[range].copy_from_slice(&state.0);
        // The code relies on zeros beyond each width.
        self.code.layout.clean_state(&mut self.memory);
        Ok(())
    }

    fn check(&self, state: &State) -> Result<(), SimError> {
        let (expected, found) = (self.layout().state_range().len(), state.0.len());
        if expected == found {
            Ok(())
        } else {
            Err(SimError::State { expected, found })
        }
    }

    /// A view of every named signal inside the design.
    pub fn observer(&self) -> Observer {
        Observer::new(self.code.clone())
    }
}
