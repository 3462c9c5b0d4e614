//! The plots.

use plotters::coord::Shift;
use plotters::prelude::*;

use super::method::shown;
use super::reading::WIDTHS;
use super::{By, Over, Report, Standing};
use crate::experiments::picture::DrawError;
use crate::experiments::plot::{plain, svg, BLUE, FONT, GREEN, ORANGE};
use crate::experiments::Error;

impl Standing {
    /// Mean distance of each method with its interval: over the co-runners, and over all kernels.
    ///
    /// # Errors
    /// [`Error::Picture`].
    pub fn forest(&self) -> Result<String, Error> {
        let ends = self
            .judgements
            .iter()
            .flat_map(|judgement| &judgement.methods);
        let most = ends
            .map(|rank| rank.distance.interval[1])
            .fold(0.1, f64::max);
        svg((980, 560), |root| {
            let (names, charts) = root.split_horizontally(180);
            let panels = charts.split_evenly((1, 2));
            for (panel, (by, title)) in panels.iter().zip([
                (By::Streams, "the same streams"),
                (By::Timed, "the kernels run again"),
            ]) {
                self.panel(
                    panel,
                    by,
                    title,
                    1.08 * most,
                    (by == By::Streams).then_some(&names),
                )?;
            }
            let key = [
                ("over the co-runners", true),
                ("over all kernels, itself included", false),
            ];
            for (index, (name, filled)) in key.into_iter().enumerate() {
                let at = (340 + 220 * index as i32, 548);
                root.draw(&dot(at, filled))?;
                root.draw(&Text::new(name, (at.0 + 10, at.1 - 7), FONT))?;
            }
            Ok(())
        })
    }

    fn panel<DB: DrawingBackend>(
        &self,
        panel: &DrawingArea<DB, Shift>,
        by: By,
        title: &str,
        most: f64,
        names: Option<&DrawingArea<DB, Shift>>,
    ) -> Result<(), DrawError>
    where
        DB::ErrorType: 'static,
    {
        let count = shown().len() as f64;
        let mut chart = ChartBuilder::on(panel)
            .margin(8)
            .margin_right(14)
            .margin_bottom(28)
            .x_label_area_size(40)
            .build_cartesian_2d(0.0..most, count..0.0)?;
        let judged = self.judgement(by, Over::CoRunners);
        let workloads = judged.map_or(0, |judgement| judgement.workloads);
        plain(&mut chart.configure_mesh())
            .disable_y_mesh()
            .y_labels(0)
            .x_desc(format!(
                "mean distance from the truth by {title} ({workloads} workloads)"
            ))
            .draw()?;
        for (over, offset, filled) in [(Over::CoRunners, 0.36, true), (Over::Kernels, 0.68, false)]
        {
            let ranks = self
                .judgement(by, over)
                .map_or(&[][..], |judgement| &judgement.methods);
            for (row, rank) in ranks.iter().enumerate() {
                let y = row as f64 + offset;
                let [from, to] = rank.distance.interval;
                let colour = if filled { BLUE } else { ORANGE };
                chart.draw_series(LineSeries::new(
                    [(from, y), (to, y)],
                    colour.stroke_width(2),
                ))?;
                let at = chart.backend_coord(&(rank.distance.mean, y));
                let (x, y) = panel.get_base_pixel();
                panel.draw(&dot((at.0 - x, at.1 - y), filled))?;
            }
        }
        if let Some(area) = names {
            for (row, method) in shown().into_iter().enumerate() {
                let (_, y) = chart.backend_coord(&(0.0, row as f64 + 0.5));
                area.draw(&Text::new(method.name(), (8, y - 7), FONT))?;
            }
        }
        Ok(())
    }
}

/// A point: over the co-runners, or over all kernels.
fn dot(at: (i32, i32), filled: bool) -> Circle<(i32, i32), i32> {
    match filled {
        true => Circle::new(at, 4, BLUE.filled()),
        false => Circle::new(at, 4, ORANGE.stroke_width(2)),
    }
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
