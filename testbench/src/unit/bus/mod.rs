//! Units behind a bus; the same stems as in `cotenant_golden::bus` and `cotenant_units::bus`.

mod bridge;
mod llc_monitor;
mod mem_issue;

pub use bridge::Bus;
pub use llc_monitor::LlcMonitorBus;
pub use mem_issue::MemIssueBus;

use cotenant_golden::bus::apb4::Apb4;
use cotenant_golden::bus::axi4_lite::Axi4Lite;
use cotenant_golden::bus::{Access, ADDRESS_W};

use super::interface::{Packer, StateField};

/// The unit [`llc_monitor_apb`](cotenant_golden::bus::llc_monitor_apb).
pub type LlcMonitorApb = LlcMonitorBus<Apb4>;
/// The unit [`llc_monitor_axi`](cotenant_golden::bus::llc_monitor_axi).
pub type LlcMonitorAxi = LlcMonitorBus<Axi4Lite>;
/// The unit [`mem_issue_apb`](cotenant_golden::bus::mem_issue_apb).
pub type MemIssueApb = MemIssueBus<Apb4>;
/// The unit [`mem_issue_axi`](cotenant_golden::bus::mem_issue_axi).
pub type MemIssueAxi = MemIssueBus<Axi4Lite>;

/// Registers of a register file's transfer.
fn access() -> Vec<StateField> {
    [
        ("phase", 3),
        ("write", 1),
        ("address", ADDRESS_W),
        ("write_data", 32),
        ("strobe", 4),
        ("read_data", 32),
        ("error", 1),
    ]
    .into_iter()
    .map(|(name, width)| StateField::value(format!("access.{name}"), width, name))
    .collect()
}

fn pack_access(access: &Access, words: &mut Packer<'_>) {
    words.value(access.phase);
    words.value(access.write);
    words.value(access.address);
    words.value(access.write_data);
    words.value(access.strobe);
    words.value(access.read_data);
    words.value(access.error);
}

/// A part's registers, as those of a whole.
fn below(path: &str, fields: Vec<StateField>) -> impl Iterator<Item = StateField> + '_ {
    fields.into_iter().map(move |field| field.below(path))
}
