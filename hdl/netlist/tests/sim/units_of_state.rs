//! State by name.
