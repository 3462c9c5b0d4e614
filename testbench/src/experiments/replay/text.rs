//! The report as tables for a terminal.

use super::attribution::{Attribution, Distances};
use super::report::{Report, Row};
use std::fmt::Write;

/// The report as a person reads it; ends with a line break.
pub fn text(report: &Report) -> String {
    let mut out = String::new();
    let g = &report.geometry;
    let part = if report.complete {
        ""
    } else {
        " (interrupted; so far)"
    };
    // Writing to a string cannot fail.
    let _ = writeln!(
        out,
        "{} sets x {} ways x {} B, {} bank{}, {} kernels{part}",
        g.sets,
        g.ways,
        g.line,
        g.banks,
        if g.banks == 1 { "" } else { "s" },
        g.kernels
    );
    let rate = |part: u64, whole: u64| match whole {
        0 => "-".to_string(),
        _ => format!("{:.2} %", 100.0 * part as f64 / whole as f64),
    };
    let mut rows = vec![[
        "kernel",
        "accesses",
        "hits",
        "misses",
        "hit rate",
        "lines owned",
    ]
    .map(String::from)
    .to_vec()];
    for (kernel, lines) in report.kernels.iter().zip(&report.occupancy) {
        rows.push(vec![
            kernel.kid.to_string(),
            kernel.accesses.to_string(),
            kernel.hits.to_string(),
            kernel.misses.to_string(),
            rate(kernel.hits, kernel.accesses),
            lines.to_string(),
        ]);
    }
    rows.push(vec![
        "all".into(),
        report.accesses.to_string(),
        report.hits.to_string(),
        report.misses.to_string(),
        rate(report.hits, report.accesses),
        report.occupancy.iter().sum::<u64>().to_string(),
    ]);
    table(&mut out, &rows);
    let _ = writeln!(
        out,
        "{} evictions, {} sector misses",
        report.evictions, report.sector_misses
    );
    if report.skipped > 0 {
        let _ = writeln!(
            out,
            "{} cache flushes of the trace were skipped",
            report.skipped
        );
    }
    out.push('\n');

    let attribution = report.attribution.as_ref();
    match attribution {
        Some(attribution) => exact(&mut out, attribution),
        None => {
            let _ = writeln!(out, "Exact shares: none, of more than 16 kernels\n");
        }
    }
    matrix(
        &mut out,
        "GDC: demotions, victim by aggressor",
        &report.gdc,
        u64::to_string,
    );
    matrix(
        &mut out,
        "PLOB: evictions, victim by aggressor",
        &report.ike,
        u64::to_string,
    );
    shares(
        &mut out,
        "Share of each victim's misses, by GDC (self included)",
        &report.share_gdc,
    );
    shares(
        &mut out,
        "Share of each victim's misses, by PLOB (others only)",
        &report.share_plob,
    );
    let far = distances(&report.wbd);
    let _ = writeln!(out, "PLOB's distance from GDC (wbd): {far}");
    let _ = match report.lockstep {
        Some(l) => writeln!(
            out,
            "Hardware in lockstep: {}, {} cycles compared, {} mismatches",
            l.hardware, l.cycles, l.mismatches
        ),
        None => writeln!(out, "Hardware in lockstep: none"),
    };
    out
}

/// The exact shares and what follows from them.
fn exact(out: &mut String, attribution: &Attribution) {
    shares(
        out,
        "Share of each victim's misses, exact (its own misses on the diagonal)",
        &attribution.shares,
    );
    let _ = writeln!(out, "Distance from these over the co-runners (wbd)");
    for (name, monitor) in [("GDC", "gdc"), ("PLOB", "plob"), ("SCE", "sce")] {
        if let Some(far) = attribution.distance.get(monitor) {
            let _ = writeln!(out, "  {name:<4}  {}", distances(far));
        }
    }
    out.push('\n');
    matrix(
        out,
        "Misses saved by leaving out a kernel, victim by kernel left out (its own: all)",
        &attribution.saved,
        u64::to_string,
    );
    if attribution.shared_lines > 0 {
        let _ = writeln!(
            out,
            "{} accesses to lines that another kernel used last charge nobody\n",
            attribution.shared_lines
        );
    }
}

fn distances(far: &Distances) -> String {
    let kernels = far.iter().enumerate();
    let shown = kernels.map(|(k, d)| d.map_or(format!("K{k} -"), |d| format!("K{k} {d:.3}")));
    shown.collect::<Vec<_>>().join(", ")
}

fn shares(out: &mut String, title: &str, rows: &[Row]) {
    let cells: Vec<Vec<Option<f64>>> = rows
        .iter()
        .map(|row| match row {
            Some(row) => row.iter().copied().map(Some).collect(),
            None => vec![None; rows.len()],
        })
        .collect();
    matrix(out, title, &cells, |share| {
        share.map_or("-".into(), |share| format!("{:.1} %", 100.0 * share))
    });
}

fn matrix<T>(out: &mut String, title: &str, cells: &[Vec<T>], show: impl Fn(&T) -> String) {
    let _ = writeln!(out, "{title}");
    let mut rows = vec![std::iter::once(String::new())
        .chain((0..cells.len()).map(|k| format!("K{k}")))
        .collect::<Vec<_>>()];
    for (victim, row) in cells.iter().enumerate() {
        rows.push(
            std::iter::once(format!("K{victim}"))
                .chain(row.iter().map(&show))
                .collect(),
        );
    }
    table(out, &rows);
    out.push('\n');
}

/// Right-aligned columns.
pub(super) fn table(out: &mut String, rows: &[Vec<String>]) {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |c: usize| {
        rows.iter()
            .filter_map(|r| r.get(c))
            .map(|s| s.len())
            .max()
            .unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    for row in rows {
        let cells: Vec<String> = row
            .iter()
            .zip(&widths)
            .map(|(cell, w)| format!("{cell:>w$}"))
            .collect();
        let _ = writeln!(out, "  {}", cells.join("  "));
    }
}

#[cfg(test)]
mod tests {
    //! Columns line up whatever the lengths, and missing shares are no zeros.
    use super::*;

    #[test]
    fn columns_are_right_aligned() {
        let mut out = String::new();
        table(
            &mut out,
            &[
                vec!["a".into(), "bcd".into()],
                vec!["1234".into(), "5".into()],
            ],
        );
        assert_eq!(out, "     a  bcd\n  1234    5\n");
    }

    #[test]
    fn no_events_are_no_zero() {
        let mut out = String::new();
        shares(&mut out, "t", &[Some(vec![0.25, 0.75]), None]);
        assert_eq!(
            out,
            "t\n          K0      K1\n  K0  25.0 %  75.0 %\n  K1       -       -\n\n"
        );
    }
}
