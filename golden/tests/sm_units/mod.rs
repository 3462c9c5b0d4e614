//! Invariants of the SM unit models under random input, and in a closed loop.
//!
//! Rationale: the unit tests fix single steps by hand; here long random runs over small and large
//! parameters look for states that no one thought of. What must always hold: a limit is 1 to the
//! count's range and nothing is in flight above it that was issued under it; a count in flight is
//! issues less completions; a grant goes to a kernel that is ready, and comes whenever one is; a
//! lone kernel is never blocked; quotas of active kernels are at least 1, and a refill makes the
//! requests of all equal. Each model is also compared with a second one written for the test from
//! the formula, over the events instead of the cycles.

#![allow(missing_docs)]

mod closed_loop;
mod limiters;
mod priorities;
