//! Units behind a bus; the same stems as the units.

mod llc_monitor;
mod mem_issue;
mod spoken;
