//! Memory of fixed latency and bandwidth.

use std::collections::HashMap;

/// Moves bytes one after the other and remembers which lines are on their way.
#[derive(Debug, Clone)]
pub(super) struct Memory {
    latency: u64,
    bandwidth: u64,
    /// When it is free, in bytes since cycle 0, so that nothing is rounded.
    free: u64,
    /// The cycle in which each line comes; lines that have come are dropped now and then.
    coming: HashMap<u64, u64>,
    /// Lines in `coming` at which the next look for those that have come is worth while.
    crowded: usize,
}

impl Memory {
    pub(super) fn new(latency: u64, bandwidth: u64) -> Self {
        Self {
            latency,
            bandwidth,
            free: 0,
            coming: HashMap::new(),
            crowded: 1 << 10,
        }
    }

    /// Asks for some bytes of a line; the cycle in which they are there.
    pub(super) fn fetch(&mut self, line: u64, bytes: u64, now: u64) -> u64 {
        self.free = self.free.max(now * self.bandwidth) + bytes;
        let fill = self.free.div_ceil(self.bandwidth) + self.latency;
        self.coming.insert(line, fill);
        if self.coming.len() >= self.crowded {
            self.coming.retain(|_, due| *due > now);
            self.crowded = (2 * self.coming.len()).max(1 << 10);
        }
        fill
    }

    /// When a line comes that is on its way.
    pub(super) fn due(&self, line: u64, now: u64) -> Option<u64> {
        self.coming.get(&line).copied().filter(|due| *due > now)
    }
}
