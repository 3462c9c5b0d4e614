//! Values out of 64-bit words.

use super::bits;
use crate::model::{limit, Violation};

/// Reads values that a [`Packer`](super::Packer) wrote: each port from a new word.
#[derive(Debug)]
pub struct Unpacker<'a> {
    words: &'a [u64],
    at: usize,
}

/// What a value in a port can be.
pub trait Element: Copy {
    /// The largest.
    const MAX: u64;
    /// The one of this number, which is at most [`MAX`](Element::MAX).
    fn of(number: u64) -> Self;
}

impl Element for bool {
    const MAX: u64 = 1;

    fn of(number: u64) -> Self {
        number != 0
    }
}

macro_rules! numbers {
    ($($number:ident)*) => {
        $(impl Element for $number {
            const MAX: u64 = $number::MAX as u64;

            fn of(number: u64) -> Self {
                number as Self
            }
        })*
    };
}
numbers!(u8 u16 u32 u64);

impl<'a> Unpacker<'a> {
    /// Starts at the first word. Words that are missing at the end are 0.
    pub fn new(words: &'a [u64]) -> Self {
        Self { words, at: 0 }
    }

    fn word(&mut self) -> u64 {
        let word = self.words.get(self.at).copied().unwrap_or(0);
        self.at += 1;
        word
    }

    /// A port of one value of `width` bits, 1 to 64.
    ///
    /// # Errors
    /// It is too large.
    #[inline]
    pub fn value<T: Element>(&mut self, port: &'static str, width: usize) -> Result<T, Violation> {
        let value = self.word();
        let max = limit(width).min(T::MAX);
        match value <= max {
            true => Ok(T::of(value)),
            false => Err(Violation::TooLarge {
                field: port.into(),
                value,
                max,
            }),
        }
    }

    /// A port that is a mask of `width` bits, 1 to 64.
    ///
    /// # Errors
    /// It has others.
    #[inline]
    pub fn mask<T: Element>(&mut self, port: &'static str, width: usize) -> Result<T, Violation> {
        let value = self.word();
        match value <= limit(width).min(T::MAX) {
            true => Ok(T::of(value)),
            false => Err(Violation::UnusedBits {
                field: port.into(),
                value,
                width,
            }),
        }
    }

    /// A port of `count` values of `width` bits, 1 to 64.
    ///
    /// # Errors
    /// One does not fit its type, or there are bits behind the last one.
    pub fn elements<T: Element, C: FromIterator<T>>(
        &mut self,
        port: &'static str,
        count: usize,
        width: usize,
    ) -> Result<C, Violation> {
        let words = (count * width).div_ceil(64);
        let behind = self.words.get(self.at..).unwrap_or_default();
        let words = &behind[..words.min(behind.len())];
        self.at += (count * width).div_ceil(64);
        let used = count * width % 64;
        if used > 0 && words.len() == (count * width).div_ceil(64) {
            let last = words.last().copied().unwrap_or(0);
            Violation::mask(port, last, used)?;
        }
        let element = |index: usize| {
            let low = index * width;
            let value = match (low + width).div_ceil(64) <= words.len() {
                true => bits(words, low, width),
                false => 0,
            };
            match value <= T::MAX {
                true => Ok(T::of(value)),
                false => Err(Violation::TooLarge {
                    field: (port, index).into(),
                    value,
                    max: T::MAX,
                }),
            }
        };
        (0..count).map(element).collect()
    }

    /// Words read.
    pub fn read(&self) -> usize {
        self.at
    }
}

#[cfg(test)]
mod tests {
    //! Rationale: words come from programs in other languages; what does not fit a port must be
    //! told with its name, at every edge, and never read as something else.
    use super::*;

    #[test]
    fn values_at_the_edges_of_their_ports() {
        let mut words = Unpacker::new(&[1, 7, 0b111, u64::MAX]);
        assert_eq!(words.value::<bool>("flag", 1), Ok(true));
        assert_eq!(words.value::<u8>("kid", 3), Ok(7));
        assert_eq!(words.mask::<u64>("valid", 3), Ok(0b111));
        assert_eq!(words.value::<u64>("count", 64), Ok(u64::MAX));
        assert_eq!(words.read(), 4);
    }

    #[test]
    fn what_does_not_fit_is_named() {
        let value = Unpacker::new(&[8]).value::<u8>("kid", 3).unwrap_err();
        assert_eq!(value.to_string(), "kid is 8, expected at most 7");
        let mask = Unpacker::new(&[8]).mask::<u64>("valid", 3).unwrap_err();
        assert_eq!(mask.to_string(), "valid is 0x8, expected no bit from 3 up");
        let behind = Unpacker::new(&[1 << 6])
            .elements::<u8, Vec<_>>("way", 3, 2)
            .unwrap_err();
        assert_eq!(behind.to_string(), "way is 0x40, expected no bit from 6 up");
        let narrow = Unpacker::new(&[0x1ff << 9])
            .elements::<u8, Vec<_>>("way", 2, 9)
            .unwrap_err();
        assert_eq!(narrow.to_string(), "way[1] is 511, expected at most 255");
    }

    #[test]
    fn elements_straddle_words_and_missing_words_are_zero() {
        let words = [0x1234_5678_9abc_def0, 0x0fed];
        let mut whole = Unpacker::new(&words);
        let parts: Vec<u32> = whole.elements("tag", 4, 20).unwrap();
        assert_eq!(parts, [0xcdef0, 0x789ab, 0x23456, 0x0fed1]);
        assert_eq!(whole.read(), 2);
        let parts: Vec<u32> = Unpacker::new(&words[..1]).elements("tag", 4, 20).unwrap();
        assert_eq!(parts, [0xcdef0, 0x789ab, 0x23456, 0]);
    }
}
