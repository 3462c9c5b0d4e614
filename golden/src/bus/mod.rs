//! Units behind a bus: register files that software reaches through APB4 or AXI4-Lite.
//!
//! | module | unit |
//! | --- | --- |
//! | [`LlcMonitorApb`] | [`llc_monitor`](crate::llc::llc_monitor) behind APB4, with budgets and an interrupt |
//! | [`LlcMonitorAxi`] | the same behind AXI4-Lite |
//! | [`LlcCountersApb`], [`LlcCountersAxi`] | [`llc_counters`](crate::llc::llc_counters) with the same registers |
//! | [`MemIssueApb`] | [`mem_issue`](crate::sm::mem_issue) behind APB4 |
//! | [`MemIssueAxi`] | the same behind AXI4-Lite |
//! | [`ManagedLlcApb`], [`ManagedLlcAxi`] | [`managed_llc`](crate::mgmt::managed_llc) behind each of them |
//! | [`apb4`], [`axi4_lite`] | the bridges inside |
//! | [`llc_registers`], [`issue_registers`], [`managed_registers`] | the register files inside |
//!
//! What is at which address is looked up in the description of `cotenant-registers`; what an
//! access does, and when, is said here.
//!
//! # Register port
//!
//! A bridge asks a register file for one transfer at a time. The transfer is taken in the first
//! cycle with `select`, t, and answered in t + [`ANSWER`], be it an error or not:
//!
//! | cycle | happens |
//! | --- | --- |
//! | t | the register file takes the transfer |
//! | t + 1 | a read of a counter or limit addresses it; running counters are read without the increments of this cycle |
//! | t + 2 | a read of a counter of `managed_llc` addresses it, likewise |
//! | t + 3 | all other registers are read |
//! | t + 4 | `done`; what a write does, it does in this cycle or at its end |
//!
//! While the limits are being swept, an access to one of them waits in t + 1. A transfer whose
//! `select` goes low before t + 4 is forgotten.
//!
//! An unmapped address, one that is no multiple of 4, a write to a register that is read-only and
//! a write of fewer than four bytes are errors; they do nothing and read 0.

pub mod access;
pub mod apb4;
pub mod axi4_lite;
pub mod issue_registers;
pub mod llc_counters;
pub mod llc_monitor;
pub mod llc_registers;
pub mod managed_llc;
pub mod managed_registers;
pub mod mem_issue;

mod lookup;

pub use access::Access;
pub use llc_counters::{LlcCountersApb, LlcCountersAxi};
pub use llc_monitor::{LlcMonitorApb, LlcMonitorAxi};
pub use managed_llc::{ManagedLlcApb, ManagedLlcAxi};
pub use mem_issue::{MemIssueApb, MemIssueAxi};

use serde::{Deserialize, Serialize};

use crate::model::{Plain, Violation};

pub use cotenant_registers::ADDRESS_W;

/// Cycles from the first one with `select` to `done`.
pub const ANSWER: u8 = 4;

/// What a bridge asks a register file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Request {
    /// There is a transfer, held until `done`.
    pub select: bool,
    /// The transfer is a write.
    pub write: bool,
    /// In bytes; [`ADDRESS_W`] bits.
    pub address: u16,
    /// Write data.
    pub write_data: u32,
    /// The bytes to write, 4 bits.
    pub strobe: u8,
}

/// What a register file answers; all 0 unless `done`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Answer {
    /// The transfer is over.
    pub done: bool,
    /// The transfer failed.
    pub error: bool,
    /// What was read; 0 after a write or an error.
    pub read_data: u32,
}

/// A bus slave in front of a register file.
pub trait Bridge: Copy + std::fmt::Debug + 'static {
    /// The bus's inputs.
    type In: Plain + Copy + Default;
    /// Its outputs.
    type Out: Plain + Copy;
    /// Registers.
    type State: Plain + Default;

    /// What the register file is asked in this cycle.
    fn request(state: &Self::State, input: &Self::In) -> Request;

    /// The outputs of a cycle in which the register file answers this.
    fn outputs(state: &Self::State, answer: Answer) -> Self::Out;

    /// Passes the clock edge.
    fn step(state: &mut Self::State, input: &Self::In, answer: Answer);

    /// Whether the ports may carry this.
    ///
    /// # Errors
    /// The first [`Violation`] found.
    fn check(input: &Self::In) -> Result<(), Violation>;
}
