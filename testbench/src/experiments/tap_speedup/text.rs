//! The report as Markdown.

use std::fmt::Write;

use super::{ByRate, Compared, Gain, Lead, Report, Sides};
use crate::experiments::table::table;

impl Report {
    /// The report as Markdown.
    pub fn text(&self) -> String {
        let mut out = format!(
            "Seed {:#x}; {} cycles of the GPU measured after half as many to warm up, policies decide every {} cycles.\n\n",
            self.seed, self.cycles, self.period
        );
        // Writing to a string cannot fail.
        if !self.complete {
            let (done, of) = (self.workloads.len(), self.of);
            let _ = writeln!(out, "{done} of {of} workloads are in.\n");
        }
        for set in &self.sets {
            out += &of_set(set);
            let _ = writeln!(out);
        }
        out
    }
}

fn of_set(set: &Compared) -> String {
    let mut out = table(
        &format!(
            "Speedup over LRU in percent: {} workloads of the set {}, geometric mean with an interval of 95 %",
            set.workloads, set.set
        ),
        &[
            "policy", "all", "interval", "the paper", "sign", "type A", "B", "C", "D", "E", "worst",
            "best", "slower than LRU by 1 %",
        ],
        set.gains.iter().map(row),
    );
    out.push('\n');
    if let Some(order) = &set.order {
        let paper: Vec<String> = order.paper.iter().map(|equal| equal.join(" = ")).collect();
        // Writing to a string cannot fail.
        let _ = writeln!(
            out,
            "Order in the paper: {}. Here: {}. Pairs that the paper tells apart: {}, in the same order here: {}.\n",
            paper.join(" > "),
            order.ours.join(" > "),
            order.pairs,
            order.same
        );
    }
    out += &table(
        &format!(
            "CPU applications and GPU application apart, {}: speedup over LRU in percent",
            set.set
        ),
        &[
            "policy",
            "CPUs, type A",
            "B",
            "C",
            "D",
            "E",
            "GPU, type A",
            "B",
            "C",
            "D",
            "E",
            "GPU's misses in percent, type A",
            "B",
            "C",
            "D",
            "E",
        ],
        set.sides.iter().map(of_sides),
    );
    if !set.by_rate.is_empty() {
        out.push('\n');
        out += &table(
            &format!(
                "Workloads whose GPU accesses the L3 more than ten times as often as any CPU (XSRATIO above 1), {}: speedup over LRU in percent",
                set.set
            ),
            &[
                "policy", "type", "workloads", "of", "speedup in these", "in the others",
            ],
            set.by_rate.iter().flat_map(of_rate),
        );
    }
    if !set.leads.is_empty() {
        out.push('\n');
        out += &table(
            &format!(
                "One policy over another in the same workloads, {}: speedup in percent",
                set.set
            ),
            &[
                "policy",
                "over",
                "all",
                "interval",
                "type A",
                "B",
                "C",
                "D",
                "E",
                "faster in",
                "slower in",
                "p (sign test, Holm)",
            ],
            set.leads.iter().map(of_lead),
        );
    }
    out
}

fn of_lead(lead: &Lead) -> Vec<String> {
    let [from, to] = lead.all.interval.map(percent);
    let mut cells = vec![
        lead.policy.into(),
        lead.over.into(),
        percent(lead.all.mean),
        format!("{from} to {to}"),
    ];
    cells.extend(lead.by_type.map(|of| of.map_or("-".into(), percent)));
    cells.extend(lead.faster.map(|count| count.to_string()));
    cells.push(if lead.p < 0.001 {
        "< 0.001".into()
    } else {
        format!("{:.3}", lead.p)
    });
    cells
}

fn of_sides(sides: &Sides) -> Vec<String> {
    let all = [&sides.cpus, &sides.gpu, &sides.gpu_misses];
    let all = all.into_iter().flatten();
    let cells = all.map(|of| of.map_or("-".into(), percent));
    [sides.policy.into()].into_iter().chain(cells).collect()
}

fn of_rate(of: &ByRate) -> impl Iterator<Item = Vec<String>> + '_ {
    let row = |kind: usize| {
        let gain = |part: usize| of.gain[part][kind].map_or("-".into(), percent);
        let [above, all] = of.above[kind];
        vec![
            of.policy.into(),
            ["A", "B", "C", "D", "E"][kind].into(),
            above.to_string(),
            all.to_string(),
            gain(0),
            gain(1),
        ]
    };
    (0..5).map(row)
}

fn percent(share: f64) -> String {
    // No minus sign in front of what is rounded to 0.
    format!("{:.1}", (1e3 * share).round() / 10.0 + 0.0)
}

fn row(gain: &Gain) -> Vec<String> {
    let [from, to] = gain.all.interval.map(percent);
    let sign = gain.paper.map(|paper| match paper == 0.0 {
        true if gain.all.may_be_0() => "equal",
        true => "differs",
        false if paper.signum() == gain.all.mean.signum() => "the same",
        false => "differs",
    });
    let mut cells = vec![
        gain.policy.to_owned(),
        percent(gain.all.mean),
        format!("{from} to {to}"),
        gain.paper.map_or("-".into(), percent),
        sign.unwrap_or("-").to_owned(),
    ];
    let by_type = gain.by_type.into_iter().zip(gain.paper_by_type);
    cells.extend(by_type.map(|(ours, paper)| {
        let ours = ours.map_or("-".into(), percent);
        paper.map_or(ours.clone(), |paper| {
            format!("{ours} (the paper {})", percent(paper))
        })
    }));
    cells.extend(gain.range.map(|speedup| percent(speedup - 1.0)));
    cells.push(gain.slower.to_string());
    cells
}
