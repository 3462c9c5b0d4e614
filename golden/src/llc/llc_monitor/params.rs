//! Parameters of `llc_monitor`.

use serde::{Deserialize, Serialize};

use super::REQUEST_LATENCY;
use crate::llc::attribution::{self, Mode};
use crate::llc::cache::{MAX_LINES, MAX_SETS};
use crate::llc::counter_matrix::Kinds;
use crate::llc::{clog2, gdcu, plob, pos_w, sce, MAX_KERNELS, MAX_WAYS};
use crate::model::ParamError;
use crate::ports::Parameters;

/// The most banks: masks over banks are `u64`.
pub const MAX_BANKS: usize = 64;

/// The most requesters with an entry of their own.
pub const MAX_REQUESTERS: usize = 1024;

/// Parameters of [`LlcMonitor`](super::LlcMonitor).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Parameters)]
pub struct Params {
    /// Ways of a set, 1 to [`MAX_WAYS`].
    #[range(1..=MAX_WAYS)]
    pub ways: usize,
    /// Number of kernels, 1 to [`MAX_KERNELS`].
    #[range(1..=MAX_KERNELS)]
    pub kernels: usize,
    /// Sets of a bank, a power of two from 2 to [`MAX_SETS`].
    #[range(2..=MAX_SETS)]
    pub sets: usize,
    /// Banks, a power of two up to [`MAX_BANKS`].
    #[range(1..=MAX_BANKS)]
    pub banks: usize,
    /// Width of a tag in bits, 1 to 64.
    #[range(1..=64)]
    pub tag_w: usize,
    /// Width of a counter in bits, from that of a position code up; a sum over the banks has at
    /// most 64 bits.
    #[range(pos_w(p.ways)..=64 - clog2(p.banks))]
    pub cnt_w: usize,
    /// Cycles between UPDATE and the increment, 0 to 2.
    #[range(0..=2)]
    pub stages: usize,
    /// Requesters with an entry of their own in the table, 1 to [`MAX_REQUESTERS`].
    #[range(1..=MAX_REQUESTERS)]
    pub requesters: usize,
    /// 1: the share at eviction is counted.
    #[range(0..=1)]
    pub sce: usize,
    /// Sets of each bank whose misses are attributed: 0 for none, or from 2 up; then there are 2 to
    /// [`Mode::most_kernels`] kernels.
    #[range(0..=p.sets)]
    pub sampled: usize,
    /// What becomes of a miss in these sets; without them [`Mode::Sixths`].
    pub mode: Mode,
    /// Cycles that a request takes more, 0 or 1: with 1 the directory's RAMs have registers behind
    /// them.
    #[range(0..=1)]
    pub ram_stages: usize,
}

/// Bits of a tag that the sampled sets keep, of as many as there are.
pub const PARTIAL_W: usize = 12;

/// Accesses to sampled sets of a bank that can wait.
pub const QUEUE: usize = 8;

impl Params {
    /// Cycles from a request to the one in which it is done.
    pub fn request_latency(&self) -> usize {
        REQUEST_LATENCY + usize::from(self.ram_stages > 0)
    }

    /// Those of a bank's [`gdcu`].
    pub fn gdcu(&self) -> gdcu::Params {
        gdcu::Params {
            ways: self.ways,
            kernels: self.kernels,
            cnt_w: self.cnt_w,
            stages: self.stages,
        }
    }

    /// Those of a bank's [`plob`].
    pub fn plob(&self) -> plob::Params {
        plob::Params {
            kernels: self.kernels,
            cnt_w: self.cnt_w,
            stages: self.stages,
        }
    }

    /// Those of a bank's [`sce`], if it has one.
    pub fn sce(&self) -> Option<sce::Params> {
        (self.sce > 0).then_some(sce::Params {
            ways: self.ways,
            kernels: self.kernels,
            cnt_w: self.cnt_w,
            stages: self.stages,
        })
    }

    /// Those of a bank's [`attribution`], if it has one.
    pub fn attribution(&self) -> Option<attribution::Params> {
        (self.sampled > 0).then_some(attribution::Params {
            ways: self.ways,
            kernels: self.kernels,
            sets: self.sets,
            sampled: self.sampled,
            tag_w: self.tag_w,
            partial_w: self.tag_w.min(PARTIAL_W),
            lanes: 1,
            cnt_w: self.cnt_w,
            queue: QUEUE,
            mode: self.mode,
        })
    }

    /// Those of a bank's counters of hits and misses.
    pub fn accesses(&self) -> Kinds {
        Kinds {
            kinds: 2,
            kernels: self.kernels,
            cnt_w: self.cnt_w,
        }
    }

    /// Kinds of counters that tell whether they saturated, beside demotions and evictions.
    pub fn flags(&self) -> usize {
        match self.sampled {
            0 => 2 + self.sce,
            _ => 5,
        }
    }

    /// Width of a requester's code: one more than there are, for any other.
    pub fn requester_w(&self) -> usize {
        clog2(self.requesters + 1)
    }

    /// Width of `read_count`: a sum over the banks does not overflow.
    pub fn total_w(&self) -> usize {
        self.cnt_w + clog2(self.banks)
    }

    pub(super) fn check(&self) -> Result<(), ParamError> {
        self.check_ranges()?;
        let Self {
            ways, sets, banks, ..
        } = *self;
        ParamError::power_of_two("sets", sets as u64, "set is a field of address bits")?;
        ParamError::power_of_two("banks", banks as u64, "bank is a field of address bits")?;
        if self.sampled > 0 {
            let most = self.mode.most_kernels() as u64;
            ParamError::range("sampled", self.sampled as u64, 2, sets as u64)?;
            ParamError::range("kernels", self.kernels as u64, 2, most)?;
            ParamError::range("cnt_w", self.cnt_w as u64, 3, 64)?;
        } else {
            ParamError::range("mode", self.mode as u64, 0, 0)?;
        }
        let lines = (banks * sets * ways) as u64;
        ParamError::range("banks * sets * ways", lines, 1, MAX_LINES as u64)
    }
}

/// One of the counter matrices of a bank.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Matrix {
    /// Demotions, victim by aggressor.
    Gdc = 0,
    /// Evictions, victim by aggressor.
    Ike = 1,
    /// Hits (row 0) and misses (row 1) by kernel.
    Accesses = 2,
    /// Share at eviction, victim by aggressor.
    Sce = 3,
    /// Shares of misses in sampled sets, in sixths or as [`Mode`] says, victim by aggressor.
    Shares = 4,
    /// Accesses to sampled sets that were taken: one counter.
    Taken = 5,
    /// Those that were dropped.
    Dropped = 6,
    /// Those to lines that another kernel had used last.
    SharedLines = 7,
}

impl Matrix {
    /// All of them, in the order of their codes.
    pub const ALL: [Self; 8] = [
        Self::Gdc,
        Self::Ike,
        Self::Accesses,
        Self::Sce,
        Self::Shares,
        Self::Taken,
        Self::Dropped,
        Self::SharedLines,
    ];

    /// Those that a monitor has, in the order of their codes.
    pub fn of(params: &Params) -> impl Iterator<Item = Self> {
        let (sce, sampled) = (params.sce > 0, params.sampled > 0);
        Self::ALL.into_iter().filter(move |matrix| match matrix {
            Self::Gdc | Self::Ike | Self::Accesses => true,
            Self::Sce => sce,
            Self::Shares | Self::Taken | Self::Dropped | Self::SharedLines => sampled,
        })
    }

    /// Its rows and columns.
    pub fn shape(self, params: &Params) -> (usize, usize) {
        match self {
            Self::Gdc | Self::Ike | Self::Sce | Self::Shares => (params.kernels, params.kernels),
            Self::Accesses => (2, params.kernels),
            Self::Taken | Self::Dropped | Self::SharedLines => (1, 1),
        }
    }

    /// Of one of the kinds of accesses to sampled sets, its place among them.
    pub(super) fn event(self) -> Option<usize> {
        let first = Self::Taken as usize;
        (self as usize).checked_sub(first)
    }

    /// Width of the port that carries a code.
    pub fn code_w(params: &Params) -> usize {
        match params.sampled {
            0 => 2,
            _ => 3,
        }
    }

    /// What `read_matrix` carries to read it.
    pub fn code(self) -> u8 {
        self as u8
    }
}
