//! The plots of a run.

use plotters::prelude::*;

use super::Report;
use crate::experiments::picture::{plain, svg, DrawError, COLOURS, FONT};

/// What keeps a picture from being drawn; none of it is expected of a report.
pub(super) type Drawn = Result<String, DrawError>;

/// Of a picture over time; two of them stand side by side.
const SIZE: (u32, u32) = (480, 250);

/// The colour of a kernel, by KID.
pub(super) fn colour(kid: usize) -> RGBColor {
    COLOURS[kid % COLOURS.len()]
}

/// A height over time for each kernel, level within a period.
struct Steps<'a> {
    report: &'a Report,
    /// Draw kernels on top of each other.
    stacked: bool,
    /// Where the axis ends; at the largest height if none.
    top: Option<f64>,
}

/// Neighbouring periods: start, end, and between which heights.
type Stretch = Vec<(f64, f64, f64, f64)>;

impl Steps<'_> {
    /// `of` gives a kernel's height in a period; none where there is nothing to show.
    fn stretches(&self, of: impl Fn(usize, usize) -> Option<f64>) -> Vec<Vec<Stretch>> {
        let mut below = vec![0.0; self.report.periods.len()];
        let kernels = 0..self.report.kernels.len();
        kernels
            .map(|kid| {
                let mut stretches: Vec<Stretch> = vec![vec![]];
                for (index, period) in self.report.periods.iter().enumerate() {
                    let Some(height) = of(kid, index) else {
                        stretches.push(vec![]);
                        continue;
                    };
                    let low = if self.stacked { below[index] } else { 0.0 };
                    below[index] = low + height;
                    let [start, end] =
                        [period.end - period.cycles, period.end].map(|cycle| cycle as f64 / 1e6);
                    if let Some(stretch) = stretches.last_mut() {
                        stretch.push((start, end, low, low + height));
                    }
                }
                stretches.retain(|stretch| !stretch.is_empty());
                stretches
            })
            .collect()
    }

    fn draw(&self, of: impl Fn(usize, usize) -> Option<f64>) -> Drawn {
        let kernels = self.stretches(of);
        let heights = kernels.iter().flatten().flatten().map(|(.., high)| *high);
        let top = heights.fold(0.0, f64::max).max(1e-9) * 1.05;
        let top = self.top.unwrap_or(top);
        let end = self.report.cycles.max(1) as f64 / 1e6;
        svg(SIZE, |root| {
            let mut chart = ChartBuilder::on(root)
                .margin(6)
                .margin_right(16)
                .x_label_area_size(38)
                .y_label_area_size(46)
                .build_cartesian_2d(0.0..end, 0.0..top)?;
            plain(&mut chart.configure_mesh())
                .x_labels(6)
                .y_labels(5)
                .x_desc("million cycles")
                .draw()?;
            for (kid, stretches) in kernels.iter().enumerate() {
                let colour = colour(kid);
                for stretch in stretches {
                    let high = stretch
                        .iter()
                        .flat_map(|(start, end, _, high)| [(*start, *high), (*end, *high)]);
                    if self.stacked {
                        let low = stretch
                            .iter()
                            .rev()
                            .flat_map(|(start, end, low, _)| [(*end, *low), (*start, *low)]);
                        let outline: Vec<(f64, f64)> = high.chain(low).collect();
                        chart.draw_series([Polygon::new(outline, colour.filled())])?;
                    } else {
                        // Those drawn before are wider, and seen beside one that covers them.
                        let width = (kernels.len() - kid + 1).min(6) as u32;
                        chart.draw_series(LineSeries::new(high, colour.stroke_width(width)))?;
                    }
                }
            }
            Ok(())
        })
    }
}

/// Whose lines the cache holds, over time.
pub(super) fn occupancy(report: &Report) -> Drawn {
    let steps = Steps {
        report,
        stacked: true,
        top: Some((report.geometry.sets * report.geometry.ways) as f64),
    };
    steps.draw(|kid, period| Some(report.periods[period].occupancy[kid] as f64))
}

/// Shares of the misses of the kernel under test over time, by GDC or by PLOB.
pub(super) fn shares(report: &Report, gdc: bool) -> Drawn {
    let steps = Steps {
        report,
        stacked: true,
        top: Some(100.0),
    };
    let victim = report.under_test;
    steps.draw(|kid, period| {
        let period = &report.periods[period];
        let row = if gdc {
            &period.gdc[victim]
        } else {
            &period.ike[victim]
        };
        // PLOB's are of the others.
        let counted = |k: usize| if gdc || k != victim { row[k] } else { 0 };
        let sum: u64 = (0..row.len()).map(counted).sum();
        (sum > 0).then(|| 100.0 * counted(kid) as f64 / sum as f64)
    })
}

/// Demotions of the lines of the kernel under test in a thousand cycles, by whom.
pub(super) fn pressure(report: &Report) -> Drawn {
    let steps = Steps {
        report,
        stacked: true,
        top: None,
    };
    steps.draw(|kid, period| {
        let period = &report.periods[period];
        Some(1000.0 * period.gdc[report.under_test][kid] as f64 / period.cycles as f64)
    })
}

/// Hit rates over time.
pub(super) fn hit_rate(report: &Report) -> Drawn {
    let steps = Steps {
        report,
        stacked: false,
        top: Some(100.0),
    };
    steps.draw(|kid, period| {
        let period = &report.periods[period];
        let all = period.accesses[kid];
        (all > 0).then(|| 100.0 * period.hits[kid] as f64 / all as f64)
    })
}

/// Accesses in a thousand cycles over time.
pub(super) fn access_rate(report: &Report) -> Drawn {
    let steps = Steps {
        report,
        stacked: false,
        top: None,
    };
    steps.draw(|kid, period| {
        let period = &report.periods[period];
        Some(1000.0 * period.accesses[kid] as f64 / period.cycles as f64)
    })
}

/// Misses by set, one row per kernel; the darker the more, white for none.
pub(super) fn sets(report: &Report) -> Drawn {
    /// Left of the first set, a set's part of the width, and a row.
    const LEFT: i32 = 104;
    const WIDTH: u32 = 856;
    const ROW: i32 = 30;
    let sets = report.geometry.sets;
    // Neighbours share a column where there are too many.
    let columns = sets.min(256);
    let width = (WIDTH / columns as u32).max(2) as i32;
    let right = LEFT + width * columns as i32;
    let below = ROW * report.kernels.len() as i32;
    let misses = |kid: usize, column: usize| -> u64 {
        let part = column * sets / columns..(column + 1) * sets / columns;
        report.set_misses[kid][part].iter().sum()
    };
    svg((right as u32 + 8, below as u32 + 28), |root| {
        for kernel in &report.kernels {
            let kid = kernel.kid;
            let (top, bottom) = (ROW * kid as i32 + 4, ROW * (kid as i32 + 1) - 2);
            root.draw(&Text::new(shortened(&kernel.name), (4, top + 6), FONT))?;
            let all = (0..columns).map(|column| misses(kid, column));
            let most = all.max().unwrap_or(0).max(1) as f64;
            for column in 0..columns {
                let share = misses(kid, column) as f64 / most;
                let x = LEFT + width * column as i32;
                let shade = colour(kid).mix(share);
                let cell = [(x, top), (x + width, bottom)];
                if share > 0.0 {
                    root.draw(&Rectangle::new(cell, shade.filled()))?;
                }
            }
            let frame = [(LEFT, top), (right, bottom)];
            root.draw(&Rectangle::new(frame, BLACK.mix(0.4)))?;
        }
        root.draw(&Text::new("set 0", (LEFT, below + 6), FONT))?;
        let last = format!("set {}", sets - 1);
        let at = right - 7 * last.len() as i32;
        root.draw(&Text::new(last, (at, below + 6), FONT))?;
        Ok(())
    })
}

/// A name as a picture has room for it.
fn shortened(name: &str) -> String {
    const ROOM: usize = 12;
    match name.chars().count() {
        0..=ROOM => name.into(),
        _ => name.chars().take(ROOM - 1).chain(['…']).collect(),
    }
}
