//! The units behind a bus. Every line here is a block that gets compiled.

use super::{entry, Entry, Table};
use crate::bus::{LlcMonitorApb, LlcMonitorAxi, MemIssueApb, MemIssueAxi};

macro_rules! llc_monitor_entries {
    ($monitor:ident: $($ways:literal, $kernels:literal, $sets:literal, $banks:literal);*) => {
        &[$(entry!(
            concat!($ways, "x", $kernels, "x", $sets, "x", $banks),
            [$ways, $kernels, $sets, $banks, 36, 21, 1, $kernels],
            $monitor!($ways, $kernels, $sets, $banks, 36, 21, 1, $kernels)
        )),*]
    };
}

macro_rules! mem_issue_entries {
    ($issue:ident) => {
        &[
            mem_issue_entries!(@ $issue, "2-milg-qbmi-small", 2, 1, 1, 4, 2, 2, 2),
            mem_issue_entries!(@ $issue, "2-milg-qbmi", 2, 1, 1, 12, 7, 10, 5),
            mem_issue_entries!(@ $issue, "2-smil-rbmi", 2, 0, 0, 12, 7, 10, 5),
            mem_issue_entries!(@ $issue, "3-milg-qbmi", 3, 1, 1, 12, 7, 10, 5),
            mem_issue_entries!(@ $issue, "8-milg-qbmi", 8, 1, 1, 12, 7, 10, 5),
        ]
    };
    (
        @ $issue:ident, $name:literal, $kernels:literal, $limiter:literal, $priority:literal,
        $fail_w:literal, $count_w:literal, $interval_w:literal, $limit_w:literal
    ) => {
        entry!(
            $name,
            [$kernels, $limiter, $priority, $fail_w, 0, 0, $count_w, $interval_w, $limit_w],
            $issue!(
                $kernels, $limiter, $priority, $fail_w, 0, 0, $count_w, $interval_w, $limit_w
            )
        )
    };
}

/// Aliases of the sets that every test uses.
pub(super) const TESTED: &[&str] = &["small", "figure-2", "three"];

/// Every unit behind a bus with its parameter sets; parameters and aliases are those of the unit
/// without one.
pub(super) static TABLES: &[Table] = &[
    Table {
        unit: "llc_monitor_apb",
        any: Some(super::Any {
            describe: <LlcMonitorApb!(@any)>::describe,
            usual: &[],
        }),
        parameters: super::llc::MONITOR_PARAMETERS,
        aliases: super::llc::MONITOR_ALIASES,
        entries: llc_monitor_entries!(
            LlcMonitorApb: 16, 4, 64, 4; 4, 4, 64, 1; 16, 8, 64, 2; 2, 2, 16, 1
        ),
    },
    Table {
        unit: "llc_monitor_axi",
        any: Some(super::Any {
            describe: <LlcMonitorAxi!(@any)>::describe,
            usual: &[],
        }),
        parameters: super::llc::MONITOR_PARAMETERS,
        aliases: super::llc::MONITOR_ALIASES,
        entries: llc_monitor_entries!(
            LlcMonitorAxi: 16, 4, 64, 4; 4, 4, 64, 1; 16, 8, 64, 2; 2, 2, 16, 1
        ),
    },
    Table {
        unit: "mem_issue_apb",
        any: Some(super::Any {
            describe: <MemIssueApb!(@any)>::describe,
            usual: &[],
        }),
        parameters: super::sm::ISSUE_PARAMETERS,
        aliases: super::sm::ISSUE_ALIASES,
        entries: mem_issue_entries!(MemIssueApb),
    },
    Table {
        unit: "mem_issue_axi",
        any: Some(super::Any {
            describe: <MemIssueAxi!(@any)>::describe,
            usual: &[],
        }),
        parameters: super::sm::ISSUE_PARAMETERS,
        aliases: super::sm::ISSUE_ALIASES,
        entries: mem_issue_entries!(MemIssueAxi),
    },
];
