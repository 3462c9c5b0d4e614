//! Units that manage the shared cache: who gets how much of it.

pub(crate) mod umon;

pub use umon::Umon;
