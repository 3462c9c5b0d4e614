//! The plot: MPKI above, CPI below, of the GPU's types on the left and the CPUs' groups on the right.

use plotters::coord::Shift;
use plotters::prelude::*;

use super::{Curve, Report, WAYS};
use crate::experiments::curves::{names, End};
use crate::experiments::picture::{DrawError, COLOURS, FONT};
use crate::experiments::plot::{plain, svg};
use crate::experiments::Error;

/// The curves of the first application of each type and group.
pub fn curves(report: &Report) -> Result<String, Error> {
    let shown = report.first_of_each();
    let (gpu, cpu): (Vec<&Curve>, Vec<&Curve>) = shown.into_iter().partition(|curve| curve.gpu);
    svg((920, 620), |root| {
        let panels = root.split_evenly((2, 2));
        for (row, (of, what)) in [
            (
                mpki as fn(&Curve) -> Vec<f64>,
                "L3 misses per 1000 instructions",
            ),
            (cpi, "cycles per instruction"),
        ]
        .into_iter()
        .enumerate()
        {
            panel(&panels[2 * row], &gpu, of, &format!("GPU: {what}"))?;
            panel(&panels[2 * row + 1], &cpu, of, &format!("CPU: {what}"))?;
        }
        Ok(())
    })
}

fn mpki(curve: &Curve) -> Vec<f64> {
    curve.points.iter().map(|point| point.mpki).collect()
}

fn cpi(curve: &Curve) -> Vec<f64> {
    curve.points.iter().map(|point| point.cpi).collect()
}

fn panel(
    area: &DrawingArea<SVGBackend<'_>, Shift>,
    curves: &[&Curve],
    of: fn(&Curve) -> Vec<f64>,
    title: &str,
) -> Result<(), DrawError> {
    let values = curves.iter().flat_map(|curve| of(curve));
    let top = 1.08 * values.fold(1.0_f64, f64::max);
    let last = WAYS[WAYS.len() - 1] as f64;
    let mut chart = ChartBuilder::on(area)
        .caption(title, FONT)
        .margin(8)
        .margin_right(80)
        .x_label_area_size(36)
        .y_label_area_size(46)
        .build_cartesian_2d(0.0..last, 0.0..top)?;
    plain(&mut chart.configure_mesh())
        .x_desc("ways of the L3, 256 KB each")
        .draw()?;
    let mut ends = vec![];
    for (curve, colour) in curves.iter().zip(COLOURS) {
        let points = WAYS.iter().map(|&ways| ways as f64).zip(of(curve));
        let points: Vec<(f64, f64)> = points.collect();
        chart.draw_series(LineSeries::new(points.clone(), colour.stroke_width(2)))?;
        let dots = points.iter().map(|&at| Circle::new(at, 3, colour.filled()));
        chart.draw_series(dots)?;
        if let Some(end) = points.last() {
            let at = chart.backend_coord(end);
            ends.push(End {
                name: curve.kind,
                at,
                colour,
            });
        }
    }
    names(area, ends)
}
