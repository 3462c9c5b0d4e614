//! Curves whose names stand at their ends.

use plotters::coord::Shift;
use plotters::prelude::*;

use super::picture::{DrawError, COLOURS, FONT};
use super::plot::{plain, svg};
use super::Error;

/// A name and its points.
pub type Curve = (String, Vec<(f64, f64)>);

/// A name, the end of its curve in pixels, and its colour.
pub struct End<'a> {
    /// The name.
    pub name: &'a str,
    /// From the left of the picture, and from its top.
    pub at: (i32, i32),
    /// As the curve.
    pub colour: RGBColor,
}

/// Names beside the last points, each at least a line below the one above.
pub fn names(
    area: &DrawingArea<SVGBackend<'_>, Shift>,
    mut ends: Vec<End<'_>>,
) -> Result<(), DrawError> {
    ends.sort_by_key(|end| end.at.1);
    let (left, top) = area.get_base_pixel();
    let mut below = i32::MIN;
    for End {
        name,
        at: (x, y),
        colour,
    } in ends
    {
        let y = (y - 6).max(below);
        below = y + 14;
        let font = FONT.into_font().color(&colour);
        area.draw(&Text::new(name, (x - left + 8, y - top), font))?;
    }
    Ok(())
}

/// Curves over a common axis.
pub fn curves(title: &str, [x, y]: [&str; 2], curves: &[Curve]) -> Result<String, Error> {
    let points = || curves.iter().flat_map(|(_, points)| points);
    let right = points().map(|point| point.0).fold(1.0, f64::max);
    let top = 1.08 * points().map(|point| point.1).fold(1.0, f64::max);
    svg((760, 420), |root| {
        let mut chart = ChartBuilder::on(root)
            .caption(title, FONT)
            .margin(8)
            .margin_right(150)
            .x_label_area_size(36)
            .y_label_area_size(52)
            .build_cartesian_2d(0.0..right, 0.0..top)?;
        plain(&mut chart.configure_mesh())
            .x_desc(x)
            .y_desc(y)
            .draw()?;
        let mut ends = vec![];
        for ((name, points), colour) in curves.iter().zip(COLOURS) {
            let line = LineSeries::new(points.iter().copied(), colour.stroke_width(2));
            chart.draw_series(line)?;
            if let Some(end) = points.last() {
                let at = chart.backend_coord(end);
                ends.push(End { name, at, colour });
            }
        }
        names(root, ends)
    })
}
