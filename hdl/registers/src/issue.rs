//! Registers of `mem_issue`.

use serde::{Deserialize, Serialize};

use crate::map::{Access, Map, Register};
use crate::parameters::{parameters, within};
use crate::shared::{each, field, identity, parameter, single, ROW};
use crate::{ParameterError, ADDRESS_W, ISSUE_MINOR, MAX_KERNELS, MINOR, UNIT_MEM_ISSUE};

/// How many registers [`mem_issue`] describes, a row or matrix counted once.
pub const ISSUE_REGISTERS: usize = 16;

parameters! {
    /// Parameters of `mem_issue`.
    IssueParams of "mem_issue" {
        /// Kernels.
        kernels: "KERNELS" in 1..=MAX_KERNELS,
        /// 0 SMIL, 1 MILG.
        limiter: "LIMITER" in 0..=1,
        /// 0 RBMI, 1 QBMI.
        priority: "PRIORITY" in 0..=1,
        /// Bits of MILG's failure counter.
        fail_w: "FAIL_W" in 1..=255,
        /// MILG releases its limit: 0 to 3.
        release: "RELEASE" in 0..=3,
        /// QBMI caps what a kernel saves up: 0 or 1.
        cap: "CAP" in 0..=1,
        /// Cycles from a grant to its deduction from the quota, beyond the first.
        lag: "LAG" in 0..=3,
        /// Bits of an in-flight counter.
        count_w: "COUNT_W" in 1..=16,
        /// Bits of a request counter.
        interval_w: "INTERVAL_W" in 1..=255,
        /// Bits of a static limit, at most `count_w`.
        limit_w: "LIMIT_W" in 1..=16,
        /// Bits of a quota; follows from `kernels` and `interval_w`.
        quota_w: "QUOTA_W" in 1..=64,
    }
}

/// The registers of `mem_issue` with these parameters.
///
/// # Errors
/// [`ParameterError`] if the register space has no room for them.
pub fn mem_issue(params: &IssueParams) -> Result<Map, ParameterError> {
    params.in_range()?;
    within("mem_issue", "LIMIT_W", params.limit_w, 1..=params.count_w)?;
    let minor = if params.release > 1 {
        ISSUE_MINOR
    } else {
        MINOR
    };
    let mut registers = identity(UNIT_MEM_ISSUE, minor).to_vec();
    registers.extend(shape(params));
    registers.extend(control());
    registers.extend(snapshot(params));
    registers.push(limits(params));
    Ok(Map {
        unit: "mem_issue",
        prefix: "ISSUE",
        summary: "Selection of the kernel that issues the next memory instruction of an SM, and limits of the instructions in flight per kernel.",
        parameters: params.named(),
        width: ADDRESS_W,
        minor: ISSUE_MINOR,
        decoded: registers.len(),
        registers,
    })
}

fn shape(params: &IssueParams) -> [Register; 3] {
    [
        single(
            "GEOMETRY",
            0x00C,
            "Variant of the unit.",
            vec![
                parameter("KERNELS", 0, 8, params.kernels, "Number of kernels."),
                parameter(
                    "LIMITER",
                    8,
                    1,
                    params.limiter,
                    "0 SMIL: software sets the limits; 1 MILG: limits follow from reservation failures.",
                ),
                parameter(
                    "PRIORITY",
                    9,
                    1,
                    params.priority,
                    "0 RBMI, round-robin; 1 QBMI, by quota.",
                ),
                parameter("RELEASE", 10, 1, params.release & 1, "MILG without a failure per request: 0 drops the limit, 1 doubles it; with RELEASE_HIGH 0 keeps it, 1 adds one."),
                parameter(
                    "CAP",
                    11,
                    1,
                    params.cap,
                    "CAP of QBMI: the quota that an idle kernel accumulates is bounded.",
                ),
                parameter(
                    "LAG",
                    12,
                    2,
                    params.lag,
                    "LAG of QBMI: cycles from a grant to its deduction from the quota, beyond the first.",
                ),
                parameter(
                    "RELEASE_HIGH",
                    14,
                    1,
                    params.release >> 1,
                    "Upper bit of RELEASE; 1 only from MINOR 1 on.",
                ),
            ],
        ),
        single(
            "WIDTHS",
            0x010,
            "Widths in bits.",
            vec![
                parameter(
                    "COUNT_W",
                    0,
                    8,
                    params.count_w,
                    "Bits of an in-flight counter.",
                ),
                parameter("LIMIT_W", 8, 8, params.limit_w, "Bits of a static limit."),
                parameter(
                    "INTERVAL_W",
                    16,
                    8,
                    params.interval_w,
                    "Bits of a request counter.",
                ),
                parameter("FAIL_W", 24, 8, params.fail_w, "Bits of a failure counter."),
            ],
        ),
        single(
            "QUOTA_WIDTH",
            0x014,
            "Width of a quota.",
            vec![parameter(
                "QUOTA_W",
                0,
                8,
                params.quota_w,
                "Bits of QUOTA_HIGH and QUOTA together.",
            )],
        ),
    ]
}

fn control() -> [Register; 2] {
    let sequence = "Snapshots taken, modulo 256. Read it before and after the snapshot's registers: if it has not changed, they belong to one cycle.";
    let snapshot = "Captures the registers from ACTIVE to QUOTA_HIGH in one cycle.";
    [
        single(
            "STATUS",
            0x018,
            "State of the registers.",
            vec![field("SEQUENCE", 8, 8, Access::ReadOnly, sequence)],
        ),
        single(
            "CONTROL",
            0x01C,
            "Commands.",
            vec![field("SNAPSHOT", 0, 1, Access::Pulse, snapshot)],
        ),
    ]
}

/// What a snapshot captures; 0 before the first.
fn snapshot(params: &IssueParams) -> Vec<Register> {
    let kernels = |name, offset, doc| {
        let bits = "One bit per kernel.";
        let field = field("KERNELS", 0, MAX_KERNELS, Access::ReadOnly, bits);
        single(name, offset, doc, vec![field.of_width(params.kernels)])
    };
    let each_kernel = |rows, name, offset, doc, span, width, what| {
        let field = field("VALUE", 0, span, Access::ReadOnly, what).of_width(width);
        each(
            ("kernel", rows),
            ROW,
            single(name, offset, doc, vec![field]),
        )
    };
    let (all, count_w, quota_w) = (params.kernels, params.count_w, params.quota_w);
    let above = quota_w.saturating_sub(32);
    let wide = if above > 0 { all } else { 0 };
    vec![
        kernels("ACTIVE", 0x020, "Kernels that were running on this SM at the snapshot."),
        kernels("ALLOW", 0x024, "Kernels whose limit allowed them to issue at the snapshot."),
        kernels("UNLIMITED", 0x028, "Kernels without a limit at the snapshot."),
        each_kernel(all, "IN_FLIGHT", 0x040, "Memory instructions in flight at the snapshot.", 16, count_w, "Instructions."),
        each_kernel(all, "LIMIT", 0x080, "Maximum number of memory instructions in flight, at the snapshot; all ones without a limit.", 16, count_w, "Instructions."),
        each_kernel(all, "QUOTA", 0x0C0, "Quota of the kernel at the snapshot, lower bits; 0 with RBMI.", 32, quota_w.min(32), "Instructions, bits 31 to 0."),
        each_kernel(wide, "QUOTA_HIGH", 0x100, "Upper bits of QUOTA; exists only if QUOTA_W is above 32.", 32, above, "Instructions, bits 63 to 32."),
    ]
}

fn limits(params: &IssueParams) -> Register {
    let access = match params.limiter {
        0 => Access::ReadWrite,
        _ => Access::ReadOnly,
    };
    let value = field("VALUE", 0, 16, access, "Memory instructions that may be in flight: 1 to 2^LIMIT_W - 1. Reads all COUNT_W ones without a limit. Ignored on write with UNLIMITED.");
    let unlimited = field("UNLIMITED", 31, 1, access, "No limit.");
    let all = (1 << params.count_w) - 1;
    each(
        ("kernel", params.kernels),
        ROW,
        single(
            "SET_LIMIT",
            0x140,
            "The limit in force now. With SMIL (LIMITER 0) a write sets it; one without UNLIMITED of 0 or of more than LIMIT_W bits is an error. With MILG every write is.",
            vec![value.reset_to(all), unlimited.reset_to(1)],
        ),
    )
}
