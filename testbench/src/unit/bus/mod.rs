//! Units behind a bus; the same stems as in `cotenant_golden::bus` and `cotenant_units::bus`.

pub mod bridge;
pub mod llc_monitor;
pub mod mem_issue;

mod coverage;
mod facts;
mod spoken;
pub mod stimulus;

pub use bridge::Bus;
pub use llc_monitor::LlcMonitorBus;
pub use mem_issue::MemIssueBus;

use cotenant_golden::bus::apb4::Apb4;
use cotenant_golden::bus::axi4_lite::Axi4Lite;
use cotenant_golden::bus::{Access, ANSWER};

use crate::verify::interface::{Packer, StateField};

/// The unit [`llc_monitor_apb`](cotenant_golden::bus::LlcMonitorApb).
pub type LlcMonitorApb = LlcMonitorBus<Apb4>;
/// The unit [`llc_monitor_axi`](cotenant_golden::bus::LlcMonitorAxi).
pub type LlcMonitorAxi = LlcMonitorBus<Axi4Lite>;
/// The unit [`mem_issue_apb`](cotenant_golden::bus::MemIssueApb).
pub type MemIssueApb = MemIssueBus<Apb4>;
/// The unit [`mem_issue_axi`](cotenant_golden::bus::MemIssueAxi).
pub type MemIssueAxi = MemIssueBus<Axi4Lite>;

/// Instance of the register port in a register file.
const PORT: &str = "registers.port";

/// Whether a flop holds what the golden model looks up in the description once more whenever it
/// needs it.
fn decoded(flop: &str) -> bool {
    let flop = flop
        .strip_prefix(PORT)
        .and_then(|flop| flop.strip_prefix('.'));
    matches!(
        flop,
        Some("hit_register" | "row_register" | "column_register")
    )
}

/// Flops of a register port, one per cycle of a transfer after the first.
const PHASES: [&str; ANSWER as usize] = ["looking", "reading", "sampling", "answering"];

/// Registers of a register file's transfer.
fn access() -> Vec<StateField> {
    let phases = PHASES.map(|phase| (phase, 1, phase));
    let others = [
        ("write", 1, "write_register"),
        ("write_data", 32, "data_register"),
        ("read_data", 32, "read_register"),
        ("error", 1, "error_register"),
    ];
    let all = phases.into_iter().chain(others);
    all.map(|(name, width, flop)| {
        StateField::value(format!("access.{name}"), width, format!("port.{flop}"))
    })
    .collect()
}

fn pack_access(access: &Access, words: &mut Packer<'_>) {
    (1..=ANSWER).for_each(|phase| words.value(access.phase == phase));
    words.value(access.write);
    words.value(access.write_data);
    words.value(access.read_data);
    words.value(access.error);
}

/// A part's registers, as those of a whole.
fn below(path: &str, fields: Vec<StateField>) -> impl Iterator<Item = StateField> + '_ {
    fields.into_iter().map(move |field| field.below(path))
}
