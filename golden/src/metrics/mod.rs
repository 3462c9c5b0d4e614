//! Who is to blame for whose misses.
//!
//! | item | is |
//! | --- | --- |
//! | [`Contention`] | shares of GDC and PLOB, and the misses attributed by them |
//! | [`wbd`] | how far two breakdowns of one kernel's misses lie apart |

mod contention;

pub use contention::{wbd, Contention, Row};
