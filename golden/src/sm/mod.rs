//! Memory issue of a streaming multiprocessor: one behavioural model per hardware unit.
//!
//! Source: Dai et al., "Accelerate GPU Concurrent Kernel Execution by Mitigating Memory Pipeline
//! Stalls" (HPCA 2018), sections 3.2, 3.3 and 4.4, figures 7 and 10; below "the paper".
//!
//! A kernel is known by its slot on the SM, 0 to `kernels - 1`. A memory *instruction* is a
//! warp's; it makes 1 to 32 memory *requests*, one per line that its threads touch. A *reservation
//! failure* is a cycle in which the request at the head of the LSU is refused for want of a line
//! slot, an MSHR or a miss-queue entry.
//!
//! ASSUMPTION: a request counts once, when it is accepted; a failure is charged to the kernel
//! whose request is refused. With one port the two never fall in one cycle.
//! ASSUMPTION: an instruction is in flight from its issue to the LSU until its last response,
//! data for a load, an acknowledgement for a store.
//! ASSUMPTION: the schedulers of an SM share one LSU, which takes one memory instruction per cycle.
//! The units pick its kernel; which of that kernel's warps issues is the schedulers' own affair.

pub mod lsu;
pub mod mem_issue;
pub mod milg;
pub mod qbmi;
pub mod quota_unit;
pub mod rbmi;
pub mod request_ratio;
pub mod smil;

/// The most kernels on an SM: it runs at most so many thread blocks (the paper's table 1).
pub const MAX_KERNELS: usize = 16;

/// The most requests of an instruction: one per thread of a warp.
pub const MAX_REQUESTS: u64 = 32;

/// The widest counter of instructions, requests or intervals.
const MAX_W: usize = 32;

/// A packed port: one value per kernel, kernel 0 first.
pub type ByKernel = crate::Inline<u64, MAX_KERNELS>;

/// Whether the bit of `kernel` is set.
fn has(mask: u64, kernel: usize) -> bool {
    mask >> kernel & 1 == 1
}

/// All kernels, each once, beginning with the one after `last`.
fn cyclically_after(last: u8, kernels: usize) -> impl Iterator<Item = usize> {
    (1..=kernels).map(move |step| (usize::from(last) + step) % kernels)
}
