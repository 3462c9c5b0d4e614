//! `factors`: the prime powers that divide a number from 1 to 32.
//!
//! Source: Dai et al., section 3.2, figure 7: quotas need least common
//! multiples and divisions. As a set of prime powers, a number's least common
//! multiple with another is their union, and a division takes a part away.
//!
//! Timing: combinational, one lookup table of the ratio per prime power.

use super::ratio_width;
use crate::unit;
use cotenant_netlist::hdl::*;

/// Largest number that is factored: the most requests a warp makes.
pub const MAX_RATIO: usize = 32;

/// Numbers that RATIO_W bits have at most, so that each has a bit in a table.
const NUMBERS: usize = 64;

/// Every prime power up to 32, with its prime.
pub(super) const PRIME_POWERS: [(usize, usize); 18] = [
    (2, 2),
    (2, 4),
    (2, 8),
    (2, 16),
    (2, 32),
    (3, 3),
    (3, 9),
    (3, 27),
    (5, 5),
    (5, 25),
    (7, 7),
    (11, 11),
    (13, 13),
    (17, 17),
    (19, 19),
    (23, 23),
    (29, 29),
    (31, 31),
];

/// POWERS: prime powers up to `ratio_max`, at least 1.
pub const fn prime_powers(ratio_max: usize) -> usize {
    let (mut i, mut count) = (0, 0);
    while i < PRIME_POWERS.len() {
        if PRIME_POWERS[i].1 <= ratio_max {
            count += 1;
        }
        i += 1;
    }
    count
}

/// Prime powers up to `ratio_max`, in order of the prime, with the prime.
pub(super) fn powers_up_to(ratio_max: usize) -> impl Iterator<Item = (usize, usize)> {
    let all = PRIME_POWERS.into_iter();
    all.filter(move |(_, power)| *power <= ratio_max)
}

/// One bit per number up to `ratio_max`: the prime power at this place divides it.
fn multiples(ratio_max: usize, place: usize) -> u64 {
    let power = powers_up_to(ratio_max).nth(place).map_or(0, |(_, p)| p);
    let multiples = (power..=ratio_max).step_by(power.max(1));
    multiples.fold(0, |set, number| set | 1 << number)
}

#[unit(source = "Dai et al., section 3.2, figure 7")]
mod factors {
    /// Prime powers that divide a number from 1 to `RATIO_MAX`.
    ///
    /// ```
    /// use cotenant_units::sm::Factors;
    /// let factors = <Factors!(32)>::default();
    /// ```
    pub struct Factors<
        #[range(2..=MAX_RATIO)] const RATIO_MAX: usize,
        const RATIO_W: usize = { ratio_width(RATIO_MAX) },
        const POWERS: usize = { prime_powers(RATIO_MAX) },
    > {
        /// The number; 1 to RATIO_MAX, others have no factors.
        pub ratio: In<Bits<RATIO_W>>,
        /// One bit per prime power, 2 4 8 16 32 3 9 27 5 25 7 11 13 17 19 23 29 31
        /// as far as RATIO_MAX, 2 lowest: it divides the number.
        pub divides: Out<Bits<POWERS>>,
        /// One bit per number, one table per prime power.
        #[value(|power| multiples(RATIO_MAX, power))]
        multiples: [Constant<Bits<NUMBERS>>; POWERS],
    }

    fn update(&mut self) {
        for power in 0..POWERS {
            self.divides[power].next = self.multiples[power][self.ratio];
        }
    }
}
