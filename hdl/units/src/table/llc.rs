//! The units of the shared cache.

use super::line::{like, usually, Aliases, Line, Sets, Usual};
use crate::llc::{position_width, CounterMatrix, Demotion, Gdcu, KidDemux, LlcMonitor};
use crate::llc::{LruStack, Plob, Popcnt};

/// Ways and kernels: the powers of two, then others.
fn geometries() -> impl Iterator<Item = [usize; 2]> {
    let with = |ways| [2, 4, 8, 16].map(|kernels| [ways, kernels]);
    let powers = [2, 4, 8, 16, 32].into_iter().flat_map(with);
    powers.chain([[3, 3], [6, 3], [12, 5], [24, 6]])
}

/// Widths of a counter.
const COUNTERS: [usize; 3] = [16, 21, 32];

const WAYS_ALIASES: Aliases = &[
    ("figure-2", "4"),
    ("table-1", "16"),
    ("small", "2"),
    ("large", "32"),
];
const KERNELS_ALIASES: Aliases = &[
    ("figure-2", "4"),
    ("table-1", "4"),
    ("small", "2"),
    ("large", "8"),
];
const STACK_ALIASES: Aliases = &[
    ("figure-2", "4x4"),
    ("table-1", "16x4"),
    ("small", "2x2"),
    ("large", "32x8"),
];
const COUNTER_ALIASES: Aliases = &[
    ("figure-2", "4x4x21"),
    ("table-1", "16x4x21"),
    ("small", "2x2x21"),
    ("large", "32x8x21"),
];
const EVICTION_ALIASES: Aliases = &[
    ("figure-2", "4x21"),
    ("table-1", "4x21"),
    ("small", "2x21"),
    ("large", "8x21"),
];
pub(super) const MONITOR_ALIASES: Aliases = &[
    ("figure-2", "4x4x64x1"),
    ("table-1", "16x4x64x4"),
    ("small", "2x2x16x1"),
    ("large", "16x8x64x2"),
];

/// Tags of 36 bits: virtual addresses of 49 bits (Volta), lines of 128 bytes, 64 sets.
pub(super) const MONITOR_USUAL: &[Usual] = &[
    usually("TAG_W", 36),
    usually("CNT_W", 21),
    usually("STAGES", 1).letter('s'),
    like("REQUESTERS", "KERNELS"),
];

/// Ways, kernels, sets and banks of a monitor, and its stages.
pub(super) fn monitor([ways, kernels, sets, banks, stages]: [usize; 5]) -> Vec<usize> {
    vec![ways, kernels, sets, banks, 36, 21, stages, kernels]
}

/// Each of the numbers, as a set of one parameter.
fn one<const N: usize>(values: [usize; N]) -> Vec<Vec<usize>> {
    values.map(|value| vec![value]).to_vec()
}

/// Each geometry with each width of a counter.
fn counting() -> impl Iterator<Item = [usize; 3]> {
    let with = |[ways, kernels]: [usize; 2]| COUNTERS.map(|cnt_w| [ways, kernels, cnt_w]);
    geometries().flat_map(with)
}

fn gdcu_sets() -> Vec<Vec<usize>> {
    let one_stage = counting().map(|[ways, kernels, cnt_w]| [ways, kernels, cnt_w, 1]);
    let staged = [
        [4, 4, 21, 0],
        [16, 4, 21, 0],
        [2, 2, 21, 0],
        [32, 8, 21, 0],
        [4, 4, 21, 2],
        [16, 4, 21, 2],
        [2, 2, 21, 2],
        [32, 8, 21, 2],
        [16, 4, 32, 2],
        [4, 4, 21, 3],
        [16, 4, 32, 3],
    ];
    one_stage.chain(staged).map(|set| set.to_vec()).collect()
}

fn plob_sets() -> Vec<Vec<usize>> {
    let with = |kernels| COUNTERS.map(|cnt_w| [kernels, cnt_w, 1]);
    let one_stage = [2, 4, 8, 16, 3, 5, 6].into_iter().flat_map(with);
    let staged = [0, 2]
        .into_iter()
        .flat_map(|stages| [4, 2, 8].map(|k| [k, 21, stages]));
    one_stage.chain(staged).map(|set| set.to_vec()).collect()
}

fn monitor_sets() -> Vec<Vec<usize>> {
    let sets = [
        [16, 4, 64, 4, 1],
        [4, 4, 64, 1, 1],
        [8, 4, 64, 1, 1],
        [16, 4, 256, 1, 1],
        [16, 8, 64, 2, 1],
        [2, 2, 16, 1, 1],
        [16, 4, 16, 1, 1],
        [16, 4, 64, 1, 1],
        [16, 4, 64, 1, 2],
        [16, 4, 16, 1, 2],
    ];
    sets.map(monitor).to_vec()
}

/// Named by the ways that an increment comes from.
fn counter_matrix_sets() -> Vec<(String, Vec<usize>)> {
    let named = |[ways, kernels, cnt_w]: [usize; 3]| {
        let values = vec![kernels, position_width(ways), cnt_w];
        (format!("{ways}x{kernels}x{cnt_w}"), values)
    };
    counting().map(named).collect()
}

/// Every unit of the shared cache with its parameter sets.
pub(super) static LINES: &[Line] = &[
    Line::new(
        &<Popcnt!(@any)>::DEFINITION,
        WAYS_ALIASES,
        Sets::Numbers(|| one([2, 4, 8, 16, 32, 3, 6, 12, 24])),
    ),
    Line::new(
        &<KidDemux!(@any)>::DEFINITION,
        KERNELS_ALIASES,
        Sets::Numbers(|| one([2, 4, 8, 16, 3, 5, 6])),
    ),
    Line::new(
        &<Demotion!(@any)>::DEFINITION,
        WAYS_ALIASES,
        Sets::Numbers(|| one([2, 4, 8, 16, 32, 3, 6, 12, 24])),
    ),
    Line::new(
        &<CounterMatrix!(@any)>::DEFINITION,
        COUNTER_ALIASES,
        Sets::Named(counter_matrix_sets),
    ),
    Line::new(
        &<Gdcu!(@any)>::DEFINITION,
        COUNTER_ALIASES,
        Sets::Numbers(gdcu_sets),
    )
    .usual(&[usually("STAGES", 1).letter('s')]),
    Line::new(
        &<LruStack!(@any)>::DEFINITION,
        STACK_ALIASES,
        Sets::Numbers(|| geometries().map(|set| set.to_vec()).collect()),
    ),
    Line::new(
        &<Plob!(@any)>::DEFINITION,
        EVICTION_ALIASES,
        Sets::Numbers(plob_sets),
    )
    .usual(&[usually("STAGES", 1).letter('s')]),
    Line::new(
        &<LlcMonitor!(@any)>::DEFINITION,
        MONITOR_ALIASES,
        Sets::Numbers(monitor_sets),
    )
    .usual(MONITOR_USUAL),
];
