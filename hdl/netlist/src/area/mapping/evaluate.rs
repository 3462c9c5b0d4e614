//! Evaluates a mapped netlist, 64 input vectors at a time.

use super::{Carry, Mapped, Signal};
use crate::area::network::{Kind, Sink};
use crate::blast::{Leaf, Lit};
use std::collections::HashMap;

/// Where a mapped netlist's signals are made.
pub(crate) struct Places<'a> {
    mapped: &'a Mapped,
    /// The LUT of a variable.
    luts: HashMap<usize, usize>,
    sinks: HashMap<Sink, Lit>,
}

impl<'a> Places<'a> {
    /// Those of this netlist.
    pub fn new(mapped: &'a Mapped) -> Self {
        let luts = mapped.luts.iter().enumerate();
        Places {
            mapped,
            luts: luts.map(|(at, lut)| (lut.output, at)).collect(),
            sinks: mapped.network.sinks.iter().copied().collect(),
        }
    }
}

/// Values of a mapped netlist's signals for 64 vectors.
pub(crate) struct Values<'a> {
    mapped: &'a Mapped,
    places: &'a Places<'a>,
    variables: Vec<Option<u64>>,
    carries: HashMap<(usize, usize), u64>,
    leaf: &'a dyn Fn(Leaf) -> u64,
}

impl<'a> Values<'a> {
    /// For these values from outside.
    pub fn new(places: &'a Places<'a>, leaf: &'a dyn Fn(Leaf) -> u64) -> Self {
        let mapped = places.mapped;
        Values {
            mapped,
            places,
            variables: vec![None; mapped.network.kinds.len()],
            carries: HashMap::new(),
            leaf,
        }
    }

    /// A signal that the mapping makes.
    pub fn lit(&mut self, lit: Lit) -> u64 {
        let value = self.variable(lit.variable());
        if lit.is_inverted() {
            !value
        } else {
            value
        }
    }

    fn variable(&mut self, variable: usize) -> u64 {
        if let Some(value) = self.variables[variable] {
            return value;
        }
        let value = match self.mapped.network.kinds[variable] {
            Kind::Constant => 0,
            Kind::Leaf(leaf) => (self.leaf)(leaf),
            Kind::CarryOut(chain) => {
                let length = self.mapped.network.chains[chain].a.len();
                self.carry(chain, length)
            }
            Kind::Sum(chain, bit) if self.mapped.architecture.carry() == Carry::PropagateInLut => {
                let propagate = self.sink(Sink::Propagate(chain, bit));
                propagate ^ self.carry(chain, bit)
            }
            Kind::Sum(..) | Kind::And(..) => self.lut(variable),
        };
        self.variables[variable] = Some(value);
        value
    }

    fn lut(&mut self, variable: usize) -> u64 {
        // A signal that no table makes would be a hole in the cover.
        let lut = &self.mapped.luts[self.places.luts[&variable]];
        let inputs: Vec<u64> = lut
            .inputs
            .iter()
            .map(|signal| match *signal {
                Signal::Variable(variable) => self.variable(variable),
                Signal::Carry(chain, bit) => self.carry(chain, bit),
            })
            .collect();
        lut.table.look_up(&inputs)
    }

    /// What a sink gets.
    pub fn sink(&mut self, sink: Sink) -> u64 {
        let lit = self.places.sinks[&sink];
        self.lit(lit)
    }

    /// Carry into a bit.
    fn carry(&mut self, chain: usize, bit: usize) -> u64 {
        if let Some(&value) = self.carries.get(&(chain, bit)) {
            return value;
        }
        let value = if bit == 0 {
            let carry = self.mapped.network.chains[chain].carry;
            self.lit(carry)
        } else {
            let into = self.carry(chain, bit - 1);
            let below = bit - 1;
            match self.mapped.architecture.carry() {
                Carry::SumInLut => {
                    let a = self.sink(Sink::ChainA(chain, below));
                    let b = self.sink(Sink::ChainB(chain, below));
                    a & b | into & (a | b)
                }
                Carry::PropagateInLut => {
                    let propagate = self.sink(Sink::Propagate(chain, below));
                    let generate = self.sink(Sink::ChainA(chain, below));
                    propagate & into | !propagate & generate
                }
            }
        };
        self.carries.insert((chain, bit), value);
        value
    }
}
