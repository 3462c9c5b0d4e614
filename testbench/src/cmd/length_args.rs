//! The length of vectors and of their directed part, as `vectors` and `export --testbench` take it.

use cotenant_units::table::ParameterSet;
use miette::{IntoDiagnostic, Result};

use crate::registry::AnyUnit;
use crate::verify::coverage::CoverageReport;
use crate::verify::directed::BUDGET;
use crate::verify::lockstep::Flow;
use crate::verify::vectors::Vectors;

/// How long vectors are.
#[derive(Debug, clap::Args)]
pub(super) struct Length {
    /// Cycles of vectors, including two of reset, as 5000 or 20k [default: the directed part and 10k]
    #[arg(long, value_name = "N", value_parser = super::args::cycles)]
    pub cycles: Option<u64>,
    /// The most cycles of the directed part, which goes from reset to the bins of the functional
    /// coverage and is at most half of --cycles; 0 for none [default: 400k]
    #[arg(long, value_name = "N", value_parser = super::args::cycles)]
    pub directed: Option<u64>,
}

impl Length {
    /// Whether something was said.
    pub(super) fn is_given(&self) -> bool {
        self.cycles.is_some() || self.directed.is_some()
    }

    /// Vectors of this length for a parameter set of a unit, and what their directed part hits; nothing if
    /// `watch` says so, which is told how many cycles were simulated to find it.
    pub(super) fn of(
        &self,
        unit: &dyn AnyUnit,
        set: &ParameterSet,
        vectors: &Vectors,
        watch: &mut dyn FnMut(u64) -> Flow,
    ) -> Result<Option<(Vectors, CoverageReport)>> {
        let most = self.directed.unwrap_or(BUDGET);
        let budget = self.cycles.map_or(most, |cycles| most.min(cycles / 2));
        let mut more = |cycles| watch(cycles) == Flow::Continue;
        let plan = unit
            .plan(set, vectors.seed, budget, &mut more)
            .into_diagnostic()?;
        let Some(plan) = plan else {
            return Ok(None);
        };
        let usual = vectors.cycles + plan.cycles();
        let vectors = vectors.clone().segments(plan.segments);
        let vectors = vectors.cycles(self.cycles.unwrap_or(usual));
        Ok(Some((vectors, plan.coverage)))
    }
}

/// Bins that are named; the rest are counted.
const NAMED: usize = 20;

/// What is hit from reset, of which so many cycles are directed, and a line for each bin that is not.
pub(super) fn reached(directed: u64, coverage: &CoverageReport) -> String {
    let missing = coverage.missing();
    let mut text = format!(
        "  directed part of {directed} cycles; {} of {} coverage bins hit from reset\n",
        coverage.hit(),
        coverage.total()
    );
    for bin in missing.iter().take(NAMED) {
        text += &format!("  not reached: {bin}\n");
    }
    if missing.len() > NAMED {
        text += &format!("  and {} more bins\n", missing.len() - NAMED);
    }
    text
}
