//! Trace files and the kernels they are assigned to.

use std::path::PathBuf;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::Format;
use crate::llc::MAX_KERNELS;

/// A trace file, and whose accesses it holds.
///
/// ```
/// use cotenant_golden::workload::trace::Source;
/// let source: Source = "2=agg1.din".parse()?;
/// assert_eq!((source.kernel, source.path.to_str()), (Some(2), Some("agg1.din")));
/// # Ok::<(), cotenant_golden::workload::trace::SourceError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Source {
    /// The kernel that the file is assigned to; without, CSV names kernels itself and the other
    /// formats are kernel 0.
    pub kernel: Option<u8>,
    /// The file.
    pub path: PathBuf,
    /// Its format, where name and content are not to decide.
    pub format: Option<Format>,
}

impl From<PathBuf> for Source {
    fn from(path: PathBuf) -> Self {
        Self {
            kernel: None,
            path,
            format: None,
        }
    }
}

/// Not of the form `FILE` or `K=FILE`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SourceError {
    /// The kernel's number is too large.
    #[error("\"{text}\" names kernel {kernel}, expected 0 to {}", MAX_KERNELS - 1)]
    Kernel {
        /// The whole text.
        text: String,
        /// The kernel in it.
        kernel: String,
    },
    /// There is no file name.
    #[error("\"{text}\" names no file, expected FILE or K=FILE")]
    NoFile {
        /// The whole text.
        text: String,
    },
}

impl FromStr for Source {
    type Err = SourceError;

    /// `FILE` or `K=FILE`, where K is a decimal number. A file whose own name has that form is
    /// written with its directory, `./1=a.csv`.
    fn from_str(text: &str) -> Result<Self, SourceError> {
        let is_kernel =
            |prefix: &str| !prefix.is_empty() && prefix.bytes().all(|byte| byte.is_ascii_digit());
        let (kernel, path) = match text.split_once('=') {
            Some((kernel, path)) if is_kernel(kernel) => (Some(kernel), path),
            _ => (None, text),
        };
        if path.is_empty() {
            return Err(SourceError::NoFile {
                text: text.to_owned(),
            });
        }
        let number = |digits: &str| match digits.parse::<u8>() {
            Ok(kernel) if usize::from(kernel) < MAX_KERNELS => Ok(kernel),
            _ => Err(SourceError::Kernel {
                text: text.to_owned(),
                kernel: digits.to_owned(),
            }),
        };
        Ok(Self {
            kernel: kernel.map(number).transpose()?,
            ..PathBuf::from(path).into()
        })
    }
}

#[cfg(test)]
mod tests {
    //! Rationale: paths may have `=` and digits of their own.
    use super::*;

    #[test]
    fn forms() {
        let parsed = |text: &str| {
            let Source { kernel, path, .. } = text.parse().unwrap();
            (kernel, path.to_str().unwrap().to_owned())
        };
        assert_eq!(parsed("a.csv"), (None, "a.csv".into()));
        assert_eq!(parsed("3=a=b.din"), (Some(3), "a=b.din".into()));
        assert_eq!(parsed("x=a.csv"), (None, "x=a.csv".into()));
        assert_eq!(parsed("./1=a.csv"), (None, "./1=a.csv".into()));
        assert_eq!(parsed("=a.csv"), (None, "=a.csv".into()));
        for (text, message) in [
            ("64=a", "\"64=a\" names kernel 64, expected 0 to 63"),
            (
                "99999=a",
                "\"99999=a\" names kernel 99999, expected 0 to 63",
            ),
            ("0=", "\"0=\" names no file, expected FILE or K=FILE"),
            ("", "\"\" names no file, expected FILE or K=FILE"),
        ] {
            assert_eq!(text.parse::<Source>().unwrap_err().to_string(), message);
        }
    }
}
