//! Widths and latencies that follow from kernels, ratios and intervals.

use super::factors::{MAX_RATIO, PRIME_POWERS};

/// Bits of the counter or register that holds 0 to `largest`, at least 1.
pub const fn bits_of(largest: u64) -> usize {
    if largest == 0 {
        1
    } else {
        (u64::BITS - largest.leading_zeros()) as usize
    }
}

/// Bits of the counter or register that holds 0 to `largest`, at least 1.
pub const fn width_of(largest: usize) -> usize {
    bits_of(largest as u64)
}

/// RATIO_W: bits of a number of requests per instruction, 1 to `ratio_max`.
pub const fn ratio_width(ratio_max: usize) -> usize {
    width_of(ratio_max)
}

/// RATIO_MAX: most requests per instruction that are told apart: a warp makes at
/// most 32, and a request counter of `interval_w` bits sees at most its range.
pub const fn ratio_max(interval_w: usize) -> usize {
    if interval_w < 5 {
        1 << interval_w
    } else {
        MAX_RATIO
    }
}

/// The most bits of a request counter beside a failure counter of `fail_w` bits: failures divided
/// by the requests of an interval leave a bit at least.
pub const fn widest_interval(fail_w: usize) -> usize {
    if fail_w > 16 {
        16
    } else {
        fail_w.saturating_sub(1)
    }
}

/// SET_W: bits of a quota in a set, with ratios of 1 to `ratio_max`.
pub const fn quota_width(kernels: usize, ratio_max: usize) -> usize {
    bits_of(largest_quota(kernels, ratio_max))
}

/// SET_W with request counters of `interval_w` bits.
pub const fn set_width(kernels: usize, interval_w: usize) -> usize {
    quota_width(kernels, ratio_max(interval_w))
}

/// QUOTA_W: bits of the quota that a kernel has left: twice the largest fits.
pub const fn credit_width(kernels: usize, interval_w: usize) -> usize {
    bits_of(2 * largest_quota(kernels, ratio_max(interval_w)))
}

/// The largest quota of a kernel among `kernels` with ratios of 1 to
/// `ratio_max`: the largest least common multiple of the others' ratios.
pub const fn largest_quota(kernels: usize, ratio_max: usize) -> u64 {
    largest_product(kernels - 1, ratio_max as u64, 1, 1)
}

/// The largest product of `product` and of `count` numbers up to `limit` that
/// have no factor in common; `best` if it is not above that.
///
/// Least common multiples need no others: a prime power that two numbers share
/// can be left out of one of them.
const fn largest_product(count: usize, limit: u64, product: u64, best: u64) -> u64 {
    let mut best = if product > best { product } else { best };
    if count == 0 {
        return best;
    }
    let mut number = limit;
    while number > 1 && product.saturating_mul(number.saturating_pow(count as u32)) > best {
        if coprime(product, number) {
            best = largest_product(count - 1, number - 1, product * number, best);
        }
        number -= 1;
    }
    best
}

const fn coprime(mut a: u64, mut b: u64) -> bool {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a == 1
}

/// S: cycles that multiplying the primes takes, one per bit below its leading
/// one: 40 for ratios up to 32.
pub const fn quota_steps(ratio_max: usize) -> usize {
    let powers = PRIME_POWERS;
    let (mut i, mut steps) = (0, 0);
    while i < powers.len() {
        if powers[i].1 <= ratio_max {
            steps += bits_of(powers[i].0 as u64) - 1;
        }
        i += 1;
    }
    steps
}

/// Cycles that a set of quotas takes, without its delivery.
pub const fn quota_cycles(kernels: usize, ratio_max: usize) -> usize {
    kernels * (quota_steps(ratio_max) + 1)
}
