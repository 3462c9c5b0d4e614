//! Kernels of Rodinia (Che et al., "Rodinia: A Benchmark Suite for Heterogeneous Computing", 2009).

use super::words;
use crate::workload::program::listed::Step::{Barrier, Compute, Load, Shared, Store, Wait};
use crate::workload::program::listed::{Array, Source};

/// `bpnn_layerforward_CUDA` with 65,536 input and 16 hidden nodes: a tile of weights of 16 by 16 is
/// multiplied by 16 inputs and summed in four steps, in shared memory. A row of weights has 17, so
/// a warp's two rows are 33 words of which one is left out.
pub(super) fn backprop() -> Source {
    const NODES: i64 = 1 << 16;
    const ROW: i64 = 17;
    let weight =
        |t: &super::super::listed::Thread| Some(ROW * 16 * t.by + ROW * t.ty + t.tx + 1 + ROW);
    let mut head = vec![
        Compute(22),
        // input_cuda[index_in], the first thread of each row.
        Load(0, |t| (t.tx == 0).then_some(16 * t.by + t.ty + 1)),
        Wait,
        Shared(1),
        Barrier,
        Compute(3),
        Load(1, weight),
        Wait,
        Shared(1),
        Barrier,
        Shared(2),
        Compute(4),
        Shared(1),
        Barrier,
    ];
    // The powers, the remainder, two addresses, the sum: of two warps in 1, 1, 2, 4 one has rows
    // that take part.
    for shared in [3, 2, 1, 1] {
        head.extend([Compute(18), Shared(shared), Barrier]);
    }
    Source {
        block: [16, 16, 1],
        grid: [1, NODES as u64 / 16],
        arrays: vec![
            words(NODES as u64 + 1),
            words((NODES as u64 + 1) * ROW as u64),
            words(NODES as u64),
        ],
        head,
        body: vec![],
        trips: 0,
        tail: vec![
            Shared(1),
            Store(1, weight),
            Barrier,
            Compute(6),
            Shared(1),
            // hidden_partial_sum
            Store(2, |t| (t.tx == 0).then_some(16 * t.by + t.ty)),
        ],
    }
}

/// `calculate_temp` on a grid of 512 by 512 with two iterations a launch: a tile of 16 by 16, of
/// which 12 by 12 are written. Rows of 16 words begin anywhere in a line.
pub(super) fn hotspot() -> Source {
    const SIDE: i64 = 512;
    const INNER: i64 = 12;
    let cell = |t: &super::super::listed::Thread| {
        let (x, y) = (INNER * t.bx - 2 + t.tx, INNER * t.by - 2 + t.ty);
        ((0..SIDE).contains(&x) && (0..SIDE).contains(&y)).then_some(SIDE * y + x)
    };
    let blocks = (SIDE / INNER + 1) as u64;
    let cells = words((SIDE * SIDE) as u64);
    // Ranges, six values of shared memory, the sum.
    let update = [Compute(40), Shared(9), Barrier];
    Source {
        block: [16, 16, 1],
        grid: [blocks, blocks],
        arrays: vec![cells, cells, cells],
        head: vec![
            Compute(48),
            Load(0, cell),
            Wait,
            Shared(1),
            Compute(3),
            Load(1, cell),
            Wait,
            Shared(1),
            Barrier,
            Compute(24),
        ],
        body: update.to_vec(),
        trips: 2,
        tail: vec![
            Shared(1),
            Compute(3),
            Store(2, |t| {
                let inner = 2..14;
                let (x, y) = (INNER * t.bx - 2 + t.tx, INNER * t.by - 2 + t.ty);
                let inside = inner.contains(&t.tx) && inner.contains(&t.ty);
                (inside && x < SIDE && y < SIDE).then_some(SIDE * y + x)
            }),
        ],
    }
}

/// `dynproc_kernel` on 100 rows of 100,000 columns, 20 rows a launch: 256 columns, of which 216 are
/// written; a row of the wall is loaded in each iteration.
pub(super) fn pathfinder() -> Source {
    const COLUMNS: i64 = 100_000;
    const ROWS: i64 = 20;
    const INNER: i64 = 256 - 2 * ROWS;
    Source {
        block: [256, 1, 1],
        grid: [(COLUMNS / INNER + 1) as u64, 1],
        arrays: vec![
            words(COLUMNS as u64),
            words((COLUMNS * ROWS) as u64),
            words(COLUMNS as u64),
        ],
        head: vec![
            Compute(32),
            Load(0, |t| {
                let x = INNER * t.bx - ROWS + t.tx;
                (0..COLUMNS).contains(&x).then_some(x)
            }),
            Wait,
            Shared(1),
            Barrier,
        ],
        body: vec![
            Compute(16),
            Shared(3),
            Load(1, |t| {
                let x = INNER * t.bx - ROWS + t.tx;
                let inside = (t.trip + 1..255 - t.trip).contains(&t.tx);
                (inside && (0..COLUMNS).contains(&x)).then_some(COLUMNS * t.trip + x)
            }),
            Wait,
            Compute(10),
            Shared(1),
            Barrier,
            Compute(4),
            Shared(2),
            Barrier,
        ],
        trips: ROWS as u64,
        tail: vec![
            Shared(1),
            Compute(3),
            Store(2, |t| {
                let x = INNER * t.bx - ROWS + t.tx;
                let inside = (ROWS..256 - ROWS).contains(&t.tx);
                (inside && x < COLUMNS).then_some(x)
            }),
        ],
    }
}

/// `Kernel` on `graph1MW_6`: a million nodes, six edges each. A thread asks whether its node is to
/// be visited, a flag of a byte; in most of the launches hardly any is.
///
/// ASSUMPTION: in none of the warps that are run: what those do that visit is left out, as their
/// share in a launch is unknown.
pub(super) fn bfs() -> Source {
    const NODES: u64 = 1_000_000;
    Source {
        block: [512, 1, 1],
        grid: [NODES.div_ceil(512), 1],
        arrays: vec![Array {
            bytes: 1,
            elements: NODES,
        }],
        // tid, its range, the address.
        head: vec![
            Compute(8),
            Load(0, |t| Some(512 * t.bx + t.tx)),
            Wait,
            Compute(2),
        ],
        body: vec![],
        trips: 0,
        tail: vec![],
    }
}

/// Elements of the mesh `fvcorr.domn.097K`.
const ELEMENTS: i64 = 97_046;

/// `cuda_compute_flux`: five variables of an element, then for each of its four faces the
/// neighbour's number and the normal, and the neighbour's five variables. Arrays are by variable,
/// then by element.
///
/// ASSUMPTION: three elements in a row have neighbours in a row: then a warp reads from about twelve
/// lines of a variable, which is what table 2's six requests an instruction are.
pub(super) fn cfd() -> Source {
    // Of whole blocks of 192.
    const PADDED: i64 = (ELEMENTS + 191) / 192 * 192;
    const GROUP: i64 = 3;
    fn own<const VARIABLE: i64>(t: &super::super::listed::Thread) -> Option<i64> {
        Some(t.id + VARIABLE * PADDED)
    }
    fn face<const AXIS: i64>(t: &super::super::listed::Thread) -> Option<i64> {
        Some(t.id + (t.trip + 4 * AXIS) * PADDED)
    }
    fn neighbour<const VARIABLE: i64>(t: &super::super::listed::Thread) -> Option<i64> {
        let element = t.near(0, t.id, GROUP).rem_euclid(ELEMENTS);
        Some(element + VARIABLE * PADDED)
    }
    let all = |variables: u64| words(variables * PADDED as u64);
    Source {
        block: [64, 1, 1],
        grid: [PADDED as u64 / 64, 1],
        // Neighbours, normals, variables, fluxes.
        arrays: vec![all(4), all(12), all(5), all(5)],
        head: vec![
            Compute(12),
            Load(2, own::<0>),
            Load(2, own::<1>),
            Load(2, own::<2>),
            Load(2, own::<3>),
            Load(2, own::<4>),
            Wait,
            // Velocity, pressure, speed of sound, fluxes.
            Compute(45),
        ],
        body: vec![
            Compute(4),
            Load(0, face::<0>),
            Load(1, face::<0>),
            Load(1, face::<1>),
            Load(1, face::<2>),
            Wait,
            // The length of the normal, five addresses.
            Compute(14),
            Load(2, neighbour::<0>),
            Load(2, neighbour::<1>),
            Load(2, neighbour::<2>),
            Load(2, neighbour::<3>),
            Load(2, neighbour::<4>),
            Wait,
            // As above, the viscosity, and five sums for each axis.
            Compute(74),
        ],
        trips: 4,
        tail: vec![
            Compute(5),
            Store(3, own::<0>),
            Store(3, own::<1>),
            Store(3, own::<2>),
            Store(3, own::<3>),
            Store(3, own::<4>),
        ],
    }
}

/// `invert_mapping` of `kdd_cup`: 494,020 points of 34 features, from rows by point to rows by
/// feature. Each lane reads a row of its own, word by word.
pub(super) fn kmeans() -> Source {
    const POINTS: i64 = 494_020;
    const FEATURES: i64 = 34;
    let array = words((POINTS * FEATURES) as u64);
    Source {
        block: [256, 1, 1],
        grid: [(POINTS / 256 + 1) as u64, 1],
        arrays: vec![array, array],
        head: vec![Compute(12)],
        body: vec![
            Load(0, |t| (t.id < POINTS).then_some(FEATURES * t.id + t.trip)),
            Wait,
            Store(1, |t| (t.id < POINTS).then_some(t.id + POINTS * t.trip)),
            // Two addresses and the loop; the store's is 64 bits: two more.
            Compute(6),
        ],
        trips: FEATURES as u64,
        tail: vec![],
    }
}
