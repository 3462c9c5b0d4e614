//! What parameter sets of several units of the SM have in common.

use super::line::{usually, Aliases, Usual};

pub(crate) const ISSUE_ALIASES: Aliases = &[
    ("table-1", "2-milg-qbmi"),
    ("three", "3-milg-qbmi"),
    ("small", "2-milg-qbmi-small"),
    ("large", "8-milg-qbmi"),
];

/// Unless with MILG and QBMI and the widths of the platform.
pub(crate) const ISSUE_USUAL: &[Usual] = &[
    usually("LIMITER", 1),
    usually("PRIORITY", 1),
    usually("FAIL_W", 12),
    usually("RELEASE", 0),
    usually("CAP", 0),
    usually("LAG", 0),
    usually("COUNT_W", 7),
    usually("INTERVAL_W", 10),
    usually("LIMIT_W", 5),
];

/// How a set's name says what `RELEASE` is.
const RELEASES: [&str; 4] = ["", "d", "h", "p"];

/// A `mem_issue` with the platform's widths, named by kernels, limiter and priority.
pub(crate) fn issue(
    [kernels, limiter, priority]: [usize; 3],
    [fail_w, release, cap, lag]: [usize; 4],
) -> (String, Vec<usize>) {
    let fail = if fail_w == 12 {
        String::new()
    } else {
        fail_w.to_string()
    };
    let cap_name = if cap == 1 { "c" } else { "" };
    let lag_name = if lag == 0 {
        String::new()
    } else {
        format!("-lag{lag}")
    };
    let limiter_name = ["smil", "milg"][limiter];
    let priority_name = ["rbmi", "qbmi"][priority];
    (
        format!(
            "{kernels}-{limiter_name}{}{fail}-{priority_name}{cap_name}{lag_name}",
            RELEASES[release]
        ),
        vec![
            kernels, limiter, priority, fail_w, release, cap, lag, 7, 10, 5,
        ],
    )
}

/// The narrowest `mem_issue`.
pub(crate) fn small_issue(release: usize) -> (String, Vec<usize>) {
    (
        format!("2-milg{}-qbmi-small", RELEASES[release]),
        vec![2, 1, 1, 4, release, 0, 0, 2, 2, 2],
    )
}

/// Each of the sets without and with what its last parameter says.
pub(crate) fn both<const N: usize>(sets: &[[usize; N]]) -> Vec<Vec<usize>> {
    let both = sets
        .iter()
        .flat_map(|set| [0, 1].map(|last| [&set[..], &[last]].concat()));
    both.collect()
}

pub(crate) fn vectors<const N: usize>(sets: &[[usize; N]]) -> Vec<Vec<usize>> {
    sets.iter().map(|set| set.to_vec()).collect()
}
