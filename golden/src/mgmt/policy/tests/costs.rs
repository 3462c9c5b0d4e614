//! Rationale: the quotas must be what the rule says of the exact attribution, to the last way. That is
//! computed here from replays without a co-runner, for two applications as simple as a difference.
use super::*;
use crate::mgmt::policy::costs::proportional;

proptest! {
    #[test]
    fn quotas_are_all_ways_in_proportion(suffered in prop::collection::vec(0u128..1 << 60, 1..8), more in 0usize..40) {
        let ways = suffered.len() + more;
        let Some(quota) = proportional(ways, &suffered) else {
            prop_assert!(suffered.iter().all(|&misses| misses == 0));
            return Ok(());
        };
        prop_assert_eq!(quota.iter().sum::<u64>(), ways as u64);
        let all: u128 = suffered.iter().sum();
        for (&ways, misses) in quota.iter().zip(&suffered) {
            let exactly = misses * more as u128;
            let given = u128::from(ways - 1) * all;
            // Less than a way from what is exact.
            prop_assert!(ways >= 1 && given + all > exactly && given < exactly + all);
        }
        // What rounding down leaves over goes to the largest remainders, of equal ones to the first.
        let left = |app: usize| suffered[app] * more as u128 % all;
        let up = |app: usize| u128::from(quota[app] - 1) > suffered[app] * more as u128 / all;
        for high in 0..quota.len() {
            for low in 0..high {
                prop_assert!(!up(high) || up(low) || left(high) > left(low));
                prop_assert!(!up(low) || up(high) || left(low) >= left(high));
            }
        }
    }

    /// Of two applications without common lines what one costs the other is the difference to a run
    /// without it.
    #[test]
    fn costs_are_the_misses_that_a_co_runner_adds(draws in prop::collection::vec((0u8..2, 0u64..9), 50..300)) {
        let geometry = geometry(1, 6, 2);
        let stream: Vec<Touch> = draws
            .iter()
            .map(|&(app, line)| (app, (u64::from(app) << 32) + line * LINE))
            .collect();
        let lru = |only: Option<u8>| {
            let mut cache = cache(Kind::Lru, geometry, &Config::new(1), &[]);
            for &(app, address) in stream.iter().filter(|(app, _)| only.is_none_or(|only| only == *app)) {
                cache.access(app, address).unwrap();
            }
            cache.counts().iter().map(|it| it.misses).collect::<Vec<u64>>()
        };
        let together = lru(None);
        let suffered = [0u8, 1].map(|app| {
            let app_alone = lru(Some(app))[usize::from(app)];
            u128::from(together[usize::from(app)] - app_alone)
        });
        let mut cache = cache(Kind::Costs, geometry, &Config::new(1), &[]);
        run(&mut cache, &stream, stream.len());
        let expected = proportional(6, &suffered).unwrap_or(vec![3, 3]);
        prop_assert_eq!(cache.decision().quotas, Some(expected));
    }
}

/// A stream suffers nothing: the loop beside it gets all ways but one, and then hits.
#[test]
fn a_loop_is_kept_from_a_stream() {
    let geometry = geometry(1, 8, 2);
    let mut cache = cache(Kind::Costs, geometry, &Config::new(1), &[]);
    let stream: Vec<Touch> = (0..400u64)
        .flat_map(|n| [(0, n % 5 * LINE), (1, (1 << 32) + n * LINE)])
        .collect();
    let periods = run(&mut cache, &stream, 200);
    assert_eq!(periods[0].decision.quotas, Some(vec![4, 4]));
    assert_eq!(periods[1].decision.quotas, Some(vec![7, 1]));
    let hits: Vec<u64> = periods.iter().map(|it| it.kernels[0].hits).collect();
    assert!(
        hits[0] < 90 && hits[2..].iter().all(|&hits| hits == 100),
        "{hits:?}"
    );
    // Of a period without a miss that the other causes nothing is learnt.
    let quiet: Vec<Touch> = (0..200u64).map(|n| (1, (1 << 33) + n * LINE)).collect();
    let periods = run(&mut cache, &quiet, 100);
    assert_eq!(periods[1].decision.quotas, Some(vec![7, 1]));
}
