//! The dimensions of a cache and the mapping of addresses to sets.

use serde::{Deserialize, Serialize};

use crate::llc::{MAX_KERNELS, MAX_WAYS};
use crate::model::ParamError;
use crate::workload::SECTOR;

/// The longest line in bytes: a line's sectors are a `u32`.
pub const MAX_LINE: u64 = 32 * SECTOR;

/// The most sets, over all banks.
pub const MAX_SETS: usize = 1 << 20;

/// The most lines, over all sets: 2 GB in lines of 128 bytes.
pub const MAX_LINES: usize = 1 << 24;

/// The dimensions of a cache.
///
/// Sets and banks are powers of two: the set is a field of address bits, which drives the cache's
/// decoder (GDC paper, section III-A), and the bank is its lowest bits. Ways and kernels are any
/// number, since nothing is decoded from them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Geometry {
    /// Sets in all, which the banks share; a power of two up to [`MAX_SETS`].
    pub sets: usize,
    /// Ways of a set, 1 to [`MAX_WAYS`].
    pub ways: usize,
    /// Bytes of a line; a power of two up to [`MAX_LINE`].
    pub line: u64,
    /// Number of kernels, 1 to [`MAX_KERNELS`].
    pub kernels: usize,
    /// Banks, a power of two up to `sets`.
    pub banks: usize,
}

impl Geometry {
    /// Whether such a cache exists.
    ///
    /// # Errors
    /// [`ParamError`] with the first parameter at fault.
    pub fn check(&self) -> Result<(), ParamError> {
        let Self {
            sets,
            ways,
            line,
            kernels,
            banks,
        } = *self;
        ParamError::range("sets", sets as u64, 1, MAX_SETS as u64)?;
        ParamError::power_of_two("sets", sets as u64, "set is a field of address bits")?;
        ParamError::range("ways", ways as u64, 1, MAX_WAYS as u64)?;
        ParamError::range("sets * ways", (sets * ways) as u64, 1, MAX_LINES as u64)?;
        ParamError::range("line", line, 1, MAX_LINE)?;
        ParamError::power_of_two("line", line, "byte in a line is a field of address bits")?;
        ParamError::range("kernels", kernels as u64, 1, MAX_KERNELS as u64)?;
        ParamError::range("banks", banks as u64, 1, MAX_SETS as u64)?;
        ParamError::multiple("sets", sets as u64, "banks", banks as u64)
    }

    /// Sectors of a line, at least one.
    pub fn sectors(&self) -> u32 {
        (self.line / SECTOR).max(1) as u32
    }

    /// All sectors of a line.
    pub(crate) fn sector_mask(&self) -> u32 {
        u32::MAX >> (32 - self.sectors())
    }

    /// The set that an address falls into, counted over all banks.
    pub fn set_of(&self, address: u64) -> usize {
        (address >> self.line.trailing_zeros()) as usize & (self.sets - 1)
    }

    /// What is left of an address without the byte in the line and the set.
    pub fn tag_of(&self, address: u64) -> u64 {
        address >> self.line.trailing_zeros() >> self.sets.trailing_zeros()
    }

    /// The bank of a set: its lowest bits.
    pub fn bank_of(&self, set: usize) -> usize {
        set % self.banks
    }

    /// The set's number within its bank.
    pub fn set_in_bank(&self, set: usize) -> usize {
        set / self.banks
    }

    /// Bytes that the cache holds.
    pub fn capacity(&self) -> u64 {
        (self.sets * self.ways) as u64 * self.line
    }
}

#[cfg(test)]
mod tests {
    //! Rationale: each parameter has a lowest and a highest legal value and, for three, a form;
    //! an error must name the parameter. Addresses are split by hand for table I's cache.
    use super::*;

    const XAVIER: Geometry = Geometry {
        sets: 256,
        ways: 16,
        line: 128,
        kernels: 4,
        banks: 4,
    };

    #[test]
    fn table_1_by_hand() {
        XAVIER.check().unwrap();
        assert_eq!(XAVIER.capacity(), 512 << 10);
        assert_eq!(XAVIER.sectors(), 4);
        // 0x12345: line 0x246, byte 0x45; set 0x46, tag 0x2; bank 2, set 0x11 in the bank.
        let set = XAVIER.set_of(0x12345);
        assert_eq!((set, XAVIER.tag_of(0x12345)), (0x46, 0x2));
        assert_eq!((XAVIER.bank_of(set), XAVIER.set_in_bank(set)), (2, 0x11));
        assert_eq!(XAVIER.set_of(u64::MAX), 255);
    }

    #[test]
    fn short_lines_have_one_sector() {
        let sectors = |line| Geometry { line, ..XAVIER }.sectors();
        assert_eq!([1, 16, 32, 64, 1024].map(sectors), [1, 1, 1, 2, 32]);
    }

    #[test]
    fn ends_of_the_ranges_are_legal() {
        for legal in [
            Geometry {
                sets: 1,
                ways: 1,
                line: 1,
                kernels: 1,
                banks: 1,
            },
            Geometry {
                sets: MAX_SETS,
                ways: 16,
                banks: MAX_SETS,
                ..XAVIER
            },
            Geometry {
                ways: 64,
                line: 1024,
                kernels: 64,
                ..XAVIER
            },
            Geometry {
                ways: 3,
                kernels: 5,
                ..XAVIER
            },
        ] {
            legal.check().unwrap();
        }
    }

    #[test]
    fn each_illegal_parameter_is_named() {
        let message = |geometry: Geometry| geometry.check().unwrap_err().to_string();
        for (geometry, start) in [
            (
                Geometry { sets: 0, ..XAVIER },
                "sets is 0, expected 1 to 1048576",
            ),
            (
                Geometry {
                    sets: 100,
                    ..XAVIER
                },
                "sets is 100, expected a power of two",
            ),
            (
                Geometry { ways: 0, ..XAVIER },
                "ways is 0, expected 1 to 64",
            ),
            (Geometry { ways: 65, ..XAVIER }, "ways is 65"),
            (
                Geometry {
                    sets: MAX_SETS,
                    ways: 64,
                    ..XAVIER
                },
                "sets * ways is 67108864",
            ),
            (Geometry { line: 0, ..XAVIER }, "line is 0"),
            (
                Geometry { line: 96, ..XAVIER },
                "line is 96, expected a power of two",
            ),
            (
                Geometry {
                    line: 2048,
                    ..XAVIER
                },
                "line is 2048, expected 1 to 1024",
            ),
            (
                Geometry {
                    kernels: 0,
                    ..XAVIER
                },
                "kernels is 0",
            ),
            (
                Geometry {
                    kernels: 65,
                    ..XAVIER
                },
                "kernels is 65",
            ),
            (Geometry { banks: 0, ..XAVIER }, "banks is 0"),
            (
                Geometry { banks: 3, ..XAVIER },
                "sets is 256, expected a multiple of banks, which is 3",
            ),
            (
                Geometry {
                    banks: 512,
                    ..XAVIER
                },
                "sets is 256, expected a multiple of banks",
            ),
        ] {
            let message = message(geometry);
            assert!(message.starts_with(start), "{message}");
        }
    }
}
