//! The report as Markdown.

use std::fmt::Write;

use cotenant_golden::metrics::Row;

use super::reading::{Period, WHOLE};
use super::smallest::{Smallest, Wrong};
use super::{Nearer, Outcome, Report, Truth};
use crate::experiments::table::{number, percent, table};

/// The distance below which two breakdowns count as one: the smallest that the paper's figure 4
/// shows.
const SAME: f64 = crate::experiments::gdc4::PAPER[0];

impl Report {
    /// The report as Markdown.
    pub fn text(&self) -> String {
        let mut out = format!(
            "Seed {:#x}, {} accesses to the L2 per workload.\n\n",
            self.seed, self.accesses
        );
        // Writing to a string cannot fail.
        if !self.complete {
            let done = self.workloads.len();
            let _ = writeln!(out, "Interrupted: {done} workloads were done.\n");
        }
        out += &self.nearer();
        out += "\n";
        out += &self.table("Same streams", |outcome| Some(&outcome.streams));
        out += "\n";
        out += &self.table("Kernels simulated again", |outcome| outcome.timed.as_ref());
        out += "\n";
        out += &self.readings();
        out += "\n";
        out += &self.shortest();
        out
    }

    fn nearer(&self) -> String {
        let row = |(name, nearer): (&str, &Nearer)| {
            vec![
                name.to_string(),
                nearer.workloads.to_string(),
                nearer.gdc.to_string(),
                nearer.plob.to_string(),
                number(nearer.mean_gdc, 3),
                number(nearer.mean_plob, 3),
                number(nearer.lead, 3),
                nearer.culprit_gdc.to_string(),
                nearer.culprit_plob.to_string(),
            ]
        };
        let rows = [
            ("same streams", &self.nearer_streams),
            ("kernels simulated again", &self.nearer_timed),
        ];
        let heads = [
            "truth by",
            "workloads",
            "GDC nearer",
            "PLOB nearer",
            "mean distance of GDC",
            "of PLOB",
            "GDC's lead",
            "worst co-runner named by GDC",
            "by PLOB",
        ];
        table(
            "Which monitor is nearer to the truth",
            &heads,
            rows.into_iter().map(row),
        )
    }

    fn table(&self, title: &str, truth: impl Fn(&Outcome) -> Option<&Truth>) -> String {
        let heads = [
            "workload",
            "KUA beside CK1, CK2, CK3",
            "misses alone",
            "beside all",
            "truth: CK1",
            "CK2",
            "CK3",
            "GDC: CK1",
            "CK2",
            "CK3",
            "PLOB: CK1",
            "CK2",
            "CK3",
            "distance: GDC",
            "PLOB",
        ];
        let rows = self.workloads.iter().map(|outcome| {
            let truth = truth(outcome);
            let misses = |which: fn(&[u64]) -> Option<&u64>| {
                let misses = truth.and_then(|truth| which(&truth.coalitions.misses));
                misses.map_or("-".into(), u64::to_string)
            };
            let none = None;
            let shares = |row: &Row| -> Vec<String> {
                let share = |kid: usize| percent(row.as_ref().and_then(|r| r.get(kid).copied()));
                (0..outcome.workload.kernels.len() - 1).map(share).collect()
            };
            let mut cells = vec![outcome.workload.name(), outcome.workload.title()];
            cells.extend([misses(|m| m.first()), misses(|m| m.last())]);
            cells.extend(shares(truth.map_or(&none, |truth| &truth.shares)));
            cells.extend(shares(&outcome.share_gdc));
            cells.extend(shares(&outcome.share_plob));
            cells.push(number(truth.and_then(|truth| truth.gdc), 3));
            cells.push(number(truth.and_then(|truth| truth.plob), 3));
            cells
        });
        let title = format!("{title}: shares of the extra misses of the KUA in percent");
        table(&title, &heads, rows)
    }

    fn readings(&self) -> String {
        let widths = self.periods.first().map_or(&[][..], |first| &first.widths);
        let widths: Vec<String> = widths.iter().map(|w| format!("{} bits", w.bits)).collect();
        let mut heads = vec![
            "cycles per reading",
            "readings",
            "mean distance of one from the run",
            "largest",
            "bits needed",
        ];
        heads.extend(widths.iter().map(String::as_str));
        let rows = self.periods.iter().map(|period| {
            let mut cells = vec![
                period.cycles.to_string(),
                period.readings.to_string(),
                number(period.mean, 3),
                number(period.largest, 3),
                period.bits.to_string(),
            ];
            cells.extend(period.widths.iter().map(|width| {
                let inexact = self.workloads.len() - width.exact;
                match inexact {
                    0 => "exact".into(),
                    _ => format!("{} ({inexact})", number(width.largest, 3)),
                }
            }));
            cells
        });
        let mut out = table(
            "Read period and counter width: GDC's shares of the KUA beside those of the undivided run",
            &heads,
            rows,
        );
        let _ = writeln!(
            out,
            "\nBy width: the largest distance of the sums of all readings from the undivided counts, and in how many workloads they differ at all."
        );
        let settled = |of: fn(&Period) -> Option<f64>| {
            // From there on, not at one period by chance; some are too long for these runs.
            let measured = self.periods.iter().filter_map(|p| Some((p, of(p)?)));
            let within = |(_, distance): &(&Period, f64)| *distance <= SAME;
            let settled = measured.rev().take_while(within).last();
            settled.map_or("in none of these periods".into(), |(period, _)| {
                format!("from {} cycles on", period.cycles)
            })
        };
        let _ = writeln!(
            out,
            "A single reading agrees with the whole run within {SAME} (the smallest distance in the paper's figure 4): on the mean {}, always {}. Runs count that hold {WHOLE} whole periods.",
            settled(|period| period.mean),
            settled(|period| period.largest)
        );
        out
    }

    fn shortest(&self) -> String {
        let rows = self.smallest.iter().map(|case| {
            let [one, two] = [0, 1].map(|index| {
                let counts = |counts: &[u64]| counts.get(index).map_or("-".into(), u64::to_string);
                [
                    number(case.shapley.get(index).copied(), 1),
                    counts(&case.gdc),
                    counts(&case.plob),
                ]
            });
            let pair = |what: usize| format!("{} : {}", one[what], two[what]);
            vec![
                match case.wrong {
                    Wrong::Gdc => "GDC",
                    Wrong::Plob => "PLOB",
                }
                .into(),
                case.ways.to_string(),
                case.line(),
                pair(0),
                pair(1),
                pair(2),
            ]
        });
        let mut out = table(
            "Shortest streams of one set by which one monitor ranks two co-runners against the truth, and the other with it",
            &["wrong", "ways", "kernel and line of each access", "truth, K1 : K2", "GDC", "PLOB"],
            rows,
        );
        let _ = writeln!(
            out,
            "\nExtra misses of K0 by Shapley's value, demotions and evictions of its lines. The traces are with the pictures (`--out`), for `cotenant replay --sets 1 --kernels 3 --ways N --trace FILE`."
        );
        out
    }
}

impl Smallest {
    /// The name of its trace.
    pub fn file(&self) -> String {
        let wrong = match self.wrong {
            Wrong::Gdc => "gdc",
            Wrong::Plob => "plob",
        };
        format!("{wrong}-wrong-{}-ways.csv", self.ways)
    }

    /// Its accesses: `0a 1a 0a`.
    fn line(&self) -> String {
        let Some(accesses) = &self.accesses else {
            return format!("none of up to {} accesses", self.longest);
        };
        let access = |&(kernel, line): &(u8, u8)| format!("{kernel}{}", char::from(b'a' + line));
        accesses.iter().map(access).collect::<Vec<_>>().join(" ")
    }
}
