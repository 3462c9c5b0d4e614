//! Plots as SVG; text stays text, so no fonts are needed to draw them.

use plotters::chart::MeshStyle;
use plotters::coord::ranged1d::{Ranged, ValueFormatter};
use plotters::coord::Shift;
use plotters::prelude::*;

/// What keeps a picture from being drawn.
pub(crate) type DrawError = Box<dyn std::error::Error>;

/// Told apart in print and by most people who cannot tell red from green (Okabe and Ito, 2008).
pub(crate) const COLOURS: [RGBColor; 8] = [
    RGBColor(0, 114, 178),
    RGBColor(230, 159, 0),
    RGBColor(0, 158, 115),
    RGBColor(213, 94, 0),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(140, 130, 0),
    RGBColor(90, 90, 90),
];
/// Of axes' labels.
pub(crate) const FONT: (&str, u32) = ("sans-serif", 13);

/// A picture of this size.
pub(crate) fn svg(
    size: (u32, u32),
    draw: impl FnOnce(&DrawingArea<SVGBackend<'_>, Shift>) -> Result<(), DrawError>,
) -> Result<String, DrawError> {
    let mut text = String::new();
    {
        let root = SVGBackend::with_string(&mut text, size).into_drawing_area();
        draw(&root)?;
        root.present()?;
    }
    Ok(text)
}

/// A number for an axis: no more digits than it needs.
pub(crate) fn short(value: f64) -> String {
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').into()
}

/// Lines and labels of a chart's axes as all pictures have them.
pub(crate) fn plain<'m, 'a, 'b, X, Y, DB>(
    mesh: &'m mut MeshStyle<'a, 'b, X, Y, DB>,
) -> &'m mut MeshStyle<'a, 'b, X, Y, DB>
where
    X: Ranged<ValueType = f64> + ValueFormatter<f64>,
    Y: Ranged<ValueType = f64> + ValueFormatter<f64>,
    DB: DrawingBackend,
{
    mesh.light_line_style(TRANSPARENT)
        .bold_line_style(BLACK.mix(0.12))
        .label_style(FONT)
        .x_label_formatter(&|value| short(*value))
        .y_label_formatter(&|value| short(*value))
}
