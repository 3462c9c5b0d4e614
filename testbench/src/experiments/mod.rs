//! Programs and traces on golden GPUs, with the units beside them.
//!
//! | | |
//! |---|---|
//! | [`gate`] | `mem_issue` in a simulated SM, both sides in step |
//! | [`replay`] | traces through the golden cache, with the units beside it |
//! | [`run`] | scenarios on the golden GPU, with the units beside its L2, and the report |
//! | [`study`] | experiments with the golden models |

pub mod gate;
pub mod replay;
pub mod run;
pub mod study;

mod picture;
