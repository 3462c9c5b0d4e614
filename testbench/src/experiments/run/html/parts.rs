//! Elements of the HTML report: tables, figures, numbers, text.

use std::fmt::Write;

/// Writing to a string, which does not fail.
pub(super) type Written = Result<(), std::fmt::Error>;

pub(super) fn figure(out: &mut String, svg: &str, caption: &str) -> Written {
    writeln!(
        out,
        "<figure>{}<figcaption>{caption}</figcaption></figure>",
        svg.trim()
    )
}

fn cells(out: &mut String, tag: &str, cells: &[String]) -> Written {
    out.push_str("<tr>");
    for cell in cells {
        write!(out, "<{tag}>{cell}</{tag}>")?;
    }
    out.push_str("</tr>\n");
    Ok(())
}

pub(super) fn table(out: &mut String, rows: &[Vec<String>]) -> Written {
    out.push_str("<div class=\"wide\"><table><thead>");
    let (head, body) = rows.split_first().ok_or(std::fmt::Error)?;
    cells(out, "th", head)?;
    out.push_str("</thead><tbody>\n");
    for row in body {
        cells(out, "td", row)?;
    }
    out.push_str("</tbody></table></div>\n");
    Ok(())
}

/// A number with its digits in groups of three, as SI has it.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index) % 3 == 0 {
            out.push('\u{202f}');
        }
        out.push(digit);
    }
    out
}

pub(super) fn percent(share: Option<f64>) -> String {
    share.map_or("-".into(), |share| format!("{share:.1} %"))
}

/// Text for HTML.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            _ => out.push(c),
        }
    }
    out
}
