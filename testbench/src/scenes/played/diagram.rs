//! A scene as a timing diagram: lanes of cells, one per cycle shown.

use std::ops::Range;

use super::play::{Played, Told};
use super::scene::Row;

/// A cycle shown, or those left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Column {
    Cycle(u64),
    Gap,
}

/// What a lane shows in a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Cell {
    /// A rising edge, then a falling one.
    Clock,
    Bit(bool),
    Value(String),
    /// The value is ignored.
    Unused,
    /// Cycles left out.
    Gap,
}

/// A signal over time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Lane {
    pub name: String,
    pub cells: Vec<Cell>,
}

/// Equal cells beside each other: `start` and `end` are columns, the end not included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Run<'a> {
    pub cell: &'a Cell,
    pub start: usize,
    pub end: usize,
    /// The columns in which there is most room for a text, beside a gap.
    pub text: Range<usize>,
}

impl Lane {
    /// Cells that hold as long as nothing changes; a gap goes with what is before it.
    pub fn runs(&self) -> Vec<Run<'_>> {
        let mut runs: Vec<Run<'_>> = Vec::new();
        // The columns since the last gap or change.
        let mut open = 0..0;
        for (column, cell) in self.cells.iter().enumerate() {
            let last = runs.last().map(|run| run.cell);
            if *cell == Cell::Gap {
                open = column + 1..column + 1;
            } else if last == Some(cell) {
                open.end = column + 1;
            } else {
                open = column..column + 1;
                runs.push(Run {
                    cell,
                    start: column,
                    end: column,
                    text: open.clone(),
                });
            }
            if let Some(run) = runs.last_mut() {
                run.end = column + 1;
                if open.len() > run.text.len() {
                    run.text = open.clone();
                }
            }
        }
        runs
    }
}

/// Lanes under a heading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Lanes {
    pub heading: &'static str,
    pub lanes: Vec<Lane>,
}

/// A timing diagram.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Diagram {
    pub columns: Vec<Column>,
    /// The number of the step, from 1.
    pub steps: Lane,
    /// The number of the cycle.
    pub cycles: Lane,
    pub groups: Vec<Lanes>,
}

impl Diagram {
    pub fn of(played: &Played) -> Self {
        let (mut columns, mut steps) = (Vec::new(), Vec::new());
        for (number, step) in (1..).zip(&played.steps) {
            let shown = shown(step);
            steps.extend(shown.iter().map(|_| Cell::Value(format!("{number}"))));
            columns.extend(shown);
        }
        let cells = |cell: &dyn Fn(u64) -> Cell| {
            let cells = columns.iter().map(|column| match column {
                Column::Cycle(cycle) => cell(*cycle),
                Column::Gap => Cell::Gap,
            });
            cells.collect::<Vec<Cell>>()
        };
        let lane = |name: &str, cells| Lane {
            name: name.into(),
            cells,
        };
        let cycles = lane("cycle", cells(&|cycle| Cell::Value(cycle.to_string())));
        let mut groups = Vec::new();
        for group in &played.groups {
            let mut lanes = Vec::new();
            if played.sequential && groups.is_empty() {
                lanes.push(lane("clock", cells(&|_| Cell::Clock)));
            }
            for row in &group.rows {
                lanes.push(lane(&row.signal, cells(&|cycle| cell(played, row, cycle))));
            }
            groups.push(Lanes {
                heading: group.name,
                lanes,
            });
        }
        Self {
            steps: lane("step", steps),
            cycles,
            groups,
            columns,
        }
    }

    /// All lanes of values, the topmost first.
    pub fn lanes(&self) -> impl Iterator<Item = &Lane> {
        let groups = self.groups.iter().flat_map(|group| &group.lanes);
        [&self.steps, &self.cycles].into_iter().chain(groups)
    }

    /// The width that a column needs so that each value fits its box, if a character is `character`
    /// wide and a box needs `around` beside its text.
    pub fn column_width(&self, character: f64, around: f64) -> f64 {
        let runs = self.lanes().flat_map(Lane::runs);
        let widths = runs.map(|run| match run.cell {
            Cell::Value(text) => {
                let text = text.chars().count() as f64 * character + around;
                text / run.text.len() as f64
            }
            _ => 0.0,
        });
        widths.fold(0.0, f64::max)
    }
}

fn shown(step: &Told) -> Vec<Column> {
    match step.folded && step.last - step.first >= 3 {
        true => vec![
            Column::Cycle(step.first),
            Column::Gap,
            Column::Cycle(step.last),
        ],
        false => (step.first..=step.last).map(Column::Cycle).collect(),
    }
}

fn cell(played: &Played, row: &Row, cycle: u64) -> Cell {
    let trace = &played.trace;
    if let Some(when) = &row.when {
        if trace.value(when, cycle).iter().all(|&value| value == 0) {
            return Cell::Unused;
        }
    }
    let value = trace.value(&row.signal, cycle);
    match trace.is_bit(&row.signal) && row.format == super::scene::Format::Plain {
        true => Cell::Bit(value == [1]),
        false => Cell::Value(trace.text(&row.signal, row.format, value)),
    }
}

#[cfg(test)]
mod tests {
    //! Rationale: a value is written once, where it has room: not on a gap, and in the longer part
    //! beside one.
    use super::*;

    #[test]
    fn a_run_goes_on_over_a_gap_with_its_text_beside_it() {
        let (a, b) = (Cell::Value("a".into()), Cell::Value("b".into()));
        let cells = [&a, &Cell::Gap, &a, &a, &b, &Cell::Gap, &a];
        let lane = Lane {
            name: "lane".into(),
            cells: cells.into_iter().cloned().collect(),
        };
        let run = |cell, start, end, text| Run {
            cell,
            start,
            end,
            text,
        };
        assert_eq!(
            lane.runs(),
            [
                run(&a, 0, 4, 2..4),
                run(&b, 4, 6, 4..5),
                run(&a, 6, 7, 6..7)
            ]
        );
    }
}
