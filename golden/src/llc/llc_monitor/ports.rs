use serde::{Deserialize, Serialize};

use super::Params;
use crate::llc::{id_w, ByPosition};
use crate::model::Violation;

/// Input ports. A packed port has one element a bank; a port of one bit a bank is a mask.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct In {
    /// Synchronous reset.
    pub reset: bool,
    /// The banks with an access this cycle.
    pub access_valid: u64,
    /// The banks in which to invalidate a way; an access to them is dropped.
    pub invalidate_valid: u64,
    /// The set of the access or invalidation, counted within the bank; below `sets`.
    pub request_set: Vec<u32>,
    /// The tag of the line accessed; `tag_w` bits.
    pub access_tag: Vec<u64>,
    /// Who accesses; `clog2(requesters + 1)` bits. From `requesters` up: any other.
    pub access_requester: Vec<u16>,
    /// The way to invalidate, below `ways`.
    pub invalidate_way: Vec<u8>,
    /// Drops the requests of this cycle and invalidates all lines by a sweep.
    pub flush: bool,
    /// Ends the period: copy all counters to the shadow registers and clear them.
    pub snapshot: bool,
    /// Write the requester table.
    pub map_valid: bool,
    /// The entry to write, as in `access_requester`.
    pub map_requester: u16,
    /// The kernel that the requester runs from the next cycle on; below `kernels`.
    pub map_kid: u8,
    /// The [`Matrix`](super::Matrix) to read; 2 bits, 3 reads 0.
    pub read_matrix: u8,
    /// Row to read: the victim; of the accesses 0 hits, 1 misses. Any value, unknown ones read 0.
    pub read_victim: u8,
    /// Column to read: the aggressor, or the kernel that made the accesses. Likewise.
    pub read_aggressor: u8,
    /// Read the counter as it is now, before this cycle's increment, not as the last period left it.
    pub read_live: bool,
}

impl In {
    /// A cycle in which nothing is asked.
    pub fn idle(params: &Params) -> Self {
        Self {
            request_set: vec![0; params.banks],
            access_tag: vec![0; params.banks],
            access_requester: vec![0; params.banks],
            invalidate_way: vec![0; params.banks],
            ..Self::default()
        }
    }

    /// Whether the ports may carry this.
    pub(super) fn check(&self, params: &Params) -> Result<(), Violation> {
        let Params {
            ways,
            kernels,
            sets,
            banks,
            tag_w,
            requesters,
            ..
        } = *params;
        // There is at least one requester, and the code for any other.
        let requester_w = id_w(requesters + 1);
        Violation::mask("access_valid", self.access_valid, banks)?;
        Violation::mask("invalidate_valid", self.invalidate_valid, banks)?;
        Violation::length("request_set", self.request_set.len(), banks)?;
        for (bank, &set) in self.request_set.iter().enumerate() {
            Violation::below(("request_set", bank), set.into(), sets)?;
        }
        Violation::length("access_tag", self.access_tag.len(), banks)?;
        for (bank, &tag) in self.access_tag.iter().enumerate() {
            Violation::fits(("access_tag", bank), tag, tag_w)?;
        }
        Violation::length("access_requester", self.access_requester.len(), banks)?;
        for (bank, &requester) in self.access_requester.iter().enumerate() {
            Violation::fits(("access_requester", bank), requester.into(), requester_w)?;
        }
        Violation::length("invalidate_way", self.invalidate_way.len(), banks)?;
        for (bank, &way) in self.invalidate_way.iter().enumerate() {
            let field = ("invalidate_way", bank);
            Violation::fits(field, way.into(), id_w(ways))?;
            if self.invalidate_valid >> bank & 1 == 1 {
                Violation::below(field, way.into(), ways)?;
            }
        }
        Violation::fits("map_requester", self.map_requester.into(), requester_w)?;
        Violation::fits("map_kid", self.map_kid.into(), id_w(kernels))?;
        if self.map_valid {
            Violation::below("map_kid", self.map_kid.into(), kernels)?;
        }
        Violation::fits("read_matrix", self.read_matrix.into(), 2)?;
        Violation::fits("read_victim", self.read_victim.into(), id_w(kernels))?;
        Violation::fits("read_aggressor", self.read_aggressor.into(), id_w(kernels))
    }
}

/// Output ports, all registered but `mapped_kid`. Packed ports and masks as in [`In`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Out {
    /// Requests are taken; low during a sweep.
    pub ready: bool,
    /// The banks in which an access was done in the cycle before. In the others `done_*` is 0.
    pub done_valid: u64,
    /// It hit.
    pub done_hit: u64,
    /// The way hit or filled; one element a bank.
    pub done_way: ByPosition,
    /// It replaced a valid line.
    pub done_evict: u64,
    /// Owner, before the access, of the line hit or replaced; 0 if neither. One element a bank.
    pub done_owner: ByPosition,
    /// The counter addressed two cycles before, of the last period or the running one, summed over
    /// the banks; `total_w` bits.
    pub read_count: u64,
    /// Victims of whose demotion counters at least one saturated in the last period.
    pub overflow_gdc: u64,
    /// Victims of whose eviction counters at least one saturated in the last period.
    pub overflow_ike: u64,
    /// Bit 0: a counter of hits saturated in the last period; bit 1: one of misses.
    pub overflow_access: u64,
    /// Snapshots taken since reset, modulo 256.
    pub sequence_number: u8,
    /// The kernel that the table has for `map_requester` in this very cycle.
    pub mapped_kid: u8,
}
