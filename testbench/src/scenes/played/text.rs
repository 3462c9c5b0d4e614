//! A scene as text, with the simulated values.

use std::fmt::Write;

use super::play::{Played, Told};

/// Columns of the text.
const WIDTH: usize = 96;

impl Told {
    /// `cycle 4` or `cycles 4 to 9`.
    pub fn when(&self) -> String {
        match self.first == self.last {
            true => format!("cycle {}", self.first),
            false => format!("cycles {} to {}", self.first, self.last),
        }
    }

    /// What is seen, one line per cycle: `cycle 4: hit_pos 2, victim_way 1`.
    pub(crate) fn lines(&self) -> Vec<String> {
        let mut cycles: Vec<u64> = self.facts.iter().map(|fact| fact.cycle).collect();
        cycles.sort_unstable();
        cycles.dedup();
        let line = |cycle| {
            let facts = self.facts.iter().filter(|fact| fact.cycle == cycle);
            let facts: Vec<String> = facts
                .map(|fact| format!("{} = {}", fact.signal, fact.text))
                .collect();
            format!("cycle {cycle}: {}", facts.join(", "))
        };
        cycles.into_iter().map(line).collect()
    }
}

impl Played {
    /// The scene step by step.
    pub fn text(&self) -> String {
        let mut out = format!("{} {}: {}\n", self.unit, self.set, self.title);
        if !self.source.is_empty() {
            let _ = writeln!(out, "{}", self.source);
        }
        for (number, step) in (1..).zip(&self.steps) {
            let caption = format!("{}: {}", step.when(), step.caption);
            let _ = writeln!(
                out,
                "\n{number:>3}  {}",
                wrapped(&caption, WIDTH - 5, "\n     ")
            );
            for line in step.lines() {
                let _ = writeln!(out, "       {}", wrapped(&line, WIDTH - 9, "\n         "));
            }
        }
        out
    }

    /// One line per step, for the head of a waveform.
    pub(super) fn comments(&self) -> Vec<String> {
        let title = format!("{} {}: {}", self.unit, self.set, self.title);
        let steps = self.steps.iter();
        let steps = steps.map(|step| format!("{}: {}", step.when(), step.caption));
        std::iter::once(title).chain(steps).collect()
    }
}

/// Text in lines of at most `width` characters, where words allow.
pub(super) fn wrapped(text: &str, width: usize, separator: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.into()),
        }
    }
    lines.join(separator)
}
