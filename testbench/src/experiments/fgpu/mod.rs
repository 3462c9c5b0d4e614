//! `fgpu-cases` and `fgpu-variation`: how well kernels on one GPU are kept apart by memory module and by
//! partition.
//!
//! Source: Fractional GPUs, figure 8 (cases), tables III and IV and section V-B (variation). The models
//! are in [`isolation`](cotenant_golden::addr::isolation). Signs and orders that the paper states are
//! rows of their own; they were written down before the first run.

mod cases;
mod plot;
mod variation;

pub use cases::{run as cases, Cases};
pub(crate) use plot::curves;
pub use variation::{run as variation, Variation};

/// A statement of the paper, and whether it holds here.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Statement {
    /// What the paper says.
    pub paper: &'static str,
    /// What was measured.
    pub ours: String,
    /// Whether that is so.
    pub holds: bool,
    /// Where it is not: the reason, as far as it is known.
    pub why: &'static str,
}

impl Statement {
    fn row(&self) -> Vec<String> {
        let holds = if self.holds { "yes" } else { "no" };
        let why = if self.holds { "" } else { self.why };
        vec![
            self.paper.into(),
            self.ours.clone(),
            holds.into(),
            why.into(),
        ]
    }
}

/// The statements as a table.
pub(crate) fn statements(all: &[Statement]) -> String {
    crate::experiments::table::table(
        "What the paper says",
        &["the paper", "here", "holds", "why not"],
        all.iter().map(Statement::row),
    )
}
