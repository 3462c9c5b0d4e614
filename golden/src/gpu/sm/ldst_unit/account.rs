//! Consistency checks of the load/store unit's contents.

use super::{Flying, LdstUnit};
use crate::gpu::memory::Request;
use crate::gpu::sm::check::Sum;

impl LdstUnit {
    /// Instructions in flight.
    pub(in crate::gpu::sm) fn in_flight(&self) -> u64 {
        (self.flying.len() - self.vacant.len()) as u64
    }

    /// Instructions in flight, each once.
    fn all_flying(&self) -> impl Iterator<Item = &Flying> {
        self.flying.iter().filter(|flying| !flying.vacant)
    }

    /// A kernel's instructions in flight.
    pub(in crate::gpu::sm) fn flying_of(&self, kernel: usize) -> u64 {
        let own = |flying: &&Flying| usize::from(flying.kernel) == kernel;
        self.all_flying().filter(own).count() as u64
    }

    /// A kernel's requests in the miss queue.
    pub(in crate::gpu::sm) fn queued_of(&self, kernel: usize) -> u64 {
        let own = |request: &&Request| usize::from(request.kernel) == kernel;
        self.miss_queue.iter().filter(own).count() as u64
    }

    /// A kernel's requests to the L2 beyond the first one of a miss or store.
    pub(in crate::gpu::sm) fn further(&self, kernel: usize) -> u64 {
        self.further[kernel]
    }

    /// Whether what waits is what is waited for, after so many replies.
    pub(in crate::gpu::sm) fn check(&self, replies: u64, sent: u64) -> Result<(), Sum> {
        let in_use = self.mshrs.in_use() as u64;
        let outstanding = sent + self.miss_queue.len() as u64 - replies;
        let coming = self.mshrs.outstanding();
        let coming: usize = coming.map(|sectors| self.split.count(sectors)).sum();
        let expected = coming as u64 + self.unacknowledged;
        Sum::equal(
            "requests without reply",
            outstanding,
            "lines of MSHRs and stores",
            expected,
        )?;
        let waits = self.all_flying().map(|flying| u64::from(flying.unanswered));
        let sources = self.hits.len() as u64 + self.mshrs.waiting() + self.unacknowledged;
        Sum::equal(
            "responses to come",
            waits.sum(),
            "hits, waiters and stores",
            sources,
        )?;
        let mut registers = 0;
        for line in self.l1d.reserved() {
            let chain = self.mshrs.chain(line.mshr);
            let coming = chain.inspect(|_| registers += 1);
            let coming = coming.fold(0, |all, register| all | self.mshrs.sectors(register));
            let pending = line.pending.into();
            Sum::equal(
                "sectors pending",
                pending,
                "sectors of the line's MSHRs",
                coming.into(),
            )?;
        }
        Sum::equal("MSHRs in use", in_use, "MSHRs of reserved lines", registers)
    }

    /// An error that [`check`](Self::check) must find: a response is forgotten.
    #[cfg(test)]
    pub(in crate::gpu::sm) fn lose_response(&mut self) {
        let waiting = self.flying.iter_mut().find(|flying| flying.unanswered > 0);
        waiting
            .into_iter()
            .for_each(|flying| flying.unanswered -= 1);
    }

    /// An error that a [`check`](Self::check) must find: a request does not go to the L2.
    #[cfg(test)]
    pub(in crate::gpu::sm) fn lose_request(&mut self) {
        self.miss_queue.pop_back();
    }

    /// An error that [`check`](Self::check) must find: a line does not know what is on its way.
    #[cfg(test)]
    pub(in crate::gpu::sm) fn lose_sector(&mut self) {
        let reserved = (0..).find(|&place| self.l1d.line(place).pending != 0);
        reserved
            .into_iter()
            .for_each(|place| self.l1d.line_mut(place).pending |= 1 << 31);
    }
}
