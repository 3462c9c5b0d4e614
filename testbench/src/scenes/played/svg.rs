//! A scene as SVG.
//!
//! Values are in a font of equal widths, so that what fits is known without measuring. The card
//! has a background of its own, light or dark as the reader's system is: around it may be either.

use std::fmt::Write;

use super::diagram::{Cell, Column, Diagram, Lane};
use super::play::Played;
use super::text::wrapped;

/// Height of a lane, and of its wave within it.
const LANE: usize = 26;
const WAVE: usize = 18;
/// Width of a character of a value or name, in pixels of the font below.
const CHARACTER: f64 = 6.7;
/// The narrowest column, and the widest whose values need less.
const COLUMN: (usize, usize) = (26, 56);
/// Around everything.
const MARGIN: usize = 14;
/// Half the width of a slanted edge.
const SLANT: usize = 3;
/// Height of a line of a caption, and width of a character of it, generously.
const LINE: usize = 17;
const LETTER: f64 = 6.3;
/// The narrowest picture: captions need room.
const WIDTH: usize = 720;

const STYLE: &str = "\
.card{fill:#fff;stroke:#d0d7de}.band{fill:#eef3f8}\
text{font:12px Helvetica,Arial,sans-serif;fill:#1f2328}\
.v,.n{font:11px 'DejaVu Sans Mono',Menlo,Consolas,monospace}.v{text-anchor:middle}.n{text-anchor:end}\
.h{font-weight:bold;fill:#57606a}.t{font-weight:bold;font-size:13px}.s{text-anchor:middle;fill:#fff;font-weight:bold;font-size:11px}\
.no{fill:#3b6ea5}.w{fill:none;stroke:#1f2328;stroke-width:1.3}\
.b{fill:#dbeafe;stroke:#1f2328;stroke-width:1.1}.x{fill:#e5e7eb;stroke:none}\
.g{fill:none;stroke:#fff;stroke-width:5}.e{fill:none;stroke:#57606a}\
@media(prefers-color-scheme:dark){.card{fill:#161b22;stroke:#30363d}.band{fill:#1d2530}text{fill:#e6edf3}.h{fill:#9aa4af}\
.w{stroke:#e6edf3}.b{fill:#1f3a5f;stroke:#e6edf3}.x{fill:#30363d}.g{stroke:#161b22}.e{stroke:#9aa4af}.no{fill:#5b93cf}}";

/// Sizes in pixels.
struct Sizes {
    /// Where the first column begins.
    left: usize,
    column: usize,
}

impl Sizes {
    /// Columns in which all values fit, and wider ones where captions need the room anyway.
    fn of(diagram: &Diagram) -> Self {
        let names = diagram.lanes().map(|lane| lane.name.chars().count()).max();
        let left = MARGIN + (names.unwrap_or(0) as f64 * CHARACTER).ceil() as usize + 10;
        let needed = diagram.column_width(CHARACTER, 10.0).ceil() as usize;
        let room = WIDTH.saturating_sub(left + MARGIN) / diagram.columns.len().max(1);
        Self {
            left,
            column: room.min(COLUMN.1).max(needed).max(COLUMN.0),
        }
    }

    /// Where a column begins.
    fn at(&self, column: usize) -> usize {
        self.left + column * self.column
    }
}

impl Played {
    /// The scene as an SVG picture: lanes, and the captions below them.
    pub fn svg(&self) -> String {
        let diagram = Diagram::of(self);
        let sizes = Sizes::of(&diagram);
        let right = sizes.at(diagram.columns.len());
        let width = (right + MARGIN).max(WIDTH);
        let mut body = String::new();
        let title = format!("{} {}: {}", self.unit, self.set, self.title);
        let _ = writeln!(
            body,
            "<text class=\"t\" x=\"{MARGIN}\" y=\"24\">{}</text>",
            escaped(&title)
        );
        let top = 36;
        let mut y = top;
        steps(&mut body, &diagram, &sizes, y);
        y += LANE;
        cycle_numbers(&mut body, &diagram, &sizes, y);
        y += LANE;
        for group in &diagram.groups {
            let _ = writeln!(
                body,
                "<text class=\"h\" x=\"{MARGIN}\" y=\"{}\">{}</text>",
                y + 15,
                escaped(group.heading)
            );
            y += 20;
            for lane in &group.lanes {
                waves(&mut body, lane, &sizes, y);
                y += LANE;
            }
        }
        let bands = bands(&diagram, &sizes, top, y);
        y += 10;
        y = self.captions(&mut body, y, width);
        let height = y + MARGIN - 4;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\">\n<title>{}</title>\n<style>{STYLE}</style>\n\
             <rect class=\"card\" x=\"0.5\" y=\"0.5\" width=\"{}\" height=\"{}\" rx=\"6\"/>\n{bands}{body}</svg>\n",
            escaped(&title),
            width - 1,
            height - 1,
        )
    }

    /// The captions by number; where the next line would be.
    fn captions(&self, out: &mut String, mut y: usize, width: usize) -> usize {
        let letters = ((width - 2 * MARGIN - 30) as f64 / LETTER) as usize;
        for (number, step) in (1..).zip(&self.steps) {
            badge(out, MARGIN + 10, y + 2, &format!("{number}"), 20);
            let caption = format!("{}: {}", step.when(), step.caption);
            for line in wrapped(&caption, letters, "\n").lines() {
                let at = MARGIN + 28;
                let _ = writeln!(
                    out,
                    "<text x=\"{at}\" y=\"{}\">{}</text>",
                    y + 14,
                    escaped(line)
                );
                y += LINE;
            }
            y += 4;
        }
        y
    }
}

/// A number on a coloured ground.
fn badge(out: &mut String, middle: usize, y: usize, text: &str, width: usize) {
    let x = middle - width / 2;
    let _ = writeln!(
        out,
        "<rect class=\"no\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"15\" rx=\"3\"/>\
         <text class=\"s\" x=\"{middle}\" y=\"{}\">{text}</text>",
        y + 11
    );
}

/// The steps' numbers above their columns.
fn steps(out: &mut String, diagram: &Diagram, sizes: &Sizes, y: usize) {
    name(out, &diagram.steps.name, sizes, y);
    for run in diagram.steps.runs() {
        if let Cell::Value(text) = run.cell {
            let (from, to) = (sizes.at(run.start), sizes.at(run.end));
            badge(out, (from + to) / 2, y + 4, text, (to - from - 4) / 2 * 2);
        }
    }
}

/// Each other step's columns, shaded.
fn bands(diagram: &Diagram, sizes: &Sizes, top: usize, bottom: usize) -> String {
    let mut out = String::new();
    for run in diagram.steps.runs().iter().step_by(2) {
        let (from, to) = (sizes.at(run.start), sizes.at(run.end));
        let _ = writeln!(
            out,
            "<rect class=\"band\" x=\"{from}\" y=\"{top}\" width=\"{}\" height=\"{}\"/>",
            to - from,
            bottom - top
        );
    }
    out
}

fn cycle_numbers(out: &mut String, diagram: &Diagram, sizes: &Sizes, y: usize) {
    name(out, &diagram.cycles.name, sizes, y);
    for (number, column) in diagram.columns.iter().enumerate() {
        let text = match column {
            Column::Cycle(cycle) => cycle.to_string(),
            Column::Gap => "…".into(),
        };
        value(out, &text, sizes.at(number), sizes.at(number + 1), y);
    }
}

fn name(out: &mut String, name: &str, sizes: &Sizes, y: usize) {
    let (x, y) = (sizes.left - 8, y + 16);
    let _ = writeln!(
        out,
        "<text class=\"n\" x=\"{x}\" y=\"{y}\">{}</text>",
        escaped(name)
    );
}

fn value(out: &mut String, text: &str, from: usize, to: usize, y: usize) {
    let (x, y) = ((from + to) as f64 / 2.0, y + 17);
    let _ = writeln!(
        out,
        "<text class=\"v\" x=\"{x}\" y=\"{y}\">{}</text>",
        escaped(text)
    );
}

/// A lane: its name and its wave.
fn waves(out: &mut String, lane: &Lane, sizes: &Sizes, y: usize) {
    name(out, &lane.name, sizes, y);
    let (high, low) = (y + 4, y + 4 + WAVE);
    // The line of bits and clocks, without a break as long as they last.
    let (mut line, mut drawing) = (String::new(), false);
    for run in lane.runs() {
        let (from, to) = (sizes.at(run.start), sizes.at(run.end));
        match run.cell {
            Cell::Clock => {
                for column in run.start..run.end {
                    let from = sizes.at(column);
                    let half = from + sizes.column / 2;
                    let end = from + sizes.column;
                    let start = if drawing { 'L' } else { 'M' };
                    let _ = write!(line, "{start}{from} {low}V{high}H{half}V{low}H{end}");
                    drawing = true;
                }
            }
            Cell::Bit(bit) => {
                let level = if *bit { high } else { low };
                let _ = match drawing {
                    true => write!(line, "L{} {level}H{to}", from + SLANT),
                    false => write!(line, "M{from} {level}H{to}"),
                };
                drawing = true;
            }
            Cell::Value(text) => {
                let middle = y + 4 + WAVE / 2;
                let (a, b) = (from + SLANT, to - SLANT);
                let _ = writeln!(
                    out,
                    "<path class=\"b\" d=\"M{from} {middle}L{a} {high}H{b}L{to} {middle}L{b} {low}H{a}z\"/>"
                );
                value(
                    out,
                    text,
                    sizes.at(run.text.start),
                    sizes.at(run.text.end),
                    y,
                );
            }
            Cell::Unused => {
                drawing = false;
                let _ = writeln!(
                    out,
                    "<rect class=\"x\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"4\"/>",
                    from + 2,
                    y + 2 + WAVE / 2,
                    to - from - 4
                );
            }
            // A gap goes with what is before it, and there is always something.
            Cell::Gap => {}
        }
    }
    if !line.is_empty() {
        let _ = writeln!(out, "<path class=\"w\" d=\"{line}\"/>");
    }
    for (column, _) in lane
        .cells
        .iter()
        .enumerate()
        .filter(|(_, cell)| **cell == Cell::Gap)
    {
        gap(out, sizes.at(column) + sizes.column / 2, high, low);
    }
}

/// Two waves across a lane.
fn gap(out: &mut String, x: usize, high: usize, low: usize) {
    let (top, bottom) = (high - 2, low + 2);
    let curve = |x: usize| {
        format!(
            "M{x} {bottom}C{} {bottom} {} {top} {} {top}",
            x + 5,
            x + 1,
            x + 6
        )
    };
    let _ = writeln!(
        out,
        "<path class=\"g\" d=\"{}\"/><path class=\"e\" d=\"{}{}\"/>",
        curve(x - 3),
        curve(x - 6),
        curve(x)
    );
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
