//! Memory accesses of SASS opcodes.
//!
//! Source: NVIDIA's instruction set tables (CUDA binary utilities), Accel-Sim's opcode maps.

use super::error::Fault;
use super::fields::{decimal, Field};
use crate::workload::Op;

/// The widest access of a lane in bytes: four times what the widest instructions have today.
pub(super) const WIDEST: u64 = 128;

/// Which addresses an instruction carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Address {
    /// Those of global memory.
    Global,
    /// Those of a space that holds global memory and windows to shared and local memory.
    Generic,
}

/// An instruction that accesses global memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Kind {
    pub(super) op: Op,
    pub(super) address: Address,
}

/// What the instruction does to global memory; `None` for nothing. `bytes` is the access width
/// that the trace gives.
///
/// ASSUMPTION: an atomic is a store, since it leaves modified data behind.
pub(super) fn global_op(opcode: Field, bytes: u64) -> Result<Option<Kind>, Box<Fault>> {
    let kind = |op, address| Ok(Some(Kind { op, address }));
    match opcode
        .text
        .split(|&byte| byte == b'.')
        .next()
        .unwrap_or_default()
    {
        b"LDG" => kind(Op::Read, Address::Global),
        // Copies from global to shared memory; the trace keeps the global address.
        b"LDGSTS" => kind(Op::Read, Address::Generic),
        b"LD" => kind(Op::Read, Address::Generic),
        b"STG" | b"ATOMG" | b"REDG" => kind(Op::Write, Address::Global),
        b"ST" | b"ATOM" | b"RED" => kind(Op::Write, Address::Generic),
        b"UTMALDG" | b"UTMASTG" | b"UTMAREDG" | b"UTMAPF" | b"UBLKCP" | b"UBLKRED" | b"UBLKPF"
            if bytes > 0 =>
        {
            let help = "trace a build for an architecture without them (before Hopper)";
            Err(opcode.fault("no bulk copies of the tensor memory accelerator", help))
        }
        _ => Ok(None),
    }
}

/// The bytes a lane accesses where the opcode says so, as in `LDG.E.128` or `LDG.E.U8`; NVBit's
/// own number is wrong in some versions.
pub(super) fn width_of(opcode: &[u8]) -> Option<u64> {
    opcode
        .split(|&byte| byte == b'.')
        .skip(1)
        .find_map(|modifier| {
            let bits = match modifier {
                [b'U' | b'S' | b'F', digits @ ..] => decimal(digits)?,
                digits => decimal(digits)?,
            };
            (bits % 8 == 0 && (1..=WIDEST).contains(&(bits / 8))).then_some(bits / 8)
        })
}

#[cfg(test)]
mod tests {
    //! Rationale: each address space once, and modifiers that look like a width but are none.
    use super::*;

    fn op(opcode: &str) -> Option<Kind> {
        global_op(
            Field {
                text: opcode.as_bytes(),
                offset: 0,
            },
            4,
        )
        .unwrap()
    }

    #[test]
    fn spaces() {
        let kind = |op, address| Some(Kind { op, address });
        assert_eq!(op("LDG.E.SYS"), kind(Op::Read, Address::Global));
        assert_eq!(op("STG.E"), kind(Op::Write, Address::Global));
        assert_eq!(
            op("ATOMG.E.ADD.STRONG.GPU"),
            kind(Op::Write, Address::Global)
        );
        assert_eq!(op("RED.E.ADD"), kind(Op::Write, Address::Generic));
        assert_eq!(op("LD.E"), kind(Op::Read, Address::Generic));
        assert_eq!(op("LDGSTS.E.BYPASS.128"), kind(Op::Read, Address::Generic));
        for none in [
            "LDS",
            "STS.64",
            "LDL",
            "STL",
            "LDC",
            "LDSM",
            "ATOMS",
            "TEX",
            "LDGDEPBAR",
            "IADD3",
        ] {
            assert_eq!(op(none), None, "{none}");
        }
        let bulk = Field {
            text: b"UTMALDG.2D",
            offset: 0,
        };
        assert!(global_op(bulk, 16).is_err());
    }

    #[test]
    fn widths() {
        assert_eq!(width_of(b"LDG.E.128.CONSTANT.SYS"), Some(16));
        assert_eq!(width_of(b"LDG.E.U8"), Some(1));
        assert_eq!(width_of(b"LDG.E.S16"), Some(2));
        assert_eq!(width_of(b"ATOMG.E.ADD.F64.RN"), Some(8));
        assert_eq!(width_of(b"LDGSTS.E.LTC128B.64"), Some(8));
        assert_eq!(width_of(b"LDG.E"), None);
        assert_eq!(width_of(b"LDG.E.4"), None);
    }
}
