//! `apb4`: an APB4 slave in front of a register file.
//!
//! Source: Arm IHI 0024C, sections 2 to 4. An access begins with `psel` and, from the next cycle
//! on, `penable`; it ends with `pready`, which comes in the cycle of the register port's `done`.
//! `pprot` is ignored.

use serde::{Deserialize, Serialize};

use super::{Answer, Bridge, Request, ADDRESS_W};
use crate::model::Violation;
use crate::ports::{Ports, Registers};

/// Input ports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, Ports)]
#[ports(_)]
pub struct In {
    /// The slave is selected.
    pub psel: bool,
    /// The second and later cycles of an access.
    pub penable: bool,
    /// The transfer is a write.
    pub pwrite: bool,
    /// Byte address.
    #[port(ADDRESS_W)]
    pub paddr: u16,
    /// Protection type.
    #[port(3)]
    pub pprot: u8,
    /// Write data.
    #[port(32)]
    pub pwdata: u32,
    /// Write strobes, one bit per byte.
    #[port(4)]
    pub pstrb: u8,
}

/// Output ports; all 0 but in the last cycle of an access.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, Ports)]
#[ports(_)]
pub struct Out {
    /// The access ends.
    pub pready: bool,
    /// Read data.
    #[port(32)]
    pub prdata: u32,
    /// The transfer failed.
    pub pslverr: bool,
}

/// The bridge has no registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, Registers)]
#[registers(_)]
pub struct State {}

/// The bridge.
#[derive(Debug, Clone, Copy)]
pub struct Apb4;

impl Bridge for Apb4 {
    type In = In;
    type Out = Out;
    type State = State;

    fn request(_: &State, input: &In) -> Request {
        Request {
            select: input.psel && input.penable,
            write: input.pwrite,
            address: input.paddr,
            write_data: input.pwdata,
            strobe: input.pstrb,
        }
    }

    fn outputs(_: &State, answer: Answer) -> Out {
        Out {
            pready: answer.done,
            prdata: answer.read_data,
            pslverr: answer.error,
        }
    }

    fn step(_: &mut State, _: &In, _: Answer) {}

    fn check(input: &In) -> Result<(), Violation> {
        Violation::fits("paddr", input.paddr.into(), ADDRESS_W)?;
        Violation::mask("pprot", input.pprot.into(), 3)?;
        Violation::mask("pstrb", input.pstrb.into(), 4)
    }
}
