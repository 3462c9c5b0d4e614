//! Counts gates, bits of RAM, and the block RAMs of each FPGA family that a RAM takes.

use super::network::Network;
use crate::blast::{Aig, Leaf, Root};
use crate::Netlist;
use serde::Serialize;

/// Width of one block at a depth of two to this, by depth.
type Shapes = &'static [(usize, usize)];

/// 4 kbit: 256 x 16 to 2048 x 2.
const ICE40: Shapes = &[(8, 16), (9, 8), (10, 4), (11, 2)];
/// DP16KD, 18 kbit: 512 x 36 as one read and one write port, to 16384 x 1.
const ECP5: Shapes = &[(9, 36), (10, 18), (11, 9), (12, 4), (13, 2), (14, 1)];
/// RAMB18: 512 x 36 as one read and one write port, to 16384 x 1.
const RAMB18: Shapes = &[(9, 36), (10, 18), (11, 9), (12, 4), (13, 2), (14, 1)];

/// Fewest blocks of a RAM, all of one shape.
fn blocks(shapes: Shapes, address_width: usize, width: usize) -> usize {
    let of = |(depth, word): &(usize, usize)| {
        let rows = 1usize << address_width.saturating_sub(*depth);
        rows * width.div_ceil(*word)
    };
    shapes.iter().map(of).min().unwrap_or(0)
}

/// A RAM that the outputs depend on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RamArea {
    /// Hierarchical name.
    pub name: String,
    /// Words.
    pub depth: usize,
    /// Bits of a word.
    pub width: usize,
    /// Bits in all.
    pub bits: usize,
    /// iCE40 blocks of 4 kbit (256 x 16 to 2048 x 2).
    pub ice40_4k: usize,
    /// ECP5 blocks of 18 kbit (DP16KD).
    pub ecp5_dp16kd: usize,
    /// 7-series blocks of 36 kbit, each two of 18 kbit.
    pub xc7_ramb36: usize,
    /// 7-series blocks of 18 kbit beside those.
    pub xc7_ramb18: usize,
}

/// The RAMs of a network.
pub(super) fn rams(netlist: &Netlist, network: &Network) -> Vec<RamArea> {
    let of = |&index: &usize| {
        let ram = &netlist.rams[index];
        let (depth, width) = (1usize << ram.address_width, ram.width);
        let halves = blocks(RAMB18, ram.address_width, width);
        RamArea {
            name: ram.name.clone(),
            depth,
            width,
            bits: depth * width,
            ice40_4k: blocks(ICE40, ram.address_width, width),
            ecp5_dp16kd: blocks(ECP5, ram.address_width, width),
            xc7_ramb36: halves / 2,
            xc7_ramb18: halves % 2,
        }
    };
    network.rams.iter().map(of).collect()
}

/// Conjunctions of two in front of outputs, flops and RAMs that count, with
/// resets and enables as logic.
pub(super) fn gates(aig: &Aig, network: &Network) -> usize {
    let flops: std::collections::HashSet<Leaf> = network.flops.iter().map(|f| f.0).collect();
    let first = aig.leaves.len() + 1;
    let mut needed = vec![false; first + aig.gates.len()];
    for (root, lit) in &aig.roots {
        needed[lit.variable()] |= match root {
            Root::Output(..) => true,
            Root::Next(index, bit) => flops.contains(&Leaf::Reg(*index, *bit)),
            Root::Ram(index, ..) => network.rams.contains(index),
        };
    }
    for (at, gate) in aig.gates.iter().enumerate().rev() {
        if needed[first + at] {
            gate.iter().for_each(|lit| needed[lit.variable()] = true);
        }
    }
    needed[first..].iter().filter(|needed| **needed).count()
}

#[cfg(test)]
mod tests {
    //! Rationale: blocks are counted by hand from the data sheets' tables, at, below and above
    //! the limits of a shape.
    use super::*;

    #[test]
    fn blocks_by_hand() {
        let all = |address, width| [ICE40, ECP5, RAMB18].map(|s| blocks(s, address, width));
        // 64 x 96: six blocks of 16 bits; three of 36 bits.
        assert_eq!(all(6, 96), [6, 3, 3]);
        assert_eq!(all(8, 16), [1, 1, 1]);
        assert_eq!(all(8, 17), [2, 1, 1]);
        assert_eq!(all(9, 36), [5, 1, 1]);
        assert_eq!(all(9, 37), [5, 2, 2]);
        // 4096 x 3: two rows of 2048 x 2, twice; one of 4096 x 4.
        assert_eq!(all(12, 3), [4, 1, 1]);
        assert_eq!(all(15, 1), [16, 2, 2]);
        assert_eq!(all(1, 1), [1, 1, 1]);
    }
}
