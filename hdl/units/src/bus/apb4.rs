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
use crate::unit;
use cotenant_netlist::hdl::*;

#[unit(source = "AMBA APB Protocol Specification, ARM IHI 0024")]
mod apb4 {
    /// APB4 completer of 14 address bits and 32 data bits.
    ///
    /// ```
    /// let bus = cotenant_units::bus::Apb4::default();
    /// ```
    pub struct Apb4 {
        /// This completer is selected; active high, as all of them are.
        pub psel: In<Bit>,
        /// The ACCESS phase.
        pub penable: In<Bit>,
        /// The transfer is a write.
        pub pwrite: In<Bit>,
        /// Byte address.
        pub paddr: In<Bits<ADDRESS_W>>,
        /// What to write.
        pub pwdata: In<Bits<32>>,
        /// One bit per byte of it, to be written; not looked at by reads.
        pub pstrb: In<Bits<4>>,
        /// The register file has done what was asked.
        pub done: In<Bit>,
        /// And it was an error; looked at only with `done`.
        pub error: In<Bit>,
        /// What was read; 0 but with `done` of a read without error.
        pub read_data: In<Bits<32>>,
        /// The last cycle of the transfer.
        pub pready: Out<Bit>,
        /// What was read; 0 but in the last cycle of a read without error.
        pub prdata: Out<Bits<32>>,
        /// The transfer had no effect: an error; 0 but in its last cycle.
        pub pslverr: Out<Bit>,
        /// A transfer for the register file, with the following until `done`.
        pub select: Out<Bit>,
        /// It is a write.
        pub write: Out<Bit>,
        /// Its byte address.
        pub address: Out<Bits<ADDRESS_W>>,
        /// What to write.
        pub write_data: Out<Bits<32>>,
        /// One bit per byte of it.
        pub strobe: Out<Bits<4>>,
    }

    fn update(&mut self) {
        self.select.next = self.psel & self.penable;
        self.write.next = self.pwrite;
        self.address.next = self.paddr;
        self.write_data.next = self.pwdata;
        self.strobe.next = self.pstrb;
        self.pready.next = self.done;
        self.prdata.next = self.read_data;
        self.pslverr.next = self.done & self.error;
    }
}
