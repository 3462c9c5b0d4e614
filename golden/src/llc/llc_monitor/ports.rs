//! Ports of `llc_monitor`.

use serde::{Deserialize, Serialize};

use super::Params;
use crate::llc::{clog2, id_w, ByPosition};
use crate::ports::Ports;

/// Input ports. A packed port has one element per bank; a port of one bit per bank is a mask.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Ports)]
pub struct In {
    /// Synchronous reset.
    pub reset: bool,
    /// The banks with an access this cycle.
    #[port([1; p.banks])]
    pub access_valid: u64,
    /// The banks in which to invalidate a way; an access to them is dropped.
    #[port([1; p.banks])]
    pub invalidate_valid: u64,
    /// The set of the access or invalidation, counted within the bank; below `sets`.
    #[port([clog2(p.sets); p.banks])]
    pub request_set: Vec<u32>,
    /// The tag of the line accessed; `tag_w` bits.
    #[port([p.tag_w; p.banks])]
    pub access_tag: Vec<u64>,
    /// The requester; `clog2(requesters + 1)` bits. From `requesters` up: any other.
    #[port([p.requester_w(); p.banks])]
    pub access_requester: Vec<u16>,
    /// The way to invalidate, below `ways`.
    #[port([id_w(p.ways); p.banks])]
    pub invalidate_way: Vec<u8>,
    /// Drops the requests of this cycle and invalidates all lines by a sweep.
    pub flush: bool,
    /// Ends the period: copy all counters to the shadow registers and clear them.
    pub snapshot: bool,
    /// Write the requester table.
    pub map_valid: bool,
    /// The entry to write, as in `access_requester`.
    #[port(p.requester_w())]
    pub map_requester: u16,
    /// The kernel that the requester runs from the next cycle on; below `kernels`.
    #[port(id_w(p.kernels))]
    pub map_kid: u8,
    /// The [`Matrix`](super::Matrix) to read; one that is not there reads 0.
    #[port(super::Matrix::code_w(p))]
    pub read_matrix: u8,
    /// Row to read: the victim; of the accesses 0 hits, 1 misses. Any value, unknown ones read 0;
    /// of the kinds of accesses to sampled sets, which have one counter, all read it.
    #[port(id_w(p.kernels))]
    pub read_victim: u8,
    /// Column to read: the aggressor, or the kernel that made the accesses. Likewise.
    #[port(id_w(p.kernels))]
    pub read_aggressor: u8,
    /// Read the counter as it is now, before this cycle's increment, not as the last period left
    /// it.
    pub read_live: bool,
}

impl In {
    /// The inputs of an idle cycle.
    pub fn idle(params: &Params) -> Self {
        Self {
            request_set: vec![0; params.banks],
            access_tag: vec![0; params.banks],
            access_requester: vec![0; params.banks],
            invalidate_way: vec![0; params.banks],
            ..Self::default()
        }
    }
}

/// Output ports, all registered but `mapped_kid`. Packed ports and masks as in [`In`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Ports)]
pub struct Out {
    /// Requests are accepted; low during a sweep.
    pub ready: bool,
    /// The banks in which an access was done in the cycle before. In the others `done_*` is 0.
    #[port([1; p.banks])]
    pub done_valid: u64,
    /// The access hit.
    #[port([1; p.banks])]
    pub done_hit: u64,
    /// The way hit or filled; one element per bank.
    #[port([id_w(p.ways); p.banks])]
    pub done_way: ByPosition,
    /// The access replaced a valid line.
    #[port([1; p.banks])]
    pub done_evict: u64,
    /// Owner, before the access, of the line hit or replaced; 0 if neither. One element per bank.
    #[port([id_w(p.kernels); p.banks])]
    pub done_owner: ByPosition,
    /// The counter addressed two cycles before, of the last period or the running one, summed over
    /// the banks; `total_w` bits.
    #[port(p.total_w())]
    pub read_count: u64,
    /// In at least one bank that counter has saturated in its period: there were more events than
    /// `read_count`.
    pub read_overflow: bool,
    /// Victims of whose demotion counters at least one saturated in the last period.
    #[port([1; p.kernels])]
    pub overflow_gdc: u64,
    /// Victims of whose eviction counters at least one saturated in the last period.
    #[port([1; p.kernels])]
    pub overflow_ike: u64,
    /// Bit 0: a counter of hits saturated in the last period; bit 1: one of misses; bit 2: one of
    /// the shares at eviction; bit 3: one of the shares of misses; bit 4: one of accesses to sampled
    /// sets.
    #[port([1; p.flags()])]
    pub overflow_access: u64,
    /// Snapshots taken since reset, modulo 256.
    #[port(8)]
    pub sequence_number: u8,
    /// The kernel that the table has for `map_requester` in this very cycle.
    #[port(id_w(p.kernels))]
    pub mapped_kid: u8,
}
