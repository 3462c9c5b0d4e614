//! Pictures: weighted speedup of pairs by two numbers, as in figure 9.

use cotenant_golden::schemes::run::Variant;
use cotenant_golden::schemes::Issue;
use plotters::coord::Shift;
use plotters::prelude::*;

use super::plan::{self, ws, LIMITED, MOST};
use super::runs::{Case, Known};
use super::Report;
use crate::experiments::picture::{DrawError, COLOURS};
use crate::experiments::plot::{plain, svg};
use crate::experiments::Error;

/// A pair's weighted speedup: a square for each value, darker the higher it is.
struct Squares {
    pair: String,
    axes: [String; 2],
    /// The highest numbers on them.
    most: [f64; 2],
    values: Vec<((f64, f64), f64)>,
    /// A dot and a ring.
    marks: Option<[(f64, f64); 2]>,
}

impl Squares {
    fn draw(&self, panel: &DrawingArea<SVGBackend<'_>, Shift>) -> Result<(), DrawError> {
        let speedups = self.values.iter().map(|it| it.1);
        let least = speedups.clone().fold(f64::INFINITY, f64::min);
        let most = speedups.fold(0.0, f64::max);
        let caption = match self.values.is_empty() {
            true => self.pair.clone(),
            false => format!("{}: {least:.2} (light) to {most:.2} (dark)", self.pair),
        };
        let [x, y] = self.most.map(|most| 0.5..most + 0.5);
        let mut chart = ChartBuilder::on(panel)
            .margin(8)
            .caption(caption, ("sans-serif", 14))
            .x_label_area_size(35)
            .y_label_area_size(40)
            .build_cartesian_2d(x, y)?;
        plain(&mut chart.configure_mesh())
            .disable_mesh()
            .x_desc(self.axes[0].as_str())
            .y_desc(self.axes[1].as_str())
            .draw()?;
        chart.draw_series(self.values.iter().map(|&((x, y), speedup)| {
            let dark = 0.05 + 0.95 * (speedup - least) / (most - least).max(1e-9);
            Rectangle::new(
                [(x - 0.5, y - 0.5), (x + 0.5, y + 0.5)],
                COLOURS[0].mix(dark).filled(),
            )
        }))?;
        if let Some([dot, ring]) = self.marks {
            let mark = COLOURS[1];
            chart.draw_series([
                Circle::new(dot, 4, mark.filled()),
                Circle::new(ring, 8, mark.stroke_width(2)),
            ])?;
        }
        Ok(())
    }
}

/// So many to a row.
fn drawn(all: &[Squares], a_row: usize) -> Result<String, Error> {
    let rows = all.len().div_ceil(a_row).max(1);
    svg((960, 370 * rows as u32), |root| {
        let panels = root.split_evenly((rows, a_row));
        let mut pairs = panels.iter().zip(all);
        pairs.try_for_each(|(panel, squares)| squares.draw(panel))
    })
}

/// Weighted speedup by the thread blocks of both kernels: a square for each division of an SM; a dot where
/// the curves of each kernel alone say best, a ring where those profiled online do.
pub fn blocks(report: &Report) -> Result<String, Error> {
    let place = |[a, b]: [u8; 2]| (f64::from(a), f64::from(b));
    let of = report.spots.iter().map(|spot| {
        let most = |at: usize| {
            let all = spot.divisions.iter().map(|(blocks, _)| blocks[at]);
            f64::from(all.max().unwrap_or(1))
        };
        let values = spot.divisions.iter();
        Squares {
            pair: spot.pair.join("+"),
            axes: [0, 1].map(|at| format!("thread blocks of {}", spot.pair[at])),
            most: [0, 1].map(most),
            values: values
                .map(|&(blocks, speedup)| (place(blocks), speedup))
                .collect(),
            marks: Some([spot.alone.blocks, spot.online.blocks].map(place)),
        }
    });
    drawn(&of.collect::<Vec<_>>(), 3)
}

/// Weighted speedup by both static limits: a square for each pair of limits, none last.
pub fn limits(report: &Report) -> Result<String, Error> {
    let known: Known = report
        .runs
        .iter()
        .map(|line| (line.case.clone(), line.clone()))
        .collect();
    let most = f64::from(MOST) + 1.0;
    let plan = plan::limits();
    let evaluation = super::evaluate::Evaluation::of(&plan, &known, report.window.measured);
    let place = |limit: u8| if limit == 0 { most } else { f64::from(limit) };
    let of = LIMITED.map(|pair| {
        let all = (0..=MOST).flat_map(|a| (0..=MOST).map(move |b| [a, b]));
        let value = |[a, b]: [u8; 2]| {
            let scheme = ws(Issue::Smil([a, b, 0]));
            known.get(&Case::scheme(Variant::PAPER, &pair, scheme))?;
            let speedup = evaluation.limited(&pair, [a, b])?;
            Some(((place(a), place(b)), speedup))
        };
        Squares {
            pair: pair.join("+"),
            axes: [
                format!("limit of {}, {most} being none", pair[0]),
                format!("limit of {}", pair[1]),
            ],
            most: [most; 2],
            values: all.filter_map(value).collect(),
            marks: None,
        }
    });
    drawn(&of, LIMITED.len())
}
