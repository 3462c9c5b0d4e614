//! `apb4`: an APB4 completer in front of a register port.
//!
//! Source: AMBA APB Protocol Specification (ARM IHI 0024), APB4: SETUP with
//! `psel`, then ACCESS with `penable` until `pready`.
//!
//! Timing: combinational. The register port's transfer is the ACCESS phase: it
//! begins in its first cycle, and `pready` is `done`. So there are wait states
//! as the register file needs them, and never two transfers at once.
//!
//! ASSUMPTION: there is no `pprot`: all accesses are alike.

use super::ADDRESS_W;
use crate::unit::unit;
use cotenant_netlist::hdl::*;
use cotenant_netlist::About;

/// APB4 completer of 14 address bits and 32 data bits.
///
/// ```
/// let bus = cotenant_units::bus::Apb4::default();
/// ```
#[derive(Clone, Debug, LogicBlock)]
pub struct Apb4 {
    /// This completer is selected; active high, as all of them are.
    pub psel: Signal<In, Bit>,
    /// The ACCESS phase.
    pub penable: Signal<In, Bit>,
    /// The transfer is a write.
    pub pwrite: Signal<In, Bit>,
    /// Byte address.
    pub paddr: Signal<In, Bits<ADDRESS_W>>,
    /// What to write.
    pub pwdata: Signal<In, Bits<32>>,
    /// One bit a byte of it, to be written; not looked at by reads.
    pub pstrb: Signal<In, Bits<4>>,
    /// The register file has done what was asked.
    pub done: Signal<In, Bit>,
    /// And it was an error; looked at only with `done`.
    pub error: Signal<In, Bit>,
    /// What was read; 0 but with `done` of a read without error.
    pub read_data: Signal<In, Bits<32>>,
    /// The last cycle of the transfer.
    pub pready: Signal<Out, Bit>,
    /// What was read; 0 but in the last cycle of a read without error.
    pub prdata: Signal<Out, Bits<32>>,
    /// The transfer had no effect: an error; 0 but in its last cycle.
    pub pslverr: Signal<Out, Bit>,
    /// A transfer for the register file, with the following until `done`.
    pub select: Signal<Out, Bit>,
    /// It is a write.
    pub write: Signal<Out, Bit>,
    /// Its byte address.
    pub address: Signal<Out, Bits<ADDRESS_W>>,
    /// What to write.
    pub write_data: Signal<Out, Bits<32>>,
    /// One bit a byte of it.
    pub strobe: Signal<Out, Bits<4>>,
    about: About,
}

impl Default for Apb4 {
    fn default() -> Self {
        Apb4 {
            psel: Default::default(),
            penable: Default::default(),
            pwrite: Default::default(),
            paddr: Default::default(),
            pwdata: Default::default(),
            pstrb: Default::default(),
            done: Default::default(),
            error: Default::default(),
            read_data: Default::default(),
            pready: Default::default(),
            prdata: Default::default(),
            pslverr: Default::default(),
            select: Default::default(),
            write: Default::default(),
            address: Default::default(),
            write_data: Default::default(),
            strobe: Default::default(),
            about: About::new("apb4")
                .citing("AMBA APB Protocol Specification, ARM IHI 0024")
                .documented_in(include_str!("apb4.rs")),
        }
    }
}

impl Logic for Apb4 {
    #[hdl_gen]
    fn update(&mut self) {
        self.select.next = self.psel.val() & self.penable.val();
        self.write.next = self.pwrite.val();
        self.address.next = self.paddr.val();
        self.write_data.next = self.pwdata.val();
        self.strobe.next = self.pstrb.val();
        self.pready.next = self.done.val();
        self.prdata.next = self.read_data.val();
        self.pslverr.next = self.done.val() & self.error.val();
    }
}

unit! {
    []
    Apb4: ;
    in psel, penable, pwrite, paddr, pwdata, pstrb, done, error, read_data;
    out pready, prdata, pslverr, select, write, address, write_data, strobe
}
