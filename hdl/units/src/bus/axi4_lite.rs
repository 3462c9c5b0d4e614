//! `axi4_lite`: an AXI4-Lite subordinate in front of a register port.
//!
//! Source: AMBA AXI Protocol Specification (ARM IHI 0022), AXI4-Lite: five
//! channels, each with valid and ready; a transfer happens where both are high.
//!
//! Timing: write address, write data and read address are each taken into a
//! register, in any order and independently; each `ready` is that its register
//! is empty, so no input goes to an output within a cycle. One transfer at a
//! time goes to the register port, from the cycle after its address (and data)
//! came; its register is free again in the cycle after `done`, in which the
//! response is there, too. The response stays until it is taken, and the next
//! transfer of its kind begins when it has gone.
//!
//! ASSUMPTION: a read and a write that wait both go in turns; after reset the
//! read goes first. An error is SLVERR. There is no `awprot` and no `arprot`:
//! all accesses are alike.

use super::ADDRESS_W;
use crate::prim::Reg;
use crate::unit::unit;
use cotenant_netlist::hdl::*;
use cotenant_netlist::About;

/// AXI4-Lite subordinate of 14 address bits and 32 data bits.
///
/// ```
/// let bus = cotenant_units::bus::Axi4Lite::default();
/// ```
#[derive(Clone, Debug, LogicBlock)]
pub struct Axi4Lite {
    /// Rising edge active.
    pub clock: Signal<In, Clock>,
    /// Synchronous, active high: what was taken is forgotten, no response.
    pub reset: Signal<In, Bit>,
    /// There is a write address; active high, as all of them are.
    pub awvalid: Signal<In, Bit>,
    /// Byte address to write to.
    pub awaddr: Signal<In, Bits<ADDRESS_W>>,
    /// There are write data.
    pub wvalid: Signal<In, Bit>,
    /// What to write.
    pub wdata: Signal<In, Bits<32>>,
    /// One bit a byte of it, to be written.
    pub wstrb: Signal<In, Bits<4>>,
    /// The write's response is taken.
    pub bready: Signal<In, Bit>,
    /// There is a read address.
    pub arvalid: Signal<In, Bit>,
    /// Byte address to read.
    pub araddr: Signal<In, Bits<ADDRESS_W>>,
    /// The read's response is taken.
    pub rready: Signal<In, Bit>,
    /// The register file has done what was asked.
    pub done: Signal<In, Bit>,
    /// And it was an error; looked at only with `done`.
    pub error: Signal<In, Bit>,
    /// What was read; looked at only with `done`.
    pub read_data: Signal<In, Bits<32>>,
    /// A write address is taken; 1 after reset.
    pub awready: Signal<Out, Bit>,
    /// Write data are taken; 1 after reset.
    pub wready: Signal<Out, Bit>,
    /// There is a write's response; 0 after reset.
    pub bvalid: Signal<Out, Bit>,
    /// It is OKAY (0) or SLVERR (2); 0 without one.
    pub bresp: Signal<Out, Bits<2>>,
    /// A read address is taken; 1 after reset.
    pub arready: Signal<Out, Bit>,
    /// There is a read's response; 0 after reset.
    pub rvalid: Signal<Out, Bit>,
    /// What was read; 0 without a response, and with an error.
    pub rdata: Signal<Out, Bits<32>>,
    /// It is OKAY (0) or SLVERR (2); 0 without one.
    pub rresp: Signal<Out, Bits<2>>,
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
    /// A write address is here.
    aw_taken: Reg<Bit>,
    aw_address: Reg<Bits<ADDRESS_W>>,
    /// Write data are here.
    w_taken: Reg<Bit>,
    w_data: Reg<Bits<32>>,
    w_strobe: Reg<Bits<4>>,
    /// A read address is here.
    ar_taken: Reg<Bit>,
    ar_address: Reg<Bits<ADDRESS_W>>,
    b_valid: Reg<Bit>,
    b_error: Reg<Bit>,
    r_valid: Reg<Bit>,
    r_error: Reg<Bit>,
    r_data: Reg<Bits<32>>,
    /// A transfer is at the register port since an earlier cycle.
    busy: Reg<Bit>,
    /// The transfer at the port, or the last one there, is a write.
    writing: Reg<Bit>,
    read_waits: Signal<Local, Bit>,
    write_waits: Signal<Local, Bit>,
    /// The transfer at the port is a write.
    is_write: Signal<Local, Bit>,
    selects: Signal<Local, Bit>,
    about: About,
}

impl Default for Axi4Lite {
    fn default() -> Self {
        Axi4Lite {
            clock: Default::default(),
            reset: Default::default(),
            awvalid: Default::default(),
            awaddr: Default::default(),
            wvalid: Default::default(),
            wdata: Default::default(),
            wstrb: Default::default(),
            bready: Default::default(),
            arvalid: Default::default(),
            araddr: Default::default(),
            rready: Default::default(),
            done: Default::default(),
            error: Default::default(),
            read_data: Default::default(),
            awready: Default::default(),
            wready: Default::default(),
            bvalid: Default::default(),
            bresp: Default::default(),
            arready: Default::default(),
            rvalid: Default::default(),
            rdata: Default::default(),
            rresp: Default::default(),
            select: Default::default(),
            write: Default::default(),
            address: Default::default(),
            write_data: Default::default(),
            strobe: Default::default(),
            aw_taken: Default::default(),
            aw_address: Default::default(),
            w_taken: Default::default(),
            w_data: Default::default(),
            w_strobe: Default::default(),
            ar_taken: Default::default(),
            ar_address: Default::default(),
            b_valid: Default::default(),
            b_error: Default::default(),
            r_valid: Default::default(),
            r_error: Default::default(),
            r_data: Default::default(),
            busy: Default::default(),
            // So that a read goes first.
            writing: Reg::new(true),
            read_waits: Default::default(),
            write_waits: Default::default(),
            is_write: Default::default(),
            selects: Default::default(),
            about: About::new("axi4_lite")
                .citing("AMBA AXI Protocol Specification, ARM IHI 0022")
                .documented_in(include_str!("axi4_lite.rs")),
        }
    }
}

impl Logic for Axi4Lite {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, aw_taken, aw_address, w_taken, w_data, w_strobe, ar_taken, ar_address);
        clock!(self, clock, b_valid, b_error, r_valid, r_error, r_data, busy, writing);
        self.aw_taken.reset.next = self.reset.val();
        self.aw_address.reset.next = self.reset.val();
        self.w_taken.reset.next = self.reset.val();
        self.w_data.reset.next = self.reset.val();
        self.w_strobe.reset.next = self.reset.val();
        self.ar_taken.reset.next = self.reset.val();
        self.ar_address.reset.next = self.reset.val();
        self.b_valid.reset.next = self.reset.val();
        self.b_error.reset.next = self.reset.val();
        self.r_valid.reset.next = self.reset.val();
        self.r_error.reset.next = self.reset.val();
        self.r_data.reset.next = self.reset.val();
        self.busy.reset.next = self.reset.val();
        self.writing.reset.next = self.reset.val();

        comment!("What is taken.");
        self.awready.next = !self.aw_taken.q.val();
        self.wready.next = !self.w_taken.q.val();
        self.arready.next = !self.ar_taken.q.val();
        self.aw_taken.d.next = self.aw_taken.q.val() | self.awvalid.val();
        self.w_taken.d.next = self.w_taken.q.val() | self.wvalid.val();
        self.ar_taken.d.next = self.ar_taken.q.val() | self.arvalid.val();
        self.aw_address.d.next = self.aw_address.q.val();
        self.w_data.d.next = self.w_data.q.val();
        self.w_strobe.d.next = self.w_strobe.q.val();
        self.ar_address.d.next = self.ar_address.q.val();
        if !self.aw_taken.q.val() & self.awvalid.val() {
            self.aw_address.d.next = self.awaddr.val();
        }
        if !self.w_taken.q.val() & self.wvalid.val() {
            self.w_data.d.next = self.wdata.val();
            self.w_strobe.d.next = self.wstrb.val();
        }
        if !self.ar_taken.q.val() & self.arvalid.val() {
            self.ar_address.d.next = self.araddr.val();
        }

        comment!("Whose turn it is at the register port.");
        self.read_waits.next = self.ar_taken.q.val() & !self.r_valid.q.val();
        self.write_waits.next =
            self.aw_taken.q.val() & self.w_taken.q.val() & !self.b_valid.q.val();
        self.selects.next = self.busy.q.val() | self.read_waits.val() | self.write_waits.val();
        self.is_write.next = self.writing.q.val();
        if !self.busy.q.val() {
            self.is_write.next =
                self.write_waits.val() & (!self.writing.q.val() | !self.read_waits.val());
        }
        self.busy.d.next = self.selects.val() & !self.done.val();
        self.writing.d.next = self.writing.q.val();
        if self.selects.val() {
            self.writing.d.next = self.is_write.val();
        }
        self.select.next = self.selects.val();
        self.write.next = self.is_write.val();
        self.address.next = self.ar_address.q.val();
        if self.is_write.val() {
            self.address.next = self.aw_address.q.val();
        }
        self.write_data.next = self.w_data.q.val();
        self.strobe.next = self.w_strobe.q.val();

        comment!("The responses, held until they are taken.");
        self.b_valid.d.next = self.b_valid.q.val() & !self.bready.val();
        self.r_valid.d.next = self.r_valid.q.val() & !self.rready.val();
        self.b_error.d.next = self.b_error.q.val() & !self.bready.val();
        self.r_error.d.next = self.r_error.q.val() & !self.rready.val();
        self.r_data.d.next = self.r_data.q.val();
        if self.rready.val() {
            self.r_data.d.next = 0.into();
        }
        if self.selects.val() & self.done.val() {
            if self.is_write.val() {
                self.aw_taken.d.next = false;
                self.w_taken.d.next = false;
                self.b_valid.d.next = true;
                self.b_error.d.next = self.error.val();
            } else {
                self.ar_taken.d.next = false;
                self.r_valid.d.next = true;
                self.r_error.d.next = self.error.val();
                self.r_data.d.next = self.read_data.val();
            }
        }
        self.bvalid.next = self.b_valid.q.val();
        self.rvalid.next = self.r_valid.q.val();
        self.rdata.next = self.r_data.q.val();
        self.bresp.next = 0.into();
        self.rresp.next = 0.into();
        if self.b_error.q.val() {
            self.bresp.next = 2.into();
        }
        if self.r_error.q.val() {
            self.rresp.next = 2.into();
        }
    }
}

unit! {
    []
    Axi4Lite: clock;
    in reset, awvalid, awaddr, wvalid, wdata, wstrb, bready, arvalid, araddr, rready, done, error, read_data;
    out awready, wready, bvalid, bresp, arready, rvalid, rdata, rresp, select, write, address, write_data, strobe
}
