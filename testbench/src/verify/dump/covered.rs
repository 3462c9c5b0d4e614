//! A golden model whose functional coverage may be measured.

use cotenant_golden::Violation;

use crate::error::Result;
use crate::verify::coverage::{Collect, Cover, CoverageReport};
use crate::verify::interface::{AnyModel, ParamsOf, Typed};

/// A golden model without the unit's types.
pub(super) trait Golden: AnyModel {
    /// What its cycles have hit, if that is measured.
    fn coverage(&self) -> Option<CoverageReport>;
}

/// A golden model, and the collector if there is one.
pub(super) struct Covered<U: Cover> {
    typed: Typed<U>,
    collector: Option<U::Collector>,
}

impl<U: Cover> Covered<U> {
    /// A model that has seen nothing.
    ///
    /// # Errors
    /// As [`Interface::model`](crate::verify::interface::Interface::model).
    pub fn new(params: &ParamsOf<U>, measured: bool) -> Result<Self> {
        Ok(Self {
            typed: Typed::new(params)?,
            collector: measured.then(|| U::collector(params)),
        })
    }
}

impl<U: Cover> AnyModel for Covered<U> {
    fn take(&mut self, inputs: &[u64]) -> Result<()> {
        self.typed.take(inputs)
    }

    fn assume(&self) -> std::result::Result<(), Violation> {
        self.typed.assume()
    }

    fn step(&mut self, outputs: &mut [u64]) {
        if let Some(collector) = &mut self.collector {
            collector.sample(&self.typed.model, &self.typed.input);
        }
        self.typed.step(outputs);
    }

    fn registers(&self, row: &mut [u64]) {
        self.typed.registers(row);
    }

    fn same(&self, rows: &[Vec<u64>], watched: &[bool]) -> Result<bool> {
        self.typed.same(rows, watched)
    }
}

impl<U: Cover> Golden for Covered<U> {
    fn coverage(&self) -> Option<CoverageReport> {
        self.collector
            .as_ref()
            .map(|collector| CoverageReport::of(collector))
    }
}
