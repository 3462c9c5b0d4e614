//! Rationale: a unit is written for any legal parameters, but listed sets are few, and mostly powers
//! of two. So sets are drawn from the ranges that the unit's definition gives, odd numbers of ways
//! and kernels, narrow and wide counters among them: netlist and golden model run in lockstep, and
//! the exported Verilog plays the golden model's vectors in Icarus. Faults in units of such sets
//! must be seen by both. What is legal is said by hardware and golden model independently, so both
//! are asked about values in, at and beyond the ends of each range.
//!
//! `cotenant check all --config random --verilog` does the same for as long as one likes.
#![allow(missing_docs)]

use cotenant::export::{play_named, Options, Simulator, Vectors, Verdict};
use cotenant::registry::{visit, AnyUnit, Unit, Visitor, UNITS};
use cotenant::verify::interface::ParamsOf;
use cotenant::verify::lockstep::{Check, Flow, Lockstep};
use cotenant::verify::stimulus::{random_sets, stream, Mix, Random};
use cotenant_golden::ports::Parameters;
use cotenant_golden::{Model, ParamError};
use cotenant_netlist::describe::Definition;
use cotenant_netlist::fault::{sample, Described, Fault};
use cotenant_netlist::sim::Engine;
use cotenant_units::table::{self, ParameterSet};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, FileFailurePersistence, RngSeed, TestCaseError, TestRunner};
use rayon::prelude::*;

/// Where failures are kept, for all machines.
const REGRESSIONS: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/proptest-regressions/any_parameters.txt"
);
/// Sets of each unit in lockstep.
const SETS: u32 = 4;
/// Cycles of each, from reset and from states far away.
const CYCLES: u64 = 1_000;
/// Cycles in Icarus.
const VECTORS: u64 = 300;
/// The largest unit in lockstep, in bits of all signals: more take longer than they tell.
const MEDIUM: usize = 8_000;
/// The largest unit in Icarus, in bits of all signals.
const SMALL: usize = 2_000;
/// Values asked about.
const QUESTIONS: usize = 120;
const SEED: u64 = 0x9e37;

fn runner(cases: u32) -> TestRunner {
    TestRunner::new(Config {
        cases,
        rng_seed: RngSeed::Fixed(SEED),
        failure_persistence: Some(Box::new(FileFailurePersistence::Direct(REGRESSIONS))),
        source_file: Some(file!()),
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
fn the_verilog_gives_the_vectors_of_the_golden_model() {
    for_random_sets(1, SMALL, |unit, set| {
        match in_icarus(unit.name(), set, None)? {
            Verdict::Pass { cycles, .. } if cycles == VECTORS => Ok(()),
            verdict => Err(format!("{} {}: {verdict:?}", unit.name(), set.name)),
        }
    });
}

/// The first fault of a sample that the lockstep catches, in words.
struct Planted<'a>(&'a ParameterSet);

impl Visitor for Planted<'_> {
    type Output = Option<String>;

    fn visit<U: Unit>(self) -> Option<String> {
        let netlist = U::netlist(self.0).unwrap();
        let caught = |fault: &Fault| {
            let faulty = netlist.with_fault(fault).unwrap();
            let lockstep = Lockstep::<U>::with_netlist(self.0, &faulty, Engine::Interpreter);
            let mut lockstep = lockstep.unwrap();
            let stimulus = stream::<U>(lockstep.params(), Mix::default(), SEED);
            !lockstep.run(stimulus, VECTORS).unwrap().passed()
        };
        let found = sample(&netlist, 8, SEED).into_iter().find(caught);
        found.map(|fault| Described(&netlist, &fault).to_string())
    }
}

#[test]
fn faults_are_seen_in_lockstep_and_in_icarus() {
    UNITS.par_iter().for_each(|unit| {
        let unit = unit.name();
        let sets = random_sets(unit, SMALL).unwrap();
        let set = sets.new_tree(&mut runner(1)).unwrap().current();
        let fault = visit(unit, Planted(&set)).unwrap();
        let fault = fault.unwrap_or_else(|| panic!("{unit} {}: no fault is caught", set.name));
        let verdict = in_icarus(unit, &set, Some(&fault)).unwrap();
        assert!(
            matches!(verdict, Verdict::Fail { .. }),
            "{unit} {}: Icarus does not see '{fault}'",
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

/// Values in, at and beyond the ends of the ranges.
fn doubtful(definition: &Definition, count: usize, random: &mut Random) -> Vec<usize> {
    let mut values = Vec::new();
    let mut in_range = true;
    for parameter in &definition.parameters[..count] {
        if !in_range {
            // Ranges follow from legal values alone.
            values.push(2);
            continue;
        }
        let range = (parameter.range)(&values);
        let (start, end) = (*range.start(), *range.end());
        let value = match random.below(16) {
            0 => start.saturating_sub(1),
            1 => end + 1,
            2 => end,
            choice => {
                let value = start + random.below(end.saturating_sub(start).min(64) + 1);
                let power = 1 << value.max(1).ilog2();
                // Some have to be powers of two.
                if choice < 10 && power >= start {
                    power
                } else {
                    value
                }
            }
        };
        in_range = range.contains(&value);
        values.push(value);
    }
    values
}

#[test]
fn hardware_and_golden_model_take_the_same_parameters() {
    UNITS.par_iter().for_each(|unit| {
        let unit = unit.name();
        let (definition, names) = (
            table::definition(unit).unwrap(),
            table::parameters(unit).unwrap(),
        );
        let mut random = Random::new(SEED);
        let mut legal = 0;
        for _ in 0..QUESTIONS {
            let values = doubtful(definition, names.len(), &mut random);
            let pairs: Vec<(&'static str, usize)> = names.iter().copied().zip(values).collect();
            let text: Vec<String> = pairs.iter().map(|(n, v)| format!("{n}={v}")).collect();
            let hardware = table::set(unit, &text.join(",")).map(drop);
            let golden = visit(unit, Golden(&pairs)).unwrap();
            assert_eq!(
                hardware.is_ok(),
                golden.is_ok(),
                "{unit} {text:?}: hardware {hardware:?}, golden model {golden:?}"
            );
            legal += usize::from(hardware.is_ok());
        }
        assert!(
            legal > 10 && QUESTIONS - legal > 10,
            "{unit}: {legal} legal"
        );
    });
}
