//! Integer arithmetic of array subscripts: `count[2 * i + 1]`.

/// Why a subscript has no value.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// A name that is neither loop variable nor constant.
    Unknown(String),
    /// Anything else: text that is no integer arithmetic, or overflow.
    Malformed(String),
}

/// Evaluates `text`, asking `name` for loop variables and constants.
pub(super) fn evaluate(text: &str, name: &dyn Fn(&str) -> Option<i128>) -> Result<i128, Failure> {
    let mut parser = Parser {
        text: text.as_bytes(),
        at: 0,
        name,
    };
    let value = parser.sum()?;
    if parser.at != text.len() {
        return Err(parser.malformed());
    }
    Ok(value)
}

struct Parser<'a> {
    text: &'a [u8],
    at: usize,
    name: &'a dyn Fn(&str) -> Option<i128>,
}

impl Parser<'_> {
    fn malformed(&self) -> Failure {
        Failure::Malformed(String::from_utf8_lossy(self.text).into_owned())
    }

    fn sum(&mut self) -> Result<i128, Failure> {
        let mut value = self.product()?;
        while let Some(op @ (b'+' | b'-')) = self.text.get(self.at).copied() {
            self.at += 1;
            let right = self.product()?;
            value = match op {
                b'+' => value.checked_add(right),
                _ => value.checked_sub(right),
            }
            .ok_or_else(|| self.malformed())?;
        }
        Ok(value)
    }

    fn product(&mut self) -> Result<i128, Failure> {
        let mut value = self.atom()?;
        while let Some(op @ (b'*' | b'/' | b'%')) = self.text.get(self.at).copied() {
            self.at += 1;
            let right = self.atom()?;
            value = match op {
                b'*' => value.checked_mul(right),
                b'/' => value.checked_div(right),
                _ => value.checked_rem(right),
            }
            .ok_or_else(|| self.malformed())?;
        }
        Ok(value)
    }

    fn atom(&mut self) -> Result<i128, Failure> {
        if self.text.get(self.at) == Some(&b'(') {
            self.at += 1;
            let value = self.sum()?;
            if self.text.get(self.at) != Some(&b')') {
                return Err(self.malformed());
            }
            self.at += 1;
            return Ok(value);
        }
        let start = self.at;
        while self
            .text
            .get(self.at)
            .is_some_and(|b| b.is_ascii_alphanumeric() || b"_$".contains(b))
        {
            self.at += 1;
        }
        let word = std::str::from_utf8(&self.text[start..self.at]).map_err(|_| self.malformed())?;
        if word.is_empty() {
            return Err(self.malformed());
        }
        if let Some(value) = integer(word) {
            return Ok(value);
        }
        (self.name)(word).ok_or_else(|| Failure::Unknown(word.into()))
    }
}

/// A Rust integer literal: any radix, underscores and suffix allowed.
pub(super) fn integer(word: &str) -> Option<i128> {
    if !word.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let plain = word.replace('_', "");
    let (radix, digits) = match plain.get(..2) {
        Some("0x") => (16, &plain[2..]),
        Some("0b") => (2, &plain[2..]),
        Some("0o") => (8, &plain[2..]),
        _ => (10, plain.as_str()),
    };
    let suffixes = [
        "usize", "u128", "u64", "u32", "u16", "u8", "i128", "i64", "i32", "i16", "i8",
    ];
    let digits = suffixes
        .iter()
        .find_map(|s| digits.strip_suffix(s))
        .unwrap_or(digits);
    i128::from_str_radix(digits, radix).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    // Precedence, parentheses, every radix, and each way to fail.
    #[test]
    fn arithmetic() {
        let name = |n: &str| (n == "i").then_some(5);
        assert_eq!(evaluate("2*i+1", &name), Ok(11));
        assert_eq!(evaluate("2*(i-1)%3", &name), Ok(2));
        assert_eq!(evaluate("0x1_0usize+0b11+7", &name), Ok(26));
        assert_eq!(evaluate("k", &name), Err(Failure::Unknown("k".into())));
        assert_eq!(
            evaluate("i/0", &name),
            Err(Failure::Malformed("i/0".into()))
        );
        assert_eq!(evaluate("(i", &name), Err(Failure::Malformed("(i".into())));
        assert_eq!(evaluate("", &name), Err(Failure::Malformed("".into())));
    }
}
