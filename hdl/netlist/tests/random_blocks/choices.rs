//! Randomness as a list of numbers, so that it shrinks.

/// Numbers that decide; when they run out, every choice is the first, which
/// is the simplest.
pub struct Choices<'a> {
    numbers: &'a [u16],
    at: usize,
}

impl<'a> Choices<'a> {
    pub fn new(numbers: &'a [u16]) -> Self {
        Choices { numbers, at: 0 }
    }

    fn next(&mut self) -> usize {
        let number = self.numbers.get(self.at).copied().unwrap_or(0);
        self.at += 1;
        number.into()
    }

    /// Less than `bound`; 0 if there is no choice.
    pub fn below(&mut self, bound: usize) -> usize {
        match bound {
            0 | 1 => 0,
            _ => self.next() % bound,
        }
    }

    /// True once in `n`, and never when the numbers have run out.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == n - 1
    }

    /// One of these.
    pub fn of<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())].clone()
    }

    /// An integer of this many bits, at most 63.
    pub fn integer(&mut self, width: usize) -> u64 {
        let width = width.min(63);
        let mask = (1u64 << width) - 1;
        let value = match self.below(4) {
            0 => self.below(4) as u64,
            1 => mask - self.below(3) as u64 % (mask + 1),
            2 => 1 << self.below(width),
            _ => (0..4).fold(0, |v, _| (v << 16) | self.next() as u64),
        };
        value & mask
    }

    /// Nothing left to decide.
    pub fn exhausted(&self) -> bool {
        self.at >= self.numbers.len()
    }
}
