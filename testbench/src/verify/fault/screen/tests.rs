//! Rationale: fault simulation must say of each fault what lockstep says of a netlist that has it, in
//! the same cycle and of the same name, or the table counts something else. RAMs, states far away,
//! counters that stay at a limit, flops that are not compared and several rounds are among the units.
use cotenant_netlist::fault::{candidates, sample, Described};
use cotenant_units::table;

use super::*;
use crate::unit::bus::MemIssueAxi;
use crate::unit::llc::{Gdcu, LlcMonitor, LruStack, Pivot, Popcnt, ShadowStack};
use crate::unit::mgmt::Umon;
use crate::unit::sm::{Milg, Qbmi, QuotaUnit, Smil};
use crate::verify::fault::{Campaign, Facts};
use crate::verify::interface::Interface;

const SEED: u64 = 0x9e37;

/// What fault simulation says of `given` and lockstep of `faults`; where the two differ.
fn differences<U: Drive + Facts>(
    set: &ParameterSet,
    cycles: u64,
    faults: &[Fault],
    given: &[Fault],
) -> Vec<String> {
    let netlist = U::netlist(set).unwrap();
    let mut screen = Screen::new::<U>(set, &netlist, SEED, cycles)
        .unwrap()
        .unwrap();
    let rounds = 0..cycles.div_ceil(ROUND);
    let mut found = vec![None; faults.len()];
    let mut each = |caught: Option<(usize, Outcome)>| {
        if let Some((number, outcome)) = caught {
            assert_eq!(found[number].replace(outcome), None);
        }
        Flow::Continue
    };
    let numbered = given.iter().copied().enumerate();
    let left = screen
        .run(numbered, rounds.clone(), &mut each)
        .unwrap()
        .unwrap();
    assert_eq!(left.len(), found.iter().filter(|one| one.is_none()).count());
    let mut campaign = Campaign::new::<U>(set, SEED, cycles).unwrap();
    let mut differ = Vec::new();
    for (fault, found) in faults.iter().zip(found) {
        let expected = campaign.catch(fault, rounds.clone()).unwrap();
        if found != expected {
            let words = Described(&netlist, fault);
            differ.push(format!("{words}: {found:?}, in lockstep {expected:?}"));
        }
    }
    differ
}

fn same<U: Drive + Facts>(set: &str, cycles: u64, most: usize) {
    let set = table::set(U::NAME, set).unwrap();
    let netlist = U::netlist(&set).unwrap();
    let faults = match candidates(&netlist) {
        all if all.len() <= most => all,
        _ => sample(&netlist, most, SEED),
    };
    let differ = differences::<U>(&set, cycles, &faults, &faults);
    assert_eq!(differ, [""; 0], "{} {}", U::NAME, set.name);
}

#[test]
fn every_place_of_small_units() {
    same::<Popcnt>("small", 2000, 500);
    same::<LruStack>("small", 2000, 500);
    same::<Smil>("small", 2000, 500);
    same::<Milg>("small", ROUND + 3000, 300);
}

#[test]
fn flops_that_are_not_compared() {
    same::<Gdcu>("small", 2000, 150);
    same::<QuotaUnit>("small", 2000, 100);
    same::<Qbmi>("small", 2000, 60);
    same::<Pivot>("small", 2000, 60);
    same::<MemIssueAxi>("small", 2000, 40);
}

#[test]
fn words_of_rams() {
    same::<Umon>("small", 5000, 100);
    same::<ShadowStack>("small", 5000, 150);
    same::<LlcMonitor>("small", 5000, 60);
}

#[test]
fn an_engine_that_follows_other_faults_is_seen() {
    let set = table::set("lru_stack", "small").unwrap();
    let faults = candidates(&LruStack::netlist(&set).unwrap());
    let mut given = faults.clone();
    given.rotate_left(1);
    let differ = differences::<LruStack>(&set, 500, &faults, &given);
    assert!(differ.len() > faults.len() / 2, "{differ:?}");
}
