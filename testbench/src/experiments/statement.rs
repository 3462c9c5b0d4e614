//! Sentences of a paper, and whether they hold here.

use serde::Serialize;

use super::table::table;

/// How near a number of a paper's picture or text is reached. ASSUMPTION: 20 %; the papers' numbers are
/// rounded, or read off pictures.
const NEAR: f64 = 0.2;

/// A sentence of a paper, and whether it holds here.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Statement {
    /// What the paper says.
    pub paper: String,
    /// What was measured.
    pub ours: String,
    /// How far ours is from a number that the paper gives, in per cent of it.
    pub deviation: Option<f64>,
    /// Whether that is so.
    pub holds: bool,
    /// Where it is not: the reason, as far as it is known.
    pub why: &'static str,
}

impl Statement {
    /// A sentence that holds or does not.
    pub fn new(paper: impl Into<String>, ours: String, holds: bool) -> Self {
        Self {
            paper: paper.into(),
            ours,
            deviation: None,
            holds,
            why: "",
        }
    }

    /// A number of the paper, and what was measured; it holds if it is [`near`].
    pub fn number(paper: impl Into<String>, ours: f64, value: f64) -> Self {
        Self {
            deviation: Some(deviation(ours, value)),
            ..Self::new(paper, format!("{ours:.2}"), near(ours, value))
        }
    }

    /// With the reason, should it not hold.
    pub fn because(self, why: &'static str) -> Self {
        Self { why, ..self }
    }

    fn row(&self) -> Vec<String> {
        let (holds, why) = match self.holds {
            true => ("yes", ""),
            false => ("no", self.why),
        };
        vec![
            self.paper.clone(),
            self.ours.clone(),
            self.deviation.map_or("-".into(), signed),
            holds.into(),
            why.into(),
        ]
    }
}

/// Whether a value is within 20 % of the paper's.
pub fn near(value: f64, paper: f64) -> bool {
    (value - paper).abs() <= NEAR * paper
}

/// How far a value is from the paper's, in per cent of it.
pub fn deviation(value: f64, paper: f64) -> f64 {
    100.0 * (value / paper - 1.0)
}

/// A deviation as it stands in tables.
pub fn signed(percent: f64) -> String {
    format!("{percent:+.0} %")
}

/// Statements as a table.
pub fn statements(all: &[Statement]) -> String {
    table(
        "What the paper says",
        &["the paper", "here", "deviation", "holds", "why not"],
        all.iter().map(Statement::row),
    )
}

#[cfg(test)]
mod tests {
    //! Rationale: a sentence that does not hold must be seen as such, with its reason; of one that holds
    //! there is nothing to explain.
    use super::*;

    #[test]
    fn what_does_not_hold_is_explained() {
        let of = |holds| Statement::new("2 times", "1.5".into(), holds).because("less memory");
        let text = statements(&[of(true), of(false)]);
        let rows: Vec<&str> = text
            .lines()
            .filter(|line| line.contains("2 times"))
            .collect();
        assert!(rows[0].contains("yes") && !rows[0].contains("less memory"));
        assert!(rows[1].contains("no") && rows[1].contains("less memory"));
        assert!(rows.iter().all(|row| row.contains("| -  ")), "{rows:?}");
        let six = Statement::number("6 times", 4.5, 6.0).because("less memory");
        let text = statements(&[six, Statement::number("3 times", 3.3, 3.0)]);
        let cells = |what: &str| -> Vec<String> {
            let row = text.lines().find(|line| line.contains(what)).unwrap();
            row.split('|').map(|cell| cell.trim().to_owned()).collect()
        };
        assert_eq!(
            cells("6 times")[2..6],
            ["4.50", "-25 %", "no", "less memory"].map(String::from)
        );
        assert_eq!(
            cells("3 times")[2..6],
            ["3.30", "+10 %", "yes", ""].map(String::from)
        );
        assert!(near(4.8, 6.0) && near(7.2, 6.0) && !near(4.7, 6.0) && !near(f64::NAN, 6.0));
    }
}
