//! SM side: which kernel's memory instruction is issued next, and how many may be in flight.
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
mod highest_quota;
mod in_flight;
pub(crate) mod mem_issue;
pub(crate) mod milg;
pub(crate) mod qbmi;
mod quota_credit;
pub(crate) mod quota_unit;
pub(crate) mod rbmi;
mod request_ratio;
pub(crate) mod smil;
mod widths;

pub use factors::{prime_powers, Factors, MAX_RATIO};
pub use highest_quota::HighestQuota;
pub use in_flight::InFlight;
pub use mem_issue::MemIssue;
pub use milg::Milg;
pub use qbmi::Qbmi;
pub use quota_credit::QuotaCredit;
pub use quota_unit::QuotaUnit;
pub use rbmi::Rbmi;
pub use request_ratio::RequestRatio;
pub use smil::Smil;
pub use widths::{
    bits_of, credit_width, largest_quota, quota_cycles, quota_steps, quota_width, ratio_max,
    ratio_width, set_width, widest_interval, width_of,
};

pub use crate::llc::kid_width;

/// Maximum number of kernels: an SM runs at most so many thread blocks (Dai et al., table 1).
pub const MAX_KERNELS: usize = 16;
