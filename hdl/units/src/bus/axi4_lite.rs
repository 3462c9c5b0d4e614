//! `axi4_lite`: an AXI4-Lite subordinate in front of a register port.
//!
//! Source: AMBA AXI Protocol Specification (ARM IHI 0022), AXI4-Lite: five
//! channels, each with valid and ready; a transfer happens where both are high.
//!
//! Timing: write address, write data and read address are each taken into a
//! register, in any order and independently; each `ready` means that its register
//! is empty, so there is no combinational path from input to output. One transfer
//! at a time goes to the register port, from the cycle after its address (and data)
//! arrived; its register is free again in the cycle after `done`, in which the
//! response becomes valid. The response is held until it is accepted, and the next
//! transfer of its kind begins after that.
//!
//! ASSUMPTION: a waiting read and a waiting write alternate; after reset the
//! read goes first. An error is SLVERR. `s_axi_awprot` and `s_axi_arprot` are ignored: all
//! accesses have the same rights.

use super::ADDRESS_W;
use crate::unit;
use cotenant_netlist::hdl::*;

#[unit(
    source = "AMBA AXI Protocol Specification, ARM IHI 0022",
    unused = ["s_axi_awprot", "s_axi_arprot"],
)]
mod axi4_lite {
    /// AXI4-Lite subordinate of 14 address bits and 32 data bits.
    ///
    /// ```
    /// let bus = cotenant_units::bus::Axi4Lite::default();
    /// ```
    pub struct Axi4Lite {
        /// Rising edge active.
        pub clock: In<Clock>,
        /// Synchronous, active high: no transfer, no response.
        pub reset: In<Bit>,
        /// The write address is valid; active high, as all signals are.
        pub s_axi_awvalid: In<Bit>,
        /// Byte address to write to.
        pub s_axi_awaddr: In<Bits<ADDRESS_W>>,
        /// Protection type of the write (AWPROT); ignored.
        pub s_axi_awprot: In<Bits<3>>,
        /// The write data are valid.
        pub s_axi_wvalid: In<Bit>,
        /// Write data.
        pub s_axi_wdata: In<Bits<32>>,
        /// Write strobes, one bit per byte.
        pub s_axi_wstrb: In<Bits<4>>,
        /// The write response is accepted.
        pub s_axi_bready: In<Bit>,
        /// The read address is valid.
        pub s_axi_arvalid: In<Bit>,
        /// Byte address to read.
        pub s_axi_araddr: In<Bits<ADDRESS_W>>,
        /// Protection type of the read (ARPROT); ignored.
        pub s_axi_arprot: In<Bits<3>>,
        /// The read response is accepted.
        pub s_axi_rready: In<Bit>,
        /// The register file has completed the transfer.
        pub done: In<Bit>,
        /// The transfer failed; sampled with `done`.
        pub error: In<Bit>,
        /// Read data; sampled with `done`.
        pub read_data: In<Bits<32>>,
        /// A write address is accepted; 1 after reset.
        pub s_axi_awready: Out<Bit>,
        /// Write data are accepted; 1 after reset.
        pub s_axi_wready: Out<Bit>,
        /// The write response is valid; 0 after reset.
        pub s_axi_bvalid: Out<Bit>,
        /// Response: OKAY (0) or SLVERR (2); 0 without a response.
        pub s_axi_bresp: Out<Bits<2>>,
        /// A read address is accepted; 1 after reset.
        pub s_axi_arready: Out<Bit>,
        /// The read response is valid; 0 after reset.
        pub s_axi_rvalid: Out<Bit>,
        /// Read data; 0 without a response, and after an error.
        pub s_axi_rdata: Out<Bits<32>>,
        /// Response: OKAY (0) or SLVERR (2); 0 without a response.
        pub s_axi_rresp: Out<Bits<2>>,
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
        /// The register of the write address is full.
        aw_taken: Reg<Bit>,
        aw_address: Reg<Bits<ADDRESS_W>>,
        /// The register of the write data is full.
        w_taken: Reg<Bit>,
        w_data: Reg<Bits<32>>,
        w_strobe: Reg<Bits<4>>,
        /// The register of the read address is full.
        ar_taken: Reg<Bit>,
        ar_address: Reg<Bits<ADDRESS_W>>,
        b_valid: Reg<Bit>,
        b_error: Reg<Bit>,
        r_valid: Reg<Bit>,
        r_error: Reg<Bit>,
        r_data: Reg<Bits<32>>,
        /// A transfer is at the register port since an earlier cycle.
        busy: Reg<Bit>,
        /// The transfer at the port, or the last one there, is a write; so
        /// that a read goes first.
        #[reset(true)]
        writing: Reg<Bit>,
    }

    fn update(&mut self) {
        comment!("Channels accepted.");
        self.s_axi_awready.next = !self.aw_taken;
        self.s_axi_wready.next = !self.w_taken;
        self.s_axi_arready.next = !self.ar_taken;
        self.aw_taken.next = self.aw_taken | self.s_axi_awvalid;
        self.w_taken.next = self.w_taken | self.s_axi_wvalid;
        self.ar_taken.next = self.ar_taken | self.s_axi_arvalid;
        if !self.aw_taken & self.s_axi_awvalid {
            self.aw_address.next = self.s_axi_awaddr;
        }
        if !self.w_taken & self.s_axi_wvalid {
            self.w_data.next = self.s_axi_wdata;
            self.w_strobe.next = self.s_axi_wstrb;
        }
        if !self.ar_taken & self.s_axi_arvalid {
            self.ar_address.next = self.s_axi_araddr;
        }

        comment!("Arbitration between read and write at the register port.");
        let read_waits: Bit = self.ar_taken & !self.r_valid;
        let write_waits: Bit = self.aw_taken & self.w_taken & !self.b_valid;
        let selects: Bit = self.busy | read_waits | write_waits;
        // The transfer at the port is a write.
        let mut is_write: Bit = self.writing;
        if !self.busy {
            is_write = write_waits & (!self.writing | !read_waits);
        }
        self.busy.next = selects & !self.done;
        if selects {
            self.writing.next = is_write;
        }
        self.select.next = selects;
        self.write.next = is_write;
        self.address.next = self.ar_address;
        if is_write {
            self.address.next = self.aw_address;
        }
        self.write_data.next = self.w_data;
        self.strobe.next = self.w_strobe;

        comment!("The responses, held until they are taken.");
        self.b_valid.next = self.b_valid & !self.s_axi_bready;
        self.r_valid.next = self.r_valid & !self.s_axi_rready;
        self.b_error.next = self.b_error & !self.s_axi_bready;
        self.r_error.next = self.r_error & !self.s_axi_rready;
        if self.s_axi_rready {
            self.r_data.next = 0;
        }
        if selects & self.done {
            if is_write {
                self.aw_taken.next = false;
                self.w_taken.next = false;
                self.b_valid.next = true;
                self.b_error.next = self.error;
            } else {
                self.ar_taken.next = false;
                self.r_valid.next = true;
                self.r_error.next = self.error;
                self.r_data.next = self.read_data;
            }
        }
        self.s_axi_bvalid.next = self.b_valid;
        self.s_axi_rvalid.next = self.r_valid;
        self.s_axi_rdata.next = self.r_data;
        self.s_axi_bresp.next = 0;
        self.s_axi_rresp.next = 0;
        if self.b_error {
            self.s_axi_bresp.next = 2;
        }
        if self.r_error {
            self.s_axi_rresp.next = 2;
        }
    }
}
