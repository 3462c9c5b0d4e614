//! Parameters of `managed_llc`, and those of its parts.

use serde::{Deserialize, Serialize};

use crate::llc::counter_matrix::{self, Kinds};
use crate::llc::id_w;
use crate::mgmt::core_sampling::{self, MAX_CORES, MAX_TILES};
use crate::mgmt::{managed_directory, tap, ucp, umon, xsratio, MAX_APPLICATIONS};
use crate::model::limit;
use crate::ports::Parameters;

/// Parameters of [`ManagedLlc`](super::ManagedLlc).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Parameters)]
pub struct Params {
    /// Ways of a set, 2 to 32.
    #[range(2..=32)]
    pub ways: usize,
    /// Sets, a power of two.
    #[range(4..=1 << 24)]
    pub sets: usize,
    /// Number of applications, 2 to [`MAX_APPLICATIONS`], not more than there are ways.
    #[range(2..=MAX_APPLICATIONS.min(p.ways).min(p.sets / 2))]
    pub applications: usize,
    /// Leader sets of each policy and application, a power of two.
    #[range(1..=p.sets / (2 * p.applications))]
    pub leaders: usize,
    /// Sets that are monitored, a power of two from 2 to `sets`.
    #[range(2..=p.sets)]
    pub sampled: usize,
    /// GPU cores, 2 to [`MAX_CORES`].
    #[range(2..=MAX_CORES)]
    pub cores: usize,
    /// Tiles of the cache, a power of two up to [`MAX_TILES`].
    #[range(1..=MAX_TILES.min(p.sets))]
    pub tiles: usize,
    /// Bits of a tag, 1 to 64.
    #[range(1..=64)]
    pub tag_w: usize,
    /// Bits of a prediction, 1 to 8.
    #[range(1..=8)]
    pub rrpv_w: usize,
    /// Bits of a policy selector, 2 to 16.
    #[range(2..=16)]
    pub psel_w: usize,
    /// What the shift register of draws begins with.
    #[range(1..=limit(31) as usize)]
    pub seed: usize,
    /// Bits of XSRATIO, 2 to 16.
    #[range(2..=16)]
    pub xs_w: usize,
    /// Bits of a counter of accesses, from `xs_w` to 32.
    #[range(p.xs_w..=32)]
    pub cnt_w: usize,
    /// T_xs, the largest ratio that is none; below the largest one.
    #[range(1..=limit(p.xs_w) as usize - 1)]
    pub t_xs: usize,
    /// Bits of a core's id, enough for all cores, at most 8.
    #[range(id_w(p.cores)..=8)]
    pub id_w: usize,
    /// Bits of the instructions that a core retires in a cycle, 1 to 8.
    #[range(1..=8)]
    pub retired_w: usize,
    /// Bits of a counter of instructions, from `retired_w` to 32.
    #[range(p.retired_w..=32)]
    pub instr_w: usize,
    /// 1: sampled cores rotate; 0: they do not.
    #[range(0..=1)]
    pub rotate: usize,
}

impl Params {
    /// Those of the directory.
    pub fn directory(&self) -> managed_directory::Params {
        managed_directory::Params {
            ways: self.ways,
            sets: self.sets,
            applications: self.applications,
            leaders: self.leaders,
            tag_w: self.tag_w,
            rrpv_w: self.rrpv_w,
            psel_w: self.psel_w,
            seed: self.seed,
        }
    }

    /// Those of an application's monitor.
    pub fn monitor(&self) -> umon::Params {
        umon::Params {
            ways: self.ways,
            sets: self.sets,
            sampled: self.sampled,
            tag_w: self.tag_w,
            cnt_w: self.cnt_w,
        }
    }

    /// Those of who gives out the ways.
    pub fn ucp(&self) -> ucp::Params {
        ucp::Params {
            ways: self.ways,
            applications: self.applications,
            cnt_w: self.cnt_w,
            xs_w: self.xs_w,
        }
    }

    /// Those of the ratio.
    pub fn xsratio(&self) -> xsratio::Params {
        xsratio::Params {
            applications: self.applications,
            xs_w: self.xs_w,
            cnt_w: self.cnt_w,
            t_xs: self.t_xs,
        }
    }

    /// Those of core sampling.
    pub fn sampling(&self) -> core_sampling::Params {
        core_sampling::Params {
            cores: self.cores,
            tiles: self.tiles,
            id_w: self.id_w,
            retired_w: self.retired_w,
            cnt_w: self.instr_w,
            rotate: self.rotate,
        }
    }

    /// Those of the masks.
    pub fn tap(&self) -> tap::Params {
        tap::Params {
            applications: self.applications,
            xs_w: self.xs_w,
            cnt_w: self.cnt_w,
        }
    }

    /// Those of the counters of evictions, by owner and evictor.
    pub fn evictions(&self) -> counter_matrix::Params {
        counter_matrix::Params {
            kernels: self.applications,
            inc_w: 1,
            cnt_w: self.cnt_w,
        }
    }

    /// Those of the counters of hits and misses.
    pub fn accesses(&self) -> Kinds {
        Kinds {
            kinds: 2,
            kernels: self.applications,
            cnt_w: self.cnt_w,
        }
    }

    /// Cycles from the end of a period to its masks.
    pub fn masks_latency(&self) -> usize {
        self.xsratio().latency() + 1
    }
}
