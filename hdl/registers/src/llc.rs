//! Registers of `llc_monitor`, and of `llc_counters`, which has no directory.

use serde::{Deserialize, Serialize};

use crate::map::{Access, Field, Map, Register, Reset};
use crate::parameters::{parameters, within};
use crate::shared::{bits_of, each, field, identity, pairs, parameter, single, ROW};
use crate::{
    ParameterError, ADDRESS_W, LLC_MINOR, LLC_MINOR_SIXTHS, MAX_KERNELS, MAX_REQUESTERS, MINOR,
    UNIT_LLC_MONITOR,
};

/// How many registers [`llc_monitor`] decodes, a row or matrix counted once.
pub const fn llc_registers(sce: usize, sampled: usize) -> usize {
    // Any value of a parameter is asked for before its range is looked at.
    let (sce, sampled) = ((sce > 0) as usize, (sampled > 0) as usize);
    29 + (sce | sampled) + 2 * sce + 8 * sampled
}

parameters! {
    /// Parameters of `llc_monitor`; of `llc_counters` those of a monitor of one set without tags.
    LlcParams of "llc_monitor" {
        /// Ways of a set.
        ways: "WAYS" in 2..=64,
        /// Kernels.
        kernels: "KERNELS" in 1..=MAX_KERNELS,
        /// Sets of a bank, a power of two; 1 without a directory.
        sets: "SETS" in 1..=1 << 24,
        /// Banks, a power of two.
        banks: "BANKS" in 1..=64,
        /// Bits of a tag; 0 without a directory.
        tag_w: "TAG_W" in 0..=64,
        /// Bits of a counter in a bank.
        cnt_w: "CNT_W" in 1..=32,
        /// Pipeline stages of the counting units.
        stages: "STAGES" in 0..=2,
        /// Requesters besides `other`.
        requesters: "REQUESTERS" in 1..=MAX_REQUESTERS,
        /// 1: with share at eviction.
        sce: "SCE" in 0..=1,
        /// Sampled sets of each bank; 0 for none.
        sampled: "SAMPLED" in 0..=1 << 20,
        /// What becomes of a miss in sampled sets: 0 it is divided in sixths, 1 charged to one kernel.
        mode: "MODE" in 0..=1,
    }
}

impl LlcParams {
    /// The unit keeps tags and replacement bits: it is `llc_monitor`, not `llc_counters`.
    pub fn directory(&self) -> bool {
        self.tag_w > 0
    }

    /// Bits of a counter summed over the banks.
    pub fn total_w(&self) -> usize {
        self.cnt_w + bits_of(self.banks.saturating_sub(1))
    }
}

/// The registers of `llc_monitor` with these parameters, or of `llc_counters`.
///
/// # Errors
/// [`ParameterError`] if the register space has no room for them.
pub fn llc_monitor(params: &LlcParams) -> Result<Map, ParameterError> {
    params.in_range()?;
    // One set without tags is no directory; anything between is neither.
    let sets = if params.directory() {
        2..=1 << 24
    } else {
        1..=1
    };
    within("llc_monitor", "SETS", params.sets, sets)?;
    within("llc_monitor", "TOTAL_W", params.total_w(), 1..=32)?;
    let [sce, sampled] = [params.sce > 0, params.sampled > 0];
    let minor = match (params.mode, sce || sampled) {
        (0, false) => MINOR,
        (0, true) => LLC_MINOR_SIXTHS,
        _ => LLC_MINOR,
    };
    let mut registers = identity(UNIT_LLC_MONITOR, minor).to_vec();
    registers.extend(shape(params));
    registers.extend(control(params));
    registers.extend(budget_flags(params));
    registers.push(requesters(params));
    registers.extend(counters(params));
    registers.extend(limits(params));
    let mut absent = Vec::new();
    for (there, more) in [
        (sce || sampled, vec![attribution(params)]),
        (sce, evictions(params)),
        (sampled, shares(params)),
    ] {
        match there {
            true => registers.extend(more),
            false => absent.extend(more.into_iter().map(Register::absent)),
        }
    }
    let decoded = registers.len();
    registers.sort_by_key(|register| register.offset);
    absent.sort_by_key(|register| register.offset);
    registers.extend(absent);
    Ok(Map {
        unit: if params.directory() {
            "llc_monitor"
        } else {
            "llc_counters"
        },
        prefix: "LLC",
        summary:
            "Demotions and evictions of cache lines per victim and aggressor, and budgets for them.",
        // What the unit has not is no parameter of its registers.
        parameters: params
            .named()
            .into_iter()
            .filter(|&(name, value)| match name {
                "SETS" | "TAG_W" => params.directory(),
                "SCE" | "SAMPLED" | "MODE" => value > 0,
                _ => true,
            })
            .collect(),
        width: ADDRESS_W,
        minor: LLC_MINOR,
        registers,
        decoded,
    })
}

fn shape(params: &LlcParams) -> [Register; 3] {
    [
        single(
            "GEOMETRY",
            0x00C,
            "Geometry of the monitored cache.",
            vec![
                parameter("WAYS", 0, 8, params.ways, "Number of ways."),
                parameter("KERNELS", 8, 8, params.kernels, "Number of kernels."),
                parameter("BANKS", 16, 8, params.banks, "Number of banks."),
                parameter(
                    "REQUESTERS",
                    24,
                    8,
                    params.requesters,
                    "Number of requesters in MAP, without `other`.",
                ),
            ],
        ),
        single(
            "WIDTHS",
            0x010,
            "Widths in bits.",
            vec![
                parameter(
                    "SET_W",
                    0,
                    8,
                    bits_of(params.sets - 1),
                    "Bits of a set index: 2^SET_W sets per bank; 0 in llc_counters.",
                ),
                parameter(
                    "TAG_W",
                    8,
                    8,
                    params.tag_w,
                    "Bits of a tag; 0 in llc_counters, where the cache has the tags.",
                ),
                parameter(
                    "CNT_W",
                    16,
                    8,
                    params.cnt_w,
                    "Bits of a counter of one bank, which saturates at all ones.",
                ),
                parameter(
                    "TOTAL_W",
                    24,
                    8,
                    params.total_w(),
                    "Bits of a counter as read, which is the sum over the banks.",
                ),
            ],
        ),
        single(
            "PIPELINE",
            0x014,
            "Latency of the counters.",
            vec![parameter(
                "STAGES",
                0,
                8,
                params.stages,
                if params.directory() {
                    "An access is in the counters 4 + STAGES cycles after its request, or one cycle later if the unit was made with RAM_STAGES = 1."
                } else {
                    "An access is in the counters 1 + STAGES cycles after the cache has presented it."
                },
            )],
        ),
    ]
}

fn control(params: &LlcParams) -> Vec<Register> {
    use Access::{ClearByOne, Pulse, ReadOnly, ReadWrite};
    let victims = |doc| field("VICTIMS", 0, MAX_KERNELS, ReadOnly, doc).of_width(params.kernels);
    vec![
        single(
            "STATUS",
            0x018,
            "State of the unit.",
            vec![
                field("READY", 0, 1, ReadOnly, "The unit accepts accesses and limits are in force; 0 after reset and flush, while sets are cleared."),
                field("SEQUENCE", 8, 8, ReadOnly, "Snapshots taken, modulo 256. Read it before and after the counters: if it has not changed, they belong to one period."),
            ],
        ),
        single(
            "CONTROL",
            0x01C,
            "Commands.",
            vec![
                field("SNAPSHOT", 0, 1, Pulse, "Ends the period: its counts can be read, and counting restarts from 0."),
                field("FLUSH", 1, 1, Pulse, "Invalidates all lines; counters keep their values. READY is 0 meanwhile.")
                    .of_width(usize::from(params.directory())),
            ],
        ),
        single(
            "PERIOD",
            0x020,
            "Periodic snapshots. A write restarts the period.",
            vec![field("CYCLES", 0, 32, ReadWrite, "Clock cycles between snapshots; 0: snapshots by CONTROL only.")],
        ),
        single(
            "IRQ_STATUS",
            0x024,
            "Causes of the interrupt. Only PERIOD is cleared here.",
            vec![
                field("DEMOTION", 0, 1, ReadOnly, "A bit of DEMOTION_OVER is set that DEMOTION_MASK enables."),
                field("EVICTION", 1, 1, ReadOnly, "A bit of EVICTION_OVER is set that EVICTION_MASK enables."),
                field("PERIOD", 2, 1, ClearByOne, "A periodic snapshot was taken."),
            ],
        ),
        single(
            "IRQ_ENABLE",
            0x028,
            "Which bits of IRQ_STATUS raise `irq`.",
            vec![
                field("DEMOTION", 0, 1, ReadWrite, "DEMOTION raises `irq`."),
                field("EVICTION", 1, 1, ReadWrite, "EVICTION raises `irq`."),
                field("PERIOD", 2, 1, ReadWrite, "PERIOD raises `irq`."),
            ],
        ),
        single(
            "OVERFLOW_GDC",
            0x02C,
            "Victims of whose demotion counters at least one saturated in the last period.",
            vec![victims("One bit per victim.")],
        ),
        single(
            "OVERFLOW_IKE",
            0x030,
            "Victims of whose eviction counters at least one saturated in the last period.",
            vec![victims("One bit per victim.")],
        ),
        single(
            "OVERFLOW_ACCESS",
            0x034,
            "Whether access counters saturated in the last period.",
            vec![
                field("HITS", 0, 1, ReadOnly, "At least one of HITS saturated."),
                field("MISSES", 1, 1, ReadOnly, "At least one of MISSES saturated."),
                field("SCE", 2, 1, ReadOnly, "At least one of SCE saturated.").of_width(params.sce),
                field("SHARES", 3, 1, ReadOnly, "At least one of SHARES saturated.")
                    .of_width(usize::from(params.sampled > 0)),
                field("SAMPLED", 4, 1, ReadOnly, "SAMPLED_TAKEN, SAMPLED_DROPPED or SAMPLED_SHARED saturated.")
                    .of_width(usize::from(params.sampled > 0)),
            ],
        ),
    ]
}

fn budget_flags(params: &LlcParams) -> Vec<Register> {
    let flags = |name, offset, access, doc, what| {
        let bits = field("AGGRESSORS", 0, MAX_KERNELS, access, what).of_width(params.kernels);
        each(
            ("victim", params.kernels),
            ROW,
            single(name, offset, doc, vec![bits]),
        )
    };
    vec![
        flags(
            "DEMOTION_OVER",
            0x080,
            Access::ClearByOne,
            "Aggressors that exceeded their budget of demotions of this victim's lines. A bit that is cleared is set again while the running period is above the limit or has saturated, and once more after a snapshot if the period that it ended was or had.",
            "One bit per aggressor: its count was above DEMOTION_LIMIT, or a counter that it sums had saturated and the limit was not all ones.",
        ),
        flags(
            "EVICTION_OVER",
            0x0C0,
            Access::ClearByOne,
            "Aggressors that exceeded their budget of evictions of this victim's lines. A bit that is cleared is set again while the running period is above the limit or has saturated, and once more after a snapshot if the period that it ended was or had.",
            "One bit per aggressor: its count was above EVICTION_LIMIT, or a counter that it sums had saturated and the limit was not all ones.",
        ),
        flags(
            "DEMOTION_MASK",
            0x100,
            Access::ReadWrite,
            "Bits of DEMOTION_OVER that are reported in IRQ_STATUS.",
            "One bit per aggressor: 1 enables it.",
        ),
        flags(
            "EVICTION_MASK",
            0x140,
            Access::ReadWrite,
            "Bits of EVICTION_OVER that are reported in IRQ_STATUS.",
            "One bit per aggressor: 1 enables it.",
        ),
    ]
}

fn requesters(params: &LlcParams) -> Register {
    let resets = (0..=params.requesters).map(|r| r.min(params.kernels - 1) as u32);
    let kid = Field {
        reset: Reset::ByRow(resets.collect()),
        ..field("KID", 0, 8, Access::ReadWrite, "KID of its kernel.")
    };
    each(
        ("requester", params.requesters + 1),
        4 * (MAX_REQUESTERS as u32 + 1),
        single(
            "MAP",
            0x400,
            "The kernel that each requester runs; the last entry is for all further requesters. After reset min(requester, KERNELS - 1). Writing a KID of KERNELS or above is an error.",
            vec![kid],
        ),
    )
}

/// One register per counter, of the last period and of the running one.
fn counters(params: &LlcParams) -> Vec<Register> {
    let count = || count(params, "Number of events in the period.");
    let matrix = |name, offset, doc| pairs(params.kernels, single(name, offset, doc, count()));
    let row = |name, offset, doc| {
        let kernels = ("kernel", params.kernels);
        each(kernels, ROW, single(name, offset, doc, count()))
    };
    vec![
        matrix(
            "GDC",
            0x800,
            "Demotions of the victim's lines by the aggressor in the last period.",
        ),
        matrix(
            "IKE",
            0xC00,
            "Evictions of the victim's lines by the aggressor in the last period.",
        ),
        row(
            "HITS",
            0x1000,
            "Accesses of the kernel that hit in the last period.",
        ),
        row(
            "MISSES",
            0x1040,
            "Accesses of the kernel that missed in the last period.",
        ),
        matrix(
            "GDC_LIVE",
            0x1800,
            "Demotions of the victim's lines by the aggressor in the running period.",
        ),
        matrix(
            "IKE_LIVE",
            0x1C00,
            "Evictions of the victim's lines by the aggressor in the running period.",
        ),
        row(
            "HITS_LIVE",
            0x2000,
            "Accesses of the kernel that hit in the running period.",
        ),
        row(
            "MISSES_LIVE",
            0x2040,
            "Accesses of the kernel that missed in the running period.",
        ),
    ]
}

/// What is there beside demotions and evictions.
fn attribution(params: &LlcParams) -> Register {
    single(
        "ATTRIBUTION",
        0x038,
        "What the unit has to attribute misses; only there from MINOR 1 on.",
        vec![
            parameter("SCE", 0, 1, params.sce, "Share at eviction: SCE."),
            parameter(
                "MODE",
                1,
                1,
                params.mode,
                "What SHARES count: 0 sixths of a miss, 1 whole misses, each charged to one kernel; 1 only from MINOR 2 on.",
            ),
            parameter(
                "SAMPLED",
                8,
                24,
                params.sampled,
                "Number of sets of each bank that are sampled for SHARES; 0: none.",
            ),
        ],
    )
}

/// The field of a counter that is read.
fn count(params: &LlcParams, doc: &'static str) -> Vec<Field> {
    vec![field("COUNT", 0, 32, Access::ReadOnly, doc).of_width(params.total_w())]
}

/// Share at eviction.
fn evictions(params: &LlcParams) -> Vec<Register> {
    let matrix = |name, offset, doc| {
        let lines = count(params, "Lines in the period.");
        pairs(params.kernels, single(name, offset, doc, lines))
    };
    vec![
        matrix(
            "SCE",
            0x3000,
            "Share at eviction: lines of the aggressor above evicted lines of the victim, the new line included, in the last period.",
        ),
        matrix(
            "SCE_LIVE",
            0x3400,
            "Lines of the aggressor above evicted lines of the victim, the new line included, in the running period.",
        ),
    ]
}

/// Exact shares in sampled sets, and what of them is not exact.
fn shares(params: &LlcParams) -> Vec<Register> {
    let matrix = |name, offset, doc| {
        let misses = count(
            params,
            "Sixths of a miss in the period, or misses if ATTRIBUTION.MODE is 1.",
        );
        pairs(params.kernels, single(name, offset, doc, misses))
    };
    let accesses = |name, offset, doc| {
        let number = count(params, "Number of accesses in the period.");
        single(name, offset, doc, number)
    };
    vec![
        accesses(
            "SAMPLED_TAKEN",
            0x1080,
            "Accesses to sampled sets that were looked up in the last period.",
        ),
        accesses(
            "SAMPLED_DROPPED",
            0x1084,
            "Accesses to sampled sets that came too soon after another one and were not looked up in the last period.",
        ),
        accesses(
            "SAMPLED_SHARED",
            0x1088,
            "Accesses to sampled sets that charged nobody in the last period, because another kernel had used the line last.",
        ),
        accesses(
            "SAMPLED_TAKEN_LIVE",
            0x2080,
            "Accesses to sampled sets that were looked up in the running period.",
        ),
        accesses(
            "SAMPLED_DROPPED_LIVE",
            0x2084,
            "Accesses to sampled sets that came too soon after another one and were not looked up in the running period.",
        ),
        accesses(
            "SAMPLED_SHARED_LIVE",
            0x2088,
            "Accesses to sampled sets that charged nobody in the running period, because another kernel had used the line last.",
        ),
        matrix(
            "SHARES",
            0x3800,
            "The aggressor's share of the victim's misses in sampled sets in the last period; of the victim itself its own misses.",
        ),
        matrix(
            "SHARES_LIVE",
            0x3C00,
            "The aggressor's share of the victim's misses in sampled sets in the running period; of the victim itself its own misses.",
        ),
    ]
}

fn limits(params: &LlcParams) -> [Register; 2] {
    let limit = |name, offset, doc| {
        let most = "Maximum number of events per period, 0 to 2^CNT_W - 1; all ones: no limit. Any other value is an error.";
        let count = field("COUNT", 0, 32, Access::ReadWrite, most).reset_to(u32::MAX);
        pairs(params.kernels, single(name, offset, doc, vec![count]))
    };
    [
        limit(
            "DEMOTION_LIMIT",
            0x2800,
            "Budget of demotions of the victim's lines by the aggressor.",
        ),
        limit(
            "EVICTION_LIMIT",
            0x2C00,
            "Budget of evictions of the victim's lines by the aggressor.",
        ),
    ]
}
