//! Pseudo-random permutations in closed form.
//!
//! A Feistel network permutes the numbers of so many bits; what falls outside of the wanted range
//! goes through it again until it falls inside, which is a permutation of the range (cycle
//! walking; Black and Rogaway, "Ciphers with Arbitrary Finite Domains", 2002).

/// Rounds of the network; four are the least that look random (Luby and Rackoff, 1988).
const ROUNDS: u64 = 4;

/// A permutation of the numbers below some number, drawn by a seed.
///
/// ```
/// use cotenant_golden::workload::program::permutation::Permutation;
/// let order = Permutation::new(5, 1);
/// let mut all: Vec<u64> = (0..5).map(|at| order.at(at)).collect();
/// all.sort();
/// assert_eq!(all, [0, 1, 2, 3, 4]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Permutation {
    length: u64,
    /// Bits of the network's halves.
    low: u32,
    high: u32,
    seed: u64,
}

impl Permutation {
    /// Of the numbers below `length`, up to 2^62.
    pub fn new(length: u64, seed: u64) -> Self {
        // The fewest bits that hold them: less than half falls outside.
        let bits = length.max(1).next_power_of_two().trailing_zeros().min(62);
        Self {
            length,
            low: bits.div_ceil(2),
            high: bits / 2,
            seed: hash(seed),
        }
    }

    /// The number at a place, both below the length. Other places are their own.
    pub fn at(&self, place: u64) -> u64 {
        if place >= self.length {
            return place;
        }
        let mut number = self.network(place);
        while number >= self.length {
            number = self.network(number);
        }
        number
    }

    fn network(&self, number: u64) -> u64 {
        let (low_mask, high_mask) = ((1 << self.low) - 1, (1 << self.high) - 1);
        let (mut low, mut high) = (number & low_mask, number >> self.low);
        for round in 0..ROUNDS / 2 {
            low ^= hash(self.seed ^ (4 * high + 2 * round)) & low_mask;
            high ^= hash(self.seed ^ (4 * low + 2 * round + 1)) & high_mask;
        }
        high << self.low | low
    }
}

/// A number that looks random for each number: the finaliser of SplitMix64 (Steele, Lea and
/// Flood, "Fast Splittable Pseudorandom Number Generators", 2014).
pub(super) fn hash(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}

#[cfg(test)]
mod tests {
    //! Rationale: a number that comes twice or never would make a chain of loads skip lines and
    //! look right. All lengths up to some, then any; lengths beside powers of two walk differently.
    use proptest::prelude::*;

    use super::*;

    fn is_permutation(length: u64, seed: u64) -> bool {
        let order = Permutation::new(length, seed);
        let mut seen = vec![false; length as usize];
        for place in 0..length {
            let number = order.at(place) as usize;
            if number >= seen.len() || std::mem::replace(&mut seen[number], true) {
                return false;
            }
        }
        true
    }

    #[test]
    fn short_ones() {
        for length in 0..=66 {
            assert!(is_permutation(length, length), "{length}");
        }
    }

    #[test]
    fn it_is_no_plain_order() {
        // Numbers that follow each other are neighbours about as often as by chance: 2 of 4096.
        let order = Permutation::new(4096, 7);
        let near = (1..4096).filter(|&at| order.at(at).abs_diff(order.at(at - 1)) == 1);
        assert!(near.count() < 16);
        let other = Permutation::new(4096, 8);
        assert!((0..4096).filter(|&at| order.at(at) == other.at(at)).count() < 16);
    }

    proptest! {
        #[test]
        fn every_number_once(length in 1u64..20_000, seed: u64) {
            prop_assert!(is_permutation(length, seed));
        }
    }
}
