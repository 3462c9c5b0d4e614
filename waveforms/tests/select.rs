//! Choosing signals by patterns.
//!
//! Branches: names, paths from any level, `*` within a name and `**` across names, scopes, brackets
//! and parentheses, alternatives, pinned signals and clocks, and what matches nothing. What is left
//! out is not in the file, and what is in it has the values that it had.

use crate::common::{binary, Wave};
use cotenant_waveforms::{Dump, Error, Layout, Options, Pattern, Sample, Scope, Signal};

fn layout() -> Layout {
    let side = |name: &str| {
        Scope::module(name)
            .signal(Signal::clock("clock"))
            .signal(Signal::wire("victim_way", 4))
            .signal(Signal::wire("victim_owner", 3))
            .scope(Scope::module("matrix").signal(Signal::reg("count", 21).array([2, 3])))
    };
    let top = Scope::module("unit")
        .signal(Signal::clock("clock"))
        .signal(Signal::wire("mismatch", 1).pinned())
        .scope(side("dut"))
        .scope(side("golden"));
    Layout::new(top).unwrap()
}

fn select(patterns: &[&str]) -> Result<Layout, Error> {
    let patterns: Result<Vec<Pattern>, Error> = patterns.iter().map(|text| text.parse()).collect();
    layout().select(&patterns?)
}

fn chosen(patterns: &[&str]) -> Vec<String> {
    let layout = select(patterns).unwrap();
    layout
        .written_paths()
        .skip(1)
        .map(|path| path.replace("unit.", ""))
        .collect()
}

#[test]
fn patterns_choose() {
    let two = |a: &str, b: &str| vec![a.to_owned(), b.to_owned()];
    assert_eq!(
        chosen(&["victim_way"]),
        two("dut.victim_way", "golden.victim_way")
    );
    assert_eq!(
        chosen(&["dut.victim_*"]),
        two("dut.victim_way", "dut.victim_owner")
    );
    assert_eq!(
        chosen(&["dut.v?ctim_{way,owner}"]),
        two("dut.victim_way", "dut.victim_owner")
    );
    assert_eq!(chosen(&["unit.dut.victim_way"]), ["dut.victim_way"]);
    assert_eq!(chosen(&["count[1][2]"]), chosen(&["count(1)(2)"]));
    assert_eq!(chosen(&["golden.matrix.count[1][*]"]).len(), 3);
    assert_eq!(chosen(&["golden.matrix"]).len(), 6, "a scope is all in it");
    assert_eq!(
        chosen(&["dut.matrix.count"]).len(),
        6,
        "an array is all its elements"
    );
    assert_eq!(chosen(&["golden"]).len(), 8);
    assert_eq!(chosen(&["unit.**.count*"]).len(), 12);
    assert_eq!(chosen(&["victim_way", "golden.victim_owner"]).len(), 3);
    assert_eq!(chosen(&[]).len(), layout().len() - 1, "no pattern: all");
}

#[test]
fn the_file_holds_what_was_chosen() {
    let layout = select(&["golden.victim_way"]).unwrap();
    let mut dump = Dump::new(Vec::new(), &layout, &Options::new()).unwrap();
    let mut sample = Sample::new(&layout);
    for cycle in 0..5u64 {
        // Samples have all signals still.
        let values = (0..layout.len() as u64).map(|place| (cycle + place) % 2);
        sample.fill(|out| out.put_all(values)).unwrap();
        dump.sample(cycle, &sample).unwrap();
    }
    dump.finish().unwrap();
    let wave = Wave::read(&dump.into_stream()).unwrap();
    assert_eq!(
        wave.wave.hierarchy().all_vars().count(),
        3,
        "with clock and mismatch"
    );
    assert!(wave.variable("unit.clock").is_ok());
    let place = layout.find("unit.golden.victim_way").unwrap().index() as u64;
    for cycle in 0..5 {
        let at = |path: &str| wave.at(path, cycle * 10);
        assert_eq!(at("unit.mismatch"), binary(1, &[cycle % 2]));
        assert_eq!(
            at("unit.golden.victim_way"),
            binary(4, &[(cycle + place) % 2])
        );
    }
    let foreign = Sample::new(&self::layout());
    let mut dump = Dump::new(Vec::new(), &layout, &Options::new()).unwrap();
    assert!(matches!(
        dump.sample(0, &foreign),
        Err(Error::Foreign { .. })
    ));
}

#[test]
fn what_matches_nothing_is_answered_with_the_nearest() {
    for (pattern, nearest) in [
        ("golde", "unit.golden"),
        ("dut.victim_wey", "unit.dut.victim_way"),
        ("matrx.count[0][0]", "unit.dut.matrix.count(0)(0)"),
    ] {
        let error = select(&["mismatch", pattern]).unwrap_err().to_string();
        let expected = format!("no signal or scope matches '{pattern}'; the nearest are {nearest}");
        assert!(error.starts_with(&expected), "{error}");
    }
    for wrong in ["", "a..b", ".a", "{a", "a\\"] {
        assert!(
            matches!(select(&[wrong]), Err(Error::Pattern { .. })),
            "{wrong}"
        );
    }
}
