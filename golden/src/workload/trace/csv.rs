//! CSV: `kernel,op,address[,cycle[,sectors]]`.

use super::error::Fault;
use super::fields::{decimal, decimal_or_hex, Field};
use super::{Options, Scope};
use crate::workload::{Access, Op, SECTOR};

/// The parser's state: whether a header line may still come.
#[derive(Debug, Default)]
pub(super) struct Csv {
    begun: bool,
}

const RECORD: &str = "kernel,op,address, and after it cycle and sectors, if known";

impl Csv {
    /// The access of a line; `None` for a blank line, a comment or the header.
    pub(super) fn line(
        &mut self,
        line: &[u8],
        scope: &Scope,
    ) -> Result<Option<Access>, Box<Fault>> {
        let end = line
            .iter()
            .position(|&byte| byte == b'#')
            .unwrap_or(line.len());
        let record = Field {
            text: &line[..end],
            offset: 0,
        }
        .trimmed();
        if record.text.is_empty() {
            return Ok(None);
        }
        let mut fields = [Field {
            text: &[],
            offset: record.offset + record.text.len(),
        }; 5];
        let mut count = 0;
        let mut offset = record.offset;
        for text in record.text.split(|&byte| byte == b',') {
            let field = Field { text, offset }.trimmed();
            match fields.get_mut(count) {
                Some(slot) => *slot = field,
                None => return Err(field.fault(RECORD, "remove the fields that follow")),
            }
            count += 1;
            offset += text.len() + 1;
        }
        let [kernel, op, address, cycle, sectors] = fields;
        let first = !std::mem::replace(&mut self.begun, true);
        if first && is_name(kernel.text) && (count < 3 || is_name(address.text)) {
            return Ok(None);
        }
        if count < 3 {
            return Err(record.fault(RECORD, "separate the fields with commas"));
        }
        let op = match op.text {
            b"R" | b"r" => Op::Read,
            b"W" | b"w" => Op::Write,
            _ => return Err(op.fault("the op R or W", "write R for a load, W for a store")),
        };
        let kernel = scope.recorded_kernel(kernel)?;
        let Some(address) = decimal_or_hex(address.text) else {
            let help = "write it in decimal, or in hexadecimal with 0x";
            return Err(address.fault("an address below 2^64", help));
        };
        let cycle = match cycle.text {
            b"" => None,
            text => Some(decimal(text).ok_or_else(|| {
                cycle.fault(
                    "a cycle, a decimal number below 2^64",
                    "correct or remove the column",
                )
            })?),
        };
        let Options { line, .. } = scope.options;
        let mut access = Access {
            cycle,
            ..Access::at(kernel, op, address, line)
        };
        if !sectors.text.is_empty() {
            access.sectors = mask(sectors, line)?;
        }
        Ok(Some(access))
    }
}

/// The sectors that are touched, in lines of so many bytes.
fn mask(sectors: Field, line: u64) -> Result<u32, Box<Fault>> {
    let all = u64::from(u32::MAX >> (32 - (line / SECTOR).max(1)));
    match decimal_or_hex(sectors.text) {
        Some(mask) if mask > 0 && mask <= all => Ok(mask as u32),
        _ => {
            let help = "set a bit for each sector that is touched, or remove the column";
            Err(sectors.fault(format!("a mask of sectors from 1 to {all:#x}"), help))
        }
    }
}

/// A header's field: a word, and no number.
fn is_name(text: &[u8]) -> bool {
    text.first().is_some_and(u8::is_ascii_alphabetic)
}
