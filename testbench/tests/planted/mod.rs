//! What a design of someone else's may do wrong with its counters is found by vectors of the default
//! length.
//!
//! Rationale: a foreign design starts from its reset, and random stimulus of ten thousand cycles never
//! comes to a counter's limit: counters that wrap, that stop one below, or whose mark of an overflow
//! comes early, late or never would all pass. So each of them is planted into each matrix of counters
//! of each unit that has one, and the directed part of its vectors must see it. The same design without a bug
//! passes, and without the directed part the bugs of `counter_matrix` are missed: it is what finds them.
//! Counters that stop at a limit and mark nothing have their own bugs in `planted::saturating`.

use std::collections::BTreeSet;

use cotenant::registry::find;
use cotenant::verify::directed::{Plan, BUDGET};
use cotenant::verify::lockstep::Flow;
use cotenant::verify::vectors::{Place, Vectors};
use cotenant_netlist::sim::{Sim, Slot};
use cotenant_units::table::{self, ParameterSet};

use crate::common::faults::first_difference;

mod saturating;

/// Units with a matrix of counters that can be filled from reset.
const UNITS: [(&str, &str); 15] = [
    ("counter_matrix", "2x2x16"),
    ("counter_matrix", "KERNELS=3,INC_W=2,CNT_W=9"),
    ("gdcu", "4x2x8"),
    ("plob", "2x8"),
    ("sce", "4x2x9"),
    ("llc_counters", "4x2x1,CNT_W=8"),
    ("llc_monitor", "4x2x4x1,CNT_W=8"),
    ("attribution", "2x2x4x4,CNT_W=9"),
    ("attribution", "3x3x16x4l2,CNT_W=8"),
    ("attribution", "3x3x16x4l2p,CNT_W=9"),
    ("umon", "small,CNT_W=6"),
    ("llc_counters_apb", "small,CNT_W=6"),
    ("llc_counters_axi", "small,CNT_W=6"),
    ("llc_monitor_apb", "small,CNT_W=6"),
    ("llc_monitor_axi", "small,CNT_W=6"),
];

/// Shares of two kernels rise by six sixths of a miss, which never makes them 511: what marks that early
/// is no bug.
const NEVER_FULL: &str = "attribution 2x2x4x4,CNT_W=9: MarksEarly in \"shares.\" is missed";

/// A counter, its mark of an overflow, and the mark of the last period.
struct Counter {
    /// Its matrix, the same in all banks.
    matrix: String,
    count: Slot,
    passed: Slot,
    last_passed: Slot,
    /// The bit of the marks.
    aggressor: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Bug {
    /// None.
    Nothing,
    /// It counts on from 0, and nothing says so.
    Wraps,
    /// It stops one event below its limit.
    StopsBelow,
    /// Its limit is taken for an overflow.
    MarksEarly,
    /// It stops at its limit, and nothing says that there was more.
    NeverMarks,
    /// The overflow is not there any more in the last period.
    LosesTheMark,
}

const BUGS: [Bug; 5] = [
    Bug::Wraps,
    Bug::StopsBelow,
    Bug::MarksEarly,
    Bug::NeverMarks,
    Bug::LosesTheMark,
];

fn counters(sim: &Sim) -> Vec<Counter> {
    let layout = sim.layout();
    let mut counters = vec![];
    for (name, count) in layout.registers() {
        // `gdcu.matrix.count[1][0]`
        let Some((path, at)) = name.split_once("count[") else {
            continue;
        };
        let Some((victim, aggressor)) = at.strip_suffix(']').and_then(|at| at.split_once("]["))
        else {
            continue;
        };
        let mark = |of: &str| layout.state(&format!("{path}{of}[{victim}]"));
        let (Ok(passed), Ok(last_passed)) = (mark("passed"), mark("last_passed")) else {
            continue;
        };
        counters.push(Counter {
            matrix: path.replace(|c: char| c.is_ascii_digit(), ""),
            count,
            passed,
            last_passed,
            aggressor: aggressor.parse().unwrap(),
        });
    }
    counters
}

/// Puts the bug's doing in place of what the edge has done.
fn spoil(sim: &mut Sim, bug: Bug, counters: &[&Counter]) {
    for counter in counters {
        let bit = 1 << counter.aggressor;
        let most = u64::MAX >> (64 - counter.count.width());
        let (count, marks) = (sim.get(counter.count), sim.get(counter.passed));
        let full = count == most || marks & bit != 0;
        match bug {
            Bug::Nothing => {}
            Bug::Wraps => sim.set(counter.passed, marks & !bit),
            Bug::StopsBelow if full => {
                sim.set(counter.count, most - 1);
                sim.set(counter.passed, marks & !bit);
            }
            Bug::MarksEarly if full => sim.set(counter.passed, marks | bit),
            Bug::NeverMarks if full => {
                sim.set(counter.count, most);
                sim.set(counter.passed, marks & !bit);
            }
            Bug::LosesTheMark => {
                let last = sim.get(counter.last_passed);
                sim.set(counter.last_passed, last & !bit);
            }
            _ => {}
        }
    }
}

fn text_of(unit: &str, set: &ParameterSet, vectors: &Vectors) -> Vec<u8> {
    let mut text = vec![];
    let place = Place::Stream(&mut text);
    find(unit)
        .unwrap()
        .write_vectors(set, vectors, place, &mut |_| Flow::Continue)
        .unwrap();
    text
}

/// The matrices of a unit in which vectors miss the bug.
fn missed(unit: &str, set: &ParameterSet, text: &[u8], bug: Bug) -> Vec<String> {
    let netlist = table::netlist(unit, set).unwrap().unwrap();
    let counters = counters(&Sim::new(&netlist).unwrap());
    assert!(counters.len() >= 3, "{unit}: {}", counters.len());
    let matrices: BTreeSet<&str> = counters.iter().map(|of| of.matrix.as_str()).collect();
    let missed = matrices.into_iter().filter(|&matrix| {
        let there: Vec<&Counter> = counters.iter().filter(|of| of.matrix == matrix).collect();
        first_difference(&netlist, text, &mut |sim| spoil(sim, bug, &there)).is_none()
    });
    missed.map(String::from).collect()
}

fn plan_of(unit: &str, set: &ParameterSet, seed: u64, budget: u64) -> Plan {
    let plan = find(unit).unwrap().plan(set, seed, budget, &mut |_| true);
    plan.unwrap().expect("nobody stops it")
}

/// As `cotenant vectors` writes them.
fn usual(unit: &str, set: &ParameterSet) -> (Plan, Vectors) {
    let usual = Vectors::default();
    let plan = plan_of(unit, set, usual.seed, BUDGET);
    let cycles = usual.cycles + plan.cycles();
    let vectors = usual.cycles(cycles).segments(plan.segments.clone());
    (plan, vectors)
}

#[test]
fn bugs_of_counters_are_found_at_the_default_length() {
    let mut wrong = vec![];
    for (unit, set) in UNITS {
        let set = table::set(unit, set).unwrap();
        let (plan, vectors) = usual(unit, &set);
        let missing = plan.coverage.missing().into_iter();
        let limits = missing.filter(|bin| bin.contains("limits:") && unit != "attribution");
        wrong.extend(limits.map(|bin| format!("{unit} {}: {bin}", set.name)));
        let text = text_of(unit, &set, &vectors);
        let nothing = missed(unit, &set, &text, Bug::Nothing);
        assert!(!nothing.is_empty(), "{unit}: seen without a bug");
        for bug in BUGS {
            for matrix in missed(unit, &set, &text, bug) {
                wrong.push(format!(
                    "{unit} {}: {bug:?} in {matrix:?} is missed",
                    set.name
                ));
            }
        }
    }
    assert_eq!(wrong, [NEVER_FULL]);
}

#[test]
fn without_the_directed_part_they_are_missed() {
    let (unit, set) = (
        "counter_matrix",
        table::set("counter_matrix", "2x2x16").unwrap(),
    );
    let text = text_of(unit, &set, &Vectors::default());
    for bug in BUGS {
        assert!(!missed(unit, &set, &text, bug).is_empty(), "{bug:?}");
    }
}

/// What cannot be reached is said, not passed over.
#[test]
fn a_counter_that_cannot_be_filled_is_named() {
    let set = table::set("counter_matrix", "2x2x32").unwrap();
    let plan = plan_of("counter_matrix", &set, 1, 100_000);
    assert!(plan.cycles() <= 100_000);
    let missing = plan.coverage.missing();
    let reached = |bin: &String| bin.contains("limits: counter exceeds it");
    assert!(
        !plan.coverage.closed() && missing.iter().any(reached),
        "{missing:?}"
    );
}

/// The same plan for the same seed, and none without a budget.
#[test]
fn plans_can_be_repeated() {
    for (unit, set) in [("lru_stack", "small"), ("milg", "small"), ("rrip", "small")] {
        let set = table::set(unit, set).unwrap();
        let plan = |budget| plan_of(unit, &set, 7, budget);
        assert_eq!(plan(20_000), plan(20_000), "{unit}");
        assert!(
            plan(20_000).coverage.hit() > 0 && plan(0).segments.is_empty(),
            "{unit}"
        );
        // The vectors that the plan makes hit at least what it hit.
        let vectors = Vectors::default()
            .cycles(30_000)
            .seed(7)
            .segments(plan(20_000).segments);
        let place = Place::Stream(&mut std::io::sink());
        let written = find(unit)
            .unwrap()
            .write_vectors(&set, &vectors, place, &mut |_| Flow::Continue);
        let coverage = written.unwrap().coverage;
        assert!(
            coverage.hit() >= plan(20_000).coverage.hit(),
            "{unit}: {coverage}"
        );
    }
}

#[test]
fn a_plan_can_be_stopped() {
    let set = table::set("counter_matrix", "2x2x32").unwrap();
    let (mut calls, unit) = (0, find("counter_matrix").unwrap());
    let mut watch = |_| {
        calls += 1;
        calls < 3
    };
    let plan = unit.plan(&set, 1, BUDGET, &mut watch).unwrap();
    assert_eq!((plan, calls), (None, 3));
}
