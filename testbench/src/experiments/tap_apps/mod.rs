//! `tap-apps`: misses and cycles per instruction of types of applications, by the ways of the cache.
//!
//! Source: TAP, section 2.2, figures 2 and 3: each application has the L3 for itself; the number of
//! sets stays, that of ways goes from 1 (256 KB) to 32 (8 MB). The platform and how applications are
//! drawn are in [`hetero`](cotenant_golden::hetero): all that a seed draws are measured.
//!
//! The rules by which a curve falls, is unmoved or ideal ([`Shape`]) were fixed before the first run.
//! The paper's text has one number, the ideal CPI of 2; it names no others of these figures.

mod plot;
mod text;

use cotenant_golden::hetero::curve::{curve, Point};
use cotenant_golden::hetero::types::{Group, Type};
use cotenant_golden::hetero::workloads::{Applications, Workload};
use cotenant_golden::hetero::{Config, Run};
use serde::Serialize;

use super::{on_all_cores, Attachment, Error, Setting};

/// Ways of the L3.
pub const WAYS: [usize; 7] = [1, 2, 4, 8, 16, 24, 32];

/// Cycles of the GPU that are measured, after as many to warm up. ASSUMPTION: the paper runs to the
/// end of its benchmarks.
pub const CYCLES: u64 = 2_000_000;

/// A CPU core makes fewer accesses than the GPU, and takes so many times as long.
const CPU_LONGER: u64 = 4;

/// How a number moves as the cache grows from 1 to 32 ways.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shape {
    /// It becomes half of it or less; of CPI, four fifths: four times the paper's Threshold alpha
    /// of 5 %.
    Falls,
    /// It stays within 5 %.
    Unmoved,
    /// Between these.
    Between,
}

impl Shape {
    fn of(first: f64, last: f64, falls_to: f64) -> Self {
        if last <= falls_to * first {
            Self::Falls
        } else if last >= 0.95 * first {
            Self::Unmoved
        } else {
            Self::Between
        }
    }
}

/// An application alone, by ways.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Curve {
    /// Its name.
    pub name: String,
    /// Type of the GPU's application, or the CPUs' group.
    pub kind: &'static str,
    /// Whether it runs on the GPU.
    pub gpu: bool,
    /// By ways.
    pub points: Vec<Point>,
}

impl Curve {
    fn ends(&self) -> Option<[&Point; 2]> {
        Some([self.points.first()?, self.points.last()?])
    }

    /// Of MPKI.
    pub fn misses(&self) -> Option<Shape> {
        let [first, last] = self.ends()?;
        Some(Shape::of(first.mpki, last.mpki, 0.5))
    }

    /// Of CPI.
    pub fn cycles(&self) -> Option<Shape> {
        let [first, last] = self.ends()?;
        Some(Shape::of(first.cpi, last.cpi, 0.8))
    }
}

/// All that is measured.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// Version of this document.
    pub schema: u32,
    /// The experiment's name.
    pub experiment: &'static str,
    /// The seed that drew the applications and their accesses.
    pub seed: u64,
    /// Cycles of the GPU that were measured.
    pub cycles: u64,
    /// Whether all applications came to their end.
    pub complete: bool,
    /// Those that did.
    pub applications: Vec<Curve>,
}

/// An application to run alone.
struct Alone {
    kind: &'static str,
    workload: Workload,
}

fn drawn(seed: u64) -> Vec<Alone> {
    let Applications { gpu, cpu } = Applications::drawn(seed);
    let of_gpu = Type::ALL.into_iter().zip(gpu).flat_map(|(kind, drawn)| {
        drawn.into_iter().map(move |application| Alone {
            kind: name(kind),
            workload: Workload::of_gpu(application),
        })
    });
    let of_cpu = Group::ALL.into_iter().zip(cpu).flat_map(|(group, drawn)| {
        drawn.into_iter().map(move |application| Alone {
            kind: group.name(),
            workload: Workload::of_cpu(application),
        })
    });
    of_gpu.chain(of_cpu).collect()
}

const fn name(kind: Type) -> &'static str {
    match kind {
        Type::A => "A",
        Type::B => "B",
        Type::C => "C",
        Type::D => "D",
        Type::E => "E",
    }
}

/// Runs all of it.
///
/// # Errors
/// [`Error`].
pub fn run(setting: &Setting<'_>) -> Result<Report, Error> {
    let drawn = drawn(setting.seed);
    let cycles = setting.cycles.unwrap_or(CYCLES).max(1);
    let config = Config::tap();
    let runs: Vec<(usize, usize)> = (0..drawn.len())
        .flat_map(|app| WAYS.map(|ways| (app, ways)))
        .collect();
    setting.watch.expect(runs.len() as u64);
    let points = on_all_cores(&runs, |&(app, ways)| {
        if !setting.watch.advance(0) {
            return Ok(None);
        }
        let workload = &drawn[app].workload;
        let cycles = match workload.gpu {
            Some(_) => cycles,
            None => cycles.saturating_mul(CPU_LONGER),
        };
        let run = Run {
            seed: setting.seed,
            warm_up: cycles,
            measured: cycles,
        };
        let points = curve(&config, workload, &[ways], &run)?;
        setting.watch.advance(1);
        Ok(points.first().copied())
    });
    let points: Vec<Option<Point>> = points.into_iter().collect::<Result<_, Error>>()?;
    let complete = points.iter().all(Option::is_some);
    let curves = drawn.iter().zip(points.chunks(WAYS.len()));
    let applications = curves.filter_map(|(alone, points)| {
        Some(Curve {
            name: alone.workload.name.clone(),
            kind: alone.kind,
            gpu: alone.workload.gpu.is_some(),
            points: points.iter().copied().collect::<Option<_>>()?,
        })
    });
    Ok(Report {
        schema: 1,
        experiment: "tap-apps",
        seed: setting.seed,
        cycles,
        complete,
        applications: applications.collect(),
    })
}

impl Report {
    /// The first application of each type and group, which the picture shows.
    fn first_of_each(&self) -> Vec<&Curve> {
        let mut kinds = std::collections::HashSet::new();
        let curves = self.applications.iter();
        curves.filter(|curve| kinds.insert(curve.kind)).collect()
    }

    /// The picture.
    ///
    /// # Errors
    /// [`Error::Picture`].
    pub fn attachments(&self) -> Result<Vec<Attachment>, Error> {
        Ok(vec![Attachment {
            name: "tap-apps.svg".into(),
            text: plot::curves(self)?,
        }])
    }
}
