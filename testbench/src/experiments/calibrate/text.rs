//! The report as Markdown.

use cotenant_golden::calibration::fit::{Judged, MOST_GAIN};
use cotenant_golden::calibration::free::Open;
use std::fmt::Write;

use super::Report;
use crate::experiments::statement::signed;
use crate::experiments::table::table;

impl Report {
    /// The report as Markdown.
    pub fn text(&self) -> String {
        let mut out = format!(
            "Seed {:#x}; each of {} runs that decide measures {} cycles after {}, each of {} that are compared {} after {} (cp ten times as many).\n\n",
            self.from.seed,
            self.from.runs,
            self.from.window.measured,
            self.from.window.warm_up,
            self.from.measured.len(),
            self.from.compared.measured,
            self.from.compared.warm_up,
        );
        // Writing to a string cannot fail.
        if !self.from.complete {
            let done = self.from.runs + self.from.measured.len();
            let _ = writeln!(out, "Interrupted: {done} runs were done.\n");
        }
        let Some(fit) = &self.from.fit else {
            return out;
        };
        out += &table(
            "Machines: summed errors of the kernels, 1 more if MSHRs are not the commonest reason",
            &[
                "bytes per cycle of a channel",
                "miss queue",
                "error",
                "gain of a type C kernel with 48",
                "",
            ],
            fit.machines.iter().map(|&Judged { open, error, gain }| {
                let Open { bus, miss_queue } = open;
                let said = match () {
                    _ if open == fit.open => "chosen",
                    _ if gain > MOST_GAIN => "bound by memory",
                    _ => "",
                };
                vec![
                    bus.to_string(),
                    miss_queue.to_string(),
                    format!("{error:.2}"),
                    signed(100.0 * gain),
                    said.into(),
                ]
            }),
        );
        let _ = writeln!(out, "\nPreset `maxwell-fit`, hash {}.\n", fit.fitted.hash);
        out += &table(
            "Kernels: what was fitted",
            &["kernel", "cycles of an instruction", "spread of data"],
            fit.fitted.kernels.iter().map(|(name, numbers)| {
                let spread = match numbers.spread {
                    1 => "-".into(),
                    spread => spread.to_string(),
                };
                vec![name.clone(), numbers.latency.to_string(), spread]
            }),
        );
        let of_fitted = |fitted| {
            let rows = self.rows.iter().filter(move |row| row.fitted == fitted);
            (
                rows.clone().filter(|row| row.reached()).count(),
                rows.count(),
            )
        };
        let ((fitted, all_fitted), (checks, all_checks)) = (of_fitted(true), of_fitted(false));
        let _ = writeln!(
            out,
            "\nWithin 10 % or as the table rounds: {fitted} of {all_fitted} numbers that were fitted, {checks} of {all_checks} that were not.\n"
        );
        out += &table(
            "Numbers",
            &[
                "kernel",
                "number",
                "source",
                "",
                "paper",
                "here",
                "deviation",
                "reached",
                "why not",
            ],
            self.rows.iter().map(|row| {
                let reached = row.reached();
                vec![
                    row.kernel.into(),
                    row.number.into(),
                    row.source.into(),
                    if row.fitted { "fitted" } else { "check" }.into(),
                    format!("{:.2}", row.paper),
                    format!("{:.2}", row.ours),
                    row.deviation()
                        .map_or("-".into(), |off| signed(100.0 * off)),
                    if reached { "yes" } else { "no" }.into(),
                    if reached { "" } else { row.why }.into(),
                ]
            }),
        );
        if !self.sentences.is_empty() {
            let _ = writeln!(out);
            out += &table(
                "Sentences, none of which was fitted but that on MSHRs",
                &["the paper", "here", "holds", "why not"],
                self.sentences.iter().map(|sentence| {
                    vec![
                        sentence.paper.clone(),
                        sentence.ours.clone(),
                        if sentence.holds { "yes" } else { "no" }.into(),
                        if sentence.holds { "" } else { sentence.why }.into(),
                    ]
                }),
            );
        }
        out
    }
}
