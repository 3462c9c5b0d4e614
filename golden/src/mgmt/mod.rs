//! Who gets how much of the shared cache: one behavioural model per hardware unit.
//!
//! Source: TAP (Lee and Kim, HPCA 2012), sections 3 and 5.3.

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

#[cfg(feature = "machines")]
pub mod policy;

/// The most applications that share the cache: masks over applications are `u64`.
pub const MAX_APPLICATIONS: usize = 16;

/// A packed port: one value per application, application 0 first.
pub type ByApplication = crate::Inline<u64, MAX_APPLICATIONS>;
