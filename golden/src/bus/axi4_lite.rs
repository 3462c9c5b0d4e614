//! `axi4_lite`: an AXI4-Lite slave in front of a register file.
//!
//! Source: Arm IHI 0022, part B, and section A3 for the handshakes. Address and data of a write and
//! the address of a read are accepted as soon as the earlier ones are done, in any order. One
//! transfer at a time goes to the register file, from the cycle after it was accepted completely.
//! A waiting read and a waiting write alternate, after reset the read first. The response follows
//! `done` by one cycle and is held until it is accepted; until then another transfer of its kind is
//! accepted, but not begun. There are no `awprot` and `arprot`.

use serde::{Deserialize, Serialize};

use super::{Answer, Bridge, Request, ADDRESS_W};
use crate::model::Violation;
use crate::ports::{Ports, Registers};

/// A response without an error.
pub const OKAY: u8 = 0b00;
/// The response to a transfer that failed.
pub const SLVERR: u8 = 0b10;

/// Input ports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, Ports)]
#[ports(_)]
pub struct In {
    /// The write address is valid.
    pub awvalid: bool,
    /// Byte address.
    #[port(ADDRESS_W)]
    pub awaddr: u16,
    /// The write data is valid.
    pub wvalid: bool,
    /// Write data.
    #[port(32)]
    pub wdata: u32,
    /// Write strobes, one bit per byte.
    #[port(4)]
    pub wstrb: u8,
    /// The write response is accepted.
    pub bready: bool,
    /// The read address is valid.
    pub arvalid: bool,
    /// Byte address.
    #[port(ADDRESS_W)]
    pub araddr: u16,
    /// The read response is accepted.
    pub rready: bool,
}

/// Output ports, all from registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, Ports)]
#[ports(_)]
pub struct Out {
    /// The write address is accepted.
    pub awready: bool,
    /// The write data is accepted.
    pub wready: bool,
    /// The write response is valid.
    pub bvalid: bool,
    /// [`OKAY`] or [`SLVERR`]; 0 without a response.
    #[port(2)]
    pub bresp: u8,
    /// The read address is accepted.
    pub arready: bool,
    /// The read response is valid.
    pub rvalid: bool,
    /// Read data; 0 without a response.
    #[port(32)]
    pub rdata: u32,
    /// [`OKAY`] or [`SLVERR`]; 0 without a response.
    #[port(2)]
    pub rresp: u8,
}

/// Registers; all reset to 0 but where it says otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Registers)]
#[registers(_)]
pub struct State {
    /// A write address was accepted and its transfer is not done.
    pub write_address_taken: bool,
    /// The address accepted last.
    #[register(ADDRESS_W)]
    pub write_address: u16,
    /// Write data was accepted and its transfer is not done.
    pub write_data_taken: bool,
    /// The data accepted last.
    #[register(32)]
    pub write_data: u32,
    /// Its write strobes.
    #[register(4)]
    pub write_strobe: u8,
    /// A read address was accepted and its transfer is not done.
    pub read_address_taken: bool,
    /// The address accepted last.
    #[register(ADDRESS_W)]
    pub read_address: u16,
    /// The transfer with the register file is not in its first cycle.
    pub busy: bool,
    /// The last transfer was a write. Reset: 1.
    pub writing: bool,
    /// The write response is valid.
    pub write_done: bool,
    /// The response is an error.
    pub write_error: bool,
    /// The read response is valid.
    pub read_done: bool,
    /// The response is an error.
    pub read_error: bool,
    /// Read data.
    #[register(32)]
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
