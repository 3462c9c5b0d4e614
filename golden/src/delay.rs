//! Latency as a number: what goes in comes out so many cycles later.
//!
//! Hardware that is retimed changes the number, and nothing else of a golden model.

use std::ops::Deref;

use serde::{Deserialize, Serialize};

/// A queue of what is on its way, the youngest first. It reads as a slice of one element per cycle
/// of latency; without latency it is empty.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Delayed<T>(Vec<T>);

impl<T: Clone> Delayed<T> {
    /// A latency of so many cycles, in which nothing is on its way but `idle`.
    pub fn new(latency: usize, idle: T) -> Self {
        Self(vec![idle; latency])
    }

    /// A cycle: `new` goes in, and what went in `latency` cycles before comes out.
    pub fn pass(&mut self, mut new: T) -> T {
        if let Some(oldest) = self.0.last_mut() {
            std::mem::swap(oldest, &mut new);
            self.0.rotate_right(1);
        }
        new
    }

    /// Forgets what is on its way.
    pub fn clear(&mut self, idle: &T) {
        self.0.fill(idle.clone());
    }

    /// The same in place, for what is too large to be made anew.
    pub fn clear_each(&mut self, clear: impl FnMut(&mut T)) {
        self.0.iter_mut().for_each(clear);
    }

    /// What comes out in this cycle; with a latency of 0 that is not known yet.
    pub fn due(&self) -> Option<&T> {
        self.0.last()
    }

    /// The same; with a latency of 0, the default.
    pub fn due_or_default(&self) -> T
    where
        T: Default,
    {
        self.due().cloned().unwrap_or_default()
    }
}

impl<T> Deref for Delayed<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    //! Rationale: no latency, one cycle, and several; and that a queue that is cleared gives back
    //! nothing that went in before.
    use super::*;

    #[test]
    fn what_goes_in_comes_out_so_many_cycles_later() {
        for latency in 0..5usize {
            let mut delayed = Delayed::new(latency, 0);
            for cycle in 1..20usize {
                let expected = cycle.saturating_sub(latency);
                if latency > 0 {
                    assert_eq!(delayed.due(), Some(&expected));
                }
                assert_eq!(delayed.pass(cycle), expected, "latency {latency}");
            }
            delayed.clear(&0);
            assert_eq!(delayed[..], vec![0; latency]);
            delayed.pass(9);
            delayed.clear_each(|value| *value = 0);
            assert_eq!(delayed[..], vec![0; latency]);
            assert_eq!(delayed.due(), (latency > 0).then_some(&0));
            assert_eq!(delayed.due_or_default(), 0);
        }
    }
}
