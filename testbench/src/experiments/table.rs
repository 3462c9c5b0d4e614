//! Markdown tables that are also readable as text.

/// A title and a table, its columns aligned for those who read it as text.
pub fn table(title: &str, heads: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let heads: Vec<_> = heads.iter().map(|head| head.to_string()).collect();
    let rows: Vec<_> = std::iter::once(heads).chain(rows).collect();
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.max().unwrap_or(0)
    };
    let widths: Vec<_> = (0..rows[0].len()).map(width).collect();
    let rule = widths.iter().map(|width| "-".repeat(*width)).collect();
    let line = |cells: &Vec<String>| {
        let cells = cells.iter().zip(&widths);
        let cells: String = cells
            .map(|(cell, width)| format!(" {cell:width$} |"))
            .collect();
        format!("|{cells}\n")
    };
    let body: String = rows[1..].iter().map(line).collect();
    format!("### {title}\n\n{}{}{body}", line(&rows[0]), line(&rule))
}

/// A fraction in percent, or a dash.
pub fn percent(share: Option<f64>) -> String {
    share.map_or("-".into(), |share| format!("{:.1}", 100.0 * share))
}

/// A number with so many places, or a dash.
pub fn number(value: Option<f64>, places: usize) -> String {
    value.map_or("-".into(), |value| format!("{value:.places$}"))
}
