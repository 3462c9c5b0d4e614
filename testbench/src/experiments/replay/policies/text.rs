//! The comparison as tables for a terminal.

use super::report::{Comparison, PolicyReport};
use crate::experiments::replay::text::table;
use std::fmt::Write;

/// The comparison as a person reads it; ends with a line break.
pub fn comparison(report: &Comparison) -> String {
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
        "{} sets x {} ways x {} B, {} kernels, kernel {} is the GPU's{part}",
        g.sets, g.ways, g.line, g.kernels, report.gpu
    );
    let period = &report.period;
    let _ = writeln!(
        out,
        "{} periods of {} {} ended",
        period.ended,
        period.length,
        period.unit.name()
    );
    let kernels = 0..g.kernels;
    let heads = |heads: &[&str]| -> Vec<String> { heads.iter().map(|it| it.to_string()).collect() };
    let names = kernels.clone().map(|kernel| format!("K{kernel}"));

    let mut rows = vec![heads(&["policy", "hits", "misses", "of LRU's", "hit rate"])];
    rows[0].extend(names.clone());
    for side in &report.policies {
        let mut row = vec![
            side.policy.to_string(),
            side.hits.to_string(),
            side.misses.to_string(),
            rate(side.misses_of_lru),
            rate(part_of(side.hits, side.accesses)),
        ];
        let each = side.kernels.iter();
        row.extend(each.map(|it| rate(part_of(it.hits, it.accesses))));
        rows.push(row);
    }
    out.push_str("\nMisses in all, and hit rate by kernel\n");
    table(&mut out, &rows);

    let decided: Vec<&PolicyReport> = report
        .policies
        .iter()
        .filter(|side| side.decision != Default::default())
        .collect();
    if !decided.is_empty() {
        let mut rows = vec![heads(&["policy"])];
        rows[0].extend(names);
        rows[0].extend(heads(&["XSRATIO", "caching helps", "streaming"]));
        for side in decided {
            let told = &side.decision;
            let none = || "-".to_string();
            let ways = |kernel: usize| {
                let quotas = told.quotas.as_ref().and_then(|it| it.get(kernel));
                quotas.map_or_else(none, u64::to_string)
            };
            let helps = told.caching_helps.map(|it| if it { "yes" } else { "no" });
            let mut row = vec![side.policy.to_string()];
            row.extend(kernels.clone().map(ways));
            row.push(told.xsratio.map_or_else(none, |it| it.to_string()));
            row.push(helps.unwrap_or("-").to_string());
            row.push(told.streaming.as_ref().map_or_else(none, |it| named(it)));
            rows.push(row);
        }
        out.push_str("\nWays of each kernel, and what else was decided last\n");
        table(&mut out, &rows);
    }
    if report.skipped > 0 {
        let _ = writeln!(
            out,
            "\n{} cache flushes of the trace were skipped",
            report.skipped
        );
    }
    out
}

/// The kernels that are marked.
fn named(marked: &[bool]) -> String {
    let kernels = marked.iter().enumerate().filter(|(_, &marked)| marked);
    let names: Vec<String> = kernels.map(|(kernel, _)| format!("K{kernel}")).collect();
    match names.is_empty() {
        true => "none".into(),
        false => names.join(" "),
    }
}

fn part_of(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

fn rate(fraction: Option<f64>) -> String {
    fraction.map_or("-".into(), |it| format!("{:.2} %", 100.0 * it))
}
