//! A transfer as software requests it.

use cotenant_golden::bus::ADDRESS_W;
use cotenant_registers::{Map, Register};
use serde::{Deserialize, Serialize};

use crate::verify::stimulus::values::ones;
use crate::verify::stimulus::{Knobs, Random};

/// A cycle on a bus.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Transaction {
    /// A transfer that is to begin, if the master has room for it.
    pub transfer: Option<Transfer>,
    /// What waits may be put on its channel: the address of a write, its data, the address of a
    /// read.
    pub offer: [bool; 3],
    /// The response of a write or read is taken.
    pub take: [bool; 2],
    /// Values of the ports that are ignored.
    pub noise: u64,
}

/// A read or write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Transfer {
    /// It is a write.
    pub write: bool,
    /// Of what.
    pub place: Place,
    /// Of a write.
    pub data: Data,
    /// The bytes to write, the lowest four bits.
    pub strobe: u8,
}

/// Where a transfer goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Place {
    /// To a register; number, row and column are counted around.
    Register {
        /// Which, of those that the parameter set has; from [`ROWS`] up of those with rows that are
        /// written.
        number: u8,
        /// Which row of it.
        row: u8,
        /// Which column.
        column: u8,
    },
    /// So many bytes from a register: in a word, or in rows and columns that there are not.
    Beside {
        /// Which register.
        number: u8,
        /// Bytes from its first word.
        bytes: u16,
    },
    /// To this address, cut to the bus's width.
    Address(u16),
}

/// Where [`Place::Register`] begins to mean rows of registers that are written, which there are
/// many of.
pub const ROWS: u8 = 192;

/// What is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Data {
    /// What software might write into the register, made of these bits.
    Sensible(u32),
    /// This.
    Word(u32),
}

/// A transfer as it stands on a bus.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Asked {
    pub write: bool,
    pub address: u16,
    pub data: u32,
    pub strobe: u8,
}

impl Transaction {
    /// A cycle in which nothing is asked.
    pub const NOTHING: Self = Self {
        transfer: None,
        offer: [true; 3],
        take: [true; 2],
        noise: 0,
    };

    /// Draws a cycle: transfers as often as accesses.
    pub(in crate::unit) fn draw(knobs: &Knobs, random: &mut Random) -> Self {
        let transfers = random.chance(knobs.access);
        let noise = random.bits();
        // Of a master that is always ready, or one that seldom is.
        let (seldom, bits) = (noise >> 62 == 0, noise >> 48);
        let ready = |bit: u32| match seldom {
            true => bits >> (2 * bit) & 3 == 0,
            false => bits >> (2 * bit) & 3 != 0,
        };
        Self {
            transfer: transfers.then(|| Transfer::draw(random)),
            offer: [ready(0), ready(1), ready(2)],
            take: [ready(3), ready(4)],
            noise,
        }
    }
}

impl Transfer {
    fn draw(random: &mut Random) -> Self {
        let (bits, more) = (random.bits(), random.bits());
        let byte = |at: u32| (bits >> at) as u8;
        let place = match bits & 15 {
            0 => Place::Address((bits >> 8) as u16),
            1..=2 => Place::Beside {
                number: byte(8),
                bytes: (bits >> 16) as u16 >> (bits >> 32 & 15),
            },
            _ => Place::Register {
                number: byte(8),
                row: byte(16),
                column: byte(24),
            },
        };
        let word = more as u32;
        Self {
            write: bits >> 32 & 1 == 1,
            place,
            data: match bits >> 33 & 7 {
                0 => Data::Word(word >> (bits >> 40 & 31)),
                _ => Data::Sensible(word),
            },
            strobe: match bits >> 36 & 15 {
                0 => (more >> 32) as u8,
                _ => 15,
            },
        }
    }

    /// The transfer to registers that are described by `map`; `kernels` are told apart, and are
    /// below `most` requests.
    pub(in crate::unit) fn resolve(&self, map: &Map, kernels: usize) -> Asked {
        let nth = |number: u8| {
            let rows = |register: &Register| register.rows > 1 && register.is_written();
            let some = number >= ROWS && map.registers.iter().any(rows);
            let there = || {
                let all = map.registers.iter().filter(|register| register.rows > 0);
                all.filter(move |register| !some || rows(register))
            };
            there().nth(usize::from(number) % there().count().max(1))
        };
        let (register, address) = match self.place {
            Place::Register {
                number,
                row,
                column,
            } => {
                let register = nth(number);
                let address = register.map_or(0, |register| {
                    let row = usize::from(row) % register.rows;
                    register.address(row, usize::from(column) % register.columns)
                });
                (register, address)
            }
            Place::Beside { number, bytes } => {
                let register = nth(number);
                let first = register.map_or(0, |register| register.address(0, 0));
                (register, first + u32::from(bytes))
            }
            Place::Address(address) => (None, address.into()),
        };
        Asked {
            write: self.write,
            address: address as u16 & ones(ADDRESS_W) as u16,
            data: match self.data {
                Data::Word(word) => word,
                Data::Sensible(bits) => sensible(register, kernels, bits),
            },
            strobe: self.strobe & 15,
        }
    }
}

/// What software might write, made of some random bits.
fn sensible(register: Option<&Register>, kernels: usize, bits: u32) -> u32 {
    let (how, value) = (bits & 15, bits >> 4);
    match register.map_or("", |register| register.name) {
        // Now and then all lines are dropped, which takes long to mend.
        "CONTROL" => value & 1 | u32::from(how < 2) << 1,
        "PERIOD" => match how {
            0..=5 => 0,
            6..=7 => 1 + value % 3,
            8..=10 => value & 63,
            _ => value & 1023,
        },
        "MAP" => match how {
            0 => value & 0xff,
            1 => kernels as u32,
            _ => value % kernels as u32,
        },
        "DEMOTION_LIMIT" | "EVICTION_LIMIT" => match how {
            0..=3 => 0,
            4..=7 => value & 3,
            8..=11 => value & 63,
            12 => u32::MAX,
            _ => value >> (value >> 20 & 31),
        },
        "SET_LIMIT" => match how {
            0..=3 => 1 << 31 | value & 0xff,
            4..=5 => 0,
            6..=12 => 1 + value % 4,
            _ => value & 0xffff,
        },
        // Bits of kernels, interrupts and pulses: few, some or all.
        _ => match how {
            0..=2 => value & value >> 8,
            3..=8 => u32::MAX,
            _ => value,
        },
    }
}
