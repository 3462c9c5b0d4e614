//! Rationale: a unit is written for any legal parameters, but listed sets are few, and mostly powers
//! of two. So sets are drawn from the ranges that the unit's definition gives, odd numbers of ways
//! and kernels, narrow and wide counters among them: netlist and golden model run in lockstep, and
//! the exported Verilog plays the golden model's vectors in Icarus. Faults in units of such sets
//! must be seen by both. What is legal is said by hardware and golden model independently: the
//! golden model must take whatever the hardware takes, and what the hardware refuses is named.
//!
//! `cotenant check all --config random --verilog` does the same for as long as one likes.
#![allow(missing_docs)]

use cotenant::export::{play_named, Options, Simulator, Vectors, Verdict};
use cotenant::registry::{find, visit, AnyUnit, Unit, Visitor, UNITS};
use cotenant::verify::interface::ParamsOf;
use cotenant::verify::lockstep::{Check, Flow, Lockstep};
use cotenant::verify::stimulus::{random_sets, stream, Mix, Random};
use cotenant_golden::ports::Parameters;
use cotenant_golden::{Model, ParamError};
use cotenant_netlist::describe::{Definition, ParameterError};
use cotenant_netlist::fault::{sample, Described, Fault};
use cotenant_netlist::sim::Engine;
use cotenant_units::table::{self, ParameterSet, TableError};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngSeed, TestCaseError, TestRunner};
use rayon::prelude::*;

/// Sets of each unit in lockstep.
const SETS: u32 = 3;
/// Cycles of each, from reset and from states far away.
const CYCLES: u64 = 1_000;
/// Cycles in Icarus.
const VECTORS: u64 = 200;
/// The largest unit in lockstep, in bits of all signals and memories.
const MEDIUM: usize = 6_000;
/// The largest unit in Icarus.
const SMALL: usize = 2_000;
/// Values asked about, of each parameter: below its range, beyond, the last, and two small ones.
const QUESTIONS: usize = 5;
/// How often, each time with other values of the other parameters.
const ROUNDS: usize = 3;
const SEED: u64 = 0x9e37;

/// Always the same cases: what once differed is a case of its own below.
fn runner(cases: u32) -> TestRunner {
    TestRunner::new(Config {
        cases,
        rng_seed: RngSeed::Fixed(SEED),
        failure_persistence: None,
        ..Config::default()
    })
}

/// Runs `test` for random sets of each unit.
fn for_random_sets(
    cases: u32,
    largest: usize,
    test: impl Fn(&'static dyn AnyUnit, &ParameterSet) -> Result<(), String> + Sync,
) {
    UNITS.par_iter().for_each(|&unit| {
        let sets = random_sets(unit.name(), largest).unwrap();
        let result = runner(cases).run(&sets, |set| test(unit, &set).map_err(TestCaseError::fail));
        result.unwrap_or_else(|failure| panic!("{}: {failure}", unit.name()));
    });
}

fn in_lockstep(unit: &dyn AnyUnit, set: &ParameterSet) -> Result<(), String> {
    // Compiling takes longer than so few cycles do.
    let check = Check::new(CYCLES, SEED).engine(Engine::Interpreter);
    let report = unit.check(set, &check, &mut |_| Flow::Continue);
    match report {
        Ok(report) if report.passed() => Ok(()),
        Ok(report) => Err(report.to_string()),
        Err(error) => Err(format!("{} {}: {error}", unit.name(), set.name)),
    }
}

/// The verdict of Icarus on the unit's Verilog, with or without a fault.
fn in_icarus(unit: &str, set: &ParameterSet, fault: Option<&str>) -> Result<Verdict, String> {
    let options = Options::default().with_testbench(Vectors::default().cycles(VECTORS));
    let options = match fault {
        Some(fault) => options.with_fault(fault),
        None => options,
    };
    let verdict = play_named(unit, set.name, &options, Simulator::Icarus);
    verdict.map_err(|error| format!("{unit} {}: {error}", set.name))
}

#[test]
fn netlist_and_golden_model_agree() {
    for_random_sets(SETS, MEDIUM, in_lockstep);
}

#[test]
fn sets_that_once_differed_agree() {
    for (unit, set) in [
        // Counters narrower than the far states of the stimulus.
        ("smil", "1x1"),
        ("gdcu", "1x16x1s0"),
        ("counter_matrix", "KERNELS=1,INC_W=1,CNT_W=4"),
        // All others run the last kernel, also if few have an entry of their own.
        ("llc_monitor", "2x7x8x1,TAG_W=2,CNT_W=4,REQUESTERS=2"),
    ] {
        let set = table::set(unit, set).unwrap();
        in_lockstep(find(unit).unwrap(), &set).unwrap();
    }
}

#[test]
fn the_verilog_gives_the_vectors_of_the_golden_model() {
    for_random_sets(1, SMALL, |unit, set| {
        match in_icarus(unit.name(), set, None)? {
            Verdict::Pass { cycles, .. } if cycles == VECTORS => Ok(()),
            verdict => Err(format!("{} {}: {verdict:?}", unit.name(), set.name)),
        }
    });
}

/// Printing one as Verilog took time exponential in the number of ways.
#[test]
fn a_monitor_of_many_ways_is_exported() {
    let set = table::set("llc_monitor", "32x2x2x1,TAG_W=5").unwrap();
    let verdict = in_icarus("llc_monitor", &set, None).unwrap();
    assert!(matches!(verdict, Verdict::Pass { .. }), "{verdict:?}");
}

/// The faults of a sample that the lockstep catches, in words.
struct Planted<'a>(&'a ParameterSet);

impl Visitor for Planted<'_> {
    type Output = Vec<String>;

    fn visit<U: Unit>(self) -> Vec<String> {
        let netlist = U::netlist(self.0).unwrap();
        let caught = |fault: &Fault| {
            let faulty = netlist.with_fault(fault).unwrap();
            let lockstep = Lockstep::<U>::with_netlist(self.0, &faulty, Engine::Interpreter);
            let mut lockstep = lockstep.unwrap();
            let stimulus = stream::<U>(lockstep.params(), Mix::default(), SEED);
            !lockstep.run(stimulus, VECTORS).unwrap().passed()
        };
        let found = sample(&netlist, 24, SEED).into_iter().filter(caught);
        let words = found.map(|fault| Described(&netlist, &fault).to_string());
        words.collect()
    }
}

#[test]
fn faults_are_seen_in_lockstep_and_in_icarus() {
    UNITS.par_iter().for_each(|unit| {
        let unit = unit.name();
        let sets = random_sets(unit, SMALL).unwrap();
        let set = sets.new_tree(&mut runner(1)).unwrap().current();
        let faults = visit(unit, Planted(&set)).unwrap();
        assert!(
            !faults.is_empty(),
            "{unit} {}: no fault is caught",
            set.name
        );
        // The lockstep compares registers, too; of a few faults it sees, one reaches the outputs.
        let seen = |fault: &String| {
            let verdict = in_icarus(unit, &set, Some(fault)).unwrap();
            matches!(verdict, Verdict::Fail { .. })
        };
        assert!(
            faults.iter().any(seen),
            "{unit} {}: Icarus sees none of {faults:?}",
            set.name
        );
    });
}

/// Whether the golden model can be made with these values, by name.
struct Golden<'a>(&'a [(&'static str, usize)]);

impl Visitor for Golden<'_> {
    type Output = Result<(), ParamError>;

    fn visit<U: Unit>(self) -> Result<(), ParamError> {
        let value = |name| {
            let found = self.0.iter().find(|(known, _)| *known == name);
            Ok(found
                .unwrap_or_else(|| panic!("{} has no {name}", U::NAME))
                .1)
        };
        let params: ParamsOf<U> = Parameters::named(value, |refused| refused)?;
        U::Model::legal(&params)
    }
}

/// Values of the first `count` parameters: the one at `asked` in, at or beyond an end of its range,
/// by `question`, and the others small.
fn doubtful(
    definition: &Definition,
    count: usize,
    (asked, question): (usize, usize),
    random: &mut Random,
) -> Vec<usize> {
    let mut values = Vec::new();
    let mut in_range = true;
    for (at, parameter) in definition.parameters[..count].iter().enumerate() {
        if !in_range {
            // Ranges follow from legal values alone.
            values.push(2);
            continue;
        }
        let range = (parameter.range)(&values);
        let (start, end) = (*range.start(), *range.end());
        let value = match (at == asked, question) {
            (true, 0) => start.saturating_sub(1),
            (true, 1) => end.saturating_add(1),
            (true, 2) => end,
            _ => end.min(start + random.below(3)),
        };
        in_range = range.contains(&value);
        values.push(value);
    }
    values
}

/// What the hardware says of values that it does not take.
fn named(refused: &TableError, definition: &Definition, values: &[usize]) -> bool {
    let TableError::Parameters(refused) = refused else {
        return false;
    };
    match refused {
        ParameterError::OutOfRange {
            parameter,
            value,
            range,
            ..
        } => {
            let place = definition
                .parameters
                .iter()
                .position(|p| p.name == parameter);
            // A part may refuse a parameter that follows from the unit's.
            !range.contains(value) && place.is_none_or(|at| values[at] == *value)
        }
        // Those that it is about, with their values.
        ParameterError::Requirement { what } => what.contains('='),
        _ => false,
    }
}

#[test]
fn the_golden_model_takes_what_the_hardware_takes_and_the_rest_is_named() {
    UNITS.par_iter().for_each(|unit| {
        let unit = unit.name();
        let (definition, names) = (
            table::definition(unit).unwrap(),
            table::parameters(unit).unwrap(),
        );
        let mut random = Random::new(SEED);
        let mut legal = 0;
        let asked = (0..names.len() * QUESTIONS * ROUNDS)
            .map(|n| (n / QUESTIONS % names.len(), n % QUESTIONS));
        for asked in asked {
            let values = doubtful(definition, names.len(), asked, &mut random);
            let pairs: Vec<(&'static str, usize)> =
                names.iter().copied().zip(values.clone()).collect();
            let text: Vec<String> = pairs.iter().map(|(n, v)| format!("{n}={v}")).collect();
            match table::set(unit, &text.join(",")) {
                Ok(_) => {
                    let golden = visit(unit, Golden(&pairs)).unwrap();
                    assert_eq!(golden, Ok(()), "{unit} {text:?}: legal for the hardware");
                    legal += 1;
                }
                Err(refused) => {
                    let named = named(&refused, definition, &values);
                    assert!(named, "{unit} {text:?}: {refused}");
                }
            }
        }
        let illegal = names.len() * QUESTIONS * ROUNDS - legal;
        assert!(
            legal > 5 && illegal > 5,
            "{unit}: {legal} legal, {illegal} illegal"
        );
    });
}

/// Golden models that are chosen by text, for programs in other languages, read parameters by
/// themselves. They must read what the command line reads.
#[test]
fn golden_models_by_name_have_the_same_parameters() {
    for unit in table::units() {
        let golden = cotenant_golden::dynamic::unit(unit).unwrap();
        let mut compared = 0;
        for set in table::sets(unit).unwrap() {
            let pairs = set
                .params
                .iter()
                .map(|(name, value)| format!("{name}={value}"));
            let pairs: Vec<String> = pairs.collect();
            let mut texts = vec![pairs.join(",")];
            // Names of sets are numbers, unless a unit's sets have other names.
            if golden.settings(set.name).is_ok() {
                texts.push(set.name.into());
            }
            for text in &texts {
                let mut known = set.params.clone();
                let mut read = golden.settings(text).unwrap().values().to_vec();
                known.sort_unstable();
                read.sort_unstable();
                assert_eq!(read, known, "{unit} {text}");
                compared += 1;
            }
        }
        assert!(compared > 0, "{unit}");
    }
}
