//! Surfer's command file.

use std::fmt::Write;

use super::tree::{self, Group, Row, Trace};
use super::{one_line, View};
use crate::layout::Layout;
use crate::look::Radix;

/// Text of a `.sucl` file for the wave of this file name: commands of Surfer 0.3 and later, from
/// its manual. Not tried in Surfer itself.
#[must_use]
pub fn surfer(wave: &str, layout: &Layout, view: &View) -> String {
    let mut text = String::new();
    let mut line = |line: &str| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{line}");
    };
    line(
        "# Commands for the viewer Surfer, written from its manual and not tried in Surfer itself.",
    );
    line(&format!(
        "# In this folder: surfer -c NAME.sucl, which loads {wave}."
    ));
    for comment in &view.comments {
        line(&format!("# {}", one_line(comment)));
    }
    line(&format!("load_file {wave}"));
    let top = tree::of(layout);
    let mut singles: Vec<&Trace> = Vec::new();
    let mut scopes = Vec::new();
    for row in &top.rows {
        match row {
            Row::Trace(trace) => singles.push(trace),
            Row::Group(group) => scopes.push(group),
        }
    }
    let all = top.traces();
    let named = view.first.iter();
    singles.extend(named.filter_map(|path| all.iter().copied().find(|trace| trace.path == *path)));
    for (index, trace) in singles.iter().enumerate() {
        line(&format!("variable_add {}", trace.path));
        line(&format!("item_focus {}", item(index)));
        if let Some(colour) = trace.colour {
            line(&format!("item_set_color {}", colour.surfer()));
        }
        let format = match trace.radix {
            Radix::Binary if trace.width == 1 => None,
            Radix::Binary => Some("Binary"),
            Radix::Decimal => Some("Unsigned"),
            Radix::Signed => Some("Signed"),
            Radix::Hexadecimal => Some("Hexadecimal"),
            Radix::Text => Some("ASCII"),
        };
        if let Some(format) = format {
            line(&format!("item_set_format {format}"));
        }
    }
    line("item_unfocus");
    for group in scopes {
        // Folded ones are large; they are a click away.
        if !group.folded && is_scope(group, &top, layout) {
            let path = format!("{}.{}", top.name, group.name);
            line(&format!("scope_add_as_group_recursive {path}"));
        }
    }
    match view.marked {
        Some(cycle) => line(&format!("cursor_set {}", cycle.saturating_mul(view.period))),
        None => line("zoom_fit"),
    }
    text
}

/// Whether a group of the outermost scope is a scope, and not some of its signals.
fn is_scope(group: &Group, top: &Group, layout: &Layout) -> bool {
    let below = format!("{}.{}.", top.name, group.name);
    layout.written_paths().any(|path| path.starts_with(&below))
}

/// How Surfer calls the item in a row: hexadecimal digits from `a` to `p`.
fn item(row: usize) -> String {
    let digits = format!("{row:x}");
    let letters = digits.chars().filter_map(|digit| digit.to_digit(16));
    letters
        .map(|digit| char::from(b'a' + digit as u8))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    // Rationale: one digit, the last of one, the first of two.
    #[test]
    fn items_are_called_by_letters() {
        assert_eq!([0, 15, 16, 0x2f].map(item), ["a", "p", "ba", "cp"]);
    }
}
