//! `quota_pair`: which of two kernels goes first, known a cycle ahead.
//!
//! Source: Dai et al., section 3.2, figure 7: the kernel with the higher quota
//! left goes first; as [`qbmi`](crate::sm::Qbmi) says for ties, the one that did
//! not win last.
//!
//! Timing: `ahead` is of registers. A grant comes late in a cycle, so all that
//! can follow from it is compared before it is known: the quotas with one less
//! for kernel 0, or with a new set if that was its last one; the same for kernel
//! 1. Who won picks one of the two in the next cycle.

use crate::prim::Reg;
use cotenant_netlist::hdl::*;
use cotenant_netlist::About;

/// Order of two kernels with quotas of `QUOTA_W` bits and sets of `SET_W`; with
/// `CAP` 1 a quota is refilled to twice that of the set at most.
///
/// ```
/// let pair = cotenant_units::sm::QuotaPair::<7, 6, 0>::default();
/// ```
#[derive(Clone, Debug, LogicBlock)]
pub struct QuotaPair<const QUOTA_W: usize, const SET_W: usize, const CAP: usize> {
    /// Rising edge active.
    pub clock: Signal<In, Clock>,
    /// Synchronous, active high: kernel 0 goes first.
    pub reset: Signal<In, Bit>,
    /// The quotas start afresh and equal, those of kernels that run; active high.
    pub change: Signal<In, Bit>,
    /// One bit a kernel: it runs from then on; looked at only with `change`.
    pub runs: Signal<In, Bits<2>>,
    /// One bit a kernel: it wins, one at most.
    pub wins: Signal<In, Bits<2>>,
    /// Kernel 0 won last; active high.
    pub last: Signal<In, Bit>,
    /// Quotas left.
    pub quota_0: Signal<In, Bits<QUOTA_W>>,
    /// As `quota_0`.
    pub quota_1: Signal<In, Bits<QUOTA_W>>,
    /// One bit a kernel: its quota left is 1.
    pub one: Signal<In, Bits<2>>,
    /// The set in force; at least 1.
    pub set_0: Signal<In, Bits<SET_W>>,
    /// As `set_0`.
    pub set_1: Signal<In, Bits<SET_W>>,
    /// The set in force in the next cycle.
    pub next_set_0: Signal<In, Bits<SET_W>>,
    /// As `next_set_0`.
    pub next_set_1: Signal<In, Bits<SET_W>>,
    /// Kernel 1 goes before kernel 0; active high, 0 after reset.
    pub ahead: Signal<Out, Bit>,
    /// What the other kernel's quota must be to go first when both are refilled
    /// and this one spent its last: how much more it gets, at least 1, since no
    /// quota of a kernel that runs is less.
    need_0: Reg<Bits<SET_W>>,
    need_1: Reg<Bits<SET_W>>,
    /// Who won in the cycle before.
    won: Reg<Bits<2>>,
    /// Kernel 1 goes first if kernel 0 won in the cycle before.
    after_0: Reg<Bit>,
    /// The same if kernel 1 did.
    after_1: Reg<Bit>,
    /// The same if none did.
    kept: Reg<Bit>,
    first: Signal<Local, Bit>,
    /// Kernel 1 runs alone; kernel 0 does not.
    only_1: Signal<Local, Bit>,
    not_only_0: Signal<Local, Bit>,
    /// The other gets there with its set alone, as far as that is capped.
    reaches_0: Signal<Local, Bit>,
    reaches_1: Signal<Local, Bit>,
    /// Bit by bit, the other's quota plus 1 is this one's.
    follows_0: Signal<Local, Bits<QUOTA_W>>,
    follows_1: Signal<Local, Bits<QUOTA_W>>,
    caps: Constant<Bit>,
    about: About,
}

impl<const QUOTA_W: usize, const SET_W: usize, const CAP: usize> Default
    for QuotaPair<QUOTA_W, SET_W, CAP>
{
    fn default() -> Self {
        const {
            assert!(
                SET_W >= 1 && SET_W < QUOTA_W,
                "quota_pair: SET_W is 1 to QUOTA_W - 1"
            );
            assert!(CAP <= 1, "quota_pair: CAP is 0 or 1");
        }
        QuotaPair {
            clock: Default::default(),
            reset: Default::default(),
            change: Default::default(),
            runs: Default::default(),
            only_1: Default::default(),
            not_only_0: Default::default(),
            wins: Default::default(),
            last: Default::default(),
            quota_0: Default::default(),
            quota_1: Default::default(),
            one: Default::default(),
            set_0: Default::default(),
            set_1: Default::default(),
            next_set_0: Default::default(),
            next_set_1: Default::default(),
            ahead: Default::default(),
            need_0: Reg::new(1.into()),
            need_1: Reg::new(1.into()),
            won: Reg::default(),
            after_0: Reg::default(),
            after_1: Reg::default(),
            kept: Reg::default(),
            first: Default::default(),
            reaches_0: Default::default(),
            reaches_1: Default::default(),
            follows_0: Default::default(),
            follows_1: Default::default(),
            caps: Constant::new(CAP == 1),
            about: {
                let about = About::new("quota_pair")
                    .parameter("QUOTA_W", QUOTA_W)
                    .parameter("SET_W", SET_W)
                    .parameter("CAP", CAP)
                    .citing("Dai et al., section 3.2, figure 7")
                    .documented_in(include_str!("quota_pair.rs"));
                match CAP {
                    0 => about.unused("set_0").unused("set_1"),
                    _ => about,
                }
            },
        }
    }
}

impl<const QUOTA_W: usize, const SET_W: usize, const CAP: usize> Logic
    for QuotaPair<QUOTA_W, SET_W, CAP>
{
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, need_0, need_1, won, after_0, after_1, kept);
        self.need_0.reset.next = self.reset.val();
        self.need_1.reset.next = self.reset.val();
        self.won.reset.next = self.reset.val();
        self.after_0.reset.next = self.reset.val();
        self.after_1.reset.next = self.reset.val();
        self.kept.reset.next = self.reset.val();

        self.first.next = self.kept.q.val();
        if self.won.q.val().get_bit(0) {
            self.first.next = self.after_0.q.val();
        }
        if self.won.q.val().get_bit(1) {
            self.first.next = self.after_1.q.val();
        }
        self.ahead.next = self.first.val();

        comment!("Refilled, the quotas differ by what they did and by what the sets do.");
        self.need_0.d.next = 1.into();
        if self.next_set_0.val() > self.next_set_1.val() {
            self.need_0.d.next = self.next_set_0.val() - self.next_set_1.val();
        }
        self.need_1.d.next = 1.into();
        if self.next_set_1.val() > self.next_set_0.val() {
            self.need_1.d.next = self.next_set_1.val() - self.next_set_0.val();
        }
        self.reaches_0.next = !self.caps.val() | (self.set_1.val() >= self.need_0.q.val());
        self.reaches_1.next = !self.caps.val() | (self.set_0.val() >= self.need_1.q.val());

        comment!("Who goes first after each winner: of equals the one that did not win.");
        self.follows_0.next = self.quota_0.val()
            ^ self.quota_1.val()
            ^ ((self.quota_1.val() & !self.quota_0.val()) << 1);
        self.follows_1.next = self.quota_0.val()
            ^ self.quota_1.val()
            ^ ((self.quota_0.val() & !self.quota_1.val()) << 1);
        self.after_0.d.next =
            (self.quota_1.val() >= self.quota_0.val()) | (self.follows_0.val() == 1);
        if self.one.val().get_bit(0) {
            self.after_0.d.next = (self.quota_1.val()
                >= bit_cast::<QUOTA_W, SET_W>(self.need_0.q.val()))
                & self.reaches_0.val();
        }
        self.after_1.d.next =
            (self.quota_1.val() > self.quota_0.val()) & !(self.follows_1.val() == 1);
        if self.one.val().get_bit(1) {
            self.after_1.d.next = !((self.quota_0.val()
                >= bit_cast::<QUOTA_W, SET_W>(self.need_1.q.val()))
                & self.reaches_1.val());
        }
        self.won.d.next = self.wins.val();
        self.kept.d.next = self.first.val();
        self.only_1.next = self.runs.val().get_bit(1) & !self.runs.val().get_bit(0);
        self.not_only_0.next = self.runs.val().get_bit(1) | !self.runs.val().get_bit(0);
        if self.change.val() {
            self.after_0.d.next = self.not_only_0.val();
            self.after_1.d.next = self.only_1.val();
            self.kept.d.next = self.only_1.val() | (self.not_only_0.val() & self.last.val());
        }
    }
}
