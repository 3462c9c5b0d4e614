//! The report as Markdown.

use std::fmt::Write;

use super::{Curve, Report, Shape};
use crate::experiments::table::table;

/// What the paper says of each type and group: MPKI and CPI as the cache grows.
const PAPER: [(&str, &str); 8] = [
    ("A", "both low: few memory instructions"),
    ("B", "MPKI extremely high, CPI high"),
    ("C", "both fall"),
    ("D", "MPKI falls, little performance improvement"),
    ("E", "MPKI very high, CPI close to the ideal"),
    ("friendly", "as type C"),
    ("streaming", "as type B"),
    ("compute", "as type A"),
];

impl Report {
    /// The report as Markdown.
    pub fn text(&self) -> String {
        let mut out = format!(
            "Seed {:#x}, {} cycles of the GPU measured after as many to warm up; four times as many for CPU applications.\n\n",
            self.seed, self.cycles
        );
        // Writing to a string cannot fail.
        if !self.complete {
            let done = self.applications.len();
            let _ = writeln!(out, "Interrupted: {done} applications were done.\n");
        }
        out += &table(
            "Types of applications with 1 and with 32 ways of the L3: least to most of all applications of a type",
            &[
                "type", "applications", "MPKI, 1 way", "32 ways", "MPKI falls", "CPI, 1 way", "32 ways",
                "CPI falls", "the paper (section 2.2)",
            ],
            PAPER.iter().map(|(kind, paper)| self.row(kind, paper)),
        );
        let _ = writeln!(out);
        out += &table(
            "Each application",
            &[
                "application",
                "MPKI by ways: 1",
                "2",
                "4",
                "8",
                "16",
                "24",
                "32",
                "CPI: 1",
                "2",
                "4",
                "8",
                "16",
                "24",
                "32",
            ],
            self.applications.iter().map(|curve| {
                let misses = curve
                    .points
                    .iter()
                    .map(|point| format!("{:.2}", point.mpki));
                let cycles = curve.points.iter().map(|point| format!("{:.2}", point.cpi));
                std::iter::once(curve.name.clone())
                    .chain(misses)
                    .chain(cycles)
                    .collect()
            }),
        );
        out
    }

    fn row(&self, kind: &str, paper: &str) -> Vec<String> {
        let those: Vec<&Curve> = self
            .applications
            .iter()
            .filter(|it| it.kind == kind)
            .collect();
        let range = |of: fn(&Curve) -> Option<f64>| {
            let values = || those.iter().filter_map(|curve| of(curve));
            match (values().reduce(f64::min), values().reduce(f64::max)) {
                (Some(least), Some(most)) => format!("{least:.2} to {most:.2}"),
                _ => "-".into(),
            }
        };
        let falls = |of: fn(&Curve) -> Option<Shape>| {
            let falling = those.iter().filter(|curve| of(curve) == Some(Shape::Falls));
            format!("{} of {}", falling.count(), those.len())
        };
        vec![
            kind.into(),
            those.len().to_string(),
            range(|curve| Some(curve.points.first()?.mpki)),
            range(|curve| Some(curve.points.last()?.mpki)),
            falls(Curve::misses),
            range(|curve| Some(curve.points.first()?.cpi)),
            range(|curve| Some(curve.points.last()?.cpi)),
            falls(Curve::cycles),
            paper.into(),
        ]
    }
}
