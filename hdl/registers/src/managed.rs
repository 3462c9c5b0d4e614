//! Registers of `managed_llc`.

use serde::{Deserialize, Serialize};

use crate::map::{Access, Field, Map, Register, Reset};
use crate::parameters::{parameters, within};
use crate::shared::{bits_of, each, field, identity, pairs, parameter, single, ROW};
use crate::{ParameterError, ADDRESS_W, MAX_KERNELS, MINOR, UNIT_MANAGED_LLC};

/// How many registers [`managed_llc`] describes, a row or matrix counted once.
pub const MANAGED_REGISTERS: usize = 33;

parameters! {
    /// Parameters of `managed_llc` that its registers follow from.
    ManagedParams of "managed_llc" {
        /// Ways.
        ways: "WAYS" in 2..=32,
        /// Sets, a power of two.
        sets: "SETS" in 4..=1 << 24,
        /// Applications.
        applications: "APPLICATIONS" in 2..=MAX_KERNELS,
        /// Leader sets of each policy and application, a power of two.
        leaders: "LEADERS" in 1..=1 << 23,
        /// Sets that are monitored, a power of two.
        sampled: "SAMPLED" in 2..=1 << 24,
        /// GPU cores.
        cores: "CORES" in 2..=32,
        /// Tiles, a power of two.
        tiles: "TILES" in 1..=16,
        /// Bits of a policy selector.
        psel_w: "PSEL_W" in 2..=16,
        /// Bits of XSRATIO.
        xs_w: "XS_W" in 2..=16,
        /// Bits of a counter of accesses.
        cnt_w: "CNT_W" in 2..=32,
        /// The largest ratio that is none.
        t_xs: "T_XS" in 1..=(1 << 16) - 2,
        /// 1: sampled cores rotate.
        rotate: "ROTATE" in 0..=1,
    }
}

/// The registers of `managed_llc` with these parameters.
///
/// # Errors
/// [`ParameterError`] if the register space has no room for them.
pub fn managed_llc(params: &ManagedParams) -> Result<Map, ParameterError> {
    params.in_range()?;
    within(
        "managed_llc",
        "APPLICATIONS",
        params.applications,
        2..=params.ways.min(MAX_KERNELS),
    )?;
    let mut registers = identity(UNIT_MANAGED_LLC, MINOR).to_vec();
    registers.extend(shape(params));
    registers.extend(control());
    registers.extend(policy(params));
    registers.extend(decisions(params));
    registers.extend(interrupt());
    registers.extend(counters(params));
    Ok(Map {
        unit: "managed_llc",
        prefix: "MANAGED",
        summary: "Management of a last-level cache that GPU and CPU applications share: its policy, periods, quotas and masks, and counters of hits, misses and evictions by application.",
        parameters: params.named(),
        width: ADDRESS_W,
        minor: MINOR,
        decoded: registers.len(),
        registers,
    })
}

fn shape(params: &ManagedParams) -> [Register; 3] {
    let log2 = |value: usize| bits_of(value) - 1;
    [
        single(
            "GEOMETRY",
            0x00C,
            "Geometry of the cache.",
            vec![
                parameter("WAYS", 0, 8, params.ways, "Number of ways."),
                parameter(
                    "APPLICATIONS",
                    8,
                    8,
                    params.applications,
                    "Number of applications.",
                ),
                parameter("CORES", 16, 8, params.cores, "Number of GPU cores."),
                parameter(
                    "SET_W",
                    24,
                    8,
                    log2(params.sets),
                    "Bits of a set index: 2^SET_W sets.",
                ),
            ],
        ),
        single(
            "WIDTHS",
            0x010,
            "Widths in bits, and the threshold of the ratio.",
            vec![
                parameter(
                    "CNT_W",
                    0,
                    6,
                    params.cnt_w,
                    "Bits of a counter, which saturates at all ones.",
                ),
                parameter("PSEL_W", 6, 5, params.psel_w, "Bits of a policy selector."),
                parameter("XS_W", 11, 5, params.xs_w, "Bits of XSRATIO."),
                parameter(
                    "T_XS",
                    16,
                    16,
                    params.t_xs,
                    "XSRATIO is 1 where it would be below this.",
                ),
            ],
        ),
        single(
            "SAMPLING",
            0x014,
            "Sets and cores that are sampled.",
            vec![
                parameter(
                    "LEADER_W",
                    0,
                    8,
                    log2(params.leaders),
                    "2^LEADER_W leader sets of each policy and application.",
                ),
                parameter(
                    "SAMPLED_W",
                    8,
                    8,
                    log2(params.sampled),
                    "2^SAMPLED_W sets of each monitor.",
                ),
                parameter("TILE_W", 16, 8, log2(params.tiles), "2^TILE_W tiles."),
                parameter("ROTATE", 24, 1, params.rotate, "Sampled cores rotate."),
            ],
        ),
    ]
}

fn control() -> [Register; 3] {
    use Access::{Pulse, ReadOnly, ReadWrite};
    [
        single(
            "STATUS",
            0x018,
            "State of the unit.",
            vec![
                field("READY", 0, 1, ReadOnly, "Accesses are taken; 0 after reset, while sets are cleared."),
                field("BUSY", 1, 1, ReadOnly, "A period has ended, and its quotas are not there yet."),
                field("INSENSITIVE", 2, 1, ReadOnly, "Caching does not help the GPU, by core sampling."),
                field("CHOOSING", 3, 1, ReadOnly, "Cores that were written to CORES become the sampled ones as the period ends."),
                field("SEQUENCE", 8, 8, ReadOnly, "Periods ended, modulo 256. Read it before and after the counters: if it has not changed, they belong to one period."),
            ],
        ),
        single(
            "CONTROL",
            0x01C,
            "Commands.",
            vec![field("PERIOD", 0, 1, Pulse, "Ends the period: its counts can be read, ratio, masks and quotas follow, and counting restarts from 0.")],
        ),
        single(
            "PERIOD",
            0x020,
            "Periods of equal length. A write restarts the period.",
            vec![field("CYCLES", 0, 32, ReadWrite, "Clock cycles of a period; 0: periods end by CONTROL only.")],
        ),
    ]
}

/// One bit per application.
fn applications(params: &ManagedParams, access: Access, doc: &'static str) -> Vec<Field> {
    vec![field("APPLICATIONS", 0, MAX_KERNELS, access, doc).of_width(params.applications)]
}

fn policy(params: &ManagedParams) -> Vec<Register> {
    use Access::ReadWrite;
    let bits = |doc| applications(params, ReadWrite, doc);
    vec![
        single(
            "POLICY",
            0x024,
            "The policy that is in force. A write with QUOTAS takes over QUOTA_GIVEN, all of it at once; it is an error if these quotas do not add up to WAYS, or one is 0.",
            vec![
                field("POLICY", 0, 2, ReadWrite, "0 LRU; 1 quotas of ways; 2 or 3 RRIP."),
                field("AWARE", 2, 1, ReadWrite, "Masks and XSRATIO count: TAP-UCP and TAP-RRIP; else UCP and DRRIP."),
                field("SAMPLE", 3, 1, ReadWrite, "Periods that begin are sampled; 0 with barriers across cores."),
                field("DETECT", 4, 1, ReadWrite, "Streaming applications are detected as a period ends (TAP-S)."),
                field("QUOTAS", 5, 1, ReadWrite, "Quotas that software gives hold instead of those that are computed."),
                field("MASKS", 6, 1, ReadWrite, "UCP_MASK_GIVEN and RRIP_MASK_GIVEN hold instead of TAP's masks."),
            ],
        ),
        single(
            "GPU",
            0x028,
            "Applications of the GPU.",
            bits("One bit per application: it is of the GPU."),
        ),
        single(
            "CORES",
            0x02C,
            "Cores that are to be sampled. A write holds them until the period ends, when they become the sampled ones; it is an error if they are one and the same core, or there is no such core.",
            vec![
                field("POL1", 0, 8, ReadWrite, "Id of the core that follows the first policy."),
                field("POL2", 8, 8, ReadWrite, "Id of the core that follows the second one."),
            ],
        ),
        single(
            "STREAM_ACCESSES",
            0x030,
            "TAP-S: the fewest accesses of a streaming application in a period. Writing 0, or more than a counter holds, is an error.",
            vec![field("COUNT", 0, 32, ReadWrite, "Accesses, 1 to 2^CNT_W - 1.").reset_to(1)],
        ),
        single(
            "STREAM_RATE",
            0x034,
            "TAP-S: the fewest misses of a streaming application in 256 accesses.",
            vec![field("MISSES", 0, 8, ReadWrite, "Misses in 256 accesses.")],
        ),
        single(
            "UCP_MASK_GIVEN",
            0x038,
            "Applications that get one way only in a decision that starts while POLICY.MASKS is 1. If all of them are named, none is.",
            bits("One bit per application: it gets one way only."),
        ),
        single(
            "RRIP_MASK_GIVEN",
            0x03C,
            "RRIP-Masks while POLICY.MASKS is 1.",
            bits("One bit per application: its RRIP-Mask."),
        ),
        of_each(
            params,
            "QUOTA_GIVEN",
            0x040,
            "Quotas that software prepares; in force from the next write of POLICY with QUOTAS on.",
            field("WAYS", 0, 8, ReadWrite, "Ways of the application.").of_width(bits_of(params.ways)),
        ),
    ]
}

/// One register per application.
fn of_each(
    params: &ManagedParams,
    name: &'static str,
    offset: u32,
    doc: &'static str,
    value: Field,
) -> Register {
    let register = single(name, offset, doc, vec![value]);
    each(("application", params.applications), ROW, register)
}

/// As many ways for each application, and one more for the lower ones as far as that leaves any.
fn shares(params: &ManagedParams) -> Vec<u32> {
    let (each, rest) = (
        params.ways / params.applications,
        params.ways % params.applications,
    );
    let ways = |application| each + usize::from(application < rest);
    (0..params.applications)
        .map(|application| ways(application) as u32)
        .collect()
}

fn decisions(params: &ManagedParams) -> Vec<Register> {
    use Access::ReadOnly;
    let bits = |doc| applications(params, ReadOnly, doc);
    vec![
        of_each(
            params,
            "QUOTA",
            0x080,
            "Quotas that are in force, given or computed.",
            Field {
                reset: Reset::ByRow(shares(params)),
                ..field("WAYS", 0, 8, ReadOnly, "Ways of the application.").of_width(bits_of(params.ways))
            },
        ),
        of_each(
            params,
            "PSEL",
            0x0C0,
            "Policy selectors of DRRIP.",
            field("VALUE", 0, 16, ReadOnly, "BRRIP if its highest bit is 1, else SRRIP.").of_width(params.psel_w).reset_to(1 << (params.psel_w - 1)),
        ),
        single(
            "UCP_MASK",
            0x100,
            "Applications that get one way only in a decision that starts now.",
            bits("One bit per application: it gets one way only."),
        ),
        single(
            "RRIP_MASK",
            0x104,
            "RRIP-Masks that are in force.",
            bits("One bit per application: its RRIP-Mask."),
        ),
        single(
            "STREAMING",
            0x108,
            "Applications that streamed in the last period.",
            bits("One bit per application: it streamed."),
        ),
        single(
            "XSRATIO",
            0x10C,
            "Accesses of the GPU per access of the CPU that has most, of the last period whose ratio is there.",
            vec![field("RATIO", 0, 16, ReadOnly, "At least T_XS, or 1.").of_width(params.xs_w).reset_to(1)],
        ),
        single(
            "OVERFLOW_EVICTIONS",
            0x110,
            "Owners of whose counters in EVICTIONS at least one saturated in the last period.",
            bits("One bit per owner."),
        ),
        single(
            "OVERFLOW_ACCESSES",
            0x114,
            "Whether counters of accesses saturated in the last period.",
            vec![
                field("HITS", 0, 1, ReadOnly, "At least one of HITS saturated."),
                field("MISSES", 1, 1, ReadOnly, "At least one of MISSES saturated."),
            ],
        ),
    ]
}

fn interrupt() -> [Register; 2] {
    use Access::{ClearByOne, ReadWrite};
    [
        single(
            "IRQ_STATUS",
            0x118,
            "Causes of the interrupt. What happens in the cycle in which it is cleared stays set.",
            vec![
                field("PERIOD", 0, 1, ClearByOne, "A period has ended."),
                field(
                    "DECIDED",
                    1,
                    1,
                    ClearByOne,
                    "Quotas of a period have been computed.",
                ),
            ],
        ),
        single(
            "IRQ_ENABLE",
            0x11C,
            "Which bits of IRQ_STATUS raise `irq`.",
            vec![
                field("PERIOD", 0, 1, ReadWrite, "PERIOD raises `irq`."),
                field("DECIDED", 1, 1, ReadWrite, "DECIDED raises `irq`."),
            ],
        ),
    ]
}

/// Of the last period and of the running one.
fn counters(params: &ManagedParams) -> Vec<Register> {
    let count = || {
        field(
            "COUNT",
            0,
            32,
            Access::ReadOnly,
            "Number of events in the period.",
        )
        .of_width(params.cnt_w)
    };
    let row = |name, offset, doc| of_each(params, name, offset, doc, count());
    let matrix = |name, offset, doc| Register {
        row: "owner",
        column: "evictor",
        ..pairs(
            params.applications,
            single(name, offset, doc, vec![count()]),
        )
    };
    vec![
        row(
            "HITS",
            0x140,
            "Accesses of the application that hit in the last period.",
        ),
        row(
            "MISSES",
            0x180,
            "Accesses of the application that missed in the last period.",
        ),
        row(
            "HITS_LIVE",
            0x1C0,
            "Accesses of the application that hit in the running period.",
        ),
        row(
            "MISSES_LIVE",
            0x200,
            "Accesses of the application that missed in the running period.",
        ),
        matrix(
            "EVICTIONS",
            0x400,
            "Lines of the owner that the evictor has replaced in the last period.",
        ),
        matrix(
            "EVICTIONS_LIVE",
            0x800,
            "Lines of the owner that the evictor has replaced in the running period.",
        ),
    ]
}
