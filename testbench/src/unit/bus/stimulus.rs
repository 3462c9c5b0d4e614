//! Stimulus of a bus, which all units behind one have.
//!
//! What happens to the unit itself is drawn as for the unit without a bus; what software could do
//! on its other ports comes over the bus. A [`Transfer`] is to a register, mostly, and writes what
//! software might; its master ([`Master`]) holds it on the bus until it is taken, as the protocol
//! says. Some address nothing, some are unaligned, some write a part of a word. Transfers are asked
//! for as often as the profile lets the unit be accessed; periods end, lines are dropped, limits are
//! set and requesters are mapped by what they write, whatever the profile.

use std::collections::VecDeque;

use cotenant_golden::bus::apb4::{self, Apb4};
use cotenant_golden::bus::axi4_lite::{self, Axi4Lite};
use cotenant_golden::bus::{Answer, Bridge, ADDRESS_W};
use cotenant_registers::{Map, Register};

use super::bridge::Bus;
use crate::unit::prelude::*;

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

/// Where [`Place::Register`] begins to mean rows of registers that are written, which there are many
/// of.
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
    /// It is a write.
    pub write: bool,
    /// In bytes.
    pub address: u16,
    /// Of a write.
    pub data: u32,
    /// The bytes to write.
    pub strobe: u8,
    /// Its protection type.
    pub protection: u8,
}

/// A cycle in which nothing is asked.
impl Default for Transaction {
    fn default() -> Self {
        Self {
            transfer: None,
            offer: [true; 3],
            take: [true; 2],
            noise: 0,
        }
    }
}

impl Transaction {
    /// A write of a register begins.
    pub(crate) fn write(address: u16, data: u32) -> Self {
        let transfer = Transfer {
            write: true,
            place: Place::Address(address),
            data: Data::Word(data),
            strobe: 15,
        };
        Self {
            transfer: Some(transfer),
            ..Self::default()
        }
    }

    /// Draws a cycle: transfers as often as accesses.
    pub(crate) fn draw(knobs: &Knobs, random: &mut Random) -> Self {
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

impl Transaction {
    /// What a master with room for it asks for.
    pub(crate) fn asked<B: Master>(
        &self,
        master: &B::Master,
        map: &Map,
        kernels: usize,
    ) -> Option<Asked> {
        let wanted = self.transfer.as_ref();
        let wanted = wanted.filter(|transfer| B::has_room(master, transfer.write));
        wanted.map(|transfer| Asked {
            protection: (self.noise >> 40 & 7) as u8,
            ..transfer.resolve(map, kernels)
        })
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
    pub(crate) fn resolve(&self, map: &Map, kernels: usize) -> Asked {
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
                Data::Sensible(bits) => sensible(map, register, kernels, bits),
            },
            strobe: self.strobe & 15,
            protection: 0,
        }
    }
}

/// What software might write, made of some random bits.
fn sensible(map: &Map, register: Option<&Register>, kernels: usize, bits: u32) -> u32 {
    let (how, value) = (bits & 15, bits >> 4);
    let parameter = |name| {
        let found = map.parameters.iter().find(|(known, _)| *known == name);
        found.map_or(1, |(_, value)| *value as u32)
    };
    match register.map_or("", |register| register.name) {
        // Now and then all lines are dropped, which takes long to mend.
        "CONTROL" => value & 1 | u32::from(how < 2) << 1,
        "PERIOD" => match how {
            0..=5 => 0,
            6..=7 => 1 + value % 3,
            8..=9 => value & 63,
            // Its low bits alone would end soon, so that a lost high bit is seen.
            10 => 1 << (value >> 8 & 31) | value & 63,
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
            8..=10 => value & 63,
            // None, or beyond what a counter counts: refused.
            11 => u32::MAX << (value & 7),
            12 => u32::MAX,
            // One bit alone: a lost one is seen in what is refused.
            13 => 1 << (value & 31),
            _ => value >> (value >> 20 & 31),
        },
        "SET_LIMIT" => match how {
            0..=3 => 1 << 31 | value & 0xff,
            4..=5 => 0,
            6..=12 => 1 + value % 4,
            _ => value & 0xffff,
        },
        // With quotas that are given now and then: they may be refused.
        "POLICY" => match how {
            0..=8 => value & 0x5f,
            9 => value,
            _ => value & 0x5f | 1 << 5,
        },
        "QUOTA_GIVEN" => {
            let ways = parameter("WAYS");
            let (equal, some) = (ways / kernels as u32, (1 << (value % 5)).min(ways - 1));
            match how {
                0 => value & 0xff,
                1..=7 => equal,
                8..=10 => equal + value % 3 - 1,
                // Together with the same of another one they are all ways.
                11..=13 => some,
                _ => ways - some,
            }
        }
        "CORES" => {
            let cores = parameter("CORES");
            let pol1 = value % cores;
            let other = match how {
                0 => pol1,
                1 => cores,
                2 => 1 << (value >> 8 & 7),
                _ => (pol1 + 1 + (value >> 8) % (cores - 1)) % cores,
            };
            match value >> 16 & 1 {
                0 => pol1 | other << 8,
                _ => other | pol1 << 8,
            }
        }
        "STREAM_ACCESSES" => match how {
            0 => 0,
            1 => value,
            2..=5 => 1 + value % 3,
            _ => 1 << (value & 31),
        },
        // Bits of kernels, interrupts and pulses: few, some or all.
        _ => match how {
            0..=2 => value & value >> 8,
            3..=8 => u32::MAX,
            _ => value,
        },
    }
}

/// A bus with a master.
pub trait Master: Bus {
    /// Transfers that are on their way.
    type Master: Clone + std::fmt::Debug + Default + Send;

    /// Whether the master has room for a transfer of this kind.
    fn has_room(master: &Self::Master, write: bool) -> bool;

    /// The bus's inputs in this cycle: the bridge is in this state, and the register file gives
    /// this answer.
    fn drive(
        master: &mut Self::Master,
        state: &Self::State,
        answer: Answer,
        asked: Option<Asked>,
        transaction: &Transaction,
    ) -> Self::In;
}

fn address(noise: u64) -> u16 {
    (noise & ones(ADDRESS_W)) as u16
}

impl Master for Apb4 {
    /// The transfer whose setup has been.
    type Master = Option<Asked>;

    fn has_room(master: &Option<Asked>, _: bool) -> bool {
        master.is_none()
    }

    fn drive(
        master: &mut Option<Asked>,
        _: &apb4::State,
        answer: Answer,
        asked: Option<Asked>,
        transaction: &Transaction,
    ) -> apb4::In {
        let access = *master;
        *master = match access {
            None => asked,
            Some(_) if answer.done => None,
            Some(_) => access,
        };
        let noise = transaction.noise;
        let Some(transfer) = access.or(asked) else {
            // Another slave's.
            return apb4::In {
                psel: false,
                penable: noise & 1 == 1,
                pwrite: noise >> 1 & 1 == 1,
                paddr: address(noise >> 2),
                pprot: (noise >> 52 & 7) as u8,
                pwdata: (noise >> 16) as u32,
                pstrb: (noise >> 48 & 15) as u8,
            };
        };
        apb4::In {
            psel: true,
            penable: access.is_some(),
            pwrite: transfer.write,
            paddr: transfer.address,
            pprot: transfer.protection,
            pwdata: transfer.data,
            pstrb: transfer.strobe,
        }
    }
}

/// A channel towards the slave.
#[derive(Debug, Clone)]
pub struct Channel<T> {
    waiting: VecDeque<T>,
    /// The first of them is on the channel.
    valid: bool,
}

impl<T> Default for Channel<T> {
    fn default() -> Self {
        Self {
            waiting: VecDeque::new(),
            valid: false,
        }
    }
}

/// Transfers that a master of AXI4-Lite begins before the first is over.
const OUTSTANDING: usize = 2;

impl<T: Copy> Channel<T> {
    /// What is on the channel in this cycle, if there may be something and if it is taken.
    fn pass(&mut self, offer: bool, ready: bool) -> Option<T> {
        self.valid |= offer;
        self.valid &= !self.waiting.is_empty();
        if !self.valid {
            return None;
        }
        let value = self.waiting.front().copied();
        if ready {
            self.waiting.pop_front();
            self.valid = false;
        }
        value
    }
}

/// What a master of AXI4-Lite has not handed over yet.
#[derive(Debug, Clone, Default)]
pub struct Channels {
    /// Addresses with protection types.
    write_address: Channel<(u16, u8)>,
    write_data: Channel<(u32, u8)>,
    read_address: Channel<(u16, u8)>,
}

impl Master for Axi4Lite {
    type Master = Channels;

    fn has_room(master: &Channels, write: bool) -> bool {
        let waiting = match write {
            true => {
                let data = master.write_data.waiting.len();
                data.max(master.write_address.waiting.len())
            }
            false => master.read_address.waiting.len(),
        };
        waiting < OUTSTANDING
    }

    fn drive(
        master: &mut Channels,
        state: &axi4_lite::State,
        answer: Answer,
        asked: Option<Asked>,
        transaction: &Transaction,
    ) -> axi4_lite::In {
        if let Some(transfer) = asked {
            let address = (transfer.address, transfer.protection);
            if transfer.write {
                master.write_address.waiting.push_back(address);
                let data = (transfer.data, transfer.strobe);
                master.write_data.waiting.push_back(data);
            } else {
                master.read_address.waiting.push_back(address);
            }
        }
        let Transaction {
            offer, take, noise, ..
        } = *transaction;
        let slave = Self::outputs(state, answer);
        let write_address = master.write_address.pass(offer[0], slave.s_axi_awready);
        let write_data = master.write_data.pass(offer[1], slave.s_axi_wready);
        let read_address = master.read_address.pass(offer[2], slave.s_axi_arready);
        let (s_axi_wdata, s_axi_wstrb) =
            write_data.unwrap_or(((noise >> 16) as u32, (noise & 15) as u8));
        let protection = (noise >> 56 & 7) as u8;
        let aw = write_address.unwrap_or((address(noise), protection));
        let ar = read_address.unwrap_or((address(noise >> 14), protection));
        axi4_lite::In {
            s_axi_awvalid: write_address.is_some(),
            s_axi_awaddr: aw.0,
            s_axi_awprot: aw.1,
            s_axi_wvalid: write_data.is_some(),
            s_axi_wdata,
            s_axi_wstrb,
            s_axi_bready: take[0],
            s_axi_arvalid: read_address.is_some(),
            s_axi_araddr: ar.0,
            s_axi_arprot: ar.1,
            s_axi_rready: take[1],
        }
    }
}
