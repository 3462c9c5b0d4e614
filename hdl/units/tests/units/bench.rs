//! A unit on the bench: inputs by name, zero unless given.

use cotenant_units::drive::Driver;
use cotenant_units::unit::Unit;
use std::collections::BTreeMap;

pub struct Bench(Driver<Box<dyn Unit>>);

/// The outputs during one cycle.
#[derive(Debug)]
pub struct Seen(BTreeMap<String, num_bigint::BigUint>);

impl Bench {
    pub fn new<U: Unit + Default + 'static>() -> Self {
        Bench(Driver::of(Box::<U>::default()).expect("settles"))
    }

    /// One cycle with these inputs; the outputs as they are before the edge.
    pub fn cycle(&mut self, inputs: &[(&str, u128)]) -> Seen {
        for (_, input) in self.0.block_mut().inputs() {
            assert!(input.set(&0u8.into()));
        }
        for (port, value) in inputs {
            self.0.set(port, *value).expect("a port that it fits");
        }
        self.0.settle().expect("settles");
        let outputs = self.0.block().outputs();
        let seen = Seen(
            outputs
                .iter()
                .map(|(name, output)| (name.clone(), output.get()))
                .collect(),
        );
        self.0.edge().expect("settles");
        seen
    }
}

impl Seen {
    /// The value of a port of at most 64 bits.
    pub fn get(&self, port: &str) -> u64 {
        self.0[port].clone().try_into().expect("at most 64 bits")
    }

    /// The first elements of a packed port.
    pub fn unpack(&self, port: &str, count: usize, width: usize) -> Vec<u64> {
        let element = |i: usize| (0..width).map(move |b| (i * width + b) as u64);
        let bit = |b| u64::from(self.0[port].bit(b));
        (0..count)
            .map(|i| {
                element(i)
                    .enumerate()
                    .map(|(place, b)| bit(b) << place)
                    .sum()
            })
            .collect()
    }
}

/// Packs elements of this width, the first lowest.
pub fn pack(elements: &[u64], width: usize) -> u128 {
    elements
        .iter()
        .rev()
        .fold(0, |packed, e| (packed << width) | u128::from(*e))
}
