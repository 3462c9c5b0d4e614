//! request_ratio, factors, quota_unit.
//!
//! Rationale: rounding and clamping are tried for every number of instructions
//! of a short interval; sets of quotas for all ratios where that is few, for the
//! examples of the specification, and against the definition by gcd, which the
//! unit does not use. What arrives while something is under way is a case of
//! its own.

use crate::bench::{pack, Bench, Seen};
use cotenant_units::sm::{credit_width, largest_quota, quota_cycles, set_width};
use cotenant_units::sm::{Factors, QuotaUnit, RequestRatio};

/// An interval of `requests` requests, the first `instructions` of them each
/// the first of an instruction; the ratio once it is there, in `steps` cycles.
fn measured(bench: &mut Bench, requests: u64, instructions: u64, steps: u64) -> u64 {
    for n in 0..requests {
        bench.cycle(&[("request", 1), ("first", u128::from(n < instructions))]);
    }
    let before = bench.cycle(&[]);
    for n in 2..=steps {
        let seen = bench.cycle(&[("first", 1)]); // without a request
        assert_eq!(seen.get("updated"), u64::from(n == steps));
        assert_eq!(seen.get("ratio"), before.get("ratio"), "{n}");
    }
    let seen = bench.cycle(&[]);
    assert_eq!(seen.get("updated"), 0);
    seen.get("ratio")
}

#[test]
fn the_ratio_is_rounded_for_every_number_of_instructions() {
    let mut bench = Bench::new::<RequestRatio!(5)>();
    assert_eq!(bench.cycle(&[]).get("ratio"), 1);
    for n in 1..=32u64 {
        let rounded = (2 * 32 + n) / (2 * n);
        assert_eq!(measured(&mut bench, 32, n, 31), rounded, "{n}");
    }
    assert_eq!(measured(&mut bench, 32, 0, 31), 1, "0 reads as 32");
}

#[test]
fn the_ratio_at_the_corners_of_ten_bits() {
    let mut bench = Bench::new::<RequestRatio!(10)>();
    for (instructions, ratio) in [
        (1024, 1), // one request an instruction: the counter is back at 0
        (1023, 1),
        (683, 1), // 1.4993
        (682, 2), // 1.5015
        (341, 3),
        (60, 17), // 17.07
        (33, 31),
        (31, 32), // 33.03 is more than a warp makes
        (1, 32),
    ] {
        assert_eq!(
            measured(&mut bench, 1024, instructions, 31),
            ratio,
            "{instructions}"
        );
    }
}

#[test]
fn clear_starts_afresh_and_abandons_a_conversion() {
    let mut bench = Bench::new::<RequestRatio!(2)>();
    assert_eq!(measured(&mut bench, 4, 1, 3), 4);
    for _ in 0..3 {
        bench.cycle(&[("request", 1)]);
    }
    bench.cycle(&[("clear", 1), ("request", 1), ("first", 1)]);
    assert_eq!(bench.cycle(&[]).get("ratio"), 1);
    // The request of the clearing cycle is not counted, nor its instruction.
    assert_eq!(measured(&mut bench, 4, 2, 3), 2);
    for wait in 0..3 {
        for _ in 0..4 {
            bench.cycle(&[("request", 1)]);
        }
        for _ in 0..wait {
            bench.cycle(&[]);
        }
        assert_eq!(bench.cycle(&[("clear", 1)]).get("updated"), 0);
        for _ in 0..4 {
            let seen = bench.cycle(&[]);
            assert_eq!((seen.get("ratio"), seen.get("updated")), (1, 0), "{wait}");
        }
    }
}

#[test]
fn prime_powers_of_every_ratio() {
    let powers = [
        2, 4, 8, 16, 32, 3, 9, 27, 5, 25, 7, 11, 13, 17, 19, 23, 29, 31,
    ];
    let mut bench = Bench::new::<Factors!(32)>();
    for ratio in 1..=32u64 {
        let seen = bench.cycle(&[("ratio", ratio.into())]).get("divides");
        let expected = powers.map(|power| ratio % power == 0);
        for (i, divides) in expected.into_iter().enumerate() {
            assert_eq!(seen >> i & 1 == 1, divides, "{ratio} {}", powers[i]);
        }
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 {
        a
    } else {
        gcd(b, a % b)
    }
}

fn lcm(a: u64, b: u64) -> u64 {
    a / gcd(a, b) * b
}

#[test]
fn the_largest_quota_is_the_largest_of_all() {
    fn search(count: usize, ratio_max: u64, multiple: u64) -> u64 {
        match count {
            0 => multiple,
            _ => (1..=ratio_max)
                .map(|r| search(count - 1, ratio_max, lcm(multiple, r)))
                .max()
                .unwrap_or(1),
        }
    }
    for (kernels, ratio_max) in [(2, 4), (4, 4), (3, 8), (8, 8), (2, 32), (3, 32), (4, 32)] {
        let largest = largest_quota(kernels, ratio_max);
        assert_eq!(
            largest,
            search(kernels - 1, ratio_max as u64, 1),
            "{kernels} {ratio_max}"
        );
    }
    assert_eq!(
        [2, 3, 4, 8].map(|kernels| set_width(kernels, 10)),
        [6, 10, 15, 33]
    );
    assert_eq!(
        [2, 3, 4, 8].map(|kernels| credit_width(kernels, 10)),
        [7, 11, 16, 34]
    );
    assert_eq!(
        [2, 3, 8].map(|kernels| quota_cycles(kernels, 32) + 1),
        [83, 124, 329]
    );
}

/// Starts a set and waits for it: busy from the next cycle on, done after as
/// many cycles as `cycles` says.
fn set(bench: &mut Bench, active: u128, ratios: &[u64], ratio_w: usize, cycles: usize) -> Seen {
    let start = [
        ("start", 1),
        ("active", active),
        ("ratio", pack(ratios, ratio_w)),
    ];
    let before = bench.cycle(&start);
    assert_eq!(before.get("busy"), 0);
    for n in 1..=cycles {
        let seen = bench.cycle(&[]);
        assert_eq!((seen.get("busy"), seen.get("done")), (1, 0), "{n}");
        let quotas = |seen: &Seen| seen.unpack("quota", ratios.len(), 5);
        assert_eq!(quotas(&seen), quotas(&before), "delivered as a whole");
    }
    let seen = bench.cycle(&[]);
    assert_eq!((seen.get("busy"), seen.get("done")), (0, 1));
    assert_eq!(bench.cycle(&[]).get("done"), 0);
    seen
}

#[test]
fn the_examples() {
    let mut bench = Bench::new::<QuotaUnit!(2, 32)>();
    for (ratios, quotas) in [([2, 3], [3, 2]), ([2, 17], [17, 2]), ([3, 17], [17, 3])] {
        assert_eq!(
            set(&mut bench, 0b11, &ratios, 6, 82).unpack("quota", 2, 6),
            quotas
        );
    }
    let mut bench = Bench::new::<QuotaUnit!(3, 32)>();
    let seen = set(&mut bench, 0b111, &[3, 17, 11], 6, 123);
    assert_eq!(seen.unpack("quota", 3, 10), [187, 33, 51]);
}

#[test]
fn every_set_of_three_kernels_up_to_eight() {
    let mut bench = Bench::new::<QuotaUnit!(3, 8)>();
    for ratios in 0..512u64 {
        let ratios = [ratios % 8, ratios / 8 % 8, ratios / 64].map(|r| r + 1);
        let multiple = ratios.into_iter().fold(1, lcm);
        let seen = set(&mut bench, 0b111, &ratios, 4, quota_cycles(3, 8));
        assert_eq!(
            seen.unpack("quota", 3, 6),
            ratios.map(|r| multiple / r),
            "{ratios:?}"
        );
    }
}

#[test]
fn every_ratio_of_two_kernels_against_some() {
    let mut bench = Bench::new::<QuotaUnit!(2, 32)>();
    for a in 1..=32 {
        for b in [1, 24, 32] {
            let seen = set(&mut bench, 0b11, &[a, b], 6, 82);
            let expected = [lcm(a, b) / a, lcm(a, b) / b];
            assert_eq!(seen.unpack("quota", 2, 6), expected, "{a} {b}");
        }
    }
}

#[test]
fn the_largest_quotas_fit() {
    let mut bench = Bench::new::<QuotaUnit!(8, 32)>();
    let ratios = [1, 32, 31, 29, 27, 25, 23, 19];
    let multiple = ratios.into_iter().fold(1, lcm);
    let seen = set(&mut bench, 0xff, &ratios, 6, 328);
    assert_eq!(seen.unpack("quota", 8, 33), ratios.map(|r| multiple / r));
    assert_eq!(multiple, largest_quota(8, 32));
}

#[test]
fn slots_without_a_kernel_take_no_part() {
    let mut bench = Bench::new::<QuotaUnit!(3, 32)>();
    // Whatever stands there, legal or not.
    for idle in [0, 7, 63] {
        let seen = set(&mut bench, 0b101, &[2, idle, 3], 6, 123);
        assert_eq!(seen.unpack("quota", 3, 10), [3, 1, 2]);
        let seen = set(&mut bench, 0b010, &[idle, 6, idle], 6, 123);
        assert_eq!(seen.unpack("quota", 3, 10), [1; 3]);
    }
    assert_eq!(
        set(&mut bench, 0, &[2, 3, 5], 6, 123).unpack("quota", 3, 10),
        [1; 3]
    );
}

#[test]
fn a_start_or_clear_abandons_what_is_under_way() {
    let cycles = quota_cycles(2, 4); // S = 3: 8 cycles
    let ratio = |a, b| ("ratio", pack(&[a, b], 3));
    for after in 1..=cycles {
        let mut bench = Bench::new::<QuotaUnit!(2, 4)>();
        let quotas = |seen: &Seen| seen.unpack("quota", 2, 3);
        set(&mut bench, 0b11, &[1, 4], 3, cycles);
        bench.cycle(&[("start", 1), ("active", 0b11), ratio(2, 3)]);
        (1..after).for_each(|_| drop(bench.cycle(&[])));
        bench.cycle(&[("start", 1), ("active", 0b11), ratio(3, 1)]);
        for _ in 0..cycles {
            let seen = bench.cycle(&[]);
            assert_eq!(
                (seen.get("done"), quotas(&seen)),
                (0, vec![4, 1]),
                "{after}"
            );
        }
        let seen = bench.cycle(&[("start", 1), ("active", 0b11), ratio(2, 3)]);
        assert_eq!((seen.get("done"), quotas(&seen)), (1, vec![1, 3]));

        (1..after).for_each(|_| drop(bench.cycle(&[])));
        // Clear goes before start.
        bench.cycle(&[("clear", 1), ("start", 1), ("active", 0b11), ratio(3, 1)]);
        for _ in 0..2 * cycles {
            let seen = bench.cycle(&[]);
            assert_eq!((seen.get("busy"), seen.get("done")), (0, 0), "{after}");
            assert_eq!(quotas(&seen), [1, 1]);
        }
    }
}
