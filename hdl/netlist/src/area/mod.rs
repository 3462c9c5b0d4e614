//! Area of a netlist, estimated without external tools.
//!
//! Storage is exact. Logic is an estimate by the means of a real mapper: the
//! netlist's gates, covered with look-up tables of 4 inputs (Lattice iCE40)
//! and of 6 (Xilinx 7 series).
//!
//! | step | where |
//! |---|---|
//! | gates, equal ones once; constant, equal and unused flops removed | `network` |
//! | enables and synchronous resets become the flops' own | `control` |
//! | sums and comparisons become carry chains, sums of many operands full adders before one chain | `sums` |
//! | conjunctions balanced | `balance` |
//! | cuts, chosen for depth, then for area at that depth | `mapping` |
//! | the tables and chains compared with the netlist on random vectors | `verify` |
//!
//! What is counted is what Yosys counts in a netlist that `synth_ice40` or
//! `synth_xilinx` has made: cells, not the slices that a packer fills. No
//! number is fitted to a unit. ASSUMPTION: pads, clock buffers and routing are
//! not counted; a RAM is block RAM whatever its size.

mod architecture;
mod balance;
mod chains;
mod control;
mod counts;
mod mapping;
mod network;
mod replace;
mod sums;
#[cfg(test)]
mod tests;
mod verify;

pub use architecture::Architecture;
pub use counts::RamArea;

use crate::blast::Aig;
use crate::{Error, Netlist};
use mapping::Mapped;
use network::Network;
use serde::Serialize;

/// NAND2 gates in the area of a flop: DFFPOSX1 (96 um2) over NAND2X1 (24 um2)
/// of the osu018 library.
pub const NAND2_PER_FLOP: usize = 4;

/// Why there is no estimate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AreaError {
    /// The netlist cannot be read again as it is written.
    #[error("area: {0}")]
    Netlist(#[from] Error),
    /// The look-up tables do not compute what the netlist does: a defect of
    /// the mapper.
    #[error(
        "area: the mapping to {architecture} is wrong ({what}); please report it with the netlist"
    )]
    Mapping {
        /// What was mapped to.
        architecture: &'static str,
        /// The first bit that differs.
        what: String,
    },
}

/// Look-up tables and what goes with them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Mapping {
    /// The family.
    pub architecture: Architecture,
    /// Inputs of a look-up table.
    pub lut_inputs: usize,
    /// Look-up tables, those of carry chains and inverters included.
    pub luts: usize,
    /// `SB_CARRY` cells of an iCE40, `CARRY4` cells of a 7 series.
    pub carries: usize,
    /// `MUXF7` cells.
    pub muxf7: usize,
    /// `MUXF8` cells.
    pub muxf8: usize,
}

/// Area of a netlist.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Area {
    /// Bits of flops that synthesis keeps: an output depends on them, they
    /// change, and none before them has the same inputs.
    pub flop_bits: usize,
    /// Bits of flops that synthesis removes: no output depends on them, they
    /// keep their reset value, or another flop has the same inputs.
    pub removed_flop_bits: usize,
    /// Bits of RAM that an output depends on; read data registers are part of
    /// the RAM and not counted as flops.
    pub ram_bits: usize,
    /// Each RAM.
    pub rams: Vec<RamArea>,
    /// Conjunctions of two (and-inverter graph), with enables and resets of
    /// flops as logic.
    pub gates: usize,
    /// NAND2 equivalents: a conjunction counts one, inverters nothing, a flop
    /// [`NAND2_PER_FLOP`]; RAM is left out.
    pub nand2: usize,
    /// Each family.
    pub mappings: Vec<Mapping>,
}

/// Storage of a netlist alone, as in [`Area`]: for large ones known long before their logic is
/// mapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Storage {
    /// Bits of flops that synthesis keeps.
    pub flop_bits: usize,
    /// Bits of RAM that an output depends on.
    pub ram_bits: usize,
}

impl Storage {
    /// Storage of a netlist.
    ///
    /// # Errors
    /// As [`Area::of`].
    pub fn of(netlist: &Netlist) -> Result<Storage, AreaError> {
        // It does not depend on what the logic is mapped to.
        let network = Network::new(&netlist.literal()?, Architecture::ALL[0]);
        let rams = counts::rams(netlist, &network);
        Ok(Storage {
            flop_bits: network.flops.len(),
            ram_bits: rams.iter().map(|ram| ram.bits).sum(),
        })
    }

    /// All bits.
    pub fn bits(&self) -> usize {
        self.flop_bits + self.ram_bits
    }
}

impl Area {
    /// Flops and RAM.
    pub fn storage(&self) -> Storage {
        Storage {
            flop_bits: self.flop_bits,
            ram_bits: self.ram_bits,
        }
    }

    /// Area of a netlist.
    ///
    /// # Errors
    /// [`AreaError::Mapping`] if the result does not compute what the netlist
    /// does, which is checked each time on random vectors.
    pub fn of(netlist: &Netlist) -> Result<Area, AreaError> {
        let literal = netlist.literal()?;
        let aig = Aig::new(netlist);
        let mut storage = None;
        let mut mappings = vec![];
        for architecture in Architecture::ALL {
            let mapped = Mapped::new(Network::new(&literal, architecture), architecture);
            if let Some(what) = verify::verify(&aig, &mapped) {
                let architecture = architecture.name();
                return Err(AreaError::Mapping { architecture, what });
            }
            mappings.push(mapped.summary());
            // Storage does not depend on what the logic is mapped to.
            storage = Some(mapped.network);
        }
        let network = storage.unwrap_or_default();
        let flop_bits = network.flops.len();
        let all: usize = netlist.regs.iter().map(|reg| reg.width).sum();
        let rams = counts::rams(netlist, &network);
        let gates = counts::gates(&aig, &network);
        Ok(Area {
            flop_bits,
            removed_flop_bits: all - flop_bits,
            ram_bits: rams.iter().map(|ram| ram.bits).sum(),
            rams,
            gates,
            nand2: gates + NAND2_PER_FLOP * flop_bits,
            mappings,
        })
    }

    /// The mapping to a family.
    pub fn mapping(&self, architecture: Architecture) -> Option<&Mapping> {
        let mut all = self.mappings.iter();
        all.find(|mapping| mapping.architecture == architecture)
    }
}
