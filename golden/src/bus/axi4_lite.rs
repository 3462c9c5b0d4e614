//! `axi4_lite`: an AXI4-Lite slave in front of a register file.
//!
//! Source: Arm IHI 0022, part B, and section A3 for the handshakes. Address and data of a write and
//! the address of a read are taken as soon as the last ones are done with, in any order. One
//! transfer at a time goes to the register file: it is chosen in a cycle without one and asks from
//! the next cycle on. Where a read and a write wait they alternate, after reset the read first.
//! The response follows `done` by a cycle and is held until it is taken; until then another
//! transfer of its kind is taken, but not begun. There are no `awprot` and `arprot`.

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

/// Registers; all reset to 0. What is taken stays until it is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct State {
    /// An address to write to is there.
    pub address_full: bool,
    /// The address last taken.
    pub write_address: u16,
    /// Data to write is there.
    pub data_full: bool,
    /// The data last taken.
    pub write_data: u32,
    /// Its bytes to write.
    pub write_strobe: u8,
    /// An address to read from is there.
    pub read_full: bool,
    /// The address last taken.
    pub read_address: u16,
    /// A transfer is with the register file.
    pub active: bool,
    /// It is, or the last one was, a write.
    pub writing: bool,
    /// Of two that wait, the write goes first: the last one done was a read.
    pub write_next: bool,
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
    /// A transfer that has been asked for is done, or one that waits is chosen.
    fn transfer(&mut self, before: &Self, answer: Answer) {
        let Answer {
            error, read_data, ..
        } = answer;
        match (before.active, before.writing) {
            (true, _) if !answer.done => {}
            (true, true) => {
                (self.active, self.write_next) = (false, false);
                (self.address_full, self.data_full) = (false, false);
                (self.write_done, self.write_error) = (true, error);
            }
            (true, false) => {
                (self.active, self.write_next) = (false, true);
                self.read_full = false;
                (self.read_done, self.read_error) = (true, error);
                self.read_data = read_data;
            }
            (false, _) => {
                let read = before.read_full && !before.read_done;
                let write = before.address_full && before.data_full && !before.write_done;
                if read || write {
                    self.active = true;
                    self.writing = write && (before.write_next || !read);
                }
            }
        }
    }
}

impl Bridge for Axi4Lite {
    type In = In;
    type Out = Out;
    type State = State;

    fn request(state: &State, _: &In) -> Request {
        Request {
            select: state.active,
            write: state.writing,
            address: match state.writing {
                true => state.write_address,
                false => state.read_address,
            },
            write_data: state.write_data,
            strobe: state.write_strobe,
        }
    }

    fn outputs(state: &State, _: Answer) -> Out {
        Out {
            awready: !state.address_full,
            wready: !state.data_full,
            bvalid: state.write_done,
            bresp: response(state.write_error),
            arready: !state.read_full,
            rvalid: state.read_done,
            rdata: state.read_data,
            rresp: response(state.read_error),
        }
    }

    fn step(state: &mut State, input: &In, answer: Answer) {
        let before = *state;
        if input.awvalid && !before.address_full {
            (state.address_full, state.write_address) = (true, input.awaddr);
        }
        if input.wvalid && !before.data_full {
            state.data_full = true;
            (state.write_data, state.write_strobe) = (input.wdata, input.wstrb);
        }
        if input.arvalid && !before.read_full {
            (state.read_full, state.read_address) = (true, input.araddr);
        }
        if input.bready && before.write_done {
            (state.write_done, state.write_error) = (false, false);
        }
        if input.rready && before.read_done {
            (state.read_done, state.read_error) = (false, false);
            state.read_data = 0;
        }
        state.transfer(&before, answer);
    }

    fn check(input: &In) -> Result<(), Violation> {
        Violation::fits("awaddr", input.awaddr.into(), ADDRESS_W)?;
        Violation::mask("wstrb", input.wstrb.into(), 4)?;
        Violation::fits("araddr", input.araddr.into(), ADDRESS_W)
    }
}
