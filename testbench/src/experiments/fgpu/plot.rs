//! Bars beside the paper's.

use cotenant_golden::addr::isolation::share::SharingSummary;
use plotters::prelude::*;

use super::variation::of_images;
use crate::experiments::picture::FONT;
use crate::experiments::plot::{plain, svg, BLUE, ORANGE};
use crate::experiments::Error;

/// The average variation of each configuration, ours in front of the paper's.
pub fn bars(title: &str, summaries: &[SharingSummary]) -> Result<String, Error> {
    let paper = |row: &SharingSummary| row.paper.map_or(0.0, |paper| paper.average);
    let highest = summaries.iter().map(|row| row.average.max(paper(row)));
    let top = 1.08 * highest.fold(1.0, f64::max);
    svg((900, 420), |root| {
        let mut chart = ChartBuilder::on(root)
            .caption(title, FONT)
            .margin(8)
            .x_label_area_size(48)
            .y_label_area_size(52)
            .build_cartesian_2d(0.0..summaries.len() as f64, 0.0..top)?;
        plain(&mut chart.configure_mesh())
            .disable_x_mesh()
            .x_labels(0)
            .y_desc("average variation (%)")
            .draw()?;
        for (at, row) in summaries.iter().enumerate() {
            let left = at as f64;
            let bar = |from: f64, to: f64, height: f64, colour: RGBColor| {
                Rectangle::new([(left + from, 0.0), (left + to, height)], colour.filled())
            };
            chart.draw_series([
                bar(0.12, 0.48, row.average, BLUE),
                bar(0.52, 0.88, paper(row), ORANGE),
            ])?;
            let (x, y) = chart.backend_coord(&(left + 0.12, 0.0));
            let apps = if of_images(row) { ", images" } else { "" };
            let names = [
                format!("{} / {}", row.gpu, row.parts),
                format!("{}{apps}", row.technique.name()),
            ];
            for (line, name) in names.into_iter().enumerate() {
                root.draw(&Text::new(name, (x, y + 8 + 14 * line as i32), FONT))?;
            }
        }
        root.draw(&Text::new("here", (90, 40), FONT.into_font().color(&BLUE)))?;
        root.draw(&Text::new(
            "the paper",
            (90, 56),
            FONT.into_font().color(&ORANGE),
        ))?;
        Ok(())
    })
}
