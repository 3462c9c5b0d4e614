//! `factors`: the prime powers that divide a number from 1 to 32.
//!
//! Source: Dai et al., section 3.2, figure 7: quotas need least common
//! multiples and divisions. As a set of prime powers, a number's least common
//! multiple with another is their union, and a division takes a part away.
//!
//! Timing: combinational, one lookup table of the ratio a prime power.

use super::bits_of;
use crate::unit::unit;
use cotenant_netlist::hdl::*;
use cotenant_netlist::About;

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

/// Prime powers that divide a number from 1 to `RATIO_MAX`.
///
/// Derived: `RATIO_W` = clog2(RATIO_MAX + 1), `POWERS` = prime powers up to
/// RATIO_MAX.
///
/// ```
/// let factors = <cotenant_units::factors!(32)>::default();
/// ```
#[derive(Clone, Debug, LogicBlock)]
pub struct Factors<const RATIO_MAX: usize, const RATIO_W: usize, const POWERS: usize> {
    /// The number; 1 to RATIO_MAX, others have no factors.
    pub ratio: Signal<In, Bits<RATIO_W>>,
    /// One bit a prime power, 2 4 8 16 32 3 9 27 5 25 7 11 13 17 19 23 29 31 as
    /// far as RATIO_MAX, 2 lowest: it divides the number.
    pub divides: Signal<Out, Bits<POWERS>>,
    /// One bit a number, one number a prime power.
    multiples: [Constant<Bits<NUMBERS>>; POWERS],
    found: Signal<Local, Bits<POWERS>>,
    about: About,
}

impl<const RATIO_MAX: usize, const RATIO_W: usize, const POWERS: usize> Default
    for Factors<RATIO_MAX, RATIO_W, POWERS>
{
    fn default() -> Self {
        const {
            assert!(
                RATIO_MAX >= 2 && RATIO_MAX <= MAX_RATIO,
                "factors: RATIO_MAX is 2 to 32"
            );
            assert!(
                RATIO_W == bits_of(RATIO_MAX as u64),
                "factors: RATIO_W is clog2(RATIO_MAX + 1)"
            );
            assert!(
                POWERS == prime_powers(RATIO_MAX),
                "factors: POWERS is the number of prime powers up to RATIO_MAX"
            );
        }
        let multiples = |power: usize| {
            let multiples = (power..=RATIO_MAX).step_by(power);
            multiples.fold(0u64, |set, n| set | 1 << n)
        };
        let mut powers = powers_up_to(RATIO_MAX).map(|(_, power)| power);
        Factors {
            ratio: Default::default(),
            divides: Default::default(),
            multiples: std::array::from_fn(|_| {
                Constant::new(powers.next().map_or(0, multiples).into())
            }),
            found: Default::default(),
            about: About::new("factors")
                .parameter("RATIO_MAX", RATIO_MAX)
                .citing("Dai et al., section 3.2, figure 7")
                .documented_in(include_str!("factors.rs")),
        }
    }
}

impl<const RATIO_MAX: usize, const RATIO_W: usize, const POWERS: usize> Logic
    for Factors<RATIO_MAX, RATIO_W, POWERS>
{
    #[hdl_gen]
    fn update(&mut self) {
        self.found.next = 0.into();
        for i in 0..POWERS {
            self.found.next = self
                .found
                .val()
                .replace_bit(i, self.multiples[i].val().get_bit(self.ratio.val().index()));
        }
        self.divides.next = self.found.val();
    }
}

unit! {
    [const RATIO_MAX: usize, const RATIO_W: usize, const POWERS: usize]
    Factors<RATIO_MAX, RATIO_W, POWERS>: ;
    in ratio;
    out divides
}

/// The type of a [`Factors`](crate::sm::Factors) of numbers up to this one.
#[macro_export]
macro_rules! factors {
    ($ratio_max:expr) => {
        $crate::sm::Factors<
            { $ratio_max },
            { $crate::sm::bits_of($ratio_max as u64) },
            { $crate::sm::prime_powers($ratio_max) },
        >
    };
}
