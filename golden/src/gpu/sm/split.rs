//! From lines of the L1D to those of the L2, and back.

use super::coalesce::Part;
use crate::workload::SECTOR;

/// Both lines' dimensions. A line of the L1D is one of the L2's or several.
#[derive(Debug, Clone, Copy)]
pub(super) struct Split {
    /// Bytes of a line of the L1D, less one.
    offset: u64,
    /// Sectors of a line of the L2, 1 to 32.
    width: u32,
    /// As many bits.
    mask: u32,
}

impl Split {
    /// Lines of `l1d` bytes over lines of `l2` bytes: powers of two, the one a multiple of the
    /// other, both from one sector to 32.
    pub(super) fn new(l1d: u64, l2: u64) -> Self {
        let width = (l2 / SECTOR) as u32;
        Self {
            offset: l1d - 1,
            width,
            mask: u32::MAX >> (32 - width),
        }
    }

    /// What to ask the L2 for to have these sectors, a request for each of its lines, in rising
    /// order.
    #[inline]
    pub(super) fn parts(self, part: Part) -> impl Iterator<Item = Part> {
        let mut rest = part.sectors;
        std::iter::from_fn(move || {
            if rest == 0 {
                return None;
            }
            let first = rest.trailing_zeros() & !(self.width - 1);
            let sectors = rest >> first & self.mask;
            rest &= !(self.mask << first);
            Some(Part {
                line: part.line + u64::from(first) * SECTOR,
                sectors,
            })
        })
    }

    /// How many lines of the L2 have these sectors of a line of the L1D.
    #[inline]
    pub(super) fn count(self, sectors: u32) -> usize {
        self.parts(Part { line: 0, sectors }).count()
    }

    /// Sectors of a line of the L2 as those of its line of the L1D.
    #[inline]
    pub(super) fn joined(self, part: Part) -> u32 {
        part.sectors << ((part.line & self.offset) / SECTOR)
    }
}

#[cfg(test)]
mod tests {
    //! Rationale: sector by sector, by the addresses; then back.
    use proptest::prelude::*;

    use super::*;

    /// Addresses of sectors.
    fn addresses(part: Part) -> impl Iterator<Item = u64> {
        let sectors = (0..32).filter(move |bit| part.sectors >> bit & 1 == 1);
        sectors.map(move |bit| part.line + bit * SECTOR)
    }

    proptest! {
        #[test]
        fn the_same_sectors_in_shorter_lines(
            (l1d, l2) in (5..=10u32).prop_flat_map(|l1d| (Just(l1d), 5..=l1d)),
            number in 0..1000u64,
            sectors in any::<u32>(),
        ) {
            let (l1d, l2) = (1u64 << l1d, 1u64 << l2);
            let split = Split::new(l1d, l2);
            let sectors = sectors & u32::MAX >> (32 - l1d / SECTOR);
            let part = Part { line: number * l1d, sectors };
            let parts: Vec<Part> = split.parts(part).collect();
            prop_assert_eq!(parts.len(), split.count(sectors));
            prop_assert!(parts.windows(2).all(|pair| pair[0].line < pair[1].line));
            for part in &parts {
                prop_assert!(part.line % l2 == 0 && part.sectors != 0);
                prop_assert!(addresses(*part).all(|address| address / l2 == part.line / l2));
            }
            let all: Vec<u64> = parts.iter().flat_map(|part| addresses(*part)).collect();
            prop_assert_eq!(all, addresses(part).collect::<Vec<_>>());
            let back = parts.iter().map(|part| split.joined(*part));
            prop_assert_eq!(back.fold(0, |all, sectors| all | sectors), sectors);
        }
    }
}
