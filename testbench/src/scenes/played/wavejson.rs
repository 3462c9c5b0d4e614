//! A scene as WaveJSON, which WaveDrom draws.
//!
//! Source: the WaveDrom tutorial, "Hitchhiker's guide to the WaveDrom". A `.` goes on, a `|` goes
//! on with a gap, `=` begins a value, the next of `data`, `3` one on another ground.

use serde::Serialize;
use serde_json::json;

use super::diagram::{Cell, Diagram, Lane};
use super::play::Played;

/// Width of a cycle at `hscale` 1, and of a character of a value, as WaveDrom draws them.
const CYCLE: f64 = 40.0;
const CHARACTER: f64 = 7.0;

/// A lane as WaveJSON has it.
#[derive(Debug, Serialize)]
struct Drawn<'a> {
    name: &'a str,
    wave: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data: Vec<&'a str>,
}

fn drawn(lane: &Lane) -> Drawn<'_> {
    let (mut wave, mut data) = (String::new(), Vec::new());
    // What holds, if anything does.
    let mut last = None;
    for cell in &lane.cells {
        let same = last == Some(cell);
        wave.push(match cell {
            Cell::Gap => '|',
            _ if same => '.',
            Cell::Clock => 'p',
            Cell::Bit(bit) => char::from(b'0' + u8::from(*bit)),
            Cell::Unused => 'x',
            Cell::Value(text) => {
                data.push(text.as_str());
                '='
            }
        });
        if *cell != Cell::Gap {
            last = Some(cell);
        }
    }
    Drawn {
        name: &lane.name,
        wave,
        data,
    }
}

impl Played {
    /// The scene as WaveJSON, one lane per line.
    pub fn wave_json(&self) -> String {
        let diagram = Diagram::of(self);
        let line = |lane: &Lane| json(&drawn(lane));
        let mut items = vec![line(&diagram.steps), line(&diagram.cycles)];
        for group in &diagram.groups {
            // A heading is a coloured box: WaveDrom turns the names of groups on their side.
            items.push(json(&Drawn {
                name: "",
                wave: format!("3{}", ".".repeat(diagram.columns.len() - 1)),
                data: vec![group.heading],
            }));
            items.extend(group.lanes.iter().map(line));
        }
        let scale = (diagram.column_width(CHARACTER, 12.0) / CYCLE)
            .ceil()
            .max(1.0) as u64;
        let head = json!({ "text": format!("{} {}: {}", self.unit, self.set, self.title) });
        format!(
            "{{\n  \"signal\": [\n    {}\n  ],\n  \"head\": {head},\n  \"config\": {{\"hscale\":{scale}}}\n}}\n",
            items.join(",\n    "),
        )
    }
}

/// Text, numbers and lists of them are always JSON.
fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
