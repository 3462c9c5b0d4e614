//! `popcnt_sums`: counts the set bits of a vector up to the last addition.
//!
//! Source: GDC, section III-A, figure 2, the popcnt blocks, of which it is all but
//! the carries' way through the result.
//!
//! Timing: combinational. Groups of up to six bits, of nearly the same size, are
//! counted first, see [`Count6`]. Their counts are added without carrying, three
//! to two, as gates, because synthesis puts a sum on carry chains, which are slow
//! for so few bits.

use super::{count_groups, position_width, Count6};
use crate::unit::unit;
use cotenant_netlist::hdl::*;
use cotenant_netlist::About;

/// Population count of `WIDTH` bits, as two numbers of which it is the sum.
///
/// Derived: `COUNT_W` = clog2(WIDTH + 1), `GROUPS` = WIDTH / 6, rounded up.
#[derive(Clone, Debug, LogicBlock)]
pub struct PopcntSums<const WIDTH: usize, const COUNT_W: usize, const GROUPS: usize> {
    /// The bits to count; WIDTH bits.
    pub data: Signal<In, Bits<WIDTH>>,
    /// One of the two numbers; their sum is 0 to WIDTH.
    pub sums: Signal<Out, Bits<COUNT_W>>,
    /// The other one.
    pub carries: Signal<Out, Bits<COUNT_W>>,
    group: [Count6; GROUPS],
    /// The count of one group after the other.
    term: Signal<Local, Bits<COUNT_W>>,
    /// The sum of the groups so far is that of these two.
    sums_so_far: Signal<Local, Bits<COUNT_W>>,
    carries_so_far: Signal<Local, Bits<COUNT_W>>,
    /// What both become with the next group.
    next_sums: Signal<Local, Bits<COUNT_W>>,
    next_carries: Signal<Local, Bits<COUNT_W>>,
    /// First bit of each group, and which of six are its.
    first: Vec<Constant<Bits<8>>>,
    mask: Vec<Constant<Bits<6>>>,
    about: About,
}

impl<const WIDTH: usize, const COUNT_W: usize, const GROUPS: usize> Default
    for PopcntSums<WIDTH, COUNT_W, GROUPS>
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
        let mut about = About::new("popcnt_sums")
            .parameter("WIDTH", WIDTH)
            .citing("GDC, section III-A, figure 2")
            .documented_in(include_str!("popcnt_sums.rs"));
        if COUNT_W < 3 {
            // Of up to three bits.
            about = about.unused("group[0].count");
        }
        if GROUPS < 3 {
            // Nothing is added here.
            about = about
                .unused("term")
                .unused("next_sums")
                .unused("next_carries");
        }
        PopcntSums {
            data: Default::default(),
            sums: Default::default(),
            carries: Default::default(),
            group: std::array::from_fn(|_| Default::default()),
            term: Default::default(),
            sums_so_far: Default::default(),
            carries_so_far: Default::default(),
            next_sums: Default::default(),
            next_carries: Default::default(),
            first: (0..GROUPS)
                .map(|group| Constant::new(first(group).to_bits()))
                .collect(),
            mask: (0..GROUPS)
                .map(|group| Constant::new(mask(group).to_bits()))
                .collect(),
            about,
        }
    }
}

impl<const WIDTH: usize, const COUNT_W: usize, const GROUPS: usize> Logic
    for PopcntSums<WIDTH, COUNT_W, GROUPS>
{
    #[hdl_gen]
    fn update(&mut self) {
        for i in 0..GROUPS {
            self.group[i].data.next =
                self.data.val().get_bits::<6>(self.first[i].val().index()) & self.mask[i].val();
        }
        self.sums_so_far.next = self.group[0].count.val().get_bits::<COUNT_W>(0);
        self.carries_so_far.next = 0.into();
        // The second group, if there is one; then the others.
        for i in 1..(2 - 1 / GROUPS) {
            self.carries_so_far.next = self.group[i].count.val().get_bits::<COUNT_W>(0);
        }
        for i in (2 - 1 / GROUPS)..GROUPS {
            self.term.next = self.group[i].count.val().get_bits::<COUNT_W>(0);
            self.next_sums.next =
                self.sums_so_far.val() ^ self.carries_so_far.val() ^ self.term.val();
            self.next_carries.next = ((self.sums_so_far.val() & self.carries_so_far.val())
                | (self.sums_so_far.val() & self.term.val())
                | (self.carries_so_far.val() & self.term.val()))
                << 1;
            self.sums_so_far.next = self.next_sums.val();
            self.carries_so_far.next = self.next_carries.val();
        }
        self.sums.next = self.sums_so_far.val();
        self.carries.next = self.carries_so_far.val();
    }
}

unit! {
    [const WIDTH: usize, const COUNT_W: usize, const GROUPS: usize]
    PopcntSums<WIDTH, COUNT_W, GROUPS>: ;
    in data;
    out sums, carries
}
