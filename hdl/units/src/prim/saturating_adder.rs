//! `saturating_adder`: adds a narrow increment to a wide value and stays at the limit.
//!
//! Source: GDC, section III-A: "a regular adder is used for those bits, and
//! only carry propagation logic for uppermost bits". The increment is zero
//! extended, so that above its bits only the carry is left.
//!
//! Timing: combinational.

use crate::unit::unit;
use cotenant_netlist::hdl::*;
use cotenant_netlist::About;

/// Saturating adder; `SUM_W` is `VALUE_W` + 1, with room for the carry.
///
/// ```
/// let adder = <cotenant_units::saturating_adder!(21, 5)>::default();
/// ```
#[derive(Clone, Debug, LogicBlock)]
pub struct SaturatingAdder<const VALUE_W: usize, const INC_W: usize, const SUM_W: usize> {
    /// The value to add to.
    pub value: Signal<In, Bits<VALUE_W>>,
    /// What to add.
    pub increment: Signal<In, Bits<INC_W>>,
    /// The sum, or all ones if it does not fit.
    pub sum: Signal<Out, Bits<VALUE_W>>,
    /// The sum did not fit; active high. Reaching all ones exactly is no
    /// overflow.
    pub overflow: Signal<Out, Bit>,
    /// The sum with its carry.
    exact: Signal<Local, Bits<SUM_W>>,
    carry_at: Constant<Bits<8>>,
    about: About,
}

impl<const VALUE_W: usize, const INC_W: usize, const SUM_W: usize> Default
    for SaturatingAdder<VALUE_W, INC_W, SUM_W>
{
    fn default() -> Self {
        const {
            assert!(
                VALUE_W <= 255 && SUM_W == VALUE_W + 1,
                "saturating_adder: SUM_W is VALUE_W + 1, at most 256"
            );
            assert!(
                INC_W >= 1 && INC_W <= VALUE_W,
                "saturating_adder: INC_W is 1 to VALUE_W"
            );
        }
        SaturatingAdder {
            value: Default::default(),
            increment: Default::default(),
            sum: Default::default(),
            overflow: Default::default(),
            exact: Default::default(),
            carry_at: Constant::new(VALUE_W.to_bits()),
            about: About::new("saturating_adder")
                .parameter("VALUE_W", VALUE_W)
                .parameter("INC_W", INC_W)
                .citing("GDC, section III-A, figure 2")
                .documented_in(include_str!("saturating_adder.rs")),
        }
    }
}

impl<const VALUE_W: usize, const INC_W: usize, const SUM_W: usize> Logic
    for SaturatingAdder<VALUE_W, INC_W, SUM_W>
{
    #[hdl_gen]
    fn update(&mut self) {
        self.exact.next = bit_cast::<SUM_W, VALUE_W>(self.value.val())
            + bit_cast::<SUM_W, INC_W>(self.increment.val());
        self.overflow.next = self.exact.val().get_bit(self.carry_at.val().index());
        self.sum.next = bit_cast::<VALUE_W, SUM_W>(self.exact.val());
        if self.exact.val().get_bit(self.carry_at.val().index()) {
            self.sum.next = !bits::<VALUE_W>(0);
        }
    }
}

unit! {
    [const VALUE_W: usize, const INC_W: usize, const SUM_W: usize]
    SaturatingAdder<VALUE_W, INC_W, SUM_W>: ;
    in value, increment;
    out sum, overflow
}

/// The type of a [`SaturatingAdder`](crate::prim::SaturatingAdder) of a value's and an increment's width.
#[macro_export]
macro_rules! saturating_adder {
    ($value_w:expr, $inc_w:expr) => {
        $crate::prim::SaturatingAdder<{ $value_w }, { $inc_w }, { $value_w + 1 }>
    };
}
