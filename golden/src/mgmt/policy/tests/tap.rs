//! Rationale: XSRATIO and the estimate at their thresholds. What each mask does, seen in the cache:
//! one way for a GPU that caching does not help, counters divided by XSRATIO, hits that do not
//! promote and lines that are replaced first. TAP-S takes both back when the CPUs stream. A policy
//! that acts on one finding alone is the whole one where the other says nothing, and the one that acts
//! on none where its own says nothing.

use super::super::monitor::{Monitor, Streaming};
use super::super::tap::{helps, xsratio};
use super::*;

#[test]
fn ratios_at_their_limits() {
    for (gpu, cpu, ratio) in [
        (0, 0, 1),
        (1, 0, 1023),
        (100, 10, 1),
        (101, 10, 10),
        (109, 10, 10),
        (110, 10, 11),
        (9, 100, 1),
        (1023, 1, 1023),
        (5000, 1, 1023),
        (u64::MAX, 1, 1023),
        (u64::MAX, u64::MAX, 1),
    ] {
        assert_eq!(xsratio(gpu, cpu), ratio, "{gpu} / {cpu}");
    }
}

#[test]
fn caching_helps_from_one_hit_in_twenty() {
    for (hits, helped) in [(0, false), (1, false), (2, true), (39, true)] {
        let mut monitor = Monitor::new(&geometry(1, 2, 1), 1).unwrap();
        for n in 0..40 {
            // The first so many accesses after the very first one hit.
            monitor.access(0, if n <= hits { 0 } else { n });
        }
        assert_eq!(monitor.hits(), [hits, 0]);
        assert_eq!(helps(&monitor), Some(helped), "{hits} of 40");
    }
    assert_eq!(helps(&Monitor::new(&geometry(1, 2, 1), 1).unwrap()), None);
}

#[test]
fn streaming_at_its_thresholds() {
    let rule = Streaming {
        accesses: 10,
        miss_percent: 90,
    };
    assert!(rule.is(10, 9, 10));
    assert!(!rule.is(9, 9, 9));
    assert!(!rule.is(1000, 899, 1000));
    assert!(rule.is(1000, 900, 1000));
    assert!(!rule.is(1000, 0, 0), "none was seen");
}

/// Each set in turn; the GPU, application 1, loops over some lines per set and so does the CPU.
fn loops(sets: u64, cpu: u64, gpu: u64, gpu_accesses: u64, turns: u64) -> Vec<Touch> {
    let mut stream = Vec::new();
    let mut gpu_at = 0;
    for n in 0..turns * sets {
        stream.push((0, n % (cpu * sets) * LINE));
        for _ in 0..gpu_accesses {
            stream.push((1, (1 << 32) + gpu_at % (gpu * sets) * LINE));
            gpu_at += 1;
        }
    }
    stream
}

/// Long enough for the loops of CPUs to turn several times.
const PERIOD: usize = 16384;

fn told(kind: Kind, stream: &[Touch], helps: Option<bool>) -> (Decision, Vec<u64>) {
    let config = Config {
        streaming: Streaming {
            accesses: 100,
            ..Streaming::default()
        },
        ..Config::new(1)
    };
    let mut cache = cache(kind, geometry(64, 8, 2), &config, stream);
    for (n, &(app, address)) in stream.iter().enumerate() {
        cache.access(app, address).unwrap();
        if n % PERIOD == PERIOD - 1 {
            cache.end_period(helps);
        }
    }
    let hits = cache.counts().iter().map(|it| it.hits).collect();
    (cache.decision(), hits)
}

#[test]
fn a_gpu_that_caching_does_not_help_gets_one_way() {
    let stream = loops(64, 6, 6, 2, 200);
    let (ucp, _) = told(Kind::Ucp, &stream, None);
    assert_eq!(ucp.quotas, Some(vec![2, 6]), "the GPU has more hits");
    let (helped, _) = told(Kind::TapUcp, &stream, Some(true));
    assert_eq!((&helped.quotas, helped.xsratio), (&ucp.quotas, Some(1)));
    let (masked, _) = told(Kind::TapUcp, &stream, Some(false));
    assert_eq!(masked.quotas, Some(vec![7, 1]));
    assert_eq!(masked.caching_helps, Some(false));
    // Not told, it is found by its hits: the loop fits.
    let (estimated, _) = told(Kind::TapUcp, &stream, None);
    assert_eq!(estimated.caching_helps, Some(true));
    assert_eq!(estimated.quotas, ucp.quotas);
}

#[test]
fn a_gpu_with_many_more_accesses_has_its_hits_divided() {
    let stream = loops(64, 6, 6, 15, 200);
    let (ucp, _) = told(Kind::Ucp, &stream, None);
    assert_eq!(ucp.quotas, Some(vec![2, 6]));
    let (tap, _) = told(Kind::TapUcp, &stream, Some(true));
    // 15 times the accesses, and a fifteenth of the hits: as much as the CPU, whose id is
    // lower, also for the way that is left.
    assert_eq!(tap.xsratio, Some(15));
    assert_eq!(tap.quotas, Some(vec![7, 1]));
}

#[test]
fn a_masked_gpu_leaves_the_cache_to_the_cpu() {
    let stream = loops(64, 6, 6, 3, 400);
    let (_, free) = told(Kind::TapRrip, &stream, Some(true));
    let (decided, masked) = told(Kind::TapRrip, &stream, Some(false));
    assert_eq!((decided.quotas, decided.xsratio), (None, Some(1)));
    assert!(
        masked[0] > free[0] && masked[1] < free[1],
        "{free:?}, {masked:?}"
    );
    // The mask is the only difference from DRRIP.
    let (_, drrip) = told(Kind::Drrip, &stream, None);
    assert_eq!(free, drrip);
}

#[test]
fn each_finding_alone_does_its_part() {
    // By the GPU's accesses per one of the CPU, of which more than ten are XSRATIO's; whether caching
    // helps; and the policy that does the same as the part.
    let ucp = [Kind::TapUcp, Kind::TapUcpMask, Kind::TapUcpRatio];
    let rrip = [Kind::TapRrip, Kind::TapRripMask, Kind::TapRripRatio];
    for ([both, mask, ratio], neither) in
        [(ucp, Kind::TapUcpSampling), (rrip, Kind::TapRripSampling)]
    {
        for (accesses, helps) in [(2, true), (2, false), (15, true)] {
            let stream = loops(64, 6, 6, accesses, 200);
            let outcome = |kind| {
                let (decided, hits) = told(kind, &stream, Some(helps));
                (decided.quotas, hits)
            };
            let (found, none) = (outcome(both), outcome(neither));
            assert_eq!(found == none, accesses == 2 && helps, "{both}");
            let [does, does_not] = match accesses {
                2 => [mask, ratio],
                _ => [ratio, mask],
            };
            assert_eq!(outcome(does), found, "{does}, {accesses}, {helps}");
            assert_eq!(outcome(does_not), none, "{does_not}, {accesses}, {helps}");
        }
        // Without sampled cores, what acts on nothing is what it is made from.
        let stream = loops(64, 6, 6, 15, 200);
        let base = match both {
            Kind::TapUcp => Kind::Ucp,
            _ => Kind::Drrip,
        };
        assert_eq!(
            told(neither, &stream, Some(false)).1,
            told(base, &stream, None).1
        );
    }
}

#[test]
fn streaming_cpus_take_the_masks_back() {
    let stream = loops(64, 1 << 20, 6, 15, 200);
    let (decided, hits) = told(Kind::TapRripS, &stream, None);
    assert_eq!(decided.streaming, Some(vec![true, false]));
    assert!(
        decided.xsratio > Some(1),
        "or there would be nothing to take back"
    );
    assert_eq!(hits, told(Kind::Drrip, &stream, None).1);
    assert!(told(Kind::TapRrip, &stream, None).1[1] < hits[1]);

    let (tap, _) = told(Kind::TapUcpS, &stream, Some(true));
    assert_eq!(tap.quotas, Some(vec![1, 7]));
    // A CPU that does not stream is left alone.
    let stream = loops(64, 6, 6, 15, 200);
    for (with, without) in [
        (Kind::TapUcpS, Kind::TapUcp),
        (Kind::TapRripS, Kind::TapRrip),
    ] {
        let (decided, hits) = told(with, &stream, None);
        assert_eq!(decided.streaming, Some(vec![false, false]));
        assert_eq!(hits, told(without, &stream, None).1, "{with}");
    }
}

// Set 3 is no leader's. PSEL begins in the middle, so that all insert as BRRIP, with 3.
#[test]
fn what_the_mask_does_by_hand() {
    let with = |helps: bool| {
        let mut cache = cache(Kind::TapRrip, geometry(16, 2, 2), &Config::new(1), &[]);
        cache.end_period(Some(helps));
        cache
    };
    let touch = |cache: &mut SharedCache, app: u8, line: u64| {
        let address = (u64::from(app) << 32) + (3 + 16 * line) * LINE;
        cache.access(app, address).unwrap()
    };
    // Of a line of the CPU and one of the GPU that are both replaceable the GPU's goes first.
    for (helps, way) in [(true, 0), (false, 1)] {
        let mut cache = with(helps);
        touch(&mut cache, 0, 0);
        touch(&mut cache, 1, 1);
        assert_eq!(
            touch(&mut cache, 0, 2).way,
            Some(way),
            "caching helps: {helps}"
        );
    }
    // A hit of the GPU keeps its line only without the mask; one of the CPU always does.
    for (helps, app, way) in [(true, 1, 1), (false, 1, 0), (false, 0, 1)] {
        let mut cache = with(helps);
        touch(&mut cache, app, 0);
        assert!(touch(&mut cache, app, 0).hit);
        touch(&mut cache, app, 1);
        assert_eq!(
            touch(&mut cache, app, 2).way,
            Some(way),
            "application {app}, {helps}"
        );
    }
}

// Of two lines in a set that is no leader's the one that goes first tells where it was inserted.
#[test]
fn sampled_cores_keep_their_policies_under_the_mask() {
    for (kind, core, helps, bypassed, kept) in [
        (Kind::TapUcp, Core::Pol1, true, true, false),
        (Kind::TapUcp, Core::Pol1, false, true, false),
        (Kind::TapUcp, Core::Pol2, false, false, true),
        (Kind::TapRrip, Core::Pol1, true, false, false),
        (Kind::TapRrip, Core::Pol2, false, false, true),
        // Others do not look at it.
        (Kind::Ucp, Core::Pol1, true, false, true),
        (Kind::Drrip, Core::Pol2, true, false, false),
    ] {
        let mut cache = cache(kind, geometry(16, 2, 2), &Config::new(1), &[]);
        cache.end_period(Some(helps));
        let mut gpu = |core, line: u64| {
            let address = (1 << 32) + (3 + 16 * line) * LINE;
            cache.access_by(core, 1, address).unwrap()
        };
        assert_eq!(gpu(core, 0).way.is_none(), bypassed, "{kind}, {core:?}");
        assert_eq!(gpu(core, 0).hit, !bypassed, "{kind}, {core:?}");
        (1..=2).for_each(|line| _ = gpu(core, line));
        let hit = gpu(core, 2).hit;
        assert_eq!(hit, kept || !bypassed, "{kind}, {core:?}");
    }
}
