//! The units of the SM.

use super::line::{usually, Aliases, Line, Sets, Usual};
use crate::sm::{MemIssue, Milg, Qbmi, QuotaUnit, Rbmi, Smil};

const MILG_ALIASES: Aliases = &[
    ("table-1", "7x12x10"),
    ("wide", "7x17x10"),
    ("small", "2x4x2"),
    ("large", "7x20x10"),
];
const SMIL_ALIASES: Aliases = &[
    ("table-1", "7x5"),
    ("wide", "7x7"),
    ("small", "2x2"),
    ("large", "10x5"),
];
const RBMI_ALIASES: Aliases = &[
    ("table-1", "2"),
    ("three", "3"),
    ("small", "2"),
    ("large", "8"),
];
const QUOTA_ALIASES: Aliases = &[
    ("table-1", "2x32"),
    ("three", "3x32"),
    ("small", "2x4"),
    ("large", "8x32"),
];
const QBMI_ALIASES: Aliases = &[
    ("table-1", "2x10"),
    ("three", "3x10"),
    ("small", "2x2"),
    ("large", "8x10"),
];
pub(super) const ISSUE_ALIASES: Aliases = &[
    ("table-1", "2-milg-qbmi"),
    ("three", "3-milg-qbmi"),
    ("small", "2-milg-qbmi-small"),
    ("large", "8-milg-qbmi"),
];

/// Unless with MILG and QBMI and the widths of the platform.
pub(super) const ISSUE_USUAL: &[Usual] = &[
    usually("LIMITER", 1),
    usually("PRIORITY", 1),
    usually("FAIL_W", 12),
    usually("RELEASE", 0),
    usually("CAP", 0),
    usually("COUNT_W", 7),
    usually("INTERVAL_W", 10),
    usually("LIMIT_W", 5),
];

/// A `mem_issue` with the platform's widths, named by kernels, limiter and priority.
pub(super) fn issue(
    [kernels, limiter, priority]: [usize; 3],
    [fail_w, release, cap]: [usize; 3],
) -> (String, Vec<usize>) {
    let fail = if fail_w == 12 {
        String::new()
    } else {
        fail_w.to_string()
    };
    let release_name = if release == 1 { "d" } else { "" };
    let cap_name = if cap == 1 { "c" } else { "" };
    let limiter_name = ["smil", "milg"][limiter];
    let priority_name = ["rbmi", "qbmi"][priority];
    (
        format!("{kernels}-{limiter_name}{release_name}{fail}-{priority_name}{cap_name}"),
        vec![kernels, limiter, priority, fail_w, release, cap, 7, 10, 5],
    )
}

/// The narrowest `mem_issue`.
pub(super) fn small_issue() -> (String, Vec<usize>) {
    ("2-milg-qbmi-small".into(), vec![2, 1, 1, 4, 0, 0, 2, 2, 2])
}

fn issue_sets() -> Vec<(String, Vec<usize>)> {
    let mut sets = vec![];
    for kernels in [2, 3, 4, 8] {
        for [limiter, priority] in [[1, 1], [1, 0], [0, 1], [0, 0]] {
            sets.push(issue([kernels, limiter, priority], [12, 0, 0]));
        }
    }
    for form in [[12, 1, 1], [17, 0, 0]] {
        for kernels in [2, 3] {
            sets.push(issue([kernels, 1, 1], form));
        }
    }
    sets.push(small_issue());
    sets
}

/// Each of the sets without and with what its last parameter says.
fn both<const N: usize>(sets: &[[usize; N]]) -> Vec<Vec<usize>> {
    let both = sets
        .iter()
        .flat_map(|set| [0, 1].map(|last| [&set[..], &[last]].concat()));
    both.collect()
}

fn vectors<const N: usize>(sets: &[[usize; N]]) -> Vec<Vec<usize>> {
    sets.iter().map(|set| set.to_vec()).collect()
}

/// Every unit of the SM with its parameter sets.
pub(super) static LINES: &[Line] = &[
    Line::new(
        &<Milg!(@any)>::DEFINITION,
        MILG_ALIASES,
        Sets::Numbers(|| {
            both(&[
                [7, 12, 10],
                [7, 14, 10],
                [7, 17, 10],
                [7, 20, 10],
                [2, 4, 2],
                [3, 6, 3],
            ])
        }),
    )
    .usual(&[usually("RELEASE", 0).flag('d')]),
    Line::new(
        &<Smil!(@any)>::DEFINITION,
        SMIL_ALIASES,
        Sets::Numbers(|| vectors(&[[7, 5], [7, 7], [2, 2], [10, 5], [3, 2]])),
    ),
    Line::new(
        &<QuotaUnit!(@any)>::DEFINITION,
        QUOTA_ALIASES,
        Sets::Numbers(|| vectors(&[[2, 32], [3, 32], [2, 4], [8, 32], [4, 32], [3, 8], [2, 8]])),
    ),
    Line::new(
        &<Rbmi!(@any)>::DEFINITION,
        RBMI_ALIASES,
        Sets::Numbers(|| vectors(&[[2], [3], [4], [5], [8], [16]])),
    ),
    Line::new(
        &<Qbmi!(@any)>::DEFINITION,
        QBMI_ALIASES,
        Sets::Numbers(|| both(&[[2, 10], [3, 10], [4, 10], [8, 10], [2, 2], [3, 3]])),
    )
    .usual(&[usually("CAP", 0).flag('c')]),
    Line::new(
        &<MemIssue!(@any)>::DEFINITION,
        ISSUE_ALIASES,
        Sets::Named(issue_sets),
    )
    .usual(ISSUE_USUAL),
];
