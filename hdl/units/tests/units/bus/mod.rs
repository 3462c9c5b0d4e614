//! The units behind a bus.

mod agree;
mod decode;
mod file;
mod issue;
