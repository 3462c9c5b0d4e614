//! The line of one warp instruction.

use super::super::error::Fault;
use super::super::fields::{decimal, hex, signed, Field, Words};
use super::super::sass::{global_op, width_of, Address, WIDEST};
use crate::workload::Op;

/// ASSUMPTION: the windows through which generic addresses reach shared and local memory are of
/// 16 MB each, aligned as the header says.
const WINDOW: u64 = 1 << 24;

const CORRECT: &str = "correct the line or record the trace again";

type Checked<T> = Result<T, Box<Fault>>;

/// A warp instruction.
#[derive(Debug)]
pub(in crate::workload) struct Instruction<'a> {
    /// The lanes that are active.
    pub(in crate::workload) mask: u32,
    /// Registers written.
    pub(in crate::workload) destinations: Registers<'a>,
    /// The opcode with its modifiers.
    pub(in crate::workload) opcode: Field<'a>,
    /// Registers read.
    pub(in crate::workload) sources: Registers<'a>,
    /// What it does to global memory; `None` for shared and local memory, constants, textures.
    pub(in crate::workload) touch: Option<Touch<'a>>,
}

/// Lanes that touch global memory.
#[derive(Debug)]
pub(in crate::workload) struct Touch<'a> {
    pub(in crate::workload) op: Op,
    /// Bytes of a lane, 1 to [`WIDEST`].
    pub(in crate::workload) bytes: u64,
    /// The field of the line that they are in, to say that they are wrong.
    pub(in crate::workload) width: Field<'a>,
    /// The lanes that touch global memory; at least one.
    pub(in crate::workload) lanes: u32,
    /// Their addresses; those of other lanes mean nothing.
    pub(in crate::workload) addresses: [u64; 32],
}

/// Names of registers.
#[derive(Debug, Clone)]
pub(in crate::workload) struct Registers<'a> {
    words: Words<'a>,
    left: u64,
}

impl<'a> Iterator for Registers<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        self.left = self.left.checked_sub(1)?;
        Some(self.words.next().text)
    }
}

impl<'a> Instruction<'a> {
    /// `[line_num] PC mask dest_num [reg_dests] opcode src_num [reg_srcs] mem_width
    /// [address_mode addresses] [immediate]`
    pub(super) fn parse(
        line: &'a [u8],
        lineinfo: bool,
        windows: &[Option<u64>; 2],
    ) -> Checked<Self> {
        let mut words = Words::new(line);
        if lineinfo {
            number(
                words.next(),
                decimal,
                "a source line number, since lineinfo is enabled",
            )?;
        }
        number(words.next(), hex, "a program counter in hexadecimal")?;
        let mask = words.next();
        let mask = match hex(mask.text).map(u32::try_from) {
            Some(Ok(bits)) => bits,
            _ => return Err(mask.fault("a mask of 32 lanes in hexadecimal", CORRECT)),
        };
        let destinations = registers(&mut words, "a number of destination registers")?;
        let opcode = words.next();
        if !opcode.text.first().is_some_and(u8::is_ascii_alphabetic) {
            return Err(opcode.fault("an opcode", CORRECT));
        }
        let sources = registers(&mut words, "a number of source registers")?;
        let touch = touch(&mut words, mask, opcode, windows)?;
        Ok(Self {
            mask,
            destinations,
            opcode,
            sources,
            touch,
        })
    }
}

/// Width and addresses, if the instruction accesses global memory.
fn touch<'a>(
    words: &mut Words<'a>,
    mask: u32,
    opcode: Field,
    windows: &[Option<u64>; 2],
) -> Checked<Option<Touch<'a>>> {
    let width = words.next();
    let bytes = number(width, decimal, "the bytes a lane accesses, 0 for no access")?;
    let Some(kind) = global_op(opcode, bytes)? else {
        return Ok(None);
    };
    if mask == 0 {
        return Ok(None);
    }
    let bytes = width_of(opcode.text).unwrap_or(bytes);
    if !(1..=WIDEST).contains(&bytes) {
        let expected = format!("the bytes a lane accesses, 1 to {WIDEST}");
        return Err(width.fault(expected, CORRECT));
    }
    let mut touch = Touch {
        op: kind.op,
        bytes,
        width,
        lanes: 0,
        addresses: [0; 32],
    };
    let mut left = mask;
    addresses(words, mask, |address| {
        let lane = left.trailing_zeros();
        left &= left - 1;
        let within = |base: &u64| (*base..base.saturating_add(WINDOW)).contains(&address);
        let elsewhere = kind.address == Address::Generic && windows.iter().flatten().any(within);
        if !elsewhere {
            touch.lanes |= 1 << lane;
            touch.addresses[lane as usize] = address;
        }
    })?;
    Ok((touch.lanes != 0).then_some(touch))
}

fn number(field: Field, parse: fn(&[u8]) -> Option<u64>, expected: &'static str) -> Checked<u64> {
    parse(field.text).ok_or_else(|| field.fault(expected, CORRECT))
}

/// A count of registers and as many names.
fn registers<'a>(words: &mut Words<'a>, expected: &'static str) -> Checked<Registers<'a>> {
    let count = number(words.next(), decimal, expected)?;
    let found = Registers {
        words: words.clone(),
        left: count,
    };
    for _ in 0..count {
        let register = words.next();
        if !register.text.first().is_some_and(u8::is_ascii_alphabetic) {
            return Err(register.fault("a register", CORRECT));
        }
    }
    Ok(found)
}

/// The addresses of the lanes in `mask`, in their order, and what may follow them.
fn addresses(words: &mut Words, mask: u32, mut lane: impl FnMut(u64)) -> Checked<()> {
    let base_of = |words: &mut Words| number(words.next(), hex, "an address in hexadecimal");
    let difference_of = |words: &mut Words, expected: &'static str| {
        let field = words.next();
        signed(field.text).ok_or_else(|| field.fault(expected, CORRECT))
    };
    let lanes = mask.count_ones();
    let mode = words.next();
    match mode.text {
        // All addresses.
        b"0" => {
            for _ in 0..lanes {
                lane(base_of(words)?);
            }
        }
        // The first address and the constant stride of neighbouring lanes.
        b"1" => {
            let run = mask >> mask.trailing_zeros();
            if run & run.wrapping_add(1) != 0 {
                let expected = "address mode 0 or 2, since the active lanes are not contiguous";
                return Err(mode.fault(expected, CORRECT));
            }
            let base = base_of(words)?;
            let stride = difference_of(words, "a stride")?;
            for index in 0..i64::from(lanes) {
                lane(base.wrapping_add_signed(stride.wrapping_mul(index)));
            }
        }
        // The first address and the difference of each to the one before.
        b"2" => {
            let mut address = base_of(words)?;
            lane(address);
            for _ in 1..lanes {
                let delta = difference_of(words, "the address difference of each further lane")?;
                address = address.wrapping_add_signed(delta);
                lane(address);
            }
        }
        _ => return Err(mode.fault("an address mode 0, 1 or 2", CORRECT)),
    }
    // Version 5 writes an immediate, also where there is none.
    words.next();
    let extra = words.next();
    if !extra.text.is_empty() {
        let expected = format!("the end of the line: {lanes} lanes are active");
        return Err(extra.fault(expected, CORRECT));
    }
    Ok(())
}
