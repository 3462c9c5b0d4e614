//! Reads a BLIF file into its statements.

use std::collections::{HashMap, HashSet};

/// A statement of a BLIF file with continued lines joined.
pub(super) struct Line<'a> {
    pub words: Vec<&'a str>,
    /// Rows of a truth table, or parameters of a subcircuit.
    pub rows: Vec<&'a str>,
}

/// A BLIF file.
pub(super) struct File<'a> {
    pub lines: Vec<Line<'a>>,
    /// Signals that only copy another one.
    copies: HashMap<&'a str, &'a str>,
}

/// Splits a BLIF file into statements.
pub(super) fn parse(text: &str) -> File<'_> {
    let mut lines: Vec<Line> = vec![];
    let mut continued = false;
    for line in text.lines() {
        let line = line.split('#').next().unwrap_or_default();
        let (body, goes_on) = match line.trim_end().strip_suffix('\\') {
            Some(body) => (body, true),
            None => (line, false),
        };
        let words = body.split_whitespace();
        if continued {
            if let Some(last) = lines.last_mut() {
                last.words.extend(words);
            }
        } else if body.trim_start().starts_with(".param") || !body.trim_start().starts_with('.') {
            if let (Some(last), false) = (lines.last_mut(), body.trim().is_empty()) {
                last.rows.push(body.trim());
            }
        } else {
            lines.push(Line {
                words: words.collect(),
                rows: vec![],
            });
        }
        continued = goes_on;
    }
    let mut copies = HashMap::new();
    for line in &lines {
        if let ([".names", from, to], ["1 1"]) = (&line.words[..], &line.rows[..]) {
            copies.insert(*to, *from);
        }
    }
    File { lines, copies }
}

impl<'a> File<'a> {
    /// What a signal copies, through any number of copies.
    pub fn source(&self, mut signal: &'a str) -> &'a str {
        // A chain longer than the file would be a circle.
        for _ in 0..=self.copies.len() {
            match self.copies.get(signal) {
                Some(from) => signal = from,
                None => break,
            }
        }
        signal
    }

    /// All that stands after a keyword.
    pub fn list(&self, keyword: &str) -> HashSet<&'a str> {
        let of = |l: &&Line<'a>| l.words.first() == Some(&keyword);
        self.lines
            .iter()
            .filter(of)
            .flat_map(|l| l.words[1..].iter().copied())
            .collect()
    }
}

/// A parameter of a subcircuit: binary digits, or text in quotes.
pub(super) fn parameter(line: &Line, key: &str) -> Option<String> {
    line.rows.iter().find_map(|row| {
        let value = row.strip_prefix(".param")?.trim().strip_prefix(key)?;
        let value = value.strip_prefix(' ')?.trim().trim_matches('"');
        // Yosys marks names with a backslash, which write_blif escapes with another.
        Some(value.trim_start_matches('\\').to_string())
    })
}
