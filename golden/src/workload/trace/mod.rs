//! Readers of recorded traces.
