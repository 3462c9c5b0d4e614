//! [`Unit`]: drives any compiled unit through its ports by name.

use crate::hdl::*;
use num_bigint::BigUint;

/// A block whose ports are reached by name. `#[unit]` implements it.
pub trait Unit: Block {
    /// The clock, if it is sequential.
    fn clock(&mut self) -> Option<&mut Signal<In, Clock>>;

    /// The inputs except for the clock, in the order of declaration.
    fn inputs(&mut self) -> Vec<(&'static str, &mut dyn InputPort)>;

    /// The outputs in the order of declaration.
    fn outputs(&self) -> Vec<(&'static str, &dyn OutputPort)>;
}

/// An input port of any width.
pub trait InputPort {
    /// Width in bits.
    fn width(&self) -> usize;

    /// Gives it a value; `false` if that needs more than `width` bits.
    fn set(&mut self, value: &BigUint) -> bool;
}

/// An output port of any width.
pub trait OutputPort {
    /// Width in bits.
    fn width(&self) -> usize;

    /// Its value.
    fn get(&self) -> BigUint;
}

impl<const N: usize> InputPort for Signal<In, Bits<N>> {
    fn width(&self) -> usize {
        N
    }

    fn set(&mut self, value: &BigUint) -> bool {
        let fits = value.bits() <= N as u64;
        if fits {
            self.next = value.clone().into();
        }
        fits
    }
}

impl InputPort for Signal<In, Bit> {
    fn width(&self) -> usize {
        1
    }

    fn set(&mut self, value: &BigUint) -> bool {
        self.next = value.bit(0);
        value.bits() <= 1
    }
}

impl<const N: usize> OutputPort for Signal<Out, Bits<N>> {
    fn width(&self) -> usize {
        N
    }

    fn get(&self) -> BigUint {
        self.val().into()
    }
}

impl OutputPort for Signal<Out, Bit> {
    fn width(&self) -> usize {
        1
    }

    fn get(&self) -> BigUint {
        u8::from(self.val()).into()
    }
}

impl Logic for Box<dyn Unit> {
    fn update(&mut self) {
        (**self).update();
    }

    fn connect(&mut self) {
        (**self).connect();
    }

    fn hdl(&self) -> Verilog {
        (**self).hdl()
    }
}

impl Block for Box<dyn Unit> {
    fn connect_all(&mut self) {
        (**self).connect_all();
    }

    fn update_all(&mut self) {
        (**self).update_all();
    }

    fn has_changed(&self) -> bool {
        (**self).has_changed()
    }

    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        (**self).accept(name, probe);
    }
}
