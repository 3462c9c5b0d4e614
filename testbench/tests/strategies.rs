//! Rationale: the strategies are what users test their own designs with, so they must be legal in
//! every run, reach what the streams reach, and shrink a failure to what matters. Every unit in
//! every test set runs under every profile; what ever failed is kept in `proptest-regressions` and
//! tried first. Then a fault is put into a stack, and must come out as a handful of transactions.

use std::cell::RefCell;

use cotenant::unit::llc;
use cotenant::unit::llc::lru_stack::{Access, Transaction};
use cotenant::verify::coverage::{Collect, Cover, CoverageReport};
use cotenant::verify::interface::Interface;
use cotenant::verify::lockstep::Lockstep;
use cotenant::verify::stimulus::{strategy, Drive, Profile, Transactions};
use cotenant_golden::Model;
use cotenant_netlist::fault::Fault;
use cotenant_netlist::sim::Engine;
use cotenant_units::table;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{
    Config, FileFailurePersistence, RngSeed, TestCaseError, TestError, TestRunner,
};

use crate::common::test_sets;

/// Where failures are kept, for all machines.
const REGRESSIONS: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/proptest-regressions/strategies.txt"
);

fn config(cases: u32, regressions: &'static str) -> Config {
    Config {
        cases,
        // Not a multiple of the cases: few cases are worth a good answer, too.
        max_shrink_iters: 100_000,
        failure_persistence: Some(Box::new(FileFailurePersistence::Direct(regressions))),
        source_file: Some(file!()),
        ..Config::default()
    }
}

/// Runs of a profile in lockstep; the smallest that fails.
fn run<U: Drive>(
    lockstep: Lockstep<U>,
    profile: Profile,
    config: Config,
) -> Result<(), TestError<Vec<U::Transaction>>> {
    let params = lockstep.params().clone();
    // Compiled once for all runs.
    let lockstep = RefCell::new(lockstep.check_assumptions(true));
    TestRunner::new(config).run(&strategy::<U>(&params, profile, 1..100), |run| {
        let mut lockstep = lockstep.borrow_mut();
        lockstep.load(U::model(&params).unwrap());
        let report = lockstep.run(Transactions::new(run.iter()), u64::MAX);
        let report = report.map_err(|error| TestCaseError::fail(error.to_string()))?;
        match report.passed() {
            true => Ok(()),
            false => Err(TestCaseError::fail(report.to_string())),
        }
    })
}

fn agrees<U: Drive>() {
    for name in test_sets(U::NAME) {
        let set = table::set(U::NAME, name).unwrap();
        for &profile in U::PROFILES {
            let lockstep = Lockstep::<U>::with_engine(&set, Engine::Interpreter).unwrap();
            if let Err(failure) = run(lockstep, profile, config(8, REGRESSIONS)) {
                panic!("{} {name}, {profile}: {failure}", U::NAME);
            }
        }
    }
}

/// A test per unit.
macro_rules! units_agree {
    ($($name:ident: $area:ident::$unit:ident $blocks:tt)*) => {$(
        #[test]
        fn $name() {
            agrees::<cotenant::unit::$area::$unit>();
        }
    )*};
}
cotenant_units::units!(units_agree);

/// Coverage of runs of all profiles, each from reset.
fn reached<U: Cover>(set: &str, runs: usize) -> CoverageReport {
    let params = U::params(&table::set(U::NAME, set).unwrap()).unwrap();
    let mut collector = U::collector(&params);
    let config = Config {
        rng_seed: RngSeed::Fixed(1),
        failure_persistence: None,
        ..Config::default()
    };
    let mut runner = TestRunner::new(config);
    let mut input = U::idle(&params);
    for &profile in U::PROFILES {
        let strategy = strategy::<U>(&params, profile, 100..200);
        for _ in 0..runs {
            let mut model = U::model(&params).unwrap();
            let mut world = U::world(&params);
            collector.restart(&params);
            for transaction in strategy.new_tree(&mut runner).unwrap().current() {
                U::resolve(&params, &model, &mut world, &transaction, &mut input);
                assert!(model.assume(&input).is_ok(), "{transaction:?}");
                collector.sample(&model, &input);
                model.step(&input);
            }
        }
    }
    CoverageReport::of(&collector)
}

#[test]
fn strategies_reach_what_streams_reach() {
    let reports = [
        reached::<llc::Popcnt>("figure-2", 50),
        reached::<llc::KidDemux>("figure-2", 50),
        reached::<llc::Demotion>("figure-2", 50),
        reached::<llc::LruStack>("small", 200),
    ];
    for report in reports {
        assert!(report.closed(), "{report}");
    }
}

/// A stack in which flushing forgets one owner.
fn faulty() -> Lockstep<llc::LruStack> {
    let set = table::set("lru_stack", "figure-2").unwrap();
    let netlist = llc::LruStack::netlist(&set).unwrap();
    let reg = netlist
        .regs
        .iter()
        .position(|reg| reg.name == "owner[1]")
        .unwrap();
    let fault = Fault::StuckBit {
        reg,
        bit: 1,
        value: false,
    };
    let netlist = netlist.with_fault(&fault).unwrap();
    Lockstep::with_netlist(&set, &netlist, Engine::Interpreter).unwrap()
}

#[test]
fn a_fault_shrinks_to_the_transactions_that_matter_and_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("regressions.txt");
    let path: &'static str = Box::leak(path.to_str().unwrap().to_owned().into_boxed_str());
    let always_the_same = Config {
        rng_seed: RngSeed::Fixed(1),
        ..config(256, path)
    };
    let failure = run(faulty(), Profile::Uniform, always_the_same).unwrap_err();
    let TestError::Fail(reason, smallest) = failure else {
        panic!("{failure}")
    };
    assert!(
        reason.message().contains("owner[1]: dut 0, golden 2"),
        "{reason}"
    );
    // A kernel with that bit in its number fills a line, another access moves it to position 1. A
    // hit in an empty set is a miss.
    assert_eq!(smallest.len(), 2, "{smallest:?}");
    assert!(
        matches!(
            smallest[0],
            Transaction {
                access: Access::Miss { way: 0 } | Access::Hit { nth: 0 },
                kid: 2,
                ..
            }
        ),
        "{smallest:?}"
    );
    let quiet = |t: &Transaction| !t.reset && !t.flush && !t.invalidate;
    assert!(smallest.iter().all(quiet), "{smallest:?}");

    // It is on file, and found again without a new case.
    let kept = std::fs::read_to_string(path).unwrap();
    assert!(kept.contains("\ncc "), "{kept}");
    let again = run(faulty(), Profile::Uniform, config(0, path)).unwrap_err();
    assert!(matches!(again, TestError::Fail(_, run) if run == smallest));
}

#[test]
fn any_transaction_is_legal() {
    let params = llc::LruStack::params(&table::set("lru_stack", "3x3").unwrap()).unwrap();
    let model = llc::LruStack::model(&params).unwrap();
    let mut input = llc::LruStack::idle(&params);
    let odd = Transaction {
        kid: 255,
        access: Access::Hit { nth: 255 },
        ..llc::LruStack::nothing(&params)
    };
    llc::LruStack::resolve(&params, &model, &mut (), &odd, &mut input);
    assert_eq!(model.assume(&input), Ok(()));
    assert!(!input.access_hit, "nothing is there to hit");
}
