//! Tables of the README that tests write.

use std::fs::{read_to_string, write};
use std::path::Path;

/// A text with what is between `<!-- begin: NAME -->` and its end replaced.
fn replaced(text: &str, name: &str, table: &str) -> Option<String> {
    let (begin, end) = (
        format!("<!-- begin: {name}, written by a test -->\n"),
        format!("<!-- end: {name} -->"),
    );
    let (before, rest) = text.split_once(&begin)?;
    let (_, after) = rest.split_once(&end)?;
    Some(format!("{before}{begin}{table}{end}{after}"))
}

/// A text as a cell of a table: nothing in it is Markdown, and rustdoc takes nothing for a link or
/// a tag.
pub fn cell(text: &str) -> String {
    let escaped = |text: String, c: &char| text.replace(*c, &format!("\\{c}"));
    let code = |(at, part): (usize, &str)| match at % 2 {
        0 => ['[', '<', '|', '*', '_'].iter().fold(part.into(), escaped),
        _ => format!("`{}`", escaped(part.into(), &'|')),
    };
    text.split('`').enumerate().map(code).collect()
}

/// Compares a table of the README with what it should be; writes it if `COTENANT_WRITE` is set.
#[track_caller]
pub fn check(name: &str, table: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let text = read_to_string(&path).expect("the README");
    let wanted = replaced(&text, name, table).unwrap_or_else(|| panic!("README: no {name}"));
    if std::env::var_os("COTENANT_WRITE").is_some() {
        write(&path, wanted).expect("the README is written");
        return;
    }
    assert_eq!(
        text, wanted,
        "the README's table of {name} is old: run this test with COTENANT_WRITE=1"
    );
}

#[test]
fn a_cell_is_text() {
    assert_eq!(cell("a[1] `b[1]` <N>"), "a\\[1] `b[1]` \\<N>");
}

#[test]
fn an_old_table_is_seen() {
    let text = "a\n<!-- begin: t, written by a test -->\nold\n<!-- end: t -->\nb\n";
    let new = replaced(text, "t", "new\n").expect("there is one");
    assert_ne!(new, text);
    assert_eq!(replaced(&new, "t", "new\n"), Some(new));
    assert_eq!(replaced(text, "other", ""), None);
}
