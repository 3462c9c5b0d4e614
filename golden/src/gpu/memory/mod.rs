//! What lies behind the SMs: crossbar, L2, DRAM.

use crate::workload::Op;

/// What an SM asks of the L2: sectors of one line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Request {
    /// The SM, from 0.
    pub sm: u16,
    /// The kernel's KID.
    pub kernel: u8,
    /// Load or store. A store moves its sectors with the request and is acknowledged.
    pub op: Op,
    /// The line's first byte.
    pub line: u64,
    /// The sectors, bit 0 being the lowest address; at least one.
    pub sectors: u32,
    /// The SM's own mark, which the reply carries.
    pub mark: u32,
    /// The cycle in which the SM handed it over.
    pub issued: u64,
}

/// The answer to a request: its sectors, or that they are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reply {
    /// The request.
    pub request: Request,
}
