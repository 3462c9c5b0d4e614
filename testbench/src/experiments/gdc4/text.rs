//! The report as Markdown.

use std::fmt::Write;

use cotenant_golden::metrics::Row;

use super::{Outcome, Report};
use crate::experiments::table::{number, percent, table};

impl Report {
    /// The report as Markdown.
    pub fn text(&self) -> String {
        let mut out = format!(
            "Seed {:#x}, {} accesses to the L2 per workload.\n\n",
            self.seed, self.accesses
        );
        // Writing to a string cannot fail.
        if let Some(mismatch) = self.mismatch() {
            let _ = writeln!(
                out,
                "MISMATCH between hardware and golden models: {mismatch}\n"
            );
        }
        if !self.complete {
            let done = self.workloads.len();
            let _ = writeln!(out, "Interrupted: {done} workloads were done.\n");
        }
        out += &table(
            "PLOB's distance from GDC (wbd), and the shares of the misses of the kernel under analysis (KUA) in percent",
            &[
                "workload", "KUA", "CK1", "CK2", "CK3", "GDC: KUA", "CK1", "CK2", "CK3",
                "PLOB: CK1", "CK2", "CK3", "misses", "wbd",
            ],
            self.sorted().into_iter().map(row),
        );
        let _ = writeln!(out);
        if let Some([least, most]) = self.range {
            let [paper_least, paper_most] = self.paper;
            let _ = writeln!(
                out,
                "wbd from {least:.2} to {most:.2}; the paper: {paper_least:.2} to {paper_most:.2}."
            );
        }
        let without = self.workloads.iter().filter(|w| w.wbd.is_none()).count();
        if without > 0 {
            let _ = writeln!(
                out,
                "In {without} workloads no kernel evicts a line of the KUA: PLOB has no shares, and there is no distance."
            );
        }
        let counts = self.workloads.iter().filter_map(|w| w.lockstep.as_ref());
        let (runs, cycles) = counts.fold((0, 0), |(n, sum), count| (n + 1, sum + count.cycles));
        let mismatches = self.workloads.iter().filter(|w| w.mismatch.is_some());
        let _ = writeln!(
            out,
            "llc_monitor in lockstep in {runs} of {} workloads: {cycles} cycles, mismatches in {}.",
            self.workloads.len(),
            mismatches.count()
        );
        out
    }
}

fn row(outcome: &Outcome) -> Vec<String> {
    let kernels = outcome.workload.kernels.iter().map(|kernel| {
        let size = match kernel.sets {
            Some(sets) => format!("{sets} sets"),
            None => format!("{} %", kernel.footprint),
        };
        format!("{} {size} x{}", kernel.body.to_uppercase(), kernel.warps)
    });
    let kids = outcome.workload.kernels.len();
    let shares = |row: &Row, from: usize| -> Vec<String> {
        let share = |kid: usize| percent(row.as_ref().and_then(|row| row.get(kid).copied()));
        (from..kids).map(share).collect()
    };
    let mut cells = vec![outcome.workload.name()];
    cells.extend(kernels);
    cells.extend(shares(&outcome.share_gdc, 0));
    cells.extend(shares(&outcome.share_plob, 1));
    cells.push(outcome.misses.to_string());
    cells.push(number(outcome.wbd, 3));
    cells
}
