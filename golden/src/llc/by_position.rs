use std::fmt;
use std::ops::Deref;

use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::MAX_WAYS;

/// One small value a stack position, or a bank, held in place so that a step allocates nothing.
///
/// Behaves as a slice of up to [`MAX_WAYS`] bytes; serialised as a sequence.
///
/// ```
/// use cotenant_golden::llc::ByPosition;
///
/// let ways = ByPosition::try_from(&[2, 0, 3, 1][..]).unwrap();
/// assert_eq!(ways[0], 2);
/// assert_eq!(ways, [2, 0, 3, 1]);
/// ```
#[derive(Clone, Copy)]
pub struct ByPosition {
    len: u8,
    // Bytes from `len` up stay zero.
    values: [u8; MAX_WAYS],
}

impl ByPosition {
    /// The slice copied in; `values` has at most [`MAX_WAYS`] elements by construction.
    pub(crate) fn copied(values: &[u8]) -> Self {
        let mut inline = [0; MAX_WAYS];
        inline[..values.len()].copy_from_slice(values);
        Self {
            len: values.len() as u8,
            values: inline,
        }
    }
}

/// More values than a set has ways.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{len} values, expected at most {MAX_WAYS}")]
pub struct TooLong {
    /// How many there were.
    pub len: usize,
}

impl TryFrom<&[u8]> for ByPosition {
    type Error = TooLong;

    fn try_from(values: &[u8]) -> Result<Self, TooLong> {
        if values.len() > MAX_WAYS {
            return Err(TooLong { len: values.len() });
        }
        Ok(Self::copied(values))
    }
}

impl Deref for ByPosition {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.values[..usize::from(self.len)]
    }
}

impl PartialEq for ByPosition {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for ByPosition {}

impl<T: AsRef<[u8]>> PartialEq<T> for ByPosition {
    fn eq(&self, other: &T) -> bool {
        **self == *other.as_ref()
    }
}

impl fmt::Debug for ByPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl Serialize for ByPosition {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for ByPosition {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Bytes;
        impl<'de> Visitor<'de> for Bytes {
            type Value = ByPosition;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "at most {MAX_WAYS} values below 256")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<ByPosition, A::Error> {
                let mut read = ByPosition::copied(&[]);
                while let Some(value) = seq.next_element()? {
                    let slot = read
                        .values
                        .get_mut(usize::from(read.len))
                        .ok_or_else(|| A::Error::invalid_length(MAX_WAYS + 1, &self))?;
                    *slot = value;
                    read.len += 1;
                }
                Ok(read)
            }
        }
        deserializer.deserialize_seq(Bytes)
    }
}

#[cfg(test)]
mod tests {
    //! Rationale: lengths 0, some, the maximum and one more take different paths.
    use super::*;

    #[test]
    fn serde_is_a_plain_sequence() {
        for len in [0, 3, MAX_WAYS] {
            let values: Vec<u8> = (0..len as u8).collect();
            let inline = ByPosition::try_from(&values[..]).unwrap();
            let json = serde_json::to_string(&inline).unwrap();
            assert_eq!(json, serde_json::to_string(&values).unwrap());
            assert_eq!(serde_json::from_str::<ByPosition>(&json).unwrap(), inline);
        }
    }

    #[test]
    fn too_long_is_refused() {
        let values = vec![0; MAX_WAYS + 1];
        assert_eq!(ByPosition::try_from(&values[..]), Err(TooLong { len: 65 }));
        let json = serde_json::to_string(&values).unwrap();
        assert!(serde_json::from_str::<ByPosition>(&json).is_err());
    }
}
