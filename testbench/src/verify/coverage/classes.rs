//! Classifications of cycles that several units share.

use super::cross::Axis;

/// Hit positions and the code for a miss: each of its own up to 8 ways, ends and halves above.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Positions {
    ways: usize,
}

/// Ways up to which each position is a class.
const EXACT: usize = 8;

impl Positions {
    pub fn new(ways: usize) -> Self {
        Self { ways }
    }

    pub fn axis(self, name: &'static str) -> Axis {
        let names = |count| (0..count).map(|position: usize| position.to_string());
        match self.ways {
            ways @ 0..=EXACT => Axis::new(name, names(ways).chain(["miss".into()])),
            _ => Axis::new(name, ["MRU", "upper half", "lower half", "LRU", "miss"]),
        }
    }

    #[inline]
    pub fn class(self, position: usize) -> usize {
        let ways = self.ways;
        match position {
            _ if ways <= EXACT => position,
            0 => 0,
            _ if position == ways => 4,
            _ if position == ways - 1 => 3,
            _ if position < ways / 2 => 1,
            _ => 2,
        }
    }

    /// Positions of a class, the first and the last.
    pub fn range(self, class: usize) -> (usize, usize) {
        let members = || (0..=self.ways).filter(|&position| self.class(position) == class);
        (members().min().unwrap_or(0), members().max().unwrap_or(0))
    }
}

/// Which positions of a set hold a valid line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Valid {
    None,
    /// From the MRU position down, as a stack has them.
    Upper,
    /// With an invalid position above a valid one.
    Holes,
    All,
}

impl Valid {
    pub const NAMES: [&'static str; 4] = ["none", "upper", "holes", "all"];
    pub const EACH: [Self; 4] = [Self::None, Self::Upper, Self::Holes, Self::All];

    #[inline]
    pub fn of(mask: u64, ways: usize) -> Self {
        let count = mask.count_ones() as usize;
        match count {
            0 => Self::None,
            _ if count == ways => Self::All,
            _ if mask & (mask + 1) == 0 => Self::Upper,
            _ => Self::Holes,
        }
    }

    /// Fewest and most valid lines above `position` in a set of this class, if a hit at
    /// `position`, or a miss if it is `ways`, is possible at all.
    pub fn demoted(self, position: usize, ways: usize) -> Option<(usize, usize)> {
        let hit = position < ways;
        match self {
            Self::None => (!hit).then_some((0, 0)),
            Self::All => Some((position, position)),
            Self::Upper if hit => (position + 1 < ways).then_some((position, position)),
            Self::Upper => (ways > 1).then_some((1, ways.saturating_sub(1))),
            Self::Holes if hit => {
                // The hole is above the position, or between it and another line below.
                let room_below = position + 2 < ways;
                let most = if room_below {
                    position
                } else {
                    position.wrapping_sub(1)
                };
                (room_below || position > 0).then_some((0, most))
            }
            Self::Holes => (ways > 1).then_some((1, ways.saturating_sub(1))),
        }
    }
}

#[cfg(test)]
mod tests {
    //! Rationale: which bins are legal follows from these formulas; here every mask of up to
    //! eight ways is counted instead.
    use super::*;

    #[test]
    fn demotions_by_class_as_counted_over_all_masks() {
        for ways in 1..=8usize {
            for position in 0..=ways {
                for class in Valid::EACH {
                    let masks = (0..1u64 << ways).filter(|&mask| Valid::of(mask, ways) == class);
                    let hits = masks.filter(|mask| position == ways || mask >> position & 1 == 1);
                    let above = (1u64 << position) - 1;
                    let counts: Vec<usize> = hits
                        .map(|mask| (mask & above).count_ones() as usize)
                        .collect();
                    let counted = counts
                        .iter()
                        .min()
                        .copied()
                        .zip(counts.iter().max().copied());
                    let found = class.demoted(position, ways);
                    assert_eq!(found, counted, "{class:?}, position {position} of {ways}");
                }
            }
        }
    }

    #[test]
    fn every_position_has_a_class() {
        for ways in [1, 2, 8, 9, 16, 64] {
            let positions = Positions::new(ways);
            let bins = positions.axis("position").bins.len();
            let mut seen = vec![false; bins];
            for position in 0..=ways {
                let class = positions.class(position);
                seen[class] = true;
                let (first, last) = positions.range(class);
                assert!((first..=last).contains(&position));
            }
            assert!(seen.into_iter().all(|seen| seen), "{ways} ways");
        }
    }
}
