//! Directed bus transfers, cycle by cycle.

use cotenant_golden::bus::apb4::{self, Apb4};
use cotenant_golden::bus::axi4_lite::{self, Axi4Lite};

use crate::scenes::{row, Row};
use crate::unit::bus::coverage::Watched;

/// A bus as its timing diagram shows it.
pub(in crate::unit) trait Spoken: Watched {
    /// Where the data of a read is, in its last cycle.
    const READ: &'static str;
    /// What is 1 in the last cycle of a write, and of one that is an error.
    const WRITTEN: &'static str;
    /// Which value of which port tells of an error of a write in its last cycle.
    const REFUSED: (&'static str, u64);

    /// A write on an idle bus, until its response is taken.
    fn write(address: u16, data: u32) -> Vec<Self::In>;
    /// A read on an idle bus, until its response is taken.
    fn read(address: u16) -> Vec<Self::In>;
    /// The ports to look at.
    fn rows() -> Vec<Row>;
}

/// Setup, the cycle in which the transfer is taken, and four more.
const APB_CYCLES: usize = 6;

fn apb(transfer: apb4::In) -> Vec<apb4::In> {
    let cycle = |number| apb4::In {
        psel: true,
        penable: number > 0,
        ..transfer
    };
    (0..APB_CYCLES).map(cycle).collect()
}

impl Spoken for Apb4 {
    const READ: &'static str = "prdata";
    const WRITTEN: &'static str = "pready";
    const REFUSED: (&'static str, u64) = ("pslverr", 1);

    fn write(paddr: u16, pwdata: u32) -> Vec<apb4::In> {
        apb(apb4::In {
            pwrite: true,
            paddr,
            pwdata,
            pstrb: 15,
            ..apb4::In::default()
        })
    }

    fn read(paddr: u16) -> Vec<apb4::In> {
        apb(apb4::In {
            paddr,
            ..apb4::In::default()
        })
    }

    fn rows() -> Vec<Row> {
        vec![
            row("psel"),
            row("penable"),
            row("pwrite").when("psel"),
            row("paddr").hex().when("psel"),
            row("pwdata").hex().when("pwrite"),
            row("pready"),
            row("prdata").hex().when("pready"),
            row("pslverr").when("pready"),
        ]
    }
}

/// The cycle in which address and data are taken, five in which the register file is asked, and
/// that of the response.
const AXI_CYCLES: usize = 7;

fn axi(first: axi4_lite::In) -> Vec<axi4_lite::In> {
    let cycle = |number| match number {
        0 => first,
        _ => axi4_lite::In {
            bready: true,
            rready: true,
            ..axi4_lite::In::default()
        },
    };
    (0..AXI_CYCLES).map(cycle).collect()
}

impl Spoken for Axi4Lite {
    const READ: &'static str = "rdata";
    const WRITTEN: &'static str = "bvalid";
    const REFUSED: (&'static str, u64) = ("bresp", axi4_lite::SLVERR as u64);

    fn write(awaddr: u16, wdata: u32) -> Vec<axi4_lite::In> {
        axi(axi4_lite::In {
            awvalid: true,
            awaddr,
            wvalid: true,
            wdata,
            wstrb: 15,
            ..axi4_lite::In::default()
        })
    }

    fn read(araddr: u16) -> Vec<axi4_lite::In> {
        axi(axi4_lite::In {
            arvalid: true,
            araddr,
            ..axi4_lite::In::default()
        })
    }

    fn rows() -> Vec<Row> {
        vec![
            row("awvalid"),
            row("awaddr").hex().when("awvalid"),
            row("wvalid"),
            row("wdata").hex().when("wvalid"),
            row("bvalid"),
            row("bresp").binary().when("bvalid"),
            row("arvalid"),
            row("araddr").hex().when("arvalid"),
            row("rvalid"),
            row("rdata").hex().when("rvalid"),
        ]
    }
}
