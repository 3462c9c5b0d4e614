//! Statistics of a kernel's requests in the memory system.

use serde::{Deserialize, Serialize};

/// Cycles in which a kernel's request was first at a bank and was not looked up, by what it
/// lacked. Counted when the wait ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Waits {
    /// An MSHR.
    pub mshr: u64,
    /// A place among those that wait for the same line.
    pub merge: u64,
    /// An entry of the miss queue, for a fetch or a write-back.
    pub miss_queue: u64,
    /// Room for replies at the partition's port.
    pub reply: u64,
}

/// What a kernel's requests did behind the SMs.
///
/// With nothing in flight, `reads + writes = accesses = replies`, `accesses = hits + merged +
/// misses`, `fetches = dram_reads`, `write_backs = dram_writes`, `dram_reads + dram_writes =
/// row_hits + row_misses`. The golden cache calls a tag hit a hit: its hits are `hits + merged`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Stats {
    /// Loads that the SMs handed over.
    pub reads: u64,
    /// Stores that the SMs handed over.
    pub writes: u64,
    /// Flits of requests.
    pub request_flits: u64,
    /// Flits of replies.
    pub reply_flits: u64,
    /// Lookups in the L2.
    pub accesses: u64,
    /// Tag hits that wait for no fill but their own: all stores that hit, loads of sectors that
    /// are there, and loads that lack a sector which is not on its way either.
    pub hits: u64,
    /// Tag hits of loads that wait for sectors which are on their way already, and need no other.
    pub merged: u64,
    /// Lookups whose tag was not found.
    pub misses: u64,
    /// Tag hits that lack a sector: a load fetches it, a store writes it. Part of `hits`.
    pub sector_misses: u64,
    /// Requests to memory for sectors, of a load on a miss or sector miss, of a store on a miss if the
    /// L2 fetches then.
    pub fetches: u64,
    /// Those of stores that missed. Part of `fetches`.
    #[serde(default)]
    pub store_fetches: u64,
    /// Cycles that requests were first at a bank in vain.
    pub waits: Waits,
    /// Evicted lines with dirty sectors, last stored to by this kernel.
    pub write_backs: u64,
    /// Reads that memory has served.
    pub dram_reads: u64,
    /// Writes that memory has served.
    pub dram_writes: u64,
    /// Bytes read from memory.
    pub dram_read_bytes: u64,
    /// Bytes written to memory.
    pub dram_write_bytes: u64,
    /// Reads and writes that found their row open.
    pub row_hits: u64,
    /// Reads and writes for which a row was activated.
    pub row_misses: u64,
    /// Requests that were answered and whose answer the SM has taken.
    pub replies: u64,
    /// Their cycles from [`issued`](super::Request::issued) to then, summed.
    pub latency: u64,
}

/// What a channel of memory did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ChannelStats {
    /// Reads served.
    pub reads: u64,
    /// Writes served.
    pub writes: u64,
    /// Bytes that the data bus has moved.
    pub bytes: u64,
    /// Rows activated.
    pub activations: u64,
    /// Rows closed.
    pub precharges: u64,
}
