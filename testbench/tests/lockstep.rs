//! Rationale: each unit in each test set agrees with its golden model over a mix of all profiles,
//! and this very run reaches every legal bin of the unit's coverage, and no bin that is excluded as
//! impossible, or the reason is wrong. That the measure can stay open is tested in `coverage.rs`.
//! Sets that are no power of two and other numbers of stages take other branches in widths, codes and pipelines;
//! the interpreter is the other engine; 16-bit counters fill up from reset on.

use cotenant::registry::{visit, Unit, Visitor};
use cotenant::unit::llc;
use cotenant::verify::coverage::Cover;
use cotenant::verify::interface::Interface;
use cotenant::verify::lockstep::{check, Check, Flow, Lockstep, Report};
use cotenant::verify::stimulus::{stream, Inputs, Mix, Profile, Transactions};
use cotenant_golden::Model;
use cotenant_netlist::sim::Engine;
use cotenant_units::table;

use crate::common::{test_sets, CYCLES, SEED};

/// As many close the coverage of most sets.
const FEWER: u64 = CYCLES / 4;

fn agrees<U: Cover>(set: &str, options: &Check) -> Report {
    let set = table::set(U::NAME, set).unwrap();
    let report = check::<U>(&set, options, &mut |_| Flow::Continue).unwrap();
    assert!(report.passed(), "{report}");
    assert_eq!(report.cycles, options.cycles, "{report}");
    report
}

/// Agrees, and covers all legal bins.
fn covers<U: Cover>(set: &str) {
    let run = |cycles| {
        let report = agrees::<U>(set, &Check::new(cycles, SEED).coverage(true));
        report.coverage.unwrap()
    };
    let mut coverage = run(FEWER);
    if !coverage.closed() {
        coverage = run(CYCLES);
    }
    assert!(coverage.closed(), "{} {set}: {coverage}", U::NAME);
    agrees::<U>(
        set,
        &Check::new(10_000, SEED + 1).engine(Engine::Interpreter),
    );
}

/// A test per unit.
macro_rules! units_agree {
    ($($name:ident: $area:ident::$unit:ident $blocks:tt)*) => {$(
        #[test]
        fn $name() {
            for set in test_sets(stringify!($name)) {
                covers::<cotenant::unit::$area::$unit>(set);
            }
        }
    )*};
}
cotenant_units::units!(units_agree);

/// A stage more, which what is written meanwhile has to be forwarded to.
#[test]
fn registers_behind_rams() {
    covers::<llc::LlcMonitor>("2x2x16x1r1");
}

/// Every set of the table, not for long.
#[test]
fn all_sets_of_all_units() {
    struct AllSets;
    impl Visitor for AllSets {
        type Output = usize;
        fn visit<U: Unit>(self) -> usize {
            let sets = table::sets(U::NAME).unwrap();
            // The interpreter: it compiles faster than so few cycles take.
            let options = Check::new(2000, SEED).engine(Engine::Interpreter);
            for set in &sets {
                agrees::<U>(set.name, &options);
            }
            sets.len()
        }
    }
    let sets: usize = table::units()
        .iter()
        .map(|unit| visit(unit, AllSets).unwrap())
        .sum();
    assert!(sets > 200, "{sets}");
}

#[test]
fn sixteen_bit_counters_fill_up_from_reset() {
    let set = table::set("gdcu", "32x2x16").unwrap();
    let mut lockstep = Lockstep::<llc::Gdcu>::new(&set).unwrap();
    let stimulus = stream::<llc::Gdcu>(lockstep.params(), Profile::Saturation, SEED);
    let report = lockstep.run(stimulus, 10_000).unwrap();
    assert!(report.passed(), "{report}");
    assert_ne!(lockstep.model().state().live_overflow(), 0);
}

#[test]
fn the_same_seed_is_the_same_run() {
    let params = llc::LruStack::params(&table::set("lru_stack", "table-1").unwrap()).unwrap();
    let run = |seed| -> Vec<_> {
        stream::<llc::LruStack>(&params, Mix::default(), seed)
            .take(1000)
            .collect()
    };
    assert_eq!(run(SEED), run(SEED));
    assert_ne!(run(SEED), run(SEED + 1));
}

#[test]
fn a_stimulus_that_ends_ends_the_run() {
    let set = table::set("lru_stack", "small").unwrap();
    let mut lockstep = Lockstep::<llc::LruStack>::new(&set).unwrap();
    let params = lockstep.params().clone();
    let run = stream::<llc::LruStack>(&params, Mix::default(), SEED).take(17);
    let report = lockstep.run(Transactions::new(run), 1000).unwrap();
    assert_eq!((report.cycles, report.seed), (17, None));
    let idle = std::iter::repeat_n(Default::default(), 5);
    assert_eq!(lockstep.run(Inputs(idle), 1000).unwrap().cycles, 5);
    assert_eq!(lockstep.cycle(), 22);
}

#[test]
fn a_watcher_can_stop_a_run() {
    let set = table::set("popcnt", "table-1").unwrap();
    let mut last = 0;
    let report = check::<llc::Popcnt>(&set, &Check::new(1_000_000, SEED), &mut |done| {
        last = done;
        if done > 10_000 {
            Flow::Stop
        } else {
            Flow::Continue
        }
    });
    let report = report.unwrap();
    assert!(report.interrupted && report.passed());
    assert_eq!(report.cycles, last);
    assert!(report.to_string().contains("interrupted"), "{report}");
}
