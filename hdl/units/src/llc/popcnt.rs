//! `popcnt`: counts the set bits of a vector.
//!
//! Source: GDC, section III-A, figure 2, the popcnt blocks: one a kernel, with
//! as many inputs as the cache has ways.
//!
//! Timing: combinational. Groups of up to six bits, of nearly the same size, are
//! counted first, see [`Count6`]. Their counts are added without carrying, three
//! to two, and the last two with carries; all as gates, because synthesis puts a
//! sum on carry chains, which are slow for so few bits.

use super::{count_groups, position_width, Count6};
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
    group: [Count6; GROUPS],
    /// The count of one group after the other.
    term: Signal<Local, Bits<COUNT_W>>,
    /// The sum of the groups so far is that of these two.
    sums: Signal<Local, Bits<COUNT_W>>,
    carries: Signal<Local, Bits<COUNT_W>>,
    /// What both become with the next group.
    next_sums: Signal<Local, Bits<COUNT_W>>,
    next_carries: Signal<Local, Bits<COUNT_W>>,
    /// Into one bit of the result after the other.
    carry: Signal<Local, Bit>,
    /// First bit of each group, and which of six are its.
    first: Vec<Constant<Bits<8>>>,
    mask: Vec<Constant<Bits<6>>>,
    about: About,
}

impl<const WIDTH: usize, const COUNT_W: usize, const GROUPS: usize> Default
    for Popcnt<WIDTH, COUNT_W, GROUPS>
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
        }
        // Group g is of the bits from WIDTH x g / GROUPS on.
        let first = |group: usize| WIDTH * group / GROUPS;
        let mask = |group: usize| (1u64 << (first(group + 1) - first(group))) - 1;
        let about = About::new("popcnt")
            .parameter("WIDTH", WIDTH)
            .citing("GDC, section III-A, figure 2")
            .documented_in(include_str!("popcnt.rs"));
        Popcnt {
            data: Default::default(),
            count: Default::default(),
            group: std::array::from_fn(|_| Default::default()),
            term: Default::default(),
            sums: Default::default(),
            carries: Default::default(),
            next_sums: Default::default(),
            next_carries: Default::default(),
            carry: Default::default(),
            first: (0..GROUPS)
                .map(|group| Constant::new(first(group).to_bits()))
                .collect(),
            mask: (0..GROUPS)
                .map(|group| Constant::new(mask(group).to_bits()))
                .collect(),
            about: if COUNT_W < 3 {
                // Of up to three bits.
                about.unused("group[0].count")
            } else {
                about
            },
        }
    }
}

impl<const WIDTH: usize, const COUNT_W: usize, const GROUPS: usize> Logic
    for Popcnt<WIDTH, COUNT_W, GROUPS>
{
    #[hdl_gen]
    fn update(&mut self) {
        self.sums.next = 0.into();
        self.carries.next = 0.into();
        for i in 0..GROUPS {
            self.group[i].data.next =
                self.data.val().get_bits::<6>(self.first[i].val().index()) & self.mask[i].val();
            self.term.next = self.group[i].count.val().get_bits::<COUNT_W>(0);
            self.next_sums.next = self.sums.val() ^ self.carries.val() ^ self.term.val();
            self.next_carries.next = ((self.sums.val() & self.carries.val())
                | (self.sums.val() & self.term.val())
                | (self.carries.val() & self.term.val()))
                << 1;
            self.sums.next = self.next_sums.val();
            self.carries.next = self.next_carries.val();
        }
        self.carry.next = false;
        self.count.next = 0.into();
        for i in 0..COUNT_W {
            self.count.next = self.count.val().replace_bit(
                i,
                self.sums.val().get_bit(i) ^ self.carries.val().get_bit(i) ^ self.carry.val(),
            );
            self.carry.next = (self.sums.val().get_bit(i) & self.carries.val().get_bit(i))
                | (self.carry.val() & (self.sums.val().get_bit(i) | self.carries.val().get_bit(i)));
        }
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
