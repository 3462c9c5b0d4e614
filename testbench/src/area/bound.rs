//! How near the estimate has to come to Yosys.

/// Relative part of the bound, in percent.
const PERCENT: usize = 20;
/// Absolute part: small units differ by single tables.
const LUTS: usize = 10;

/// Whether an estimate is within 20 % of Yosys or 10 look-up tables, whichever is more.
pub fn within(estimate: usize, yosys: usize) -> bool {
    let off = estimate.abs_diff(yosys);
    off <= LUTS || off * 100 <= yosys * PERCENT
}

/// A mapping that is known to be out of the bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exception {
    /// The unit.
    pub unit: &'static str,
    /// The set's name.
    pub set: &'static str,
    /// The family's name.
    pub architecture: &'static str,
    /// Why.
    pub reason: &'static str,
}

/// All of them; a test fails if one is needed no more.
pub const EXCEPTIONS: &[Exception] = &[
    Exception {
        unit: "popcnt",
        set: "32",
        architecture: "xc7",
        reason: "abc spends tables behind MUXF7 and MUXF8 on depth between full adders; \
                 the mapper finds the same depth with LUT6 alone",
    },
    milg("7x12x10"),
    milg("7x17x10"),
    milg("7x20x10"),
    quotas("quota_unit", "2x32", "xc7"),
    quotas("qbmi", "2x10", "xc7"),
    quotas("qbmi", "2x2", "ice40"),
];

const fn milg(set: &'static str) -> Exception {
    Exception {
        unit: "milg",
        set,
        architecture: "xc7",
        reason: "abc spends tables behind MUXF7 and MUXF8, 6 and 2 of them in 7x12x10; \
                 the mapper has none there",
    }
}

const fn quotas(unit: &'static str, set: &'static str, architecture: &'static str) -> Exception {
    Exception {
        unit,
        set,
        architecture,
        reason: "abc needs fewer tables for the prime powers and their product; what it shares \
                 is not known",
    }
}

/// The exception of a mapping, if it has one.
pub fn exception(unit: &str, set: &str, architecture: &str) -> Option<&'static Exception> {
    EXCEPTIONS
        .iter()
        .find(|e| e.unit == unit && e.set == set && e.architecture == architecture)
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
