//! Units that manage the shared cache: who gets how much of it.

pub(crate) mod core_sampling;
pub(crate) mod drrip;
pub(crate) mod managed_directory;
pub(crate) mod managed_llc;
pub(crate) mod quota_victim;
pub(crate) mod rrip;
pub(crate) mod tap;
pub(crate) mod ucp;
pub(crate) mod umon;
pub(crate) mod xsratio;

mod product;

pub use core_sampling::CoreSampling;
pub use drrip::Drrip;
pub use managed_directory::ManagedDirectory;
pub use managed_llc::ManagedLlc;
pub use product::Product;
pub use quota_victim::QuotaVictim;
pub use rrip::Rrip;
pub use tap::Tap;
pub use ucp::Ucp;
pub use umon::Umon;
pub use xsratio::Xsratio;

/// Maximum number of applications that share the cache.
pub const MAX_APPLICATIONS: usize = 16;

/// The most applications where there is room for so many.
pub(crate) const fn most_applications(room: usize) -> usize {
    if room < MAX_APPLICATIONS {
        room
    } else {
        MAX_APPLICATIONS
    }
}
