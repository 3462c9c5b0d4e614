//! Bus side: units behind APB4 and AXI4-Lite, with their registers.
//!
//! What the registers are, where and what they mean is described in crate
//! [`cotenant_registers`]; the RTL takes addresses and places of fields from
//! there.
//!
//! A bridge ([`Apb4`], [`Axi4Lite`]) turns the bus into transfers at a register
//! port: `select` with `write`, `address`, `write_data` and `strobe`, held until
//! `done`, which is high for one cycle with `error` and `read_data`. A register
//! file ([`LlcRegisters`], [`IssueRegisters`], [`ManagedRegisters`]) answers every transfer in the
//! fourth cycle after its first ([`RegisterPort`]), and acts on a write at the
//! edge that ends that cycle.

mod apb4;
mod axi4_lite;
mod budget_flags;
mod budget_scan;
mod issue_registers;
pub(crate) mod llc_counters_apb;
pub(crate) mod llc_counters_axi;
pub(crate) mod llc_monitor_apb;
pub(crate) mod llc_monitor_axi;
mod llc_registers;
pub(crate) mod managed_llc_apb;
pub(crate) mod managed_llc_axi;
mod managed_registers;
pub(crate) mod mem_issue_apb;
pub(crate) mod mem_issue_axi;
mod period_timer;
mod register_port;

pub use apb4::Apb4;
pub use axi4_lite::Axi4Lite;
pub use budget_flags::BudgetFlags;
pub use budget_scan::BudgetScan;
pub use issue_registers::IssueRegisters;
pub use llc_counters_apb::LlcCountersApb;
pub use llc_counters_axi::LlcCountersAxi;
pub use llc_monitor_apb::LlcMonitorApb;
pub use llc_monitor_axi::LlcMonitorAxi;
pub use llc_registers::LlcRegisters;
pub use managed_llc_apb::ManagedLlcApb;
pub use managed_llc_axi::ManagedLlcAxi;
pub use managed_registers::ManagedRegisters;
pub use mem_issue_apb::MemIssueApb;
pub use mem_issue_axi::MemIssueAxi;
pub use period_timer::PeriodTimer;
pub use register_port::RegisterPort;

pub use cotenant_registers::ADDRESS_W;

use cotenant_registers::{IssueParams, LlcParams, ManagedParams, Map, ParameterError};

use crate::table::ParameterSet;

/// PAIR_W: bits of a matrix, a victim and an aggressor.
pub const fn pair_width(kernels: usize) -> usize {
    2 * crate::llc::kid_width(kernels) + 1
}

/// The registers of the unit of this name with this parameter set; none if it is behind no bus.
///
/// ```
/// use cotenant_units::{bus, table};
///
/// let set = table::set("llc_monitor_apb", "small")?;
/// let map = bus::registers("llc_monitor_apb", &set).expect("it is behind a bus")?;
/// assert_eq!(map.find("CONTROL").expect("described").offset, 0x1C);
/// assert!(bus::registers("gdcu", &table::set("gdcu", "small")?).is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`ParameterError`] if the register space has no room for the parameters.
pub fn registers(unit: &str, set: &ParameterSet) -> Option<Result<Map, ParameterError>> {
    let of = |name: &str| {
        let found = set.params.iter().find(|(known, _)| *known == name);
        found.map_or(0, |(_, value)| *value)
    };
    match unit {
        "llc_monitor_apb" | "llc_monitor_axi" => {
            Some(cotenant_registers::llc_monitor(&LlcParams::from_names(of)))
        }
        "llc_counters_apb" | "llc_counters_axi" => {
            let params = LlcParams::from_names(|name| match name {
                "SETS" => 1,
                name => of(name),
            });
            Some(cotenant_registers::llc_monitor(&params))
        }
        "mem_issue_apb" | "mem_issue_axi" => {
            let quota_w = || crate::sm::credit_width(of("KERNELS"), of("INTERVAL_W"));
            let params = IssueParams::from_names(|name| match name {
                "QUOTA_W" => quota_w(),
                name => of(name),
            });
            Some(cotenant_registers::mem_issue(&params))
        }
        "managed_llc_apb" | "managed_llc_axi" => Some(cotenant_registers::managed_llc(
            &ManagedParams::from_names(of),
        )),
        _ => None,
    }
}
