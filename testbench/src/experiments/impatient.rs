//! For tests: a watch that counts, and stops after so many calls.

use std::sync::atomic::{AtomicU64, Ordering};

use super::Watch;

#[derive(Debug)]
pub struct Impatient {
    left: AtomicU64,
    expected: AtomicU64,
    advanced: AtomicU64,
}

impl Impatient {
    pub fn new(left: u64) -> Self {
        Self {
            left: left.into(),
            expected: 0.into(),
            advanced: 0.into(),
        }
    }

    /// Steps that were announced, and that were made.
    pub fn steps(&self) -> [u64; 2] {
        [&self.expected, &self.advanced].map(|count| count.load(Ordering::Relaxed))
    }
}

impl Watch for Impatient {
    fn expect(&self, steps: u64) {
        self.expected.fetch_add(steps, Ordering::Relaxed);
    }

    fn advance(&self, steps: u64) -> bool {
        self.advanced.fetch_add(steps, Ordering::Relaxed);
        let less = |left: u64| Some(left.saturating_sub(1));
        let left = self
            .left
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
        left != Ok(0)
    }
}
