//! Management of the shared cache; the same stems as in `cotenant_golden::mgmt` and
//! `cotenant_units::mgmt`.

pub mod core_sampling;
pub mod drrip;
pub mod managed_directory;
pub mod managed_llc;
pub mod quota_victim;
pub mod rrip;
pub mod tap;
pub mod ucp;
pub mod umon;
pub mod xsratio;

pub use core_sampling::CoreSampling;
pub use drrip::Drrip;
pub use managed_directory::ManagedDirectory;
pub use managed_llc::ManagedLlc;
pub use quota_victim::QuotaVictim;
pub use rrip::Rrip;
pub use tap::Tap;
pub use ucp::Ucp;
pub use umon::Umon;
pub use xsratio::Xsratio;
