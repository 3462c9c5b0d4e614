//! `fgpu-variation`: how much others change an application's time, by how the GPU is divided (tables III
//! and IV; section V-B for image classification).

use cotenant_golden::addr::isolation::share::application::App;
use cotenant_golden::addr::isolation::share::launch::LaunchCost;
use cotenant_golden::addr::isolation::share::partition::Technique;
use cotenant_golden::addr::isolation::share::{
    sharing, Sharing, SharingConfig, SharingRow, SharingSummary,
};
use serde::Serialize;

use super::{launch, plot};
use crate::experiments::statement::{deviation, near, signed, statements, Statement};
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
    /// What persistent blocks cost each launch.
    pub launches: Vec<LaunchCost>,
    /// What the paper says of all this.
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
    let runs: usize = configs.iter().map(SharingConfig::runs).sum();
    setting.watch.expect(runs as u64);
    let mut complete = true;
    for config in configs {
        let config = SharingConfig {
            seed: setting.seed,
            ..config
        };
        let mut last = 0;
        let sharing = sharing(&config, &mut |done, _| {
            let more = done - std::mem::replace(&mut last, done);
            setting.watch.advance(more)
        })?;
        all.rows.extend(sharing.rows);
        all.summaries.extend(sharing.summaries);
        complete &= last == config.runs() as u64;
    }
    let launches = match complete {
        true => launch::measure(setting)?,
        false => vec![],
    };
    let mut statements = vec![];
    if complete {
        statements.extend(said(&all.summaries));
        statements.extend(launch::said(&launches));
    }
    Ok(Variation {
        schema: 1,
        experiment: "fgpu-variation",
        seed: setting.seed,
        complete,
        launches,
        statements,
        rows: all.rows,
        summaries: all.summaries,
    })
}

/// Whether a line is that of image classification, not of table I.
pub(super) fn of_images(row: &SharingSummary) -> bool {
    row.applications == [App::Ic]
}

/// What section V-B concludes: GPU and parts, which technique varies less than which other, in words.
const ORDERS: [(&str, u64, Technique, Technique, &str); 5] = [
    (
        "gtx1080",
        2,
        Technique::Cmp,
        Technique::Cp,
        "GTX 1080: memory colours lower the variation of a compute partition",
    ),
    (
        "v100",
        2,
        Technique::Cmp,
        Technique::Cp,
        "V100 in two parts: so do they there",
    ),
    (
        "v100",
        2,
        Technique::Cp,
        Technique::Mps,
        "V100 in two parts: a compute partition is better than shares of threads",
    ),
    (
        "v100",
        4,
        Technique::Cmp,
        Technique::Cp,
        "V100 in four parts: memory colours",
    ),
    (
        "v100",
        4,
        Technique::Cp,
        Technique::Mps,
        "V100 in four parts: shares of threads are worst",
    ),
];

/// Why an average is not the paper's, as far as it is known; nothing if it is near.
fn why(row: &SharingSummary) -> &'static str {
    let Some(paper) = row.paper else { return "" };
    match (&row.gpu[..], row.technique) {
        _ if near(row.average, paper.average) => "",
        (_, Technique::Cmp) => {
            "between colours the model shares nothing; the card still shares its crossbar and driver"
        }
        _ if of_images(row) => "a stand-in of layers, not the network itself",
        _ => "16 MSHRs for each of 32 modules are assumed, from the GTX 1080; they bound all parts together",
    }
}

fn said(summaries: &[SharingSummary]) -> Vec<Statement> {
    let statement = |(gpu, parts, less, more, paper): (&str, u64, Technique, Technique, &str)| {
        // Ours and the paper's.
        let of = |technique: Technique| {
            let found = summaries.iter().find(|row| {
                (&row.gpu[..], row.parts, row.technique) == (gpu, parts, technique)
                    && !of_images(row)
            });
            let paper = found.and_then(|row| row.paper);
            let ours = found.map_or(f64::NAN, |row| row.average);
            (ours, paper.map_or(f64::NAN, |paper| paper.average))
        };
        let ((low, low_paper), (high, high_paper)) = (of(less), of(more));
        Statement::new(
            format!("{paper} ({low_paper:.1} and {high_paper:.1} %)"),
            format!("{low:.1} % and {high:.1} %"),
            low < high,
        )
    };
    ORDERS.into_iter().map(statement).collect()
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
                "deviation",
                "highest (%)",
                "paper",
                "deviation",
                "why",
            ],
            self.summaries.iter().map(|row| {
                let beside = |ours: f64, paper: Option<f64>| match paper {
                    Some(paper) => [
                        percent(ours),
                        percent(paper),
                        signed(deviation(ours, paper)),
                    ],
                    None => [percent(ours), "-".into(), "-".into()],
                };
                let average = beside(row.average, row.paper.map(|paper| paper.average));
                let max = beside(row.max, row.paper.map(|paper| paper.max));
                let applications = match of_images(row) {
                    true => "image classification",
                    false => "table I",
                };
                let which = [
                    row.gpu.clone(),
                    row.parts.to_string(),
                    row.technique.name().into(),
                    applications.into(),
                ];
                let why = [why(row).to_owned()];
                which
                    .into_iter()
                    .chain(average)
                    .chain(max)
                    .chain(why)
                    .collect()
            }),
        );
        if self.complete {
            out += &format!("\n{}", statements(&self.statements));
            out += &format!("\n{}", launch::text(&self.launches));
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
