//! The units of the SM. Every line here is a block that gets compiled.

use super::Any;
use super::{entry, Entry, Table};
use crate::sm::{MemIssue, Milg, Qbmi, QuotaUnit, Rbmi, Smil};

macro_rules! milg_entries {
    ($($count_w:literal, $fail_w:literal, $interval_w:literal);*) => {
        &[$(
            entry!(
                concat!($count_w, "x", $fail_w, "x", $interval_w),
                [$count_w, $fail_w, $interval_w, 0],
                Milg!($count_w, $fail_w, $interval_w, 0)
            ),
            entry!(
                concat!($count_w, "x", $fail_w, "x", $interval_w, "d"),
                [$count_w, $fail_w, $interval_w, 1],
                Milg!($count_w, $fail_w, $interval_w, 1)
            ),
        )*]
    };
}

macro_rules! smil_entries {
    ($($count_w:literal, $limit_w:literal);*) => {
        &[$(entry!(
            concat!($count_w, "x", $limit_w), [$count_w, $limit_w], Smil!($count_w, $limit_w)
        )),*]
    };
}

macro_rules! rbmi_entries {
    ($($kernels:literal),*) => { &[$(entry!(stringify!($kernels), [$kernels], Rbmi!($kernels))),*] };
}

macro_rules! quota_unit_entries {
    ($($kernels:literal, $ratio_max:literal);*) => {
        &[$(entry!(
            concat!($kernels, "x", $ratio_max),
            [$kernels, $ratio_max],
            QuotaUnit!($kernels, $ratio_max)
        )),*]
    };
}

macro_rules! qbmi_entries {
    ($($kernels:literal, $interval_w:literal);*) => {
        &[$(
            entry!(
                concat!($kernels, "x", $interval_w),
                [$kernels, $interval_w, 0],
                Qbmi!($kernels, $interval_w, 0)
            ),
            entry!(
                concat!($kernels, "x", $interval_w, "c"),
                [$kernels, $interval_w, 1],
                Qbmi!($kernels, $interval_w, 1)
            ),
        )*]
    };
}

/// Names, and how they differ from the platform's.
macro_rules! mem_issue_entries {
    ($($kernels:literal),*) => {
        &[
            $(
                mem_issue_entries!(@ concat!($kernels, "-milg-qbmi"), $kernels, 1, 1, 12, 0, 0),
                mem_issue_entries!(@ concat!($kernels, "-milg-rbmi"), $kernels, 1, 0, 12, 0, 0),
                mem_issue_entries!(@ concat!($kernels, "-smil-qbmi"), $kernels, 0, 1, 12, 0, 0),
                mem_issue_entries!(@ concat!($kernels, "-smil-rbmi"), $kernels, 0, 0, 12, 0, 0),
            )*
            mem_issue_entries!(@ "2-milgd-qbmic", 2, 1, 1, 12, 1, 1),
            mem_issue_entries!(@ "3-milgd-qbmic", 3, 1, 1, 12, 1, 1),
            mem_issue_entries!(@ "2-milg17-qbmi", 2, 1, 1, 17, 0, 0),
            mem_issue_entries!(@ "3-milg17-qbmi", 3, 1, 1, 17, 0, 0),
            entry!(
                "2-milg-qbmi-small",
                [2, 1, 1, 4, 0, 0, 2, 2, 2],
                MemIssue!(2, 1, 1, 4, 0, 0, 2, 2, 2)
            ),
        ]
    };
    (
        @ $name:expr, $kernels:literal, $limiter:literal, $priority:literal, $fail_w:literal,
        $release:literal, $cap:literal
    ) => {
        entry!(
            $name,
            [$kernels, $limiter, $priority, $fail_w, $release, $cap, 7, 10, 5],
            MemIssue!($kernels, $limiter, $priority, $fail_w, $release, $cap, 7, 10, 5)
        )
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

pub(super) const ISSUE_ALIASES: &[(&str, &str)] = &[
    ("table-1", "2-milg-qbmi"),
    ("three", "3-milg-qbmi"),
    ("small", "2-milg-qbmi-small"),
    ("large", "8-milg-qbmi"),
];

/// Names of `mem_issue`'s parameters.
pub(super) const ISSUE_PARAMETERS: &[&str] = &[
    "KERNELS",
    "LIMITER",
    "PRIORITY",
    "FAIL_W",
    "RELEASE",
    "CAP",
    "COUNT_W",
    "INTERVAL_W",
    "LIMIT_W",
];

/// Every unit of the SM with its parameter sets.
pub(super) static TABLES: &[Table] = &[
    Table {
        unit: "milg",
        any: Some(Any {
            describe: <Milg!(@any)>::describe,
            usual: &[],
        }),
        parameters: &["COUNT_W", "FAIL_W", "INTERVAL_W", "RELEASE"],
        aliases: MILG_ALIASES,
        entries: milg_entries!(7, 12, 10; 7, 14, 10; 7, 17, 10; 7, 20, 10; 2, 4, 2; 3, 6, 3),
    },
    Table {
        unit: "smil",
        any: Some(Any {
            describe: <Smil!(@any)>::describe,
            usual: &[],
        }),
        parameters: &["COUNT_W", "LIMIT_W"],
        aliases: SMIL_ALIASES,
        entries: smil_entries!(7, 5; 7, 7; 2, 2; 10, 5; 3, 2),
    },
    Table {
        unit: "quota_unit",
        any: Some(Any {
            describe: <QuotaUnit!(@any)>::describe,
            usual: &[],
        }),
        parameters: &["KERNELS", "RATIO_MAX"],
        aliases: QUOTA_ALIASES,
        entries: quota_unit_entries!(2, 32; 3, 32; 2, 4; 8, 32; 4, 32; 3, 8; 2, 8),
    },
    Table {
        unit: "rbmi",
        any: Some(Any {
            describe: <Rbmi!(@any)>::describe,
            usual: &[],
        }),
        parameters: &["KERNELS"],
        aliases: RBMI_ALIASES,
        entries: rbmi_entries!(2, 3, 4, 5, 8, 16),
    },
    Table {
        unit: "qbmi",
        any: Some(Any {
            describe: <Qbmi!(@any)>::describe,
            usual: &[],
        }),
        parameters: &["KERNELS", "INTERVAL_W", "CAP"],
        aliases: QBMI_ALIASES,
        entries: qbmi_entries!(2, 10; 3, 10; 4, 10; 8, 10; 2, 2; 3, 3),
    },
    Table {
        unit: "mem_issue",
        any: Some(Any {
            describe: <MemIssue!(@any)>::describe,
            usual: &[],
        }),
        parameters: ISSUE_PARAMETERS,
        aliases: ISSUE_ALIASES,
        entries: mem_issue_entries!(2, 3, 4, 8),
    },
];
