//! A bus manager that keeps to the protocol: valid signals are held until they are accepted.

use std::collections::VecDeque;

use cotenant_golden::bus::apb4::{self, Apb4};
use cotenant_golden::bus::axi4_lite::{self, Axi4Lite};
use cotenant_golden::bus::{Answer, Bridge, ADDRESS_W};

use super::transfer::{Asked, Transaction};
use crate::unit::bus::Bus;
use crate::verify::stimulus::values::ones;

/// A bus with a master.
pub trait Master: Bus {
    /// Transfers that are on their way.
    type Master: Clone + std::fmt::Debug + Default;

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
                pwdata: (noise >> 16) as u32,
                pstrb: (noise >> 48 & 15) as u8,
            };
        };
        apb4::In {
            psel: true,
            penable: access.is_some(),
            pwrite: transfer.write,
            paddr: transfer.address,
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
    write_address: Channel<u16>,
    write_data: Channel<(u32, u8)>,
    read_address: Channel<u16>,
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
            if transfer.write {
                master.write_address.waiting.push_back(transfer.address);
                let data = (transfer.data, transfer.strobe);
                master.write_data.waiting.push_back(data);
            } else {
                master.read_address.waiting.push_back(transfer.address);
            }
        }
        let Transaction {
            offer, take, noise, ..
        } = *transaction;
        let slave = Self::outputs(state, answer);
        let write_address = master.write_address.pass(offer[0], slave.awready);
        let write_data = master.write_data.pass(offer[1], slave.wready);
        let read_address = master.read_address.pass(offer[2], slave.arready);
        let (wdata, wstrb) = write_data.unwrap_or(((noise >> 16) as u32, (noise & 15) as u8));
        axi4_lite::In {
            awvalid: write_address.is_some(),
            awaddr: write_address.unwrap_or(address(noise)),
            wvalid: write_data.is_some(),
            wdata,
            wstrb,
            bready: take[0],
            arvalid: read_address.is_some(),
            araddr: read_address.unwrap_or(address(noise >> 14)),
            rready: take[1],
        }
    }
}
