//! Units behind a bus; the same stems as in `cotenant_golden::bus` and `cotenant_units::bus`.

pub mod bridge;
pub mod llc_counters;
pub mod llc_monitor;
pub mod managed_llc;
pub mod mem_issue;
pub mod stimulus;

mod registers;

pub use bridge::Bus;
pub use llc_counters::LlcCountersBus;
pub use llc_monitor::LlcMonitorBus;
pub use managed_llc::ManagedLlcBus;
pub use mem_issue::MemIssueBus;

use cotenant_golden::bus::apb4::Apb4;
use cotenant_golden::bus::axi4_lite::Axi4Lite;

/// The unit [`llc_monitor_apb`](cotenant_golden::bus::LlcMonitorApb).
pub type LlcMonitorApb = LlcMonitorBus<Apb4>;
/// The unit [`llc_monitor_axi`](cotenant_golden::bus::LlcMonitorAxi).
pub type LlcMonitorAxi = LlcMonitorBus<Axi4Lite>;
/// The unit [`llc_counters_apb`](cotenant_golden::bus::LlcCountersApb).
pub type LlcCountersApb = LlcCountersBus<Apb4>;
/// The unit [`llc_counters_axi`](cotenant_golden::bus::LlcCountersAxi).
pub type LlcCountersAxi = LlcCountersBus<Axi4Lite>;
/// The unit [`mem_issue_apb`](cotenant_golden::bus::MemIssueApb).
pub type MemIssueApb = MemIssueBus<Apb4>;
/// The unit [`mem_issue_axi`](cotenant_golden::bus::MemIssueAxi).
pub type MemIssueAxi = MemIssueBus<Axi4Lite>;
/// The unit [`managed_llc_apb`](cotenant_golden::bus::ManagedLlcApb).
pub type ManagedLlcApb = ManagedLlcBus<Apb4>;
/// The unit [`managed_llc_axi`](cotenant_golden::bus::ManagedLlcAxi).
pub type ManagedLlcAxi = ManagedLlcBus<Axi4Lite>;
