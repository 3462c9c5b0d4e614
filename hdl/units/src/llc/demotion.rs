//! `demotion`: which positions of the LRU stack an access demotes.
//!
//! Source: GDC, section III-A, figure 2, the demotion logic. On a hit, all
//! lines from MRU (included) to the line hit (excluded) move one position
//! towards LRU; on a miss all lines do, the last one out of the cache.
//!
//! Timing: combinational, on the state before the access. The comparisons with
//! each position are gates, because synthesis puts them on carry chains, which are
//! slow for so few bits.
//!
//! ASSUMPTION: an invalid line is never demoted; the paper does not mention
//! invalid lines.

use super::{position_width, MAX_WAYS};
use crate::unit::unit;
use cotenant_netlist::hdl::*;
use cotenant_netlist::About;

/// Demotion logic for `WAYS` ways.
///
/// Derived: `POS_W` = clog2(WAYS + 1).
///
/// ```
/// let demotion = <cotenant_units::demotion!(16)>::default();
/// ```
#[derive(Clone, Debug, LogicBlock)]
pub struct Demotion<const WAYS: usize, const POS_W: usize> {
    /// There is an access; active high.
    pub access_valid: Signal<In, Bit>,
    /// Position of the line hit, 0 = MRU to WAYS - 1 = LRU; WAYS is a miss.
    /// At most WAYS.
    pub access_pos: Signal<In, Bits<POS_W>>,
    /// One bit a position, MRU lowest: there is a valid line.
    pub stack_valid: Signal<In, Bits<WAYS>>,
    /// One bit a position, MRU lowest: the line there is demoted.
    pub demoted: Signal<Out, Bits<WAYS>>,
    /// Of one position after the other: it is above that of the access, as far as
    /// the bits so far say.
    pushed: Signal<Local, Bit>,
    position: Vec<Constant<Bits<POS_W>>>,
    about: About,
}

impl<const WAYS: usize, const POS_W: usize> Default for Demotion<WAYS, POS_W> {
    fn default() -> Self {
        const {
            assert!(WAYS >= 1 && WAYS <= MAX_WAYS, "demotion: WAYS is 1 to 64");
            assert!(
                POS_W == position_width(WAYS),
                "demotion: POS_W is clog2(WAYS + 1)"
            );
        }
        Demotion {
            access_valid: Default::default(),
            access_pos: Default::default(),
            stack_valid: Default::default(),
            demoted: Default::default(),
            pushed: Default::default(),
            position: (0..WAYS).map(|i| Constant::new(i.to_bits())).collect(),
            about: About::new("demotion")
                .parameter("WAYS", WAYS)
                .citing("GDC, section III-A, figure 2")
                .documented_in(include_str!("demotion.rs")),
        }
    }
}

impl<const WAYS: usize, const POS_W: usize> Logic for Demotion<WAYS, POS_W> {
    #[hdl_gen]
    fn update(&mut self) {
        self.demoted.next = 0.into();
        for i in 0..WAYS {
            self.pushed.next = false;
            for bit in 0..POS_W {
                self.pushed.next = (self.access_pos.val().get_bit(bit)
                    & !self.position[i].val().get_bit(bit))
                    | (self.pushed.val()
                        & (self.access_pos.val().get_bit(bit)
                            | !self.position[i].val().get_bit(bit)));
            }
            self.demoted.next = self.demoted.val().replace_bit(
                i,
                self.access_valid.val() & self.pushed.val() & self.stack_valid.val().get_bit(i),
            );
        }
    }
}

unit! {
    [const WAYS: usize, const POS_W: usize]
    Demotion<WAYS, POS_W>: ;
    in access_valid, access_pos, stack_valid;
    out demoted
}

/// The type of a [`Demotion`](crate::llc::Demotion) for this many ways.
#[macro_export]
macro_rules! demotion {
    ($ways:expr) => {
        $crate::llc::Demotion<{ $ways }, { $crate::llc::position_width($ways) }>
    };
}
