//! `popcnt`: counts the set bits of a vector.
//!
//! Source: GDC, section III-A, figure 2, the popcnt blocks: one a kernel, with
//! as many inputs as the cache has ways.
//!
//! Timing: combinational. Groups of six bits are counted first, see
//! [`Count6`]; a balanced tree of adders adds them up, since the sum goes
//! straight into the counters' adder and this is the longest path.

use super::{count_groups, position_width, Count6};
use crate::unit::unit;
use cotenant_netlist::hdl::*;
use cotenant_netlist::About;

/// Population count of `WIDTH` bits.
///
/// Derived: `COUNT_W` = clog2(WIDTH + 1), `GROUPS` = WIDTH / 6, rounded up,
/// `NODES` = 2 GROUPS - 1.
///
/// ```
/// let popcnt = <cotenant_units::popcnt!(16)>::default();
/// ```
#[derive(Clone, Debug, LogicBlock)]
pub struct Popcnt<const WIDTH: usize, const COUNT_W: usize, const GROUPS: usize, const NODES: usize>
{
    /// The bits to count; WIDTH bits.
    pub data: Signal<In, Bits<WIDTH>>,
    /// How many of them are 1; 0 to WIDTH.
    pub count: Signal<Out, Bits<COUNT_W>>,
    group: [Count6; GROUPS],
    /// The tree: the groups, then the sums of successive pairs, the root last.
    node: [Signal<Local, Bits<COUNT_W>>; NODES],
    about: About,
}

impl<const WIDTH: usize, const COUNT_W: usize, const GROUPS: usize, const NODES: usize> Default
    for Popcnt<WIDTH, COUNT_W, GROUPS, NODES>
{
    fn default() -> Self {
        const {
            assert!(WIDTH >= 1, "popcnt: WIDTH is at least 1");
            assert!(
                COUNT_W == position_width(WIDTH),
                "popcnt: COUNT_W is clog2(WIDTH + 1)"
            );
            assert!(
                GROUPS == count_groups(WIDTH),
                "popcnt: GROUPS is WIDTH / 6, rounded up"
            );
            assert!(NODES == 2 * GROUPS - 1, "popcnt: NODES is 2 GROUPS - 1");
        }
        let about = About::new("popcnt")
            .parameter("WIDTH", WIDTH)
            .citing("GDC, section III-A, figure 2")
            .documented_in(include_str!("popcnt.rs"));
        Popcnt {
            data: Default::default(),
            count: Default::default(),
            group: std::array::from_fn(|_| Default::default()),
            node: std::array::from_fn(|_| Default::default()),
            about: if COUNT_W < 3 {
                // Of up to three bits.
                about.unused("group[0].count")
            } else {
                about
            },
        }
    }
}

impl<const WIDTH: usize, const COUNT_W: usize, const GROUPS: usize, const NODES: usize> Logic
    for Popcnt<WIDTH, COUNT_W, GROUPS, NODES>
{
    #[hdl_gen]
    fn update(&mut self) {
        for i in 0..GROUPS {
            // Beyond the last bit there are zeros.
            self.group[i].data.next = self.data.val().get_bits::<6>(6 * i);
            self.node[i].next = self.group[i].count.val().get_bits::<COUNT_W>(0);
        }
        // One turn each: a loop variable is how a parameter becomes an index.
        for leaves in GROUPS..(GROUPS + 1) {
            for pair in 0..(GROUPS - 1) {
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
    [const WIDTH: usize, const COUNT_W: usize, const GROUPS: usize, const NODES: usize]
    Popcnt<WIDTH, COUNT_W, GROUPS, NODES>: ;
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
            { 2 * $crate::llc::count_groups($width) - 1 },
        >
    };
}
