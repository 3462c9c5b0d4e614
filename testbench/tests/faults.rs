//! Seeded faults: each that changes behaviour is caught.
//!
//! Rationale: a lockstep that never fails may be one that cannot fail. So it is shown faulty
//! designs, of every kind, in every unit: a sample in each test set whose mutation table is not
//! measured, every fault that there is in the small units, and sets that are no power of two, where
//! codes are illegal. Of a measured table, `mutation.rs` decides some places again.
//! What it does not catch must be proven to change nothing, by a prover that shares no code with
//! the simulators. And the two must not contradict each other: with a lockstep that compares
//! nothing, just those faults survive that are caught otherwise.
use std::collections::BTreeSet;

use cotenant::unit::{llc, sm};
use cotenant::verify::fault::mutation::Record;
use cotenant::verify::fault::{campaign, Campaign, Facts, Outcome, Proof, Report};
use cotenant::verify::stimulus::Drive;
use cotenant_netlist::fault::candidates;
use cotenant_units::table;

use crate::common::{mutation_records, test_sets};

const SEED: u64 = 0x9e37;
/// One of each kind. What a fault at every place comes to is on record, see `mutation.rs`.
const SAMPLE: usize = 8;
const CYCLES: u64 = 400_000;

fn run<U: Drive + Facts>(set: &str, count: usize, cycles: u64) -> Report {
    let set = table::set(U::NAME, set).unwrap();
    campaign::<U>(&set, count, SEED, cycles).unwrap()
}

/// Every fault that changes behaviour is caught, and all kinds that the unit has places for are
/// among them.
fn caught<U: Drive + Facts>(set: &str, count: usize) {
    let report = run::<U>(set, count, CYCLES);
    println!("{report}");
    assert!(report.passed(), "{report}");
    let set = table::set(U::NAME, set).unwrap();
    let campaign = Campaign::new::<U>(&set, SEED, 0).unwrap();
    let places = candidates(campaign.netlist());
    assert_eq!(report.faults.len(), count.min(places.len()));
    let kinds: BTreeSet<&str> = places.iter().map(|fault| fault.kind()).collect();
    let run: BTreeSet<&str> = report.faults.iter().map(|verdict| verdict.kind).collect();
    assert_eq!(run, kinds, "{} {}", U::NAME, set.name);
}

/// Sets besides the test sets: no powers of two, other pipelines and variants.
fn others(unit: &str) -> &'static [&'static str] {
    match unit {
        "popcnt" => &["3", "12"],
        "kid_demux" => &["3", "6"],
        "demotion" => &["3", "12"],
        "counter_matrix" => &["3x3x21", "12x5x32"],
        "gdcu" => &["3x3x16", "12x5x21", "4x4x21s0", "4x4x21s2", "4x4x21s3"],
        "lru_stack" => &["3x3", "12x5"],
        "llc_monitor" => &["2x2x16x1r1"],
        "plob" => &["3x16", "5x32", "4x21s0", "4x21s2"],
        "milg" => &["7x12x10d", "2x4x2d", "3x6x3", "2x4x2h", "2x4x2p"],
        "smil" => &["3x2"],
        "rbmi" => &["5"],
        "quota_unit" => &["3x8"],
        "qbmi" => &["2x2c", "2x10c", "3x10c"],
        "mem_issue" => &["2-smil-rbmi", "2-milgd-qbmic"],
        _ => &[],
    }
}

/// Sets of which faults are taken: those without a mutation table; of units behind a bus some.
fn sets(unit: &str) -> Vec<&'static str> {
    match unit {
        "llc_monitor_apb" | "llc_counters_apb" => vec!["small", "figure-2"],
        "llc_monitor_axi" | "llc_counters_axi" => vec!["small"],
        "mem_issue_apb" => vec!["small", "2-smil-rbmi"],
        "mem_issue_axi" => vec!["three"],
        "managed_llc_apb" => vec!["small"],
        "managed_llc_axi" => vec!["three"],
        _ => {
            let record = Record::read(&mutation_records(), unit).unwrap();
            let mut sets = test_sets(unit);
            // With 16 applications a proof about its division takes a minute.
            sets.retain(|set| record.set(set).is_none() && (unit, *set) != ("xsratio", "16"));
            sets.extend(others(unit));
            sets
        }
    }
}

/// A test per unit.
macro_rules! faults_are_caught {
    ($($name:ident: $area:ident::$unit:ident $blocks:tt)*) => {$(
        #[test]
        fn $name() {
            let unit = stringify!($name);
            for measured in &Record::read(&mutation_records(), unit).unwrap().sets {
                assert!(measured.missed.is_empty(), "{unit} {}: on record", measured.set);
            }
            for set in sets(unit) {
                caught::<cotenant::unit::$area::$unit>(set, SAMPLE);
            }
        }
    )*};
}
cotenant_units::units!(faults_are_caught);

#[test]
fn every_fault_there_is() {
    for set in ["small", "figure-2", "3"] {
        caught::<llc::Popcnt>(set, usize::MAX);
        caught::<llc::KidDemux>(set, usize::MAX);
        caught::<llc::Demotion>(set, usize::MAX);
    }
    for set in ["small", "3x3"] {
        caught::<llc::LruStack>(set, usize::MAX);
    }
    for set in ["2", "3"] {
        caught::<sm::Rbmi>(set, usize::MAX);
    }
    caught::<sm::Smil>("small", usize::MAX);
    caught::<sm::Milg>("small", usize::MAX);
}

/// Descriptions of the faults with such an outcome.
fn with(report: &Report, is: fn(&Outcome) -> bool) -> BTreeSet<&str> {
    let found = report.faults.iter().filter(|verdict| is(&verdict.outcome));
    found.map(|verdict| verdict.description.as_str()).collect()
}

fn contradicts_nothing<U: Drive + Facts>(set: &str, count: usize) -> BTreeSet<Proof> {
    let (blind, seeing) = (run::<U>(set, count, 0), run::<U>(set, count, CYCLES));
    // What is dead only from reset on is asked after a run alone: without one it survives.
    let from_reset = |outcome: &Outcome| {
        matches!(
            outcome,
            Outcome::Equivalent {
                proof: Proof::FromReset
            }
        )
    };
    let proven = |outcome: &Outcome| match outcome {
        Outcome::Equivalent { proof } => *proof != Proof::FromReset,
        _ => false,
    };
    assert_eq!(
        with(&blind, proven),
        with(&seeing, proven),
        "{} {set}",
        U::NAME
    );
    let survived = with(&blind, |outcome| {
        matches!(outcome, Outcome::Survived { .. })
    });
    let mut found = with(&seeing, |outcome| matches!(outcome, Outcome::Caught { .. }));
    found.extend(with(&seeing, from_reset));
    assert_eq!(survived, found, "{} {set}", U::NAME);
    assert!(!survived.is_empty() && !blind.passed() && blind.caught() == 0);
    assert!(
        blind
            .to_string()
            .contains(&format!("{} survived", survived.len())),
        "{blind}"
    );
    let proof = |outcome: &Outcome| match outcome {
        Outcome::Equivalent { proof } => Some(*proof),
        _ => None,
    };
    blind
        .faults
        .iter()
        .filter_map(|verdict| proof(&verdict.outcome))
        .collect()
}

#[test]
fn what_nobody_looks_at_survives_unless_it_changes_nothing() {
    let mut proofs = BTreeSet::new();
    proofs.extend(contradicts_nothing::<llc::Popcnt>("3", usize::MAX));
    proofs.extend(contradicts_nothing::<llc::KidDemux>("3", usize::MAX));
    proofs.extend(contradicts_nothing::<llc::Demotion>("3", usize::MAX));
    proofs.extend(contradicts_nothing::<llc::LruStack>("small", usize::MAX));
    proofs.extend(contradicts_nothing::<llc::CounterMatrix>("small", 24));
    proofs.extend(contradicts_nothing::<llc::Gdcu>("3x3x16", 24));
    proofs.extend(contradicts_nothing::<llc::Plob>("3x16", 24));
    proofs.extend(contradicts_nothing::<sm::Milg>("2x4x2d", 16));
    proofs.extend(contradicts_nothing::<sm::Smil>("3x2", 16));
    proofs.extend(contradicts_nothing::<sm::Rbmi>("3", 32));
    println!("{proofs:?}");
}

#[test]
fn the_same_seed_gives_the_same_report() {
    let run = |seed| {
        let set = table::set("lru_stack", "small").unwrap();
        campaign::<llc::LruStack>(&set, 16, seed, 2000).unwrap()
    };
    assert_eq!(run(1), run(1));
    assert_ne!(run(1).faults, run(2).faults);
}
