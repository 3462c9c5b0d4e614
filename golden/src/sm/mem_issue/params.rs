//! Parameters of `mem_issue`.

use serde::{Deserialize, Serialize};

use crate::model::ParamError;
use crate::ports::Parameters;
use crate::sm::milg::{self, Release};
use crate::sm::{qbmi, rbmi, smil, MAX_KERNELS};

/// What limits a kernel's instructions in flight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Limiter {
    /// A register: [`smil`].
    Smil,
    /// The failures of its requests: [`milg`].
    Milg,
}

/// The RTL's parameter `LIMITER`: 0 or 1.
impl TryFrom<usize> for Limiter {
    type Error = ParamError;

    fn try_from(code: usize) -> Result<Self, ParamError> {
        ParamError::range("limiter", code as u64, 0, 1)?;
        Ok([Self::Smil, Self::Milg][code])
    }
}

/// What picks one of several kernels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Priority {
    /// Round-robin: [`rbmi`].
    Rbmi,
    /// Quotas: [`qbmi`].
    Qbmi,
}

/// The RTL's parameter `PRIORITY`: 0 or 1.
impl TryFrom<usize> for Priority {
    type Error = ParamError;

    fn try_from(code: usize) -> Result<Self, ParamError> {
        ParamError::range("priority", code as u64, 0, 1)?;
        Ok([Self::Rbmi, Self::Qbmi][code])
    }
}

/// Parameters of [`MemIssue`](super::MemIssue). All must be legal, also those that the variant does
/// not use.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Parameters)]
pub struct Params {
    /// Kernels, 1 to [`MAX_KERNELS`](crate::sm::MAX_KERNELS).
    #[range(1..=MAX_KERNELS)]
    pub kernels: usize,
    /// What limits them.
    pub limiter: Limiter,
    /// What picks one.
    pub priority: Priority,
    /// Width of a count in flight; see [`milg::Params`].
    pub count_w: usize,
    /// Width of a failure counter; see [`milg::Params`].
    pub fail_w: usize,
    /// An interval has 2^`interval_w` requests of a kernel; see [`milg::Params`].
    pub interval_w: usize,
    /// Width of a limit that can be set; see [`smil::Params`].
    pub limit_w: usize,
    /// What an interval without pressure does; see [`milg::Params`].
    pub release: Release,
    /// Keeps the credit of an idle kernel; see [`qbmi::Params`].
    pub cap: bool,
    /// Cycles until a grant is deducted; see [`qbmi::Params`].
    pub lag: usize,
}

impl Params {
    /// The paper's platform (section 4.4) with DMIL and QBMI for so many kernels.
    pub const fn paper(kernels: usize) -> Self {
        let milg::Params {
            count_w,
            fail_w,
            interval_w,
            release,
        } = milg::Params::PAPER;
        Self {
            kernels,
            limiter: Limiter::Milg,
            priority: Priority::Qbmi,
            count_w,
            fail_w,
            interval_w,
            limit_w: 5,
            release,
            cap: false,
            lag: 0,
        }
    }

    /// How many limiters of a kind there are.
    pub fn limiters(&self, kind: Limiter) -> usize {
        match self.limiter == kind {
            true => self.kernels,
            false => 0,
        }
    }

    /// Those of a kernel's [`milg`].
    pub fn milg(&self) -> milg::Params {
        milg::Params {
            count_w: self.count_w,
            fail_w: self.fail_w,
            interval_w: self.interval_w,
            release: self.release,
        }
    }

    /// Those of a kernel's [`smil`].
    pub fn smil(&self) -> smil::Params {
        smil::Params {
            count_w: self.count_w,
            limit_w: self.limit_w,
        }
    }

    /// Those of the [`rbmi`].
    pub fn rbmi(&self) -> rbmi::Params {
        rbmi::Params {
            kernels: self.kernels,
        }
    }

    /// Those of the [`qbmi`].
    pub fn qbmi(&self) -> qbmi::Params {
        qbmi::Params {
            kernels: self.kernels,
            interval_w: self.interval_w,
            cap: self.cap,
            lag: self.lag,
        }
    }
}
