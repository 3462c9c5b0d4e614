//! Dinero's `din`: a code and one hexadecimal address per line, the rest of it ignored.
//!
//! Source: the description of the format that comes with Dinero III and IV: 0 reads data, 1 writes
//! data, 2 fetches an instruction, 3 is an access of unknown type, 4 flushes the cache.
//!
//! ASSUMPTION: an access of unknown type counts as a read, as it brings a line in and no more is
//! known of it.
//! ASSUMPTION: a flush is an order to the simulated cache and no access of a kernel. It is skipped
//! and counted.

use super::error::Fault;
use super::fields::{hex, Words};
use super::Scope;
use crate::workload::{Access, Op};

/// The parser of a source.
#[derive(Debug, Default)]
pub(super) struct Din {
    /// Cache flushes.
    pub skipped: u64,
}

impl Din {
    /// The access of a line; `None` for a blank one, or a cache flush.
    pub fn line(&mut self, line: &[u8], scope: &Scope) -> Result<Option<Access>, Box<Fault>> {
        let mut words = Words::new(line);
        let code = words.next();
        let op = match code.text {
            b"" => return Ok(None),
            b"0" | b"2" | b"3" => Op::Read,
            b"1" => Op::Write,
            b"4" => {
                self.skipped += 1;
                return Ok(None);
            }
            _ => {
                let help =
                    "write 0 for a load, 1 for a store, 2 for an instruction fetch, 3 for an \
                            access of unknown type, 4 for a cache flush, which is skipped";
                return Err(code.fault("a code from 0 to 4", help));
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
}
