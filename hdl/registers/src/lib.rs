//! The registers of the units behind a bus, described once.
//!
//! A [`Map`] is plain data: the RTL decodes addresses from it, the golden models look addresses
//! up in it, and it is written as SystemRDL ([`system_rdl`]), as IP-XACT ([`ip_xact`]), as a C header
//! ([`c_header`]) and as a table ([`markdown`]).
//!
//! ```
//! use cotenant_registers::{llc_monitor, LlcParams};
//!
//! let params = LlcParams {
//!     ways: 16, kernels: 4, sets: 64, banks: 4, tag_w: 36, cnt_w: 21, stages: 1, requesters: 4,
//!     sce: 0, sampled: 0, mode: 0,
//! };
//! let map = llc_monitor(&params)?;
//! let place = map.at(0x844).expect("mapped");
//! assert_eq!((place.register.name, place.row, place.column), ("GDC", 1, 1));
//! assert!(map.at(0x850).is_none(), "aggressor 4 of 4");
//! # Ok::<(), cotenant_registers::ParameterError>(())
//! ```
//!
//! Beside them stand the address [`mappings`] that come with the units and models.
//!
//! # Rules
//!
#![doc = include_str!("rules.md")]

mod error;
mod header;
mod ipxact;
mod issue;
mod llc;
mod managed;
mod map;
pub mod mappings;
mod markdown;
mod parameters;
mod rdl;
mod shared;

pub use error::{MapError, ParameterError};
pub use header::c_header;
pub use ipxact::{ip_xact, BusInterface, Component, ComponentPort};
pub use issue::{mem_issue, IssueParams, ISSUE_REGISTERS};
pub use llc::{llc_monitor, llc_registers, LlcParams};
pub use managed::{managed_llc, ManagedParams, MANAGED_REGISTERS};
pub use map::{Access, Field, Map, Place, Register, Reset};
pub use markdown::markdown;
pub use rdl::system_rdl;

/// Rules for all registers: access width, errors, and the meaning of a change of `VERSION`.
pub const RULES: &str = include_str!("rules.md");

/// What `ID` reads: "COTN".
pub const ID: u32 = 0x434F_544E;

/// A driver for another one must refuse to run: registers have moved, vanished or changed.
pub const MAJOR: u32 = 1;

/// A higher one has only more: registers, fields, or bits that read 0 before. This is that of
/// `managed_llc`, and of `mem_issue` and `llc_monitor` without what [`ISSUE_MINOR`], [`LLC_MINOR_SIXTHS`] and
/// [`LLC_MINOR`] brought.
pub const MINOR: u32 = 0;

/// That of `mem_issue` with a `RELEASE` of 2 or 3.
pub const ISSUE_MINOR: u32 = 1;

/// That of `llc_monitor` with share at eviction or sampled sets whose misses are divided in sixths.
pub const LLC_MINOR_SIXTHS: u32 = 1;

/// That of `llc_monitor` with sampled sets whose misses are charged as a whole.
pub const LLC_MINOR: u32 = 2;

/// What `UNIT` reads of `llc_monitor`.
pub const UNIT_LLC_MONITOR: u32 = 1;

/// What `UNIT` reads of `mem_issue`.
pub const UNIT_MEM_ISSUE: u32 = 2;

/// What `UNIT` reads of `managed_llc`.
pub const UNIT_MANAGED_LLC: u32 = 3;

/// Most kernels that a register space has room for.
pub const MAX_KERNELS: usize = 16;

/// Most requesters that a register space has room for, besides `other`.
pub const MAX_REQUESTERS: usize = 255;

/// Bits of a byte address: 16 KiB.
pub const ADDRESS_W: usize = 14;
