//! The plots.

use plotters::prelude::*;

use super::reading::WIDTHS;
use super::{Report, Truth};
use crate::experiments::plot::{plain, svg, BLUE, FONT, GREEN, ORANGE};
use crate::experiments::Error;

const SMALL: (&str, u32) = ("sans-serif", 11);

/// For each workload the distances of GDC and PLOB from the truth, joined; by GDC's.
pub fn distances(report: &Report) -> Result<String, Error> {
    svg((920, 640), |root| {
        let (upper, lower) = root.split_vertically(320);
        for (area, title, truth) in [
            (
                &upper,
                "the same streams",
                (|outcome| Some(&outcome.streams)) as fn(&super::Outcome) -> Option<&Truth>,
            ),
            (&lower, "kernels simulated again", |outcome| {
                outcome.timed.as_ref()
            }),
        ] {
            let mut points: Vec<(String, f64, f64)> = report
                .workloads
                .iter()
                .filter_map(|outcome| {
                    let truth = truth(outcome)?;
                    Some((outcome.workload.name(), truth.gdc?, truth.plob?))
                })
                .collect();
            points.sort_by(|a, b| a.1.total_cmp(&b.1));
            let count = points.len().max(1) as f64;
            let mut chart = ChartBuilder::on(area)
                .margin(8)
                .x_label_area_size(40)
                .y_label_area_size(54)
                .build_cartesian_2d(0.0..count, 0.0..1.5f64)?;
            plain(&mut chart.configure_mesh())
                .disable_x_mesh()
                .x_labels(0)
                .y_desc("distance from the truth")
                .x_desc(format!("workloads by GDC's distance; truth by {title}"))
                .draw()?;
            for (place, (name, gdc, plob)) in points.iter().enumerate() {
                let x = place as f64 + 0.5;
                let line = [(x, *gdc), (x, *plob)];
                chart.draw_series(LineSeries::new(line, BLACK.mix(0.3)))?;
                chart.draw_series([Circle::new((x, *gdc), 5, BLUE.filled())])?;
                chart.draw_series([Circle::new((x, *plob), 5, ORANGE.stroke_width(2))])?;
                let (x, y) = chart.backend_coord(&(x, 0.0));
                area.draw(&Text::new(name.clone(), (x - 10, y - top(area) + 5), SMALL))?;
            }
            for (index, (name, colour)) in [("GDC", BLUE), ("PLOB", ORANGE)].iter().enumerate() {
                let y = 18 + 16 * index as i32;
                let dot = Circle::new((76, y), 5, colour.stroke_width(2));
                let solid = Circle::new((76, y), 5, colour.filled());
                match index {
                    0 => area.draw(&solid)?,
                    _ => area.draw(&dot)?,
                }
                area.draw(&Text::new(*name, (88, y - 6), FONT))?;
            }
        }
        Ok(())
    })
}

/// Where an area begins in its picture.
fn top<DB: DrawingBackend>(area: &DrawingArea<DB, plotters::coord::Shift>) -> i32 {
    area.get_pixel_range().1.start
}

/// How far one reading lies from the whole run, by period; and the sums of all, by width.
pub fn readings(report: &Report) -> Result<String, Error> {
    let periods = &report.periods;
    let ends = |of: fn(&super::reading::Period) -> u64| {
        let cycles = periods.iter().map(of);
        let least = cycles.clone().min().unwrap_or(1);
        (least as f64 / 1.3)..(cycles.max().unwrap_or(10) as f64 * 1.3)
    };
    svg((920, 320), |root| {
        let (left, right) = root.split_horizontally(460);
        let mut chart = ChartBuilder::on(&left)
            .margin(8)
            .x_label_area_size(40)
            .y_label_area_size(54)
            .build_cartesian_2d(ends(|period| period.cycles).log_scale(), 0.0..1.5f64)?;
        plain(&mut chart.configure_mesh())
            .x_desc("cycles per reading")
            .y_desc("distance from the whole run")
            .draw()?;
        type Of = fn(&super::reading::Period) -> Option<f64>;
        let lines: [(&str, RGBColor, Of); 2] = [
            ("largest", ORANGE, |period| period.largest),
            ("mean", BLUE, |period| period.mean),
        ];
        for (index, (name, colour, of)) in lines.into_iter().enumerate() {
            let points = periods
                .iter()
                .filter_map(|p| Some((p.cycles as f64, of(p)?)));
            let points: Vec<(f64, f64)> = points.collect();
            chart.draw_series(LineSeries::new(points.clone(), colour.stroke_width(2)))?;
            chart.draw_series(points.iter().map(|at| Circle::new(*at, 3, colour.filled())))?;
            let y = 18 + 16 * index as i32;
            left.draw(&Circle::new((330, y), 4, colour.filled()))?;
            left.draw(&Text::new(format!("{name} reading"), (340, y - 6), FONT))?;
        }

        let bits = f64::from(WIDTHS[0])..f64::from(WIDTHS[WIDTHS.len() - 1]);
        let mut chart = ChartBuilder::on(&right)
            .margin(8)
            .margin_right(16)
            .x_label_area_size(40)
            .y_label_area_size(54)
            .build_cartesian_2d(bits, 0.0..1.5f64)?;
        plain(&mut chart.configure_mesh())
            .x_desc("bits of a counter")
            .y_desc("largest distance of the sums")
            .draw()?;
        for (index, period) in periods.iter().enumerate() {
            let shade = index as f64 / periods.len().max(2) as f64;
            let colour = GREEN.mix(1.0 - 0.75 * shade);
            let points = period.widths.iter();
            let points = points.filter_map(|w| Some((f64::from(w.bits), w.largest?)));
            chart.draw_series(LineSeries::new(points, colour.stroke_width(2)))?;
            let y = 18 + 16 * index as i32;
            let key = [(640 - 460, y), (660 - 460, y)];
            right.draw(&PathElement::new(key, colour.stroke_width(3)))?;
            let text = format!("{} cycles", period.cycles);
            right.draw(&Text::new(text, (668 - 460, y - 6), FONT))?;
        }
        Ok(())
    })
}
