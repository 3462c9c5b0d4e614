//! `fgpu-cases` and `fgpu-variation`: how well kernels on one GPU are kept apart by memory module and by
//! partition.
//!
//! Source: Fractional GPUs, figure 8 (cases), tables III and IV and section V-B (variation). The models
//! are in [`isolation`](cotenant_golden::addr::isolation). Orders that the paper states are rows of their
//! own.

mod cases;
mod launch;
mod plot;
mod variation;

pub use cases::{run as cases, Cases};
pub use variation::{run as variation, Variation};
