//! The plot: one bar per workload, beside the smallest and largest values of the paper.

use plotters::prelude::*;

use super::Report;
use crate::experiments::plot::{plain, svg, BLUE, ORANGE};
use crate::experiments::Error;

/// Bars of the distances, smallest first.
pub fn distances(report: &Report) -> Result<String, Error> {
    let bars: Vec<(String, f64)> = report
        .sorted()
        .into_iter()
        .filter_map(|outcome| Some((outcome.workload.name(), outcome.wbd?)))
        .collect();
    let count = bars.len().max(1);
    svg((920, 340), |root| {
        let mut chart = ChartBuilder::on(root)
            .margin(8)
            .margin_right(90)
            .x_label_area_size(44)
            .y_label_area_size(54)
            .build_cartesian_2d(0.0..count as f64, 0.0..1.5f64)?;
        plain(&mut chart.configure_mesh())
            .disable_x_mesh()
            .x_labels(0)
            .y_desc("wbd: PLOB's distance from GDC")
            .x_desc("workloads, by distance")
            .draw()?;
        for (place, (name, wbd)) in bars.iter().enumerate() {
            let x = place as f64;
            let bar = [(x + 0.15, 0.0), (x + 0.85, *wbd)];
            chart.draw_series([Rectangle::new(bar, BLUE.filled())])?;
            let (x, y) = chart.backend_coord(&(x + 0.5, 0.0));
            let text = Text::new(name.clone(), (x - 10, y + 5), ("sans-serif", 11));
            root.draw(&text)?;
        }
        for (value, name) in report.paper.into_iter().zip(["smallest", "largest"]) {
            let line = [(0.0, value), (count as f64, value)];
            let dashes = DashedLineSeries::new(line, 6, 4, ORANGE.stroke_width(2));
            chart.draw_series(dashes)?;
            let (x, y) = chart.backend_coord(&(count as f64, value));
            let label = format!("{name}: {value}");
            let font = ("sans-serif", 11).into_font().color(&ORANGE);
            root.draw(&Text::new("the paper's", (x + 4, y - 14), font.clone()))?;
            root.draw(&Text::new(label, (x + 4, y - 1), font))?;
        }
        Ok(())
    })
}
