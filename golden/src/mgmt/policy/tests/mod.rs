//! What the policies' tests have in common: streams, and caches that run them.

mod bound;
mod costs;
mod insertion;
mod interval;
mod reference;
mod tap;
mod utility;

use super::*;
use crate::llc::cache::Geometry;
use proptest::prelude::*;

/// A byte address of an application, in lines of 64 bytes.
type Touch = (u8, u64);

const LINE: u64 = 64;

fn geometry(sets: usize, ways: usize, kernels: usize) -> Geometry {
    Geometry {
        sets,
        ways,
        line: LINE,
        kernels,
        banks: 1,
    }
}

fn cache(kind: Kind, geometry: Geometry, config: &Config, stream: &[Touch]) -> SharedCache {
    let future: Vec<u64> = stream.iter().map(|&(_, address)| address).collect();
    let policy = kind.policy(&geometry, config, &future).unwrap();
    SharedCache::new(geometry, policy).unwrap()
}

/// Runs a stream in periods of so many accesses.
fn run(cache: &mut SharedCache, stream: &[Touch], period: usize) -> Vec<Period> {
    let mut periods = Vec::new();
    for accesses in stream.chunks(period) {
        for &(app, address) in accesses {
            cache.access(app, address).unwrap();
        }
        periods.push(cache.end_period(None));
    }
    periods
}

fn misses(cache: &SharedCache) -> u64 {
    cache.counts().iter().map(|it| it.misses).sum()
}

/// Whatever policies there are must take these: from one way to 64, one set to 64.
fn geometries() -> impl Strategy<Value = Geometry> {
    let ways = prop::sample::select(vec![1usize, 2, 3, 4, 7, 8, 16, 33, 64]);
    (0u32..7, ways, 1usize..=4).prop_map(|(sets, ways, kernels)| geometry(1 << sets, ways, kernels))
}

/// Accesses to so many lines in all, of which applications share some or none: each application
/// draws, loops or streams.
fn streams(geometry: Geometry, length: usize) -> impl Strategy<Value = Vec<Touch>> {
    let lines = (geometry.sets * geometry.ways) as u64;
    let behaviour = prop::collection::vec((0u8..3, 1..=2 * lines + 1), geometry.kernels);
    let draw = (0..geometry.kernels, any::<u32>());
    let draws = prop::collection::vec(draw, 1..length);
    (behaviour, draws, any::<bool>()).prop_map(move |(behaviour, draws, shared)| {
        let mut at = vec![0u64; geometry.kernels];
        let touch = |(app, draw): (usize, u32)| {
            let (kind, footprint) = behaviour[app];
            at[app] += 1;
            let line = match kind {
                0 => u64::from(draw) % footprint,
                1 => at[app] % footprint,
                _ => at[app],
            };
            let base = if shared { 0 } else { (app as u64) << 32 };
            (app as u8, base + line * LINE)
        };
        draws.into_iter().map(touch).collect()
    })
}

/// A geometry and a stream for it.
fn workloads(length: usize) -> impl Strategy<Value = (Geometry, Vec<Touch>)> {
    geometries().prop_flat_map(move |geometry| (Just(geometry), streams(geometry, length)))
}
