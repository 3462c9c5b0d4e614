//! Rationale: Belady's optimum is a bound for every policy, the ones that bypass too. It is compared
//! with all choices that there are, for streams short enough to try all; then with each policy, for
//! random streams, where a policy that passes it would be a cache that keeps more than its ways.
//! The check is shown to catch one: the bound of a cache of one way less is passed.

use super::*;

/// Who has fewer misses than the bound, with how many.
fn passing(geometry: Geometry, bound: u64, stream: &[Touch]) -> Option<(Kind, u64)> {
    let kinds = Kind::ALL.into_iter().chain(Kind::PARTS).filter(|kind| {
        // Small caches have not all policies.
        let config = Config::new(geometry.kernels - 1);
        kind.policy(&geometry, &config, &[]).is_ok()
    });
    let mut counts = kinds.map(|kind| {
        let config = Config::new(geometry.kernels - 1);
        let mut cache = cache(kind, geometry, &config, stream);
        run(&mut cache, stream, 50);
        (kind, misses(&cache))
    });
    counts.find(|&(_, misses)| misses < bound)
}

fn optimum(geometry: Geometry, stream: &[Touch]) -> u64 {
    let mut opt = cache(Kind::Opt, geometry, &Config::new(0), stream);
    run(&mut opt, stream, 50);
    misses(&opt)
}

/// The fewest misses of one set from here on, by trying each line as the victim, and none.
fn fewest(ways: usize, held: &[u64], lines: &[u64]) -> u64 {
    let Some((line, rest)) = lines.split_first() else {
        return 0;
    };
    if held.contains(line) {
        return fewest(ways, held, rest);
    }
    let mut best = fewest(ways, held, rest);
    if held.len() < ways {
        best = best.min(fewest(ways, &[held, &[*line]].concat(), rest));
    } else {
        for victim in 0..ways {
            let mut kept = held.to_vec();
            kept[victim] = *line;
            best = best.min(fewest(ways, &kept, rest));
        }
    }
    best + 1
}

proptest! {
    #[test]
    fn it_is_the_best_of_all_choices(
        ways in 1usize..4,
        lines in prop::collection::vec(0u64..5, 0..10),
    ) {
        let stream: Vec<Touch> = lines.iter().map(|&line| (0, line * LINE)).collect();
        prop_assert_eq!(optimum(geometry(1, ways, 1), &stream), fewest(ways, &[], &lines));
    }

    #[test]
    fn no_policy_passes_it((geometry, stream) in workloads(600)) {
        prop_assert_eq!(passing(geometry, optimum(geometry, &stream), &stream), None);
    }
}

#[test]
fn the_bound_of_one_way_less_is_passed() {
    let of = |ways| geometry(1, ways, 1);
    let stream: Vec<Touch> = (0..100).map(|n| (0, n % 4 * LINE)).collect();
    let (bound, less) = (optimum(of(4), &stream), optimum(of(3), &stream));
    assert_eq!(passing(of(4), bound, &stream), None);
    assert_eq!(passing(of(4), less, &stream), Some((Kind::Lru, 4)));
}

#[test]
fn belady_by_hand() {
    // Two ways, lines A B C A B: C bypasses, since A and B are used again and C is not.
    let stream = [0, 1, 2, 0, 1].map(|line| (0, line * LINE));
    let mut opt = cache(Kind::Opt, geometry(1, 2, 1), &Config::new(0), &stream);
    let found = stream.map(|(app, address)| opt.access(app, address).unwrap());
    let hits = found.map(|it| it.hit);
    assert_eq!(hits, [false, false, false, true, true]);
    assert_eq!(found[2].way, None);
}
