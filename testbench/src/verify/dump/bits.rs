//! Four-state values.

use wellen::SignalValueRef;

/// The value of a signal: bits, and which of them are unknown (X or Z).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Bits {
    width: usize,
    value: Vec<u64>,
    unknown: Vec<u64>,
}

impl Bits {
    /// No bit is known.
    pub fn unknown(width: usize) -> Self {
        let words = width.div_ceil(64);
        Self {
            width,
            value: vec![0; words],
            unknown: (0..words)
                .map(|word| ones((width - 64 * word).min(64)))
                .collect(),
        }
    }

    /// All bits are 0.
    pub fn zero(width: usize) -> Self {
        Self {
            width,
            value: vec![0; width.div_ceil(64)],
            unknown: vec![0; width.div_ceil(64)],
        }
    }

    /// Words that are known; bits beyond the width are dropped.
    pub fn from_words(width: usize, words: &[u64]) -> Self {
        let mut out = Self::zero(width);
        out.value.copy_from_slice(words);
        let last = out.value.len() - 1;
        out.value[last] &= ones(width - 64 * last);
        out
    }

    /// A value out of a dump; `None` if it is not one of bits.
    pub fn of(value: SignalValueRef<'_>) -> Option<Self> {
        let SignalValueRef::BitVec(bits) = value else {
            return None;
        };
        let mut out = Self::zero(bits.width() as usize);
        if let Some(bytes) = bits.be_bytes() {
            for (i, byte) in bytes.iter().rev().enumerate() {
                out.value[i / 8] |= u64::from(*byte) << (i % 8 * 8);
            }
            return Some(out);
        }
        for (i, bit) in bits.iter_lsb_to_msb().enumerate() {
            match u8::from(bit) {
                0 => {}
                1 => out.value[i / 64] |= 1 << (i % 64),
                _ => out.unknown[i / 64] |= 1 << (i % 64),
            }
        }
        Some(out)
    }

    /// A number of 64 bits at most.
    pub fn set(&mut self, value: u64) {
        self.value[0] = value;
    }

    /// The bits in words, the unknown ones 0.
    pub fn words(&self) -> &[u64] {
        &self.value
    }

    /// The bits that are unknown, in words.
    pub fn unknown_words(&self) -> &[u64] {
        &self.unknown
    }

    /// The words with their unknown bits taken from `unknown`.
    pub fn filled(&self, unknown: impl Fn(usize) -> u64) -> Vec<u64> {
        let words = self.value.iter().zip(&self.unknown).enumerate();
        words
            .map(|(at, (value, open))| value & !open | open & unknown(at))
            .collect()
    }

    pub fn is_known(&self) -> bool {
        self.unknown.iter().all(|&word| word == 0)
    }

    /// The lowest bit, if it is known.
    pub fn bit(&self) -> Option<bool> {
        (self.unknown[0] & 1 == 0).then_some(self.value[0] & 1 == 1)
    }

    /// Puts `width` bits of another value, from its bit `low` on, at bit `at`.
    pub fn put(&mut self, at: usize, from: &Bits, low: usize, width: usize) {
        for i in 0..width {
            let (to, from_bit) = (at + i, low + i);
            for (target, source) in [
                (&mut self.value, &from.value),
                (&mut self.unknown, &from.unknown),
            ] {
                target[to / 64] |= (source[from_bit / 64] >> (from_bit % 64) & 1) << (to % 64);
            }
        }
    }

    /// A part of it, in hexadecimal, or in binary if a bit is unknown.
    pub fn show(&self, low: usize, width: usize) -> String {
        let mut part = Self::zero(width);
        part.put(0, self, low, width);
        if part.is_known() {
            let digits: String = part
                .value
                .iter()
                .rev()
                .map(|w| format!("{w:016x}"))
                .collect();
            let digits = digits.trim_start_matches('0');
            return format!("0x{}", if digits.is_empty() { "0" } else { digits });
        }
        let bit = |i: usize| match (
            part.unknown[i / 64] >> (i % 64) & 1,
            part.value[i / 64] >> (i % 64) & 1,
        ) {
            (1, _) => 'x',
            (_, 1) => '1',
            _ => '0',
        };
        let bits: String = (0..width).rev().map(bit).collect();
        format!("0b{bits}")
    }
}

fn ones(width: usize) -> u64 {
    u64::MAX >> (64 - width)
}

#[cfg(test)]
mod tests {
    //! Rationale: values of one bit, of a word and across words, with and without unknown bits.
    use super::*;

    #[test]
    fn parts_are_put_and_shown_across_words() {
        let mut wide = Bits::zero(130);
        let mut four = Bits::zero(4);
        four.value[0] = 0b1010;
        wide.put(62, &four, 0, 4);
        assert_eq!(wide.words(), [0b10 << 62, 0b10, 0]);
        assert_eq!(wide.show(62, 4), "0xa");
        assert_eq!(wide.show(0, 130), "0x28000000000000000");
        assert_eq!(wide.show(100, 30), "0x0");
        assert!(wide.is_known());
        wide.put(127, &Bits::unknown(3), 0, 3);
        assert!(!wide.is_known());
        assert_eq!(wide.show(125, 5), "0bxxx00");
        assert_eq!(Bits::unknown(64).unknown, [u64::MAX]);
        assert_eq!(Bits::unknown(1).bit(), None);
        assert_eq!(Bits::zero(1).bit(), Some(false));
    }
}
