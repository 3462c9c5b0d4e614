//! The Verilog export, read by other tools: linters, simulators, provers.
//!
//! Needs `iverilog`, `verilator`, `yosys` and `berkeley-abc`.

#[path = "../support/mod.rs"]
mod support;

mod random;
mod tools;
