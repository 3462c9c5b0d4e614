//! The mutation table is today's: every parameter set that the tests take is measured or listed as
//! not measured, its record is of today's netlist, stimulus and golden model, and some of its verdicts are made again.
//!
//! Rationale: a table of numbers that nobody repeats goes stale, and can be edited. So each record
//! has a hash, which the test computes, and digests of its netlist and of what is played; and a sample of the places,
//! another one with each commit, is decided once more.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::process::Command;

use cotenant::registry::{Unit, UNITS};
use cotenant::verify::fault::mutation::{self, NotMeasured, Record};
use cotenant::verify::fault::{Campaign, Outcome, Verdict};
use cotenant_netlist::fault::candidates;
use cotenant_units::table::{self, ParameterSet};

use crate::common::{command, mutation_records, test_sets};

/// Places that are decided once more, of each unit.
const SAMPLE: usize = 6;

/// Changes with each commit.
fn seed() -> u64 {
    let head = Command::new("git").args(["rev-parse", "HEAD"]).output();
    let mut hasher = DefaultHasher::new();
    head.map(|output| output.stdout)
        .unwrap_or_default()
        .hash(&mut hasher);
    hasher.finish()
}

/// What is wrong with a record, without a run.
fn problems<U: Unit>(record: &Record) -> Vec<String> {
    let mut problems = Vec::new();
    if !record.sets.is_empty() && record.hash != record.content_hash() {
        problems.push("its hash is not that of its content".into());
    }
    for measured in &record.sets {
        match table::set(U::NAME, &measured.set) {
            Ok(set) if test_sets(U::NAME).contains(&set.name) => {
                let netlist = U::netlist(&set).unwrap();
                let stimulus = mutation::stimulus::<U>(&set, measured.seed).unwrap();
                let (digest, places) = (netlist.digest(), candidates(&netlist).len());
                let found = measured.problems(&digest, places, &stimulus);
                problems.extend(found.iter().map(|found| format!("{}: {found}", set.name)));
            }
            _ => problems.push(format!("{} is no set that the tests take", measured.set)),
        }
    }
    problems
}

fn current<U: Unit>() {
    let record = Record::read(&mutation_records(), U::NAME).unwrap();
    let wrong = problems::<U>(&record);
    let unit = U::NAME;
    assert!(
        wrong.is_empty(),
        "{unit}: {wrong:?}: run scripts/mutate {unit}"
    );
    let seed = seed();
    // The smallest and another one: what takes minutes to measure takes seconds per fault.
    let Some(measured) = record
        .sets
        .get(seed as usize % record.sets.len().clamp(1, 2))
    else {
        return;
    };
    let set = table::set(U::NAME, &measured.set).unwrap();
    let wrong = mutation::repeat::<U>(&set, measured, SAMPLE, seed).unwrap();
    assert!(
        wrong.is_empty(),
        "{unit} {}: {wrong:?}: run scripts/mutate {unit}",
        set.name
    );
}

macro_rules! records_are_current {
    ($($name:ident: $area:ident::$unit:ident $blocks:tt)*) => {$(
        #[test]
        fn $name() {
            current::<cotenant::unit::$area::$unit>();
        }
    )*};
}
cotenant_units::units!(records_are_current);

#[test]
fn what_is_not_measured_is_listed_and_nothing_else() {
    let listed = NotMeasured::read(&mutation_records()).unwrap();
    let mut wrong = Vec::new();
    for unit in UNITS.iter().map(|unit| unit.name()) {
        let record = Record::read(&mutation_records(), unit).unwrap();
        for set in test_sets(unit) {
            if record.set(set).is_some() == listed.why(unit, set).is_some() {
                wrong.push(format!("{unit} {set}"));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "measured and listed, or neither: {}",
        wrong.join(", ")
    );
    for (unit, sets) in &listed.0 {
        for (set, why) in sets {
            assert!(test_sets(unit).contains(&set.as_str()), "{unit} {set}");
            assert!(why.len() > 10, "{unit} {set}: why?");
        }
    }
}

type Popcnt = cotenant::unit::llc::Popcnt;

fn of_popcnt() -> (ParameterSet, Record) {
    let record = Record::read(&mutation_records(), "popcnt").unwrap();
    (table::set("popcnt", &record.sets[0].set).unwrap(), record)
}

#[test]
fn a_verdict_that_was_changed_is_seen() {
    let (set, record) = of_popcnt();
    let mut sealed = record.clone();
    let measured = &mut sealed.sets[0];
    // Whoever edits the letters has to edit the numbers and the hash, too.
    measured.verdicts = format!("{}e", measured.places);
    assert!(problems::<Popcnt>(&sealed).len() >= 2);
    let measured = &mut sealed.sets[0];
    (measured.equivalent, measured.caught) = (measured.places, 0);
    sealed.put(sealed.sets[0].clone());
    assert!(problems::<Popcnt>(&sealed).is_empty());
    // Then only a run shows it.
    let wrong = mutation::repeat::<Popcnt>(&set, &sealed.sets[0], 6, 1).unwrap();
    assert!(
        wrong
            .iter()
            .any(|wrong| wrong.contains("recorded as Equivalent, now Caught")),
        "{wrong:?}"
    );
    let right = mutation::repeat::<Popcnt>(&set, &record.sets[0], 6, 1).unwrap();
    assert!(right.is_empty(), "{right:?}");
}

#[test]
fn a_record_of_another_netlist_is_seen() {
    let (_, mut record) = of_popcnt();
    let mut old = record.sets[0].clone();
    old.netlist = "0123456789abcdef".into();
    record.put(old);
    let wrong = problems::<Popcnt>(&record);
    assert!(
        wrong[0].contains("recorded is 0123456789abcdef"),
        "{wrong:?}"
    );
}

#[test]
fn stimulus_that_stands_still_misses_faults_and_proofs_say_so() {
    type Rbmi = cotenant::unit::sm::Rbmi;
    let set = table::set("rbmi", "small").unwrap();
    let record = Record::read(&mutation_records(), "rbmi").unwrap();
    let mut campaign = Campaign::new::<Rbmi>(&set, 1, 1).unwrap();
    let places = candidates(campaign.netlist());
    let report = campaign.run(&places).unwrap();
    let missed = |verdict: &&Verdict| matches!(verdict.outcome, Outcome::Missed { .. });
    let missed = report.faults.iter().filter(missed).count();
    assert!(missed > places.len() / 2, "{report}");
    // No fault that shows passes as one that changes nothing.
    let recorded = record.set(set.name).unwrap();
    assert_eq!(report.equivalent(), recorded.equivalent, "{report}");
}

#[test]
fn what_one_cycle_misses_more_cycles_catch() {
    let folder = tempfile::tempdir().unwrap();
    let mutate = |cycles: &str, out: &str| {
        let arguments = ["mutate", "rbmi", "--config", "small", "--cycles", cycles];
        let more = ["--undecided", "--record", ".", "--out", out];
        let output = command(&[&arguments[..], &more].concat(), folder.path())
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        (output.status.code(), text)
    };
    let (code, text) = mutate("1", "short");
    assert!(code == Some(1) && text.contains("missed: "), "{text}");
    assert!(text.contains(" 0 undecided"), "{text}");
    let (code, text) = mutate("20k", "long");
    assert!(code == Some(0) && text.contains(" 0 missed"), "{text}");
}

#[test]
fn what_is_wrong_with_a_record_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("rbmi.json");
    let recorded = std::fs::read_to_string(mutation_records().join("rbmi.json")).unwrap();
    let mutate = |text: &str, more: &str| {
        std::fs::write(&file, text).unwrap();
        let arguments = ["mutate", "rbmi", "--config", "2", "--record", ".", more];
        let output = command(&arguments, folder.path()).output().unwrap();
        let text = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8(text).unwrap())
    };
    let (code, text) = mutate(&recorded, "--check");
    assert!(code == Some(0) && text.contains(" 0 missed"), "{text}");
    let edit = |old: &str, new: &str| {
        let edited = recorded.replace(old, new);
        assert_ne!(edited, recorded);
        edited
    };
    for (old, new, words) in [
        (r#""caught": 65"#, r#""caught": 64"#, "the numbers are not"),
        (
            r#""seed": 40503"#,
            r#""seed": 40504"#,
            "stimulus and golden",
        ),
        (r#""core_seconds": "#, r#""core_seconds": 1"#, "was edited"),
        (r#""set": "2""#, r#""set": "two""#, "no record, 66 places"),
    ] {
        let (code, text) = mutate(&edit(old, new), "--check");
        assert!(code == Some(1) && text.contains(words), "{words}: {text}");
    }
    // Nor does it get a new hash.
    let edited = edit(r#""core_seconds": "#, r#""core_seconds": 1"#);
    let (code, text) = mutate(&edited, "--undecided");
    assert!(code == Some(2) && text.contains("was edited"), "{text}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), edited);
}
