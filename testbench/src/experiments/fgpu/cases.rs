//! `fgpu-cases`: one thread beside others in the same or another set, bank and module (figure 8).

use cotenant_golden::addr::isolation::cases::{cases as measure, Case, CaseRow, CasesConfig};
use serde::Serialize;

use crate::experiments::curves::curves as drawn;
use crate::experiments::statement::{near, statements, Statement};
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

/// A slowdown.
const SLOWED: f64 = 1.05;
/// The memory of figure 8.
const MEMORY: &str = "gtx1080";

/// Runs all of it. There is nothing random in it.
///
/// # Errors
/// [`Error`].
pub fn run(setting: &Setting<'_>) -> Result<Cases, Error> {
    let config = CasesConfig::named(MEMORY)?;
    let points = config.cases.len() * config.blocks.len();
    setting.watch.expect(points as u64);
    let mut last = 0;
    let rows = measure(&config, &mut |done, _| {
        let more = done - std::mem::replace(&mut last, done);
        setting.watch.advance(more)
    })?;
    let complete = rows.len() == points;
    Ok(Cases {
        schema: 1,
        experiment: "fgpu-cases",
        memory: MEMORY,
        complete,
        statements: if complete { said(&rows) } else { vec![] },
        rows,
    })
}

/// A case with most blocks.
fn last(rows: &[CaseRow], case: Case) -> f64 {
    let mut of_case = rows.iter().filter(|row| row.case == case);
    of_case.next_back().map_or(f64::NAN, |row| row.normalised)
}

/// Section IV-E and the caption of figure 8. ASSUMPTION: "closely" is within 20 %; a slowdown is at least
/// one of 5 %.
fn said(rows: &[CaseRow]) -> Vec<Statement> {
    let [scsb, dcsb, scdb, dcdb, dm] = Case::ALL.map(|case| last(rows, case));
    let (same_bank, other_bank) = (scsb.min(dcsb), scdb.max(dcdb));
    let others = dcsb.max(other_bank);
    vec![
        Statement::new(
            "SCSB is the worst, more than 10 times",
            format!("SCSB {scsb:.1}, the others at most {others:.1}"),
            scsb > 10.0 && scsb >= others,
        ),
        Statement::new(
            "DCSB follows closely",
            format!("{dcsb:.1}, {:.0} % of SCSB", 100.0 * dcsb / scsb),
            near(dcsb, scsb) && dcsb > other_bank,
        ),
        Statement::new(
            "SCDB and DCDB are slowed down less, by the MSHRs of the module",
            format!("{scdb:.1} and {dcdb:.1}"),
            scdb.min(dcdb) > SLOWED && other_bank < same_bank,
        ),
        Statement::new("DM is not slowed down", format!("{dm:.2}"), dm < SLOWED),
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
            out += &format!("Interrupted: {} points were done.\n\n", self.rows.len());
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
        match self.complete {
            true => out + "\n" + &statements(&self.statements),
            false => out,
        }
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
        let text = drawn(
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
