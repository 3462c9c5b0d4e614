//! The units of the shared cache. Every line here is a block that gets compiled.

use super::{entry, Entry, Table};
use crate::llc::{CounterMatrix, Demotion, Gdcu, KidDemux, LlcMonitor, LruStack, Plob, Popcnt};

/// Hands a list of ways and kernels to a macro: the powers of two, then others.
macro_rules! geometries {
    ($callback:ident) => {
        $callback! {
            2, 2; 2, 4; 2, 8; 2, 16;
            4, 2; 4, 4; 4, 8; 4, 16;
            8, 2; 8, 4; 8, 8; 8, 16;
            16, 2; 16, 4; 16, 8; 16, 16;
            32, 2; 32, 4; 32, 8; 32, 16;
            3, 3; 6, 3; 12, 5; 24, 6
        }
    };
}

macro_rules! popcnt_entries {
    ($($width:literal),*) => { &[$(entry!(stringify!($width), [$width], Popcnt!($width))),*] };
}

macro_rules! kid_demux_entries {
    ($($kernels:literal),*) => {
        &[$(entry!(stringify!($kernels), [$kernels], KidDemux!($kernels))),*]
    };
}

macro_rules! demotion_entries {
    ($($ways:literal),*) => { &[$(entry!(stringify!($ways), [$ways], Demotion!($ways))),*] };
}

macro_rules! lru_stack_entries {
    ($($ways:literal, $kernels:literal);*) => {
        &[$(entry!(
            concat!($ways, "x", $kernels), [$ways, $kernels], LruStack!($ways, $kernels)
        )),*]
    };
}

macro_rules! counter_matrix_entries {
    ($($ways:literal, $kernels:literal);*) => {
        &[$(
            counter_matrix_entries!(@ $ways, $kernels, 16),
            counter_matrix_entries!(@ $ways, $kernels, 21),
            counter_matrix_entries!(@ $ways, $kernels, 32),
        )*]
    };
    (@ $ways:literal, $kernels:literal, $cnt_w:literal) => {
        entry!(
            concat!($ways, "x", $kernels, "x", $cnt_w),
            [$kernels, crate::llc::position_width($ways), $cnt_w],
            CounterMatrix!($kernels, crate::llc::position_width($ways), $cnt_w)
        )
    };
}

macro_rules! gdcu_entries {
    ($($ways:literal, $kernels:literal);*) => {
        &[
            $(
                gdcu_entries!(@ $ways, $kernels, 16),
                gdcu_entries!(@ $ways, $kernels, 21),
                gdcu_entries!(@ $ways, $kernels, 32),
            )*
            gdcu_entries!(@ 4, 4, 21, "s", 0),
            gdcu_entries!(@ 16, 4, 21, "s", 0),
            gdcu_entries!(@ 2, 2, 21, "s", 0),
            gdcu_entries!(@ 32, 8, 21, "s", 0),
            gdcu_entries!(@ 4, 4, 21, "s", 2),
            gdcu_entries!(@ 16, 4, 21, "s", 2),
            gdcu_entries!(@ 2, 2, 21, "s", 2),
            gdcu_entries!(@ 32, 8, 21, "s", 2),
            gdcu_entries!(@ 16, 4, 32, "s", 2),
            gdcu_entries!(@ 4, 4, 21, "s", 3),
            gdcu_entries!(@ 16, 4, 32, "s", 3),
        ]
    };
    (@ $ways:literal, $kernels:literal, $cnt_w:literal) => {
        entry!(
            concat!($ways, "x", $kernels, "x", $cnt_w),
            [$ways, $kernels, $cnt_w, 1],
            Gdcu!($ways, $kernels, $cnt_w, 1)
        )
    };
    (@ $ways:literal, $kernels:literal, $cnt_w:literal, "s", $stages:literal) => {
        entry!(
            concat!($ways, "x", $kernels, "x", $cnt_w, "s", $stages),
            [$ways, $kernels, $cnt_w, $stages],
            Gdcu!($ways, $kernels, $cnt_w, $stages)
        )
    };
}

macro_rules! plob_entries {
    ($($kernels:literal),*) => {
        &[
            $(
                plob_entries!(@ $kernels, 16),
                plob_entries!(@ $kernels, 21),
                plob_entries!(@ $kernels, 32),
            )*
            plob_entries!(@ 4, 21, "s", 0),
            plob_entries!(@ 2, 21, "s", 0),
            plob_entries!(@ 8, 21, "s", 0),
            plob_entries!(@ 4, 21, "s", 2),
            plob_entries!(@ 2, 21, "s", 2),
            plob_entries!(@ 8, 21, "s", 2),
        ]
    };
    (@ $kernels:literal, $cnt_w:literal) => {
        entry!(
            concat!($kernels, "x", $cnt_w),
            [$kernels, $cnt_w, 1],
            Plob!($kernels, $cnt_w, 1)
        )
    };
    (@ $kernels:literal, $cnt_w:literal, "s", $stages:literal) => {
        entry!(
            concat!($kernels, "x", $cnt_w, "s", $stages),
            [$kernels, $cnt_w, $stages],
            Plob!($kernels, $cnt_w, $stages)
        )
    };
}

macro_rules! llc_monitor_entries {
    ($($ways:literal, $kernels:literal, $sets:literal, $banks:literal);*) => {
        &[$(entry!(
            concat!($ways, "x", $kernels, "x", $sets, "x", $banks),
            [$ways, $kernels, $sets, $banks, 36, 21, 1, $kernels],
            LlcMonitor!($ways, $kernels, $sets, $banks, 36, 21, 1, $kernels)
        )),*,
        entry!(
            "16x4x64x1s2",
            [16, 4, 64, 1, 36, 21, 2, 4],
            LlcMonitor!(16, 4, 64, 1, 36, 21, 2, 4)
        ),
        entry!(
            "16x4x16x1s2",
            [16, 4, 16, 1, 36, 21, 2, 4],
            LlcMonitor!(16, 4, 16, 1, 36, 21, 2, 4)
        )]
    };
}

const WAYS_ALIASES: &[(&str, &str)] = &[
    ("figure-2", "4"),
    ("table-1", "16"),
    ("small", "2"),
    ("large", "32"),
];
const KERNELS_ALIASES: &[(&str, &str)] = &[
    ("figure-2", "4"),
    ("table-1", "4"),
    ("small", "2"),
    ("large", "8"),
];
const STACK_ALIASES: &[(&str, &str)] = &[
    ("figure-2", "4x4"),
    ("table-1", "16x4"),
    ("small", "2x2"),
    ("large", "32x8"),
];
const COUNTER_ALIASES: &[(&str, &str)] = &[
    ("figure-2", "4x4x21"),
    ("table-1", "16x4x21"),
    ("small", "2x2x21"),
    ("large", "32x8x21"),
];
const EVICTION_ALIASES: &[(&str, &str)] = &[
    ("figure-2", "4x21"),
    ("table-1", "4x21"),
    ("small", "2x21"),
    ("large", "8x21"),
];
pub(super) const MONITOR_ALIASES: &[(&str, &str)] = &[
    ("figure-2", "4x4x64x1"),
    ("table-1", "16x4x64x4"),
    ("small", "2x2x16x1"),
    ("large", "16x8x64x2"),
];

/// Names of `llc_monitor`'s parameters.
pub(super) const MONITOR_PARAMETERS: &[&str] = &[
    "WAYS",
    "KERNELS",
    "SETS",
    "BANKS",
    "TAG_W",
    "CNT_W",
    "STAGES",
    "REQUESTERS",
];

/// Every unit of the shared cache with its parameter sets.
pub(super) static TABLES: &[Table] = &[
    Table {
        unit: "popcnt",
        any: Some(super::Any {
            describe: <Popcnt!(@any)>::describe,
            usual: &[],
        }),
        parameters: &["WIDTH"],
        aliases: WAYS_ALIASES,
        entries: popcnt_entries!(2, 4, 8, 16, 32, 3, 6, 12, 24),
    },
    Table {
        unit: "kid_demux",
        any: Some(super::Any {
            describe: <KidDemux!(@any)>::describe,
            usual: &[],
        }),
        parameters: &["KERNELS"],
        aliases: KERNELS_ALIASES,
        entries: kid_demux_entries!(2, 4, 8, 16, 3, 5, 6),
    },
    Table {
        unit: "demotion",
        any: Some(super::Any {
            describe: <Demotion!(@any)>::describe,
            usual: &[],
        }),
        parameters: &["WAYS"],
        aliases: WAYS_ALIASES,
        entries: demotion_entries!(2, 4, 8, 16, 32, 3, 6, 12, 24),
    },
    Table {
        unit: "counter_matrix",
        any: Some(super::Any {
            describe: <CounterMatrix!(@any)>::describe,
            usual: &[],
        }),
        parameters: &["KERNELS", "INC_W", "CNT_W"],
        aliases: COUNTER_ALIASES,
        entries: geometries!(counter_matrix_entries),
    },
    Table {
        unit: "gdcu",
        any: Some(super::Any {
            describe: <Gdcu!(@any)>::describe,
            usual: &[1],
        }),
        parameters: &["WAYS", "KERNELS", "CNT_W", "STAGES"],
        aliases: COUNTER_ALIASES,
        entries: geometries!(gdcu_entries),
    },
    Table {
        unit: "lru_stack",
        any: Some(super::Any {
            describe: <LruStack!(@any)>::describe,
            usual: &[],
        }),
        parameters: &["WAYS", "KERNELS"],
        aliases: STACK_ALIASES,
        entries: geometries!(lru_stack_entries),
    },
    Table {
        unit: "plob",
        any: Some(super::Any {
            describe: <Plob!(@any)>::describe,
            usual: &[1],
        }),
        parameters: &["KERNELS", "CNT_W", "STAGES"],
        aliases: EVICTION_ALIASES,
        entries: plob_entries!(2, 4, 8, 16, 3, 5, 6),
    },
    // Tags of 36 bits: virtual addresses of 49 bits (Volta), lines of 128 bytes, 64 sets.
    Table {
        unit: "llc_monitor",
        any: Some(super::Any {
            describe: <LlcMonitor!(@any)>::describe,
            usual: &[],
        }),
        parameters: MONITOR_PARAMETERS,
        aliases: MONITOR_ALIASES,
        entries: llc_monitor_entries!(
            16, 4, 64, 4; 4, 4, 64, 1; 8, 4, 64, 1; 16, 4, 256, 1; 16, 8, 64, 2; 2, 2, 16, 1; 16, 4, 16, 1;
            16, 4, 64, 1
        ),
    },
];
