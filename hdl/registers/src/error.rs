//! Errors of a register description.

/// Parameters that the register space has no room for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{unit}: {parameter} is {value}, expected {} to {}: take another parameter set, or the unit without a bus", .expected.start(), .expected.end())]
#[non_exhaustive]
pub struct ParameterError {
    /// The unit.
    pub unit: &'static str,
    /// The parameter.
    pub parameter: &'static str,
    /// Its value.
    pub value: usize,
    /// What it may be.
    pub expected: std::ops::RangeInclusive<usize>,
}

/// A description that contradicts itself.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{unit}, {register}: {problem}")]
#[non_exhaustive]
pub struct MapError {
    /// The unit.
    pub unit: &'static str,
    /// The register.
    pub register: &'static str,
    /// What is wrong with it.
    pub problem: String,
}
