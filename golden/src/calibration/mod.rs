//! The machine and the kernels of Dai et al. (HPCA 2018), fitted on single kernels alone.
//!
//! | module | holds |
//! | --- | --- |
//! | [`solo`] | a kernel alone on the GPU, and what the paper reports of it |
//! | [`free`] | what is not known, with bounds: the runs of a fit |
//! | [`fit`] | the choice among them, and the preset that comes of it |
//! | [`compare`] | what the paper says beside what comes out |
//!
//! Kernels are those of [`suites`](crate::workload::program::suites). Everything else about the
//! machine is preset `maxwell`, with two facts about GPGPU-Sim 3.2.2, which the paper uses: it fills
//! whole lines and has its schedulers in a fixed order. No pair of kernels is run.
//!
//! The same seed gives the same numbers on every machine.

pub mod compare;
pub mod fit;
pub mod free;
pub mod solo;
