//! The report as Markdown.

use super::{Limits, Loop, Report};
use crate::experiments::table::table;

impl Report {
    /// The report as Markdown.
    pub fn text(&self) -> String {
        format!(
            "Seed {:#x}.\n\n{}\n{}\n{}\n{}",
            self.seed,
            self.open_loop(),
            self.release(),
            self.closed_loop(),
            self.cap()
        )
    }

    fn open_loop(&self) -> String {
        let alike = |a: &Limits, b: &Limits| a.at_width(0) == b.at_width(0);
        let rows = self.open_loop.chunk_by(alike).map(|rows| {
            let row = &rows[0];
            vec![
                row.kernel.to_string(),
                row.failures.to_string(),
                row.peak.to_string(),
                list(rows.iter().map(|row| row.fail_w)),
                row.divisor.to_string(),
                list(row.limits.iter()),
            ]
        });
        table(
            "Open loop: limits under table 2's failures",
            &[
                "kernel",
                "failures per interval",
                "peak",
                "FAIL_W",
                "divisor",
                "limit after each interval",
            ],
            rows,
        )
    }

    fn release(&self) -> String {
        let rows = self.release.iter().map(|row| {
            let limits = row.limits.iter().map(|limit| match limit {
                Some(limit) => limit.to_string(),
                None => "none".into(),
            });
            vec![row.release.name().into(), list(limits)]
        });
        table(
            "Release of a limit once the failures have ceased",
            &["RELEASE", "limit after each interval"],
            rows,
        )
    }

    fn closed_loop(&self) -> String {
        // The kernels of a run, and runs that differ in nothing but the width.
        let runs: Vec<&[Loop]> = self.closed_loop.chunk_by(Loop::same_run).collect();
        let alike = |a: &&[Loop], b: &&[Loop]| {
            let same = |(a, b): (&Loop, &Loop)| a.at_width(0) == b.at_width(0);
            a.len() == b.len() && a.iter().zip(*b).all(same)
        };
        let rows = runs.chunk_by(alike).flat_map(|runs| {
            let widths = list(
                runs.iter()
                    .flat_map(|run| run[0].milg)
                    .map(|milg| milg.fail_w),
            );
            runs[0].iter().map(move |row| loop_row(row, &widths))
        });
        table(
            "Closed loop with the small SM",
            &[
                "workload",
                "kernel",
                "FAIL_W",
                "RELEASE",
                "intervals",
                "limit: mean",
                "min",
                "max",
                "without limit",
                "failures per request",
                "requests per 1000 cycles",
                "grants per 1000 cycles",
            ],
            rows,
        )
    }

    fn cap(&self) -> String {
        let rows = self.cap.iter().map(|row| {
            vec![
                match row.pause {
                    0 => "never".into(),
                    pause => format!("{} of {pause} cycles", pause / 2),
                },
                if row.cap { "1" } else { "0" }.into(),
                row.highest_quota.to_string(),
                row.longest_run.to_string(),
                format!("{:.2}", row.bp_grants_per_kilocycle),
                format!("{:.2}", row.ks_grants_per_kilocycle),
            ]
        });
        table(
            "bp+ks under QBMI, without limits",
            &[
                "bp pauses",
                "CAP",
                "highest quota of bp",
                "longest run of bp while ks wants",
                "grants of bp per 1000 active cycles",
                "grants of ks per 1000 cycles",
            ],
            rows,
        )
    }
}

fn loop_row(row: &Loop, widths: &str) -> Vec<String> {
    let [mean, min, max] = match row.limit {
        Some(limit) => [
            format!("{:.1}", limit.mean),
            limit.min.to_string(),
            limit.max.to_string(),
        ],
        None => ["", "", ""].map(String::from),
    };
    vec![
        row.workload.clone(),
        row.kernel.into(),
        row.milg.map_or("no limiter", |_| widths).into(),
        row.milg.map_or("", |milg| milg.release.name()).into(),
        row.intervals.to_string(),
        mean,
        min,
        max,
        format!("{:.0} %", 100.0 * row.unlimited_share),
        format!("{:.2}", row.failures_per_request),
        format!("{:.1}", row.requests_per_kilocycle),
        format!("{:.2}", row.grants_per_kilocycle),
    ]
}

fn list(values: impl Iterator<Item = impl ToString>) -> String {
    let values: Vec<_> = values.map(|value| value.to_string()).collect();
    values.join(", ")
}
