//! What holds of a shared LRU cache and its counters whatever comes.
//!
//! Rationale: the models agree with each other and with the hardware, so all of them could be
//! wrong together. What is checked here follows from the papers' definitions alone, and is
//! computed in another way: distances from the history of accesses, not from a stack; sums from
//! the accesses, not from counters. Each property is a function over any [`Cache`], so that one
//! with a single rule broken ([`broken`]) can be seen to fail it. Geometries sit on both sides of
//! the fast cache's engines; few lines make hits in all positions, many make evictions.
//!
//! The draws are proptest's, whose seeds are printed and kept when they fail.

mod broken;
mod counters;
mod laws;

use cotenant_golden::llc::cache::{Cache, Fast, Geometry, Reference};
use cotenant_golden::workload::{Access, Op};
use proptest::prelude::*;

use broken::{Broken, Rule};

/// A cache of some dimensions.
type Make<'a> = &'a dyn Fn(Geometry) -> Box<dyn Cache>;

fn fast(geometry: Geometry) -> Box<dyn Cache> {
    Box::new(Fast::new(geometry).unwrap())
}

fn reference(geometry: Geometry) -> Box<dyn Cache> {
    Box::new(Reference::new(geometry).unwrap())
}

fn geometry() -> impl Strategy<Value = Geometry> {
    let ways = prop::sample::select(vec![1, 2, 3, 4, 8, 15, 16, 17, 48]);
    let kernels = prop::sample::select(vec![1, 2, 3, 4, 5, 8, 9, 17]);
    (0u32..3, ways, kernels).prop_map(|(sets, ways, kernels)| Geometry {
        sets: 1 << sets,
        ways,
        line: 128,
        kernels,
        banks: 1,
    })
}

/// Accesses of kernels that share some lines: of any, of one's own, or round and round as loops
/// do.
fn accesses(geometry: Geometry, length: usize) -> impl Strategy<Value = Vec<Access>> {
    let lines = (geometry.sets * geometry.ways) as u64 * 3 / 2 + 1;
    let kernel = 0..geometry.kernels as u8;
    let one = (kernel, 0..3u8, 0..lines);
    prop::collection::vec(one, 1..length).prop_map(move |drawn| {
        let mut rounds = vec![0; geometry.kernels];
        let access = |(kernel, kind, line): (u8, u8, u64)| {
            let round = &mut rounds[usize::from(kernel)];
            let own = (u64::from(kernel) + 1) << 20;
            let line = match kind {
                0 => line,
                1 => own + line,
                _ => {
                    *round = (*round + 1) % lines;
                    own + *round
                }
            };
            let op = if line % 3 == 0 { Op::Write } else { Op::Read };
            Access::at(kernel, op, line * 128, 128)
        };
        drawn.into_iter().map(access).collect()
    })
}

fn run(length: usize) -> impl Strategy<Value = (Geometry, Vec<Access>)> {
    geometry().prop_flat_map(move |geometry| (Just(geometry), accesses(geometry, length)))
}

/// The first violation of a property that a cache with a broken rule shows, over a fixed number of
/// runs from a fixed seed.
fn caught(rule: Rule, law: impl Fn(Make<'_>, Geometry, &[Access]) -> Result<(), String>) -> bool {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;
    let mut runner = TestRunner::deterministic();
    (0..64).any(|_| {
        let (geometry, accesses) = run(300).new_tree(&mut runner).unwrap().current();
        let make = move |geometry| Box::new(Broken::new(geometry, rule)) as Box<dyn Cache>;
        law(&make, geometry, &accesses).is_err()
    })
}

/// A property of all caches that hold to the rules, and of none that breaks the one it is about.
macro_rules! law {
    ($name:ident, $law:path, $rule:expr) => {
        mod $name {
            use super::*;

            proptest! {
                #![proptest_config(ProptestConfig::with_cases(96))]

                #[test]
                fn holds((geometry, accesses) in run(300)) {
                    let plain = |geometry| Box::new(Broken::new(geometry, Rule::None)) as Box<dyn Cache>;
                    for make in [&fast as Make<'_>, &reference, &plain] {
                        $law(make, geometry, &accesses).map_err(TestCaseError::fail)?;
                    }
                }
            }

            #[test]
            fn a_broken_rule_is_caught() {
                assert!(!caught(Rule::None, $law));
                assert!(caught($rule, $law));
            }
        }
    };
}

law!(more_ways_never_more_misses, laws::inclusion, Rule::Fifo);
law!(
    hit_positions_are_stack_distances,
    laws::distances,
    Rule::Fifo
);
law!(
    kernel_ids_are_but_names,
    laws::permutation,
    Rule::KernelOneIsZero
);
law!(
    a_miss_demotes_all_valid_lines,
    laws::demotions,
    Rule::EvictionIsNoDemotion
);
law!(
    each_eviction_is_someones,
    laws::evictions,
    Rule::OwnEvictionsForgotten
);
