//! The plot: shares by GDC and by PLOB, simulated and from the paper.

use cotenant_golden::metrics::Row;
use plotters::coord::Shift;
use plotters::prelude::*;

use super::Report;
use crate::experiments::plot::{plain, svg, BLUE, FONT, ORANGE};
use crate::experiments::Error;

/// One panel per monitor, a pair of bars per kernel.
pub fn shares(report: &Report) -> Result<String, Error> {
    svg((820, 330), |root| {
        let panels = root.split_evenly((1, 2));
        let of = [
            ("GDC", &report.ours.gdc, &report.paper.gdc),
            ("PLOB", &report.ours.plob, &report.paper.plob),
        ];
        for (panel, (name, ours, paper)) in panels.iter().zip(of) {
            bars(panel, name, &report.kernels, [ours, paper])?;
        }
        Ok(())
    })
}

fn bars(
    panel: &DrawingArea<SVGBackend<'_>, Shift>,
    name: &str,
    kernels: &[String],
    rows: [&Row; 2],
) -> Result<(), Box<dyn std::error::Error>> {
    let count = kernels.len().max(1);
    let mut chart = ChartBuilder::on(panel)
        .caption(name, ("sans-serif", 16))
        .margin(8)
        .x_label_area_size(28)
        .y_label_area_size(48)
        .build_cartesian_2d(0.0..count as f64, 0.0..100.0f64)?;
    plain(&mut chart.configure_mesh())
        .disable_x_mesh()
        .x_labels(0)
        .y_desc("share of the misses, %")
        .draw()?;
    for (half, (row, colour, label)) in [(rows[0], BLUE, "ours"), (rows[1], ORANGE, "the paper's")]
        .into_iter()
        .enumerate()
    {
        let heights: Vec<f64> = row.iter().flatten().map(|share| 100.0 * share).collect();
        let left = |kid: usize| kid as f64 + 0.14 + 0.36 * half as f64;
        let bar = |(kid, height): (usize, &f64)| {
            Rectangle::new(
                [(left(kid), 0.0), (left(kid) + 0.36, *height)],
                colour.filled(),
            )
        };
        chart
            .draw_series(heights.iter().enumerate().map(bar))?
            .label(label)
            .legend(move |(x, y)| Rectangle::new([(x, y - 5), (x + 12, y + 5)], colour.filled()));
        for (kid, height) in heights.iter().enumerate() {
            let (x, y) = chart.backend_coord(&(left(kid) + 0.18, *height));
            let (x, y) = panel_point(panel, x, y);
            let text = format!("{height:.1}");
            let width = 3 * text.len() as i32;
            panel.draw(&Text::new(text, (x - width, y - 14), ("sans-serif", 11)))?;
        }
    }
    for (kid, kernel) in kernels.iter().enumerate() {
        let (x, y) = chart.backend_coord(&(kid as f64 + 0.5, 0.0));
        let (x, y) = panel_point(panel, x, y);
        let width = 4 * kernel.chars().count() as i32;
        panel.draw(&Text::new(kernel.clone(), (x - width, y + 7), FONT))?;
    }
    chart
        .configure_series_labels()
        .label_font(FONT)
        .border_style(TRANSPARENT)
        .position(SeriesLabelPosition::UpperLeft)
        .draw()?;
    Ok(())
}

/// A point of the whole picture in a panel.
fn panel_point(panel: &DrawingArea<SVGBackend<'_>, Shift>, x: i32, y: i32) -> (i32, i32) {
    let (across, down) = panel.get_pixel_range();
    (x - across.start, y - down.start)
}
