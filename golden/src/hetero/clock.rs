//! Time that counts the cycles of all clocks exactly.
//!
//! A tick is so short that every clock's cycle, and the time in which a CPU core dispatches one
//! instruction, is a whole number of them: with 3.5 GHz and 4 instructions, 1.5 GHz and 650 MHz
//! there are 546 ticks per nanosecond.

use super::config::Config;
use crate::model::ParamError;

/// A point in time or a duration, in ticks.
pub type Time = u64;

/// The most ticks per microsecond: 2^64 of them are days.
const MOST: u64 = 1 << 26;

/// Ticks of each clock's cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clocks {
    /// Of a CPU core.
    pub cpu: Time,
    /// In which a CPU core dispatches or retires one instruction.
    pub slot: Time,
    /// Of a GPU core.
    pub gpu: Time,
    /// Of NoC and L3.
    pub noc: Time,
    /// Of memory.
    pub dram: Time,
}

impl Clocks {
    /// Those of a platform, which must be legal.
    pub fn new(config: &Config) -> Self {
        let all = ticks(config);
        Self {
            cpu: all / config.cpu.clock_mhz,
            slot: all / (config.cpu.clock_mhz * config.cpu.width),
            gpu: all / config.gpu.clock_mhz,
            noc: all / config.noc.clock_mhz,
            dram: all / config.dram.clock_mhz,
        }
    }

    /// Whether the ticks of its clocks can be counted.
    pub(super) fn check(config: &Config) -> Result<(), ParamError> {
        ParamError::range(
            "ticks of all clocks per microsecond",
            ticks(config),
            1,
            MOST,
        )
    }
}

/// Ticks per microsecond: the least common multiple of all frequencies.
fn ticks(config: &Config) -> u64 {
    let slots = config.cpu.clock_mhz * config.cpu.width;
    let others = [
        config.gpu.clock_mhz,
        config.noc.clock_mhz,
        config.dram.clock_mhz,
    ];
    others.iter().fold(slots, |all, &mhz| {
        (all / common(all, mhz)).saturating_mul(mhz)
    })
}

/// The greatest common divisor.
fn common(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
