//! [`Unit`]: drives any compiled unit through its ports by name.

use crate::hdl::*;
use num_bigint::BigUint;

/// A block whose ports are reached by name. `#[unit]` implements it.
pub trait Unit: Block {
    /// The clock, if it is sequential.
    fn clock(&mut self) -> Option<&mut Signal<In, Clock>>;

    /// The inputs except for the clock, in the order of declaration; of an array each element.
    fn inputs(&mut self) -> Vec<(String, &mut dyn InputPort)>;

    /// The outputs in the order of declaration; of an array each element.
    fn outputs(&self) -> Vec<(String, &dyn OutputPort)>;
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

/// A field that is an input port, or an array of them.
pub trait InputPorts {
    /// Its ports, of which the first is called `name` or, in an array, `name[0]`.
    fn each<'a>(&'a mut self, name: String, all: &mut Vec<(String, &'a mut dyn InputPort)>);
}

/// A field that is an output port, or an array of them.
pub trait OutputPorts {
    /// Its ports, of which the first is called `name` or, in an array, `name[0]`.
    fn each<'a>(&'a self, name: String, all: &mut Vec<(String, &'a dyn OutputPort)>);
}

impl<D: Synth> InputPorts for Signal<In, D>
where
    Self: InputPort,
{
    fn each<'a>(&'a mut self, name: String, all: &mut Vec<(String, &'a mut dyn InputPort)>) {
        all.push((name, self));
    }
}

impl<D: Synth> OutputPorts for Signal<Out, D>
where
    Self: OutputPort,
{
    fn each<'a>(&'a self, name: String, all: &mut Vec<(String, &'a dyn OutputPort)>) {
        all.push((name, self));
    }
}

impl<T: InputPorts> InputPorts for Vec<T> {
    fn each<'a>(&'a mut self, name: String, all: &mut Vec<(String, &'a mut dyn InputPort)>) {
        for (index, port) in self.iter_mut().enumerate() {
            port.each(format!("{name}[{index}]"), all);
        }
    }
}

impl<T: OutputPorts> OutputPorts for Vec<T> {
    fn each<'a>(&'a self, name: String, all: &mut Vec<(String, &'a dyn OutputPort)>) {
        for (index, port) in self.iter().enumerate() {
            port.each(format!("{name}[{index}]"), all);
        }
    }
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
