//! How persistent blocks begin, and where they take their work from.
//!
//! Source: Fractional GPUs, section III-B: instead of the kernel's blocks, as many persistent ones are
//! launched as fill the SMs; one that finds itself on an SM of another part exits; the others pop the
//! indices of the kernel's blocks from a central queue, "implemented on GPU using atomic operations".
//!
//! ASSUMPTION: `FGPU_BLOCK_INIT` takes [`INIT_TRIPS`] round trips to the L2, each as long as a hit:
//! reading which SMs the part has, initialising the queue, and meeting at a counter that all blocks
//! add one to. ASSUMPTION: counter and queue are a word each, and atomic operations on a word follow one
//! another by [`ATOMIC`] cycle, as on Kepler and later (NVIDIA, Kepler GK110 whitepaper: one operation
//! per clock to a common address).

/// Round trips to the L2 at the beginning of a persistent block.
const INIT_TRIPS: u64 = 3;
/// Cycles from one atomic operation on a word to the next.
const ATOMIC: u64 = 1;

/// The index of the next block, in the L2.
#[derive(Debug, Default)]
pub(super) struct Queue {
    /// From when on it can be popped.
    free: u64,
}

impl Queue {
    /// The cycle in which so many blocks that are launched now have met and may pop an index;
    /// `hit` is the latency of a hit in the L2.
    pub(super) fn begin(&mut self, now: u64, blocks: u64, hit: u64) -> u64 {
        self.free = now;
        now + INIT_TRIPS * hit + blocks.saturating_sub(1) * ATOMIC
    }

    /// The cycle in which a block has the index that it asks for now.
    pub(super) fn pop(&mut self, now: u64, hit: u64) -> u64 {
        let there = (now + hit / 2).max(self.free);
        self.free = there + ATOMIC;
        there + hit - hit / 2
    }
}

#[cfg(test)]
mod tests {
    //! Rationale: one block, blocks that come together, and blocks that come apart are all the cases.
    use super::*;

    #[test]
    fn indices_follow_one_another() {
        let mut queue = Queue::default();
        assert_eq!(queue.begin(1000, 1, 200), 1600);
        assert_eq!(queue.begin(1000, 5, 200), 1604);
        // Together: one per cycle. Later: as if alone.
        let popped: Vec<u64> = (0..3).map(|_| queue.pop(1604, 200)).collect();
        assert_eq!(popped, [1804, 1805, 1806]);
        assert_eq!(queue.pop(1605, 200), 1807);
        assert_eq!(queue.pop(2000, 201), 2201);
    }
}
