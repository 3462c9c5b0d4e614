//! `rbmi`: round-robin memory instruction issue: whose turn it is on the LSU.
//!
//! Source: Dai et al., section 3.2, RBMI: loose round-robin among the kernels
//! that have a memory instruction ready.
//!
//! Timing: the grant is combinational; the kernel granted at cycle t is last in
//! line from t + 1.
//!
//! ASSUMPTION: the schedulers of an SM share one LSU, which takes one memory
//! instruction a cycle. After reset kernel 0 is first in line.

use super::{kid_width, MAX_KERNELS};
use crate::prim::Reg;
use crate::unit::unit;
use cotenant_netlist::hdl::*;
use cotenant_netlist::About;

/// Round-robin arbiter of `KERNELS` kernels.
///
/// Derived: `KID_W` = max(1, clog2 KERNELS).
///
/// ```
/// let rbmi = <cotenant_units::rbmi!(2)>::default();
/// ```
#[derive(Clone, Debug, LogicBlock)]
pub struct Rbmi<const KERNELS: usize, const KID_W: usize> {
    /// Rising edge active.
    pub clock: Signal<In, Clock>,
    /// Synchronous, active high: kernel 0 is first in line.
    pub reset: Signal<In, Bit>,
    /// One bit a kernel: it has a memory instruction ready.
    pub ready: Signal<In, Bits<KERNELS>>,
    /// The LSU takes an instruction in this cycle; active high.
    pub accept: Signal<In, Bit>,
    /// One-hot by kernel: may issue; zero if there is no grant.
    pub grant: Signal<Out, Bits<KERNELS>>,
    /// There is a grant; active high.
    pub grant_valid: Signal<Out, Bit>,
    /// KID of the kernel granted; 0 if there is no grant.
    pub grant_kid: Signal<Out, Bits<KID_W>>,
    /// KID of the kernel granted last.
    last: Reg<Bits<KID_W>>,
    /// Ready, and after `last`.
    later: Signal<Local, Bits<KERNELS>>,
    winner: Signal<Local, Bits<KERNELS>>,
    found: Signal<Local, Bit>,
    about: About,
}

impl<const KERNELS: usize, const KID_W: usize> Default for Rbmi<KERNELS, KID_W> {
    fn default() -> Self {
        const {
            assert!(
                KERNELS >= 1 && KERNELS <= MAX_KERNELS,
                "rbmi: KERNELS is 1 to 64"
            );
            assert!(
                KID_W == kid_width(KERNELS),
                "rbmi: KID_W is max(1, clog2 KERNELS)"
            );
        }
        Rbmi {
            clock: Default::default(),
            reset: Default::default(),
            ready: Default::default(),
            accept: Default::default(),
            grant: Default::default(),
            grant_valid: Default::default(),
            grant_kid: Default::default(),
            last: Reg::new((KERNELS - 1).to_bits()),
            later: Default::default(),
            winner: Default::default(),
            found: Default::default(),
            about: About::new("rbmi")
                .parameter("KERNELS", KERNELS)
                .citing("Dai et al., section 3.2")
                .documented_in(include_str!("rbmi.rs")),
        }
    }
}

impl<const KERNELS: usize, const KID_W: usize> Logic for Rbmi<KERNELS, KID_W> {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("The first ready kernel after the last one, else the first of all.");
        self.later.next = 0.into();
        for i in 0..KERNELS {
            self.later.next = self.later.val().replace_bit(
                i,
                self.ready.val().get_bit(i) & (i.to_bits::<KID_W>() > self.last.q.val()),
            );
        }
        self.winner.next = self.ready.val();
        if self.later.val().any() {
            self.winner.next = self.later.val();
        }
        self.found.next = !self.accept.val();
        self.grant.next = 0.into();
        self.grant_kid.next = 0.into();
        for i in 0..KERNELS {
            if self.winner.val().get_bit(i) & !self.found.val() {
                self.grant.next = self.grant.val().replace_bit(i, true);
                self.grant_kid.next = i.to_bits::<KID_W>();
            }
            self.found.next = self.found.val() | self.winner.val().get_bit(i);
        }
        self.grant_valid.next = self.accept.val() & self.ready.val().any();

        self.last.clock.next = self.clock.val();
        self.last.reset.next = self.reset.val();
        self.last.d.next = self.last.q.val();
        if self.accept.val() & self.ready.val().any() {
            self.last.d.next = self.grant_kid.val();
        }
    }
}

unit! {
    [const KERNELS: usize, const KID_W: usize]
    Rbmi<KERNELS, KID_W>: clock;
    in reset, ready, accept;
    out grant, grant_valid, grant_kid
}

/// The type of an [`Rbmi`](crate::sm::Rbmi) of this many kernels.
#[macro_export]
macro_rules! rbmi {
    ($kernels:expr) => {
        $crate::sm::Rbmi<{ $kernels }, { $crate::sm::kid_width($kernels) }>
    };
}
