//! The report as Markdown.

use std::fmt::Write;

use super::{Line, Report};
use crate::experiments::sm_pairs::plan::{class, ws};
use crate::experiments::table::table;

impl Report {
    /// The report as Markdown.
    pub fn text(&self) -> String {
        let mut out = format!(
            "Seed {:#x}; {} cycles after {} in each run, preset `maxwell-fit` with hash {}.\n\n",
            self.seed, self.window.measured, self.window.warm_up, self.preset
        );
        // Writing to a string cannot fail.
        out += &table(
            "mem_issue in every SM, netlist and golden model in lockstep; means over all SMs and cycles",
            &[
                "workload",
                "type",
                "policy",
                "parameter set",
                "SM cycles compared",
                "mean limit, by kernel",
                "cycles with a limit in %",
                "mean quota, by kernel",
            ],
            self.runs.iter().map(row),
        );
        let compared: u64 = self.runs.iter().map(|line| line.compared).sum();
        let _ = write!(out, "\n{compared} cycles of SMs compared, ");
        out += match self.mismatch() {
            Some(_) => "and a MISMATCH: ",
            None if self.runs.is_empty() => "as no run came to its end",
            None => "no mismatch; each run counts what it counts with golden models alone",
        };
        out += &self.mismatch().unwrap_or_default();
        if !self.complete {
            out += "; interrupted";
        }
        out + ".\n"
    }
}

fn row(line: &Line) -> Vec<String> {
    let join = |of: &dyn Fn(&super::Kernel) -> String| {
        line.kernels.iter().map(of).collect::<Vec<_>>().join(", ")
    };
    let value = |value: Option<f64>| value.map_or("-".into(), |value| format!("{value:.1}"));
    vec![
        line.workload.join("+"),
        class(&line.workload),
        ws(line.issue).to_string(),
        line.unit.clone(),
        line.compared.to_string(),
        join(&|kernel| value(kernel.mean_limit)),
        join(&|kernel| format!("{:.0}", 100.0 * kernel.limited)),
        join(&|kernel| value(kernel.mean_quota)),
    ]
}
