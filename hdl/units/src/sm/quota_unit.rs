//! `quota_unit`: how many memory instructions each kernel may issue, so that all make as many
//! requests.
//!
//! Source: Dai et al., section 3.2, figure 7: quota_i = LCM(r_0 .. r_n) / r_i
//! over the active kernels' requests an instruction. It is not on the critical
//! path (section 4.4), so it is sequential and small: neither a greatest common
//! divisor nor a division, but sets of prime powers. Their union is the least
//! common multiple, what a ratio's own set lacks of it is its quota, and the
//! primes of that are multiplied, a bit of a prime a cycle.
//!
//! Timing: `start` at cycle t takes `active` and `ratio`; `busy` is high from t +
//! 1 to t + KERNELS (S + 1), and `quota` and `done` follow one cycle later, S
//! being the steps of [`quota_steps`](crate::sm::quota_steps), whatever the ratios are: 83 cycles for 2
//! kernels, 124 for 3, 329 for 8. Of inputs in the same cycle clear goes before
//! start, and either abandons what is under way.
//!
//! ASSUMPTION: the paper computes quotas of kernels that are there. A slot
//! without a kernel reads 1, as all do after reset and clear, and has no part in
//! the multiple; a start or clear in the middle abandons the set under way, so
//! that what is delivered is of one `start`.

use super::factors::powers_up_to;
use super::{
    bits_of, largest_quota, prime_powers, quota_cycles, quota_steps, Factors, MAX_QUOTA_KERNELS,
    MAX_RATIO,
};
use crate::prim::Reg;
use crate::unit::unit;
use cotenant_netlist::hdl::*;
use cotenant_netlist::About;
use std::array::from_fn;

/// Quotas of `KERNELS` kernels with ratios of 1 to `RATIO_MAX`.
///
/// Derived: `RATIO_W` = clog2(RATIO_MAX + 1), `RATIOS_W` = KERNELS x RATIO_W,
/// `SET_W` = bits of [`largest_quota`], `PARTIAL_W` = SET_W - 1,
/// `SETS_W` = KERNELS x SET_W, `POWERS` =
/// [`prime_powers`], `STEPS` = [`quota_steps`] + 1, `STEP_W` = clog2 STEPS,
/// `LEFT_W` = clog2([`quota_cycles`] + 1).
///
/// ```
/// let quota_unit = <cotenant_units::quota_unit!(2, 32)>::default();
/// ```
#[derive(Clone, Debug, LogicBlock)]
pub struct QuotaUnit<
    const KERNELS: usize,
    const RATIO_MAX: usize,
    const RATIO_W: usize,
    const RATIOS_W: usize,
    const SET_W: usize,
    const PARTIAL_W: usize,
    const SETS_W: usize,
    const POWERS: usize,
    const STEPS: usize,
    const STEP_W: usize,
    const LEFT_W: usize,
> {
    /// Rising edge active.
    pub clock: Signal<In, Clock>,
    /// Synchronous, active high: idle, all quotas 1.
    pub reset: Signal<In, Bit>,
    /// Idle, all quotas 1; active high.
    pub clear: Signal<In, Bit>,
    /// Begin a new set from `active` and `ratio`; active high.
    pub start: Signal<In, Bit>,
    /// One bit a kernel: it takes part.
    pub active: Signal<In, Bits<KERNELS>>,
    /// Requests an instruction, RATIO_W bits a kernel, kernel 0 lowest; 1 to
    /// RATIO_MAX of active kernels, others are ignored.
    pub ratio: Signal<In, Bits<RATIOS_W>>,
    /// A set is under way; active high, 0 after reset.
    pub busy: Signal<Out, Bit>,
    /// A new set is in `quota` for the first cycle; active high, 0 after reset.
    pub done: Signal<Out, Bit>,
    /// The newest set that is complete: instructions, SET_W bits a kernel,
    /// kernel 0 lowest; 1 in slots without a kernel, all 1 after reset.
    pub quota: Signal<Out, Bits<SETS_W>>,
    factors: [Factors<RATIO_MAX, RATIO_W, POWERS>; KERNELS],
    /// Prime powers of the ratios, the kernel at hand first; none of an
    /// inactive one.
    powers: [Reg<Bits<POWERS>>; KERNELS],
    /// One bit a kernel, the kernel at hand lowest: it is active.
    members: Reg<Bits<KERNELS>>,
    /// Cycles still to go; 0 when idle.
    left: Reg<Bits<LEFT_W>>,
    /// 0 begins a kernel, the others multiply.
    step: Reg<Bits<STEP_W>>,
    /// Prime powers still to be multiplied, the one at hand lowest.
    missing: Reg<Bits<POWERS>>,
    /// Product of the primes so far.
    product: Reg<Bits<SET_W>>,
    /// It, times the bits of the prime at hand so far; its top bit would be
    /// shifted out.
    partial: Reg<Bits<PARTIAL_W>>,
    /// Quotas of this set, the newest last.
    waiting: Vec<Reg<Bits<SET_W>>>,
    quota_register: [Reg<Bits<SET_W>>; KERNELS],
    done_register: Reg<Bit>,
    begins: Signal<Local, Bit>,
    ends: Signal<Local, Bit>,
    multiple: Signal<Local, Bits<POWERS>>,
    addend: Signal<Local, Bits<SET_W>>,
    next_partial: Signal<Local, Bits<SET_W>>,
    next_product: Signal<Local, Bits<SET_W>>,
    one_quota: Signal<Local, Bits<SET_W>>,
    /// The bit of the prime in each step, and whether it is the last.
    prime_bit: Constant<Bits<STEPS>>,
    prime_end: Constant<Bits<STEPS>>,
    last_step: Constant<Bits<STEP_W>>,
    cycles: Constant<Bits<LEFT_W>>,
    ratio_w: Constant<Bits<8>>,
    set_w: Constant<Bits<8>>,
    about: About,
}

impl<
        const KERNELS: usize,
        const RATIO_MAX: usize,
        const RATIO_W: usize,
        const RATIOS_W: usize,
        const SET_W: usize,
        const PARTIAL_W: usize,
        const SETS_W: usize,
        const POWERS: usize,
        const STEPS: usize,
        const STEP_W: usize,
        const LEFT_W: usize,
    > Default
    for QuotaUnit<
        KERNELS,
        RATIO_MAX,
        RATIO_W,
        RATIOS_W,
        SET_W,
        PARTIAL_W,
        SETS_W,
        POWERS,
        STEPS,
        STEP_W,
        LEFT_W,
    >
{
    fn default() -> Self {
        const {
            assert!(
                KERNELS >= 2 && KERNELS <= MAX_QUOTA_KERNELS,
                "quota_unit: KERNELS is 2 to 8"
            );
            assert!(
                RATIO_MAX >= 2 && RATIO_MAX <= MAX_RATIO,
                "quota_unit: RATIO_MAX is 2 to 32"
            );
            assert!(
                RATIO_W == bits_of(RATIO_MAX as u64)
                    && RATIOS_W == KERNELS * RATIO_W
                    && POWERS == prime_powers(RATIO_MAX),
                "quota_unit: RATIO_W, RATIOS_W and POWERS follow from KERNELS and RATIO_MAX"
            );
            assert!(
                SET_W == bits_of(largest_quota(KERNELS, RATIO_MAX)) && PARTIAL_W == SET_W - 1 && SETS_W == KERNELS * SET_W,
                "quota_unit: SET_W is the bits of the largest quota, PARTIAL_W one less, SETS_W KERNELS times that"
            );
            assert!(
                STEPS == quota_steps(RATIO_MAX) + 1
                    && STEP_W == bits_of(STEPS as u64 - 1)
                    && LEFT_W == bits_of(quota_cycles(KERNELS, RATIO_MAX) as u64),
                "quota_unit: STEPS, STEP_W and LEFT_W follow from KERNELS and RATIO_MAX"
            );
        }
        // Step 0 begins a kernel; then the bits of each prime, below its leading one.
        let (mut prime_bit, mut prime_end, mut step) = (0u64, 0u64, 0);
        for (prime, _) in powers_up_to(RATIO_MAX) {
            for place in (0..bits_of(prime as u64) - 1).rev() {
                step += 1;
                prime_bit |= ((prime as u64 >> place) & 1) << step;
                prime_end |= u64::from(place == 0) << step;
            }
        }
        QuotaUnit {
            clock: Default::default(),
            reset: Default::default(),
            clear: Default::default(),
            start: Default::default(),
            active: Default::default(),
            ratio: Default::default(),
            busy: Default::default(),
            done: Default::default(),
            quota: Default::default(),
            factors: from_fn(|_| Default::default()),
            powers: from_fn(|_| Reg::default()),
            members: Reg::default(),
            left: Reg::default(),
            step: Reg::default(),
            missing: Reg::default(),
            product: Reg::new(1.into()),
            partial: Reg::new(1.into()),
            waiting: (1..KERNELS).map(|_| Reg::new(1.into())).collect(),
            quota_register: from_fn(|_| Reg::new(1.into())),
            done_register: Reg::default(),
            begins: Default::default(),
            ends: Default::default(),
            multiple: Default::default(),
            addend: Default::default(),
            next_partial: Default::default(),
            next_product: Default::default(),
            one_quota: Default::default(),
            prime_bit: Constant::new(prime_bit.into()),
            prime_end: Constant::new(prime_end.into()),
            last_step: Constant::new((STEPS - 1).to_bits()),
            cycles: Constant::new(quota_cycles(KERNELS, RATIO_MAX).to_bits()),
            ratio_w: Constant::new(RATIO_W.to_bits()),
            set_w: Constant::new(SET_W.to_bits()),
            about: About::new("quota_unit")
                .parameter("KERNELS", KERNELS)
                .parameter("RATIO_MAX", RATIO_MAX)
                .citing("Dai et al., section 3.2, figure 7")
                .documented_in(include_str!("quota_unit.rs")),
        }
    }
}

impl<
        const KERNELS: usize,
        const RATIO_MAX: usize,
        const RATIO_W: usize,
        const RATIOS_W: usize,
        const SET_W: usize,
        const PARTIAL_W: usize,
        const SETS_W: usize,
        const POWERS: usize,
        const STEPS: usize,
        const STEP_W: usize,
        const LEFT_W: usize,
    > Logic
    for QuotaUnit<
        KERNELS,
        RATIO_MAX,
        RATIO_W,
        RATIOS_W,
        SET_W,
        PARTIAL_W,
        SETS_W,
        POWERS,
        STEPS,
        STEP_W,
        LEFT_W,
    >
{
    #[hdl_gen]
    fn update(&mut self) {
        clock!(
            self,
            clock,
            members,
            left,
            step,
            missing,
            product,
            partial,
            done_register
        );
        self.members.reset.next = self.reset.val();
        self.left.reset.next = self.reset.val();
        self.step.reset.next = self.reset.val();
        self.missing.reset.next = self.reset.val();
        self.product.reset.next = self.reset.val();
        self.partial.reset.next = self.reset.val();
        self.done_register.reset.next = self.reset.val();

        comment!("The schedule: KERNELS times STEPS cycles.");
        self.busy.next = self.left.q.val().any();
        self.begins.next = !self.step.q.val().any();
        self.ends.next = self.left.q.val().any() & (self.step.q.val() == self.last_step.val());
        self.left.d.next = self.left.q.val();
        self.step.d.next = self.step.q.val();
        if self.left.q.val().any() {
            self.left.d.next = self.left.q.val() - 1;
            self.step.d.next = self.step.q.val() + 1;
        }
        if self.ends.val() | self.start.val() | self.clear.val() {
            self.step.d.next = 0.into();
        }
        if self.clear.val() {
            self.left.d.next = 0.into();
        } else if self.start.val() {
            self.left.d.next = self.cycles.val();
        }

        comment!("The ratios as prime powers; after each kernel the next comes first.");
        self.multiple.next = 0.into();
        for i in 0..KERNELS {
            self.factors[i].ratio.next = self
                .ratio
                .val()
                .get_bits::<RATIO_W>(i * self.ratio_w.val().index());
            self.multiple.next = self.multiple.val() | self.powers[i].q.val();
            self.powers[i].clock.next = self.clock.val();
            self.powers[i].reset.next = self.reset.val();
            self.powers[i].d.next = self.powers[i].q.val();
        }
        self.members.d.next = self.members.q.val();
        if self.start.val() {
            self.members.d.next = self.active.val();
            for i in 0..KERNELS {
                self.powers[i].d.next = 0.into();
                if self.active.val().get_bit(i) {
                    self.powers[i].d.next = self.factors[i].divides.val();
                }
            }
        } else if self.ends.val() {
            self.members.d.next = self.members.q.val() >> 1;
            for i in 1..KERNELS {
                self.powers[i - 1].d.next = self.powers[i].q.val();
            }
            // One turn: a loop variable is how a parameter becomes an index.
            for i in (KERNELS - 1)..KERNELS {
                self.powers[i].d.next = self.powers[0].q.val();
            }
        }

        comment!("The product of what the kernel's ratio lacks of the least common multiple.");
        self.addend.next = 0.into();
        if self.prime_bit.val().get_bit(self.step.q.val().index()) {
            self.addend.next = self.product.q.val();
        }
        self.next_partial.next =
            (bit_cast::<SET_W, PARTIAL_W>(self.partial.q.val()) << 1) + self.addend.val();
        self.next_product.next = self.product.q.val();
        if self.missing.q.val().get_bit(0) {
            self.next_product.next = self.next_partial.val();
        }
        self.missing.d.next = self.missing.q.val();
        self.product.d.next = self.product.q.val();
        self.partial.d.next = bit_cast::<PARTIAL_W, SET_W>(self.next_partial.val());
        if self.begins.val() {
            self.missing.d.next = 0.into();
            if self.members.q.val().get_bit(0) {
                self.missing.d.next = self.multiple.val() & !self.powers[0].q.val();
            }
            self.product.d.next = 1.into();
            self.partial.d.next = 1.into();
        } else if self.prime_end.val().get_bit(self.step.q.val().index()) {
            self.missing.d.next = self.missing.q.val() >> 1;
            self.product.d.next = self.next_product.val();
            self.partial.d.next = bit_cast::<PARTIAL_W, SET_W>(self.next_product.val());
        }

        comment!("The set: delivered as a whole.");
        for i in 1..KERNELS {
            self.waiting[i - 1].clock.next = self.clock.val();
            self.waiting[i - 1].reset.next = self.reset.val();
            self.waiting[i - 1].d.next = self.waiting[i - 1].q.val();
        }
        for i in 0..KERNELS {
            self.quota_register[i].clock.next = self.clock.val();
            self.quota_register[i].reset.next = self.reset.val();
            self.quota_register[i].d.next = self.quota_register[i].q.val();
        }
        if self.ends.val() {
            for i in 2..KERNELS {
                self.waiting[i - 2].d.next = self.waiting[i - 1].q.val();
            }
            for i in (KERNELS - 1)..KERNELS {
                self.waiting[i - 1].d.next = self.next_product.val();
            }
        }
        self.done_register.d.next = false;
        if self.clear.val() {
            for i in 0..KERNELS {
                self.quota_register[i].d.next = 1.into();
            }
        } else if (self.left.q.val() == 1) & !self.start.val() {
            self.done_register.d.next = true;
            for i in 1..KERNELS {
                self.quota_register[i - 1].d.next = self.waiting[i - 1].q.val();
            }
            for i in (KERNELS - 1)..KERNELS {
                self.quota_register[i].d.next = self.next_product.val();
            }
        }
        self.done.next = self.done_register.q.val();
        self.quota.next = 0.into();
        for i in 0..KERNELS {
            self.one_quota.next = self.quota_register[i].q.val();
            self.quota.next = self.quota.val()
                | (bit_cast::<SETS_W, SET_W>(self.one_quota.val())
                    << (i * self.set_w.val().index()).to_bits::<16>());
        }
    }
}

unit! {
    [
        const KERNELS: usize,
        const RATIO_MAX: usize,
        const RATIO_W: usize,
        const RATIOS_W: usize,
        const SET_W: usize,
        const PARTIAL_W: usize,
        const SETS_W: usize,
        const POWERS: usize,
        const STEPS: usize,
        const STEP_W: usize,
        const LEFT_W: usize,
    ]
    QuotaUnit<
        KERNELS,
        RATIO_MAX,
        RATIO_W,
        RATIOS_W,
        SET_W,
        PARTIAL_W,
        SETS_W,
        POWERS,
        STEPS,
        STEP_W,
        LEFT_W,
    >: clock;
    in reset, clear, start, active, ratio;
    out busy, done, quota
}

/// The type of a [`QuotaUnit`](crate::sm::QuotaUnit): kernels, largest ratio.
#[macro_export]
macro_rules! quota_unit {
    ($kernels:expr, $ratio_max:expr) => {
        $crate::sm::QuotaUnit<
            { $kernels },
            { $ratio_max },
            { $crate::sm::bits_of($ratio_max as u64) },
            { $kernels * $crate::sm::bits_of($ratio_max as u64) },
            { $crate::sm::bits_of($crate::sm::largest_quota($kernels, $ratio_max)) },
            { $crate::sm::bits_of($crate::sm::largest_quota($kernels, $ratio_max)) - 1 },
            { $kernels * $crate::sm::bits_of($crate::sm::largest_quota($kernels, $ratio_max)) },
            { $crate::sm::prime_powers($ratio_max) },
            { $crate::sm::quota_steps($ratio_max) + 1 },
            { $crate::sm::bits_of($crate::sm::quota_steps($ratio_max) as u64) },
            { $crate::sm::bits_of($crate::sm::quota_cycles($kernels, $ratio_max) as u64) },
        >
    };
}
