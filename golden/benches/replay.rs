//! Golden replay against a bare loop that counts the same.
//!
//! Rationale: options and run-time geometry cost. The bare loop has none: its dimensions are
//! constants (table I's 256 sets of 16 ways, 4 kernels), each set one flat array in order of
//! recency. Both count the same 10 million accesses on one thread, and must agree; the ratio at
//! the end is what generality costs, at most 40 %.

mod mix;

use std::hint::black_box;
use std::time::{Duration, Instant};

use cotenant_golden::llc::cache::{Cache, Fast, Geometry};
use cotenant_golden::workload::Access;
use criterion::{Criterion, Throughput};
use mix::{mix, ACCESSES, LINE, SETS, WAYS};

const KERNELS: usize = 4;
const AIM: f64 = 0.6;

/// What both must agree on.
#[derive(Debug, PartialEq, Eq)]
struct Result {
    hits: u64,
    sector_misses: u64,
    gdc: [[u64; KERNELS]; KERNELS],
    ike: [[u64; KERNELS]; KERNELS],
}

impl Result {
    /// FNV-1a over all counters.
    fn hash(&self) -> u64 {
        let counters = [self.hits, self.sector_misses].into_iter();
        let matrices = self.gdc.iter().chain(&self.ike).flatten().copied();
        counters
            .chain(matrices)
            .fold(0xcbf2_9ce4_8422_2325, |hash, counter| {
                (hash ^ counter).wrapping_mul(0x0100_0000_01b3)
            })
    }
}

/// A bare set: flat arrays in order of recency. Tags of 32 bits and no valid bits per line, so that
/// the search is as short as can be: valid lines are at the front, and are counted.
#[derive(Clone, Copy)]
struct Set {
    tag: [u32; WAYS],
    owner: [u8; WAYS],
    sectors: [u8; WAYS],
    filled: usize,
}

/// LRU, GDC and PLOB with nothing around them.
fn bare(accesses: &[Access]) -> Result {
    let empty = Set {
        tag: [0; WAYS],
        owner: [0; WAYS],
        sectors: [0; WAYS],
        filled: 0,
    };
    let mut sets = vec![empty; SETS];
    let (mut hits, mut sector_misses) = (0, 0);
    let mut gdc = [[0; KERNELS]; KERNELS];
    let mut ike = [[0; KERNELS]; KERNELS];
    for access in accesses {
        let line = access.address / LINE;
        let set = &mut sets[line as usize % SETS];
        let tag = (line / SETS as u64) as u32;
        let aggressor = access.kernel as usize % KERNELS;
        let mut sectors = access.sectors as u8;
        let filled = set.filled.min(WAYS);
        let mut pos = 0;
        while pos < filled && set.tag[pos] != tag {
            pos += 1;
        }
        for &owner in &set.owner[..pos] {
            gdc[owner as usize % KERNELS][aggressor] += 1;
        }
        if pos < filled {
            hits += 1;
            sector_misses += u64::from(sectors & !set.sectors[pos] != 0);
            sectors |= set.sectors[pos];
        } else if filled == WAYS {
            pos = WAYS - 1;
            ike[set.owner[pos] as usize % KERNELS][aggressor] += 1;
        } else {
            set.filled += 1;
        }
        for i in (0..pos).rev() {
            set.tag[i + 1] = set.tag[i];
            set.owner[i + 1] = set.owner[i];
            set.sectors[i + 1] = set.sectors[i];
        }
        (set.tag[0], set.owner[0], set.sectors[0]) = (tag, aggressor as u8, sectors);
    }
    Result {
        hits,
        sector_misses,
        gdc,
        ike,
    }
}

/// The replay that `cotenant replay` runs.
fn golden(accesses: &[Access]) -> Result {
    let geometry = Geometry {
        sets: SETS,
        ways: WAYS,
        line: LINE,
        kernels: KERNELS,
        banks: 4,
    };
    let mut cache = Fast::new(geometry).expect("a legal geometry");
    let source = accesses
        .iter()
        .copied()
        .map(Ok::<_, std::convert::Infallible>);
    cache.replay(source).expect("known kernels");
    let counts = cache.counts();
    let fixed = |rows: &[Vec<u64>]| std::array::from_fn(|v| std::array::from_fn(|a| rows[v][a]));
    Result {
        hits: counts.hits,
        sector_misses: counts.sector_misses,
        gdc: fixed(&counts.gdc),
        ike: fixed(&counts.ike),
    }
}

fn bench(criterion: &mut Criterion) {
    let accesses = mix();
    let (expected, found) = (bare(&accesses), golden(&accesses));
    assert_eq!(
        found.hash(),
        expected.hash(),
        "golden {found:?}, bare {expected:?}"
    );

    let mut group = criterion.benchmark_group("replay");
    group.throughput(Throughput::Elements(ACCESSES as u64));
    group
        .sample_size(10)
        .measurement_time(Duration::from_secs(5));
    group.bench_function("bare", |b| b.iter(|| bare(black_box(&accesses))));
    group.bench_function("golden", |b| b.iter(|| golden(black_box(&accesses))));
    group.finish();

    // The two turn by turn, so that a busy machine slows both; the best of each counts.
    let time = |run: fn(&[Access]) -> Result| {
        let start = Instant::now();
        let hash = run(black_box(&accesses)).hash();
        assert_eq!(hash, expected.hash());
        start.elapsed().as_secs_f64()
    };
    let (mut best_bare, mut best_golden) = (f64::MAX, f64::MAX);
    for _ in 0..5 {
        best_bare = best_bare.min(time(bare));
        best_golden = best_golden.min(time(golden));
    }
    let rate = |seconds: f64| ACCESSES as f64 / seconds / 1e6;
    println!(
        "replay: golden {:.1} M accesses/s, bare {:.1} M accesses/s, ratio {:.2} (aim {AIM}), \
         result hash {:#018x}",
        rate(best_golden),
        rate(best_bare),
        best_bare / best_golden,
        expected.hash(),
    );
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    bench(&mut criterion);
    criterion.final_summary();
}
