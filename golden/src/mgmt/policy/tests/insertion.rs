//! Rationale: TADIP, PIPP and TC by the positions and ways that the paper gives them: what a loop
//! that thrashes keeps, where a line is inserted and how far a hit moves it, how rarely a stream's
//! does, who is in the cage and when it opens. Beside a stream a loop misses as often as the stream
//! does; only a monitor tells them apart.

use super::super::monitor::Streaming;
use super::super::pipp::{Pipp, RARELY};
use super::*;

const RULE: Streaming = Streaming {
    accesses: 100,
    miss_percent: 90,
};

#[test]
fn dynamic_insertion_keeps_part_of_a_loop_that_thrashes() {
    let stream: Vec<Touch> = (0..64 * 400).map(|n| (0, n % (64 * 6) * LINE)).collect();
    let of = |kind| {
        let mut cache = cache(kind, geometry(64, 4, 1), &Config::new(0), &stream);
        run(&mut cache, &stream, usize::MAX);
        cache.counts()[0].hits
    };
    assert_eq!(of(Kind::Lru), 0);
    // Three of six lines stay, in all but the leader sets of LRU, once the duel is decided.
    let (hits, half) = (of(Kind::Tadip), 64 * 200);
    assert!((half / 2..=half).contains(&hits), "{hits} of {half}");
}

/// The ways of one set from MRU to LRU, and what to call.
fn pipp() -> Pipp {
    Pipp::new(&geometry(1, 8, 2), 1, RULE, 7).unwrap()
}

const FULL: Lines<'_> = Lines {
    owner: &[0; 8],
    valid: 0xff,
};

fn of(app: usize, tag: u64) -> Request {
    Request {
        app,
        set: 0,
        tag,
        core: Core::Follower,
    }
}

fn ended(accesses: u64, each: impl Fn(usize) -> u64) -> Vec<KernelCounts> {
    let counts = |app: usize| KernelCounts {
        kid: app as u8,
        accesses,
        misses: each(app),
        hits: accesses - each(app),
    };
    (0..2).map(counts).collect()
}

#[test]
fn lines_are_inserted_by_quota_and_promoted_by_one() {
    let mut pipp = pipp();
    // Four ways each: the way in the LRU position goes to the fourth from there.
    assert_eq!(pipp.miss(&of(0, 1), &FULL), Some(7));
    assert_eq!(pipp.order().of(0), [0, 1, 2, 3, 7, 4, 5, 6]);
    pipp.hit(&of(0, 1), &FULL, 7);
    assert_eq!(pipp.order().of(0), [0, 1, 2, 7, 3, 4, 5, 6]);
    pipp.hit(&of(0, 1), &FULL, 0);
    assert_eq!(pipp.order().of(0), [0, 1, 2, 7, 3, 4, 5, 6], "MRU stays");
    // An invalid way is filled before.
    let lines = Lines {
        valid: 0xfd,
        ..FULL
    };
    assert_eq!(pipp.miss(&of(1, 2), &lines), Some(1));
    assert_eq!(pipp.order().of(0), [0, 2, 7, 3, 1, 4, 5, 6]);
}

#[test]
fn a_stream_has_one_way_and_seldom_promotes() {
    let mut pipp = pipp();
    for n in 0..1000 {
        pipp.observe(&of(0, n % 4));
        pipp.observe(&of(1, n));
    }
    let kernels = ended(1000, |_| 0);
    pipp.end_period(&Ended {
        kernels: &kernels,
        caching_helps: None,
    });
    assert_eq!(pipp.decision().streaming, Some(vec![false, true]));
    assert_eq!(pipp.decision().quotas, Some(vec![7, 1]));
    assert_eq!(pipp.miss(&of(1, 1), &FULL), Some(7));
    assert_eq!(pipp.order().of(0), [0, 1, 2, 3, 4, 5, 6, 7]);
    let mut promoted = 0;
    let draws = 100 * RARELY;
    for _ in 0..draws {
        let way = usize::from(pipp.order().of(0)[7]);
        pipp.hit(&of(1, 1), &FULL, way);
        promoted += u64::from(usize::from(pipp.order().of(0)[7]) != way);
    }
    // Within four standard deviations.
    assert!(promoted.abs_diff(100) < 40, "{promoted} of {draws}");
}

#[test]
fn thrashers_share_a_cage_while_they_thrash() {
    let config = Config {
        streaming: RULE,
        ..Config::new(1)
    };
    let mut cache = cache(Kind::Tc, geometry(1, 16, 2), &config, &[]);
    let period = |cache: &mut SharedCache, from: u64, modulo: u64| {
        for n in 0..1000 {
            cache.access(0, n % 4 * LINE).unwrap();
            cache
                .access(1, (1 << 32) + (from + n) % modulo * LINE)
                .unwrap();
        }
        cache.end_period(None);
        cache.decision()
    };
    assert_eq!(cache.decision().quotas, Some(vec![16, 16]));
    let caged = period(&mut cache, 0, u64::MAX);
    assert_eq!(caged.streaming, Some(vec![false, true]));
    assert_eq!(caged.quotas, Some(vec![14, 2]));
    // Its next misses leave it what it had and no more; the other does not lose any.
    period(&mut cache, 1000, u64::MAX);
    for n in 2000..2020 {
        let outcome = cache.access(1, (1 << 32) + n * LINE).unwrap();
        assert_ne!(outcome.evicted, Some(0));
    }
    // A loop that fits the cage opens it.
    assert_eq!(period(&mut cache, 0, 2).quotas, Some(vec![16, 16]));
}

#[test]
fn nobody_is_caged_if_all_thrash() {
    let config = Config {
        streaming: RULE,
        ..Config::new(1)
    };
    let mut cache = cache(Kind::Tc, geometry(1, 16, 2), &config, &[]);
    for n in 0..1000 {
        cache.access(0, n * LINE).unwrap();
        cache.access(1, (1 << 32) + n * LINE).unwrap();
    }
    cache.end_period(None);
    assert_eq!(cache.decision().streaming, Some(vec![true, true]));
    assert_eq!(cache.decision().quotas, Some(vec![16, 16]));
}

#[test]
fn a_monitor_tells_a_victim_from_a_thrasher() {
    let config = Config {
        streaming: RULE,
        sampled: 1,
        ..Config::new(1)
    };
    let decided = |kind| {
        let mut cache = cache(kind, geometry(1, 16, 2), &config, &[]);
        // A loop that fits the cache alone, and eight new lines between two of its accesses.
        for n in 0..1000 {
            cache.access(0, n % 12 * LINE).unwrap();
            (0..8).for_each(|m| _ = cache.access(1, (1 << 32) + (8 * n + m) * LINE).unwrap());
        }
        cache.end_period(None);
        cache.decision()
    };
    let own_misses = decided(Kind::Tc);
    assert_eq!(own_misses.streaming, Some(vec![true, true]));
    assert_eq!(own_misses.quotas, Some(vec![16, 16]));
    let monitored = decided(Kind::TcMonitored);
    assert_eq!(monitored.streaming, Some(vec![false, true]));
    assert_eq!(monitored.quotas, Some(vec![14, 2]));
}
