//! Target architectures of the mapper: look-up tables, carry chains and flops of an FPGA family.

use serde::{Deserialize, Serialize};

/// An FPGA family, as far as the estimate knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Architecture {
    /// Lattice iCE40: LUT4, each with an `SB_CARRY` beside it; a flop's
    /// enable also gates its synchronous reset.
    Ice40,
    /// Xilinx 7 series: LUT6, `MUXF7` and `MUXF8` that join two and four of
    /// them, `CARRY4`; a flop's reset has priority over its enable.
    Xc7,
}

/// How a carry chain is tied to the look-up tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Carry {
    /// The LUT takes the operands and the carry, and gives the sum.
    SumInLut,
    /// The LUT gives what is to be added to the carry; the chain has the
    /// exclusive or.
    PropagateInLut,
}

/// Most inputs of a function that is mapped as one: the LUT6 of a `MUXF8`.
pub(crate) const MOST_INPUTS: usize = 8;

/// Sums of fewer bits are not worth a carry chain: `arith_map.v` of both
/// families in Yosys leaves them to the LUTs.
pub(crate) const SHORTEST_CHAIN: usize = 3;

impl Architecture {
    /// All of them.
    pub const ALL: [Architecture; 2] = [Architecture::Ice40, Architecture::Xc7];

    /// Inputs of one look-up table.
    pub const fn lut_inputs(self) -> usize {
        match self {
            Architecture::Ice40 => 4,
            Architecture::Xc7 => 6,
        }
    }

    /// Most inputs of a function, by dedicated multiplexers.
    pub(crate) const fn function_inputs(self) -> usize {
        match self {
            Architecture::Ice40 => 4,
            Architecture::Xc7 => MOST_INPUTS,
        }
    }

    /// What the mapper minimises, by the number of inputs.
    ///
    /// For the 7 series these are the weights of `synth_xilinx`
    /// (`-luts 2:2,3,6:5,10,20`): small functions share a LUT6 with others,
    /// seven and eight inputs take two and four.
    pub(crate) const fn weight(self, inputs: usize) -> f32 {
        match (self, inputs) {
            (Architecture::Ice40, _) => 1.0,
            (Architecture::Xc7, 0..=2) => 2.0,
            (Architecture::Xc7, 3) => 3.0,
            (Architecture::Xc7, 4..=6) => 5.0,
            (Architecture::Xc7, 7) => 10.0,
            (Architecture::Xc7, _) => 20.0,
        }
    }

    pub(crate) const fn carry(self) -> Carry {
        match self {
            Architecture::Ice40 => Carry::SumInLut,
            Architecture::Xc7 => Carry::PropagateInLut,
        }
    }

    /// A flop without enable is not reset either.
    pub(crate) const fn enable_gates_reset(self) -> bool {
        matches!(self, Architecture::Ice40)
    }

    /// The name that `--json` and the table use.
    pub const fn name(self) -> &'static str {
        match self {
            Architecture::Ice40 => "ice40",
            Architecture::Xc7 => "xc7",
        }
    }
}
