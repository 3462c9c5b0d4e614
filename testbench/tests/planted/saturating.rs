//! Counters that stop at a limit and mark nothing: one that does not stop there, that stops before, or
//! that has a bit too few must be seen.

use cotenant_netlist::sim::{Sim, Slot, State};
use cotenant_units::table::{self, ParameterSet};

use super::{text_of, usual};
use crate::common::faults::first_difference;

/// Unit, parameter set, how its counters' names begin, and the bugs that can be seen in them.
const UNITS: [(&str, &str, &str, &[Bug]); 5] = [
    (
        "core_sampling",
        "2x1,CNT_W=6",
        "count[",
        &[Bug::Wraps, Bug::StopsBelow, Bug::TooNarrow],
    ),
    (
        "xsratio",
        "small,CNT_W=6",
        "count[",
        &[Bug::Wraps, Bug::StopsBelow, Bug::TooNarrow],
    ),
    (
        "drrip",
        "small,PSEL_W=4",
        "selector[",
        &[Bug::Wraps, Bug::WrapsBelow, Bug::StopsBelow, Bug::TooNarrow],
    ),
    (
        "managed_directory",
        "small,PSEL_W=4",
        "selector[",
        &[Bug::Wraps, Bug::WrapsBelow, Bug::StopsBelow, Bug::TooNarrow],
    ),
    // Failures per request are the highest bits of its failures: the lowest do not matter.
    ("milg", "small", "failures", &[Bug::Wraps, Bug::TooNarrow]),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Bug {
    /// None.
    Nothing,
    /// From its highest value it counts on from 0.
    Wraps,
    /// From 0 it counts down to its highest value.
    WrapsBelow,
    /// It stops one below its highest value.
    StopsBelow,
    /// Its highest bit is missing.
    TooNarrow,
}

/// What a bug does to each of a unit's counters, from edge to edge.
struct Planted {
    bug: Bug,
    counters: Vec<Slot>,
    /// The state before the last edge.
    before: State,
}

fn most(counter: Slot) -> u64 {
    u64::MAX >> (64 - counter.width())
}

impl Planted {
    fn new(sim: &Sim, bug: Bug, prefix: &str) -> Self {
        let named = |name: &str| name.rsplit('.').next().unwrap().starts_with(prefix);
        let registers = sim.layout().registers();
        let counters = registers.filter(|it| named(it.0));
        Self {
            bug,
            counters: counters.map(|it| it.1).collect(),
            before: sim.save(),
        }
    }

    /// Whether the last edge would have moved a counter to `limit` from the value beside it. Where it
    /// was and is at the limit, that is an event that it stopped.
    fn was_stopped(&self, sim: &mut Sim, counter: Slot, limit: u64, beside: u64) -> bool {
        let after = sim.save();
        if sim.get(counter) != limit {
            return false;
        }
        sim.restore(&self.before).unwrap();
        let mut stopped = sim.get(counter) == limit;
        if stopped {
            sim.set(counter, beside);
            sim.step();
            stopped = sim.get(counter) == limit;
        }
        sim.restore(&after).unwrap();
        stopped
    }

    fn after_edge(&mut self, sim: &mut Sim) {
        for at in 0..self.counters.len() {
            let counter = self.counters[at];
            let (most, count) = (most(counter), sim.get(counter));
            match self.bug {
                Bug::Nothing => {}
                Bug::Wraps if self.was_stopped(sim, counter, most, most - 1) => {
                    sim.set(counter, 0);
                }
                Bug::WrapsBelow if self.was_stopped(sim, counter, 0, 1) => sim.set(counter, most),
                Bug::StopsBelow if count == most => sim.set(counter, most - 1),
                Bug::TooNarrow => sim.set(counter, count & most >> 1),
                _ => {}
            }
        }
        sim.save_into(&mut self.before).unwrap();
    }
}

/// The cycle in which vectors see the bug.
fn seen(unit: &str, set: &ParameterSet, text: &[u8], bug: Bug, prefix: &str) -> Option<u64> {
    let netlist = table::netlist(unit, set).unwrap().unwrap();
    let mut planted = Planted::new(&Sim::new(&netlist).unwrap(), bug, prefix);
    assert!(!planted.counters.is_empty(), "{unit} has no {prefix}");
    first_difference(&netlist, text, &mut |sim| planted.after_edge(sim))
}

#[test]
fn bugs_of_counters_that_stop_are_found_at_the_default_length() {
    let mut wrong = vec![];
    for (unit, set, prefix, bugs) in UNITS {
        let set = table::set(unit, set).unwrap();
        let (_, vectors) = usual(unit, &set);
        let text = text_of(unit, &set, &vectors);
        assert_eq!(
            seen(unit, &set, &text, Bug::Nothing, prefix),
            None,
            "{unit}"
        );
        for &bug in bugs {
            let found = seen(unit, &set, &text, bug, prefix);
            if found.is_none() {
                wrong.push(format!("{unit} {}: {bug:?} is missed", set.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// An event that a full counter stops is told from one that there is not.
#[test]
fn a_stopped_event_is_an_event() {
    let set = table::set("core_sampling", "2x1,CNT_W=6").unwrap();
    let netlist = table::netlist("core_sampling", &set).unwrap().unwrap();
    let mut sim = Sim::new(&netlist).unwrap();
    let planted = Planted::new(&sim, Bug::Wraps, "count[0]");
    let [counter] = planted.counters[..] else {
        panic!("one counter");
    };
    let mut stopped = |events: u64| {
        sim.set(counter, 63);
        let before = sim.save();
        sim.set_input("retired", events).unwrap();
        sim.step();
        let planted = Planted {
            before,
            bug: Bug::Wraps,
            counters: vec![counter],
        };
        planted.was_stopped(&mut sim, counter, 63, 62)
    };
    assert_eq!([0, 1, 2].map(&mut stopped), [false, true, true]);
}
