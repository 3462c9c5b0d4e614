//! Faults that differ in numbers only, on a line: the bits of a register, the counters of a matrix.

use std::collections::{BTreeMap, BTreeSet};

/// A name without its numbers, and the numbers: `a[`, `] at `, `` and 3, 1 of `a[3] at 1`. A digit in a
/// word is none.
fn split(name: &str) -> (Vec<&str>, Vec<u64>) {
    let (mut text, mut numbers) = (Vec::new(), Vec::new());
    let (mut rest, mut from) = (name, 0);
    while let Some(at) = rest[from..].find(|c: char| c.is_ascii_digit()) {
        let at = from + at;
        let in_word = rest[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let digits = rest[at..].bytes().take_while(u8::is_ascii_digit).count();
        match rest[at..at + digits].parse() {
            Ok(number) if !in_word => {
                text.push(&rest[..at]);
                numbers.push(number);
                (rest, from) = (&rest[at + digits..], 0);
            }
            _ => from = at + digits,
        }
    }
    text.push(rest);
    (text, numbers)
}

/// `2, 4 to 7`.
fn ranges(numbers: &BTreeSet<u64>) -> String {
    let mut runs: Vec<(u64, u64)> = Vec::new();
    for &number in numbers {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => runs.push((number, number)),
        }
    }
    let runs = runs.iter().map(|&(first, last)| match last - first {
        0 => first.to_string(),
        1 => format!("{first}, {last}"),
        _ => format!("{first} to {last}"),
    });
    runs.collect::<Vec<_>>().join(", ")
}

/// A line for all faults that differ in numbers only, in the order of the first of each; with how many
/// they are, where they are more than one.
pub(super) fn lines<'a>(faults: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut order = Vec::new();
    let mut groups: BTreeMap<Vec<&str>, Vec<Vec<u64>>> = BTreeMap::new();
    for fault in faults {
        let (text, numbers) = split(fault);
        let group = groups.entry(text.clone()).or_default();
        if group.is_empty() {
            order.push(text);
        }
        group.push(numbers);
    }
    let line = |text: &Vec<&str>| {
        let group = &groups[text];
        let mut name = text[0].to_owned();
        for (at, after) in text[1..].iter().enumerate() {
            name += &ranges(&group.iter().map(|numbers| numbers[at]).collect());
            name += after;
        }
        match group.len() {
            1 => format!("`{name}`"),
            places => format!("`{name}`: {places} places"),
        }
    };
    order.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    //! Rationale: a fault that is left out of a group would be hidden.
    use super::lines;

    #[test]
    fn faults_that_differ_in_numbers_share_a_line() {
        let faults = [
            "stuck bit: bit 3 of a[1] at 0",
            "missing reset: pol1_id",
            "stuck bit: bit 4 of a[1] at 1",
            "missing reset: pol2_id",
            "stuck bit: bit 5 of a[1] at 0",
            "stuck bit: bit 7 of a[2] at 0",
            "stuck bit: bit 7 of b[2] at 0",
        ];
        let expected = [
            "`stuck bit: bit 3 to 5, 7 of a[1, 2] at 0, 1`: 4 places",
            "`missing reset: pol1_id`",
            "`missing reset: pol2_id`",
            "`stuck bit: bit 7 of b[2] at 0`",
        ];
        assert_eq!(lines(faults.into_iter()), expected);
        assert_eq!(lines(["9", "x", "x"].into_iter()), ["`9`", "`x`: 2 places"]);
        assert_eq!(lines([].into_iter()), [""; 0]);
    }
}
