//! Properties of a shared LRU cache.

use std::collections::BTreeSet;

use cotenant_golden::llc::cache::Geometry;
use cotenant_golden::workload::Access;

use super::Make;

type Checked = Result<(), String>;

fn hold(holds: bool, what: impl FnOnce() -> String) -> Checked {
    if holds {
        Ok(())
    } else {
        Err(what())
    }
}

/// What hits with some ways hits with more (Mattson et al., 1970), access by access: so neither
/// all kernels together nor any of them misses more. Of more sets nothing of the kind holds.
pub fn inclusion(make: Make<'_>, geometry: Geometry, accesses: &[Access]) -> Checked {
    let wider = Geometry {
        ways: geometry.ways + 1,
        ..geometry
    };
    let (mut narrow, mut wide) = (make(geometry), make(wider));
    for (n, access) in accesses.iter().enumerate() {
        let [here, there] = [&mut narrow, &mut wide].map(|cache| cache.access(access).unwrap());
        hold(there.hit || !here.hit, || {
            format!("access {n} hits in {} ways only", geometry.ways)
        })?;
    }
    let (narrow, wide) = (narrow.counts(), wide.counts());
    hold(wide.misses <= narrow.misses, || "more misses".into())?;
    for (narrow, wide) in narrow.kernels.iter().zip(&wide.kernels) {
        hold(wide.misses <= narrow.misses, || {
            format!("kernel {} misses more with more ways", narrow.kid)
        })?;
    }
    Ok(())
}

/// A line is found at the position of its stack distance: how many other lines of its set were
/// accessed since its last access. At `ways` or more it is not found.
pub fn distances(make: Make<'_>, geometry: Geometry, accesses: &[Access]) -> Checked {
    let mut cache = make(geometry);
    for (n, access) in accesses.iter().enumerate() {
        let outcome = cache.access(access).unwrap();
        let line = |access: &Access| access.address / geometry.line;
        let set = geometry.set_of(access.address);
        let mut between = BTreeSet::new();
        let mut distance = None;
        for before in accesses[..n].iter().rev() {
            if line(before) == line(access) {
                distance = Some(between.len());
                break;
            }
            if geometry.set_of(before.address) == set {
                between.insert(line(before));
            }
        }
        let expected = distance.unwrap_or(geometry.ways).min(geometry.ways);
        let found = (usize::from(outcome.hit_pos), outcome.hit);
        hold(found == (expected, expected < geometry.ways), || {
            format!("access {n}: hit, position {found:?}, distance {distance:?}")
        })?;
    }
    Ok(())
}

/// Kernels that exchange their ids exchange rows and columns of both matrices, and nothing else
/// changes.
pub fn permutation(make: Make<'_>, geometry: Geometry, accesses: &[Access]) -> Checked {
    let kernels = geometry.kernels;
    // One that moves all of them, and comes round only after all.
    let renamed = |kid: usize| (kid + 1) % kernels;
    let (mut before, mut after) = (make(geometry), make(geometry));
    for access in accesses {
        before.access(access).unwrap();
        let kernel = renamed(access.kernel.into()) as u8;
        after.access(&Access { kernel, ..*access }).unwrap();
    }
    let (before, after) = (before.counts(), after.counts());
    for (name, old, new) in [
        ("gdc", &before.gdc, &after.gdc),
        ("ike", &before.ike, &after.ike),
    ] {
        for victim in 0..kernels {
            for aggressor in 0..kernels {
                let moved = new[renamed(victim)][renamed(aggressor)];
                hold(old[victim][aggressor] == moved, || {
                    format!("{name}[{victim}][{aggressor}] does not move with its kernels")
                })?;
            }
        }
    }
    for (kid, kernel) in before.kernels.iter().enumerate() {
        let moved = &after.kernels[renamed(kid)];
        hold(
            (kernel.hits, kernel.misses) == (moved.hits, moved.misses),
            || format!("hits and misses of kernel {kid} do not move with it"),
        )?;
    }
    Ok(())
}

/// A miss demotes every valid line of its set, the last one out of the cache; a hit demotes those
/// above it. By owner, as the replacement bits before have it, and all by the accessor.
pub fn demotions(make: Make<'_>, geometry: Geometry, accesses: &[Access]) -> Checked {
    let mut cache = make(geometry);
    let mut last = cache.counts().gdc;
    for (n, access) in accesses.iter().enumerate() {
        let (before, outcome) = cache.observe(access).unwrap();
        let now = cache.counts().gdc;
        let mut expected = last.clone();
        for (position, owner) in before.owner.iter().enumerate() {
            let valid = before.valid >> position & 1 == 1;
            if valid && (!outcome.hit || position < usize::from(outcome.hit_pos)) {
                expected[usize::from(*owner)][usize::from(access.kernel)] += 1;
            }
        }
        let sum = |gdc: &[Vec<u64>]| gdc.iter().flatten().sum::<u64>();
        let all = u64::from(before.valid.count_ones());
        hold(outcome.hit || sum(&now) - sum(&last) == all, || {
            format!("access {n}: a miss demotes not all of {all} valid lines")
        })?;
        hold(now == expected, || {
            format!("access {n}: {now:?}, expected {expected:?}")
        })?;
        last = now;
    }
    Ok(())
}

/// Every eviction has a victim and an aggressor, who may be one; what misses did not evict is
/// still there.
pub fn evictions(make: Make<'_>, geometry: Geometry, accesses: &[Access]) -> Checked {
    let mut cache = make(geometry);
    let mut expected = vec![vec![0; geometry.kernels]; geometry.kernels];
    for access in accesses {
        let outcome = cache.access(access).unwrap();
        if !outcome.hit && outcome.victim_valid {
            expected[usize::from(outcome.victim_owner)][usize::from(access.kernel)] += 1u64;
        }
    }
    let counts = cache.counts();
    let sum: u64 = counts.ike.iter().flatten().sum();
    hold(sum == counts.evictions, || {
        format!("ike comes to {sum}, evictions are {}", counts.evictions)
    })?;
    hold(counts.ike == expected, || "ike blames another".into())?;
    let held = (0..geometry.sets).map(|set| u64::from(cache.stack(set).valid.count_ones()));
    let held: u64 = held.sum();
    hold(held == counts.misses - counts.evictions, || {
        format!("{held} lines are there")
    })
}
