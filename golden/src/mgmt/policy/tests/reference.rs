//! Rationale: replacement by LRU is known from the last-level cache that the units are compared
//! with, so this cache with `lru` must do the same at each access: set, way, hit, who is evicted.
//! A static partition that gives one application all ways is that application alone. One access by
//! hand shows what bypassing is.

use super::*;
use crate::llc::cache::{Cache, Reference};
use crate::workload::{Access, Op};

fn access(&(app, address): &Touch) -> Access {
    Access::at(app, Op::Read, address, LINE)
}

proptest! {
    #[test]
    fn lru_is_the_last_level_cache((geometry, stream) in workloads(400)) {
        let mut lru = cache(Kind::Lru, geometry, &Config::new(0), &[]);
        let mut reference = Reference::new(geometry).unwrap();
        for touch in &stream {
            let known = reference.access(&access(touch)).unwrap();
            let outcome = lru.access(touch.0, touch.1).unwrap();
            let evicted = (!known.hit && known.victim_valid).then_some(known.victim_owner.into());
            prop_assert_eq!(outcome, Outcome {
                set: known.set as usize,
                way: Some(known.way.into()),
                hit: known.hit,
                evicted,
            });
        }
        prop_assert_eq!(lru.counts(), reference.counts().kernels);
        prop_assert_eq!(lru.occupancy(), reference.counts().occupancy);
    }

    #[test]
    fn all_ways_for_one_application_are_that_application_alone(
        (geometry, mut stream) in workloads(400),
        chosen in 0usize..4,
    ) {
        // No line is shared: an application without ways would hit the other's lines.
        stream.iter_mut().for_each(|(app, address)| *address |= u64::from(*app) << 40);
        let chosen = chosen % geometry.kernels;
        let mut partition = vec![0; geometry.kernels];
        partition[chosen] = geometry.ways as u64;
        let config = Config { partition: Some(partition), ..Config::new(0) };
        let mut parts = cache(Kind::Static, geometry, &config, &[]);
        run(&mut parts, &stream, usize::MAX);

        let mut alone = Reference::new(geometry).unwrap();
        for touch in stream.iter().filter(|(app, _)| usize::from(*app) == chosen) {
            alone.access(&access(touch)).unwrap();
        }
        for (counts, alone) in parts.counts().iter().zip(alone.counts().kernels) {
            let app = usize::from(counts.kid);
            prop_assert_eq!(counts.hits, if app == chosen { alone.hits } else { 0 });
        }
    }
}

#[test]
fn an_application_without_ways_bypasses() {
    let config = Config {
        partition: Some(vec![2, 0]),
        ..Config::new(1)
    };
    let mut cache = cache(Kind::Static, geometry(1, 2, 2), &config, &[]);
    let bypassed = Outcome {
        set: 0,
        way: None,
        hit: false,
        evicted: None,
    };
    assert_eq!(cache.access(1, 0), Ok(bypassed));
    assert_eq!(cache.access(1, 0), Ok(bypassed));
    assert_eq!(cache.occupancy(), [0, 0]);
    cache.access(0, 0).unwrap();
    assert!(cache.access(0, 0).unwrap().hit);
}

#[test]
fn halves_are_those_of_the_cpus_and_of_the_gpu() {
    let cache = cache(Kind::Static, geometry(4, 7, 3), &Config::new(1), &[]);
    assert_eq!(cache.decision().quotas, Some(vec![4, 3, 4]));
}

#[test]
fn what_there_is_no_policy_for_is_named() {
    let of = |kind: Kind, geometry, config: &Config| {
        let error = kind.policy(&geometry, config, &[]).map(|_| ()).unwrap_err();
        error.to_string()
    };
    let config = Config::new(0);
    let partition = |ways: &[u64]| Config {
        partition: Some(ways.to_vec()),
        ..config.clone()
    };
    let four = geometry(64, 4, 2);
    for (kind, geometry, config, message) in [
        (Kind::Lru, geometry(3, 4, 2), &config, "sets is 3"),
        (
            Kind::Lru,
            geometry(64, 4, 17),
            &config,
            "kernels is 17, expected 1 to 16",
        ),
        (
            Kind::Lru,
            four,
            &Config::new(2),
            "gpu is 2, expected 0 to 1",
        ),
        (Kind::Static, geometry(1, 1, 1), &config, "ways is 1"),
        (
            Kind::Static,
            four,
            &partition(&[4]),
            "number of parts is 1, expected one of 2",
        ),
        (
            Kind::Static,
            four,
            &partition(&[4, 1]),
            "sum of all parts is 5, expected one of 4",
        ),
        (
            Kind::Ucp,
            geometry(64, 4, 5),
            &config,
            "kernels is 5, expected 1 to 4",
        ),
        (Kind::Srrip, geometry(64, 1, 2), &config, "ways is 1"),
        (
            Kind::Drrip,
            geometry(2, 4, 2),
            &config,
            "applications is 2, expected 1 to 1",
        ),
        (Kind::Pipp, geometry(64, 4, 5), &config, "kernels is 5"),
        (Kind::Tc, geometry(64, 1, 2), &config, "ways is 1"),
        (
            Kind::TapUcp,
            four,
            &Config {
                sampled: 3,
                ..config.clone()
            },
            "sampled is 3",
        ),
    ] {
        let told = of(kind, geometry, config);
        assert!(told.starts_with(message), "{kind}: {told}");
    }
    assert!(Kind::Lru.policy(&four, &config, &[]).is_ok());
}

#[test]
fn an_unknown_application_changes_nothing() {
    let mut cache = cache(Kind::Lru, geometry(1, 2, 2), &Config::new(0), &[]);
    assert!(cache.access(2, 0).is_err());
    assert_eq!((misses(&cache), cache.occupancy()), (0, vec![0, 0]));
}

#[test]
fn names_are_read_as_they_are_written() {
    for kind in Kind::ALL {
        assert_eq!(kind.to_string().parse(), Ok(kind));
    }
    for kind in Kind::ALL.into_iter().chain(Kind::PARTS) {
        assert_eq!(serde_json::to_value(kind).unwrap(), kind.name());
    }
    let error = "belady".parse::<Kind>().unwrap_err().to_string();
    assert!(error.ends_with("pipp, tc, costs, opt"), "{error}");
}
