//! Functional coverage of a bus, which all units behind one have.

pub(in crate::unit) mod protocol;
pub(in crate::unit) mod registers;

pub use protocol::Watched;

/// Yes or no.
pub(in crate::unit) const FLAG: [&str; 2] = ["no", "yes"];
