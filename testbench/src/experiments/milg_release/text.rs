//! The report as Markdown.

use std::fmt::Write;

use cotenant_golden::calibration::solo::{Window, STEADY};
use cotenant_golden::sm::milg::Release;

use super::{pairs, schemes, Report, Run, LATER, PAPER, PAPER_QBMI, SEEDS};
use crate::experiments::statistics::{Compared, Pair, LEVEL};
use crate::experiments::table::table;

impl Report {
    /// The report as Markdown.
    pub fn text(&self) -> String {
        let Window { warm_up, measured } = self.from.window;
        let mut out = format!(
            "Seeds {:#x} and the {} after it, with each of which the second kernel starts {LATER} cycles later; each run measures {measured} cycles after {warm_up}. Means over the seeds, with the least and the most; \"halves differ\" is the most that the window's halves differ in a run, in instructions per cycle, misses or failures by access of one of the kernels, as a share.\n\n",
            self.from.seed,
            SEEDS - 1,
        );
        // Writing to a string cannot fail.
        if !self.from.complete {
            let _ = writeln!(
                out,
                "Interrupted: {} runs were done.\n",
                self.from.runs.len()
            );
        }
        out += &table(
            "ks under QBMI and DMIL",
            &[
                "pair",
                "blocks",
                "scheme",
                "RELEASE",
                "miss rate of ks",
                "paper",
                "failures of ks by access",
                "IPC of the other",
                "IPC of ks",
                "halves differ",
            ],
            pairs().flat_map(|pair| {
                let rows =
                    schemes().map(move |release| self.row(&pair.name(), pair.blocks, release));
                rows.collect::<Vec<_>>()
            }),
        );
        if let Some(compared) = &self.compared {
            out += &nearest(compared);
        }
        out
    }

    fn row(&self, pair: &str, blocks: [u32; 2], release: Option<Release>) -> Vec<String> {
        let runs = self.from.runs(pair, release);
        let of = |number: fn(&Run) -> f64, places| spread(runs.clone().map(number), places);
        let qbmi = PAPER_QBMI.iter().find(|(name, _)| *name == pair);
        let paper = match release {
            None => qbmi.map_or(PAPER, |(_, paper)| *paper),
            Some(_) => PAPER,
        };
        let drift = runs.clone().map(|run| run.drift).fold(0.0, f64::max);
        let steady = if drift > STEADY { ", not steady" } else { "" };
        vec![
            pair.into(),
            format!("{}, {}", blocks[0], blocks[1]),
            if release.is_some() { "DMIL" } else { "QBMI" }.into(),
            release.map_or("-", Release::name).into(),
            of(|run| run.kernels[1].miss_rate, 2),
            format!("{paper:.2}"),
            of(|run| run.kernels[1].failure_rate, 2),
            of(|run| run.kernels[0].ipc, 1),
            of(|run| run.kernels[1].ipc, 2),
            format!("{:.0} %{steady}", 100.0 * drift),
        ]
    }
}

/// The mean, the least and the most.
fn spread(values: impl Iterator<Item = f64> + Clone, places: usize) -> String {
    let count = values.clone().count();
    let least = values.clone().fold(f64::INFINITY, f64::min);
    let most = values.clone().fold(f64::NEG_INFINITY, f64::max);
    match count {
        0 => "-".into(),
        _ => format!(
            "{:.places$} ({least:.places$} to {most:.places$})",
            values.sum::<f64>() / count as f64
        ),
    }
}

/// Which rule is the nearest, and nearer than which.
fn nearest(compared: &Compared) -> String {
    let means = compared.means.iter().map(|mean| mean.mean).enumerate();
    let Some((best, _)) = means.min_by(|a, b| a.1.total_cmp(&b.1)) else {
        return String::new();
    };
    let to_best = |method: usize| {
        let pairs = compared.pairs.iter().map(|pair| match pair.methods {
            [_, second] if second == best => pair.exchanged(),
            _ => pair.clone(),
        });
        let mut pairs = pairs;
        pairs.find(|pair| pair.methods == [best, method])
    };
    let apart = |pair: &Pair| !pair.lead.may_be_0() && pair.p_holm < 1.0 - LEVEL;
    let rows = Release::ALL.iter().zip(&compared.means).enumerate();
    let rows = rows.map(|(method, (release, mean))| {
        let pair = to_best(method);
        vec![
            release.name().into(),
            mean.to_string(),
            pair.as_ref()
                .map_or("-".into(), |pair| pair.lead.to_string()),
            pair.as_ref()
                .map_or("-".into(), |pair| format!("{:.3}", pair.p_holm)),
            match &pair {
                None => "nearest",
                Some(pair) if apart(pair) => "farther",
                Some(_) => "not told apart from the nearest",
            }
            .into(),
        ]
    });
    format!(
        "\n{}",
        table(
            "Distance of the miss rate of ks from 0.52, over both pairs and all seeds",
            &[
                "RELEASE",
                "mean (95 % interval)",
                "behind the nearest by",
                "sign test, corrected",
                "",
            ],
            rows,
        )
    )
}
