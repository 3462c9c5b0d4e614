//! How kernels share a GPU: schemes of Dai et al. (HPCA 2018) and those that it compares them with.
//!
//! | module | holds |
//! | --- | --- |
//! | [`partition`] | how many thread blocks of each kernel an SM holds |
//! | [`online`] | Warped-Slicer's curves, profiled while the kernels run |
//! | [`run`] | kernels under a scheme, and what was counted |
//!
//! A [`Scheme`] is a [`Partition`] of thread blocks and an [`Issue`] policy on top of it. Machine and
//! kernels are those of preset `maxwell-fit` ([`calibration`](crate::calibration)).

pub mod online;
pub mod partition;
pub mod run;

use std::fmt;

use crate::sm::mem_issue::{Limiter, Params, Priority};
use crate::sm::milg::Release;
use serde::{Deserialize, Serialize};

/// Which thread blocks an SM holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Partition {
    /// Each SM runs one kernel (section 1: spatial multitasking).
    Spatial,
    /// The first kernel takes what it can, the next what it leaves (section 1).
    LeftOver,
    /// Warped-Slicer's sweet spot on curves of each kernel alone.
    Offline,
    /// Warped-Slicer's sweet spot on curves profiled while they run (section 2.5).
    Online,
    /// SMK-P: dominant resource fairness.
    Drf,
    /// So many blocks, by kernel; 0 for kernels that there are not.
    Fixed([u8; 3]),
}

/// Who issues, beyond thread blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Issue {
    /// Whoever the warp schedulers come to.
    Free,
    /// Memory instructions of kernels in turn.
    Rbmi,
    /// Memory instructions by quotas.
    Qbmi,
    /// The same, a kernel's quota at most twice its newest one.
    QbmiCap,
    /// Limits from reservation failures.
    Dmil,
    /// The same, with this effect of an interval with less than one failure per request.
    DmilRelease(Release),
    /// Both.
    QbmiDmil,
    /// Fixed limits, by kernel; 0 is none.
    Smil([u8; 3]),
    /// SMK's warp instruction quotas, from each kernel's IPC alone.
    Quotas,
    /// The L1D's ways by UCP (section 3.1).
    Ucp,
    /// MSHRs and miss queue divided evenly (section 4.5).
    MissEntries,
}

impl Issue {
    /// The parameters of the [`mem_issue`](crate::sm::mem_issue) in each SM, in front of so many kernels;
    /// none where the policy has no such unit.
    pub fn unit(self, kernels: usize) -> Option<Params> {
        let (limiter, priority) = match self {
            Self::Free | Self::Quotas | Self::Ucp | Self::MissEntries => return None,
            Self::Rbmi | Self::Smil(_) => (Limiter::Smil, Priority::Rbmi),
            Self::Qbmi | Self::QbmiCap => (Limiter::Smil, Priority::Qbmi),
            Self::QbmiDmil => (Limiter::Milg, Priority::Qbmi),
            Self::Dmil | Self::DmilRelease(_) => (Limiter::Milg, Priority::Rbmi),
        };
        let paper = Params::paper(kernels);
        let release = match self {
            Self::DmilRelease(release) => release,
            _ => paper.release,
        };
        Some(Params {
            limiter,
            priority,
            release,
            cap: self == Self::QbmiCap || paper.cap,
            ..paper
        })
    }

    /// Whether the warp schedulers choose among the kernels that may issue: limits alone say nothing
    /// about their order.
    pub fn leaves_order(self) -> bool {
        matches!(self, Self::Dmil | Self::DmilRelease(_) | Self::Smil(_))
    }
}

/// A partition of thread blocks and an issue policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scheme {
    /// Of thread blocks.
    pub partition: Partition,
    /// On top of it.
    pub issue: Issue,
}

impl Scheme {
    /// One of each.
    pub const fn new(partition: Partition, issue: Issue) -> Self {
        Self { partition, issue }
    }
}

/// As the paper writes it: `WS-QBMI`, `SMK-(P+W)`.
impl fmt::Display for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let issue = match self.issue {
            Issue::Free => String::new(),
            Issue::Rbmi => "RBMI".into(),
            Issue::Qbmi => "QBMI".into(),
            Issue::QbmiCap => "QBMI(cap)".into(),
            Issue::Dmil => "DMIL".into(),
            Issue::DmilRelease(release) => format!("DMIL({})", release.name()),
            Issue::QbmiDmil => "QBMI+DMIL".into(),
            Issue::Smil(limits) => format!("SMIL{limits:?}"),
            Issue::Quotas => "W".into(),
            Issue::Ucp => "L1D partition".into(),
            Issue::MissEntries => "MSHR partition".into(),
        };
        let partition = match (self.partition, issue.is_empty()) {
            (Partition::Spatial, _) => "Spatial",
            (Partition::LeftOver, _) => "Left-over",
            (Partition::Offline, _) => "WS-offline",
            (Partition::Online, _) => "WS",
            (Partition::Drf, true) => "SMK-P",
            (Partition::Drf, false) => return write!(f, "SMK-(P+{issue})"),
            (Partition::Fixed(blocks), _) => &format!("Blocks{blocks:?}"),
        };
        match issue.is_empty() {
            true => f.write_str(partition),
            false => write!(f, "{partition}-{issue}"),
        }
    }
}
