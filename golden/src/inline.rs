//! Short sequences stored inline, without allocation.

use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;

use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Up to `N` small values, one per element of a packed port, held in place so that a step
/// allocates nothing.
///
/// Behaves as a slice; serialised as a sequence. `N` is at most 255.
///
/// ```
/// use cotenant_golden::Inline;
///
/// let ways = Inline::<u8, 64>::try_from(&[2, 0, 3, 1][..])?;
/// assert_eq!(ways[0], 2);
/// assert_eq!(ways, [2, 0, 3, 1]);
/// # Ok::<(), cotenant_golden::TooLong>(())
/// ```
#[derive(Clone, Copy)]
pub struct Inline<T, const N: usize> {
    len: u8,
    // Values from `len` up stay zero.
    values: [T; N],
}

impl<T: Copy + Default, const N: usize> Inline<T, N> {
    /// The slice copied in; `values` has at most `N` elements by construction.
    pub(crate) fn copied(values: &[T]) -> Self {
        let mut inline = [T::default(); N];
        inline[..values.len()].copy_from_slice(values);
        Self {
            len: values.len() as u8,
            values: inline,
        }
    }

    /// `len` values, or `N` where that is less, each from its index.
    pub fn from_fn(len: usize, value: impl FnMut(usize) -> T) -> Self {
        let len = len.min(N);
        let mut inline = Self::copied(&[T::default(); N][..len]);
        let filled = (0..len).map(value).zip(&mut inline.values);
        filled.for_each(|(value, slot)| *slot = value);
        inline
    }
}

/// The first `N` of the values.
impl<T: Copy + Default, const N: usize> FromIterator<T> for Inline<T, N> {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        let mut inline = Self::default();
        for (slot, value) in inline.values.iter_mut().zip(values) {
            *slot = value;
            inline.len += 1;
        }
        inline
    }
}

/// No values.
impl<T: Copy + Default, const N: usize> Default for Inline<T, N> {
    fn default() -> Self {
        Self::copied(&[])
    }
}

/// More values than fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{len} values, expected at most {max}")]
pub struct TooLong {
    /// How many there were.
    pub len: usize,
    /// How many fit.
    pub max: usize,
}

impl<T: Copy + Default, const N: usize> TryFrom<&[T]> for Inline<T, N> {
    type Error = TooLong;

    fn try_from(values: &[T]) -> Result<Self, TooLong> {
        let len = values.len();
        if len > N {
            return Err(TooLong { len, max: N });
        }
        Ok(Self::copied(values))
    }
}

impl<T, const N: usize> Deref for Inline<T, N> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.values[..usize::from(self.len)]
    }
}

impl<T: PartialEq, const N: usize> PartialEq for Inline<T, N> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Eq, const N: usize> Eq for Inline<T, N> {}

impl<T: PartialEq, A: AsRef<[T]>, const N: usize> PartialEq<A> for Inline<T, N> {
    fn eq(&self, other: &A) -> bool {
        **self == *other.as_ref()
    }
}

impl<T: fmt::Debug, const N: usize> fmt::Debug for Inline<T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<T: Serialize, const N: usize> Serialize for Inline<T, N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de, T: Copy + Default + Deserialize<'de>, const N: usize> Deserialize<'de> for Inline<T, N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Values<T, const N: usize>(PhantomData<T>);
        impl<'de, T: Copy + Default + Deserialize<'de>, const N: usize> Visitor<'de> for Values<T, N> {
            type Value = Inline<T, N>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "at most {N} values")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
                let mut read = Inline::default();
                while let Some(value) = seq.next_element()? {
                    let slot = read
                        .values
                        .get_mut(usize::from(read.len))
                        .ok_or_else(|| A::Error::invalid_length(N + 1, &self))?;
                    *slot = value;
                    read.len += 1;
                }
                Ok(read)
            }
        }
        deserializer.deserialize_seq(Values(PhantomData))
    }
}

#[cfg(test)]
mod tests {
    //! Rationale: lengths 0, some, the maximum and one more take different paths.
    use super::*;

    type Bytes = Inline<u8, 64>;

    #[test]
    fn serde_is_a_plain_sequence() {
        for len in [0, 3, 64] {
            let values: Vec<u8> = (0..len).collect();
            let inline = Bytes::try_from(&values[..]).unwrap();
            let json = serde_json::to_string(&inline).unwrap();
            assert_eq!(json, serde_json::to_string(&values).unwrap());
            assert_eq!(serde_json::from_str::<Bytes>(&json).unwrap(), inline);
            assert_eq!(Bytes::from_fn(len.into(), |i| i as u8), inline);
        }
    }

    #[test]
    fn too_long_is_refused() {
        let values = vec![0; 65];
        let refused = Bytes::try_from(&values[..]);
        assert_eq!(refused, Err(TooLong { len: 65, max: 64 }));
        let json = serde_json::to_string(&values).unwrap();
        assert!(serde_json::from_str::<Bytes>(&json).is_err());
    }
}
