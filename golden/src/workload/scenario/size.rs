//! Sizes with units, such as `25 %` or `32 KiB`.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What a size may be, for messages.
pub(super) const FORMS: &str =
    "a part of the cache as \"25 %\", or bytes as \"128 KiB\" (B, KiB, MiB, GiB)";

/// Bytes, or a part of the last-level cache.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Size {
    /// Bytes.
    Bytes(u64),
    /// Percent of the cache.
    Percent(f64),
}

impl Size {
    /// What a text means; `None` if it is no size.
    ///
    /// ```
    /// use cotenant_golden::workload::scenario::Size;
    /// assert_eq!(Size::parse("25 %"), Some(Size::Percent(25.0)));
    /// assert_eq!(Size::parse("1.5 MiB"), Some(Size::Bytes(3 << 19)));
    /// assert_eq!(Size::parse("25"), None);
    /// ```
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let split = text.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let (number, unit) = text.split_at(split);
        let number: f64 = number.parse().ok()?;
        let factor = match unit.trim() {
            "%" => return (number > 0.0).then_some(Self::Percent(number)),
            "B" => 0,
            "KiB" => 10,
            "MiB" => 20,
            "GiB" => 30,
            _ => return None,
        };
        let bytes = number * f64::from(1u32 << factor);
        (bytes >= 1.0 && bytes <= (1u64 << 40) as f64).then_some(Self::Bytes(bytes as u64))
    }

    /// In bytes, for a cache of `capacity` bytes.
    pub fn bytes(self, capacity: u64) -> u64 {
        match self {
            Self::Bytes(bytes) => bytes,
            Self::Percent(percent) => (percent / 100.0 * capacity as f64) as u64,
        }
    }
}

impl TryFrom<String> for Size {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        Self::parse(&text).ok_or_else(|| format!("\"{text}\" is no size, expected {FORMS}"))
    }
}

impl From<Size> for String {
    fn from(size: Size) -> Self {
        size.to_string()
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bytes(bytes) => write!(f, "{bytes} B"),
            Self::Percent(percent) => write!(f, "{percent} %"),
        }
    }
}
