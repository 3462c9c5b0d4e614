//! Fields of a line and the numbers in them.

use super::error::Fault;

/// A field and where it starts in its line, in bytes from 0.
#[derive(Debug, Clone, Copy)]
pub(in crate::workload) struct Field<'a> {
    pub(in crate::workload) text: &'a [u8],
    pub(super) offset: usize,
}

impl<'a> Field<'a> {
    /// Without white space around it.
    pub(super) fn trimmed(self) -> Self {
        let start = self.text.trim_ascii_start();
        let offset = self.offset + (self.text.len() - start.len());
        Self {
            text: start.trim_ascii_end(),
            offset,
        }
    }

    /// The fault that this field is not what was expected.
    #[cold]
    pub(in crate::workload) fn fault(
        &self,
        expected: impl Into<std::borrow::Cow<'static, str>>,
        help: impl Into<std::borrow::Cow<'static, str>>,
    ) -> Box<Fault> {
        Fault::new(self.offset, self.text, expected, help)
    }
}

/// The fields of a line between white space.
#[derive(Debug, Clone)]
pub(super) struct Words<'a> {
    line: &'a [u8],
    offset: usize,
}

impl<'a> Words<'a> {
    pub(super) fn new(line: &'a [u8]) -> Self {
        Self { line, offset: 0 }
    }

    /// The next word, or an empty field at the end of the line.
    pub(super) fn next(&mut self) -> Field<'a> {
        let rest = &self.line[self.offset..];
        let skipped = rest.iter().position(|byte| !byte.is_ascii_whitespace());
        self.offset += skipped.unwrap_or(rest.len());
        let (offset, rest) = (self.offset, &self.line[self.offset..]);
        let length = rest
            .iter()
            .position(u8::is_ascii_whitespace)
            .unwrap_or(rest.len());
        self.offset += length;
        Field {
            text: &rest[..length],
            offset,
        }
    }
}

/// A decimal number; `None` if it is none or too large.
pub(in crate::workload) fn decimal(text: &[u8]) -> Option<u64> {
    number(text, 10)
}

/// A hexadecimal number, with or without `0x`.
pub(super) fn hex(text: &[u8]) -> Option<u64> {
    number(
        text.strip_prefix(b"0x")
            .or(text.strip_prefix(b"0X"))
            .unwrap_or(text),
        16,
    )
}

/// A decimal number, or a hexadecimal one with `0x`.
pub(super) fn decimal_or_hex(text: &[u8]) -> Option<u64> {
    match text {
        [b'0', b'x' | b'X', digits @ ..] => number(digits, 16),
        _ => decimal(text),
    }
}

/// A decimal number with or without sign.
pub(super) fn signed(text: &[u8]) -> Option<i64> {
    match text {
        [b'-', digits @ ..] => 0i64.checked_sub_unsigned(decimal(digits)?),
        [b'+', digits @ ..] => decimal(digits)?.try_into().ok(),
        _ => decimal(text)?.try_into().ok(),
    }
}

#[inline]
fn number(digits: &[u8], radix: u32) -> Option<u64> {
    if digits.is_empty() {
        return None;
    }
    digits.iter().try_fold(0u64, |value, &digit| {
        let digit = char::from(digit).to_digit(radix)?;
        value.checked_mul(radix.into())?.checked_add(digit.into())
    })
}

#[cfg(test)]
mod tests {
    //! Rationale: the ends of 64 bits, signs and prefixes without digits.
    use super::*;

    #[test]
    fn numbers() {
        assert_eq!(decimal(b"18446744073709551615"), Some(u64::MAX));
        assert_eq!(decimal(b"18446744073709551616"), None);
        assert_eq!(hex(b"0xffffffffffffffff"), Some(u64::MAX));
        assert_eq!(hex(b"10000000000000000"), None);
        assert_eq!(
            (hex(b"1f"), decimal_or_hex(b"0X1F"), decimal_or_hex(b"31")),
            (Some(31), Some(31), Some(31))
        );
        for none in [&b""[..], b"0x", b"-1", b"1_0", b"1f", b" 1", b"\xff"] {
            assert_eq!(decimal_or_hex(none), None);
        }
        assert_eq!(signed(b"-9223372036854775808"), Some(i64::MIN));
        assert_eq!(signed(b"-9223372036854775809"), None);
        assert_eq!(
            (signed(b"-4"), signed(b"+4"), signed(b"4"), signed(b"-")),
            (Some(-4), Some(4), Some(4), None)
        );
    }

    #[test]
    fn words_know_their_columns() {
        let mut words = Words::new(b"  ab\tc ");
        let mut next = || {
            let Field { text, offset } = words.next();
            (text, offset)
        };
        assert_eq!(next(), (&b"ab"[..], 2));
        assert_eq!(next(), (&b"c"[..], 5));
        assert_eq!(next(), (&b""[..], 7));
        assert_eq!(next(), (&b""[..], 7));
    }
}
