//! Parameter sets of `managed_llc`, also behind a bus.

use super::line::{usually, Usual};

/// The platform of TAP (its tables 2 and 4): 8 MB in 32 ways of 4096 sets, 4 tiles, 6 GPU cores; a CPU
/// application beside one of the GPU.
pub(crate) const ALIASES: &[(&str, &str)] = &[
    ("table-1", "32x4096x2x32x32x6"),
    ("three", "4x16x3x2x4x3b2w4c6t2,ROTATE=1"),
    ("small", "4x8x2x1x4x2b1w3c4t2"),
    ("large", "16x256x4x16x32x32b8"),
];

/// As of the parts.
pub(crate) const USUAL: &[Usual] = &[
    usually("TILES", 4).letter('b'),
    usually("TAG_W", 31),
    usually("RRPV_W", 2).letter('r'),
    usually("PSEL_W", 10).letter('p'),
    usually("SEED", 0x2545_f491),
    usually("XS_W", 10).letter('w'),
    usually("CNT_W", 21).letter('c'),
    usually("T_XS", 10).letter('t'),
    usually("ID_W", 5).letter('i'),
    usually("RETIRED_W", 2).letter('n'),
    usually("INSTR_W", 20),
    usually("ROTATE", 0),
];

const AS_USUAL: [usize; 12] = [4, 31, 2, 10, 0x2545_f491, 10, 21, 10, 5, 2, 20, 0];

/// Widths of the ratio and the counters, and the threshold, as usual.
pub(crate) const PAPER: [usize; 3] = [10, 21, 10];

/// What is usual, with other tiles, widths and sampled cores that rotate or do not.
pub(crate) fn with(tiles: usize, widths: [usize; 3], rotate: usize) -> [usize; 12] {
    let mut rest = AS_USUAL;
    (rest[0], rest[11]) = (tiles, rotate);
    rest[5..8].copy_from_slice(&widths);
    rest
}

/// Ways, sets, applications, leaders, monitored sets and cores, and the rest.
pub(crate) fn set(sizes: [usize; 6], rest: [usize; 12]) -> Vec<usize> {
    sizes.into_iter().chain(rest).collect()
}

/// The sets with a name.
pub(crate) fn sets() -> Vec<Vec<usize>> {
    vec![
        set([32, 4096, 2, 32, 32, 6], AS_USUAL),
        set([16, 256, 4, 16, 32, 32], with(8, PAPER, 0)),
        set([4, 16, 3, 2, 4, 3], with(2, [4, 6, 2], 1)),
        set([4, 8, 2, 1, 4, 2], with(1, [3, 4, 2], 0)),
    ]
}
