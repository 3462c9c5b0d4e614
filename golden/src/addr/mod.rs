//! Where an address is: module, bank and cache set as XOR of address bits, and how to find out.
//!
//! Source: Jain et al., "Fractional GPUs: Software-based Compute and Memory Bandwidth Reservation
//! for GPUs", RTAS 2019 (Fractional GPUs), section IV and appendices A and B.
//!
//! | module | holds |
//! | --- | --- |
//! | [`gf2`] | linear algebra over GF(2), in which all of this is |
//! | [`xor_hash`], [`address_map`] | the units: an index, and the place of an address |
//! | [`mapping`] | tables of XOR functions as files, and where an address is by them |
//! | [`memory`] | a memory as a black box that returns access times; `gtx1080` is one |
//! | [`probe`] | reverse engineering: from access times back to the functions |

pub mod address_map;
pub mod gf2;
pub mod mapping;
pub mod memory;
pub mod probe;
pub mod xor_hash;
