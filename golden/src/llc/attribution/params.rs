//! Parameters of `attribution`.

use serde::{Deserialize, Serialize};

use super::EVENTS;
use crate::llc::counter_matrix::{self, Kinds};
use crate::llc::{blame, clog2, pivot, shadow_stack, MAX_WAYS};
use crate::model::ParamError;
use crate::ports::Parameters;

/// The largest number of accesses that can wait.
pub const MAX_QUEUE: usize = 64;

/// What becomes of a miss.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// It is divided in sixths by [`blame`], for up to [`blame::MAX_KERNELS`] kernels.
    Sixths,
    /// It is charged to one kernel by [`pivot`], for up to [`pivot::MAX_KERNELS`] kernels.
    Pivot,
}

impl Mode {
    /// The most kernels.
    pub fn most_kernels(self) -> usize {
        match self {
            Self::Sixths => blame::MAX_KERNELS,
            Self::Pivot => pivot::MAX_KERNELS,
        }
    }

    /// What a whole miss counts.
    pub fn unit(self) -> u32 {
        match self {
            Self::Sixths => blame::SIXTHS.into(),
            Self::Pivot => 1,
        }
    }
}

/// The RTL's parameter `MODE`: 0 or 1.
impl TryFrom<usize> for Mode {
    type Error = ParamError;

    fn try_from(code: usize) -> Result<Self, ParamError> {
        ParamError::range("mode", code as u64, 0, 1)?;
        Ok([Self::Sixths, Self::Pivot][code])
    }
}

/// Parameters of [`Attribution`](super::Attribution).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Parameters)]
pub struct Params {
    /// Ways of the cache, 1 to [`MAX_WAYS`].
    #[range(1..=MAX_WAYS)]
    pub ways: usize,
    /// Number of kernels, 2 to [`Mode::most_kernels`].
    #[range(2..=p.mode.most_kernels())]
    pub kernels: usize,
    /// Sets of the cache, a power of two.
    #[range(2..=1 << 20)]
    pub sets: usize,
    /// Sets that are sampled, 2 to `sets`.
    #[range(2..=p.sets)]
    pub sampled: usize,
    /// Width of a tag in bits, 1 to 64.
    #[range(1..=64)]
    pub tag_w: usize,
    /// Bits of a tag that are kept.
    #[range(1..=p.tag_w)]
    pub partial_w: usize,
    /// Places of a stack that are looked at per cycle.
    #[range(1..=p.ways * p.kernels / 2)]
    pub lanes: usize,
    /// Width of a counter in bits, 3 to 64.
    #[range(3..=64)]
    pub cnt_w: usize,
    /// Accesses that can wait for the shadow stacks.
    #[range(0..=MAX_QUEUE)]
    pub queue: usize,
    /// What becomes of a miss.
    pub mode: Mode,
}

impl Params {
    /// Of the shadow stacks.
    pub fn shadow(&self) -> shadow_stack::Params {
        shadow_stack::Params {
            ways: self.ways,
            kernels: self.kernels,
            stacks: self.sampled,
            tag_w: self.partial_w,
            lanes: self.lanes,
        }
    }

    /// Of the shares, whose rows are the aggressors.
    pub fn shares(&self) -> counter_matrix::Params {
        counter_matrix::Params {
            kernels: self.kernels,
            inc_w: clog2(self.mode.unit() as usize + 1),
            cnt_w: self.cnt_w,
        }
    }

    /// Of what charges whole misses.
    pub fn pivot(&self) -> pivot::Params {
        pivot::Params {
            ways: self.ways,
            kernels: self.kernels,
        }
    }

    /// Of the counters of accesses.
    pub fn events(&self) -> Kinds {
        Kinds {
            kinds: EVENTS,
            kernels: 1,
            cnt_w: self.cnt_w,
        }
    }

    /// What is kept of a tag.
    pub fn partial(&self, tag: u64) -> u64 {
        let bit = |at: usize| {
            let bits = (at..self.tag_w).step_by(self.partial_w);
            bits.filter(|bit| tag >> bit & 1 == 1).count() as u64 & 1
        };
        (0..self.partial_w).fold(0, |partial, at| partial | bit(at) << at)
    }
}
