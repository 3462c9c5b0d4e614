//! Truth tables of functions with up to eight inputs.

use super::{Lut, Signal};
use crate::area::architecture::MOST_INPUTS;
use crate::area::network::{Kind, Network};
use std::collections::HashMap;

/// A function's value for each input combination, input 0 the low bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Table([u64; 4]);

/// Tables of the inputs themselves.
fn input(at: usize) -> Table {
    const WITHIN: [u64; 6] = [
        0xaaaa_aaaa_aaaa_aaaa,
        0xcccc_cccc_cccc_cccc,
        0xf0f0_f0f0_f0f0_f0f0,
        0xff00_ff00_ff00_ff00,
        0xffff_0000_ffff_0000,
        0xffff_ffff_0000_0000,
    ];
    let word = |w: usize| match WITHIN.get(at) {
        Some(&pattern) => pattern,
        None if w >> (at - 6) & 1 == 1 => u64::MAX,
        None => 0,
    };
    Table([0, 1, 2, 3].map(word))
}

impl Table {
    /// The value at an input combination.
    pub fn get(&self, at: usize) -> bool {
        self.0[at / 64] >> (at % 64) & 1 == 1
    }

    /// Its values for 64 combinations at once: a bit of each input's word belongs to one.
    pub fn look_up(&self, inputs: &[u64]) -> u64 {
        let at = |x: usize| if self.get(x) { u64::MAX } else { 0 };
        let mut words: Vec<u64> = (0..1 << inputs.len()).map(at).collect();
        // The highest input chooses between the halves of what is left.
        for input in inputs.iter().rev() {
            let high = words.split_off(words.len() / 2);
            for (low, high) in words.iter_mut().zip(high) {
                *low = *low & !input | high & input;
            }
        }
        words[0]
    }

    /// From the values at all combinations.
    pub fn from_fn(mut value: impl FnMut(usize) -> bool) -> Table {
        let mut words = [0; 4];
        for at in 0..1 << MOST_INPUTS {
            words[at / 64] |= u64::from(value(at)) << (at % 64);
        }
        Table(words)
    }

    /// Exclusive or of the inputs, inverted if `odd`.
    pub fn parity(inputs: usize, odd: bool) -> Table {
        let mask = (1usize << inputs) - 1;
        Table::from_fn(|at| ((at & mask).count_ones() % 2 == 1) ^ odd)
    }

    fn zip(self, other: Table, f: impl Fn(u64, u64) -> u64) -> Table {
        Table([0, 1, 2, 3].map(|w| f(self.0[w], other.0[w])))
    }

    /// Look-up tables of `most` inputs that multiplexers join to this
    /// function of `inputs`: one for each half, or half of a half, that is no
    /// constant, by the choice of selectors that leaves the fewest.
    pub fn parts(&self, inputs: usize, most: usize) -> usize {
        if inputs <= most {
            return 1;
        }
        let constant = |table: &Table| *table == Table([0; 4]) || *table == Table([u64::MAX; 4]);
        let choices = (0..inputs).map(|select| {
            let halves = [0, 1]
                .map(|value| Table::from_fn(|x| self.get(x & !(1 << select) | value << select)));
            let used = halves.iter().filter(|half| !constant(half));
            used.map(|half| half.without(select).parts(inputs - 1, most))
                .sum()
        });
        choices.min().unwrap_or(1)
    }

    /// Without an input that does not matter; those above it move down.
    fn without(&self, input: usize) -> Table {
        let low = (1usize << input) - 1;
        Table::from_fn(|x| self.get(x & low | (x & !low) << 1 & 0xff))
    }

    /// The input changes the value somewhere.
    fn depends_on(&self, at: usize) -> bool {
        (0..1usize << MOST_INPUTS).any(|x| self.get(x) != self.get(x ^ 1 << at))
    }
}

/// The function of a gate in terms of these signals.
pub(super) fn of_cone(network: &Network, output: usize, inputs: &[usize]) -> Table {
    let mut known: HashMap<usize, Table> = HashMap::new();
    for (at, &variable) in inputs.iter().enumerate() {
        known.insert(variable, input(at));
    }
    let mut stack = vec![output];
    while let Some(&at) = stack.last() {
        if known.contains_key(&at) {
            stack.pop();
            continue;
        }
        let Kind::And(a, b) = network.kinds[at] else {
            // Only the constant is no input of the cut.
            known.insert(at, Table([0; 4]));
            continue;
        };
        match (known.get(&a.variable()), known.get(&b.variable())) {
            (Some(&x), Some(&y)) => {
                let flip = |lit: crate::blast::Lit| if lit.is_inverted() { u64::MAX } else { 0 };
                let both = x.zip(y, |x, y| (x ^ flip(a)) & (y ^ flip(b)));
                known.insert(at, both);
            }
            (x, y) => {
                let missing = [(x, a), (y, b)];
                let missing = missing.iter().filter(|(known, _)| known.is_none());
                stack.extend(missing.map(|(_, lit)| lit.variable()));
            }
        }
    }
    known[&output]
}

impl Lut {
    /// Without inputs that do not matter.
    pub fn on_its_support(self) -> Lut {
        let Lut {
            output,
            inputs,
            table,
        } = self;
        let kept: Vec<usize> = (0..inputs.len())
            .filter(|&at| table.depends_on(at))
            .collect();
        if kept.len() == inputs.len() {
            return Lut {
                output,
                inputs,
                table,
            };
        }
        let table = Table::from_fn(|x| {
            let spread = kept
                .iter()
                .enumerate()
                .map(|(new, &old)| (x >> new & 1) << old);
            table.get(spread.sum())
        });
        let inputs: Vec<Signal> = kept.iter().map(|&at| inputs[at]).collect();
        Lut {
            output,
            inputs,
            table,
        }
    }
}
