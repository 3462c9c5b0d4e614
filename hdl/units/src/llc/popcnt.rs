//! `popcnt`: counts the set bits of a vector.
//!
//! Source: GDC, section III-A, figure 2, the popcnt blocks: one a kernel, with
//! as many inputs as the cache has ways.
//!
//! Timing: combinational. A balanced tree of adders, since the sum goes
//! straight into the counters' adder and this is the longest path.

use super::position_width;
use crate::unit::unit;
use cotenant_netlist::hdl::*;
use cotenant_netlist::About;

/// Population count of `WIDTH` bits.
///
/// Derived: `COUNT_W` = clog2(WIDTH + 1), `NODES` = 2 WIDTH - 1.
///
/// ```
/// let popcnt = <cotenant_units::popcnt!(16)>::default();
/// ```
#[derive(Clone, Debug, LogicBlock)]
pub struct Popcnt<const WIDTH: usize, const COUNT_W: usize, const NODES: usize> {
    /// The bits to count; WIDTH bits.
    pub data: Signal<In, Bits<WIDTH>>,
    /// How many of them are 1; 0 to WIDTH.
    pub count: Signal<Out, Bits<COUNT_W>>,
    /// The tree: the bits, then the sums of successive pairs, the root last.
    node: [Signal<Local, Bits<COUNT_W>>; NODES],
    /// One of the bits.
    line: Signal<Local, Bits<1>>,
    about: About,
}

impl<const WIDTH: usize, const COUNT_W: usize, const NODES: usize> Default
    for Popcnt<WIDTH, COUNT_W, NODES>
{
    fn default() -> Self {
        const {
            assert!(WIDTH >= 1, "popcnt: WIDTH is at least 1");
            assert!(
                COUNT_W == position_width(WIDTH),
                "popcnt: COUNT_W is clog2(WIDTH + 1)"
            );
            assert!(NODES == 2 * WIDTH - 1, "popcnt: NODES is 2 WIDTH - 1");
        }
        Popcnt {
            data: Default::default(),
            count: Default::default(),
            node: std::array::from_fn(|_| Default::default()),
            line: Default::default(),
            about: About::new("popcnt")
                .parameter("WIDTH", WIDTH)
                .citing("GDC, section III-A, figure 2")
                .documented_in(include_str!("popcnt.rs")),
        }
    }
}

impl<const WIDTH: usize, const COUNT_W: usize, const NODES: usize> Logic
    for Popcnt<WIDTH, COUNT_W, NODES>
{
    #[hdl_gen]
    fn update(&mut self) {
        for i in 0..WIDTH {
            self.line.next = self.data.val().get_bits::<1>(i);
            self.node[i].next = bit_cast::<COUNT_W, 1>(self.line.val());
        }
        // One turn each: a loop variable is how a parameter becomes an index.
        for leaves in WIDTH..(WIDTH + 1) {
            for pair in 0..(WIDTH - 1) {
                self.node[leaves + pair].next =
                    self.node[2 * pair].val() + self.node[2 * pair + 1].val();
            }
        }
        for root in (NODES - 1)..NODES {
            self.count.next = self.node[root].val();
        }
    }
}

unit! {
    [const WIDTH: usize, const COUNT_W: usize, const NODES: usize]
    Popcnt<WIDTH, COUNT_W, NODES>: ;
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
            { 2 * $width - 1 },
        >
    };
}
