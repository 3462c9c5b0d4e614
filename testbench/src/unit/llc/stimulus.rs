//! Stimulus that several units of the shared cache have.

/// The position of the `nth` set bit, counted from the lowest and around; `None` if there is none.
#[inline]
pub(in crate::unit) fn nth_set(mask: u64, nth: u8) -> Option<u8> {
    let count = mask.count_ones();
    if count == 0 {
        return None;
    }
    let mut rest = mask;
    for _ in 0..u32::from(nth) % count {
        rest &= rest - 1;
    }
    Some(rest.trailing_zeros() as u8)
}

#[cfg(test)]
mod tests {
    //! Rationale: a hit is placed by this; none, one, all and a number that goes around.
    use super::*;

    #[test]
    fn the_nth_valid_position() {
        assert_eq!(nth_set(0, 3), None);
        assert_eq!(nth_set(0b1000, 7), Some(3));
        assert_eq!(nth_set(0b1011, 2), Some(3));
        assert_eq!(nth_set(0b1011, 3), Some(0));
        assert_eq!(nth_set(u64::MAX, 63), Some(63));
    }
}
