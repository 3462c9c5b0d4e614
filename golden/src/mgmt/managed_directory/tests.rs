//! Rationale: under each policy the directory is held to the cache of [`policy`](crate::mgmt::policy),
//! which asks the units' models about one set at a time, on the same streams, with masks and sampled
//! cores; and to Belady's optimum, which nobody beats. Then what only the directory has: changes of
//! the policy, when configuration counts, invalidations, the report, the sweep.
use super::*;

fn params(ways: usize, sets: usize, applications: usize) -> Params {
    Params {
        ways,
        sets,
        applications,
        leaders: 1,
        tag_w: 20,
        rrpv_w: 2,
        psel_w: 3,
        seed: 0x2545_f491,
    }
}

fn swept(params: &Params) -> ManagedDirectory {
    let mut model = ManagedDirectory::new(params.clone()).unwrap();
    for _ in 0..params.sets {
        assert!(!model.step(&In::default()).ready);
    }
    assert!(model.clone().step(&In::default()).ready);
    model
}

/// Shares as equal as can be.
fn halves(params: &Params) -> ByApplication {
    let Params {
        ways, applications, ..
    } = *params;
    ByApplication::from_fn(applications, |app| {
        (ways / applications + usize::from(app < ways % applications)) as u64
    })
}

fn config(params: &Params, policy: Policy) -> In {
    In {
        policy: policy as u8,
        quota: halves(params),
        ..In::default()
    }
}

/// The access, and its report.
fn done(model: &mut ManagedDirectory, access: &In) -> Out {
    let after = In {
        access_valid: false,
        ..access.clone()
    };
    model.step(access);
    model.step(&after);
    model.step(&after)
}

fn line(base: &In, access_app: u8, access_set: u32, access_tag: u64) -> In {
    In {
        access_valid: true,
        access_app,
        access_set,
        access_tag,
        ..base.clone()
    }
}

/// The ways in LRU order, and the tags of the lines that are there.
fn order(model: &ManagedDirectory, set: usize) -> (Vec<u8>, Vec<u64>) {
    let lines = &model.state().sets[set];
    let there = lines.iter().filter(|line| line.valid);
    (
        lines.iter().map(|line| line.way).collect(),
        there.map(|line| line.tag).collect(),
    )
}

#[cfg(feature = "machines")]
mod caches {
    //! Against caches under one policy.
    use super::*;
    use crate::llc::cache::Geometry;
    use crate::mgmt::policy::interval::{self, Duel, Interval};
    use crate::mgmt::policy::monitor::Streaming;
    use crate::mgmt::policy::tap::Tap;
    use crate::mgmt::policy::{Config, Core, Kind, Outcome, SharedCache};
    use proptest::prelude::any;
    use proptest::prelude::*;

    fn geometry(params: &Params) -> Geometry {
        Geometry {
            sets: params.sets,
            ways: params.ways,
            line: 64,
            kernels: params.applications,
            banks: 1,
        }
    }

    /// An application, a set, a tag, and a core.
    type Drawn = (u8, u32, u64, u8);

    fn drawn() -> impl Strategy<Value = Vec<Drawn>> {
        prop::collection::vec(any::<Drawn>(), 1..400)
    }

    fn fit(params: &Params, tags: u64, stream: &[Drawn]) -> Vec<(u8, u32, u64, Core)> {
        let core = |core: u8| match core % 8 {
            0 => Core::Pol1,
            1 => Core::Pol2,
            _ => Core::Follower,
        };
        let fit = |&(app, set, tag, by): &Drawn| {
            let app = app % params.applications as u8;
            (app, set % params.sets as u32, tag % tags, core(by))
        };
        stream.iter().map(fit).collect()
    }

    fn input(base: &In, &(app, set, tag, core): &(u8, u32, u64, Core)) -> In {
        In {
            access_pol1: core == Core::Pol1,
            access_pol2: core == Core::Pol2,
            ..line(base, app, set, tag)
        }
    }

    /// One after the other, without a pause.
    fn same(
        params: &Params,
        base: &In,
        mut cache: SharedCache,
        stream: &[(u8, u32, u64, Core)],
    ) -> Result<u64, TestCaseError> {
        let mut model = swept(params);
        let mut expected: Vec<(u8, Outcome)> = Vec::new();
        let mut hits = 0;
        for (at, access) in stream.iter().map(Some).chain([None, None]).enumerate() {
            let cycle = access.map_or(base.clone(), |access| input(base, access));
            let out = model.step(&cycle);
            prop_assert_eq!(out.done_valid, at >= 2);
            if let Some((app, outcome)) = at.checked_sub(2).map(|at| expected[at]) {
                prop_assert_eq!(out.done_app, app);
                prop_assert_eq!(out.done_hit, outcome.hit, "{}", at);
                prop_assert_eq!(out.done_fill, !outcome.hit && outcome.way.is_some());
                prop_assert_eq!(usize::from(out.done_way), outcome.way.unwrap_or(0));
                prop_assert_eq!(out.done_evict, outcome.evicted.is_some());
                if let Some(owner) = outcome.evicted {
                    prop_assert_eq!(usize::from(out.done_owner), owner);
                }
                hits += u64::from(out.done_hit);
            }
            if let Some(&(app, set, tag, core)) = access {
                let address = (tag * params.sets as u64 + u64::from(set)) * 64;
                let outcome = cache.access_by(core, app, address).unwrap();
                prop_assert_eq!(outcome.set, set as usize);
                expected.push((app, outcome));
            }
        }
        Ok(hits)
    }

    fn cache(params: &Params, kind: Kind, config: &Config) -> SharedCache {
        let geometry = geometry(params);
        let policy = kind.policy(&geometry, config, &[]).unwrap();
        SharedCache::new(geometry, policy).unwrap()
    }

    fn interval(params: &Params) -> interval::Params {
        interval::Params {
            rrpv_w: params.rrpv_w,
            psel_w: params.psel_w,
            leaders: params.leaders,
            seed: params.seed,
        }
    }

    proptest! {
        #[test]
        fn lru_is_that_of_a_cache(ways in 2usize..9, tags in 1u64..14, stream in drawn()) {
            let params = params(ways, 4, 2);
            let base = config(&params, Policy::Lru);
            let stream = fit(&params, tags, &stream);
            let cache = cache(&params, Kind::Lru, &Config::new(1));
            same(&params, &base, cache, &stream)?;
        }

        #[test]
        fn quotas_are_those_of_a_partitioned_cache(
            ways in 3usize..9, tags in 1u64..14, first in 0usize..7, stream in drawn(),
        ) {
            let params = params(ways, 4, 2);
            let first = 1 + (first % (ways - 1)) as u64;
            let quota = [first, ways as u64 - first];
            let base = In { quota: ByApplication::copied(&quota), ..config(&params, Policy::Quotas) };
            let of = Config { partition: Some(quota.to_vec()), ..Config::new(1) };
            // A static partition has no sampled cores.
            let mut stream = fit(&params, tags, &stream);
            stream.iter_mut().for_each(|access| access.3 = Core::Follower);
            same(&params, &base, cache(&params, Kind::Static, &of), &stream)?;
        }

        #[test]
        fn sampled_cores_pass_a_partitioned_cache_by(
            ways in 2usize..9, tags in 1u64..14, stream in drawn(),
        ) {
            let params = params(ways, 4, 2);
            let base = config(&params, Policy::Quotas);
            // Without a period's end the partition stays as it began.
            let cache = cache(&params, Kind::TapUcp, &Config::new(1));
            same(&params, &base, cache, &fit(&params, tags, &stream))?;
        }

        #[test]
        fn rrip_is_that_of_a_cache_with_the_same_duel(
            ways in 2usize..9,
            (sets, applications) in prop::sample::select(vec![(4, 2), (16, 3), (32, 5)]),
            tags in 1u64..14,
            rrpv_w in 1usize..4,
            mask in any::<bool>(),
            stream in drawn(),
        ) {
            let params = Params { rrpv_w, ..params(ways, sets, applications) };
            let (geometry, of) = (geometry(&params), interval(&params));
            let duel = Duel::with_leaders(&geometry, &of, 1).unwrap();
            let gpu = applications - 1;
            let policy = Interval::new(&geometry, &of, duel).unwrap();
            let tap = Tap::new(gpu, false);
            let policy = policy.aware(&geometry, 2, Streaming::default(), tap).unwrap();
            let mut cache = SharedCache::new(geometry, Box::new(policy)).unwrap();
            // As core sampling finds it.
            cache.end_period(Some(!mask));
            let base = In {
                rrip_mask: u64::from(mask) << gpu,
                ..config(&params, Policy::Rrip)
            };
            let stream = fit(&params, tags, &stream);
            same(&params, &base, cache, &stream)?;
        }

        #[test]
        fn nobody_beats_beladys_optimum(ways in 2usize..6, tags in 1u64..14, stream in drawn()) {
            let params = params(ways, 4, 2);
            let mut stream = fit(&params, tags, &stream);
            stream.iter_mut().for_each(|access| access.3 = Core::Follower);
            let address = |&(_, set, tag, _): &(u8, u32, u64, Core)| {
                (tag * params.sets as u64 + u64::from(set)) * 64
            };
            let future: Vec<u64> = stream.iter().map(address).collect();
            let geometry = geometry(&params);
            let opt = Kind::Opt.policy(&geometry, &Config::new(1), &future).unwrap();
            let mut opt = SharedCache::new(geometry, opt).unwrap();
            let best = stream.iter().filter(|access| {
                opt.access(access.0, address(access)).unwrap().hit
            });
            let best = best.count();
            for policy in Policy::ALL {
                let base = config(&params, policy);
                let mut model = swept(&params);
                let accesses = stream.iter().map(|access| done(&mut model, &input(&base, access)));
                let hits = accesses.filter(|out| out.done_hit).count();
                prop_assert!(hits <= best, "{policy:?}: {hits} of {best}");
            }
        }
    }
}

/// A line comes and is hit; the report of each is two cycles later, and 0 else.
#[test]
fn an_access_is_reported_two_cycles_later() {
    let params = params(2, 4, 2);
    let mut model = swept(&params);
    let base = config(&params, Policy::Lru);
    assert!(!model.step(&line(&base, 1, 3, 7)).done_valid);
    assert!(!model.step(&line(&base, 0, 3, 7)).done_valid);
    let filled = model.step(&base);
    assert!(filled.done_valid && filled.done_fill && !filled.done_hit && !filled.done_evict);
    assert_eq!(
        (filled.done_app, filled.done_way, filled.done_owner),
        (1, 1, 0)
    );
    let hit = model.step(&base);
    assert!(hit.done_valid && hit.done_hit && !hit.done_fill);
    assert_eq!((hit.done_app, hit.done_way, hit.done_owner), (0, 1, 1));
    assert!(!model.step(&base).done_valid);
    let owner = model.state().sets[3][0].owner;
    assert_eq!(owner, 0, "whoever accesses a line owns it");
}

/// What is configured a cycle after an access decides about it.
#[test]
fn configuration_counts_when_the_set_is_written() {
    let params = params(2, 4, 2);
    for (late, victim) in [(Policy::Lru, 0), (Policy::Quotas, 1)] {
        let mut model = swept(&params);
        let lru = config(&params, Policy::Lru);
        done(&mut model, &line(&lru, 0, 0, 1));
        done(&mut model, &line(&lru, 1, 0, 2));
        // One line each; application 0 used its own longest ago.
        model.step(&line(&lru, 1, 0, 3));
        model.step(&config(&params, late));
        let out = model.step(&lru);
        assert!(out.done_evict);
        assert_eq!(out.done_owner, victim, "{late:?}");
    }
}

/// The order of last uses is kept under RRIP, and predictions are there after LRU.
#[test]
fn a_change_of_the_policy_moves_no_line() {
    let params = params(3, 4, 2);
    let mut model = swept(&params);
    let (lru, rrip) = (config(&params, Policy::Lru), config(&params, Policy::Rrip));
    for tag in 1..=3 {
        done(&mut model, &line(&rrip, 0, 0, tag));
    }
    // RRIP fills the lowest way first.
    assert_eq!(order(&model, 0), (vec![2, 1, 0], vec![3, 2, 1]));
    done(&mut model, &line(&rrip, 0, 0, 1));
    assert_eq!(order(&model, 0), (vec![0, 2, 1], vec![1, 3, 2]));
    // Now the least recently used one goes.
    let out = done(&mut model, &line(&lru, 1, 0, 4));
    assert_eq!((out.done_way, out.done_owner, out.done_evict), (1, 0, true));
    let lines = &model.state().sets[0];
    assert_eq!((lines[0].tag, lines[0].rrpv), (4, 0), "used under LRU");
    assert_eq!((lines[1].tag, lines[1].rrpv), (1, 0), "hit under RRIP");
    assert_ne!((lines[2].tag, lines[2].rrpv), (3, 0));
    // The only one that RRIP has not seen used again.
    let out = done(&mut model, &line(&rrip, 1, 0, 5));
    assert_eq!((out.done_way, out.done_owner), (2, 0));
}

/// A duel that goes on under other policies would decide by misses that are none of its policies'.
#[test]
fn the_duel_stands_still_without_rrip() {
    let params = params(2, 4, 2);
    let mut model = swept(&params);
    let before = model.state().drrip.clone();
    for policy in [Policy::Lru, Policy::Quotas] {
        for set in 0..4 {
            done(
                &mut model,
                &line(&config(&params, policy), 0, set, u64::from(set)),
            );
        }
    }
    assert_eq!(model.state().drrip, before);
    for set in 0..4 {
        done(&mut model, &line(&config(&params, Policy::Rrip), 0, set, 9));
    }
    assert_ne!(model.state().drrip, before);
}

/// It moves to the bottom, is filled first, and nothing is reported.
#[test]
fn an_invalidated_line_is_not_there() {
    let params = params(3, 4, 2);
    for policy in Policy::ALL {
        let mut model = swept(&params);
        let base = config(&params, policy);
        for tag in 1..=3 {
            done(&mut model, &line(&base, 0, 0, tag));
        }
        let (ways, tags) = order(&model, 0);
        assert_eq!(tags, [3, 2, 1]);
        let psel = model.state().drrip.clone();
        for tag in [2, 2, 8] {
            let gone = In {
                access_invalidate: true,
                ..line(&base, 1, 0, tag)
            };
            assert!(!done(&mut model, &gone).done_valid);
            assert_eq!(
                order(&model, 0),
                (vec![ways[0], ways[2], ways[1]], vec![3, 1])
            );
        }
        assert_eq!(model.state().drrip, psel);
        let out = done(&mut model, &line(&base, 1, 0, 2));
        assert!(out.done_fill && !out.done_evict, "{policy:?}");
        assert_eq!((out.done_way, out.done_owner), (ways[1], 0));
    }
}

/// What goes in while sets are cleared is ignored, and a reset clears them once more.
#[test]
fn accesses_are_ignored_until_the_sets_are_cleared() {
    let params = params(2, 4, 2);
    let mut model = swept(&params);
    let base = config(&params, Policy::Lru);
    done(&mut model, &line(&base, 0, 2, 5));
    let reset = In {
        reset: true,
        ..line(&base, 0, 2, 6)
    };
    model.step(&reset);
    for _ in 0..params.sets {
        let out = model.step(&line(&base, 0, 2, 5));
        assert!(!out.ready && !out.done_valid);
    }
    assert!(model.step(&base).ready);
    assert_eq!(order(&model, 2), (vec![0, 1], vec![]));
    assert!(!done(&mut model, &line(&base, 0, 2, 5)).done_hit);
}

#[test]
fn what_is_preset_is_a_set() {
    let mut model = ManagedDirectory::new(params(3, 4, 2)).unwrap();
    let line = |way, valid| Line {
        way,
        valid,
        tag: 9,
        ..Line::default()
    };
    // Way 1 twice, and one that there is not.
    model.preset(
        1,
        [line(1, false), line(1, true), line(7, true), line(2, true)],
    );
    assert_eq!(order(&model, 1), (vec![2, 1, 0], vec![9]));
    model.preset(99, []);
    model.start();
    assert!(model.step(&In::default()).ready);
}

#[test]
fn parameters_are_checked() {
    let legal = |change: &dyn Fn(&mut Params)| {
        let mut params = params(4, 16, 2);
        change(&mut params);
        ManagedDirectory::legal(&params).is_ok()
    };
    assert!(legal(&|_| {}));
    assert!(!legal(&|params| params.sets = 12));
    assert!(!legal(&|params| params.leaders = 3));
    assert!(!legal(&|params| params.leaders = 8));
    assert!(!legal(&|params| params.applications = 9));
    assert!(!legal(&|params| params.ways = 1));
    let model = ManagedDirectory::new(params(4, 16, 3)).unwrap();
    let unknown = In {
        access_app: 3,
        ..config(&params(4, 16, 3), Policy::Lru)
    };
    assert!(model.assume(&unknown).is_err());
    let both = In {
        access_pol1: true,
        access_pol2: true,
        ..config(&params(4, 16, 3), Policy::Lru)
    };
    assert!(model.assume(&both).is_err());
}
