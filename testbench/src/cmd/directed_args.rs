//! The directed part of vectors, as `vectors` and `export --testbench` take it.

use cotenant_units::table::ParameterSet;
use miette::{IntoDiagnostic, Result};

use crate::registry::AnyUnit;
use crate::verify::directed::BUDGET;
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

    /// Vectors of this length for a parameter set of a unit.
    pub(super) fn of(
        &self,
        unit: &dyn AnyUnit,
        set: &ParameterSet,
        vectors: &Vectors,
    ) -> Result<Vectors> {
        let most = self.directed.unwrap_or(BUDGET);
        let budget = self.cycles.map_or(most, |cycles| most.min(cycles / 2));
        let plan = unit.plan(set, vectors.seed, budget).into_diagnostic()?;
        let usual = vectors.cycles + plan.cycles();
        let vectors = vectors.clone().legs(plan.legs);
        Ok(vectors.cycles(self.cycles.unwrap_or(usual)))
    }
}
