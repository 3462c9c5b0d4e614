//! Which of the known names is meant.

/// The most similar of the known names; the first of equally similar ones.
pub(super) fn nearest(name: &str, known: impl IntoIterator<Item = &'static str>) -> &'static str {
    let mut best = ("", f64::MIN);
    for candidate in known {
        let similar = strsim::jaro_winkler(name, candidate);
        if similar > best.1 {
            best = (candidate, similar);
        }
    }
    best.0
}
