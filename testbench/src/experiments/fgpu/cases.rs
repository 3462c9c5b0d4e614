//! `fgpu-cases`: one thread beside others in the same or another set, bank and module (figure 8).

use cotenant_golden::addr::isolation::cases::{cases as measure, Case, CaseRow, CasesConfig};
use cotenant_golden::addr::isolation::IsolationError;
use serde::Serialize;

use super::{plot, statements, Statement};
use crate::experiments::table::table;
use crate::experiments::{Attachment, Error, Setting};

/// All that is measured.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Cases {
    /// Version of this document.
    pub schema: u32,
    /// The experiment's name.
    pub experiment: &'static str,
    /// The memory.
    pub memory: &'static str,
    /// Whether all cases came to their end.
    pub complete: bool,
    /// By case and number of blocks.
    pub rows: Vec<CaseRow>,
    /// What the paper says of them.
    pub statements: Vec<Statement>,
}

/// The memory of figure 8.
const MEMORY: &str = "gtx1080";

/// Runs all of it. There is nothing random in it.
///
/// # Errors
/// [`Error`].
pub fn run(setting: &Setting<'_>) -> Result<Cases, Error> {
    let config = CasesConfig::named(MEMORY)?;
    setting
        .watch
        .expect((config.cases.len() * config.blocks.len()) as u64);
    let mut last = 0;
    let measured = measure(&config, &mut |done, _| {
        setting
            .watch
            .advance(done - std::mem::replace(&mut last, done))
    });
    let rows = match measured {
        Ok(rows) => rows,
        Err(IsolationError::Stopped) => vec![],
        Err(error) => return Err(error.into()),
    };
    Ok(Cases {
        schema: 1,
        experiment: "fgpu-cases",
        memory: MEMORY,
        complete: !rows.is_empty(),
        statements: if rows.is_empty() { vec![] } else { said(&rows) },
        rows,
    })
}

/// A case with most blocks.
fn last(rows: &[CaseRow], case: Case) -> f64 {
    let mut of_case = rows.iter().filter(|row| row.case == case);
    of_case.next_back().map_or(f64::NAN, |row| row.normalised)
}

/// Section IV-E and the caption of figure 8.
fn said(rows: &[CaseRow]) -> Vec<Statement> {
    let [scsb, dcsb, scdb, dcdb, dm] = Case::ALL.map(|case| last(rows, case));
    let shared_bank = scsb.min(dcsb);
    let other_bank = scdb.max(dcdb);
    vec![
        Statement {
            paper: "SCSB is the worst, more than 10 times",
            ours: format!(
                "SCSB {scsb:.1}, the others at most {:.1}",
                dcsb.max(other_bank)
            ),
            holds: scsb > 10.0 && scsb >= dcsb && scsb >= other_bank,
            why: "",
        },
        Statement {
            paper: "DCSB follows closely",
            ours: format!("{dcsb:.1}, {:.0} % of SCSB", 100.0 * dcsb / scsb),
            holds: dcsb >= 0.8 * scsb && dcsb > other_bank,
            why: "",
        },
        Statement {
            paper: "SCDB and DCDB are slowed down less, by the MSHRs of the module",
            ours: format!("{scdb:.1} and {dcdb:.1}"),
            holds: other_bank > 1.2 && other_bank < shared_bank,
            why: "",
        },
        Statement {
            paper: "DM is not slowed down",
            ours: format!("{dm:.2}"),
            holds: dm < 1.05,
            why: "",
        },
    ]
}

impl Cases {
    /// The report as Markdown.
    pub fn text(&self) -> String {
        let mut out = format!(
            "Memory `{}`; cycles of a read of one thread beside so many others, as a multiple of those \
             without others. Nothing is random.\n\n",
            self.memory
        );
        if !self.complete {
            return out + "Interrupted.\n";
        }
        let blocks: Vec<u64> = [1, 2, 5, 10, 20, 30, 40, 50].to_vec();
        let shown = |case: Case| {
            let value = |blocks: &u64| {
                let row = self
                    .rows
                    .iter()
                    .find(|row| row.case == case && row.blocks == *blocks);
                row.map_or("-".into(), |row| format!("{:.2}", row.normalised))
            };
            let values = blocks.iter().map(value);
            std::iter::once(case.name().to_owned())
                .chain(values)
                .collect()
        };
        let heads: Vec<String> = blocks
            .iter()
            .map(|blocks| format!("{blocks} blocks"))
            .collect();
        let heads: Vec<&str> = std::iter::once("case")
            .chain(heads.iter().map(String::as_str))
            .collect();
        let title = "Figure 8: set (SC same, DC different), bank (SB, DB), DM another module";
        out += &table(title, &heads, Case::ALL.into_iter().map(shown));
        out + "\n" + &statements(&self.statements)
    }

    /// The picture.
    ///
    /// # Errors
    /// [`Error::Picture`].
    pub fn attachments(&self) -> Result<Vec<Attachment>, Error> {
        if !self.complete {
            return Ok(vec![]);
        }
        let curves = Case::ALL.map(|case| {
            let of_case = self.rows.iter().filter(|row| row.case == case);
            let points = of_case
                .map(|row| (row.blocks as f64, row.normalised))
                .collect();
            (case.name().to_owned(), points)
        });
        let text = plot::curves(
            "One thread beside others (gtx1080)",
            [
                "blocks of one thread",
                "time per read, multiple of that alone",
            ],
            &curves,
        )?;
        Ok(vec![Attachment {
            name: "fgpu-cases.svg".into(),
            text,
        }])
    }
}
