//! `axi4_lite`: an AXI4-Lite slave in front of a register file.
//!
//! Source: Arm IHI 0022, part B, and section A3 for the handshakes. Address and data of a write and
//! the address of a read are taken as soon as the last ones are done with, in any order. One
//! transfer at a time goes to the register file, from the cycle after all of it was taken. Where a
//! read and a write wait they take turns, after reset the read first. The response follows `done`
//! by a cycle and is held until it is taken; until then another transfer of its kind is taken, but
//! not begun. There are no `awprot` and `arprot`.

use serde::{Deserialize, Serialize};

use super::{Answer, Bridge, Request, ADDRESS_W};
use crate::model::Violation;

/// A response without an error.
pub const OKAY: u8 = 0b00;
/// A response of a slave to what it cannot do.
pub const SLVERR: u8 = 0b10;

/// Input ports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct In {
    /// There is an address to write to.
    pub awvalid: bool,
    /// In bytes.
    pub awaddr: u16,
    /// There is data to write.
    pub wvalid: bool,
    /// The data.
    pub wdata: u32,
    /// The bytes to write.
    pub wstrb: u8,
    /// A write's response is taken.
    pub bready: bool,
    /// There is an address to read from.
    pub arvalid: bool,
    /// In bytes.
    pub araddr: u16,
    /// A read's response is taken.
    pub rready: bool,
}

/// Output ports, all from registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Out {
    /// The address of a write is taken.
    pub awready: bool,
    /// The data of a write is taken.
    pub wready: bool,
    /// There is a response to a write.
    pub bvalid: bool,
    /// [`OKAY`] or [`SLVERR`]; 0 without a response.
    pub bresp: u8,
    /// The address of a read is taken.
    pub arready: bool,
    /// There is a response to a read.
    pub rvalid: bool,
    /// What was read; 0 without a response.
    pub rdata: u32,
    /// [`OKAY`] or [`SLVERR`]; 0 without a response.
    pub rresp: u8,
}

/// Registers; all reset to 0 but where it says otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// An address to write to is there, and not done with.
    pub write_address_taken: bool,
    /// The one last taken.
    pub write_address: u16,
    /// Data to write is there, and not done with.
    pub write_data_taken: bool,
    /// The data last taken.
    pub write_data: u32,
    /// Its bytes to write.
    pub write_strobe: u8,
    /// An address to read from is there, and not done with.
    pub read_address_taken: bool,
    /// The one last taken.
    pub read_address: u16,
    /// The transfer with the register file is not in its first cycle.
    pub busy: bool,
    /// The last transfer was a write. Reset: 1.
    pub writing: bool,
    /// There is a response to a write.
    pub write_done: bool,
    /// It is an error.
    pub write_error: bool,
    /// There is a response to a read.
    pub read_done: bool,
    /// It is an error.
    pub read_error: bool,
    /// What was read.
    pub read_data: u32,
}

impl Default for State {
    fn default() -> Self {
        Self {
            write_address_taken: false,
            write_address: 0,
            write_data_taken: false,
            write_data: 0,
            write_strobe: 0,
            read_address_taken: false,
            read_address: 0,
            busy: false,
            writing: true,
            write_done: false,
            write_error: false,
            read_done: false,
            read_error: false,
            read_data: 0,
        }
    }
}

/// The bridge.
#[derive(Debug, Clone, Copy)]
pub struct Axi4Lite;

/// The code of a response.
fn response(error: bool) -> u8 {
    match error {
        true => SLVERR,
        false => OKAY,
    }
}

impl State {
    /// Whether there is a transfer with the register file, and if so, whether it is a write.
    pub fn transfer(&self) -> Option<bool> {
        if self.busy {
            return Some(self.writing);
        }
        let read = self.read_address_taken && !self.read_done;
        let write = self.write_address_taken && self.write_data_taken && !self.write_done;
        match (read, write) {
            (false, false) => None,
            (true, true) => Some(!self.writing),
            (_, write) => Some(write),
        }
    }
}

impl Bridge for Axi4Lite {
    type In = In;
    type Out = Out;
    type State = State;

    fn request(state: &State, _: &In) -> Request {
        let transfer = state.transfer();
        let write = transfer == Some(true);
        Request {
            select: transfer.is_some(),
            write,
            address: match write {
                true => state.write_address,
                false => state.read_address,
            },
            write_data: state.write_data,
            strobe: state.write_strobe,
        }
    }

    fn outputs(state: &State, _: Answer) -> Out {
        Out {
            awready: !state.write_address_taken,
            wready: !state.write_data_taken,
            bvalid: state.write_done,
            bresp: response(state.write_error),
            arready: !state.read_address_taken,
            rvalid: state.read_done,
            rdata: state.read_data,
            rresp: response(state.read_error),
        }
    }

    fn step(state: &mut State, input: &In, answer: Answer) {
        let before = *state;
        if input.awvalid && !before.write_address_taken {
            (state.write_address_taken, state.write_address) = (true, input.awaddr);
        }
        if input.wvalid && !before.write_data_taken {
            state.write_data_taken = true;
            (state.write_data, state.write_strobe) = (input.wdata, input.wstrb);
        }
        if input.arvalid && !before.read_address_taken {
            (state.read_address_taken, state.read_address) = (true, input.araddr);
        }
        if input.bready {
            (state.write_done, state.write_error) = (false, false);
        }
        if input.rready {
            (state.read_done, state.read_error, state.read_data) = (false, false, 0);
        }
        let Some(write) = before.transfer() else {
            return;
        };
        (state.busy, state.writing) = (!answer.done, write);
        match (answer.done, write) {
            (false, _) => {}
            (true, true) => {
                (state.write_address_taken, state.write_data_taken) = (false, false);
                (state.write_done, state.write_error) = (true, answer.error);
            }
            (true, false) => {
                state.read_address_taken = false;
                (state.read_done, state.read_error) = (true, answer.error);
                state.read_data = answer.read_data;
            }
        }
    }

    fn check(input: &In) -> Result<(), Violation> {
        Violation::fits("awaddr", input.awaddr.into(), ADDRESS_W)?;
        Violation::mask("wstrb", input.wstrb.into(), 4)?;
        Violation::fits("araddr", input.araddr.into(), ADDRESS_W)
    }
}
