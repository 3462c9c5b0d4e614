//! Element types, and the instructions that arithmetic on them takes.
//!
//! Source of latencies: GPGPU-Sim's configurations of GPUs since Pascal, `ptx_opcode_latency_*`
//! (add, max, multiply, multiply-add, divide): `int` 4,13,4,5,145; `fp` 4,13,4,5,39; `dp`
//! 8,19,8,8,330. They agree with what Jia et al. ("Dissecting the NVIDIA Volta GPU Architecture
//! via Microbenchmarking", 2018) measure of Volta: 4 cycles for simple arithmetic, 5 for an integer
//! multiply-add, 8 for doubles.
//!
//! ASSUMPTION: a 64-bit integer operation is made of 32-bit ones: a sum of two, a product of four
//! multiply-adds, a quotient of two divisions, one for each half of the quotient.

use serde::{Deserialize, Serialize};

use super::Instruction;

/// Bytes that arrays are aligned to, as `cudaMalloc` does.
pub const ALIGNMENT: u64 = 256;

/// Cycles of an address computation, a comparison or another simple integer instruction.
pub const INTEGER: u32 = 4;

/// The type of an array's elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Element {
    /// 32-bit floating point.
    Float,
    /// 64-bit floating point.
    Double,
    /// 64-bit integer.
    Long,
}

/// What is done with elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operation {
    /// `a + b`
    Add,
    /// `a * b`
    Multiply,
    /// `a / b`
    Divide,
    /// `a * b + c`
    MultiplyAdd,
}

impl Element {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Float, Self::Double, Self::Long];

    /// Its name in scenarios.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Float => "float",
            Self::Double => "double",
            Self::Long => "long",
        }
    }

    /// Its size.
    pub const fn bytes(self) -> u32 {
        match self {
            Self::Float => 4,
            Self::Double | Self::Long => 8,
        }
    }
}

impl Operation {
    /// Operands.
    pub const fn inputs(self) -> u32 {
        match self {
            Self::Add | Self::Multiply | Self::Divide => 2,
            Self::MultiplyAdd => 3,
        }
    }

    /// So many operations on an element, each after the one before. `times` is at least 1.
    pub const fn compute(self, element: Element, times: u32) -> Instruction {
        let (count, latency) = match (element, self) {
            (Element::Float, Self::Add | Self::Multiply) => (1, 4),
            (Element::Float, Self::MultiplyAdd) => (1, 5),
            (Element::Float, Self::Divide) => (1, 39),
            (Element::Double, Self::Add | Self::Multiply | Self::MultiplyAdd) => (1, 8),
            (Element::Double, Self::Divide) => (1, 330),
            (Element::Long, Self::Add) => (2, INTEGER),
            (Element::Long, Self::Multiply) => (4, 5),
            (Element::Long, Self::MultiplyAdd) => (6, 5),
            (Element::Long, Self::Divide) => (2, 145),
        };
        Instruction::Compute {
            count: count * times,
            latency,
        }
    }
}
