//! The trace formats and how a file's format is recognised.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::fields::{decimal, hex, Words};

/// A trace format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// `kernel,op,address[,cycle[,sectors]]`.
    Csv,
    /// Dinero's `code address`.
    Din,
    /// Accel-Sim's warp instructions.
    Traceg,
}

/// Not the name of a format.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("format is \"{name}\", expected csv, din or traceg")]
pub struct UnknownFormatName {
    /// The name.
    pub name: String,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 3] = [Self::Csv, Self::Din, Self::Traceg];

    /// The format's name, which is its file extension too.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Din => "din",
            Self::Traceg => "traceg",
        }
    }

    /// By the file's extension, before that of a compression.
    pub fn of_name(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_str()?.to_ascii_lowercase();
        let plain = [".gz", ".zst", ".zstd"]
            .iter()
            .find_map(|suffix| name.strip_suffix(suffix));
        let (_, extension) = plain.unwrap_or(&name).rsplit_once('.')?;
        extension.parse().ok()
    }

    /// By the first lines of the content.
    pub(super) fn of_content(beginning: &[u8]) -> Option<Self> {
        let beginning = beginning.strip_prefix(b"\xef\xbb\xbf").unwrap_or(beginning);
        for line in beginning.split(|&byte| byte == b'\n') {
            let mut words = Words::new(line);
            let (first, second) = (words.next().text, words.next().text);
            match first {
                b"" => continue,
                [b'-', ..] | b"#BEGIN_TB" => return Some(Self::Traceg),
                // A comment in CSV, and in traceg only after its header.
                [b'#', ..] => continue,
                _ if decimal(first).is_some() && hex(second).is_some() => return Some(Self::Din),
                _ if line.contains(&b',') => return Some(Self::Csv),
                _ => return None,
            }
        }
        None
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Format {
    type Err = UnknownFormatName;

    fn from_str(name: &str) -> Result<Self, UnknownFormatName> {
        let format = Self::ALL.into_iter().find(|format| format.name() == name);
        format.ok_or_else(|| UnknownFormatName {
            name: name.to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    //! Rationale: each format by name and by content, with and without compression, and what is
    //! none of them.
    use super::*;

    #[test]
    fn by_name() {
        let of = |name: &str| Format::of_name(Path::new(name));
        assert_eq!(of("a.csv"), Some(Format::Csv));
        assert_eq!(of("x/a.b.DIN.gz"), Some(Format::Din));
        assert_eq!(of("kernel-1.traceg.zst"), Some(Format::Traceg));
        for unknown in ["a", "a.gz", "csv", "a.txt", "a.csv/b", ""] {
            assert_eq!(of(unknown), None, "{unknown}");
        }
        assert_eq!("csv".parse(), Ok(Format::Csv));
        assert_eq!(
            "CSV2".parse::<Format>().unwrap_err().to_string(),
            "format is \"CSV2\", expected csv, din or traceg"
        );
    }

    #[test]
    fn by_content() {
        let of = |text: &str| Format::of_content(text.as_bytes());
        assert_eq!(of("# recorded\n\nkernel,op,address\n"), Some(Format::Csv));
        assert_eq!(of("\u{feff}0,R,1"), Some(Format::Csv));
        assert_eq!(of("2 7f00ab rest, ignored"), Some(Format::Din));
        assert_eq!(of("2 7f00ab rest"), Some(Format::Din));
        assert_eq!(of("-kernel name = a\n"), Some(Format::Traceg));
        for unknown in ["", "\n\n", "hello", "\u{7f}ELF", "0 xyz"] {
            assert_eq!(of(unknown), None, "{unknown}");
        }
    }
}
