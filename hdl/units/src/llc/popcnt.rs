//! `popcnt`: counts the set bits of a vector.
//!
//! Source: GDC, section III-A, figure 2, the popcnt blocks: one a kernel, with
//! as many inputs as the cache has ways.
//!
//! Timing: combinational: the bits in groups, and these without carrying
//! ([`PopcntSums`]), then one addition with carries ([`CarryAdd`]).

use super::{CarryAdd, PopcntSums};
use crate::unit::unit;
use cotenant_netlist::hdl::*;
use cotenant_netlist::About;

/// Population count of `WIDTH` bits.
///
/// Derived: `COUNT_W` = clog2(WIDTH + 1), `GROUPS` = WIDTH / 6, rounded up.
///
/// ```
/// let popcnt = <cotenant_units::popcnt!(16)>::default();
/// ```
#[derive(Clone, Debug, LogicBlock)]
pub struct Popcnt<const WIDTH: usize, const COUNT_W: usize, const GROUPS: usize> {
    /// The bits to count; WIDTH bits.
    pub data: Signal<In, Bits<WIDTH>>,
    /// How many of them are 1; 0 to WIDTH.
    pub count: Signal<Out, Bits<COUNT_W>>,
    adder_tree: PopcntSums<WIDTH, COUNT_W, GROUPS>,
    last_adder: CarryAdd<COUNT_W>,
    about: About,
}

impl<const WIDTH: usize, const COUNT_W: usize, const GROUPS: usize> Default
    for Popcnt<WIDTH, COUNT_W, GROUPS>
{
    fn default() -> Self {
        Popcnt {
            data: Default::default(),
            count: Default::default(),
            adder_tree: Default::default(),
            last_adder: Default::default(),
            about: About::new("popcnt")
                .parameter("WIDTH", WIDTH)
                .citing("GDC, section III-A, figure 2")
                .documented_in(include_str!("popcnt.rs")),
        }
    }
}

impl<const WIDTH: usize, const COUNT_W: usize, const GROUPS: usize> Logic
    for Popcnt<WIDTH, COUNT_W, GROUPS>
{
    #[hdl_gen]
    fn update(&mut self) {
        self.adder_tree.data.next = self.data.val();
        self.last_adder.sums.next = self.adder_tree.sums.val();
        self.last_adder.carries.next = self.adder_tree.carries.val();
        self.count.next = self.last_adder.total.val();
    }
}

unit! {
    [const WIDTH: usize, const COUNT_W: usize, const GROUPS: usize]
    Popcnt<WIDTH, COUNT_W, GROUPS>: ;
    in data;
    out count
}

/// The type of a [`Popcnt`](crate::llc::Popcnt) of this many bits.
#[macro_export]
macro_rules! popcnt {
    ($width:expr) => {
        $crate::llc::Popcnt<
            { $width },
            { $crate::llc::position_width($width) },
            { $crate::llc::count_groups($width) },
        >
    };
}
