//! The example waveform of a unit: its picture and its text on the page.

use std::fmt::Write;
use std::path::Path;

use super::{Error, Written, FOLDER};
use crate::registry::AnyUnit;
use crate::scenes::Played;

/// Folder of the pictures, below that of the pages.
const WAVES: &str = "waves";

/// The scene of a unit, in its usual set.
///
/// # Errors
/// [`Error::Unit`] if it cannot be played; [`Error::Scene`] if it does not hold: no page teaches
/// what is not so.
pub(super) fn played(unit: &dyn AnyUnit) -> Result<Played, Error> {
    let played = unit.play(&unit.scene_set(None)?, None)?;
    let unit = unit.name();
    let wrong = played.wrong().next().map(|wrong| wrong.to_string());
    let mismatch = played.mismatch.as_ref();
    let mismatch =
        mismatch.map(|m| format!("{unit}: netlist and golden model differ in {}", m.field));
    match wrong.or(mismatch) {
        Some(problem) => Err(Error::Scene { problem }),
        None => Ok(played),
    }
}

/// The picture.
pub(super) fn picture(played: &Played) -> Written {
    Written {
        path: Path::new(FOLDER)
            .join(WAVES)
            .join(format!("{}.svg", played.unit)),
        text: played.svg(),
    }
}

/// The part of the page.
pub(super) fn wave(out: &mut String, played: &Played) {
    let Played {
        unit, set, title, ..
    } = played;
    let _ = writeln!(
        out,
        "## What it does\n\n![{title}]({WAVES}/{unit}.svg)\n\n\
         Netlist and golden model in lockstep; `cotenant waves {unit} --config {set}` writes the waves.\n"
    );
    let _ = writeln!(
        out,
        "<details>\n<summary>Step by step, values of the netlist</summary>\n"
    );
    for (number, step) in (1..).zip(&played.steps) {
        let _ = writeln!(out, "{number}. {}: {}", capital(&step.when()), step.caption);
        for line in step.lines() {
            let _ = writeln!(out, "    - `{line}`");
        }
    }
    let _ = writeln!(
        out,
        "\n</details>\n\n<details>\n<summary>As WaveJSON, for <a href=\"https://wavedrom.com\">WaveDrom</a></summary>\n\n\
         ```json\n{}```\n\n</details>\n",
        played.wave_json()
    );
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters
        .next()
        .map(|letter| letter.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}
