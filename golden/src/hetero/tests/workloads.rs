//! Rationale: sets are fixed by their seed, have the numbers of table 7, and all that is in them
//! runs on the platform. Speedups are checked where they are known: LRU over itself is 1, equations
//! 1 and 2 by hand; and a cache that one application needs and another one floods is what
//! partitions are for.
use super::*;
use crate::hetero::machine::Stats;
use crate::hetero::speedup::{compare, geometric_mean};
use crate::hetero::workloads::Set;

#[test]
fn sets_are_those_of_table_7() {
    let config = Config::tap();
    for (set, count, cpus) in [
        (Set::OneCpu, 152, 1),
        (Set::TwoCpu, 150, 2),
        (Set::FourCpu, 75, 4),
        (Set::Streaming, 25, 1),
    ] {
        let workloads = set.workloads(WORKLOADS_SEED);
        assert_eq!(workloads.len(), count);
        assert_eq!(workloads, set.workloads(WORKLOADS_SEED));
        assert_ne!(workloads, set.workloads(WORKLOADS_SEED + 1));
        for (number, workload) in workloads.iter().enumerate() {
            workload.check(&config).unwrap();
            assert_eq!(workload.cpus.len(), cpus);
            let kind = Type::ALL[number % 5].to_string();
            assert!(workload.gpu.as_ref().unwrap().name.starts_with(&kind));
            for cpu in &workload.cpus {
                let streams = cpu.name.starts_with("streaming");
                assert_eq!(streams, set == Set::Streaming, "{}", cpu.name);
            }
        }
    }
}

#[test]
fn one_application_is_the_same_in_all_sets() {
    let all = Set::ALL.map(|set| set.workloads(WORKLOADS_SEED));
    let gpus = || all.iter().flatten().flat_map(|workload| &workload.gpu);
    for gpu in gpus() {
        assert!(gpus().all(|other| other.name != gpu.name || other == gpu));
    }
    let mut names: Vec<&str> = gpus().map(|gpu| gpu.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), 32, "table 6");
}

#[test]
fn speedups_are_by_the_equations() {
    let workload = &Set::OneCpu.workloads(WORKLOADS_SEED)[0];
    let stats = |instructions| Stats {
        instructions,
        cycles: 100,
        ..Stats::default()
    };
    let result = compare(workload, &[stats(50), stats(20)], &[stats(100), stats(10)]);
    let each: Vec<f64> = result.applications.iter().map(|it| it.speedup()).collect();
    assert_eq!(each, [2.0, 0.5]);
    assert!((result.speedup - 1.0).abs() < 1e-12);
    assert!((geometric_mean([1.0, 8.0].into_iter()) - 8f64.sqrt()).abs() < 1e-12);
    assert_eq!(geometric_mean(std::iter::empty()), 1.0);
}

/// A loop that fits one half of a small L3, beside streams of the GPU.
#[test]
fn a_partition_helps_who_is_flooded() {
    let mut config = Config::tap();
    config.l3.sets = 512; // 1 MB
    config.sampling.period = 20_000;
    let looped = Application {
        name: "loop".into(),
        memory: 40,
        parts: vec![Part::looped(1, 512 << 10)],
        on: Cpu { slots: 2 },
    };
    let stream = Application {
        name: "stream".into(),
        memory: 60,
        parts: vec![Part::stream(1)],
        on: Gpu {
            warps: 48,
            loads: 2,
            lines: 1,
        },
    };
    let workload = Workload {
        name: "flooded".into(),
        cpus: vec![looped],
        gpu: Some(stream),
    };
    let run = Run {
        seed: 1,
        warm_up: 400_000,
        measured: 200_000,
    };
    let by = |kind| speedup(&config, &workload, kind, &run).unwrap();
    assert_eq!(by(Kind::Lru).speedup, 1.0);
    for kind in [Kind::Static, Kind::Ucp, Kind::TapUcp, Kind::TapRrip] {
        let result = by(kind);
        let [cpu, gpu] = &result.applications[..] else {
            panic!("two applications");
        };
        assert!(cpu.speedup() > 1.2, "{kind}: {result:?}");
        assert!((0.97..1.03).contains(&gpu.speedup()), "{kind}: {result:?}");
    }
}
