//! request_ratio, and the widths of quotas.
//!
//! Rationale: request_ratio has no lockstep of its own, so rounding and clamping are tried here for
//! every number of instructions of a short interval, and where ten bits round. The largest quota,
//! which widths come from, is searched for in another way.

use crate::bench::Bench;
use cotenant_units::sm::RequestRatio;
use cotenant_units::sm::{credit_width, largest_quota, quota_cycles, set_width};

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
    let none = measured(&mut bench, 32, 0, 31);
    assert_eq!(none, 32, "all requests are of one instruction");
}

#[test]
fn the_ratio_at_the_corners_of_ten_bits() {
    let mut bench = Bench::new::<RequestRatio!(10)>();
    for (instructions, ratio) in [
        (1024, 1), // one request per instruction: the counter is back at 0
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
