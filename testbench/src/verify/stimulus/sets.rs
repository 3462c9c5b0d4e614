//! Random legal parameter sets of a unit: its [`Definition`] alone says what is legal.
//!
//! ```
//! use cotenant::verify::stimulus::random_set;
//!
//! let set = random_set("gdcu", 1)?;
//! assert_eq!(set, random_set("gdcu", 1)?);
//! # Ok::<(), cotenant::Error>(())
//! ```

use std::ops::RangeInclusive;

use cotenant_netlist::describe::{Definition, Description};
use cotenant_units::table::{self, ParameterSet};
use proptest::arbitrary::any;
use proptest::collection::vec;
use proptest::strategy::Strategy;

use super::Random;
use crate::error::Result;

/// The largest unit that is drawn, in bits of all signals: it is built in about a second.
pub const LARGEST: usize = 100_000;

/// The legal parameter set of a seed, the same for the same unit and seed on every machine.
///
/// # Errors
/// [`Error::Table`](crate::Error::Table) if there is no such unit.
pub fn random_set(unit: &str, seed: u64) -> Result<ParameterSet> {
    let definition = table::definition(unit)?;
    let count = table::parameters(unit)?.len();
    let mut random = Random::new(seed);
    loop {
        let choices: Vec<u64> = (0..count).map(|_| random.bits()).collect();
        if let Some(set) = chosen(definition, &choices, LARGEST)? {
            return Ok(set);
        }
    }
}

/// Legal parameter sets of a unit whose signals have up to `largest` bits, for property-based
/// tests; shrinks to smaller parameters.
///
/// # Errors
/// [`Error::Table`](crate::Error::Table) if there is no such unit.
pub fn random_sets(
    unit: &'static str,
    largest: usize,
) -> Result<impl Strategy<Value = ParameterSet>> {
    let definition = table::definition(unit)?;
    let choices = vec(any::<u64>(), table::parameters(unit)?.len());
    Ok(
        choices.prop_filter_map("illegal, or too large", move |choices| {
            chosen(definition, &choices, largest).ok().flatten()
        }),
    )
}

/// The set of these choices, one for each parameter; none if it is illegal or too large.
fn chosen(
    definition: &Definition,
    choices: &[u64],
    largest: usize,
) -> Result<Option<ParameterSet>> {
    let mut values = Vec::new();
    for (parameter, &choice) in definition.parameters.iter().zip(choices) {
        let range = (parameter.range)(&values);
        if range.is_empty() {
            return Ok(None);
        }
        values.push(value(range, choice));
    }
    let small = |values: &[usize]| {
        definition.check(values).ok()?;
        let unit = definition.describe(definition.name, values).ok()?;
        (size(&unit) <= largest).then_some(())
    };
    if small(&values).is_none() {
        return Ok(None);
    }
    let pairs = definition.parameters.iter().zip(&values);
    let pairs: Vec<String> = pairs
        .map(|(parameter, value)| format!("{}={value}", parameter.name))
        .collect();
    Ok(Some(table::set(definition.name, &pairs.join(","))?))
}

/// A value of a range: each order of magnitude above its start is as likely as any other, half of
/// the values are powers of two, which some parameters have to be, and smaller choices are smaller
/// values.
fn value(range: RangeInclusive<usize>, choice: u64) -> usize {
    let (start, span) = (*range.start(), (range.end() - range.start()) as u64);
    let magnitudes = u64::from(u64::BITS - span.leading_zeros()) + 1;
    let offset = match (choice >> 56) * magnitudes >> 8 {
        0 => 0,
        magnitude => {
            let low = 1 << (magnitude - 1);
            // The last magnitude may go beyond the end, which so comes often.
            (low + ((choice & 0xffff_ffff) * low >> 32)).min(span)
        }
    };
    let value = start + offset as usize;
    let power = 1 << value.max(1).ilog2();
    match choice >> 55 & 1 == 1 && power >= start {
        true => power,
        false => value,
    }
}

/// Bits of all signals of a unit and its parts.
fn size(unit: &Description) -> usize {
    let own: usize = unit.fields.iter().map(|field| field.width).sum();
    own + unit.children.iter().map(size).sum::<usize>()
}

#[cfg(test)]
mod tests {
    //! Rationale: what is never drawn is never tested. So the ends of a range must be drawn, odd
    //! numbers, powers of two and large ones; and no unit may be without legal sets.
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn values_fill_their_range() {
        let mut random = Random::new(1);
        let mut drawn = |range: RangeInclusive<usize>| -> BTreeSet<usize> {
            let one = |_| value(range.clone(), random.bits());
            (0..10_000).map(one).collect()
        };
        assert_eq!(drawn(3..=3), [3].into());
        assert_eq!(drawn(0..=3), [0, 1, 2, 3].into());
        assert_eq!(drawn(2..=64), (2..=64).collect());
        let wide = drawn(2..=1 << 20);
        assert!(wide.iter().all(|value| (2..=1 << 20).contains(value)));
        assert!((1..=20).all(|power| wide.contains(&(1 << power))));
        assert!(wide.iter().any(|value| value % 2 == 1));
    }

    #[test]
    fn smaller_choices_are_smaller_values() {
        assert_eq!(value(5..=64, 0), 5);
        assert!(value(5..=64, 1 << 60) < value(5..=64, 1 << 62));
    }

    #[test]
    fn every_unit_has_sets_of_every_seed() {
        for unit in table::units() {
            let sets: BTreeSet<&str> = (0..8)
                .map(|seed| random_set(unit, seed).unwrap().name)
                .collect();
            assert!(sets.len() > 2, "{unit}: {sets:?}");
        }
    }
}
