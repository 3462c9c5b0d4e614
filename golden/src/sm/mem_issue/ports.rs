//! Ports of `mem_issue`.

use serde::{Deserialize, Serialize};

use super::Params;
use crate::llc::id_w;
use crate::ports::Ports;
use crate::sm::ByKernel;

/// Input ports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, Ports)]
pub struct In {
    /// Synchronous reset.
    pub reset: bool,
    /// The kernels that start.
    #[port([1; p.kernels])]
    pub launch: u64,
    /// The kernels that end.
    #[port([1; p.kernels])]
    pub exit: u64,
    /// The kernels with a warp that is ready to issue a memory instruction.
    #[port([1; p.kernels])]
    pub want: u64,
    /// The LSU accepts an instruction in this cycle.
    pub lsu_ready: bool,
    /// The kernels of which an instruction's last response is back; only where one is in flight.
    #[port([1; p.kernels])]
    pub complete: u64,
    /// The LSU's request is accepted.
    pub request_valid: bool,
    /// The request is the first of its instruction.
    pub request_first: bool,
    /// The LSU's request is refused; never with `request_valid`.
    pub fail_valid: bool,
    /// The kernel of the request; below `kernels`.
    #[port(id_w(p.kernels))]
    pub lsu_kid: u8,
    /// Write the limit of a kernel (SMIL).
    pub set_valid: bool,
    /// The kernel whose limit is written; below `kernels`.
    #[port(id_w(p.kernels))]
    pub set_kid: u8,
    /// The limit, at least 1; `limit_w` bits.
    #[port(p.limit_w)]
    pub set_limit: u64,
    /// Lift the limit; `set_limit` is ignored.
    pub set_unlimited: bool,
}

/// Output ports. The grant is combinational and all 0 in a cycle without one; the rest depends on
/// registers alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, Ports)]
pub struct Out {
    /// The kernel that issues, as a mask of at most one bit.
    #[port([1; p.kernels])]
    pub grant: u64,
    /// A kernel is granted.
    pub grant_valid: bool,
    /// KID of the kernel granted.
    #[port(id_w(p.kernels))]
    pub grant_kid: u8,
    /// The kernels that are launched and have not exited.
    #[port([1; p.kernels])]
    pub active: u64,
    /// The kernels below their limit, active or not.
    #[port([1; p.kernels])]
    pub allow: u64,
    /// Instructions in flight; `count_w` bits.
    #[port([p.count_w; p.kernels])]
    pub in_flight: ByKernel,
    /// The limit of instructions in flight; 2^`count_w` - 1 where `unlimited`.
    #[port([p.count_w; p.kernels])]
    pub limit: ByKernel,
    /// The kernels without a limit.
    #[port([1; p.kernels])]
    pub unlimited: u64,
    /// Current quotas; 0 with RBMI.
    #[port([p.qbmi().quota_w(); p.kernels])]
    pub quota: ByKernel,
}
