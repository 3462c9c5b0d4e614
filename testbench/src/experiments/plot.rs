//! Drawing functions that the experiments share.

use plotters::coord::Shift;
use plotters::prelude::*;

use super::Error;
use crate::experiments::picture;
use crate::experiments::picture::{DrawError, COLOURS};

pub(crate) use crate::experiments::picture::{plain, short, FONT};

/// Of the first of two or three.
pub const BLUE: RGBColor = COLOURS[0];
/// Of the second.
pub const ORANGE: RGBColor = COLOURS[3];
/// Of the third.
pub const GREEN: RGBColor = COLOURS[2];

/// A picture of this size on white, for it may stand anywhere.
///
/// # Errors
/// [`Error::Picture`].
pub fn svg(
    size: (u32, u32),
    draw: impl FnOnce(&DrawingArea<SVGBackend<'_>, Shift>) -> Result<(), DrawError>,
) -> Result<String, Error> {
    let drawn = picture::svg(size, |root| {
        root.fill(&WHITE)?;
        draw(root)
    });
    drawn.map_err(|error| Error::Picture(error.to_string()))
}
