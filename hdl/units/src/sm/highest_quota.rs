//! `highest_quota`: selects the requesting kernel with the highest quota.
//!
//! Source: Dai et al., section 3.2: the more quota a kernel has left, the
//! higher its priority to issue a memory instruction.
//!
//! Timing: combinational. All pairs of kernels are compared in parallel; the winner
//! is the requesting kernel over which no other requesting kernel has priority, so
//! that no comparison waits for another. The priority among equal quotas is a bit
//! below the quota, so that one comparison decides both.
//!
//! ASSUMPTION: a tie goes round-robin from the last winner.

use super::{kid_width, MAX_KERNELS};
use crate::unit;
use cotenant_netlist::hdl::*;

#[unit(source = "Dai et al., section 3.2")]
mod highest_quota {
    /// Priority among `KERNELS` kernels by quotas of `QUOTA_W` bits.
    pub struct HighestQuota<
        #[range(2..=MAX_KERNELS)] const KERNELS: usize,
        #[range(1..=64)] const QUOTA_W: usize,
        const KID_W: usize = { kid_width(KERNELS) },
        const KEY_W: usize = { QUOTA_W + 1 },
    > {
        /// One bit per kernel: it has a memory instruction ready.
        pub asks: In<Bits<KERNELS>>,
        /// The LSU accepts an instruction in this cycle; active high.
        pub accept: In<Bit>,
        /// Quotas, QUOTA_W bits per kernel, kernel 0 lowest.
        pub quota: In<[Bits<QUOTA_W>; KERNELS]>,
        /// KID of the last winner, behind which a tie is decided.
        pub last: In<Bits<KID_W>>,
        /// One-hot by kernel: the winner; zero without one.
        pub winner: Out<Bits<KERNELS>>,
        /// A kernel wins; active high.
        pub winner_valid: Out<Bit>,
        /// KID of the winner; 0 if there is none.
        pub winner_kid: Out<Bits<KID_W>>,
        /// One bit per kernel: its KID is above `last`, so that it is earlier in line.
        later: Local<Bits<KERNELS>>,
        /// By kernel, one bit per kernel with priority over it.
        ahead: [Local<Bits<KERNELS>>; KERNELS],
        /// The quotas, with room for the bit that decides a tie.
        key: [Local<Bits<KEY_W>>; KERNELS],
        /// One bit per kernel with a lower KID: a loop's bound is no loop variable.
        #[value(|i| (1u64 << i) - 1)]
        below: [Constant<Bits<KERNELS>>; KERNELS],
    }

    fn update(&mut self) {
        comment!("Each pair once: the higher quota; among equals the first after `last`.");
        for i in 0..KERNELS {
            self.later[i].next = i.to_bits::<KID_W>() > self.last;
            self.ahead[i].next = 0;
            let mine: Bits<QUOTA_W> = self.quota[i];
            self.key[i].next = mine.cast::<KEY_W>() << 1;
        }
        for i in 0..KERNELS {
            for j in 0..KERNELS {
                // Of equals, i is first only if it is later and j, below it, is not.
                if self.below[i][j] {
                    self.ahead[i][j].next =
                        self.key[j].replace_bit(0, self.later[j] | !self.later[i]) > self.key[i];
                    self.ahead[j][i].next = !self.ahead[i][j];
                }
            }
        }

        comment!("The requesting kernel without a requesting kernel of higher priority.");
        self.winner.next = 0;
        self.winner_kid.next = 0;
        for i in 0..KERNELS {
            if self.accept & self.asks[i] & !(self.asks & self.ahead[i]).any() {
                self.winner[i].next = true;
                self.winner_kid.next = self.winner_kid | i.to_bits::<KID_W>();
            }
        }
        self.winner_valid.next = self.accept & self.asks.any();
    }
}
