//! Runs that are measured on their way.

use cotenant_golden::Model;
use cotenant_units::table::ParameterSet;

use super::Vectors;
use crate::error::Result;
use crate::verify::coverage::{Collect, Cover, CoverageReport};
use crate::verify::stimulus::{Drive, Run};

/// A run that is measured on its way.
pub(super) struct Measured<U: Cover> {
    run: Run<U>,
    collector: U::Collector,
}

impl<U: Cover> Measured<U> {
    /// # Errors
    /// What keeps the unit's model from being built.
    pub fn new(set: &ParameterSet, vectors: &Vectors) -> Result<Self> {
        let run = run::<U>(set, vectors)?;
        Ok(Self {
            collector: U::collector(run.model().params()),
            run,
        })
    }

    /// What it has hit of the unit's functional coverage.
    pub fn coverage(&self) -> CoverageReport {
        CoverageReport::of(&self.collector)
    }
}

/// A run without the unit's types.
pub(super) trait AnyRun {
    /// The inputs and outputs of the next cycle, as [`Run::answer`] gives them.
    ///
    /// # Errors
    /// As [`Run::input`].
    fn cycle(&mut self) -> Result<(&[u64], &[u64])>;
}

impl<U: Cover> AnyRun for Measured<U> {
    fn cycle(&mut self) -> Result<(&[u64], &[u64])> {
        let Self { run, collector } = self;
        run.input()?;
        collector.sample(run.model(), run.last_input());
        Ok(run.answer())
    }
}

/// The run that vectors are of.
///
/// # Errors
/// What keeps the unit's model from being built.
pub(crate) fn run<U: Drive>(set: &ParameterSet, vectors: &Vectors) -> Result<Run<U>> {
    let (mix, seed) = (vectors.mix.clone(), vectors.seed);
    Run::new(&U::params(set)?, &vectors.segments, mix, seed)
}
