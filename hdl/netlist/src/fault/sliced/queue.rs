//! Numbers that wait for their turn, the lowest first.

/// A set of numbers below a bound.
#[derive(Clone, Debug)]
pub(in crate::fault) struct Queue {
    words: Vec<u64>,
    /// Which words have a number.
    summary: Vec<u64>,
    /// No lower word of the summary has any.
    first: usize,
}

impl Queue {
    pub fn new(bound: usize) -> Self {
        let words = bound.div_ceil(64);
        Self {
            words: vec![0; words],
            summary: vec![0; words.div_ceil(64)],
            first: words.div_ceil(64),
        }
    }

    #[inline]
    pub fn add(&mut self, number: u32) {
        let word = number as usize / 64;
        self.words[word] |= 1 << (number % 64);
        self.summary[word / 64] |= 1 << (word % 64);
        self.first = self.first.min(word / 64);
    }

    #[inline]
    pub fn take(&mut self) -> Option<u32> {
        while let Some(&summary) = self.summary.get(self.first) {
            if summary == 0 {
                self.first += 1;
                continue;
            }
            let word = 64 * self.first + summary.trailing_zeros() as usize;
            let bit = self.words[word].trailing_zeros();
            self.words[word] &= self.words[word] - 1;
            if self.words[word] == 0 {
                self.summary[self.first] &= summary - 1;
            }
            return Some(64 * word as u32 + bit);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    //! Rationale: operands must come before their users, whatever is added meanwhile.
    use super::*;

    #[test]
    fn the_lowest_comes_first_and_once() {
        let mut queue = Queue::new(10_000);
        for number in [9_999, 0, 4_096, 63, 64, 63] {
            queue.add(number);
        }
        let mut taken = Vec::new();
        while let Some(number) = queue.take() {
            if number == 64 {
                queue.add(65);
                queue.add(5_000);
            }
            taken.push(number);
        }
        assert_eq!(taken, [0, 63, 64, 65, 4_096, 5_000, 9_999]);
        queue.add(7);
        assert_eq!((queue.take(), queue.take()), (Some(7), None));
    }
}
