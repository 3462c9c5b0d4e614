//! The report as Markdown.

use std::fmt::Write;

use super::hardware::{LANES, QUEUE};
use super::method::{shown, HARDWARE};
use super::reading::{Period, WHOLE};
use super::sampling::{Sampling, WIDE};
use super::smallest::{Smallest, Wrong};
use super::{By, Contention, Distances, Judgement, Method, Over, Report, Standing, AIM, METHODS};
use crate::experiments::statistics::Pair;
use crate::experiments::table::{number, percent, table};

/// The distance below which two breakdowns count as one: the smallest that the paper's figure 4
/// shows.
const SAME: f64 = crate::experiments::gdc4::PAPER[0];

/// Pairs of methods of which the text says who is nearer.
const SAID: [[Method; 2]; 11] = [
    [Method::Gdc, Method::Equal],
    [Method::Plob, Method::Equal],
    [Method::Gdc, Method::Plob],
    [Method::Sce, Method::Equal],
    [Method::Sce, Method::Gdc],
    [Method::Sce, Method::Plob],
    [Method::Sampled(8), Method::Sce],
    [Method::Sampled(16), Method::Sce],
    [Method::Hybrid(16), Method::Sampled(16)],
    [Method::Hybrid(32), Method::Hybrid(16)],
    [Method::All, Method::Hybrid(16)],
];

impl By {
    fn name(self) -> &'static str {
        match self {
            By::Streams => "same streams",
            By::Timed => "kernels run again",
        }
    }
}

impl Over {
    fn name(self) -> &'static str {
        match self {
            Over::CoRunners => "over the co-runners",
            Over::Kernels => "over all kernels, itself included",
        }
    }
}

/// `0.123 (0.100 to 0.145)`.
/// A probability: not more digits than say something.
fn probability(p: f64) -> String {
    match p {
        p if p < 0.0001 => "below 0.0001".into(),
        p => format!("{p:.4}"),
    }
}

impl Standing {
    /// Tables and sentences about all workloads, which say no more than the intervals allow.
    pub fn text(&self) -> String {
        let Self {
            floor,
            resamples,
            level,
            ..
        } = self;
        let mut out = format!(
            "Distances (wbd) from the truth: means over the workloads whose kernel under analysis has at least {floor} extra misses, with intervals of {} % by {resamples} bootstrap resamples of the workloads, each interval by itself. \"Hardware\" is what the netlist has counted.\n\n",
            100.0 * level
        );
        out += &self.means();
        // Writing to a string cannot fail.
        let _ = writeln!(
            out,
            "\nIn {} workloads the kernel under analysis does not make as many accesses without company, and is not run again.\n",
            self.never_timed
        );
        out += &self.lines();
        out += &self.beside();
        for (by, over) in [
            (By::Timed, Over::CoRunners),
            (By::Timed, Over::Kernels),
            (By::Streams, Over::CoRunners),
        ] {
            let Some(judgement) = self.judgement(by, over) else {
                continue;
            };
            out += &judgement.said();
            out += "\n";
        }
        if let Some(judgement) = self.judgement(By::Timed, Over::CoRunners) {
            out += &judgement.signs();
        }
        out
    }

    fn means(&self) -> String {
        let mut heads = vec!["method".to_string()];
        for judgement in &self.judgements {
            let Judgement {
                by,
                over,
                workloads,
                ..
            } = judgement;
            heads.push(format!(
                "{}, {} ({workloads} workloads)",
                by.name(),
                over.name()
            ));
        }
        heads.push("names the worst co-runner, kernels run again".into());
        let rows = shown().into_iter().map(|method| {
            let ranks = self
                .judgements
                .iter()
                .map(|judgement| judgement.rank(method));
            let mut cells = vec![method.name()];
            cells.extend(ranks.map(|rank| {
                rank.map_or("-".into(), |rank| match rank.silent {
                    0 => rank.distance.to_string(),
                    silent => format!("{}, {silent} silent", rank.distance),
                })
            }));
            let timed = self.judgement(By::Timed, Over::CoRunners);
            let named = timed.and_then(|timed| timed.rank(method)?.culprit);
            cells.push(named.map_or("-".into(), |named| named.to_string()));
            cells
        });
        let heads: Vec<&str> = heads.iter().map(String::as_str).collect();
        table("Mean distance from the truth", &heads, rows)
    }

    /// The truth about single misses.
    fn lines(&self) -> String {
        let all: u64 = self.contention.iter().map(|kind| kind.misses).sum();
        let most = self.contention.iter().map(|kind| kind.needed).max();
        let most = most.unwrap_or(0);
        let part = |needed: u32, indispensable: u32| {
            let is =
                |kind: &&Contention| (kind.needed, kind.indispensable) == (needed, indispensable);
            let kind = self.contention.iter().find(is);
            percent(kind.map(|kind| kind.misses as f64 / all as f64))
        };
        let rows = (1..=most).map(|needed| {
            let cells = (0..=most).map(|indispensable| part(needed, indispensable));
            std::iter::once(needed.to_string()).chain(cells).collect()
        });
        let heads: Vec<String> = (0..=most)
            .map(|indispensable| match indispensable {
                0 => "none alone".into(),
                1 => "one of them".into(),
                many => format!("each of {many}"),
            })
            .collect();
        let mut columns = vec!["co-runners needed to cause it"];
        columns.extend(heads.iter().map(String::as_str));
        let mut out = table(
            "Single misses: leaving out which co-runner would have kept the line, in percent of the contention misses",
            &columns,
            rows,
        );
        let Self {
            measured,
            line_level_exact,
            ..
        } = self;
        let _ = writeln!(
            out,
            "\n{all} contention misses of the kernels under analysis, with the same streams. In {line_level_exact} of {measured} workloads exact attribution of all sets divides each single access as the replays of all coalitions do, to the last sixth of a miss.\n"
        );
        out
    }

    /// The hardware beside the golden model.
    fn beside(&self) -> String {
        let rows = self.hardware.iter().map(|(sampling, found)| {
            let came = found.taken + found.dropped;
            let dropped = |part: f64| format!("{:.3} %", 100.0 * part);
            vec![
                sampling.sets.to_string(),
                sampling.tag_bits.to_string(),
                found.cycles.to_string(),
                found.mismatches.to_string(),
                came.to_string(),
                dropped(found.dropped as f64 / came.max(1) as f64),
                dropped(found.most),
                found.dropping.to_string(),
                found.equal.to_string(),
            ]
        });
        let heads = [
            "sampled sets",
            "bits of a tag",
            "cycles compared",
            "workloads that differ",
            "accesses to these sets",
            "dropped",
            "most in a workload",
            "workloads with drops",
            "counts equal to those of the exact pass",
        ];
        let mut out = table("The netlist in lockstep", &heads, rows);
        let _ = writeln!(
            out,
            "\n`attribution`, one beside all banks, LANES {LANES}, QUEUE {QUEUE}; in {} of {} workloads.",
            if self.hardware.is_empty() { 0 } else { self.measured },
            self.measured
        );
        for (by, over) in [(By::Timed, Over::CoRunners), (By::Streams, Over::CoRunners)] {
            let Some(judgement) = self.judgement(by, over) else {
                continue;
            };
            for [hardware, golden] in HARDWARE {
                if let Some(pair) = judgement.pair(golden, hardware) {
                    let [nearer, farther] = pair.nearer;
                    let _ = writeln!(
                        out,
                        "- {}, {}: the distance of {} less its golden model's is {} on the mean; it is farther in {nearer} workloads and nearer in {farther}.",
                        by.name(),
                        over.name(),
                        hardware.name(),
                        pair.lead
                    );
                }
            }
        }
        out + "\n"
    }
}

impl Judgement {
    /// What the intervals allow to say.
    fn said(&self) -> String {
        let mut out = format!(
            "### Who is nearer: {}, {}\n\n",
            self.by.name(),
            self.over.name()
        );
        for [a, b] in SAID {
            let Some(pair) = self.pair(a, b) else {
                continue;
            };
            let _ = writeln!(out, "- {}", sentence(a, b, &pair));
        }
        let aimed = (self.by, self.over) == (By::Timed, Over::CoRunners);
        let hybrids = [
            Method::Hybrid(16),
            Method::HybridNetlist(Sampling::of(16)),
            Method::HybridNetlist(WIDE),
        ];
        let hybrids = hybrids.into_iter().filter(|_| aimed);
        for rank in hybrids.filter_map(|hybrid| self.rank(hybrid)) {
            let [from, to] = rank.distance.interval;
            let met = match (from <= AIM, to <= AIM) {
                (_, true) => "met: the whole interval is below it",
                (true, false) => "not decided: the interval holds it",
                (false, false) => "missed: the whole interval is above it",
            };
            let _ = writeln!(
                out,
                "- The aim for {} is a mean distance of {AIM}; it is {}: {met}.",
                rank.method, rank.distance
            );
        }
        out
    }

    /// All sign tests.
    fn signs(&self) -> String {
        let names = METHODS.map(Method::name);
        let mut heads = vec!["nearer : farther"];
        heads.extend(names.iter().map(String::as_str));
        let rows = METHODS.into_iter().map(|a| {
            let cell = |b: Method| {
                self.pair(a, b).map_or("-".into(), |pair| {
                    let told = if pair.p_holm <= 1.0 - crate::experiments::statistics::LEVEL {
                        " *"
                    } else {
                        ""
                    };
                    format!("{} : {}{told}", pair.nearer[0], pair.nearer[1])
                })
            };
            let cells = METHODS.map(cell);
            std::iter::once(a.name()).chain(cells).collect()
        });
        let title = format!(
            "Workloads in which the row's method is nearer than the column's: {}, {}",
            self.by.name(),
            self.over.name()
        );
        let mut out = table(&title, &heads, rows);
        let _ = writeln!(
            out,
            "\n`*`: an exact two-sided sign test rejects at the level of 5 %, corrected by Holm's method for all {} pairs that are compared, those with the hardware included; so are the probabilities above that are called corrected.",
            self.pairs.len()
        );
        out
    }
}

/// Who of two is nearer, if the interval of the difference and the sign test say so.
fn sentence(a: Method, b: Method, pair: &Pair) -> String {
    let (pair, [a, b]) = match pair.lead.mean < 0.0 {
        true => (pair.exchanged(), [b, a]),
        false => (*pair, [a, b]),
    };
    let [nearer, farther] = pair.nearer;
    let (a, b) = (a.name(), b.name());
    let lead = pair.lead;
    let tested = format!(
        "{a} is nearer in {nearer} workloads and farther in {farther}, sign test p {}, corrected {}",
        probability(pair.p),
        probability(pair.p_holm)
    );
    match pair.lead.may_be_0() {
        true => {
            format!("Not told apart on the mean: {a} and {b}; {lead} in favour of {a}; {tested}.")
        }
        false => format!("Nearer on the mean: {a} than {b}, by {lead}; {tested}."),
    }
}

impl Report {
    /// The report as Markdown.
    pub fn text(&self) -> String {
        let seeds: Vec<String> = self.seeds.iter().map(|seed| format!("{seed:#x}")).collect();
        let mut out = format!(
            "Seeds {}; {} accesses to the L2 per workload.\n\n",
            seeds.join(", "),
            self.accesses
        );
        // Writing to a string cannot fail.
        if let Some(mismatch) = self.mismatch() {
            let _ = writeln!(out, "MISMATCH: {mismatch}\n");
        }
        if !self.complete {
            let (done, of) = (self.workloads.len(), 32 * self.seeds.len());
            let _ = writeln!(out, "{done} of {of} workloads are in.\n");
        }
        out += &self.standing.text();
        out += "\n";
        out += &self.readings();
        out += "\n";
        out += &self.shortest();
        out
    }

    /// All workloads.
    pub fn workloads_text(&self) -> String {
        self.workloads_by(By::Streams) + "\n" + &self.workloads_by(By::Timed)
    }

    fn workloads_by(&self, by: By) -> String {
        let names: Vec<String> = shown().into_iter().map(Method::name).collect();
        let mut heads = vec![
            "seed",
            "workload",
            "KUA beside CK1, CK2, CK3",
            "extra misses",
            "truth: CK1",
            "CK2",
            "CK3",
        ];
        heads.extend(names.iter().map(String::as_str));
        let rows = self.workloads.iter().map(|outcome| {
            let truth = outcome.truth(by);
            let found: Option<&Distances> = truth.and_then(|truth| truth.co_runners.as_ref());
            let mut cells = vec![
                format!("{:#x}", outcome.drawn_by),
                outcome.workload.name(),
                outcome.workload.title(),
                truth.map_or("-".into(), |truth| truth.extra.to_string()),
            ];
            let share = |kid: usize| percent(found.and_then(|f| f.shares.get(kid).copied()));
            cells.extend((0..outcome.workload.kernels.len() - 1).map(share));
            let distance =
                |name: &String| number(found.and_then(|f| f.distance.get(name).copied()), 3);
            cells.extend(names.iter().map(distance));
            cells
        });
        let title = format!(
            "{}: shares of the extra misses in percent, and distances",
            by.name()
        );
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
