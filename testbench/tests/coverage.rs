//! Rationale: a comparison shows nothing about a situation that the stimulus never brings about.
//! The default mix must reach every legal bin of every unit, in the test sets, within the cycles
//! that the lockstep tests run; and no bin that is excluded as impossible, or the reason is wrong.
//! Then the measure itself is broken: without the profile that reaches them, bins must stay open.

use cotenant::unit::{bus, llc};
use cotenant::verify::coverage::{measure, Cover, CoverageReport};
use cotenant::verify::stimulus::{stream, Mix, Profile};
use cotenant_units::table;

use crate::common::{test_sets, CYCLES, SEED};

fn coverage<U: Cover>(set: &str, mix: Mix) -> CoverageReport {
    let set = table::set(U::NAME, set).unwrap();
    let params = U::params(&set).unwrap();
    measure::<U>(&params, stream(&params, mix, SEED), CYCLES).unwrap()
}

fn closes<U: Cover>() {
    for set in test_sets(U::NAME) {
        let report = coverage::<U>(set, Mix::default());
        assert!(report.closed(), "{} {set}: {report}", U::NAME);
    }
}

/// A test per unit.
macro_rules! coverage_closes {
    ($($name:ident: $area:ident::$unit:ident $blocks:tt)*) => {$(
        #[test]
        fn $name() {
            closes::<cotenant::unit::$area::$unit>();
        }
    )*};
}
cotenant_units::units!(coverage_closes);

/// Limits of instructions in flight are set by software in one set alone.
#[test]
fn static_limits_behind_a_bus() {
    let report = coverage::<bus::MemIssueApb>("2-smil-rbmi", Mix::default());
    assert!(report.closed(), "{report}");
}

/// Sets that take other branches: no power of two, and the other numbers of stages.
#[test]
fn odd_sets() {
    for (unit, set) in [
        ("gdcu", "3x3x16"),
        ("gdcu", "4x4x21s0"),
        ("gdcu", "4x4x21s2"),
        ("gdcu", "4x4x21s3"),
    ] {
        let report = coverage::<llc::Gdcu>(set, Mix::default());
        assert!(report.closed(), "{unit} {set}: {report}");
    }
    for set in ["3x3", "6x3", "12x5"] {
        let report = coverage::<llc::LruStack>(set, Mix::default());
        assert!(report.closed(), "lru_stack {set}: {report}");
    }
}

#[test]
fn hits_alone_leave_the_misses_open() {
    for report in [
        coverage::<llc::Gdcu>("figure-2", Profile::Hits.into()),
        coverage::<llc::Demotion>("figure-2", Profile::Hits.into()),
    ] {
        let open = report.crosses.iter().flat_map(|cross| &cross.holes);
        let misses = open.filter(|hole| hole.contains("position miss"));
        assert!(misses.count() > 0, "{report}");
    }
}

#[test]
fn without_its_profiles_a_situation_stays_open() {
    // Flushes beside accesses come from the profiles that flush at all.
    let flushing = Profile::ALL
        .into_iter()
        .filter(|profile| profile.knobs().flush != NEVER);
    let mix = flushing.fold(Mix::default(), Mix::without);
    let report = coverage::<llc::LruStack>("figure-2", mix);
    let flushes = report.crosses[0]
        .holes
        .iter()
        .filter(|hole| hole.contains("flush yes"));
    assert!(flushes.count() > 10, "{report}");
    // Two periods that end in successive cycles come from frequent snapshots.
    let mix = Mix::new([Profile::Hits, Profile::Misses, Profile::Saturation]);
    let report = coverage::<llc::Gdcu>("figure-2", mix);
    assert!(report
        .crosses
        .iter()
        .any(|cross| cross.name == "reads" && cross.hit < cross.total));
}

const NEVER: cotenant::verify::stimulus::Odds = cotenant::verify::stimulus::Odds::NEVER;
