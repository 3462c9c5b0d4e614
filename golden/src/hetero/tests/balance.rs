//! Rationale: whatever runs, no request may be lost, at any moment; and the check must see one that
//! is, wherever it was. A run depends on its seed alone, and not on where it was interrupted.
use super::*;
use crate::hetero::event::Event;
use crate::hetero::machine::Error;
use crate::hetero::workloads::Set;
use crate::model::ParamError;

/// A small L3, so that little time shows all that happens.
fn small() -> Config {
    let mut config = Config::tap();
    config.l3.sets = 64;
    config.sampling.period = 3000;
    config
}

#[test]
fn no_request_is_lost_under_any_policy() {
    let config = small();
    let workloads = Set::FourCpu.workloads(WORKLOADS_SEED);
    let kinds = Kind::ALL.into_iter().chain(Kind::PARTS);
    let kinds = kinds.filter(|kind| !kind.needs_future());
    for (kind, workload) in kinds.zip(workloads.iter().cycle()) {
        let mut machine = Machine::new(&config, workload, kind, 7).unwrap();
        for _ in 0..40 {
            machine.run(333);
            machine.check().unwrap();
        }
        assert_eq!(machine.periods().len(), 40 * 333 / 3000, "{kind}");
        for stats in machine.stats() {
            assert!(stats.instructions > 0 && stats.accesses > 0, "{kind}");
            assert!(stats.misses <= stats.accesses, "{kind}");
        }
    }
}

#[test]
fn a_lost_request_is_found() {
    let config = small();
    let workload = &Set::OneCpu.workloads(WORKLOADS_SEED)[1];
    let lost = |is: fn(&Event) -> bool| {
        let mut machine = Machine::new(&config, workload, Kind::Lru, 7).unwrap();
        machine.run(5000);
        machine.check().unwrap();
        assert!(machine.events.lose(is), "there is one");
        machine.check().unwrap_err()
    };
    let reply = lost(|event| matches!(event, Event::Reply { .. }));
    assert_eq!(reply.what, "at cores and on the way back");
    assert_eq!(reply.count + 1, reply.expected);
    let fetch = lost(|event| matches!(event, Event::Fetch { .. }));
    assert_eq!((fetch.what, fetch.place.as_str()), ("fetched", "memory"));
    let message = fetch.to_string();
    assert!(message.starts_with("memory: fetched are "), "{message}");
}

#[test]
fn a_run_depends_on_its_seed_alone() {
    let config = small();
    let workload = &Set::TwoCpu.workloads(WORKLOADS_SEED)[2];
    let stats = |seed, steps: &[u64]| {
        let mut machine = Machine::new(&config, workload, Kind::TapRrip, seed).unwrap();
        steps.iter().for_each(|&cycles| machine.run(cycles));
        (machine.stats(), machine.periods().to_vec())
    };
    let whole = stats(3, &[10_000]);
    assert_eq!(whole, stats(3, &[1, 2999, 7000]));
    assert_ne!(whole, stats(4, &[10_000]));
}

#[test]
fn what_does_not_exist_is_said() {
    let config = small();
    let workload = &Set::OneCpu.workloads(WORKLOADS_SEED)[0];
    let error = |workload: &Workload, kind| Machine::new(&config, workload, kind, 0).unwrap_err();
    assert_eq!(error(workload, Kind::Opt), Error::Future(Kind::Opt));
    let mut broken = workload.clone();
    broken.gpu.as_mut().unwrap().on.warps = 49;
    let message = error(&broken, Kind::Lru).to_string();
    let name = &broken.gpu.as_ref().unwrap().name;
    let expected = format!("application \"{name}\": warps is 49, expected 1 to 48");
    assert_eq!(message, expected);
    broken.cpus = vec![broken.cpus[0].clone(); 5];
    let too_many = matches!(
        error(&broken, Kind::Lru),
        Error::Param(ParamError::OutOfRange { value: 5, .. })
    );
    assert!(too_many);
    let nobody = Workload {
        name: String::new(),
        cpus: Vec::new(),
        gpu: None,
    };
    assert!(matches!(error(&nobody, Kind::Lru), Error::Param(_)));
    let run = Run {
        seed: 0,
        warm_up: 0,
        measured: 0,
    };
    let mut machine = Machine::new(&config, workload, Kind::Lru, 0).unwrap();
    assert!(machine.measure(&run).is_err());
}
