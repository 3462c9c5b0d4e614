//! One compiled design, many instances: code is shared, state is not.
//!
//! A cache keeps one small state per set. Instances are stepped in turns with
//! different inputs and each must end where it ends alone; a saved state must
//! continue as the original does, whichever instance takes it on.

use crate::sim::design::recipe;
use crate::sim::engines::{engines, Stream};
use cotenant_netlist::sim::{Sim, SimError, State};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

/// Random inputs, then a step.
fn step(sim: &mut Sim, stream: &mut Stream) {
    let slots: Vec<_> = sim.layout().inputs().map(|i| i.1).collect();
    for slot in slots {
        let words: Vec<u64> = (0..slot.words()).map(|_| stream.word()).collect();
        sim.set_words(slot, &words);
    }
    sim.step();
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn instances_do_not_disturb_each_other(recipe in recipe(), seed in 1u64..u64::MAX) {
        let netlist = recipe.netlist();
        for engine in engines() {
            let fresh = Sim::with_engine(&netlist, engine).unwrap();
            let seeds = [seed, seed.rotate_left(20) | 1];
            let alone = seeds.map(|s| {
                let (mut sim, mut stream) = (fresh.clone(), Stream(s));
                (0..20).for_each(|_| step(&mut sim, &mut stream));
                sim.save()
            });
            let mut sims = [fresh.clone(), fresh.clone()];
            let mut streams = seeds.map(Stream);
            for _ in 0..20 {
                for (sim, stream) in sims.iter_mut().zip(&mut streams) {
                    step(sim, stream);
                }
            }
            prop_assert_eq!([sims[0].save(), sims[1].save()], alone);
        }
    }

    #[test]
    fn a_restored_state_continues(recipe in recipe(), seed in 1u64..u64::MAX) {
        let netlist = recipe.netlist();
        for engine in engines() {
            let mut sim = Sim::with_engine(&netlist, engine).unwrap();
            let mut other = sim.clone();
            let mut stream = Stream(seed);
            (0..10).for_each(|_| step(&mut sim, &mut stream));
            let saved = sim.save();
            let mut copy = State(vec![0; saved.0.len()]);
            sim.save_into(&mut copy).unwrap();
            prop_assert_eq!(&saved, &copy);
            let inputs: Vec<_> = sim.layout().inputs().map(|i| i.1).collect();
            for slot in inputs {
                let words = sim.get_words(slot).to_vec();
                other.set_words(slot, &words);
            }
            other.restore(&saved).unwrap();
            let mut again = Stream(stream.0);
            for _ in 0..10 {
                step(&mut sim, &mut stream);
                step(&mut other, &mut again);
                prop_assert_eq!(sim.save(), other.save());
                for (_, slot) in sim.layout().outputs() {
                    prop_assert_eq!(sim.get_words(slot), other.get_words(slot));
                }
            }
        }
    }

    /// Garbage beyond the widths must not reach the code.
    #[test]
    fn a_state_of_any_bits_is_cleaned(recipe in recipe(), seed in 1u64..u64::MAX) {
        let netlist = recipe.netlist();
        for engine in engines() {
            let mut sim = Sim::with_engine(&netlist, engine).unwrap();
            let mut stream = Stream(seed);
            let words = sim.layout().state_range().len();
            let state = State((0..words).map(|_| stream.word()).collect());
            sim.restore(&state).unwrap();
            for (name, slot) in sim.layout().registers() {
                let bits = sim.get_bits(slot);
                prop_assert_eq!(bits.len(), slot.width(), "{}", name);
                let top = sim.get_words(slot)[slot.words() - 1];
                prop_assert!(slot.width() % 64 == 0 || top >> (slot.width() % 64) == 0);
            }
            let mut rebuilt = sim.clone();
            rebuilt.restore(&sim.save()).unwrap();
            step(&mut sim, &mut Stream(seed));
            step(&mut rebuilt, &mut Stream(seed));
            prop_assert_eq!(sim.save(), rebuilt.save());
        }
    }
}

#[test]
fn a_state_of_another_design_is_refused() {
    let mut runner = TestRunner::deterministic();
    let netlist = recipe().new_tree(&mut runner).unwrap().current().netlist();
    let mut sim = Sim::new(&netlist).unwrap();
    let expected = sim.layout().state_range().len();
    let mut wrong = State(vec![0; expected + 1]);
    let refusal = SimError::State {
        expected,
        found: expected + 1,
    };
    assert_eq!(sim.restore(&wrong), Err(refusal.clone()));
    assert_eq!(sim.save_into(&mut wrong), Err(refusal));
}

#[test]
fn instances_may_run_in_other_threads() {
    fn shareable<T: Send + Sync>() {}
    shareable::<Sim>();
    shareable::<cotenant_netlist::sim::Observer>();
}
