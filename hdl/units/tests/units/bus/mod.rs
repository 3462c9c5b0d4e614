//! The units behind a bus.

mod agree;
mod bridges;
mod budget;
mod decode;
mod file;
mod issue;
mod llc;
