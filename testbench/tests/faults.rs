//! Seeded faults: each that changes behaviour is caught.
//!
//! Rationale: a lockstep that never fails may be one that cannot fail. So it is shown faulty
//! designs, of every kind, in every unit and test set. What it does not catch must be proven to
//! change nothing, by a prover that shares no code with the simulators. And the two must not
//! contradict each other: a fault is caught or proven equivalent, never both.
use cotenant::fault::{campaign, Facts, Report};
use cotenant::stimulus::Drive;
use cotenant::unit::llc;
use cotenant_units::table;

const SEED: u64 = 0x9e37;
const COUNT: usize = 1_000_000;
const CYCLES: u64 = 200_000;

fn run<U: Drive + Facts>(set: &str, count: usize, cycles: u64) -> Report {
    let set = table::set(U::NAME, set).unwrap();
    let t = std::time::Instant::now();
    let report = campaign::<U>(&set, count, SEED, cycles).unwrap();
    println!("{report} {:?}", t.elapsed());
    for v in &report.faults { println!("   {:?}", v); }
    report
}

fn all_caught<U: Drive + Facts>() {
    let reports = ["figure-2", "table-1", "small"].map(|set| run::<U>(set, COUNT, CYCLES));
    for report in &reports {
        assert!(report.passed(), "{report}");
    }
}

macro_rules! units {
    ($($test:ident: $unit:ty),* $(,)?) => {
        $(#[test]
        fn $test() {
            all_caught::<$unit>();
        })*
    };
}

units! {
    popcnt: llc::Popcnt,
    kid_demux: llc::KidDemux,
    demotion: llc::Demotion,
    counter_matrix: llc::CounterMatrix,
    gdcu: llc::Gdcu,
    lru_stack: llc::LruStack,
}
