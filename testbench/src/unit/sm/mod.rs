//! The SM side; the same stems as in `cotenant_golden::sm` and `cotenant_units::sm`.

pub mod mem_issue;
pub mod milg;
pub mod qbmi;
pub mod quota_unit;
pub mod rbmi;
pub mod smil;

pub mod shared;

pub use mem_issue::MemIssue;
pub use milg::Milg;
pub use qbmi::Qbmi;
pub use quota_unit::QuotaUnit;
pub use rbmi::Rbmi;
pub use smil::Smil;
