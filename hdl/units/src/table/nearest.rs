//! Finds the name closest to a misspelt one.

/// The candidate nearest to `name`; the first of several, empty if there is none.
///
/// Parameter sets are compared by their numbers, as ratios, everything else
/// by spelling.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> &'a str {
    let numbers = numbers(name);
    let distance = |candidate: &str| match (&numbers, self::numbers(candidate)) {
        (Some(a), Some(b)) => apart(a, &b),
        // Any spelling is further away than any parameters.
        (Some(_), None) => 1e6 + edits(name, candidate) as f64,
        (None, _) => edits(name, candidate) as f64,
    };
    let scored = candidates.into_iter().map(|c| (distance(c), c));
    scored
        .min_by(|a, b| a.0.total_cmp(&b.0))
        .map_or("", |(_, c)| c)
}

/// The values in a parameter set's name, if it is one.
fn numbers(name: &str) -> Option<Vec<f64>> {
    name.split(['x', 's'])
        .map(|part| part.parse::<u32>().ok().map(f64::from))
        .collect()
}

/// Sum of the ratios' logarithms; a value that one of them lacks counts little.
fn apart(a: &[f64], b: &[f64]) -> f64 {
    let shared: f64 = a
        .iter()
        .zip(b)
        .map(|(x, y)| ((x + 1.0) / (y + 1.0)).ln().abs())
        .sum();
    shared + 1e-3 * a.len().abs_diff(b.len()) as f64
}

/// Levenshtein distance; an abbreviation counts as one edit.
fn edits(a: &str, b: &str) -> usize {
    if !a.is_empty() && b.starts_with(a) && a != b {
        return 1;
    }
    strsim::levenshtein(a, b)
}
