//! Who gets how much of the shared cache: one behavioural model per hardware unit.
//!
//! Source: TAP (Lee and Kim, HPCA 2012), sections 3 and 5.3.

pub mod umon;
