//! Verification of netlists against golden models: everything that is common to all units.
//!
//! | | |
//! |---|---|
//! | [`interface`] | ports and registers of a unit, and where the netlist has them |
//! | [`stimulus`] | transactions, profiles, seeded streams and strategies |
//! | `dut` | the netlist's side, addressed in the order of the golden model |
//! | [`lockstep`] | both sides in step, outputs and state compared in every cycle |
//! | [`coverage`] | functional coverage |
//! | [`directed`] | stimulus that goes from reset to every bin of it |
//! | [`facts`] | what is always true of a unit, as logic |
//! | [`fault`] | seeded faults that the lockstep must catch |
//! | [`vectors`] | inputs and expected outputs as text, for RTL in any language |
//! | [`dump`] | comparison of a value change dump with a golden model |
//! | [`waves`] | waves of both sides, and layouts for viewers |

pub mod coverage;
pub mod directed;
#[cfg(feature = "lockstep")]
pub mod dump;
#[cfg(feature = "lockstep")]
pub(crate) mod dut;
pub mod facts;
#[cfg(feature = "lockstep")]
pub mod fault;
pub mod interface;
#[cfg(feature = "lockstep")]
pub mod lockstep;
pub mod stimulus;
#[cfg(feature = "lockstep")]
pub mod vectors;
#[cfg(feature = "lockstep")]
pub mod waves;
