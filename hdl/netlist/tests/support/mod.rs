//! Primitives and shorthands for tests of the elaborator.

pub mod agree;
pub mod engines;
pub mod exported;
pub mod icarus;
pub mod lint;
pub mod naive;
#[macro_use]
pub mod ports;
pub mod stimulus;

use cotenant_netlist::hdl::*;
use cotenant_netlist::primitive;

/// Input of a test block.
pub type I<T> = Signal<In, T>;
/// Output of a test block.
pub type O<T> = Signal<Out, T>;
/// Local of a test block.
pub type L<T> = Signal<Local, T>;

/// Flop with synchronous reset.
#[derive(Clone, Debug, LogicBlock)]
pub struct Flop<T: Synth> {
    pub clock: I<Clock>,
    pub reset: I<Bit>,
    pub d: I<T>,
    pub q: O<T>,
    _init: T,
}

impl<T: Synth> Flop<T> {
    pub fn new(init: T) -> Self {
        Flop {
            clock: Default::default(),
            reset: Default::default(),
            d: Default::default(),
            q: Signal::new_with_default(init),
            _init: init,
        }
    }
}

impl<T: Synth> Default for Flop<T> {
    fn default() -> Self {
        Flop::new(T::default())
    }
}

impl<T: Synth> Logic for Flop<T> {
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

/// RAM with synchronous read that returns the old word.
#[derive(LogicBlock)]
pub struct Memory<T: Synth, const A: usize> {
    pub clock: I<Clock>,
    pub read_address: I<Bits<A>>,
    pub read_data: O<T>,
    pub write_enable: I<Bit>,
    pub write_address: I<Bits<A>>,
    pub write_data: I<T>,
    _words: Vec<T>,
}

impl<T: Synth, const A: usize> Default for Memory<T, A> {
    fn default() -> Self {
        Memory {
            clock: Default::default(),
            read_address: Default::default(),
            read_data: Default::default(),
            write_enable: Default::default(),
            write_address: Default::default(),
            write_data: Default::default(),
            _words: vec![T::default(); 1 << A],
        }
    }
}

impl<T: Synth, const A: usize> Logic for Memory<T, A> {
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
