//! Rationale: the unit is there to tell the exact shares, so with all sets sampled its counters must
//! be those of the exact pass over the same accesses, netlist and golden model in lockstep. Accesses
//! that come while a stack is searched are dropped: then the shares are those of the accesses that
//! were taken, and the others are counted. A fault in the division of misses must be noticed.
//!
//! `COTENANT_ACCESSES` is the number of accesses, 100,000 unless given.

use cotenant::unit::llc::Attribution;
use cotenant::verify::interface::Interface;
use cotenant::verify::lockstep::Lockstep;
use cotenant::verify::stimulus::Random;
use cotenant_golden::llc::attribution::{In, EVENTS};
use cotenant_golden::llc::exact::Exact;
use cotenant_golden::Model;
use cotenant_netlist::fault::{self, Described};
use cotenant_netlist::sim::Engine;
use cotenant_units::table::{self, ParameterSet};

mod common;
use common::SEED;

fn accesses() -> u64 {
    let given = std::env::var("COTENANT_ACCESSES").ok();
    given.map_or(100_000, |given| {
        given.parse().expect("a number of accesses")
    })
}

/// All sets sampled, whole tags, and counters that do not saturate.
fn set() -> ParameterSet {
    table::set("attribution", "4x4x64x64l4,TAG_W=16,PARTIAL_W=16,CNT_W=48").unwrap()
}

/// Kernels that go through areas of different size, now here, now there.
struct Kernels {
    random: Random,
    at: [u64; 4],
}

impl Kernels {
    fn new() -> Self {
        Self {
            random: Random::new(SEED),
            at: [0; 4],
        }
    }

    fn access(&mut self) -> In {
        let random = &mut self.random;
        let kid = random.below(4);
        let lines = [96, 160, 320, 1000][kid];
        self.at[kid] = match random.below(4) {
            0 => random.below(lines) as u64,
            _ => (self.at[kid] + 1) % lines as u64,
        };
        // Now and then a line that all kernels use.
        let line = match random.below(64) {
            0 => 4000 + random.below(64) as u64,
            _ => self.at[kid] + [0, 1000, 2000, 3000][kid],
        };
        In {
            access_valid: true,
            access_set: (line % 64) as u32,
            access_tag: line / 64,
            access_kid: kid as u8,
            ..In::default()
        }
    }
}

/// The shares by victim and aggressor, and accesses taken, dropped, to lines of others.
type Counted = (Vec<Vec<u128>>, [u64; EVENTS]);

/// What the unit counts, and what the exact pass over the accesses taken does. The first difference
/// of netlist and golden model is an error.
fn counted(
    mut lockstep: Lockstep<Attribution>,
    accesses: u64,
    pause: bool,
) -> Result<(Counted, Counted), String> {
    let step = |lockstep: &mut Lockstep<Attribution>, input: &In| {
        let (out, found) = lockstep.step_with_outputs(input).unwrap();
        found.map_or(Ok(out), |found| Err(format!("{found:?}")))
    };
    while !step(&mut lockstep, &In::default())?.ready {}
    let params = lockstep.params().clone();
    let mut exact = Exact::new(params.kernels, params.sets, params.ways).unwrap();
    let (mut kernels, mut random) = (Kernels::new(), Random::new(SEED + 1));
    let mut dropped = 0;
    for _ in 0..accesses {
        let access = kernels.access();
        let searches =
            |lockstep: &Lockstep<Attribution>| lockstep.model().state().shadow.lookup.is_some();
        while pause && searches(&lockstep) {
            step(&mut lockstep, &In::default())?;
        }
        match searches(&lockstep) {
            true => dropped += 1,
            false => {
                let (kid, set) = (access.access_kid.into(), access.access_set as usize);
                exact.access(kid, set, access.access_tag);
            }
        }
        step(&mut lockstep, &access)?;
        for _ in 0..random.below(4) {
            step(&mut lockstep, &In::default())?;
        }
    }
    for _ in 0..params.shadow().rows() + 4 {
        step(&mut lockstep, &In::default())?;
    }
    let state = lockstep.model().state();
    let share = |victim: usize, aggressor: usize| state.shares.count[aggressor][victim].into();
    let row = |victim| (0..params.kernels).map(|a| share(victim, a)).collect();
    let shares = (0..params.kernels).map(row).collect();
    let events = [0, 1, 2].map(|event: usize| state.events.count[event][0]);
    let attribution = exact.attribution();
    assert_eq!(attribution.unit, 6, "four kernels count in sixths");
    let expected = [accesses - dropped, dropped, attribution.shared_lines];
    Ok(((shares, events), (attribution.exact, expected)))
}

#[test]
fn shares_are_exact_where_none_is_dropped() {
    let lockstep = Lockstep::<Attribution>::new(&set()).unwrap();
    let (seen, expected) = counted(lockstep, accesses(), true).unwrap();
    println!("shares in sixths {:?}, accesses {:?}", seen.0, seen.1);
    assert_eq!(seen, expected);
    assert_eq!(seen.1[1], 0);
    let contention: u128 = (0..4)
        .map(|v| seen.0[v].iter().sum::<u128>() - seen.0[v][v])
        .sum();
    assert!(contention > 6 * u128::from(accesses()) / 50);
}

#[test]
fn shares_are_exact_of_what_is_taken() {
    let lockstep = Lockstep::<Attribution>::new(&set()).unwrap();
    let (seen, expected) = counted(lockstep, accesses() / 4, false).unwrap();
    println!("accesses taken, dropped, to lines of others: {:?}", seen.1);
    assert_eq!(seen, expected);
    assert!(seen.1[1] > accesses() / 40);
}

#[test]
fn a_wrong_division_is_noticed() {
    let set = set();
    let netlist = Attribution::netlist(&set).unwrap();
    // The sums of lines.
    let of_blame = |fault: &fault::Fault| {
        let name = Described(&netlist, fault).to_string();
        name.starts_with("off by one: Add") && name.contains("blame.")
    };
    let faults: Vec<_> = fault::candidates(&netlist)
        .into_iter()
        .filter(of_blame)
        .collect();
    println!("{} places in blame", faults.len());
    let noticed = |fault: &fault::Fault| {
        let faulty = netlist.with_fault(fault).unwrap();
        let lockstep = Lockstep::with_netlist(&set, &faulty, Engine::default()).unwrap();
        let result = counted(lockstep, 5_000, true);
        println!("{}: {:?}", Described(&netlist, fault), result.is_err());
        result.is_err()
    };
    assert!(faults.len() >= 3);
    assert!(faults.iter().all(noticed));
}
