//! The report as Markdown.

use cotenant_golden::gpu::config::Policy;
use cotenant_golden::schemes::run::Variant;
use std::fmt::Write;

use super::plan::class;
use super::steady::BOUND;
use super::{Promised, Report, WarmUp};
use crate::experiments::statement::{signed, statements};
use crate::experiments::table::{number, table};

/// A machine in words.
pub(super) fn machine(variant: Variant) -> String {
    let policy = match variant.policy {
        Policy::Gto => "GTO",
        Policy::Lrr => "LRR",
    };
    format!("{policy}, L1D of {} KB", variant.l1d)
}

fn percent(share: f64) -> String {
    format!("{:+.1}", 100.0 * share)
}

impl Report {
    /// The report as Markdown.
    pub fn text(&self) -> String {
        let [done, all] = self.workloads;
        let mut out = format!(
            "Seed {:#x}; {} cycles after {} in each run, preset `maxwell-fit` with hash {}; {done} of {all} workloads under all schemes.\n\n",
            self.seed, self.window.measured, self.window.warm_up, self.preset
        );
        // Writing to a string cannot fail.
        if !self.complete {
            let _ = writeln!(out, "Interrupted: {done} workloads were done.\n");
        }
        if !matches!(self.experiment, "sm-blocks" | "sm-limits") {
            out += &self.groups_and_gains();
        }
        if !self.spots.is_empty() {
            out += &self.thread_blocks();
        }
        if !self.numbers.is_empty() {
            out += &table(
                "The paper's numbers",
                &[
                    "number",
                    "source",
                    "the paper",
                    "here",
                    "deviation",
                    "sign",
                    "why not",
                ],
                self.numbers.iter().map(|row| {
                    let sign = row.sign.map(|sign| if sign { "right" } else { "wrong" });
                    vec![
                        row.what.clone(),
                        row.source.into(),
                        format!("{:.2}", row.paper),
                        format!("{:.2}", row.ours),
                        signed(row.deviation),
                        sign.unwrap_or("-").into(),
                        row.why.into(),
                    ]
                }),
            );
            let _ = writeln!(out);
        }
        if !self.statements.is_empty() {
            out += &statements(&self.statements);
            let _ = writeln!(out);
        }
        out + &self.steadiness()
    }

    fn steadiness(&self) -> String {
        let mut out = table(
            "Steadiness: how far a kernel's IPC is from its mean over the second half of the window",
            &["stretch of time", "median in %", "nine of ten within %"],
            self.steady.iter().map(|row| {
                let stretch = match row.period {
                    0 => "warm-up".into(),
                    period => format!("tenth {period}"),
                };
                let percent = |share: f64| format!("{:.1}", 100.0 * share);
                vec![stretch, percent(row.median), percent(row.of_ten)]
            }),
        );
        if self.warm_ups.is_empty() {
            return out;
        }
        let warm_ups = 0..self.warm_ups[0].weighted_speedup.len();
        let columns = warm_ups.map(|tenths| match tenths {
            0 => "no warm-up".to_owned(),
            1 => "1 tenth, as run".into(),
            tenths => format!("{tenths} tenths"),
        });
        let columns: Vec<String> = ["machine".into(), "scheme".into()]
            .into_iter()
            .chain(columns)
            .collect();
        out += "\n";
        out += &table(
            "Warm-up: mean weighted speedup by its length in tenths of the window",
            &columns.iter().map(String::as_str).collect::<Vec<_>>(),
            self.warm_ups.iter().map(|row| {
                let speedups = row.weighted_speedup.iter();
                let speedups = speedups.map(|speedup| format!("{speedup:.3}"));
                [machine(row.machine), row.scheme.clone()]
                    .into_iter()
                    .chain(speedups)
                    .collect()
            }),
        );
        let change = self.warm_ups.iter().map(WarmUp::change).fold(0.0, f64::max);
        let verdict = match self.warm_ups.iter().all(|row| row.change() < BOUND) {
            true => "long enough",
            false => "too short",
        };
        // Writing to a string cannot fail.
        let _ = writeln!(
            out,
            "\nA warm-up of 2 tenths changes the mean of a scheme by {:.2} % at most. By the rule that it must be less than {:.0} %, that of the runs is {verdict}.",
            100.0 * change,
            100.0 * BOUND,
        );
        out
    }

    fn thread_blocks(&self) -> String {
        let blocks = |[a, b]: [u8; 2]| format!("({a}, {b})");
        let promised = |it: &Promised| {
            format!(
                "{}: {:.2}, measured {:.2}",
                blocks(it.blocks),
                it.promised,
                it.measured
            )
        };
        table(
            "Thread blocks of both kernels on an SM, and weighted speedup",
            &[
                "pair",
                "type",
                "divisions that fit",
                "lowest",
                "highest",
                "with",
                "curves of each alone promise",
                "curves profiled online promise",
            ],
            self.spots.iter().map(|spot| {
                vec![
                    spot.pair.join("+"),
                    class(&spot.pair),
                    spot.divisions.len().to_string(),
                    format!("{:.2}", spot.least),
                    format!("{:.2}", spot.most),
                    blocks(spot.best),
                    promised(&spot.alone),
                    promised(&spot.online),
                ]
            }),
        ) + "\n"
    }

    fn groups_and_gains(&self) -> String {
        let mut out = table(
            "Means by machine, type of workload and scheme",
            &[
                "machine",
                "type",
                "scheme",
                "workloads",
                "weighted speedup",
                "ANTT",
                "a kernel starved",
                "fairness",
                "L1D miss rate",
            ],
            self.groups.iter().map(|group| {
                let speedup = group.weighted_speedup.map(|mean| mean.to_string());
                vec![
                    machine(group.machine),
                    group.class.clone(),
                    group.scheme.clone(),
                    group.workloads.to_string(),
                    speedup.unwrap_or("-".into()),
                    number(group.antt, 2),
                    group.starved.to_string(),
                    number(group.fairness, 3),
                    number(group.miss_rate, 3),
                ]
            }),
        );
        out += "\n";
        out += &table(
            "A scheme over another one in the same workloads, in percent",
            &[
                "machine",
                "scheme",
                "over",
                "weighted speedup",
                "interval of 95 %",
                "better in",
                "worse in",
                "sign test p",
                "ANTT, less",
                "fairness, more",
            ],
            self.gains.iter().map(|gain| {
                let [from, to] = gain.weighted_speedup.interval.map(percent);
                let share = |share: Option<f64>| share.map_or("-".into(), percent);
                vec![
                    machine(gain.machine),
                    gain.scheme.clone(),
                    gain.over.clone(),
                    percent(gain.weighted_speedup.mean),
                    format!("{from} to {to}"),
                    gain.better[0].to_string(),
                    gain.better[1].to_string(),
                    format!("{:.3}", gain.p),
                    share(gain.antt),
                    share(gain.fairness),
                ]
            }),
        );
        out + "\n"
    }
}
