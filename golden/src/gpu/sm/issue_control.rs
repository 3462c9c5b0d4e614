//! Issue control of an SM: the unit between the warp schedulers and the load/store unit.

use crate::sm::mem_issue::{In, MemIssue, Out};
use crate::Model;

/// A unit that says which kernel's memory instruction goes to the load/store unit.
///
/// It is stepped once in each cycle of its SM, from cycle 0 on, with the ports of
/// [`mem_issue`](crate::sm::mem_issue), but for cycles that it [`rests`](Self::rests) through. A kernel's slot is its KID.
pub trait MemoryIssue: Send {
    /// One cycle: what the schedulers want and what the unit has done, and the kernel granted.
    /// A grant to a kernel that does not `want` one, or while `lsu_ready` is low, has no effect.
    fn step(&mut self, input: &In) -> Out;

    /// The same; the kernel granted.
    fn grant(&mut self, input: &In) -> Option<u8> {
        let out = self.step(input);
        out.grant_valid.then_some(out.grant_kid)
    }

    /// The kernels that may issue in the next cycle, if cycles in which nothing happens but that a request
    /// is refused, or that kernels want while `lsu_ready` is low, may be told at once, with
    /// [`rest`](Self::rest). None if the unit must see each cycle.
    fn rests(&self) -> Option<u64> {
        None
    }

    /// So many such cycles, and the kernel whose request is refused in each of them.
    fn rest(&mut self, _cycles: u64, _refused: Option<u8>) {}

    /// The kernels that may issue, if the schedulers choose among them in their own order: then only
    /// the kernel that they have chosen wants. None if the unit chooses.
    fn schedulers_choose(&self) -> Option<u64> {
        None
    }
}

impl MemoryIssue for MemIssue {
    fn step(&mut self, input: &In) -> Out {
        debug_assert_eq!(self.assume(input), Ok(()));
        Model::step(self, input)
    }

    fn grant(&mut self, input: &In) -> Option<u8> {
        debug_assert_eq!(self.assume(input), Ok(()));
        self.pass(input)
    }

    fn rests(&self) -> Option<u64> {
        MemIssue::rests(self).then(|| self.may_issue())
    }

    fn rest(&mut self, cycles: u64, refused: Option<u8>) {
        MemIssue::rest(self, cycles, refused);
    }
}

/// Limits only: whose memory instruction issues is the schedulers' choice, among kernels below their
/// limits. For DMIL and SMIL without a priority between kernels.
#[derive(Debug)]
pub struct OwnOrder(pub MemIssue);

impl MemoryIssue for OwnOrder {
    fn step(&mut self, input: &In) -> Out {
        MemoryIssue::step(&mut self.0, input)
    }

    fn grant(&mut self, input: &In) -> Option<u8> {
        MemoryIssue::grant(&mut self.0, input)
    }

    fn rests(&self) -> Option<u64> {
        MemoryIssue::rests(&self.0)
    }

    fn rest(&mut self, cycles: u64, refused: Option<u8>) {
        MemoryIssue::rest(&mut self.0, cycles, refused);
    }

    fn schedulers_choose(&self) -> Option<u64> {
        Some(self.0.may_issue())
    }
}
