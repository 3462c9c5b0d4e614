//! The Verilog export, read by other tools: linters, simulators, provers.
//!
//! Needs `iverilog`, `verilator`, `yosys` and `berkeley-abc`.

mod loops;
mod random;
mod tools;
