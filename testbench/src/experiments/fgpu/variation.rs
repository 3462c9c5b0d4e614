//! `fgpu-variation`: how much others change an application's time, by how the GPU is divided (tables III
//! and IV; section V-B for image classification).

use cotenant_golden::addr::isolation::share::{
    sharing, Sharing, SharingConfig, SharingRow, SharingSummary,
};
use cotenant_golden::addr::isolation::IsolationError;
use serde::Serialize;

use super::{plot, statements, Statement};
use crate::experiments::table::table;
use crate::experiments::{Attachment, Error, Setting};

/// All that is measured.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Variation {
    /// Version of this document.
    pub schema: u32,
    /// The experiment's name.
    pub experiment: &'static str,
    /// The seed that draws irregular addresses.
    pub seed: u64,
    /// Whether all runs came to their end.
    pub complete: bool,
    /// Tables III and IV, and image classification behind them.
    pub rows: Vec<SharingRow>,
    /// By GPU, parts and technique; image classification is its own.
    pub summaries: Vec<SharingSummary>,
    /// What the paper says of them.
    pub statements: Vec<Statement>,
}

/// Runs all of it.
///
/// # Errors
/// [`Error`].
pub fn run(setting: &Setting<'_>) -> Result<Variation, Error> {
    let configs = [
        SharingConfig::tables()?,
        SharingConfig::image_classification()?,
    ];
    let mut all = Sharing {
        rows: vec![],
        summaries: vec![],
    };
    let mut complete = true;
    for config in configs {
        let config = SharingConfig {
            seed: setting.seed,
            ..config
        };
        let (mut last, mut expected) = (0, false);
        let measured = sharing(&config, &mut |done, of| {
            if !std::mem::replace(&mut expected, true) {
                setting.watch.expect(of);
            }
            setting
                .watch
                .advance(done - std::mem::replace(&mut last, done))
        });
        match measured {
            Ok(sharing) => {
                all.rows.extend(sharing.rows);
                all.summaries.extend(sharing.summaries);
            }
            Err(IsolationError::Stopped) => {
                complete = false;
                break;
            }
            Err(error) => return Err(error.into()),
        }
    }
    Ok(Variation {
        schema: 1,
        experiment: "fgpu-variation",
        seed: setting.seed,
        complete,
        statements: if complete {
            said(&all.summaries)
        } else {
            vec![]
        },
        rows: all.rows,
        summaries: all.summaries,
    })
}

/// What section V-B concludes.
fn said(summaries: &[SharingSummary]) -> Vec<Statement> {
    let of = |gpu: &str, parts: u64, technique: &str| {
        let found = summaries
            .iter()
            .find(|row| row.gpu == gpu && row.parts == parts && row.technique.name() == technique);
        found.map_or(f64::NAN, |row| row.average)
    };
    let below = |paper, low: f64, high: f64| Statement {
        paper,
        ours: format!("{low:.1} % and {high:.1} %"),
        holds: low < high,
        why: "",
    };
    vec![
        below(
            "GTX 1080: memory colours lower the variation of a compute partition (7.5 and 130.4 %)",
            of("gtx1080", 2, "CMP"),
            of("gtx1080", 2, "CP"),
        ),
        below(
            "V100 in two parts: so do they there (8.7 and 48.1 %)",
            of("v100", 2, "CMP"),
            of("v100", 2, "CP"),
        ),
        below(
            "V100 in two parts: a compute partition is better than shares of threads (48.1 and 135.8 %)",
            of("v100", 2, "CP"),
            of("v100", 2, "MPS"),
        ),
        below(
            "V100 in four parts: memory colours (7.3 and 79.0 %)",
            of("v100", 4, "CMP"),
            of("v100", 4, "CP"),
        ),
        below(
            "V100 in four parts: shares of threads are worst (79.0 and 260.6 %)",
            of("v100", 4, "CP"),
            of("v100", 4, "MPS"),
        ),
    ]
}

impl Variation {
    /// The report as Markdown.
    pub fn text(&self) -> String {
        let mut out = format!(
            "Seed {:#x}. Variation: the longest time beside MM, FWT or VA on all other parts, against \
             that beside idle parts, in per cent. CP: SMs of its own; CMP: memory colours as well; MPS: \
             a share of the threads on all SMs.\n\n",
            self.seed
        );
        if !self.complete {
            out += "Interrupted: some configurations are missing.\n\n";
        }
        let percent = |value: f64| format!("{value:.1}");
        out += &table(
            "Variation by configuration",
            &[
                "GPU",
                "parts",
                "technique",
                "applications",
                "average (%)",
                "paper",
                "highest (%)",
                "paper",
            ],
            self.summaries.iter().enumerate().map(|(at, row)| {
                let of_paper = |value: Option<f64>| value.map_or("-".into(), percent);
                // The last two are of image classification.
                let images = at + 2 >= self.summaries.len() && self.complete;
                vec![
                    row.gpu.clone(),
                    row.parts.to_string(),
                    row.technique.name().into(),
                    if images {
                        "image classification"
                    } else {
                        "table I"
                    }
                    .into(),
                    percent(row.average),
                    of_paper(row.paper.map(|paper| paper.average)),
                    percent(row.max),
                    of_paper(row.paper.map(|paper| paper.max)),
                ]
            }),
        );
        if self.complete {
            out += &format!("\n{}", statements(&self.statements));
        }
        out += &format!(
            "\n{}",
            table(
                "Each application: times as multiples of parts x the time on the whole GPU",
                &[
                    "GPU",
                    "parts",
                    "technique",
                    "application",
                    "others idle",
                    "beside",
                    "variation (%)"
                ],
                self.rows.iter().map(|row| {
                    let beside = row.beside.iter();
                    let beside = beside.map(|(app, _, times)| format!("{} {times:.2}", app.name()));
                    vec![
                        row.gpu.clone(),
                        row.parts.to_string(),
                        row.technique.name().into(),
                        row.application.name().into(),
                        format!("{:.2}", row.normalised),
                        beside.collect::<Vec<_>>().join(", "),
                        percent(row.variation),
                    ]
                }),
            )
        );
        out
    }

    /// The picture.
    ///
    /// # Errors
    /// [`Error::Picture`].
    pub fn attachments(&self) -> Result<Vec<Attachment>, Error> {
        if !self.complete {
            return Ok(vec![]);
        }
        let text = plot::bars("Variation by partition, and the paper's", &self.summaries)?;
        Ok(vec![Attachment {
            name: "fgpu-variation.svg".into(),
            text,
        }])
    }
}
