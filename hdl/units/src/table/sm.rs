//! The units of the SM. Every line here is a block that gets compiled.

use super::{entry, Entry, Table};
use crate::{milg, qbmi, quota_unit, rbmi, smil};

macro_rules! milg_entries {
    ($($count_w:literal, $fail_w:literal, $interval_w:literal);*) => {
        &[$(
            entry!(
                concat!($count_w, "x", $fail_w, "x", $interval_w),
                [$count_w, $fail_w, $interval_w, 0],
                milg!($count_w, $fail_w, $interval_w, 0)
            ),
            entry!(
                concat!($count_w, "x", $fail_w, "x", $interval_w, "d"),
                [$count_w, $fail_w, $interval_w, 1],
                milg!($count_w, $fail_w, $interval_w, 1)
            ),
        )*]
    };
}

macro_rules! smil_entries {
    ($($count_w:literal, $limit_w:literal);*) => {
        &[$(entry!(
            concat!($count_w, "x", $limit_w), [$count_w, $limit_w], smil!($count_w, $limit_w)
        )),*]
    };
}

macro_rules! rbmi_entries {
    ($($kernels:literal),*) => { &[$(entry!(stringify!($kernels), [$kernels], rbmi!($kernels))),*] };
}

macro_rules! quota_unit_entries {
    ($($kernels:literal, $ratio_max:literal);*) => {
        &[$(entry!(
            concat!($kernels, "x", $ratio_max),
            [$kernels, $ratio_max],
            quota_unit!($kernels, $ratio_max)
        )),*]
    };
}

macro_rules! qbmi_entries {
    ($($kernels:literal, $interval_w:literal);*) => {
        &[$(
            entry!(
                concat!($kernels, "x", $interval_w),
                [$kernels, $interval_w, 0],
                qbmi!($kernels, $interval_w, 0)
            ),
            entry!(
                concat!($kernels, "x", $interval_w, "c"),
                [$kernels, $interval_w, 1],
                qbmi!($kernels, $interval_w, 1)
            ),
        )*]
    };
}

const MILG_ALIASES: &[(&str, &str)] = &[
    ("table-1", "7x12x10"),
    ("wide", "7x17x10"),
    ("small", "2x4x2"),
    ("large", "7x20x10"),
];
const SMIL_ALIASES: &[(&str, &str)] = &[
    ("table-1", "7x5"),
    ("wide", "7x7"),
    ("small", "2x2"),
    ("large", "10x5"),
];
const RBMI_ALIASES: &[(&str, &str)] = &[
    ("table-1", "2"),
    ("three", "3"),
    ("small", "2"),
    ("large", "8"),
];

const QUOTA_ALIASES: &[(&str, &str)] = &[
    ("table-1", "2x32"),
    ("three", "3x32"),
    ("small", "2x4"),
    ("large", "8x32"),
];

const QBMI_ALIASES: &[(&str, &str)] = &[
    ("table-1", "2x10"),
    ("three", "3x10"),
    ("small", "2x2"),
    ("large", "8x10"),
];

/// Every unit of the SM with its parameter sets.
pub(super) static TABLES: &[Table] = &[
    Table {
        unit: "milg",
        parameters: &["COUNT_W", "FAIL_W", "INTERVAL_W", "RELEASE"],
        aliases: MILG_ALIASES,
        entries: milg_entries!(7, 12, 10; 7, 14, 10; 7, 17, 10; 7, 20, 10; 2, 4, 2; 3, 6, 3),
    },
    Table {
        unit: "smil",
        parameters: &["COUNT_W", "LIMIT_W"],
        aliases: SMIL_ALIASES,
        entries: smil_entries!(7, 5; 7, 7; 2, 2; 10, 5; 3, 2),
    },
    Table {
        unit: "quota_unit",
        parameters: &["KERNELS", "RATIO_MAX"],
        aliases: QUOTA_ALIASES,
        entries: quota_unit_entries!(2, 32; 3, 32; 2, 4; 8, 32; 4, 32; 3, 8; 2, 8),
    },
    Table {
        unit: "rbmi",
        parameters: &["KERNELS"],
        aliases: RBMI_ALIASES,
        entries: rbmi_entries!(2, 3, 4, 5, 8, 16),
    },
    Table {
        unit: "qbmi",
        parameters: &["KERNELS", "INTERVAL_W", "CAP"],
        aliases: QBMI_ALIASES,
        entries: qbmi_entries!(2, 10; 3, 10; 4, 10; 8, 10; 2, 2; 3, 3),
    },
];
