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

mod in_flight;
mod milg;
mod rbmi;
mod smil;

pub use in_flight::InFlight;
pub use milg::Milg;
pub use rbmi::Rbmi;
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
