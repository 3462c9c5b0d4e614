//! Rationale: the unit is there to tell the exact shares, so with all sets sampled its counters must
//! be those of the exact pass over the same accesses, netlist and golden model in lockstep. Accesses
//! that come while a stack is searched are dropped, with a queue those that find it full: then the
//! shares are those of the accesses that were taken, and the others are counted. A fault in the
//! division of misses must be noticed, and one in the queue.
//!
//! With whole misses charged to one kernel each, by more kernels than can be divided among, shares are
//! those of the golden model in every cycle, own misses are exact, and a kernel's share of a victim's
//! misses has the exact one as its mean. Its variance is the sum of p (1 - p) over its indices p; with
//! their sum E over N misses that is at most E (1 - E / N). Each share is held to five standard
//! deviations of that; the order of the kernels in place of one that is drawn is noticed.
//!
//! How many accesses are dropped in a scenario is a table of docs/attribution.md. Its column of few
//! accesses is counted again, with hardware in lockstep; a changed count must be noticed.
//!
//! `COTENANT_ACCESSES` is the number of accesses, 100,000 unless given.
//! `COTENANT_RECORD=1 cargo test -p cotenant --test all attribution::drops` writes the table.

use cotenant::unit::llc::Attribution;
use cotenant::verify::interface::Interface;
use cotenant::verify::lockstep::Lockstep;
use cotenant::verify::stimulus::Random;
use cotenant_golden::gpu::Gpu;
use cotenant_golden::llc::attribution::{Attribution as Golden, In, EVENTS};
use cotenant_golden::llc::exact::Exact;
use cotenant_golden::workload::scenario::Scenario;
use cotenant_golden::Model;
use cotenant_netlist::fault::{self, Described};
use cotenant_netlist::sim::Engine;
use cotenant_units::table::{self, ParameterSet};
use rayon::prelude::*;

use crate::common::SEED;

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

/// The same with a queue that is full now and then.
fn with_queue() -> ParameterSet {
    table::set(
        "attribution",
        "4x4x64x64l4q5,TAG_W=16,PARTIAL_W=16,CNT_W=48",
    )
    .unwrap()
}

/// The same for six kernels, each miss charged to one.
fn charging() -> ParameterSet {
    table::set(
        "attribution",
        "4x6x64x64l3q2p,TAG_W=16,PARTIAL_W=16,CNT_W=48",
    )
    .unwrap()
}

/// Kernels that go through areas of different size, now here, now there.
struct Kernels {
    random: Random,
    at: Vec<u64>,
}

impl Kernels {
    fn new(kernels: usize) -> Self {
        Self {
            random: Random::new(SEED),
            at: vec![0; kernels],
        }
    }

    fn access(&mut self) -> In {
        let random = &mut self.random;
        let kernels = self.at.len();
        let kid = random.below(kernels);
        let lines = [96, 160, 320, 1000, 240, 64][kid];
        self.at[kid] = match random.below(4) {
            0 => random.below(lines) as u64,
            _ => (self.at[kid] + 1) % lines as u64,
        };
        // Now and then a line that all kernels use.
        let line = match random.below(64) {
            0 => (1000 * kernels + random.below(64)) as u64,
            _ => self.at[kid] + 1000 * kid as u64,
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
    let lost = |lockstep: &Lockstep<Attribution>| lockstep.model().state().events.count[1][0];
    let step = |lockstep: &mut Lockstep<Attribution>, input: &In| {
        let (out, found) = lockstep.step_with_outputs(input).unwrap();
        found.map_or(Ok(out), |found| Err(format!("{found:?}")))
    };
    while !step(&mut lockstep, &In::default())?.ready {}
    let params = lockstep.params().clone();
    let mut exact = Exact::new(params.kernels, params.sets, params.ways).unwrap();
    let (mut kernels, mut random) = (Kernels::new(params.kernels), Random::new(SEED + 1));
    let mut dropped = 0;
    for _ in 0..accesses {
        let access = kernels.access();
        let searches =
            |lockstep: &Lockstep<Attribution>| lockstep.model().state().shadow.lookup.is_some();
        while pause && searches(&lockstep) {
            step(&mut lockstep, &In::default())?;
        }
        step(&mut lockstep, &access)?;
        match lost(&lockstep) == dropped {
            true => {
                let (kid, set) = (access.access_kid.into(), access.access_set as usize);
                exact.access(kid, set, access.access_tag);
            }
            false => dropped += 1,
        }
        for _ in 0..random.below(4) {
            step(&mut lockstep, &In::default())?;
        }
    }
    for _ in 0..(params.queue + 1) * (params.shadow().rows() + 1) + 4 {
        step(&mut lockstep, &In::default())?;
    }
    let state = lockstep.model().state();
    let share = |victim: usize, aggressor: usize| state.shares.count[aggressor][victim].into();
    let row = |victim| (0..params.kernels).map(|a| share(victim, a)).collect();
    let shares = (0..params.kernels).map(row).collect();
    let events = [0, 1, 2].map(|event: usize| state.events.count[event][0]);
    let attribution = exact.attribution();
    let unit = (1..params.kernels as u64).product::<u64>();
    assert_eq!(
        u128::from(attribution.unit),
        u128::from(unit),
        "in sixths of four kernels"
    );
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
fn shares_are_exact_of_what_a_queue_takes() {
    let set = with_queue();
    let lockstep = Lockstep::<Attribution>::new(&set).unwrap();
    let (seen, expected) = counted(lockstep, accesses() / 4, false).unwrap();
    println!("accesses taken, dropped, to lines of others: {:?}", seen.1);
    assert_eq!(seen, expected);
    assert!(seen.1[1] > accesses() / 400);
    let (without, _) = counted(
        Lockstep::<Attribution>::new(&self::set()).unwrap(),
        accesses() / 4,
        false,
    )
    .unwrap();
    assert!(seen.1[1] < without.1[1], "fewer than without a queue");
}

/// What is unlike its mean, of shares in whole misses and exact ones in so many parts of a miss.
fn unlikely(shares: &[Vec<u128>], exact: &[Vec<u128>], unit: u128) -> Vec<String> {
    let whole = |parts: u128| parts as f64 / unit as f64;
    let mut found = Vec::new();
    for (victim, (shares, exact)) in shares.iter().zip(exact).enumerate() {
        let sum = |row: &[u128]| row.iter().sum::<u128>();
        // What is drawn is who, never whether.
        if shares[victim] * unit != exact[victim] || sum(shares) * unit != sum(exact) {
            found.push(format!("K{victim}'s own misses, or all"));
        }
        let misses = whole(sum(exact) - exact[victim]);
        let others = (0..shares.len()).filter(|&aggressor| aggressor != victim);
        for aggressor in others {
            let (count, mean) = (shares[aggressor] as f64, whole(exact[aggressor]));
            let deviation = (mean * (1.0 - mean / misses.max(1.0))).max(0.0).sqrt();
            if (count - mean).abs() > 5.0 * deviation {
                found.push(format!(
                    "K{victim} K{aggressor}: {count}, {mean} +- {deviation}"
                ));
            }
        }
    }
    found
}

#[test]
fn whole_misses_are_exact_on_average() {
    let set = charging();
    let lockstep = Lockstep::<Attribution>::new(&set).unwrap();
    let (seen, expected) = counted(lockstep, accesses(), false).unwrap();
    println!("whole misses {:?}, accesses {:?}", seen.0, seen.1);
    assert_eq!(seen.1, expected.1);
    let unit = (1..6).product();
    assert_eq!(unlikely(&seen.0, &expected.0, unit), Vec::<String>::new());
    // There is enough to be charged that a wrong order shows: one that is drawn once for all, with
    // the first kernel that has a share charged for all of it.
    let mut wrong = seen.0.clone();
    let contention: u128 = wrong[0].iter().skip(1).sum();
    assert!(contention > u128::from(accesses()) / 100, "{contention}");
    wrong[0].iter_mut().skip(1).for_each(|share| *share = 0);
    wrong[0][1] = contention;
    assert!(!unlikely(&wrong, &expected.0, unit).is_empty());
}

/// Puts faults of a kind into a part, all of them or about `spread` over it, and sees each.
fn noticed(set: &ParameterSet, kind: &str, part: &str, spread: Option<usize>, pause: bool) {
    let netlist = Attribution::netlist(set).unwrap();
    let words = |fault: &fault::Fault| Described(&netlist, fault).to_string();
    let mut faults = fault::candidates(&netlist);
    faults.retain(|fault| words(fault).starts_with(kind) && words(fault).contains(part));
    println!("{} places in {part}", faults.len());
    assert!(faults.len() >= spread.unwrap_or(3));
    let step = spread.map_or(1, |spread| faults.len() / spread);
    for fault in faults.iter().step_by(step) {
        let faulty = netlist.with_fault(fault).unwrap();
        let lockstep = Lockstep::with_netlist(set, &faulty, Engine::default()).unwrap();
        assert!(counted(lockstep, 5_000, pause).is_err(), "{}", words(fault));
    }
}

#[test]
fn a_wrong_order_is_noticed() {
    noticed(&charging(), "off by one: Add", "pivot[0].", Some(6), false);
}

/// Which places are in use, and who is in them.
#[test]
fn a_wrong_queue_is_noticed() {
    noticed(&with_queue(), "stuck bit", "queue[0].", Some(3), false);
}

/// The sums of lines.
#[test]
fn a_wrong_division_is_noticed() {
    noticed(&set(), "off by one: Add", "blame[0].", None, true);
}

/// The scenario, and how many sets are sampled.
const SCENARIO: &str = "gdc-figure-3";
const SAMPLED: usize = 16;
/// Accesses of the two columns of the table.
const FEW: u64 = 20_000;
const MANY: u64 = 1_000_000;
/// Places that are looked at per cycle, and places of the queue.
const ROWS: [(usize, usize); 10] = [
    (1, 0),
    (1, 2),
    (1, 4),
    (1, 8),
    (1, 16),
    (4, 0),
    (4, 2),
    (4, 4),
    (4, 8),
    (8, 0),
];
const BEGIN: &str =
    "<!-- begin: written by COTENANT_RECORD=1 cargo test -p cotenant --test all attribution::drops -->\n\n";
const END: &str = "\n<!-- end -->";

/// The scenario's accesses to the L2, with their cycles. The unit takes one per cycle: of those that
/// come at several banks in one cycle, each but the first comes a cycle after the one before.
fn scenario(accesses: u64) -> Vec<(u64, In)> {
    let mut scenario = Scenario::named(SCENARIO).unwrap();
    scenario.accesses = accesses;
    let geometry = scenario.geometry;
    let mut gpu = scenario.gpu().unwrap();
    let mut stream: Vec<(u64, In)> = Vec::new();
    while (stream.len() as u64) < accesses {
        let end = gpu.cycle() + 100_000;
        gpu.run_to(end, &mut |reached| {
            let free = stream.last().map_or(0, |(cycle, _)| cycle + 1);
            let access = In {
                access_valid: true,
                access_set: reached.outcome.set,
                access_tag: geometry.tag_of(reached.access.address),
                access_kid: reached.access.kernel,
                ..In::default()
            };
            stream.push((free.max(reached.cycle), access));
            (stream.len() as u64) < accesses
        });
    }
    stream
}

fn row_set((lanes, queue): (usize, usize)) -> ParameterSet {
    let text = format!("16x4x256x{SAMPLED}l{lanes}q{queue},TAG_W=64");
    table::set("attribution", &text).unwrap()
}

/// Accesses to sampled sets that were taken and dropped.
fn taken_and_dropped(row: (usize, usize), stream: &[(u64, In)]) -> [u64; 2] {
    let params = Attribution::params(&row_set(row)).unwrap();
    let mut unit = Attribution::model(&params).unwrap();
    unit.start();
    let mut now = 0;
    for (cycle, access) in stream {
        if unit.stack_of(access.access_set).is_none() {
            continue;
        }
        // Nothing happens after the last access is done.
        let idle = |unit: &Golden| unit.free() && unit.state().queue.is_empty();
        while now < *cycle && !idle(&unit) {
            unit.step(&In::default());
            now += 1;
        }
        now = cycle + 1;
        unit.step(access);
    }
    [0, 1].map(|event: usize| unit.state().events.count[event][0])
}

/// The same with the hardware.
fn in_lockstep(
    row: (usize, usize),
    stream: &[(u64, In)],
    mut lockstep: Lockstep<Attribution>,
) -> Result<[u64; 2], String> {
    let mut step = |input: &In| {
        let (out, found) = lockstep.step_with_outputs(input).unwrap();
        found.map_or(Ok(out), |found| Err(format!("{row:?}: {found:?}")))
    };
    while !step(&In::default())?.ready {}
    let mut now = 0;
    for (cycle, access) in stream {
        for _ in now..*cycle {
            step(&In::default())?;
        }
        step(access)?;
        now = cycle + 1;
    }
    let count = &lockstep.model().state().events.count;
    Ok([0, 1].map(|event: usize| count[event][0]))
}

/// `12.34 % of 56789`.
fn share([taken, dropped]: [u64; 2]) -> String {
    let all = taken + dropped;
    format!("{:.3} % of {all}", 100.0 * dropped as f64 / all as f64)
}

fn line((lanes, queue): (usize, usize), few: &str, many: &str) -> String {
    format!("| {lanes} | {queue} | {few} | {many} |\n")
}

/// The lines of the page's table whose column of few accesses is not as counted.
fn changed(page: &str, few: &[String]) -> Vec<String> {
    let rows = ROWS.iter().zip(few);
    let begin = |(row, few): (&(usize, usize), &String)| {
        line(*row, few, "").trim_end_matches("|\n").to_owned()
    };
    let missing = rows.map(begin).filter(|begin| {
        let begin = begin.trim_end();
        !page.lines().any(|line| line.starts_with(begin))
    });
    missing.collect()
}

#[test]
fn drops_in_a_scenario() {
    let few = scenario(FEW);
    let counted = |row: &(usize, usize)| taken_and_dropped(*row, &few);
    let counted: Vec<[u64; 2]> = ROWS.par_iter().map(counted).collect();
    for row in [(1, 8), (4, 4)] {
        let lockstep = Lockstep::<Attribution>::new(&row_set(row)).unwrap();
        let at = ROWS.iter().position(|known| *known == row).unwrap();
        assert_eq!(in_lockstep(row, &few, lockstep), Ok(counted[at]));
    }
    let few: Vec<String> = counted.iter().map(|counts| share(*counts)).collect();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/attribution.md");
    let mut page = std::fs::read_to_string(path).unwrap();
    if std::env::var_os("COTENANT_RECORD").is_some() {
        let many = scenario(MANY);
        let counted = |row: &(usize, usize)| share(taken_and_dropped(*row, &many));
        let many: Vec<String> = ROWS.par_iter().map(counted).collect();
        let head = format!(
            "| LANES | QUEUE | dropped of the first {FEW} accesses | of the first {MANY} |\n\
             |---|---|---|---|\n"
        );
        let rows = ROWS.iter().zip(few.iter().zip(&many));
        let rows = rows.map(|(row, (few, many))| line(*row, few, many));
        let table = head + &rows.collect::<String>();
        let begin = page.find(BEGIN).expect("a table begins") + BEGIN.len();
        let end = begin + page[begin..].find(END).expect("and ends");
        page.replace_range(begin..end, &table);
        std::fs::write(path, &page).unwrap();
        println!("{table}");
    }
    assert_eq!(changed(&page, &few), Vec::<String>::new());
    // A count more in a row is not what the page says.
    let mut other = few.clone();
    other[3] = share([counted[3][0], counted[3][1] + 1]);
    assert_eq!(changed(&page, &other).len(), 1);
}
