//! popcnt, kid_demux, demotion.
//!
//! Rationale: these are small enough to be tried on all inputs at the widths
//! where the structure changes: one input (no adder), powers of two (full
//! tree), others (ragged tree; KIDs that name no kernel). Wide ones get the
//! corner patterns.

use crate::bench::Bench;
use cotenant_units::llc::{Demotion, KidDemux, Popcnt};

macro_rules! popcnt_exhaustively {
    ($($width:literal),*) => {
        $({
            let mut bench = Bench::new::<Popcnt!($width)>();
            for data in 0u128..1 << $width {
                let seen = bench.cycle(&[("data", data)]);
                assert_eq!(seen.get("count"), u64::from(data.count_ones()), "{} {data:b}", $width);
            }
        })*
    };
}

#[test]
fn popcnt_counts_all_patterns() {
    popcnt_exhaustively!(1, 2, 3, 4, 5, 6, 7, 8, 12);
}

#[test]
fn popcnt_counts_at_the_corners_of_wide_vectors() {
    let mut bench = Bench::new::<Popcnt!(64)>();
    for n in 0..=64u32 {
        let low = (1u128 << n) - 1;
        for data in [low, low << (64 - n), u128::from(u64::MAX) & !low] {
            let seen = bench.cycle(&[("data", data)]);
            assert_eq!(seen.get("count"), u64::from(data.count_ones()), "{data:b}");
        }
    }
}

macro_rules! kid_demux_exhaustively {
    ($($kernels:literal),*) => {
        $({
            let mut bench = Bench::new::<KidDemux!($kernels)>();
            for select in 0u64..($kernels as u64).next_power_of_two().max(2) {
                for enable in [0, 1] {
                    let seen = bench.cycle(&[("enable", enable), ("select", select.into())]);
                    let expected = if enable == 1 && select < $kernels { 1 << select } else { 0 };
                    assert_eq!(seen.get("lane"), expected, "{} {enable} {select}", $kernels);
                }
            }
        })*
    };
}

#[test]
fn kid_demux_is_one_hot_at_the_kid_and_zero_beyond_the_kernels() {
    kid_demux_exhaustively!(1, 2, 3, 4, 5, 6, 8, 16);
}

macro_rules! demotion_exhaustively {
    ($($ways:literal),*) => {
        $({
            let mut bench = Bench::new::<Demotion!($ways)>();
            for stack_valid in 0u64..1 << $ways {
                for pos in 0..=$ways {
                    let seen = bench.cycle(&[
                        ("access_valid", 1),
                        ("access_pos", pos),
                        ("stack_valid", stack_valid.into()),
                    ]);
                    let above = (1u64 << pos) - 1;
                    assert_eq!(seen.get("demoted"), stack_valid & above, "{} {pos}", $ways);
                    let idle = bench.cycle(&[
                        ("access_pos", pos),
                        ("stack_valid", stack_valid.into()),
                    ]);
                    assert_eq!(idle.get("demoted"), 0, "no access demotes nothing");
                }
            }
        })*
    };
}

#[test]
fn demotion_is_of_the_valid_lines_above_the_one_hit() {
    demotion_exhaustively!(1, 2, 3, 4, 6);
}
