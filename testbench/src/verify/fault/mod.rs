//! Seeded faults, which measure the quality of the checker.
//!
//! A campaign puts one fault after the other into a unit's netlist (a stuck bit, swapped
//! operands, an off-by-one, a lost write, a missing reset and so on,
//! [`cotenant_netlist::fault`]) and runs it in lockstep with the golden model. A fault that is
//! not caught must be proven to change nothing, or the campaign fails.
//!
//! ```
//! use cotenant::verify::fault;
//! use cotenant::unit::llc::LruStack;
//! use cotenant_units::table;
//!
//! let report = fault::campaign::<LruStack>(&table::set("lru_stack", "small")?, 16, 0x9e37, 4000)?;
//! println!("{report}");
//! assert!(report.passed());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod any;
mod campaign;
pub mod mutation;
mod proof;
mod report;
mod screen;

pub use crate::verify::facts::{rules, Facts, Terms};
pub use campaign::{campaign, Campaign};
pub use proof::Proof;
pub use report::{Outcome, Report, Verdict};
