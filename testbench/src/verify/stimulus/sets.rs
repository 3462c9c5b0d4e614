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
use cotenant_netlist::hdl::Verilog;
use cotenant_units::table::{self, ParameterSet};
use proptest::arbitrary::any;
use proptest::collection::vec;
use proptest::strategy::Strategy;

use super::Random;
use crate::error::Result;

/// The largest unit that is drawn, in bits of all signals and memories: it is built in about a
/// second, and a sweep over its sets takes few cycles.
pub const LARGEST: usize = 100_000;

/// The legal parameter set of a seed, the same for the same unit and seed on every machine.
///
/// # Errors
/// [`Error::Table`](crate::Error::Table) if there is no such unit.
pub fn random_set(unit: &str, seed: u64) -> Result<ParameterSet> {
    let definition = table::definition(unit)?;
    let count = table::parameters(unit)?.len();
    let largest = limit(definition, count, LARGEST);
    let mut random = Random::new(seed);
    loop {
        let choices: Vec<u64> = (0..count).map(|_| random.bits()).collect();
        if let Some(set) = chosen(definition, &choices, largest)? {
            return Ok(set);
        }
    }
}

/// Legal parameter sets of a unit whose signals and memories have up to `largest` bits, or twice as
/// many as the smallest there is, for property-based tests; shrinks to smaller parameters.
///
/// # Errors
/// [`Error::Table`](crate::Error::Table) if there is no such unit.
pub fn random_sets(
    unit: &'static str,
    largest: usize,
) -> Result<impl Strategy<Value = ParameterSet>> {
    let definition = table::definition(unit)?;
    let count = table::parameters(unit)?.len();
    let (choices, largest) = (vec(any::<u64>(), count), limit(definition, count, largest));
    Ok(
        choices.prop_filter_map("illegal, or too large", move |choices| {
            chosen(definition, &choices, largest).ok().flatten()
        }),
    )
}

/// The set of these choices, one for each parameter, of ever lower orders of magnitude until it is
/// small enough: of many parameters all are rarely small at once. None if it is illegal.
fn chosen(
    definition: &Definition,
    choices: &[u64],
    largest: usize,
) -> Result<Option<ParameterSet>> {
    for lower in 0..=u64::BITS - MAGNITUDE {
        let Some(values) = values(definition, choices, lower) else {
            return Ok(None);
        };
        let unit = definition.describe(definition.name, &values);
        if unit.is_ok_and(|unit| size(&unit) <= largest) {
            let pairs = definition.parameters.iter().zip(&values);
            let pairs: Vec<String> = pairs
                .map(|(parameter, value)| format!("{}={value}", parameter.name))
                .collect();
            return Ok(Some(table::set(definition.name, &pairs.join(","))?));
        }
    }
    Ok(None)
}

/// The values of these choices, magnitudes shifted down by so many bits; none if they are illegal.
fn values(definition: &Definition, choices: &[u64], lower: u32) -> Option<Vec<usize>> {
    let mut values = Vec::new();
    for (parameter, &choice) in definition.parameters.iter().zip(choices) {
        let range = (parameter.range)(&values);
        if range.is_empty() {
            return None;
        }
        let magnitude = (choice >> MAGNITUDE) >> lower;
        let rest = choice & ((1 << MAGNITUDE) - 1);
        values.push(value(range, (magnitude << MAGNITUDE) | rest));
    }
    definition.check(&values).is_ok().then_some(values)
}

/// The bit of a choice from which on it says the order of magnitude.
const MAGNITUDE: u32 = 56;

/// A value of a range: each order of magnitude above its start is as likely as any other, half of
/// the values are powers of two, which some parameters have to be, and smaller choices are smaller
/// values.
fn value(range: RangeInclusive<usize>, choice: u64) -> usize {
    let (start, span) = (*range.start(), (range.end() - range.start()) as u64);
    // One more than there are, which is the end.
    let magnitudes = u64::from(u64::BITS - span.leading_zeros()) + 2;
    let offset = match ((choice >> MAGNITUDE) * magnitudes) >> 8 {
        0 => 0,
        magnitude => {
            let low = 1u128 << (magnitude - 1);
            let offset = low + ((u128::from(choice & 0xffff_ffff) * low) >> 32);
            offset.min(u128::from(span)) as u64
        }
    };
    let value = start + offset as usize;
    let power = 1 << value.max(1).ilog2();
    match (choice >> (MAGNITUDE - 1)) & 1 == 1 && power >= start {
        true => power,
        false => value,
    }
}

/// What `largest` is for a unit: some have more bits with any parameters.
fn limit(definition: &Definition, count: usize, largest: usize) -> usize {
    let smallest = values(definition, &vec![0; count], 0);
    let smallest = smallest.and_then(|s| definition.describe(definition.name, &s).ok());
    largest.max(2 * smallest.as_ref().map_or(0, size))
}

/// Bits of all signals and memories of a unit and its parts.
fn size(unit: &Description) -> usize {
    let width = |name| unit.fields.iter().find(|f| f.name == name).map(|f| f.width);
    let signals: usize = unit.fields.iter().map(|field| field.width).sum();
    let memory = match (width("read_address"), width("read_data")) {
        (Some(address), Some(word)) if matches!(unit.hdl, Verilog::Custom(_)) => word << address,
        _ => 0,
    };
    signals + memory + unit.children.iter().map(size).sum::<usize>()
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
