//! Rationale: SRRIP and BRRIP by hand in one set; a scan does not drive out what is used. DRRIP has a
//! known answer where nobody follows: with all sets leaders, each set's misses are those of the
//! policy that it leads with, to the last one. Lines that are all inserted as distant take one way. What
//! followers then do is the unit's and tested
//! there; here a loop that does not fit must come to the better of the two policies.

use super::super::interval::{Duel, Interval, Params};
use super::*;
use crate::mgmt::drrip::Policy as Insertion;
use crate::model::Model;

const PARAMS: Params = Params {
    rrpv_w: 2,
    psel_w: 10,
    leaders: 32,
    seed: 0x2545_f491,
};

/// A cache of the family.
fn with(geometry: Geometry, duel: Duel) -> SharedCache {
    let policy = Interval::new(&geometry, &PARAMS, duel).unwrap();
    SharedCache::new(geometry, Box::new(policy)).unwrap()
}

fn decided(geometry: Geometry, policy: Insertion) -> SharedCache {
    with(geometry, Duel::decided(policy, &PARAMS).unwrap())
}

proptest! {
    #[test]
    fn with_all_sets_leaders_each_does_as_its_policy(
        (geometry, mut stream) in (1u32..6, 2usize..9, 0u32..3)
            .prop_flat_map(|(sets, ways, kernels)| {
                let sets = 1 << sets.max(kernels + 1);
                let found = geometry(sets, ways, 1 << kernels);
                (Just(found), streams(found, 800))
            }),
    ) {
        let Geometry { sets, kernels, .. } = geometry;
        let duel = Duel::with_leaders(&geometry, &PARAMS, sets / (2 * kernels)).unwrap();
        let leaders = duel.unit().params().clone();
        let led = |address: u64| leaders.led(geometry.set_of(address) as u32).unwrap();
        // Each application keeps to its own sets.
        for (app, address) in &mut stream {
            *app = led(*address).0 as u8;
        }
        let mut drrip = with(geometry, duel);
        run(&mut drrip, &stream, usize::MAX);
        let parent = |policy: Insertion| {
            let its = stream.iter().filter(|(_, address)| led(*address).1 == policy);
            let its: Vec<Touch> = its.copied().collect();
            let mut cache = decided(geometry, policy);
            run(&mut cache, &its, its.len().max(1));
            cache.counts().to_vec()
        };
        let (srrip, brrip) = (parent(Insertion::Srrip), parent(Insertion::Brrip));
        for (all, (srrip, brrip)) in drrip.counts().iter().zip(srrip.iter().zip(&brrip)) {
            prop_assert_eq!(all.accesses, srrip.accesses + brrip.accesses);
            prop_assert_eq!(all.misses, srrip.misses + brrip.misses);
        }
    }
}

/// Hits of one set of four ways on these lines.
fn hits<const N: usize>(cache: &mut SharedCache, lines: [u64; N]) -> [bool; N] {
    lines.map(|line| cache.access(0, line * LINE).unwrap().hit)
}

#[test]
fn a_scan_does_not_drive_out_a_line_that_has_hit() {
    let mut srrip = decided(geometry(1, 4, 1), Insertion::Srrip);
    // Line 0 has hit: 0. Lines 1 to 3 fill at 2. Each of the scan ages all once or not at all, and
    // replaces the first with 3.
    assert_eq!(
        hits(&mut srrip, [0, 0, 1, 2, 3]),
        [false, true, false, false, false]
    );
    assert_eq!(hits(&mut srrip, [4, 5, 6]), [false; 3]);
    assert_eq!(hits(&mut srrip, [0]), [true]);
    let mut lru = cache(Kind::Lru, geometry(1, 4, 1), &Config::new(0), &[]);
    hits(&mut lru, [0, 0, 1, 2, 3, 4, 5, 6]);
    assert_eq!(hits(&mut lru, [0]), [false]);
}

#[test]
fn lines_that_are_all_inserted_as_distant_take_one_way() {
    let geometry = geometry(1, 4, 2);
    let kept = |distant: bool| {
        let duel = Duel::decided(Insertion::Srrip, &PARAMS).unwrap();
        let policy = Interval::new(&geometry, &PARAMS, duel).unwrap();
        let policy = match distant {
            true => policy.inserting_distant(1),
            false => policy,
        };
        let mut cache = SharedCache::new(geometry, Box::new(policy)).unwrap();
        hits(&mut cache, [0, 1, 2]);
        (100..140).for_each(|line| _ = cache.access(1, line * LINE).unwrap());
        hits(&mut cache, [0, 1, 2])
    };
    assert_eq!(kept(false), [false; 3]);
    assert_eq!(kept(true), [true; 3]);
}

/// A loop over six lines per set of four ways.
fn thrashing(sets: u64) -> Vec<Touch> {
    (0..400 * sets)
        .map(|n| (0, n % (6 * sets) * LINE))
        .collect()
}

#[test]
fn a_duel_comes_to_the_better_policy() {
    let found = geometry(64, 4, 1);
    let stream = thrashing(64);
    let of = |mut cache: SharedCache| {
        run(&mut cache, &stream, usize::MAX);
        misses(&cache)
    };
    let srrip = of(decided(found, Insertion::Srrip));
    let brrip = of(decided(found, Insertion::Brrip));
    assert_eq!(srrip, 64 * 400, "nothing hits");
    // Nearly three of six lines stay.
    assert!(5 * brrip < 3 * srrip, "{brrip} and {srrip}");
    let drrip = of(with(found, Duel::with_leaders(&found, &PARAMS, 4).unwrap()));
    // Four of 64 sets lead with the worse one; the duel takes some hundred misses.
    let worst = brrip + (srrip - brrip) / 8;
    assert!(
        (brrip..worst).contains(&drrip),
        "{drrip}, {brrip} to {worst}"
    );
}

#[test]
fn small_caches_have_fewer_leaders() {
    for (sets, kernels, leaders) in [
        (4096, 5, 32),
        (256, 4, 16),
        (256, 3, 16),
        (16, 4, 1),
        (8, 4, 1),
    ] {
        let duel = Duel::new(&geometry(sets, 4, kernels), &PARAMS).unwrap();
        assert_eq!(duel.unit().params().leaders, leaders, "{sets} sets");
    }
}
