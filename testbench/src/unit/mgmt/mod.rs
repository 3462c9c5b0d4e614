//! Management of the shared cache; the same stems as in `cotenant_golden::mgmt` and
//! `cotenant_units::mgmt`.

pub mod umon;

pub use umon::Umon;
