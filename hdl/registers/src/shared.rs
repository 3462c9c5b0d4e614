//! Registers that several units have in common.

use crate::map::{Access, Field, Register, Reset};
use crate::{ID, MAJOR, MAX_KERNELS};

/// Bytes of a row of a matrix: a word for each of the most kernels.
pub(crate) const ROW: u32 = 4 * MAX_KERNELS as u32;

/// A single register.
pub(crate) fn single(
    name: &'static str,
    offset: u32,
    doc: &'static str,
    fields: Vec<Field>,
) -> Register {
    Register {
        name,
        doc,
        offset,
        room: 4,
        rows: 1,
        row_stride: 4,
        row: "",
        columns: 1,
        column_stride: 4,
        column: "",
        fields,
    }
}

/// `rows` registers, one per kernel, requester or the like.
pub(crate) fn each((row, rows): (&'static str, usize), room: u32, register: Register) -> Register {
    Register {
        room,
        rows,
        row,
        ..register
    }
}

/// One per pair of victim and aggressor.
pub(crate) fn pairs(kernels: usize, register: Register) -> Register {
    Register {
        room: ROW * MAX_KERNELS as u32,
        rows: kernels,
        row_stride: ROW,
        row: "victim",
        columns: kernels,
        column: "aggressor",
        ..register
    }
}

/// A field that resets to 0 and has `width` bits in every set.
pub(crate) fn field(
    name: &'static str,
    lsb: usize,
    width: usize,
    access: Access,
    doc: &'static str,
) -> Field {
    Field {
        name,
        lsb,
        width,
        span: width,
        access,
        reset: Reset::Same(0),
        doc,
    }
}

impl Register {
    /// The same where a parameter set has it not: its address stays its own.
    pub(crate) fn absent(self) -> Register {
        Register { rows: 0, ..self }
    }
}

impl Field {
    /// The same with this many bits in this set.
    pub(crate) fn of_width(self, width: usize) -> Field {
        Field { width, ..self }
    }

    /// The same with this value after reset.
    pub(crate) fn reset_to(self, value: u32) -> Field {
        Field {
            reset: Reset::Same(value),
            ..self
        }
    }
}

/// A parameter of the set in eight bits.
pub(crate) fn parameter(
    name: &'static str,
    lsb: usize,
    width: usize,
    value: usize,
    doc: &'static str,
) -> Field {
    field(name, lsb, width, Access::Parameter, doc).reset_to(value as u32)
}

/// The first three registers of every unit; its MINOR may follow from the parameters.
pub(crate) fn identity(unit: u32, minor: u32) -> [Register; 3] {
    let constant = |name, lsb, width, value, doc| {
        field(name, lsb, width, Access::Constant, doc).reset_to(value)
    };
    [
        single(
            "ID",
            0x000,
            "Identifies registers of Cotenant.",
            vec![constant("VALUE", 0, 32, ID, "\"COTN\" as ASCII.")],
        ),
        single(
            "VERSION",
            0x004,
            "Version of the registers. A driver must refuse another MAJOR.",
            vec![
                parameter(
                    "MINOR",
                    0,
                    16,
                    minor as usize,
                    "A higher value only adds registers, fields, or bits that used to read 0.",
                ),
                constant(
                    "MAJOR",
                    16,
                    16,
                    MAJOR,
                    "A different value means that registers were moved, removed or changed.",
                ),
            ],
        ),
        single(
            "UNIT",
            0x008,
            "Type of the unit.",
            vec![constant(
                "VALUE",
                0,
                32,
                unit,
                "1 llc_monitor, 2 mem_issue, 3 managed_llc.",
            )],
        ),
    ]
}

/// Bits that hold 0 to `largest`.
pub(crate) fn bits_of(largest: usize) -> usize {
    (usize::BITS - largest.leading_zeros()) as usize
}
