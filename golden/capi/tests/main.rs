//! The libraries as others use them: a header, a program in C, simulators. One program, for one
//! linking.
#![allow(missing_docs)]

mod c;
mod checkers;
mod common;
mod header;
mod threads;
