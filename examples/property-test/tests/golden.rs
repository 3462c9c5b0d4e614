//! The stack beside the golden model: every output, every cycle, in runs that shrink; and once along
//! the way to every bin of the functional coverage.

use cotenant::unit::llc::LruStack;
use cotenant::verify::coverage::{Collect, Cover, CoverageReport};
use cotenant::verify::directed::{Plan, BUDGET};
use cotenant::verify::interface::Interface;
use cotenant::verify::stimulus::{strategy, Drive, Mix, Profile, Run};
use cotenant_golden::llc::lru_stack::{In, Out, Params};
use cotenant_golden::Model;
use property_test::{Happens, MyLru};
use proptest::test_runner::{Config, RngSeed, TestCaseError, TestError, TestRunner};

/// What the design's ports say in a cycle; then its edge.
fn cycle(design: &mut MyLru, input: &In) -> Out {
    let stack = design.stack();
    let (victim_way, victim_owner, victim_valid) = stack[stack.len() - 1];
    let out = Out {
        hit_pos: match input.access_hit {
            true => design.age(input.access_way) as u8,
            false => stack.len() as u8,
        },
        stack_way: stack.iter().map(|&(way, _, _)| way).collect(),
        stack_owner: stack.iter().map(|&(_, owner, _)| owner).collect(),
        stack_valid: (0..)
            .zip(&stack)
            .map(|(at, &(_, _, valid))| u64::from(valid) << at)
            .sum(),
        victim_way,
        victim_owner,
        victim_valid,
    };
    design.step(match *input {
        In { reset, flush, .. } if reset || flush => Happens::Flush,
        In {
            invalidate_valid: true,
            invalidate_way,
            ..
        } => Happens::Invalidate(invalidate_way),
        In {
            access_valid: true,
            access_kid,
            access_hit,
            access_way,
            ..
        } => Happens::Access(access_kid, access_hit.then_some(access_way)),
        _ => Happens::Nothing,
    });
    out
}

type Runs = Vec<<LruStack as Drive>::Transaction>;

/// The first run that the design fails, made as simple as it can be.
fn failing(params: &Params, profile: Profile, mistake: bool) -> Result<(), TestError<Runs>> {
    let config = Config {
        rng_seed: RngSeed::Fixed(1),
        failure_persistence: None,
        ..Config::default()
    };
    let runs = strategy::<LruStack>(params, profile, 1..200);
    TestRunner::new(config).run(&runs, |run| {
        let (mut golden, mut world) = (LruStack::model(params).unwrap(), LruStack::world(params));
        let mut design = MyLru::new(params.ways, mistake);
        let mut input = LruStack::idle(params);
        for transaction in &run {
            LruStack::resolve(params, &golden, &mut world, transaction, &mut input);
            let (expected, out) = (golden.step(&input), cycle(&mut design, &input));
            if out != expected {
                return Err(TestCaseError::fail(format!(
                    "got {out:?}, expected {expected:?}"
                )));
            }
        }
        Ok(())
    })
}

#[test]
fn my_stack_is_the_golden_model() {
    for params in ["2x2", "4x3", "16x4"].map(|text| LruStack::read(text).unwrap()) {
        for profile in [Profile::Uniform, Profile::Skewed, Profile::InvalidWays] {
            failing(&params, profile, false).unwrap();
        }
    }
}

#[test]
fn a_mistake_is_found_and_the_run_is_short() {
    let params = LruStack::read("4x3").unwrap();
    let Err(TestError::Fail(_, run)) = failing(&params, Profile::Uniform, true) else {
        panic!("the mistake was not found");
    };
    // At least a fill, a hit by another kernel, and a cycle to see it.
    assert!((3..8).contains(&run.len()), "{run:?}");
}

#[test]
fn every_bin_is_reached_from_reset() {
    let params = LruStack::read("4x3").unwrap();
    let plan = Plan::new::<LruStack>(&params, 1, BUDGET, &mut |_| true)
        .unwrap()
        .unwrap();
    let mut run = Run::<LruStack>::new(&params, &plan.segments, Mix::default(), 1).unwrap();
    let mut design = MyLru::new(params.ways, false);
    let mut collector = LruStack::collector(&params);
    for number in 0..2 + plan.cycles() {
        let input = run.input().unwrap().clone();
        collector.sample(run.model(), &input);
        let expected = run.model().clone().step(&input);
        assert_eq!(cycle(&mut design, &input), expected, "cycle {number}");
        run.answer();
    }
    let coverage = CoverageReport::of(&collector);
    assert!(coverage.closed(), "{coverage}");
}
