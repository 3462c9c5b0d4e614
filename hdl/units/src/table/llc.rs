//! What parameter sets of several units of the shared cache have in common.

use super::line::{like, usually, Aliases, Usual};

/// Ways and kernels: the powers of two, then others.
pub(crate) fn geometries() -> impl Iterator<Item = [usize; 2]> {
    let with = |ways| [2, 4, 8, 16].map(|kernels| [ways, kernels]);
    let powers = [2, 4, 8, 16, 32].into_iter().flat_map(with);
    powers.chain([[3, 3], [6, 3], [12, 5], [24, 6]])
}

/// Widths of a counter.
pub(crate) const COUNTERS: [usize; 3] = [16, 21, 32];

pub(crate) const WAYS_ALIASES: Aliases = &[
    ("figure-2", "4"),
    ("table-1", "16"),
    ("small", "2"),
    ("large", "32"),
];
pub(crate) const COUNTER_ALIASES: Aliases = &[
    ("figure-2", "4x4x21"),
    ("table-1", "16x4x21"),
    ("small", "2x2x21"),
    ("large", "32x8x21"),
];
pub(crate) const MONITOR_ALIASES: Aliases = &[
    ("figure-2", "4x4x64x1"),
    ("table-1", "16x4x64x4"),
    ("small", "2x2x16x1"),
    ("large", "16x8x64x2"),
    ("sampled", "2x2x16x1,SCE=1,SAMPLED=4"),
];

/// Tags of 36 bits: virtual addresses of 49 bits (Volta), lines of 128 bytes, 64 sets.
pub(crate) const MONITOR_USUAL: &[Usual] = &[
    usually("TAG_W", 36),
    usually("CNT_W", 21),
    usually("STAGES", 1).letter('s'),
    like("REQUESTERS", "KERNELS"),
    usually("SCE", 0),
    usually("SAMPLED", 0),
    usually("MODE", 0),
    usually("RAM_STAGES", 0).letter('r'),
];

/// Ways, kernels, sets and banks of a monitor, and its stages; without share at eviction and sampled
/// sets.
pub(crate) fn monitor(shape: [usize; 5]) -> Vec<usize> {
    sampling(shape, [0, 0, 0])
}

/// The same with share at eviction, so many sampled sets, and what becomes of their misses.
pub(crate) fn sampling(
    [ways, kernels, sets, banks, stages]: [usize; 5],
    [sce, sampled, mode]: [usize; 3],
) -> Vec<usize> {
    vec![
        ways, kernels, sets, banks, 36, 21, stages, kernels, sce, sampled, mode, 0,
    ]
}

/// The same without sampled sets, and with registers behind the RAMs.
pub(crate) fn registered(shape: [usize; 5]) -> Vec<usize> {
    let mut values = monitor(shape);
    values[11] = 1;
    values
}

pub(crate) const BANK_ALIASES: Aliases = &[
    ("figure-2", "4x4x1"),
    ("table-1", "16x4x4"),
    ("small", "2x2x1"),
    ("large", "16x8x2"),
];

pub(crate) const BANK_USUAL: &[Usual] = &[
    usually("CNT_W", 21),
    usually("STAGES", 1).letter('s'),
    like("REQUESTERS", "KERNELS"),
];

/// Ways, kernels and banks of counters without a directory, and their stages.
pub(crate) fn counters([ways, kernels, banks, stages]: [usize; 4]) -> Vec<usize> {
    vec![ways, kernels, banks, 21, stages, kernels]
}

/// Each of the numbers, as a set of one parameter.
pub(crate) fn one<const N: usize>(values: [usize; N]) -> Vec<Vec<usize>> {
    values.map(|value| vec![value]).to_vec()
}

/// Each geometry with each width of a counter.
pub(crate) fn counting() -> impl Iterator<Item = [usize; 3]> {
    let with = |[ways, kernels]: [usize; 2]| COUNTERS.map(|cnt_w| [ways, kernels, cnt_w]);
    geometries().flat_map(with)
}
