//! The plot: for each set and policy the mean with its interval, and the paper's value.

use plotters::prelude::*;

use super::Report;
use crate::experiments::plot::{plain, svg, BLUE, ORANGE};
use crate::experiments::Error;

/// Speedups over LRU in percent.
pub fn gains(report: &Report) -> Result<String, Error> {
    let rows: Vec<_> = report.sets.iter().flat_map(|set| &set.gains).collect();
    let ends = rows.iter().flat_map(|gain| {
        let [from, to] = gain.all.interval;
        [from, to, gain.paper.unwrap_or(from)]
    });
    let ends: Vec<f64> = ends.map(|share| 100.0 * share).collect();
    let least = ends.iter().copied().fold(-1.0, f64::min) * 1.1;
    let most = ends.iter().copied().fold(1.0, f64::max) * 1.1;
    let height = 120 + 200 * report.sets.len().max(1) as u32;
    svg((760, height), |root| {
        let (above, below) = root.split_vertically(30);
        let key = [
            ("ours, with an interval of 95 %", BLUE),
            ("the paper's", ORANGE),
        ];
        for (at, (what, colour)) in key.into_iter().enumerate() {
            let x = 150 + 240 * at as i32;
            above.draw(&Circle::new((x, 16), 5, colour.filled()))?;
            above.draw(&Text::new(what, (x + 12, 10), ("sans-serif", 13)))?;
        }
        let panels = below.split_evenly((report.sets.len().max(1), 1));
        for (panel, set) in panels.iter().zip(&report.sets) {
            let count = set.gains.len() as f64;
            let mut chart = ChartBuilder::on(panel)
                .margin(8)
                .margin_left(110)
                .x_label_area_size(40)
                .build_cartesian_2d(least..most, 0.0..count.max(1.0))?;
            plain(&mut chart.configure_mesh())
                .disable_y_mesh()
                .y_labels(0)
                .x_desc(format!("{}: speedup over LRU in percent", set.set))
                .draw()?;
            chart.draw_series([PathElement::new(vec![(0.0, 0.0), (0.0, count)], BLACK)])?;
            for (at, gain) in set.gains.iter().enumerate() {
                let y = count - 0.5 - at as f64;
                let [from, to] = gain.all.interval.map(|end| 100.0 * end);
                let line = PathElement::new(vec![(from, y), (to, y)], BLUE.stroke_width(2));
                chart.draw_series([line])?;
                let ours = (100.0 * gain.all.mean, y);
                chart.draw_series([Circle::new(ours, 4, BLUE.filled())])?;
                if let Some(paper) = gain.paper {
                    let at = (100.0 * paper, y);
                    chart.draw_series([Circle::new(at, 4, ORANGE.stroke_width(2))])?;
                }
                let (_, pixel) = chart.backend_coord(&(least, y));
                let (_, top) = panel.get_base_pixel();
                panel.draw(&Text::new(
                    gain.policy,
                    (8, pixel - top - 7),
                    ("sans-serif", 13),
                ))?;
            }
        }
        Ok(())
    })
}
