//! Pictures of experiments as SVG; text stays text, so no fonts are needed to make them.

use plotters::coord::Shift;
use plotters::prelude::*;

use super::Error;

/// Told apart in print and by most people who cannot tell red from green (Okabe and Ito, 2008).
pub const BLUE: RGBColor = RGBColor(0, 114, 178);
/// As [`BLUE`].
pub const ORANGE: RGBColor = RGBColor(213, 94, 0);
/// As [`BLUE`].
pub const GREEN: RGBColor = RGBColor(0, 158, 115);
/// Of axes' labels.
pub const FONT: (&str, u32) = ("sans-serif", 13);

type DrawError = Box<dyn std::error::Error>;

/// A picture of this size.
///
/// # Errors
/// [`Error::Picture`].
pub fn svg(
    size: (u32, u32),
    draw: impl FnOnce(&DrawingArea<SVGBackend<'_>, Shift>) -> Result<(), DrawError>,
) -> Result<String, Error> {
    let mut text = String::new();
    let drawn = (|| {
        let root = SVGBackend::with_string(&mut text, size).into_drawing_area();
        root.fill(&WHITE)?;
        draw(&root)?;
        root.present()?;
        Ok::<(), DrawError>(())
    })();
    drawn.map_err(|error| Error::Picture(error.to_string()))?;
    Ok(text)
}

/// A number for an axis: no more digits than it needs.
pub fn short(value: f64) -> String {
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').into()
}
