//! Blocks that the macro made, to build random ones from.
//!
//! A random program's AST is written by hand; these bring the real output of
//! `#[hdl_gen]` into the same designs.

use crate::random_blocks::block::Child;
use crate::random_blocks::program::PortOf;
use crate::random_blocks::types::{Large, Mode, Ty, Wire};
use crate::support::{Flop, Memory, I, L, O};
use cotenant_netlist::hdl::*;

/// Declares bricks: inputs, outputs (`!` after the type: registered), other
/// fields, `update()`; the list of all of them, and how to reach their ports.
macro_rules! bricks {
    ($(
        $(#[$meta:meta])*
        $name:ident {
            in { $($input:ident : $input_ty:ty = $input_code:expr),* $(,)? }
            out { $($output:ident : $output_ty:ty = $output_code:expr, $registered:literal);* $(;)? }
            with { $($field:ident : $field_ty:ty),* $(,)? }
            $($update:tt)*
        }
    )*) => {
        /// Which one.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub enum Brick { $($name),* }

        /// All of them.
        pub const BRICKS: &[Brick] = &[$(Brick::$name),*];

        impl Brick {
            /// Its ports, in order.
            pub fn ports(self) -> Vec<PortOf> {
                match self {
                    $(Brick::$name => vec![
                        $(PortOf { name: stringify!($input).into(), ty: $input_code, output: false, registered: false, len: None },)*
                        $(PortOf { name: stringify!($output).into(), ty: $output_code, output: true, registered: $registered, len: None },)*
                    ]),*
                }
            }
        }

        /// A new instance.
        pub fn child(brick: Brick) -> Box<dyn Child> {
            match brick {
                $(Brick::$name => Box::<made::$name>::default()),*
            }
        }

        mod made {
            use super::*;
            $(
                $(#[$meta])*
                #[derive(LogicBlock, Default)]
                pub struct $name {
                    $($input: I<$input_ty>,)*
                    $($output: O<$output_ty>,)*
                    $($field: $field_ty,)*
                }
                impl Logic for $name {
                    $($update)*
                }
                impl Child for $name {
                    fn port(&mut self, port: usize, _: Option<usize>) -> &mut dyn Wire {
                        let all: Vec<&mut dyn Wire> = vec![$(&mut self.$input,)* $(&mut self.$output,)*];
                        all.into_iter().nth(port).expect("a port")
                    }
                    fn seen(&self, port: usize, _: Option<usize>) -> &dyn Wire {
                        let all: Vec<&dyn Wire> = vec![$(&self.$input,)* $(&self.$output,)*];
                        all[port]
                    }
                }
            )*
        }
    };
}

bricks! {
    /// Sum with carry.
    Adder {
        in { a: Bits<8> = Ty::Bits(8), b: Bits<8> = Ty::Bits(8), carry: Bit = Ty::Bit }
        out { sum: Bits<8> = Ty::Bits(8), false; over: Bit = Ty::Bit, false }
        with { wide: L<Bits<13>> }
        #[hdl_gen]
        fn update(&mut self) {
            self.wide.next = bit_cast::<13, 8>(self.a.val()) + bit_cast::<13, 8>(self.b.val()) + self.carry.val();
            self.sum.next = self.wide.val().get_bits::<8>(0);
            self.over.next = self.wide.val().get_bit(8);
        }
    }
    /// One of four.
    Mux {
        in { select: Bits<2> = Ty::Bits(2), a: Bits<33> = Ty::Bits(33), b: Bits<33> = Ty::Bits(33), c: Bits<33> = Ty::Bits(33) }
        out { o: Bits<33> = Ty::Bits(33), false }
        with {}
        #[hdl_gen]
        fn update(&mut self) {
            match self.select.val().index() {
                0 => self.o.next = self.a.val(),
                1 => self.o.next = self.b.val(),
                2 => { self.o.next = self.c.val(); }
                _ => self.o.next = !self.a.val() & 0xffff,
            }
        }
    }
    /// Both ways, by up to 31.
    Shifter {
        in { data: Bits<40> = Ty::Bits(40), by: Bits<5> = Ty::Bits(5), left: Bit = Ty::Bit }
        out { o: Bits<40> = Ty::Bits(40), false; lost: Bit = Ty::Bit, false }
        with {}
        #[hdl_gen]
        fn update(&mut self) {
            if self.left.val() {
                self.o.next = self.data.val() << self.by.val();
            } else {
                self.o.next = self.data.val() >> self.by.val();
            }
            self.lost.next = ((self.o.val() >> self.by.val()) << self.by.val()) != self.o.val();
        }
    }
    /// Number of ones.
    Ones {
        in { data: Bits<31> = Ty::Bits(31) }
        out { count: Bits<5> = Ty::Bits(5), false; parity: Bit = Ty::Bit, false }
        with {}
        #[hdl_gen]
        fn update(&mut self) {
            self.count.next = 0.into();
            for i in 0..31 {
                if self.data.val().get_bit(i) {
                    self.count.next = self.count.val() + 1;
                }
            }
            self.parity.next = self.data.val().xor();
        }
    }
    /// Counts, and says when it wraps.
    Counter {
        in { clock: Clock = Ty::Clock, reset: Bit = Ty::Bit, enable: Bit = Ty::Bit, step: Bits<3> = Ty::Bits(3) }
        out { count: Bits<13> = Ty::Bits(13), true; wraps: Bit = Ty::Bit, false }
        with { value: Flop<Bits<13>>, sum: L<Bits<13>> }
        #[hdl_gen]
        fn update(&mut self) {
            clock!(self, clock, value);
            self.value.reset.next = self.reset.val();
            self.sum.next = self.value.q.val() + bit_cast::<13, 3>(self.step.val());
            self.value.d.next = self.value.q.val();
            if self.enable.val() {
                self.value.d.next = self.sum.val();
            }
            self.wraps.next = self.enable.val() & (self.sum.val() < self.value.q.val());
            self.count.next = self.value.q.val();
        }
    }
    /// The last three words, and whether the newest is among the others.
    Window {
        in { clock: Clock = Ty::Clock, reset: Bit = Ty::Bit, word: Bits<65> = Ty::Bits(65), push: Bit = Ty::Bit }
        out { oldest: Bits<65> = Ty::Bits(65), true; known: Bit = Ty::Bit, false }
        with { cell: [Flop<Bits<65>>; 3] }
        #[hdl_gen]
        fn update(&mut self) {
            self.known.next = false;
            for i in 0..3 {
                self.cell[i].clock.next = self.clock.val();
                self.cell[i].reset.next = self.reset.val();
                self.cell[i].d.next = self.cell[i].q.val();
                if self.cell[i].q.val() == self.word.val() {
                    self.known.next = true;
                }
            }
            if self.push.val() {
                self.cell[0].d.next = self.word.val();
                for i in 1..3 {
                    self.cell[i].d.next = self.cell[i - 1].q.val();
                }
            }
            self.oldest.next = self.cell[2].q.val();
        }
    }
    /// A RAM that forwards a word being written.
    Store {
        in { clock: Clock = Ty::Clock, reset: Bit = Ty::Bit, read: Bits<2> = Ty::Bits(2), write: Bits<2> = Ty::Bits(2), enable: Bit = Ty::Bit, data: Bits<100> = Ty::Bits(100) }
        out { word: Bits<100> = Ty::Bits(100), true }
        with { ram: Memory<Bits<100>, 2>, forward: Flop<Bit>, held: Flop<Bits<100>> }
        #[hdl_gen]
        fn update(&mut self) {
            clock!(self, clock, ram, forward, held);
            self.ram.read_address.next = self.read.val();
            self.ram.write_address.next = self.write.val();
            self.ram.write_enable.next = self.enable.val();
            self.ram.write_data.next = self.data.val();
            self.forward.reset.next = self.reset.val();
            self.forward.d.next = self.enable.val() && self.read.val() == self.write.val();
            self.held.reset.next = self.reset.val();
            self.held.d.next = self.data.val();
            self.word.next = self.ram.read_data.val();
            if self.forward.q.val() {
                self.word.next = self.held.q.val();
            }
        }
    }
    /// Compares and picks.
    Larger {
        in { a: Bits<100> = Ty::Bits(100), b: Bits<100> = Ty::Bits(100) }
        out { o: Bits<100> = Ty::Bits(100), false; order: Mode = Ty::Mode, false }
        with {}
        #[hdl_gen]
        fn update(&mut self) {
            if self.a.val() > self.b.val() {
                self.o.next = self.a.val();
                self.order.next = Mode::Fast;
            } else if self.a.val() == self.b.val() {
                self.o.next = self.a.val() + self.b.val();
                self.order.next = Mode::Slow;
            } else {
                self.o.next = self.b.val() - self.a.val();
                self.order.next = Mode::Off;
            }
        }
    }
    /// Five states.
    Machine {
        in { clock: Clock = Ty::Clock, reset: Bit = Ty::Bit, wanted: Mode = Ty::Mode, hold: Bit = Ty::Bit }
        out { mode: Mode = Ty::Mode, true; slow: Bit = Ty::Bit, true }
        with { state: Flop<Mode> }
        #[hdl_gen]
        fn update(&mut self) {
            clock!(self, clock, state);
            self.state.reset.next = self.reset.val();
            match self.state.q.val() {
                Mode::Off => self.state.d.next = self.wanted.val(),
                Mode::Slow => self.state.d.next = Mode::Fast,
                Mode::Fast => self.state.d.next = Mode::Turbo,
                Mode::Turbo => { if self.wanted.val() == Mode::Turbo { self.state.d.next = Mode::Broken; } else { self.state.d.next = Mode::Slow; } }
                Mode::Broken => self.state.d.next = Mode::Off,
            }
            if self.hold.val() {
                self.state.d.next = self.state.q.val();
            }
            self.mode.next = self.state.q.val();
            self.slow.next = self.state.q.val() == Mode::Slow;
        }
    }
    /// Takes a struct apart and builds another.
    Repack {
        in { record: Large = Ty::Large, tail: Bits<5> = Ty::Bits(5) }
        out { o: Large = Ty::Large, false; word: Bits<32> = Ty::Bits(32), false }
        with {}
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = self.record.val();
            self.o.next.tail = self.tail.val() ^ self.record.val().tail;
            if self.record.val().mode == Mode::Broken {
                self.o.next.mode = Mode::Turbo;
                self.o.next.word = self.record.val().word + 1;
            }
            self.word.next = self.o.val().word;
        }
    }
    /// 16 x 16 bits.
    Product {
        in { a: Bits<16> = Ty::Bits(16), b: Bits<16> = Ty::Bits(16) }
        out { o: Bits<32> = Ty::Bits(32), false }
        with {}
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = self.a.val() * self.b.val();
        }
    }
}
