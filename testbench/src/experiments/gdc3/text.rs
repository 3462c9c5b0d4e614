//! The report as Markdown.

use std::fmt::Write;

use cotenant_golden::metrics::Row;

use super::{Report, Shares};
use crate::experiments::table::{number, percent, table};

impl Report {
    /// The report as Markdown.
    pub fn text(&self) -> String {
        let mut out = format!(
            "Seed {:#x}, {} accesses to the L2 per run.\n\n",
            self.seed, self.accesses
        );
        // Writing to a string cannot fail.
        if let Some(mismatch) = &self.mismatch {
            let _ = writeln!(
                out,
                "MISMATCH between hardware and golden models: {mismatch}\n"
            );
        }
        if !self.complete {
            let _ = writeln!(
                out,
                "Interrupted: {} changes were completed.\n",
                self.variations.len()
            );
        }
        let victim = self.kernels.first().map_or("", String::as_str);
        let heads = ["by", "GDC", "paper", "PLOB", "paper"];
        let share = |row: &Row, kid: usize| percent(row.as_ref().and_then(|r| r.get(kid).copied()));
        let rows = self.kernels.iter().enumerate().map(|(kid, name)| {
            vec![
                name.clone(),
                share(&self.ours.gdc, kid),
                share(&self.paper.gdc, kid),
                share(&self.ours.plob, kid),
                share(&self.paper.plob, kid),
            ]
        });
        let title = format!("Miss attribution for {victim} (%) (GDC, figure 3)");
        out += &table(&title, &heads, rows);
        let _ = writeln!(
            out,
            "\nFurthest from the paper: GDC by {} points, PLOB by {}. Distance of PLOB from GDC (wbd): \
             {}; of the paper's shares: {}.",
            percent(self.ours.furthest[0]),
            percent(self.ours.furthest[1]),
            number(self.ours.wbd, 2),
            number(self.paper.wbd, 2),
        );
        if let Some(lockstep) = &self.lockstep {
            let _ = writeln!(
                out,
                "{} in lockstep: {} cycles, {} mismatches.",
                lockstep.hardware, lockstep.cycles, lockstep.mismatches
            );
        }
        let _ = writeln!(out);
        let mut heads = vec!["changed", "from", "to"];
        let names: Vec<String> = ["GDC", "PLOB"]
            .iter()
            .flat_map(|monitor| {
                self.kernels
                    .iter()
                    .map(move |name| format!("{monitor}: {name}"))
            })
            .collect();
        heads.extend(names.iter().map(String::as_str));
        heads.push("wbd");
        let as_it_is = std::iter::once(row(&["nothing", "", ""], &self.ours));
        let varied = self.variations.iter();
        let varied = varied.map(|v| row(&[v.what, &v.from, &v.to], &v.shares));
        out += &table(
            "The same with one assumption changed, in percent",
            &heads,
            as_it_is.chain(varied),
        );
        out
    }
}

fn row(what: &[&str], shares: &Shares) -> Vec<String> {
    let mut cells: Vec<String> = what.iter().map(ToString::to_string).collect();
    for row in [&shares.gdc, &shares.plob] {
        match row {
            Some(row) => cells.extend(row.iter().map(|share| percent(Some(*share)))),
            None => cells.extend((0..4).map(|_| percent(None))),
        }
    }
    cells.push(number(shares.wbd, 2));
    cells
}
