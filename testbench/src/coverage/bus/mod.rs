//! Units behind a bus; the same stems as the units.

mod llc_monitor;
mod mem_issue;
mod protocol;
mod registers;

pub use protocol::Watched;

use super::{Axis, Cross};

/// Yes or no.
const FLAG: [&str; 2] = ["no", "yes"];
