//! All tests of this crate that use it from outside, one module per subject.
//!
//! One program, since each of its own would link everything that the crate uses. The tests of a
//! subject alone: `cargo test -p cotenant --test all lockstep::`.

mod addresses_experiments;
mod any_parameters;
mod area;
mod asic;
mod assertions;
mod attribution;
mod block_ram;
mod browser;
mod check_command;
mod check_elaborates;
mod check_vcd;
mod closed_loop;
mod cocotb;
mod collisions;
mod commands;
mod common;
mod cosim;
mod coverage;
mod driver;
mod exhaustive;
mod experiment;
mod export;
mod export_options;
mod faults;
mod fuzz;
mod integration;
mod integration_hashed;
mod integration_nonblocking;
mod lockstep;
mod lockstep_breaks;
mod lockstep_memory;
mod mutation;
mod packages;
mod pages;
mod policies_command;
mod probe_command;
mod registers;
mod replay;
mod replay_command;
mod retimed;
mod rooms;
mod run;
mod sampled_sets;
mod scenarios;
mod strategies;
mod tap_experiments;
mod teach;
mod teach_command;
mod truth;
mod vectors;
mod verilog_units;
mod waves;
mod waves_command;
