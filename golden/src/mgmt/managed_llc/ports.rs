//! Ports of `managed_llc`.

use serde::{Deserialize, Serialize};

use super::Params;
use crate::llc::{clog2, id_w, pos_w};
use crate::mgmt::core_sampling::ByCore;
use crate::mgmt::tap::RATE_W;
use crate::mgmt::{ByApplication, MAX_APPLICATIONS};
use crate::ports::Ports;
use crate::Inline;

/// Input ports.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Ports)]
pub struct In {
    /// Synchronous reset.
    pub reset: bool,
    /// There is an access this cycle.
    pub access_valid: bool,
    /// It does not access the line, but invalidates it, if there is one.
    pub access_invalidate: bool,
    /// Its set.
    #[port(clog2(p.sets))]
    pub access_set: u32,
    /// Its tag.
    #[port(p.tag_w)]
    pub access_tag: u64,
    /// The accessing application.
    #[port(id_w(p.applications))]
    pub access_app: u8,
    /// The accessing core, if the application is of the GPU.
    #[port(p.id_w)]
    pub access_core: u8,
    /// Instructions that each core of the GPU retires in this cycle.
    #[port([p.retired_w; p.cores])]
    pub retired: ByCore,
    /// A period ends.
    pub period: bool,
    /// The policy: 0 LRU, 1 quotas, 2 and 3 RRIP.
    #[port(2)]
    pub policy: u8,
    /// It is that of TAP: masks and ratio count.
    pub aware: bool,
    /// The applications that are of the GPU.
    #[port([1; p.applications])]
    pub gpu: u64,
    /// The period that begins is sampled; looked at with `period`.
    pub sample: bool,
    /// With `period`: the cores that are named become the sampled ones.
    pub choose: bool,
    /// The core that becomes Core-POL1.
    #[port(p.id_w)]
    pub choose_pol1: u8,
    /// The core that becomes Core-POL2.
    #[port(p.id_w)]
    pub choose_pol2: u8,
    /// TAP-S: streaming applications are looked for; looked at with `period`, as the next two.
    pub detect: bool,
    /// The fewest accesses of a streaming application in a period.
    #[port(p.cnt_w)]
    pub stream_accesses: u64,
    /// The fewest misses in 256 accesses of a streaming application.
    #[port(RATE_W)]
    pub stream_rate: u64,
    /// Quotas are those that software gives.
    pub quota_override: bool,
    /// The ways of each application then.
    #[port([pos_w(p.ways); p.applications])]
    pub quota_given: ByApplication,
    /// Masks are those that software gives.
    pub mask_override: bool,
    /// The applications that get one way only then.
    #[port([1; p.applications])]
    pub ucp_mask_given: u64,
    /// The RRIP-Masks then.
    #[port([1; p.applications])]
    pub rrip_mask_given: u64,
    /// What to read: 0 evictions, 1 hits and misses.
    pub read_matrix: bool,
    /// Row to read: the owner of evicted lines; of accesses 0 hits, 1 misses. Unknown ones read 0.
    #[port(id_w(p.applications))]
    pub read_row: u8,
    /// Column to read: the application that evicted, or accessed. Unknown ones read 0.
    #[port(id_w(p.applications))]
    pub read_app: u8,
    /// Read the counter as it is now, before this cycle's increment, not as the last period left it.
    pub read_live: bool,
}

impl In {
    /// The inputs of an idle cycle.
    pub fn idle(params: &Params) -> Self {
        Self {
            retired: ByCore::from_fn(params.cores, |_| 0),
            quota_given: ByApplication::from_fn(params.applications, |_| 0),
            ..Self::default()
        }
    }
}

/// Output ports; registered but `quota`, `ucp_mask` and `rrip_mask`, which follow the overrides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Ports)]
pub struct Out {
    /// Accesses are taken.
    pub ready: bool,
    /// An access was done, of which the next ports tell.
    pub done_valid: bool,
    /// Whose.
    #[port(id_w(p.applications))]
    pub done_app: u8,
    /// It hit.
    pub done_hit: bool,
    /// It filled a way.
    pub done_fill: bool,
    /// The way that it hit or filled; 0 if none.
    #[port(id_w(p.ways))]
    pub done_way: u8,
    /// It replaced a valid line.
    pub done_evict: bool,
    /// Who owned the line hit or replaced; 0 if there was none.
    #[port(id_w(p.applications))]
    pub done_owner: u8,
    /// The policy selectors.
    #[port([p.psel_w; p.applications])]
    pub psel: Inline<u16, MAX_APPLICATIONS>,
    /// What follows from the end of a period is still being found out.
    pub busy: bool,
    /// Quotas of a period are new in this cycle.
    pub decided: bool,
    /// The ways of each application, as they hold.
    #[port([pos_w(p.ways); p.applications])]
    pub quota: ByApplication,
    /// The applications that get one way only in a decision that begins now.
    #[port([1; p.applications])]
    pub ucp_mask: u64,
    /// The RRIP-Mask of each application, as it holds.
    #[port([1; p.applications])]
    pub rrip_mask: u64,
    /// The newest ratio.
    #[port(p.xs_w)]
    pub xsratio: u64,
    /// Caching does not help the GPU.
    pub insensitive: bool,
    /// The applications that streamed in the last period.
    #[port([1; p.applications])]
    pub streaming: u64,
    /// The counter addressed in the cycle before, of the last period or the running one.
    #[port(p.cnt_w)]
    pub read_count: u64,
    /// That counter has saturated in its period: there were more events.
    pub read_overflow: bool,
    /// Owners of whose counters of evictions at least one saturated in the last period.
    #[port([1; p.applications])]
    pub overflow_evictions: u64,
    /// Bit 0: a counter of hits saturated in the last period; bit 1: one of misses.
    #[port([1; 2])]
    pub overflow_accesses: u64,
    /// Periods ended since reset, modulo 256.
    #[port(8)]
    pub sequence_number: u8,
}
