//! Rationale: records of synthesis results are kept by digest. A digest that ignores too much keeps
//! results of other hardware; one that depends on how a unit is written throws results away.

#![allow(missing_docs)]

use cotenant_netlist::describe::Definition;
use cotenant_netlist::elaborate_description;
use cotenant_netlist::hdl::*;
use cotenant_netlist::unit;

/// A unit of three inputs and one output with this body.
macro_rules! unit_with {
    ($module:ident, $name:ident, { $($body:tt)* }) => {
        #[unit(file = "digest.rs")]
        mod $module {
            pub struct $name<#[range(1..=8)] const W: usize> {
                pub a: In<Bits<W>>,
                pub b: In<Bits<W>>,
                pub c: In<Bits<W>>,
                pub y: Out<Bits<W>>,
            }

            fn update(&mut self) {
                $($body)*
            }
        }
    };
}

unit_with!(one, One, {
    let x: Bits<W> = self.a & self.b;
    let z: Bits<W> = self.c - self.a;
    self.y.next = x | z;
});
unit_with!(reordered, Reordered, {
    let z: Bits<W> = self.c - self.a;
    let x: Bits<W> = self.b & self.a;
    self.y.next = z | x;
});
unit_with!(swapped, Swapped, {
    let x: Bits<W> = self.a & self.b;
    let z: Bits<W> = self.a - self.c;
    self.y.next = x | z;
});
unit_with!(renamed, Renamed, {
    let x: Bits<W> = self.a & self.c;
    let z: Bits<W> = self.b - self.a;
    self.y.next = x | z;
});

fn digest(definition: &Definition, width: usize) -> String {
    let description = definition.describe("dut", &[width]).unwrap();
    elaborate_description(&description, "dut").unwrap().digest()
}

#[test]
fn the_order_of_writing_does_not_matter() {
    for width in [1, 4] {
        let one = digest(&<One!(@any)>::DEFINITION, width);
        assert_eq!(one.len(), 16);
        assert_eq!(
            one,
            digest(&<Reordered!(@any)>::DEFINITION, width),
            "{width}"
        );
    }
}

// At a width of 1 a difference is an exclusive or, so that its operands can be swapped.
#[test]
fn other_logic_widths_and_ports_matter() {
    let one = digest(&<One!(@any)>::DEFINITION, 4);
    assert_ne!(one, digest(&<One!(@any)>::DEFINITION, 5));
    assert_ne!(one, digest(&<Swapped!(@any)>::DEFINITION, 4));
    assert_ne!(one, digest(&<Renamed!(@any)>::DEFINITION, 4));
}
