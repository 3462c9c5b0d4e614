//! `apb4`: an APB4 completer in front of a register port.
//!
//! Source: AMBA APB Protocol Specification (ARM IHI 0024), APB4: SETUP with
//! `psel`, then ACCESS with `penable` until `pready`.
//!
//! Timing: combinational. The register port's transfer is the ACCESS phase: it
//! begins in its first cycle, and `pready` is `done`. So the register file
//! determines the number of wait states, and there is one transfer at a time.
//!
//! ASSUMPTION: `pprot` is ignored: all accesses have the same rights.

use super::ADDRESS_W;
use crate::unit;
use cotenant_netlist::hdl::*;

#[unit(
    source = "AMBA APB Protocol Specification, ARM IHI 0024",
    unused = ["pprot"],
)]
mod apb4 {
    /// APB4 completer of 14 address bits and 32 data bits.
    ///
    /// ```
    /// let bus = cotenant_units::bus::Apb4::default();
    /// ```
    pub struct Apb4 {
        /// This completer is selected; active high, as all signals are.
        pub psel: In<Bit>,
        /// The ACCESS phase.
        pub penable: In<Bit>,
        /// The transfer is a write.
        pub pwrite: In<Bit>,
        /// Byte address.
        pub paddr: In<Bits<ADDRESS_W>>,
        /// Protection type (PPROT); ignored.
        pub pprot: In<Bits<3>>,
        /// Write data.
        pub pwdata: In<Bits<32>>,
        /// Write strobes, one bit per byte; ignored by reads.
        pub pstrb: In<Bits<4>>,
        /// The register file has completed the transfer.
        pub done: In<Bit>,
        /// The transfer failed; sampled with `done`.
        pub error: In<Bit>,
        /// Read data; 0 except with `done` of a read without error.
        pub read_data: In<Bits<32>>,
        /// The last cycle of the transfer.
        pub pready: Out<Bit>,
        /// Read data; 0 except in the last cycle of a read without error.
        pub prdata: Out<Bits<32>>,
        /// The transfer failed and had no effect; 0 except in its last cycle.
        pub pslverr: Out<Bit>,
        /// A transfer to the register file, held with its address and data until `done`.
        pub select: Out<Bit>,
        /// The transfer is a write.
        pub write: Out<Bit>,
        /// Byte address of the transfer.
        pub address: Out<Bits<ADDRESS_W>>,
        /// Write data.
        pub write_data: Out<Bits<32>>,
        /// Write strobes, one bit per byte.
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
