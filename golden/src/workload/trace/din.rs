//! Dinero's `din`: a code and one hexadecimal address per line, the rest of it ignored.

use super::error::Fault;
use super::fields::{hex, Words};
use super::Scope;
use crate::workload::{Access, Op};

/// The access of a line; `None` for a blank one.
pub(super) fn line(line: &[u8], scope: &Scope) -> Result<Option<Access>, Box<Fault>> {
    let mut words = Words::new(line);
    let code = words.next();
    let op = match code.text {
        b"" => return Ok(None),
        b"0" | b"2" => Op::Read,
        b"1" => Op::Write,
        b"3" | b"4" => {
            let help = "remove records of unknown type (3) and cache flushes (4)";
            return Err(code.fault("a code 0, 1 or 2", help));
        }
        _ => {
            let help = "write 0 for a load, 1 for a store, 2 for an instruction fetch";
            return Err(code.fault("a code 0, 1 or 2", help));
        }
    };
    let address = words.next();
    let Some(bytes) = hex(address.text) else {
        let help = "write the address in hexadecimal after the code";
        return Err(address.fault("a hexadecimal address below 2^64", help));
    };
    Ok(Some(Access::at(
        scope.kernel.unwrap_or(0),
        op,
        bytes,
        scope.options.line,
    )))
}
