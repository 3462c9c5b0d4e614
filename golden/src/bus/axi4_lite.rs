//! `axi4_lite`: an AXI4-Lite slave in front of a register file.
//!
//! Source: Arm IHI 0022, part B, and section A3 for the handshakes. Address and data of a write and
//! the address of a read are accepted as soon as the earlier ones are done, in any order. One
//! transfer at a time goes to the register file, from the cycle after it was accepted completely.
//! A waiting read and a waiting write alternate, after reset the read first. The response follows
//! `done` by one cycle and is held until it is accepted; until then another transfer of its kind is
//! accepted, but not begun. `s_axi_awprot` and `s_axi_arprot` are ignored.

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
    pub s_axi_awvalid: bool,
    /// Byte address.
    #[port(ADDRESS_W)]
    pub s_axi_awaddr: u16,
    /// Protection type of the write.
    #[port(3)]
    pub s_axi_awprot: u8,
    /// The write data is valid.
    pub s_axi_wvalid: bool,
    /// Write data.
    #[port(32)]
    pub s_axi_wdata: u32,
    /// Write strobes, one bit per byte.
    #[port(4)]
    pub s_axi_wstrb: u8,
    /// The write response is accepted.
    pub s_axi_bready: bool,
    /// The read address is valid.
    pub s_axi_arvalid: bool,
    /// Byte address.
    #[port(ADDRESS_W)]
    pub s_axi_araddr: u16,
    /// Protection type of the read.
    #[port(3)]
    pub s_axi_arprot: u8,
    /// The read response is accepted.
    pub s_axi_rready: bool,
}

/// Output ports, all from registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, Ports)]
#[ports(_)]
pub struct Out {
    /// The write address is accepted.
    pub s_axi_awready: bool,
    /// The write data is accepted.
    pub s_axi_wready: bool,
    /// The write response is valid.
    pub s_axi_bvalid: bool,
    /// [`OKAY`] or [`SLVERR`]; 0 without a response.
    #[port(2)]
    pub s_axi_bresp: u8,
    /// The read address is accepted.
    pub s_axi_arready: bool,
    /// The read response is valid.
    pub s_axi_rvalid: bool,
    /// Read data; 0 without a response.
    #[port(32)]
    pub s_axi_rdata: u32,
    /// [`OKAY`] or [`SLVERR`]; 0 without a response.
    #[port(2)]
    pub s_axi_rresp: u8,
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
            s_axi_awready: !state.write_address_taken,
            s_axi_wready: !state.write_data_taken,
            s_axi_bvalid: state.write_done,
            s_axi_bresp: response(state.write_error),
            s_axi_arready: !state.read_address_taken,
            s_axi_rvalid: state.read_done,
            s_axi_rdata: state.read_data,
            s_axi_rresp: response(state.read_error),
        }
    }

    fn step(state: &mut State, input: &In, answer: Answer) {
        let before = *state;
        if input.s_axi_awvalid && !before.write_address_taken {
            (state.write_address_taken, state.write_address) = (true, input.s_axi_awaddr);
        }
        if input.s_axi_wvalid && !before.write_data_taken {
            state.write_data_taken = true;
            (state.write_data, state.write_strobe) = (input.s_axi_wdata, input.s_axi_wstrb);
        }
        if input.s_axi_arvalid && !before.read_address_taken {
            (state.read_address_taken, state.read_address) = (true, input.s_axi_araddr);
        }
        if input.s_axi_bready {
            (state.write_done, state.write_error) = (false, false);
        }
        if input.s_axi_rready {
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
        Violation::fits("s_axi_awaddr", input.s_axi_awaddr.into(), ADDRESS_W)?;
        Violation::mask("s_axi_awprot", input.s_axi_awprot.into(), 3)?;
        Violation::mask("s_axi_wstrb", input.s_axi_wstrb.into(), 4)?;
        Violation::mask("s_axi_arprot", input.s_axi_arprot.into(), 3)?;
        Violation::fits("s_axi_araddr", input.s_axi_araddr.into(), ADDRESS_W)
    }
}
