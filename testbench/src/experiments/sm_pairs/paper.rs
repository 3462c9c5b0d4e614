//! What the paper reports, and ours.

use cotenant_golden::schemes::run::Variant;
use cotenant_golden::schemes::{Issue, Partition, Scheme};
use cotenant_golden::sm::milg::Release;
use serde::Serialize;

use super::evaluate::{Evaluation, Spot};
use super::plan::{smk, ws, Workload, KB_48, KB_96, LRR, NAMED, SPATIAL};
use crate::experiments::statement::{deviation, Statement};

/// A number of the paper and ours.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Number {
    /// What it is.
    pub what: String,
    /// Where it stands.
    pub source: &'static str,
    /// The paper's.
    pub paper: f64,
    /// Ours.
    pub ours: f64,
    /// In per cent of the paper's.
    pub deviation: f64,
    /// Of gains: whether ours has the paper's sign.
    pub sign: Option<bool>,
    /// Of those that are further than 10 % away, or have the other sign: why, as far as it is known.
    pub why: &'static str,
}

impl Number {
    fn reached(&self) -> bool {
        self.deviation.abs() <= 10.0 && self.sign != Some(false)
    }
}

/// Why a number is not reached, by what it is.
fn why(what: &str) -> &'static str {
    let has = |words: &[&str]| words.iter().all(|word| what.contains(word));
    match () {
        () if has(&["over SMK-(P+W)", "ANTT"]) => {
            "SMK's quotas have a lower ANTT here than any policy on SMK-P, and the lowest speed of all"
        }
        () if has(&["over SMK-(P+W)"]) => "SMK's quotas have the lowest speed of all schemes here",
        () if has(&["WS-DMIL over WS", "speedup"]) && !has(&["96 KB"]) => {
            "WS alone is faster here than in the paper"
        }
        () if has(&["normalised IPC of bp"]) => {
            "bp's accesses beside sv are the paper's, and its IPC is in proportion to them here"
        }
        () if has(&["miss rate of ks", "DMIL"]) => {
            "depends on what MILG does where it would divide by zero: see sm-releases"
        }
        () => "unknown",
    }
}

const PAPER: Variant = Variant::PAPER;
const NONE: Issue = Issue::Free;

fn number(what: String, source: &'static str, paper: f64, ours: Option<f64>) -> Option<Number> {
    let ours = ours?;
    let number = Number {
        what,
        source,
        paper,
        ours,
        deviation: deviation(ours, paper),
        sign: None,
        why: "",
    };
    Some(explained(number))
}

fn explained(number: Number) -> Number {
    let why = if number.reached() {
        ""
    } else {
        why(&number.what)
    };
    Number { why, ..number }
}

/// Weighted speedup over all workloads of two or of three.
fn speedup(e: &Evaluation<'_>, scheme: Scheme, paper: f64, source: &'static str) -> Option<Number> {
    let ours = e.mean(PAPER, "all", scheme)?.weighted_speedup;
    number(
        format!("{scheme}: weighted speedup"),
        source,
        paper,
        Some(ours),
    )
}

/// A scheme over its base in per cent: weighted speedup, ANTT, fairness, as far as the paper has them.
fn gains(
    e: &Evaluation<'_>,
    (machine, name): (Variant, &str),
    scheme: Scheme,
    paper: [Option<f64>; 3],
    source: &'static str,
) -> Vec<Number> {
    let over = match scheme.partition {
        Partition::Drf => smk(Issue::Quotas),
        _ => ws(NONE),
    };
    let of = |scheme| Some(e.mean(machine, "all", scheme)?.weighted_speedup);
    let ratio = of(scheme)
        .zip(of(over))
        .map(|(one, other)| one / other - 1.0);
    let [antt, fairness] = e.better(machine, scheme, over);
    let names = ["weighted speedup, more", "ANTT, less", "fairness, more"];
    let each = names.into_iter().zip([ratio, antt, fairness]).zip(paper);
    let row = |((what, ours), paper): ((&str, Option<f64>), Option<f64>)| {
        let paper = paper?;
        let what = format!("{name}{scheme} over {over} in %: {what}");
        let found = number(what, source, paper, ours.map(|share| 100.0 * share))?;
        let sign = Some(found.ours * paper > 0.0);
        Some(explained(Number { sign, ..found }))
    };
    each.filter_map(row).collect()
}

/// All numbers for which the runs are there.
pub fn numbers(e: &Evaluation<'_>) -> Vec<Number> {
    let of = |a, b| [Some(a), Some(b), None];
    let [qbmi, dmil] = [Issue::Qbmi, Issue::Dmil];
    let mut rows: Vec<Option<Number>> = vec![];
    let more = |rows: &mut Vec<Option<Number>>, machine, scheme, paper, source| {
        rows.extend(
            gains(e, machine, scheme, paper, source)
                .into_iter()
                .map(Some),
        );
    };
    match e.experiment() {
        "sm-pairs" => {
            let source = "section 4.1.1";
            rows.push(speedup(e, SPATIAL, 1.13, source));
            rows.push(speedup(e, ws(NONE), 1.20, source));
            rows.push(speedup(e, ws(qbmi), 1.22, source));
            rows.push(speedup(e, ws(dmil), 1.49, source));
            let paper = [1.5, 40.5, 17.8].map(Some);
            more(&mut rows, (PAPER, ""), ws(qbmi), paper, source);
            let paper = [24.6, 56.1, 32.3].map(Some);
            more(&mut rows, (PAPER, ""), ws(dmil), paper, source);
            let source = "section 4.1.2";
            rows.push(speedup(e, smk(Issue::Quotas), 1.10, source));
            rows.push(speedup(e, smk(qbmi), 1.15, source));
            rows.push(speedup(e, smk(dmil), 1.40, source));
            more(&mut rows, (PAPER, ""), smk(qbmi), of(4.4, 49.2), source);
            more(&mut rows, (PAPER, ""), smk(dmil), of(27.2, 64.6), source);
            let source = "section 4.3";
            for (machine, name, papers) in [
                (LRR, "LRR: ", [of(3.2, 16.4), of(25.8, 34.3)]),
                (KB_48, "L1D of 48 KB: ", [of(2.1, 32.1), of(18.5, 22.6)]),
                (KB_96, "L1D of 96 KB: ", [of(1.5, 30.8), of(3.5, 10.1)]),
            ] {
                for (issue, paper) in [qbmi, dmil].into_iter().zip(papers) {
                    more(&mut rows, (machine, name), ws(issue), paper, source);
                }
            }
            rows.extend(of_bp_sv(e));
            for (pair, before) in [(["bp", "ks"], 0.88), (["sv", "ks"], 0.98)] {
                for (issue, paper) in [(qbmi, before), (dmil, KS_MISSES)] {
                    let what = format!("{}: L1D miss rate of ks, {}", pair.join("+"), ws(issue));
                    let ours = e.miss_rate(&pair, ws(issue), "ks");
                    rows.push(number(what, "figure 11(b)", paper, ours));
                }
            }
        }
        "sm-credits" => {
            for issue in [qbmi, Issue::QbmiCap] {
                let source = "section 4.1.1";
                rows.push(speedup(e, ws(issue), 1.22, source));
                let paper = [1.5, 40.5, 17.8].map(Some);
                more(&mut rows, (PAPER, ""), ws(issue), paper, source);
            }
        }
        "sm-releases" => {
            for pair in &e.workloads {
                for release in Release::ALL {
                    let what = format!(
                        "{}: L1D miss rate of ks, {}",
                        pair.join("+"),
                        of_release(release)
                    );
                    let ours = e.miss_rate(pair, of_release(release), "ks");
                    rows.push(number(what, "figure 11(b)", KS_MISSES, ours));
                }
            }
        }
        "sm-triples" => {
            let source = "section 4.2";
            more(&mut rows, (PAPER, ""), ws(qbmi), of(3.2, 58.3), source);
            more(&mut rows, (PAPER, ""), ws(dmil), of(19.4, 68.7), source);
            more(&mut rows, (PAPER, ""), smk(qbmi), of(5.5, 79.1), source);
            more(&mut rows, (PAPER, ""), smk(dmil), of(21.9, 85.9), source);
        }
        _ => {}
    }
    rows.into_iter().flatten().collect()
}

/// L1D misses per access of ks under WS-DMIL, beside bp and beside sv (figure 11(b)).
const KS_MISSES: f64 = 0.52;

fn of_release(release: Release) -> Scheme {
    ws(Issue::DmilRelease(release))
}

/// Which effect comes nearest to the paper's miss rate of ks, over both pairs.
fn of_releases(e: &Evaluation<'_>) -> Vec<Option<Statement>> {
    let off = |release: &Release| {
        let of = |pair: &&Workload| {
            let misses = e.miss_rate(pair, of_release(*release), "ks")?;
            Some((misses - KS_MISSES).abs())
        };
        let each: Vec<f64> = e.workloads.iter().map(of).collect::<Option<_>>()?;
        let mean = each.iter().sum::<f64>() / each.len().max(1) as f64;
        Some((*release, mean))
    };
    let all: Option<Vec<(Release, f64)>> = Release::ALL.iter().map(off).collect();
    let nearest = || {
        let mut all = all?;
        all.sort_by(|a, b| a.1.total_cmp(&b.1));
        let text: Vec<String> = all
            .iter()
            .map(|(release, off)| format!("{} {off:.2}", release.name()))
            .collect();
        // ASSUMPTION: 10 %, as of all numbers.
        let holds = all.first()?.1 <= 0.1 * KS_MISSES;
        let what = "DMIL brings ks's L1D miss rate to 0.52 beside bp and sv (figure 11(b)); mean distance by effect, nearest first";
        Some(Statement::new(what, text.join(", "), holds))
    };
    vec![nearest()]
}

fn of_bp_sv(e: &Evaluation<'_>) -> Vec<Option<Number>> {
    let pair = ["bp", "sv"];
    let normalised = |issue, paper| {
        let ours = e
            .together(PAPER, &pair, ws(issue))
            .map(|it| it.normalised[0]);
        let what = format!("bp+sv: normalised IPC of bp, {}", ws(issue));
        number(what, "figure 8(d)", paper, ours)
    };
    let accesses = |what: &str, beside, paper| {
        let what = format!("bp: L1D accesses in 1000 cycles of an SM, {what}");
        number(what, "figure 6", paper, e.accesses(beside, "bp"))
    };
    let theory = e.sweet_spot(&pair, Partition::Offline).map(|(_, sum)| sum);
    let what = "bp+sv: weighted speedup that the curves promise at the sweet spot";
    vec![
        normalised(NONE, 0.39),
        normalised(Issue::Rbmi, 0.45),
        normalised(Issue::Qbmi, 0.48),
        accesses("alone", None, 130.0),
        accesses("beside sv, WS", Some((&pair, ws(NONE))), 70.0),
        number(what.into(), "section 2.5", 1.94, theory),
    ]
}

/// All sentences for which the runs are there.
pub fn statements(e: &Evaluation<'_>) -> Vec<Statement> {
    let found = match e.experiment() {
        "sm-blocks" => of_blocks(e),
        "sm-pairs" => of_pairs(e),
        "sm-releases" => of_releases(e),
        "sm-triples" => of_triples(e),
        "sm-limits" => of_limits(e),
        _ => vec![],
    };
    found.into_iter().flatten().collect()
}

/// Weighted speedups as text, and whether each is above the one before.
fn rising(e: &Evaluation<'_>, kind: &str, schemes: &[Scheme]) -> Option<(String, bool)> {
    let of = |scheme: &Scheme| Some(e.mean(PAPER, kind, *scheme)?.weighted_speedup);
    let values: Vec<f64> = schemes.iter().map(of).collect::<Option<_>>()?;
    let texts: Vec<String> = schemes
        .iter()
        .zip(&values)
        .map(|(s, v)| format!("{s} {v:.2}"))
        .collect();
    Some((
        texts.join(", "),
        values.windows(2).all(|pair| pair[0] < pair[1]),
    ))
}

fn of_pairs(e: &Evaluation<'_>) -> Vec<Option<Statement>> {
    let [qbmi, dmil] = [Issue::Qbmi, Issue::Dmil];
    let order = |what: &str, kind, schemes: &[Scheme]| {
        let (text, rises) = rising(e, kind, schemes)?;
        let why = "QBMI loses weighted speedup here: unknown why";
        Some(Statement::new(what, text, rises).because(why))
    };
    let speedup = |kind, scheme| Some(e.mean(PAPER, kind, scheme)?.weighted_speedup);
    // ASSUMPTION: unchanged is within 3 %.
    let unchanged = || {
        let base = speedup("C+C", ws(NONE))?;
        let off = |issue| Some(100.0 * (speedup("C+C", ws(issue))? / base - 1.0));
        let (q, d) = (off(qbmi)?, off(dmil)?);
        let text = format!("QBMI {q:+.1} %, DMIL {d:+.1} %");
        let holds = q.abs() <= 3.0 && d.abs() <= 3.0;
        Some(Statement::new(
            "C+C: unchanged by QBMI and DMIL (section 4.1.1)",
            text,
            holds,
        ))
    };
    let ucp = || {
        let gain = |pair: &[&str; 2]| {
            let of = |issue| Some(e.together(PAPER, pair, ws(issue))?.weighted_speedup);
            Some((pair.join("+"), of(Issue::Ucp)? / of(NONE)? - 1.0))
        };
        let gains: Vec<(String, f64)> = NAMED.iter().map(gain).collect::<Option<_>>()?;
        let text: Vec<String> = gains
            .iter()
            .map(|(pair, g)| format!("{pair} {:+.1} %", 100.0 * g))
            .collect();
        // ASSUMPTION: a gain is one of more than 1 %.
        let holds = gains
            .iter()
            .all(|(pair, gain)| (*gain > 0.01) == (pair == "sv+ax"));
        let what = "UCP on the L1D: of these pairs only sv+ax gains (section 3.1)";
        Some(Statement::new(what, text.join(", "), holds).because("unknown"))
    };
    let helps_not = |issue, what: &str| {
        let ratio = speedup("all", ws(issue))? / speedup("all", ws(NONE))?;
        let text = format!("{:+.1} %", 100.0 * (ratio - 1.0));
        Some(Statement::new(what, text, ratio < 1.01))
    };
    let spot = || {
        let pair = ["bp", "sv"];
        let (offline, _) = e.sweet_spot(&pair, Partition::Offline)?;
        let (online, _) = e.sweet_spot(&pair, Partition::Online)?;
        let text = format!("offline {offline:?}, online {online:?}");
        let what = "bp+sv: the sweet spot is (9, 4) (section 2.5)";
        Some(Statement::new(what, text, offline == [9, 4]).because("unknown"))
    };
    vec![
        order(
            "Spatial < WS < WS-QBMI < WS-DMIL (figure 12(a))",
            "all",
            &[SPATIAL, ws(NONE), ws(qbmi), ws(dmil)],
        ),
        order(
            "C+M: WS < WS-QBMI < WS-DMIL (figure 12(a))",
            "C+M",
            &[ws(NONE), ws(qbmi), ws(dmil)],
        ),
        order(
            "M+M: WS < WS-QBMI < WS-DMIL (figure 12(a))",
            "M+M",
            &[ws(NONE), ws(qbmi), ws(dmil)],
        ),
        order(
            "SMK-(P+W) < SMK-(P+QBMI) < SMK-(P+DMIL) (figure 13(a))",
            "all",
            &[smk(Issue::Quotas), smk(qbmi), smk(dmil)],
        ),
        order(
            "QBMI+DMIL is slightly better than DMIL (section 3.4)",
            "all",
            &[ws(dmil), ws(Issue::QbmiDmil)],
        ),
        unchanged(),
        helps_not(
            Issue::Ucp,
            "UCP on the L1D gains nothing on average (section 3.1)",
        ),
        ucp(),
        helps_not(
            Issue::MissEntries,
            "partitioned MSHRs and miss queues gain nothing (section 4.5)",
        ),
        spot(),
    ]
}

fn of_triples(e: &Evaluation<'_>) -> Vec<Option<Statement>> {
    let of_all_m = || {
        let of = |issue| e.mean(PAPER, "M+M+M", ws(issue));
        let (before, after) = (of(NONE)?, of(Issue::Dmil)?);
        let speedups = [before.weighted_speedup, after.weighted_speedup];
        let text = format!(
            "weighted speedup {:.2} to {:.2}, fairness {:.2} to {:.2}",
            speedups[0], speedups[1], before.fairness, after.fairness
        );
        let holds = speedups[1] > speedups[0] && after.fairness < before.fairness;
        let what = "M+M+M: DMIL gains speed and loses fairness (section 4.2)";
        Some(Statement::new(what, text, holds).because("unknown"))
    };
    let order = || {
        let schemes = [ws(NONE), ws(Issue::Qbmi), ws(Issue::Dmil)];
        let (text, rises) = rising(e, "all", &schemes)?;
        let why = "QBMI loses weighted speedup here: unknown why";
        let what = "WS < WS-QBMI < WS-DMIL (figure 14)";
        Some(Statement::new(what, text, rises).because(why))
    };
    vec![order(), of_all_m()]
}

fn of_blocks(e: &Evaluation<'_>) -> Vec<Option<Statement>> {
    let sweet = |spot: &Spot| {
        let of = |wanted| spot.divisions.iter().find(|(blocks, _)| *blocks == wanted);
        let there = of([9, 4]).map_or(String::new(), |(_, it)| {
            format!("; measured {it:.2} at (9, 4)")
        });
        let [a, b] = spot.alone.blocks;
        let text = format!("({a}, {b}){there}, {:.2} at best", spot.most);
        let what =
            "bp+sv: the sweet spot of curves of each alone is (9, 4) (section 2.5 and figure 3)";
        Statement::new(what, text, [a, b] == [9, 4]).because("sv's curve has its peak elsewhere")
    };
    let spots = e.spots();
    let found = spots.iter().find(|spot| spot.pair == ["bp", "sv"]);
    vec![found.map(sweet)]
}

fn of_limits(e: &Evaluation<'_>) -> Vec<Option<Statement>> {
    let best = |pair: [&str; 2], paper: &str, holds: fn([u8; 2]) -> bool| {
        let (limits, speedup) = e.best_limits(&pair)?;
        let text = format!("({}, {}) with {speedup:.2}", of(limits[0]), of(limits[1]));
        Some(Statement::new(paper, text, holds(limits)).because("unknown"))
    };
    // ASSUMPTION: low is below the middle between the lowest and the highest.
    let low = |pair: [&str; 2]| {
        let all =
            || (0..=super::plan::MOST).flat_map(|a| (0..=super::plan::MOST).map(move |b| [a, b]));
        let ours = |limits| e.limited(&pair, limits);
        let (least, most) = all()
            .filter_map(ours)
            .fold((f64::MAX, 0.0f64), |(least, most), it| {
                (least.min(it), most.max(it))
            });
        let loose = |[_, b]: &[u8; 2]| *b == 0 || *b >= 8;
        let highest = all().filter(loose).filter_map(ours).fold(0.0, f64::max);
        let what = format!(
            "{}: low where the limit of ks is 8 or more (figure 9)",
            pair.join("+")
        );
        let text = format!("at most {highest:.2} there, {least:.2} to {most:.2} in all");
        (most > 0.0).then(|| Statement::new(what, text, highest < (least + most) / 2.0))
    };
    vec![
        best(
            ["sv", "ks"],
            "sv+ks: the best static limits are (3, 1) (figure 9(c))",
            |it| it == [3, 1],
        ),
        best(
            ["pf", "bp"],
            "pf+bp: best without limits (figure 9(a))",
            |it| it.iter().all(|&limit| limit == 0 || limit >= 16),
        ),
        low(["bp", "ks"]),
        low(["sv", "ks"]),
    ]
}

fn of(limit: u8) -> String {
    match limit {
        0 => "none".into(),
        limit => limit.to_string(),
    }
}
