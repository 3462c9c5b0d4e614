//! Where an address is: module, bank and cache set as XOR of address bits, and how to find out.
//!
//! Source: Jain et al., "Fractional GPUs: Software-based Compute and Memory Bandwidth Reservation
//! for GPUs", RTAS 2019 (Fractional GPUs), section IV and appendices A and B.
//!
//! | module | holds |
//! | --- | --- |
//! | [`colour`] | pages by the memory modules that they lie in, and an allocator of them |
//! | [`gf2`] | linear algebra over GF(2), in which all of this is |
//! | [`xor_hash`], [`address_map`] | the units: an index, and the place of an address |
//! | [`isolation`] | what programs that share a GPU do to each other, and partitions against it |
//! | [`mapping`] | tables of XOR functions as files, and where an address is by them |
//! | [`memory`] | a memory as a black box that returns access times; `gtx1080` and `v100` |
//! | [`probe`] | reverse engineering: from access times back to the functions |
//! | [`tx2`] | interference in the LLC of a TX2, by stride and by copied lines |

pub mod address_map;
pub mod gf2;
pub mod xor_hash;

#[cfg(feature = "machines")]
pub mod colour;
#[cfg(feature = "machines")]
pub mod isolation;
#[cfg(feature = "machines")]
pub mod mapping;
#[cfg(feature = "machines")]
pub mod memory;
#[cfg(feature = "machines")]
pub mod probe;
#[cfg(feature = "machines")]
pub mod tx2;
