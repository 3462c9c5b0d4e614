//! `rbmi`: round-robin memory instruction issue: selects the kernel that issues to the LSU.
//!
//! Source: Dai et al., section 3.2, RBMI: loose round-robin among the kernels
//! that have a memory instruction ready.
//!
//! Timing: the grant is combinational; the kernel granted at cycle t is last in
//! line from t + 1.
//!
//! ASSUMPTION: the schedulers of an SM share one LSU, which takes one memory
//! instruction per cycle. After reset kernel 0 is first in line.

use super::{kid_width, MAX_KERNELS};
use crate::table::line::{Aliases, Line, Sets};
use crate::table::sm::vectors;
use crate::unit;
use cotenant_netlist::hdl::*;

#[unit(source = "Dai et al., section 3.2")]
mod rbmi {
    /// Round-robin arbiter of `KERNELS` kernels.
    ///
    /// ```
    /// use cotenant_units::sm::Rbmi;
    /// let rbmi = <Rbmi!(2)>::default();
    /// ```
    pub struct Rbmi<
        #[range(1..=MAX_KERNELS)] const KERNELS: usize,
        const KID_W: usize = { kid_width(KERNELS) },
    > {
        /// Rising edge active.
        pub clock: In<Clock>,
        /// Synchronous, active high: kernel 0 is first in line.
        pub reset: In<Bit>,
        /// One bit per kernel: it has a memory instruction ready.
        pub ready: In<Bits<KERNELS>>,
        /// The LSU accepts an instruction in this cycle; active high.
        pub accept: In<Bit>,
        /// One-hot by kernel: the kernel that may issue; zero without a grant.
        pub grant: Out<Bits<KERNELS>>,
        /// A kernel is granted; active high.
        pub grant_valid: Out<Bit>,
        /// KID of the kernel granted; 0 without a grant.
        pub grant_kid: Out<Bits<KID_W>>,
        /// KID of the kernel granted last.
        #[reset(KERNELS - 1)]
        last: Reg<Bits<KID_W>>,
        /// Ready, and after `last`.
        later: Local<Bits<KERNELS>>,
        /// The first of these is granted.
        in_line: Local<Bits<KERNELS>>,
    }

    fn update(&mut self) {
        comment!("The first ready kernel after the last one, else the first of all.");
        for i in 0..KERNELS {
            self.later[i].next = self.ready[i] & (i.to_bits::<KID_W>() > self.last);
        }
        self.in_line.next = self.ready;
        if self.later.any() {
            self.in_line.next = self.later;
        }
        let mut found: Bit = !self.accept;
        self.grant.next = 0;
        self.grant_kid.next = 0;
        for i in 0..KERNELS {
            if self.in_line[i] & !found {
                self.grant[i].next = true;
                self.grant_kid.next = i.to_bits::<KID_W>();
            }
            found = found | self.in_line[i];
        }
        self.grant_valid.next = self.accept & self.ready.any();
        if self.accept & self.ready.any() {
            self.last.next = self.grant_kid;
        }
    }
}

const ALIASES: Aliases = &[
    ("table-1", "2"),
    ("three", "3"),
    ("small", "2"),
    ("large", "8"),
];

/// Parameter sets.
pub(crate) static LINE: Line = Line::new(
    &<Rbmi!(@any)>::DEFINITION,
    ALIASES,
    Sets::Numbers(|| vectors(&[[2], [3], [4], [5], [8], [16]])),
);
