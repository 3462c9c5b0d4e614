//! Rationale: a memory written down in a few lines, of which one thing at a time is wrong: times
//! (constant, random in each reading, two modes at random), the bank or the set (a product, a
//! conjunction of bits), the rows, the size of some sets, the replacement (random). Without a fault it is recovered, so that what is
//! refused is the fault.
use std::collections::HashMap;
use std::ops::Range;

use rand::{RngCore, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::super::*;
use crate::addr::gf2::parity;

/// Bits of an address.
const WIDTH: u32 = 24;

/// What is wrong with its times.
#[derive(Clone, Copy, PartialEq)]
enum Times {
    Right,
    Constant,
    Random,
    /// Slow in one of so many readings.
    Slow(u64),
    /// Rows conflict unless they differ by 1 or 2 in three bits; by 3 they do, which is their XOR.
    Rows,
}

struct Fake {
    bank: fn(u64) -> u64,
    set: fn(u64) -> u64,
    times: Times,
    lru: bool,
    ways: fn(u64) -> usize,
    sets: HashMap<u64, Vec<u64>>,
    random: Pcg64Mcg,
}

const FUNCTIONS: [u64; 6] = [
    0x11_1080, 0x42_2100, 0x84_4200, 0x48_8400, 0x22_0880, 0xc1_1000,
];

fn linear(address: u64) -> u64 {
    gf2::apply(&FUNCTIONS, address)
}

/// One of the functions has a conjunction of two bits in it.
fn conjunction(address: u64) -> u64 {
    linear(address) ^ (address >> 15 & address >> 18 & 1)
}

fn product(address: u64) -> u64 {
    (address >> 7).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 58
}

impl Fake {
    fn right() -> Self {
        Self {
            bank: linear,
            set: linear,
            times: Times::Right,
            lru: true,
            ways: |_| 4,
            sets: HashMap::new(),
            random: Pcg64Mcg::seed_from_u64(7),
        }
    }

    fn time(&mut self, slow: bool) -> u64 {
        let slow = match self.times {
            Times::Right | Times::Rows => slow,
            Times::Constant => return 500,
            Times::Random => return 200 + self.random.next_u64() % 500,
            Times::Slow(rate) => self.random.next_u64() % rate == 0,
        };
        if slow {
            600
        } else {
            500
        }
    }
}

impl AccessTimes for Fake {
    fn allocation(&self) -> Range<u64> {
        0..1 << WIDTH
    }

    fn clear(&mut self) {
        self.sets.clear();
    }

    fn read(&mut self, address: u64) -> u64 {
        let line = address >> 7;
        let ways = (self.ways)((self.set)(address));
        let random = self.random.next_u64() as usize % ways;
        let set = self.sets.entry((self.set)(address)).or_default();
        let place = set.iter().position(|it| *it == line);
        match place {
            Some(place) => {
                set.remove(place);
            }
            None if set.len() == ways => {
                set.remove(if self.lru { 0 } else { random });
            }
            None => {}
        }
        set.push(line);
        self.time(place.is_none())
    }

    fn read_pair(&mut self, primary: u64, secondary: u64) -> u64 {
        let same = (self.bank)(primary) == (self.bank)(secondary);
        // Rows of 8 lines.
        let row = (primary ^ secondary) >> 10;
        self.time(same && row != 0 && (self.times != Times::Rows || !matches!(row & 7, 1 | 2)))
    }
}

fn banks_of(mut fake: Fake) -> Result<Found, ProbeError> {
    let settings = Settings {
        tests: 1 << 14,
        ..Settings::default()
    };
    banks(&mut fake, &settings, &mut |_| {})
}

fn sets_of(mut fake: Fake) -> Result<(Found, usize), ProbeError> {
    let settings = Settings {
        tests: 1 << 14,
        lines: 1 << 12,
        ..Settings::default()
    };
    sets(&mut fake, &settings, &mut |_| {})
}

#[test]
fn without_a_fault_it_is_recovered() {
    assert_eq!(parity(FUNCTIONS[0], 0x80), 1);
    assert!(banks_of(Fake::right()).unwrap().agrees(&FUNCTIONS));
    let (found, ways) = sets_of(Fake::right()).unwrap();
    assert!(found.agrees(&FUNCTIONS));
    assert_eq!(ways, 4);
}

#[test]
fn times_without_modes_are_refused() {
    let with = |times| Fake {
        times,
        ..Fake::right()
    };
    let error = banks_of(with(Times::Constant)).unwrap_err();
    assert!(
        matches!(error, ProbeError::Modes { slow: 0, .. }),
        "{error}"
    );
    let error = banks_of(with(Times::Random)).unwrap_err();
    assert!(
        matches!(
            error,
            ProbeError::Modes { .. } | ProbeError::TooNoisy { .. }
        ),
        "{error}"
    );
    for rate in [4, 20, 200] {
        let error = banks_of(with(Times::Slow(rate))).unwrap_err();
        let seen = matches!(
            error,
            ProbeError::NoPairs { pairs: 0, .. } | ProbeError::TooNoisy { .. }
        );
        assert!(seen, "{rate}: {error}");
    }
    for times in [
        Times::Constant,
        Times::Random,
        Times::Slow(2),
        Times::Slow(20),
    ] {
        let error = sets_of(with(times)).unwrap_err();
        assert!(matches!(error, ProbeError::Modes { .. }), "{error}");
    }
}

#[test]
fn functions_that_are_no_xor_are_refused() {
    for bank in [conjunction, product] {
        let error = banks_of(Fake {
            bank,
            ..Fake::right()
        })
        .unwrap_err();
        assert!(matches!(error, ProbeError::NotLinear { .. }), "{error}");
    }
    for set in [conjunction, product] {
        let error = sets_of(Fake {
            set,
            ..Fake::right()
        })
        .unwrap_err();
        assert!(matches!(error, ProbeError::NotLinear { .. }), "{error}");
    }
}

#[test]
fn rows_that_are_no_xor_are_refused() {
    let times = Times::Rows;
    let error = banks_of(Fake {
        times,
        ..Fake::right()
    });
    let error = error.unwrap_err().to_string();
    assert!(
        error.contains("and not those that differ by parts of it"),
        "{error}"
    );
}

#[test]
fn sets_of_several_sizes_are_refused() {
    // One set in four is smaller or larger; of sixteen places some are in one.
    let smaller: fn(u64) -> usize = |set| 4 - usize::from(set & 3 == 0);
    let larger: fn(u64) -> usize = |set| 4 + usize::from(set & 3 == 0);
    for ways in [smaller, larger] {
        let error = sets_of(Fake {
            ways,
            ..Fake::right()
        });
        let error = error.unwrap_err();
        assert!(matches!(error, ProbeError::NotLinear { .. }), "{error}");
    }
}

#[test]
fn other_replacement_is_refused() {
    for seed in 0..5 {
        let random = Pcg64Mcg::seed_from_u64(seed);
        let error = sets_of(Fake {
            lru: false,
            random,
            ..Fake::right()
        })
        .unwrap_err();
        let seen = matches!(
            error,
            ProbeError::NoEviction { .. } | ProbeError::TooNoisy { .. }
        );
        assert!(seen, "{error}");
    }
}
