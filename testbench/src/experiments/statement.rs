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
            holds,
            why: "",
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
            holds.into(),
            why.into(),
        ]
    }
}

/// Whether a value is within 20 % of the paper's.
pub fn near(value: f64, paper: f64) -> bool {
    (value - paper).abs() <= NEAR * paper
}

/// Statements as a table.
pub fn statements(all: &[Statement]) -> String {
    table(
        "What the paper says",
        &["the paper", "here", "holds", "why not"],
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
        assert!(near(4.8, 6.0) && near(7.2, 6.0) && !near(4.7, 6.0) && !near(f64::NAN, 6.0));
    }
}
