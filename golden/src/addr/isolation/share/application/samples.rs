//! The kernels of table I and section V-B, counted from the samples' sources.

use super::{Array, Kernel, Pattern, WARP};

/// `matrixMul`: tiles of 32 x 32, a thread for each element, in units of tiles. MM has the sample's
/// own sizes, 320 x 320 times 320 x 640.
pub(super) fn multiply(down: u64, inner: u64, across: u64) -> Kernel {
    // A row of a tile is a line. For each of 32 steps of the product two reads of shared memory, a
    // multiply-add and the loop; about ten for a tile.
    let (left, right) = (32 * down * inner, 32 * inner * across);
    let array = |pattern, first, lines| Array {
        pattern,
        first,
        lines,
        count: 32,
    };
    let width = inner;
    Kernel::new(1024, down * across, inner, 32 * 4 + 10)
        .loads([
            array(Pattern::Left { width, across }, 0, left),
            array(Pattern::Right { across }, left, right),
        ])
        .stores([Array::stream(left + right, 32 * down * across, 32)])
}

/// `vectorAdd`: 256 threads (figure 1), of 16 instructions. ASSUMPTION: 2^20 elements; the sample's
/// 50000 take no longer than a launch.
pub(super) fn add(elements: u64) -> Kernel {
    let lines = elements / WARP;
    let array = |number| Array::stream(number * lines, lines, 8);
    Kernel::new(256, elements / 256, 1, 16)
        .loads([array(0), array(1)])
        .stores([array(2)])
}

/// `scalarProd`: 128 blocks of 256 threads, which go through pairs of vectors; the sample has 256
/// pairs of 4096 elements. Eight instructions for each product, two more for the sums at the end.
pub(super) fn scalar_product(vectors: u64, elements: u64) -> Kernel {
    let lines = vectors * elements / WARP;
    let steps = vectors / 128 * (elements / 256);
    Kernel::new(256, 128, steps, 10)
        .loads([Array::stream(0, lines, 8), Array::stream(lines, lines, 8)])
        .stores([Array::stream(2 * lines, 128, 1)])
}

/// `sortingNetworks`: bitonic sort of keys with values. Blocks of 512 threads sort 1024 elements
/// in shared memory; of larger distances 256 threads exchange a pair each. ASSUMPTION: 2^15
/// elements; the sample goes from 2^10 to 2^20.
pub(super) fn sort(elements: u64) -> Vec<Kernel> {
    let lines = elements / WARP;
    let arrays = |count| [0, 1].map(|it| Array::stream(it * lines, lines, count));
    // Ten instructions to compare and exchange, in shared memory two more for its barrier.
    let shared = |rounds: u64| {
        Kernel::new(512, elements / 1024, 1, 12 * rounds)
            .loads(arrays(32))
            .stores(arrays(32))
    };
    let global = Kernel::new(256, elements / 512, 1, 20)
        .loads(arrays(16))
        .stores(arrays(16));
    let mut kernels = vec![shared(55)];
    for size in 11..=elements.ilog2() {
        kernels.extend((10..size).map(|_| global.clone()));
        kernels.push(shared(10));
    }
    kernels
}

/// `fastWalshTransform`: in passes of four elements a thread, which lie a quarter of the array
/// apart in the first, then in shared memory, 2048 elements by 512 threads. ASSUMPTION: the first
/// and the last of the passes, of 2^21 elements; the sample has all seven, of 2^23.
pub(super) fn walsh(elements: u64) -> Vec<Kernel> {
    let lines = elements / WARP;
    let quarters = [0, 1, 2, 3].map(|it| Array::stream(it * lines / 4, lines / 4, 8));
    let whole = [Array::stream(0, lines, 64)];
    vec![
        Kernel::new(256, elements / 1024, 1, 24)
            .loads(quarters)
            .stores(quarters),
        // Six rounds of 20 instructions.
        Kernel::new(512, elements / 2048, 1, 120)
            .loads(whole)
            .stores(whole),
    ]
}

/// `euler3d`: a step of its integration, blocks of 192 threads, an element each: its time step, its
/// fluxes over four faces, its new values. ASSUMPTION: half the elements of Rodinia's
/// `fvcorr.domn.097K`; a warp finds what it needs of its neighbours in two lines for each of four
/// neighbours and five variables, anywhere in the array.
pub(super) fn fluid(elements: u64) -> Vec<Kernel> {
    let lines = elements.div_ceil(WARP);
    let blocks = elements.div_ceil(192);
    let array = |first: u64, width: u64| Array::stream(first * lines, width * lines, width * 6);
    let (variables, old, fluxes, normals, neighbours, steps) = (0, 5, 10, 15, 27, 31);
    let around = Array {
        pattern: Pattern::Random,
        count: 6 * 4 * 5 * 2,
        ..array(variables, 5)
    };
    vec![
        Kernel::new(192, blocks, 1, 60)
            .loads([array(variables, 5), array(steps, 1)])
            .stores([array(steps + 1, 1)]),
        Kernel::new(192, blocks, 1, 400)
            .loads([
                array(neighbours, 4),
                array(normals, 12),
                array(variables, 5),
                around,
            ])
            .stores([array(fluxes, 5)]),
        Kernel::new(192, blocks, 1, 40)
            .loads([array(old, 5), array(fluxes, 5), array(steps + 1, 1)])
            .stores([array(variables, 5)]),
    ]
}

/// ASSUMPTION: image classification is convolutions as matrix products, each after its image was
/// unfolded, and fully connected layers, which read their weights once; two of each, smaller than
/// those of AlexNet.
pub(super) fn classify() -> Vec<Kernel> {
    let unfold = add(1 << 17);
    let weights = scalar_product(256, 2048);
    vec![
        unfold.clone(),
        multiply(8, 20, 12),
        unfold,
        multiply(12, 16, 6),
        weights.clone(),
        weights,
    ]
}
