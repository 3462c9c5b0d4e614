//! The plot of a pair: issued instructions, limits, quotas and reservation failures of one SM over
//! time, without and with the unit.

use plotters::coord::Shift;
use plotters::prelude::*;

use super::simulate::SHOWN;
use super::{Activity, Outcome, Report, Run};
use crate::experiments::issue_control::Span;
use crate::experiments::plot::{plain, short, svg, BLUE, FONT, ORANGE};
use crate::experiments::Error;

/// Of the two kernels.
const COLOURS: [RGBColor; 2] = [BLUE, ORANGE];
const SIZE: (u32, u32) = (960, 760);
/// Above the strips: title and legend.
const HEAD: i32 = 58;
/// Left of a strip, for its axis.
const AXIS: u32 = 58;
/// No limit, on the axis of limits: above the highest that 7 bits hold.
const NONE: f64 = 128.0;

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Drawn = Result<(), Box<dyn std::error::Error>>;

/// The lowest and the highest value in a stretch of time, and what is drawn as a line.
type Height = ([f64; 2], f64);

/// Stretches of time in cycles.
type Band = Vec<([f64; 2], Height)>;

/// What a strip shows.
struct Strip {
    title: &'static str,
    top: f64,
    /// Powers of two are as far from one another as is.
    logarithmic: bool,
    /// What stands in an empty one.
    empty: &'static str,
    of: fn(&Activity, u64) -> Option<Height>,
}

/// A pair.
///
/// # Errors
/// [`Error::Picture`].
pub(super) fn pair(report: &Report, outcome: &Outcome) -> Result<String, Error> {
    let runs = [&outcome.without, &outcome.with];
    svg(SIZE, |root| {
        let name = outcome.pair.name();
        let title = format!("{name}: SM {SHOWN} of {}", report.preset);
        root.draw(&Text::new(title, (10, 8), ("sans-serif", 17)))?;
        legend(root, outcome)?;
        let (_, strips) = root.split_vertically(HEAD);
        let strips = strips.split_evenly((4, 2));
        for (row, strip) in STRIPS.iter().enumerate() {
            // Both sides have the same axis.
            let strip = strip.fitted(&runs);
            for (column, run) in runs.into_iter().enumerate() {
                let last = row + 1 == STRIPS.len();
                strip.draw(&strips[2 * row + column], run, report.cycles, last)?;
            }
        }
        Ok(())
    })
}

fn legend(root: &Area<'_>, outcome: &Outcome) -> Drawn {
    let mut x = 10;
    for (kernel, colour) in outcome.pair.kernels.into_iter().zip(COLOURS) {
        root.draw(&Rectangle::new([(x, 38), (x + 18, 44)], colour.filled()))?;
        root.draw(&Text::new(kernel, (x + 24, 34), FONT))?;
        x += 70;
    }
    let bold = ("sans-serif", 14);
    root.draw(&Text::new("without mem_issue", (x + 90, 34), bold))?;
    let right = SIZE.0 as i32 / 2 + AXIS as i32;
    root.draw(&Text::new("with mem_issue (QBMI+DMIL)", (right, 34), bold))?;
    Ok(())
}

/// All of them, from the top.
const STRIPS: [Strip; 4] = [
    Strip {
        title: "instructions per 1000 cycles",
        top: 0.0,
        logarithmic: false,
        empty: "",
        of: |activity, cycles| Some(level(1000.0 * activity.issued as f64 / cycles as f64)),
    },
    Strip {
        title: "limit",
        top: NONE,
        logarithmic: true,
        empty: "no limits",
        of: |activity, cycles| {
            let limit = activity.seen?.limit;
            // Cycles without a limit count as ones with the highest.
            let free = cycles - limit.cycles;
            let sum = limit.sum as f64 + free as f64 * NONE;
            let high = if free > 0 { NONE } else { limit.max as f64 };
            let low = if limit.cycles > 0 {
                limit.min as f64
            } else {
                NONE
            };
            Some(([low, high], sum / cycles as f64))
        },
    },
    Strip {
        title: "quota",
        top: 0.0,
        logarithmic: false,
        empty: "no quotas",
        of: |activity, _| {
            let Span { min, max, .. } = activity.seen?.quota;
            Some(([min as f64, max as f64], activity.seen?.quota.mean()?))
        },
    },
    Strip {
        title: "failures per 1000 cycles",
        top: 0.0,
        logarithmic: false,
        empty: "",
        of: |activity, cycles| Some(level(1000.0 * activity.failures as f64 / cycles as f64)),
    },
];

fn level(value: f64) -> Height {
    ([value, value], value)
}

impl Strip {
    /// With an axis that holds what the runs have.
    fn fitted(&self, runs: &[&Run]) -> Self {
        let bands = runs
            .iter()
            .flat_map(|run| [self.band(run, 0), self.band(run, 1)]);
        let highest = bands.flatten().map(|(_, ([_, high], _))| high);
        Self {
            top: highest.fold(self.top.max(1e-9), f64::max) * 1.05,
            ..*self
        }
    }

    fn band(&self, run: &Run, kernel: usize) -> Band {
        let moments = run.moments.iter().filter(|moment| moment.cycles > 0);
        moments
            .filter_map(|moment| {
                let height = (self.of)(&moment.kernels[kernel], moment.cycles)?;
                let time = [moment.end - moment.cycles, moment.end].map(|cycle| cycle as f64);
                Some((time, height))
            })
            .collect()
    }

    /// A value's height on the axis.
    fn height(&self, value: f64) -> f64 {
        match self.logarithmic {
            true => value.max(1.0).log2(),
            false => value,
        }
    }

    fn draw(&self, area: &Area<'_>, run: &Run, cycles: u64, last: bool) -> Drawn {
        let end = cycles as f64;
        let (unit, unit_name) = match cycles {
            0..1_000_000 => (1e3, "thousand cycles"),
            _ => (1e6, "million cycles"),
        };
        // A limit of 1 is seen above the axis.
        let bottom = if self.logarithmic { -0.25 } else { 0.0 };
        let mut chart = ChartBuilder::on(area)
            .margin(4)
            .margin_right(18)
            .x_label_area_size(if last { 38 } else { 18 })
            .y_label_area_size(AXIS)
            .build_cartesian_2d(0.0..end, bottom..self.height(self.top))?;
        let logarithmic = self.logarithmic;
        let label = |value: &f64| match logarithmic {
            true if value.exp2() >= NONE => "none".into(),
            true => short(value.exp2()),
            false => short(*value),
        };
        let time = |value: &f64| short(*value / unit);
        let mut mesh = chart.configure_mesh();
        plain(&mut mesh)
            .x_labels(6)
            .y_labels(if logarithmic { 8 } else { 5 })
            .x_label_formatter(&time)
            .y_label_formatter(&label)
            .y_desc(self.title);
        if last {
            mesh.x_desc(unit_name);
        }
        mesh.draw()?;
        let bands = [0, 1].map(|kernel| self.band(run, kernel));
        if bands.iter().all(Vec::is_empty) && !self.empty.is_empty() {
            let middle = (end * 0.42, self.height(self.top) * 0.5);
            let grey = FONT.into_font().color(&BLACK.mix(0.5));
            chart.draw_series([Text::new(self.empty, middle, grey)])?;
        }
        for (band, colour) in bands.iter().zip(COLOURS) {
            for &([from, to], ([low, high], _)) in band {
                if high > low {
                    let [low, high] = [low, high].map(|value| self.height(value));
                    let cell = [(from, low), (to, high)];
                    chart.draw_series([Rectangle::new(cell, colour.mix(0.18).filled())])?;
                }
            }
            let line = band.iter().flat_map(|&([from, to], (_, mean))| {
                let height = self.height(mean);
                [(from, height), (to, height)]
            });
            chart.draw_series(LineSeries::new(line, colour.stroke_width(1)))?;
        }
        Ok(())
    }
}
