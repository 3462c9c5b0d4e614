//! The report of a run for a terminal.

use std::fmt::Write;

use super::Report;

/// The report as a person reads it; ends with a line break.
pub fn text(report: &Report) -> String {
    let mut out = String::new();
    let part = match report.complete {
        true => "",
        false => " (interrupted; so far)",
    };
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{} on {}{part}", report.title, report.platform);
    if let Some(mismatch) = &report.mismatch {
        let _ = writeln!(out, "MISMATCH: {mismatch}");
    }
    let mut rows = vec![[
        "kernel",
        "",
        "accesses",
        "per kcycle",
        "hits",
        "misses",
        "latency",
        "lines",
    ]
    .map(String::from)
    .to_vec()];
    for kernel in &report.kernels {
        let rate = match kernel.accesses {
            0 => "-".into(),
            all => format!("{:.2} %", 100.0 * kernel.hits as f64 / all as f64),
        };
        rows.push(vec![
            format!("K{}", kernel.kid),
            kernel.name.clone(),
            kernel.accesses.to_string(),
            format!(
                "{:.1}",
                1000.0 * kernel.accesses as f64 / report.cycles.max(1) as f64
            ),
            rate,
            kernel.misses.to_string(),
            kernel
                .latency
                .map_or("-".into(), |latency| format!("{latency:.0}")),
            kernel.occupancy.to_string(),
        ]);
    }
    table(&mut out, &rows);
    let _ = writeln!(
        out,
        "{} cycles, {} accesses, {} evictions\n",
        report.cycles, report.accesses, report.evictions
    );

    let victim = &report.kernels[report.under_test].name;
    let _ = writeln!(out, "Miss attribution for {victim} (%)");
    let percent = |share: Option<f64>| share.map_or("-".into(), |s| format!("{s:.1}"));
    if let Some(paper) = &report.paper {
        let _ = writeln!(out, "(paper: {})", paper.source);
    }
    let rows = report.table_of_shares(percent, |kid| report.kernels[kid].name.clone());
    table(&mut out, &rows);
    let [gdc, plob] = report
        .distances()
        .map(|far| far.map_or("-".into(), |far| format!("{far:.3}")));
    let _ = writeln!(
        out,
        "Distance from the exact shares over the co-runners (wbd): GDC {gdc}, PLOB {plob}"
    );
    let wbd = report.wbd[report.under_test];
    let _ = writeln!(
        out,
        "PLOB's distance from GDC (wbd): {}",
        wbd.map_or("-".into(), |wbd| format!("{wbd:.3}"))
    );
    let _ = match report.lockstep {
        Some(l) => writeln!(
            out,
            "Hardware in lockstep: {}, {} cycles compared, {} mismatches; counters read every {} cycles",
            l.hardware, l.cycles, l.mismatches, report.period
        ),
        None => writeln!(out, "Hardware in lockstep: none"),
    };
    out
}

/// Columns, the first two to the left, others to the right.
fn table(out: &mut String, rows: &[Vec<String>]) {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    for row in rows {
        let mut line = String::from(" ");
        for (column, cell) in row.iter().enumerate() {
            let width = widths[column];
            // A dash stands for a number.
            let words = cell.parse::<f64>().is_err() && cell != "-" && column < 2;
            let _ = match words {
                true => write!(line, " {cell:<width$}"),
                false => write!(line, "  {cell:>width$}"),
            };
        }
        let _ = writeln!(out, "{}", line.trim_end());
    }
}
