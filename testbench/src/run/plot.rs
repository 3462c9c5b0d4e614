//! A run's pictures as SVG; text stays text, so no fonts are needed to make them.

use plotters::coord::Shift;
use plotters::prelude::*;

use super::Report;

/// What keeps a picture from being drawn; none of it is expected of a report.
pub(super) type Drawn = Result<String, Box<dyn std::error::Error>>;

/// Of kernels, by KID; told apart in print and by most people who cannot tell red from green
/// (Okabe and Ito, 2008).
const COLOURS: [RGBColor; 8] = [
    RGBColor(0, 114, 178),
    RGBColor(230, 159, 0),
    RGBColor(0, 158, 115),
    RGBColor(213, 94, 0),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(140, 130, 0),
    RGBColor(90, 90, 90),
];
const SIZE: (u32, u32) = (720, 260);
const FONT: (&str, u32) = ("sans-serif", 13);

/// The colour of a kernel.
pub(super) fn colour(kid: usize) -> RGBColor {
    COLOURS[kid % COLOURS.len()]
}

/// A line over time a kernel.
struct Lines<'a> {
    report: &'a Report,
    /// What the height is.
    what: &'a str,
    /// Draw kernels on top of each other.
    stacked: bool,
}

impl Lines<'_> {
    /// `of` gives a kernel's height in a period; none where there is nothing to show.
    fn draw(&self, of: impl Fn(usize, usize) -> Option<f64>) -> Drawn {
        let periods = self.report.periods.len();
        let kernels = self.report.kernels.len();
        let end = self.report.cycles.max(1) as f64 / 1e6;
        let time = |period: usize| self.report.periods[period].end as f64 / 1e6;
        // The heights, summed from the bottom if stacked.
        let mut rows: Vec<Vec<(f64, f64)>> = vec![];
        let mut below = vec![0.0; periods];
        for kid in 0..kernels {
            let mut row = vec![];
            for (period, below) in below.iter_mut().enumerate() {
                if let Some(height) = of(kid, period) {
                    let height = if self.stacked {
                        *below + height
                    } else {
                        height
                    };
                    *below = height;
                    row.push((time(period), height));
                }
            }
            rows.push(row);
        }
        let heights = rows.iter().flatten().map(|(_, height)| *height);
        let top = heights.fold(0.0, f64::max).max(1e-9) * 1.05;
        svg(SIZE, |root| {
            let mut chart = ChartBuilder::on(root)
                .margin(8)
                .x_label_area_size(34)
                .y_label_area_size(56)
                .margin_right(104)
                .build_cartesian_2d(0.0..end, 0.0..top)?;
            chart
                .configure_mesh()
                .light_line_style(TRANSPARENT)
                .label_style(FONT)
                .x_labels(8)
                .y_labels(6)
                .x_desc("million cycles")
                .y_desc(self.what)
                .draw()?;
            // Those on top first, so that those below are not hidden.
            for (kid, row) in rows.iter().enumerate().rev() {
                let colour = colour(kid);
                if self.stacked {
                    let area = AreaSeries::new(row.iter().copied(), 0.0, colour.filled());
                    chart.draw_series(area)?;
                } else {
                    let line = LineSeries::new(row.iter().copied(), colour.stroke_width(2));
                    chart.draw_series(line)?;
                }
            }
            names(root, self.report)
        })
    }
}

/// Names of the kernels in their colours, at the right.
fn names(root: &DrawingArea<SVGBackend<'_>, Shift>, report: &Report) -> Result<(), DrawError> {
    let x = SIZE.0 as i32 - 88;
    for kernel in &report.kernels {
        let y = 14 + 20 * kernel.kid as i32;
        let square = Rectangle::new([(x, y), (x + 11, y + 11)], colour(kernel.kid).filled());
        root.draw(&square)?;
        root.draw(&Text::new(kernel.name.clone(), (x + 16, y - 1), FONT))?;
    }
    Ok(())
}

type DrawError = Box<dyn std::error::Error>;

fn svg(
    size: (u32, u32),
    draw: impl FnOnce(&DrawingArea<SVGBackend<'_>, Shift>) -> Result<(), DrawError>,
) -> Drawn {
    let mut text = String::new();
    {
        let root = SVGBackend::with_string(&mut text, size).into_drawing_area();
        draw(&root)?;
        root.present()?;
    }
    Ok(text)
}

/// Whose lines the cache holds, over time.
pub(super) fn occupancy(report: &Report) -> Drawn {
    let lines = Lines {
        report,
        what: "lines owned",
        stacked: true,
    };
    lines.draw(|kid, period| Some(report.periods[period].occupancy[kid] as f64))
}

/// Shares of the misses of the kernel under test over time, by GDC or by PLOB.
pub(super) fn shares(report: &Report, gdc: bool) -> Drawn {
    let lines = Lines {
        report,
        what: if gdc {
            "share by GDC, %"
        } else {
            "share by PLOB, %"
        },
        stacked: true,
    };
    let victim = report.under_test;
    lines.draw(|kid, period| {
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

/// Hit rates over time.
pub(super) fn hit_rate(report: &Report) -> Drawn {
    let lines = Lines {
        report,
        what: "hit rate, %",
        stacked: false,
    };
    lines.draw(|kid, period| {
        let period = &report.periods[period];
        let all = period.accesses[kid];
        (all > 0).then(|| 100.0 * period.hits[kid] as f64 / all as f64)
    })
}

/// Accesses in a thousand cycles over time.
pub(super) fn access_rate(report: &Report) -> Drawn {
    let lines = Lines {
        report,
        what: "accesses a kcycle",
        stacked: false,
    };
    lines.draw(|kid, period| {
        let period = &report.periods[period];
        Some(1000.0 * period.accesses[kid] as f64 / period.cycles as f64)
    })
}

/// Misses by set, a row a kernel; the darker the more, white for none.
pub(super) fn sets(report: &Report) -> Drawn {
    let sets = report.geometry.sets;
    // Neighbours share a column where there are too many.
    let columns = sets.min(256);
    let width = 2.max(560 / columns as u32);
    let row_height = 30;
    let kernels = report.kernels.len();
    let size = (
        110 + width * columns as u32,
        30 + row_height * kernels as u32,
    );
    let misses = |kid: usize, column: usize| -> u64 {
        let part = column * sets / columns..(column + 1) * sets / columns;
        report.set_misses[kid][part].iter().sum()
    };
    svg(size, |root| {
        for kernel in &report.kernels {
            let kid = kernel.kid;
            let y = (row_height * kid as u32) as i32 + 4;
            let name = Text::new(kernel.name.clone(), (4, y + 5), FONT);
            root.draw(&name)?;
            let all = (0..columns).map(|column| misses(kid, column));
            let most = all.max().unwrap_or(0).max(1) as f64;
            for column in 0..columns {
                let share = misses(kid, column) as f64 / most;
                let x = (100 + width * column as u32) as i32;
                let cell = [(x, y), (x + width as i32, y + row_height as i32 - 6)];
                let shade = colour(kid).mix(share);
                root.draw(&Rectangle::new(cell, shade.filled()))?;
            }
            let frame = [
                (100, y),
                (
                    (100 + width * columns as u32) as i32,
                    y + row_height as i32 - 6,
                ),
            ];
            root.draw(&Rectangle::new(frame, BLACK.mix(0.4)))?;
        }
        let y = (row_height * kernels as u32) as i32 + 8;
        root.draw(&Text::new("set 0", (100, y), FONT))?;
        let last = format!("set {}", sets - 1);
        root.draw(&Text::new(
            last,
            (100 + (width * columns as u32) as i32 - 48, y),
            FONT,
        ))?;
        Ok(())
    })
}
