//! Limits and quotas over time: a panel for each workload, a line for each of its kernels.

use cotenant_golden::schemes::Issue;
use plotters::prelude::*;

use super::{Kernel, Line, Report, STRETCHES};
use crate::experiments::plot::{plain, short, svg, BLUE, GREEN, ORANGE};
use crate::experiments::Error;

/// Of the kernels of a workload, in their order.
const COLOURS: [RGBColor; 3] = [BLUE, ORANGE, GREEN];
/// Panels next to each other.
const COLUMNS: usize = 4;
/// No limit, on the axis of limits: above the highest that 7 bits hold.
const NONE: f64 = 128.0;

/// What a picture shows of a kernel, and how its axis is labelled.
struct Shown {
    title: &'static str,
    axis: &'static str,
    of: fn(&Kernel) -> Vec<Option<f64>>,
    /// What stands for a stretch of time without a value, on the axis.
    without: Option<f64>,
}

/// Limits with DMIL.
///
/// # Errors
/// [`Error::Picture`].
pub(super) fn limits(report: &Report) -> Result<String, Error> {
    let shown = Shown {
        title: "WS-DMIL: limit of memory instructions in flight, mean of all SMs (top: none)",
        axis: "limit",
        of: |kernel| kernel.limit.clone(),
        without: Some(NONE),
    };
    picture(report, Issue::Dmil, &shown)
}

/// Quotas with QBMI.
///
/// # Errors
/// [`Error::Picture`].
pub(super) fn quotas(report: &Report) -> Result<String, Error> {
    let shown = Shown {
        title: "WS-QBMI: quota of memory instructions, mean of all SMs",
        axis: "quota",
        of: |kernel| kernel.quota.clone(),
        without: None,
    };
    picture(report, Issue::Qbmi, &shown)
}

fn picture(report: &Report, issue: Issue, shown: &Shown) -> Result<String, Error> {
    let runs = report.runs.iter().filter(|line| line.issue == issue);
    let runs: Vec<&Line> = runs.collect();
    let rows = runs.len().div_ceil(COLUMNS).max(1);
    let kilocycles = (report.window.warm_up + report.window.measured) as f64 / 1000.0;
    svg((960, 30 + 190 * rows as u32), |root| {
        let title = format!("{}; x: thousand cycles, the warm-up included", shown.title);
        root.draw(&Text::new(title, (10, 8), ("sans-serif", 15)))?;
        let (_, below) = root.split_vertically(30);
        for (panel, line) in below.split_evenly((rows, COLUMNS)).iter().zip(&runs) {
            let series: Vec<Vec<Option<f64>>> = line.kernels.iter().map(shown.of).collect();
            let values = series.iter().flatten().flatten().copied();
            // Powers of two are as far from one another as is.
            let height = |value: f64| value.max(1.0).log2();
            let most = values.fold(shown.without.unwrap_or(2.0), f64::max);
            let (head, body) = panel.split_vertically(22);
            let mut left = 48;
            for (name, colour) in line.workload.iter().zip(COLOURS) {
                let style = ("sans-serif", 14).into_font().color(&colour);
                head.draw(&Text::new(name.clone(), (left, 5), style))?;
                left += 40;
            }
            let mut chart = ChartBuilder::on(&body)
                .margin(4)
                .x_label_area_size(22)
                .y_label_area_size(44)
                .build_cartesian_2d(0.0..kilocycles, 0.0..height(most) * 1.05)?;
            plain(&mut chart.configure_mesh())
                .disable_x_mesh()
                .x_labels(4)
                .y_labels(5)
                .y_desc(shown.axis)
                .y_label_formatter(&|&y| short(y.exp2().round()))
                .draw()?;
            for (values, colour) in series.iter().zip(COLOURS) {
                // Never any.
                let values = match values.is_empty() {
                    true => &vec![None; STRETCHES as usize],
                    false => values,
                };
                let wide = kilocycles / values.len() as f64;
                let points = values.iter().enumerate().filter_map(|(at, value)| {
                    let value = value.or(shown.without)?;
                    Some(((at as f64 + 0.5) * wide, height(value)))
                });
                chart.draw_series(LineSeries::new(points, colour))?;
            }
        }
        Ok(())
    })
}
