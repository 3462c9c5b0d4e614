//! Carry chains: which additions use one, and which sum and carry bits of it are read.

use super::architecture::{Architecture, Carry, SHORTEST_CHAIN};
use super::network::{Kind, Network, Sink};
use super::sums;
use crate::blast::{Gates, Lit};

/// `a + b + carry`, on dedicated logic.
#[derive(Clone, Debug)]
pub(crate) struct Chain {
    /// First operand, low bit first.
    pub a: Vec<Lit>,
    /// Second operand.
    pub b: Vec<Lit>,
    /// Carry into the lowest bit.
    pub carry: Lit,
    /// Variable of the lowest sum bit; the others follow, then the carry out.
    pub first: usize,
}

/// Which bits of a chain are used.
#[derive(Clone, Debug, Default)]
pub(crate) struct ChainUse {
    /// Sum bits that are used.
    pub sums: Vec<usize>,
    /// Carries that are made: those into bits 1 to this, the carry out being
    /// that into the bit past the end.
    pub carries: usize,
}

impl Network {
    /// Sum of any number of operands.
    pub fn sum_of(&mut self, operands: Vec<Vec<Lit>>, width: usize) -> Vec<Lit> {
        let [mut a, mut b] = sums::reduce(self, &operands, width);
        let mut carry = Lit::FALSE;
        if let [x, y, z] = operands.as_slice() {
            // A single bit goes into the carry.
            let single = |bits: &[Lit]| bits.iter().skip(1).all(|lit| *lit == Lit::FALSE);
            let found = [(x, y, z), (x, z, y), (y, z, x)];
            if let Some((x, y, z)) = found.into_iter().find(|(_, _, z)| single(z)) {
                (a, b, carry) = (x.clone(), y.clone(), z[0]);
            }
        }
        a.resize(width, Lit::FALSE);
        b.resize(width, Lit::FALSE);
        // Bits without a partner need no adder, nor do those that stay zero.
        let empty = |at: &usize| a[*at] == Lit::FALSE && b[*at] == Lit::FALSE;
        let top = (0..width).rev().take_while(empty).count();
        let high = (width - top + 1).min(width);
        let lone = |at: &usize| a[*at] == Lit::FALSE || b[*at] == Lit::FALSE;
        let low = match carry {
            Lit::FALSE => (0..high).take_while(lone).count(),
            _ => 0,
        };
        let mut sum: Vec<Lit> = (0..low)
            .map(|at| if a[at] == Lit::FALSE { b[at] } else { a[at] })
            .collect();
        sum.extend(self.chain(&a[low..high], &b[low..high], carry).0);
        sum.resize(width, Lit::FALSE);
        sum
    }

    /// Sum and carry out, on a chain if it is long enough.
    pub fn chain(&mut self, a: &[Lit], b: &[Lit], carry: Lit) -> (Vec<Lit>, Lit) {
        if a.len() < SHORTEST_CHAIN {
            return self.sum(a, b, carry);
        }
        let chain = self.chains.len();
        let first = self.kinds.len();
        let sums = (0..a.len()).map(|bit| Kind::Sum(chain, bit));
        let lits: Vec<Lit> = sums.map(|kind| self.variable(kind)).collect();
        let out = self.variable(Kind::CarryOut(chain));
        let (a, b) = (a.to_vec(), b.to_vec());
        self.chains.push(Chain { a, b, carry, first });
        (lits, out)
    }

    /// From the last chain to the first: what a chain needs depends only on
    /// those made after it.
    pub fn use_chains(&mut self, architecture: Architecture) {
        let mut needed = vec![false; self.kinds.len()];
        let mut from: usize = self.kinds.len();
        let roots: Vec<Lit> = self.sinks.iter().map(|sink| sink.1).collect();
        roots.iter().for_each(|lit| needed[lit.variable()] = true);
        self.chain_use = vec![ChainUse::default(); self.chains.len()];
        for index in (0..self.chains.len()).rev() {
            let first = self.chains[index].first;
            self.spread(&mut needed, first, from);
            from = first;
            let length = self.chains[index].a.len();
            let sums: Vec<usize> = (0..length).filter(|bit| needed[first + bit]).collect();
            let carries = match needed[first + length] {
                true => length,
                false => sums.last().copied().unwrap_or(0),
            };
            let mut sinks = vec![];
            if !sums.is_empty() || carries > 0 {
                sinks.push((Sink::CarryIn(index), self.chains[index].carry));
            }
            for bit in 0..length {
                let summed = needed[first + bit];
                if !summed && bit >= carries {
                    continue;
                }
                let (a, b) = (self.chains[index].a[bit], self.chains[index].b[bit]);
                match architecture.carry() {
                    Carry::SumInLut => {
                        sinks.extend([(Sink::ChainA(index, bit), a), (Sink::ChainB(index, bit), b)])
                    }
                    Carry::PropagateInLut => {
                        // Made late, but of operands that are made before
                        // the chain: the order of variables does not matter
                        // for what is needed only.
                        let propagate = self.xor(a, b);
                        sinks.push((Sink::Propagate(index, bit), propagate));
                        if bit < carries {
                            sinks.push((Sink::ChainA(index, bit), self.generate(a, b)));
                        }
                    }
                }
            }
            needed.resize(self.kinds.len(), false);
            for (_, lit) in &sinks {
                needed[lit.variable()] = true;
            }
            // Gates that were just made stand after everything else.
            let made = self.kinds.len();
            self.spread(&mut needed, from, made);
            self.sinks.extend(sinks);
            self.chain_use[index] = ChainUse { sums, carries };
        }
    }

    /// The operand that a carry is generated from: one without logic, if
    /// there is a choice.
    fn generate(&self, a: Lit, b: Lit) -> Lit {
        let free =
            |lit: Lit| !lit.is_inverted() && !matches!(self.kinds[lit.variable()], Kind::And(..));
        match (free(a), free(b)) {
            (false, true) => b,
            _ => a,
        }
    }

    /// The signal is only read by the LUT of a chain's bit, not by its carry.
    pub fn is_lut_only(&self, sink: Sink) -> bool {
        match sink {
            Sink::ChainA(chain, bit) | Sink::ChainB(chain, bit) => {
                bit >= self.chain_use[chain].carries
            }
            _ => false,
        }
    }

    /// Marks the operands of marked gates of a range, from the last on.
    fn spread(&self, needed: &mut [bool], from: usize, to: usize) {
        for variable in (from..to).rev() {
            if let (true, Kind::And(a, b)) = (needed[variable], self.kinds[variable]) {
                needed[a.variable()] = true;
                needed[b.variable()] = true;
            }
        }
    }
}
