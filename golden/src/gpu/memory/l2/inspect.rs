//! The contents of the L2, for the consistency checks.

#[cfg(test)]
use super::mshr::NO_LINE;
use super::mshr::NO_MSHR;
use super::{Line, Request, Transfer, L2};

impl L2 {
    /// The requests in the banks' queues.
    pub(in crate::gpu::memory) fn queued(&self) -> impl Iterator<Item = &Request> {
        let queues = self.banks.iter().flat_map(|bank| &bank.queue);
        queues.map(|(_, routed)| &routed.request)
    }

    /// Requests in a bank's queue.
    pub(in crate::gpu::memory) fn queue_len(&self, index: usize) -> usize {
        self.banks[index].queue.len()
    }

    /// The requests that wait for fills.
    pub(in crate::gpu::memory) fn waiting(&self) -> impl Iterator<Item = &Request> {
        self.banks.iter().flat_map(|bank| bank.mshrs.waiting())
    }

    /// What waits in the miss queues.
    pub(in crate::gpu::memory) fn misses(&self) -> impl Iterator<Item = &Transfer> {
        self.banks.iter().flat_map(|bank| &bank.misses)
    }

    /// MSHRs in use.
    pub(in crate::gpu::memory) fn mshrs_used(&self) -> usize {
        self.banks.iter().map(|bank| bank.mshrs.used()).sum()
    }

    /// Lines with sectors on their way or with an MSHR.
    pub(in crate::gpu::memory) fn lines_pending(&self) -> usize {
        let pending = |line: &&Line| line.pending != 0 || line.mshr != NO_MSHR;
        self.lines.iter().filter(pending).count()
    }
}

/// What a test breaks to see it found.
#[cfg(test)]
impl L2 {
    /// Takes an MSHR and never gives it back.
    pub(in crate::gpu::memory) fn leak_mshr(&mut self) {
        let _ = self.banks[0].mshrs.allocate(NO_LINE);
    }

    /// Loses the first request of a bank's queue.
    pub(in crate::gpu::memory) fn drop_queued(&mut self, index: usize) {
        assert!(self.banks[index].queue.pop_front().is_some());
    }

    /// Leaves a sector in flight that was not requested.
    pub(in crate::gpu::memory) fn leave_pending(&mut self) {
        self.lines[0].pending = 1;
    }
}
