//! Rationale: follows.
