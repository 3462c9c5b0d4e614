//! Width of counters that are read once per period.

use std::str::FromStr;

use cotenant_units::table::ParameterSet;
use serde::Serialize;

/// Accesses per cycle at one bank, as a reduced fraction; at most one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Rate {
    /// Accesses.
    pub accesses: u64,
    /// In so many cycles.
    pub cycles: u64,
}

impl FromStr for Rate {
    type Err = String;

    /// `1`, `0.25`, `1/4`.
    fn from_str(text: &str) -> Result<Self, String> {
        let expected = || {
            format!("\"{text}\" is no rate, expected accesses per cycle above 0 and up to 1, as 1, 0.25 or 1/4")
        };
        let number = |digits: &str| {
            let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
            let value: Option<u64> = digits.parse().ok();
            value.filter(|_| plain).ok_or_else(expected)
        };
        let (accesses, cycles) = match (text.split_once('/'), text.split_once('.')) {
            (Some((above, below)), _) => (number(above)?, number(below)?),
            (None, Some((whole, part))) => {
                let digits = u32::try_from(part.len()).map_err(|_| expected())?;
                let scale = 10u64.checked_pow(digits).ok_or_else(expected)?;
                let whole = number(whole)?.checked_mul(scale).ok_or_else(expected)?;
                (
                    whole.checked_add(number(part)?).ok_or_else(expected)?,
                    scale,
                )
            }
            (None, None) => (number(text)?, 1),
        };
        if accesses == 0 || accesses > cycles {
            return Err(expected());
        }
        let (mut divisor, mut rest) = (cycles, accesses);
        while rest > 0 {
            (divisor, rest) = (rest, divisor % rest);
        }
        Ok(Rate {
            accesses: accesses / divisor,
            cycles: cycles / divisor,
        })
    }
}

impl std::fmt::Display for Rate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.cycles {
            1 => write!(f, "{}", self.accesses),
            _ => write!(f, "{}/{}", self.accesses, self.cycles),
        }
    }
}

/// How often counters are read, and what happens meanwhile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Period {
    /// Cycles between two reads.
    pub cycles: u64,
    /// Accesses per cycle.
    pub rate: Rate,
}

impl Period {
    /// Accesses per period, rounded up.
    pub fn accesses(&self) -> u64 {
        let product = u128::from(self.cycles) * u128::from(self.rate.accesses);
        // At most one access per cycle: it fits.
        product.div_ceil(u128::from(self.rate.cycles)) as u64
    }
}

/// Width that a counter needs so that it cannot overflow in a period.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CounterWidth {
    /// How often the counters are read.
    pub period: Period,
    /// Accesses per period.
    pub accesses: u64,
    /// The most that an access adds to a counter.
    pub increment: u64,
    /// Bits needed.
    pub derived: u32,
    /// Bits that the parameter set has.
    pub built: usize,
    /// The set's counters can overflow in a period.
    pub narrow: bool,
}

impl CounterWidth {
    /// The derivation, as a formula with its source.
    pub fn formula(&self) -> String {
        let Self {
            period,
            accesses,
            increment,
            derived,
            ..
        } = self;
        format!(
            "ceil(log2({increment} x {accesses} + 1)) = {derived} bits: an access adds at most {increment}, \
             {accesses} accesses in {} cycles at {} per cycle (GDC, section III)",
            period.cycles, period.rate
        )
    }

    /// What is wrong with the set's width, if something is.
    pub fn warning(&self) -> Option<String> {
        self.narrow.then(|| {
            format!(
                "CNT_W is {}, {} bits are needed: counters can saturate within a period of {} cycles; \
                 read more often or take a wider set",
                self.built, self.derived, self.period.cycles
            )
        })
    }
}

/// The most that an access adds to a counter of the unit.
fn increment(unit: &str, set: &ParameterSet) -> Option<u64> {
    match (unit, parameter(set, "WAYS")) {
        // An access evicts at most one line.
        ("plob", _) => Some(1),
        // It demotes at most all ways.
        (_, Some(ways)) => Some(ways as u64),
        // A set of `counter_matrix` is named by the ways that its increments count.
        _ => set.name.split('x').next()?.parse().ok(),
    }
}

pub(super) fn parameter(set: &ParameterSet, name: &str) -> Option<usize> {
    let mut params = set.params.iter();
    params
        .find(|(known, _)| *known == name)
        .map(|(_, value)| *value)
}

/// The width that the unit's counters need; none if it has no counters.
///
/// Source: GDC, section III: periods between reads are a dozen thousand to a hundred thousand
/// cycles. ASSUMPTION: each access may count in full, as when one kernel has all accesses.
pub fn counter_width(unit: &str, set: &ParameterSet, period: &Period) -> Option<CounterWidth> {
    let built = parameter(set, "CNT_W")?;
    let increment = increment(unit, set)?;
    let accesses = period.accesses();
    let most = u128::from(increment) * u128::from(accesses);
    // ceil(log2(most + 1)) is the length of `most`.
    let derived = u128::BITS - most.leading_zeros();
    Some(CounterWidth {
        period: *period,
        accesses,
        increment,
        derived,
        built,
        narrow: derived as usize > built,
    })
}

#[cfg(test)]
mod tests {
    //! Rationale: the two widths of the paper's periods, the values around a power of two, where a
    //! logarithm is easily off by one, and every form of a rate.
    use super::*;
    use cotenant_units::table;

    fn derived(unit: &str, set: &str, cycles: u64, rate: &str) -> CounterWidth {
        let rate = rate.parse().unwrap();
        let set = table::set(unit, set).unwrap();
        counter_width(unit, &set, &Period { cycles, rate }).unwrap()
    }

    #[test]
    fn the_papers_periods() {
        assert_eq!(derived("gdcu", "table-1", 12_000, "1").derived, 18);
        let longest = derived("gdcu", "table-1", 100_000, "1");
        assert_eq!((longest.derived, longest.narrow), (21, false));
        assert!(longest
            .formula()
            .contains("log2(16 x 100000 + 1)) = 21 bits"));
        assert_eq!(
            derived("counter_matrix", "table-1", 100_000, "1").derived,
            21
        );
        assert_eq!(derived("plob", "table-1", 100_000, "1").derived, 17);
        assert_eq!(derived("gdcu", "table-1", 100_000, "1/8").derived, 18);
    }

    #[test]
    fn around_a_power_of_two() {
        // 16 x 4095 is below 2^16, 16 x 4096 is 2^16.
        assert_eq!(derived("gdcu", "16x4x16", 4095, "1").derived, 16);
        let over = derived("gdcu", "16x4x16", 4096, "1");
        assert_eq!((over.derived, over.narrow), (17, true));
        assert!(over
            .warning()
            .unwrap()
            .contains("CNT_W is 16, 17 bits are needed"));
        // A part of an access is a whole one.
        assert_eq!(derived("gdcu", "16x4x16", 8191, "0.5").accesses, 4096);
        assert_eq!(derived("gdcu", "16x4x16", u64::MAX, "1").derived, 68);
    }

    #[test]
    fn rates() {
        let rate = |text: &str| text.parse::<Rate>().map(|r| (r.accesses, r.cycles));
        assert_eq!(rate("1"), Ok((1, 1)));
        assert_eq!(rate("3/4"), Ok((3, 4)));
        assert_eq!(rate("0.25"), Ok((1, 4)));
        assert_eq!(rate("1.0"), Ok((1, 1)));
        for wrong in [
            "", "0", "2", "1.5", "-1", "1/0", "0/1", "a", ".5", "1.", "+1", "1e-3", "1/2/3",
        ] {
            assert!(rate(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn units_without_counters() {
        let set = table::set("lru_stack", "table-1").unwrap();
        let rate = Rate {
            accesses: 1,
            cycles: 1,
        };
        assert_eq!(
            counter_width("lru_stack", &set, &Period { cycles: 1, rate }),
            None
        );
    }
}
