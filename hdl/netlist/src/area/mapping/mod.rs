//! Technology mapping: covers a network of gates with look-up tables.

mod cover;
mod cuts;
mod evaluate;
mod merge;
mod table;

pub(crate) use evaluate::{Places, Values};
pub(crate) use table::Table;

use super::architecture::{Architecture, Carry};
use super::network::{Kind, Network};
use super::Mapping;
use cover::Cover;
use std::collections::HashSet;

/// A look-up table, or those that a multiplexer joins to one function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Lut {
    /// Variable that it computes.
    pub output: usize,
    /// Variables that it reads; an iCE40's chain carries are
    /// [`Signal::Carry`].
    pub inputs: Vec<Signal>,
    pub table: Table,
}

/// What a look-up table reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Signal {
    /// Value of a variable.
    Variable(usize),
    /// Carry into a bit of a chain.
    Carry(usize, usize),
}

/// A mapped netlist.
#[derive(Debug)]
pub(crate) struct Mapped {
    pub network: Network,
    pub architecture: Architecture,
    pub luts: Vec<Lut>,
    /// Variables whose inverse is needed as a signal of its own.
    pub inverters: usize,
}

impl Mapped {
    /// Maps a network.
    pub fn new(network: Network, architecture: Architecture) -> Mapped {
        let cover = Cover::new(&network, architecture);
        let mut luts: Vec<Lut> = cover
            .chosen()
            .map(|(output, inputs)| {
                let table = table::of_cone(&network, output, &inputs);
                let inputs = inputs.into_iter().map(Signal::Variable).collect();
                Lut {
                    output,
                    inputs,
                    table,
                }
                .on_its_support()
            })
            .collect();
        if architecture.carry() == Carry::SumInLut {
            luts.extend(sums(&network));
            merge::merge(&network, &mut luts, architecture.lut_inputs());
        }
        let inverters = inverters(&network);
        Mapped {
            network,
            architecture,
            luts,
            inverters,
        }
    }

    /// The numbers.
    pub fn summary(&self) -> Mapping {
        let most = self.architecture.lut_inputs();
        let parts = |lut: &Lut| lut.table.parts(lut.inputs.len(), most);
        let wide = |by: usize| {
            let inputs = self.luts.iter().map(|lut| lut.inputs.len());
            inputs.filter(|&inputs| inputs == most + by).count()
        };
        let chains = self.carry_bits().into_iter();
        Mapping {
            architecture: self.architecture,
            lut_inputs: most,
            luts: self.luts.iter().map(parts).sum::<usize>() + self.inverters,
            carries: match self.architecture.carry() {
                Carry::SumInLut => chains.sum(),
                Carry::PropagateInLut => chains.map(|bits| bits.div_ceil(4)).sum(),
            },
            muxf7: wide(1) + 2 * wide(2),
            muxf8: wide(2),
        }
    }

    /// Carry bits: `SB_CARRY` or bits of `CARRY4`.
    fn carry_bits(&self) -> Vec<usize> {
        let used = self.network.chain_use.iter().map(|used| {
            let sums = used.sums.last().map_or(0, |last| last + 1);
            match self.architecture.carry() {
                Carry::SumInLut => used.carries,
                Carry::PropagateInLut => used.carries.max(sums),
            }
        });
        used.filter(|&bits| bits > 0).collect()
    }
}

/// The sum bits of an iCE40's chains.
fn sums(network: &Network) -> Vec<Lut> {
    let mut luts = vec![];
    for (index, used) in network.chain_use.iter().enumerate() {
        let chain = &network.chains[index];
        for &bit in &used.sums {
            let mut odd = false;
            let mut inputs = vec![];
            for lit in [chain.a[bit], chain.b[bit]] {
                odd ^= lit.is_inverted();
                if lit.variable() != 0 {
                    inputs.push(Signal::Variable(lit.variable()));
                }
            }
            if bit > 0 {
                inputs.push(Signal::Carry(index, bit));
            } else {
                odd ^= chain.carry.is_inverted();
                if chain.carry.variable() != 0 {
                    inputs.push(Signal::Variable(chain.carry.variable()));
                }
            }
            let table = Table::parity(inputs.len(), odd);
            let output = chain.first + bit;
            luts.push(Lut {
                output,
                inputs,
                table,
            });
        }
    }
    luts
}

/// Signals that are needed inverted although something else needs them as
/// they are: a table gives one of the two.
fn inverters(network: &Network) -> usize {
    let mut plain: HashSet<usize> = HashSet::new();
    let mut inverse: HashSet<usize> = HashSet::new();
    for (sink, lit) in &network.sinks {
        if lit.variable() == 0 || network.is_lut_only(*sink) {
            continue;
        }
        let signals = if lit.is_inverted() {
            &mut inverse
        } else {
            &mut plain
        };
        signals.insert(lit.variable());
    }
    let gate = |v: usize| matches!(network.kinds[v], Kind::And(..));
    inverse
        .iter()
        .filter(|&&v| !gate(v) || plain.contains(&v))
        .count()
}
