//! Identifiers that GTKWave and wellen read back unchanged.
//!
//! GTKWave (3.3.118) reads `x[0]` of 8 bits as `x[7:0]`, so that the elements of an array become
//! one name, refuses the whole file at a `:` or a stray `]`, and escapes names with a `.`. wellen
//! (0.25) joins adjacent one-bit variables `x[0]`, `x[1]` to one vector and ends a command at
//! `$end` even inside a word. Both leave parentheses, digits in front and the words of VCD itself
//! (`wire`, `upscope`) alone.

use std::collections::HashSet;

/// `name` with brackets made parentheses and anything but `A-Z a-z 0-9 _ $ ( )` made `_`.
pub(crate) fn identifier(name: &str) -> String {
    let mut out: String = name
        .chars()
        .map(|c| match c {
            '[' => '(',
            ']' => ')',
            c if c.is_ascii_alphanumeric() || "_$()".contains(c) => c,
            _ => '_',
        })
        .collect();
    // `$end` would end the declaration; a leading `$` looks like a command.
    while let Some(at) = out.find("$end") {
        out.replace_range(at..=at, "_");
    }
    if out.starts_with('$') {
        out.replace_range(0..1, "_");
    }
    out
}

/// Suffix of an array element: `(3)`, `(1)(2)`.
pub(crate) fn subscript(indices: &[usize]) -> String {
    indices.iter().map(|index| format!("({index})")).collect()
}

/// Makes `name` differ from all in `taken` (`_1`, `_2`... appended) and adds it.
pub(crate) fn distinct(name: String, taken: &mut HashSet<String>) -> String {
    let mut candidate = name.clone();
    let mut suffix = 0u64;
    while !taken.insert(candidate.clone()) {
        suffix += 1;
        candidate = format!("{name}_{suffix}");
    }
    candidate
}
