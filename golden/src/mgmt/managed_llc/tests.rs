//! Rationale: over several periods hits, victims, quotas, ratio and masks are held to the caches of
//! [`policy`](crate::mgmt::policy) under the same streams, with sampled cores, and what the counters
//! tell to what was reported. Then what only this model has: the overrides, accesses and instructions at
//! a period's edge, how long a decision takes, and table 2.
use super::*;
use crate::mgmt::core_sampling::ByCore;

fn params(ways: usize, sets: usize, applications: usize) -> Params {
    Params {
        ways,
        sets,
        applications,
        leaders: 1,
        sampled: sets / 2,
        cores: 3,
        tiles: 2,
        tag_w: 20,
        rrpv_w: 2,
        psel_w: 3,
        seed: 0x2545_f491,
        xs_w: 10,
        cnt_w: 21,
        t_xs: 10,
        id_w: 2,
        retired_w: 8,
        instr_w: 20,
        rotate: 0,
    }
}

fn gpu(params: &Params) -> usize {
    params.applications - 1
}

fn idle(params: &Params, policy: managed_directory::Policy, aware: bool) -> In {
    In {
        policy: policy as u8,
        aware,
        gpu: 1 << gpu(params),
        sample: true,
        stream_accesses: 1,
        ..In::idle(params)
    }
}

fn swept(params: &Params) -> ManagedLlc {
    let mut model = ManagedLlc::new(params.clone()).unwrap();
    for _ in 0..params.sets {
        assert!(!model.step(&In::idle(params)).ready);
    }
    model
}

/// A period ends; the cycles until quotas are there, and what is told then.
fn end_period(model: &mut ManagedLlc, base: &In) -> (usize, Out) {
    let end = In {
        period: true,
        ..base.clone()
    };
    assert!(!model.step(&end).busy);
    for cycle in 1.. {
        let out = model.step(base);
        if out.decided {
            assert!(!out.busy);
            return (cycle, out);
        }
        assert!(out.busy, "{cycle}");
    }
    unreachable!()
}

fn read(model: &mut ManagedLlc, base: &In, (matrix, row, app): (bool, usize, usize)) -> u64 {
    model.step(&In {
        read_matrix: matrix,
        read_row: row as u8,
        read_app: app as u8,
        ..base.clone()
    });
    model.step(base).read_count
}

fn access(base: &In, app: usize, set: u32, tag: u64) -> In {
    In {
        access_valid: true,
        access_app: app as u8,
        access_set: set,
        access_tag: tag,
        access_core: 2,
        ..base.clone()
    }
}

#[cfg(feature = "machines")]
mod caches {
    //! Against caches under one policy, period by period.
    use super::*;
    use crate::llc::cache::Geometry;
    use crate::mgmt::core_sampling::caching_helps;
    use crate::mgmt::managed_directory::Policy;
    use crate::mgmt::policy::interval::{self, Duel, Interval};
    use crate::mgmt::policy::monitor::Streaming;
    use crate::mgmt::policy::tap::Tap;
    use crate::mgmt::policy::{Config, Core, Kind, Outcome, SharedCache};
    use proptest::prelude::any;
    use proptest::prelude::*;

    /// Who, where, which line, by which core.
    type Drawn = (u8, u32, u64, u8);
    /// A period: its accesses, and what the two sampled cores retire.
    type Period = (Vec<Drawn>, [u8; 2]);

    fn periods() -> impl Strategy<Value = Vec<Period>> {
        let accesses = prop::collection::vec(any::<Drawn>(), 0..150);
        // Close together as often as not.
        let retired = (1u8..=250, prop_oneof![0u8..12, any::<u8>()]);
        let retired = retired.prop_map(|(one, apart)| [one, one.saturating_sub(apart)]);
        prop::collection::vec((accesses, retired), 1..5)
    }

    fn geometry(params: &Params) -> Geometry {
        Geometry {
            sets: params.sets,
            ways: params.ways,
            line: 64,
            kernels: params.applications,
            banks: 1,
        }
    }

    fn cache(params: &Params, kind: Kind) -> SharedCache {
        let geometry = geometry(params);
        let config = Config {
            sampled: params.sampled,
            ..Config::new(gpu(params))
        };
        let interval = |aware: bool| -> Box<dyn crate::mgmt::policy::Policy> {
            let of = interval::Params {
                rrpv_w: params.rrpv_w,
                psel_w: params.psel_w,
                leaders: params.leaders,
                seed: params.seed,
            };
            let duel = Duel::with_leaders(&geometry, &of, params.leaders).unwrap();
            let policy = Interval::new(&geometry, &of, duel).unwrap();
            if !aware {
                return Box::new(policy);
            }
            let tap = Tap::new(gpu(params), false);
            let policy = policy.aware(&geometry, params.sampled, Streaming::default(), tap);
            Box::new(policy.unwrap())
        };
        let policy = match kind {
            Kind::Drrip => interval(false),
            Kind::TapRrip => interval(true),
            _ => kind.policy(&geometry, &config, &[]).unwrap(),
        };
        SharedCache::new(geometry, policy).unwrap()
    }

    /// What is told of accesses is what a cache does, and in each period the counters have all of it.
    struct Held<'a> {
        params: &'a Params,
        base: In,
        model: ManagedLlc,
        cache: SharedCache,
        expected: std::collections::VecDeque<(u8, Outcome)>,
        evictions: Vec<Vec<u64>>,
        accesses: Vec<Vec<u64>>,
    }

    impl Held<'_> {
        fn step(&mut self, input: &In) -> Result<(), TestCaseError> {
            let out = self.model.step(input);
            if !out.done_valid {
                return Ok(());
            }
            let (app, outcome) = self.expected.pop_front().unwrap();
            let by = usize::from(app);
            prop_assert_eq!(out.done_app, app);
            prop_assert_eq!(out.done_hit, outcome.hit);
            prop_assert_eq!(out.done_fill, !outcome.hit && outcome.way.is_some());
            prop_assert_eq!(usize::from(out.done_way), outcome.way.unwrap_or(0));
            self.accesses[usize::from(!outcome.hit)][by] += 1;
            if let Some(owner) = outcome.evicted {
                prop_assert_eq!(usize::from(out.done_owner), owner);
                self.evictions[owner][by] += 1;
            }
            Ok(())
        }

        fn period(&mut self, stream: &[Drawn], retired: [u8; 2]) -> Result<(), TestCaseError> {
            let Params {
                applications, sets, ..
            } = *self.params;
            let base = self.base.clone();
            let retired = [retired[0], retired[1], 0];
            self.step(&In {
                retired: ByCore::copied(&retired),
                ..base.clone()
            })?;
            for &(app, set, tag, core) in stream {
                // Mostly the GPU, so that its ratio passes the threshold.
                let app = match app % 16 {
                    0 => app / 16 % applications as u8,
                    _ => gpu(self.params) as u8,
                };
                let (set, tag) = (set % sets as u32, tag % 11);
                let access_core = match core % 8 {
                    core @ 0..=1 => core,
                    _ => 2,
                };
                let of_gpu = usize::from(app) == gpu(self.params);
                let as_what = [Core::Pol1, Core::Pol2, Core::Follower][usize::from(access_core)];
                let as_what = if of_gpu { as_what } else { Core::Follower };
                let address = (tag * sets as u64 + u64::from(set)) * 64;
                let outcome = self.cache.access_by(as_what, app, address).unwrap();
                self.expected.push_back((app, outcome));
                self.step(&In {
                    access_core,
                    ..access(&base, app.into(), set, tag)
                })?;
            }
            self.step(&base)?;
            self.step(&base)?;
            prop_assert!(self.expected.is_empty());
            Ok(())
        }

        /// A period ends.
        fn end(&mut self, retired: [u8; 2]) -> Result<Out, TestCaseError> {
            let helps = caching_helps(retired[0].into(), retired[1].into());
            self.cache.end_period(Some(helps.unwrap_or(true)));
            let (cycles, out) = end_period(&mut self.model, &self.base);
            let bound = self.params.masks_latency() + self.params.ucp().bound();
            prop_assert!(cycles <= bound, "{} cycles of {}", cycles, bound);
            let read =
                |model: &mut _, matrix, row, app| read(model, &self.base, (matrix, row, app));
            for app in 0..self.params.applications {
                for row in 0..self.params.applications {
                    let count = read(&mut self.model, false, row, app);
                    prop_assert_eq!(count, std::mem::take(&mut self.evictions[row][app]));
                }
                for row in 0..2 {
                    let count = read(&mut self.model, true, row, app);
                    prop_assert_eq!(count, std::mem::take(&mut self.accesses[row][app]));
                }
            }
            Ok(out)
        }
    }

    fn held(params: &Params, kind: Kind, periods: &[Period]) -> Result<(), TestCaseError> {
        let (policy, aware) = match kind {
            Kind::Lru => (Policy::Lru, false),
            Kind::Ucp => (Policy::Quotas, false),
            Kind::TapUcp => (Policy::Quotas, true),
            Kind::Drrip => (Policy::Rrip, false),
            _ => (Policy::Rrip, true),
        };
        let mut base = idle(params, policy, aware);
        // Those that know nothing of TAP have no sampled cores.
        base.sample = aware;
        let none = |rows: usize| vec![vec![0; params.applications]; rows];
        let mut both = Held {
            params,
            base,
            model: swept(params),
            cache: cache(params, kind),
            expected: Default::default(),
            evictions: none(params.applications),
            accesses: none(2),
        };
        // Now it is known which application is of the GPU.
        both.end([0, 0])?;
        for (stream, retired) in periods {
            both.period(stream, *retired)?;
            let retired = if aware { *retired } else { [0, 0] };
            let out = both.end(retired)?;
            let decision = both.cache.decision();
            if let Some(quotas) = decision.quotas {
                prop_assert_eq!(out.quota[..].to_vec(), quotas);
            }
            if let Some(xsratio) = decision.xsratio {
                prop_assert_eq!(out.xsratio, xsratio);
            }
            let helps = decision.caching_helps.unwrap_or(true);
            let bit = 1 << gpu(params);
            let masked = |mask: bool| if mask { bit } else { 0 };
            prop_assert_eq!(out.ucp_mask, masked(aware && !helps));
            let rrip = aware && (!helps || out.xsratio > 1);
            prop_assert_eq!(out.rrip_mask, masked(rrip));
        }
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        #[test]
        fn each_policy_is_that_of_a_cache(
            (ways, sets, applications) in
                prop::sample::select(vec![(2, 4, 2), (4, 8, 2), (5, 16, 3), (8, 32, 5)]),
            kind in prop::sample::select(vec![
                Kind::Lru, Kind::Ucp, Kind::TapUcp, Kind::Drrip, Kind::TapRrip,
            ]),
            periods in periods(),
        ) {
            held(&params(ways, sets, applications), kind, &periods)?;
        }
    }
}

#[test]
fn counters_have_table_2s_160_bits() {
    let params = Params {
        cores: 6,
        tiles: 4,
        id_w: 5,
        retired_w: 2,
        ..params(32, 4096, 2)
    };
    let mut bits = 0;
    State::registers(&params, &mut |name, _, width| {
        let named = ["sampler.retired[]", "sampler.pol1[]", "sampler.pol2[]"];
        bits += if named.contains(&name) { width } else { 0 };
    });
    assert_eq!(bits, 160);
}

#[test]
fn an_access_is_in_one_period() {
    // One that is reported as the period ends belongs to the next one, in all counters.
    let params = params(4, 8, 2);
    let base = idle(&params, managed_directory::Policy::Lru, false);
    for before in 0..4 {
        let mut model = swept(&params);
        model.step(&access(&base, 0, 0, 1));
        for _ in 0..before {
            model.step(&base);
        }
        end_period(&mut model, &base);
        let first = read(&mut model, &base, (true, 1, 0));
        let ratio = model.state().gpu_ratio.accesses[0];
        end_period(&mut model, &base);
        let second = read(&mut model, &base, (true, 1, 0));
        assert_eq!(
            (first, ratio, second),
            if before < 2 { (0, 1, 1) } else { (1, 0, 0) }
        );
    }
}

#[test]
fn monitors_lose_no_access() {
    // One per cycle, across the end of a period and the start of its decision.
    let params = params(4, 8, 2);
    let base = idle(&params, managed_directory::Policy::Lru, false);
    let mut model = swept(&params);
    let mut seen = 0;
    for cycle in 0..200 {
        let period = cycle % 100 == 20;
        let input = access(&base, 0, 0, cycle % 3);
        let start = model.state().masks.start;
        if start {
            seen += model.state().monitor[0].count.iter().sum::<u64>();
        }
        model.step(&In { period, ..input });
    }
    seen += model.state().monitor[0].count.iter().sum::<u64>();
    // The last one has not reached its stack.
    assert_eq!(seen, 199);
}

#[test]
fn software_gives_quotas_and_masks() {
    let params = params(4, 8, 2);
    let base = idle(&params, managed_directory::Policy::Quotas, true);
    let mut model = swept(&params);
    let given = In {
        quota_override: true,
        quota_given: ByApplication::copied(&[1, 3]),
        mask_override: true,
        ucp_mask_given: 0b01,
        rrip_mask_given: 0b11,
        ..base.clone()
    };
    let out = model.step(&given);
    assert_eq!(
        (&out.quota[..], out.ucp_mask, out.rrip_mask),
        (&[1, 3][..], 1, 3)
    );
    let all = In {
        ucp_mask_given: 0b11,
        ..given.clone()
    };
    assert_eq!(model.step(&all).ucp_mask, 0);
    // Without hits the first application has all that is given out, unless it is masked.
    let masked = In {
        quota_override: false,
        ..given
    };
    assert_eq!(end_period(&mut model, &masked).1.quota[..], [1, 3]);
    assert_eq!(end_period(&mut model, &base).1.quota[..], [3, 1]);
}
