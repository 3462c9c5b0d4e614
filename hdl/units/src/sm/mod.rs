//! SM side: whose memory instruction is issued next, and how many may be in flight.
//!
//! Source: Dai et al., "Accelerate GPU Concurrent Kernel Execution by
//! Mitigating Memory Pipeline Stalls".
//!
//! A unit with parameters out of range, or with derived widths that do not
//! follow from them, does not compile:
//!
//! ```compile_fail
//! use cotenant_units::sm::Rbmi;
//! let rbmi = Rbmi::<4, 1>::default(); // KID_W is clog2 KERNELS
//! ```

mod factors;
mod in_flight;
mod mem_issue;
mod milg;
mod qbmi;
mod quota_unit;
mod rbmi;
mod request_ratio;
mod smil;

pub use factors::{prime_powers, Factors, MAX_RATIO};
pub use in_flight::InFlight;
pub use mem_issue::MemIssue;
pub use milg::Milg;
pub use qbmi::Qbmi;
pub use quota_unit::{largest_quota, quota_cycles, quota_steps, QuotaUnit, MAX_QUOTA_KERNELS};
pub use rbmi::Rbmi;
pub use request_ratio::RequestRatio;
pub use smil::Smil;

pub use crate::llc::{kid_width, MAX_KERNELS};

/// Bits of the counter or register that holds 0 to `largest`, at least 1.
pub const fn bits_of(largest: u64) -> usize {
    if largest == 0 {
        1
    } else {
        (u64::BITS - largest.leading_zeros()) as usize
    }
}

/// RATIO_MAX: most requests an instruction that are told apart: a warp makes at
/// most 32, and a request counter of `interval_w` bits sees at most its range.
pub const fn ratio_max(interval_w: usize) -> usize {
    if interval_w < 5 {
        1 << interval_w
    } else {
        MAX_RATIO
    }
}

/// SET_W: bits of a quota in a set, with request counters of `interval_w` bits.
pub const fn set_width(kernels: usize, interval_w: usize) -> usize {
    bits_of(largest_quota(kernels, ratio_max(interval_w)))
}

/// QUOTA_W: bits of the quota that a kernel has left: twice the largest fits.
pub const fn credit_width(kernels: usize, interval_w: usize) -> usize {
    bits_of(2 * largest_quota(kernels, ratio_max(interval_w)))
}
