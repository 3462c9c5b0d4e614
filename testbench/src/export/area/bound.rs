//! The permitted deviation of the estimate from Yosys.

/// Relative part of the bound, in percent.
const PERCENT: usize = 20;
/// Absolute part: small units differ by single tables.
const LUTS: usize = 10;

/// Whether an estimate is within 20 % of Yosys or 10 look-up tables, whichever is more.
pub fn within(estimate: usize, yosys: usize) -> bool {
    let off = estimate.abs_diff(yosys);
    off <= LUTS || off * 100 <= yosys * PERCENT
}

#[cfg(test)]
mod tests {
    //! Rationale: the larger of the two parts counts, on both sides.
    use super::*;

    #[test]
    fn the_bound() {
        assert!(within(14, 4) && !within(15, 4));
        assert!(within(40, 50) && within(60, 50) && !within(39, 50) && !within(61, 50));
        assert!(within(120, 100) && !within(121, 100) && within(80, 100) && !within(79, 100));
        assert!(within(0, 0));
    }
}
