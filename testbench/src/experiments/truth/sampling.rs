//! Which hardware stands beside: how many sets it samples, and how much of a tag it keeps.

use std::fmt;
use std::str::FromStr;

use cotenant_golden::llc::cache::Geometry;
use serde::{Deserialize, Serialize};

/// How many sets hardware samples.
const SETS: [usize; 4] = [8, 16, 32, 64];
/// Bits of a tag that the unit keeps unless told otherwise.
pub const TAG_BITS: usize = 12;
/// Wider tags, beside the sets of the hybrid. Fixed before the run: of 64 places that all hold
/// other lines, 16 bits let one in 1024 lookups meet a wrong one, 12 bits one in 64.
pub const WIDE: Sampling = Sampling {
    sets: 16,
    tag_bits: 16,
};

/// An `attribution` unit's SAMPLED and PARTIAL_W.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Sampling {
    /// Cache sets that are sampled.
    pub sets: usize,
    /// Bits that are kept of a tag.
    pub tag_bits: usize,
}

impl Sampling {
    /// So many sets, with as many bits of a tag as usual.
    pub const fn of(sets: usize) -> Self {
        Self {
            sets,
            tag_bits: TAG_BITS,
        }
    }

    /// All that stand beside a cache: those of the specification, then the one with wider tags.
    pub fn beside(geometry: &Geometry) -> impl Iterator<Item = Self> {
        let all = SETS.map(Self::of).into_iter().chain([WIDE]);
        let sets = geometry.sets;
        all.filter(move |sampling| sampling.sets < sets)
    }
}

impl fmt::Display for Sampling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} sets, {}-bit tags", self.sets, self.tag_bits)
    }
}

impl From<Sampling> for String {
    fn from(sampling: Sampling) -> Self {
        sampling.to_string()
    }
}

impl TryFrom<String> for Sampling {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl FromStr for Sampling {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text
            .strip_suffix("-bit tags")
            .and_then(|text| text.split_once(" sets, "));
        let number = |text: &str| text.parse().ok();
        parts
            .and_then(|(sets, bits)| {
                Some(Self {
                    sets: number(sets)?,
                    tag_bits: number(bits)?,
                })
            })
            .ok_or_else(|| format!("found {text:?}, expected \"16 sets, 12-bit tags\""))
    }
}

#[cfg(test)]
mod tests {
    //! Rationale: a record must be read as it was written, and nothing else read as one.
    use super::*;

    #[test]
    fn it_is_read_as_it_is_written() {
        for sampling in [Sampling::of(8), WIDE] {
            assert_eq!(sampling.to_string().parse(), Ok(sampling));
        }
        for wrong in ["16", "16 sets", "x sets, 12-bit tags", "16 sets, -bit tags"] {
            assert!(wrong.parse::<Sampling>().is_err(), "{wrong}");
        }
    }
}
