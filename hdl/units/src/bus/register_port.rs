//! `register_port`: decodes a transfer and answers it, for a file of registers.
//!
//! The address map comes from the unit's description (crate `cotenant-registers`):
//! addresses, rows and columns, which registers can be written, and the values
//! of constant ones.
//!
//! Timing, with `select` first high at cycle t: the address is decoded and
//! registered at t; `looks` is high from t + 1 for as long as `hold` is high; two
//! cycles later `value` and `refuse` are sampled; one cycle later, at t + 4 without
//! `hold`, `done` is high with the read data, and `writes`. All transfers take the
//! same time, also erroneous ones. A transfer whose `select` goes low earlier is
//! dropped; in the cycle of `done` `select` is ignored, and a new transfer can
//! begin in the next.
//!
//! Errors are an address that is not mapped or not a multiple of 4, a write to a
//! read-only register, a write of only some bytes, and a write that the register
//! file refuses.

use super::ADDRESS_W;
use crate::unit;
use cotenant_netlist::hdl::*;
use cotenant_registers::{Access, Map, Register};

#[unit(
    source = "crate cotenant-registers",
    given(map: &Map),
    with(all = registers_of(map, REGISTERS)),
    parameters = &identity(map),
)]
mod register_port {
    /// Port to `REGISTERS` registers, in the order of the description.
    pub struct RegisterPort<#[range(1..=64)] const REGISTERS: usize> {
        /// Rising edge active.
        pub clock: In<Clock>,
        /// Synchronous, active high: no transfer.
        pub reset: In<Bit>,
        /// A transfer is requested; held with its address and data until `done`; active high.
        pub select: In<Bit>,
        /// The transfer is a write.
        pub write: In<Bit>,
        /// Byte address of the transfer.
        pub address: In<Bits<ADDRESS_W>>,
        /// Write data.
        pub write_data: In<Bits<32>>,
        /// Write strobes, one bit per byte; ignored by reads.
        pub strobe: In<Bits<4>>,
        /// The register file cannot accept the transfer yet; sampled with `looks`.
        pub hold: In<Bit>,
        /// The register file rejects the write data.
        pub refuse: In<Bit>,
        /// Read data of the register file; 0 without a `hit` on one of its registers.
        pub value: In<Bits<32>>,
        /// The transfer ends in this cycle; 0 after reset.
        pub done: Out<Bit>,
        /// The transfer failed; 0 without `done`.
        pub error: Out<Bit>,
        /// Read data; 0 without `done`, after an error and for a write.
        pub read_data: Out<Bits<32>>,
        /// One bit per register: the transfer addresses it without an error so far.
        pub hit: Out<Bits<REGISTERS>>,
        /// Row of the register.
        pub row: Out<Bits<8>>,
        /// Column of the register.
        pub column: Out<Bits<8>>,
        /// Write data.
        pub data: Out<Bits<32>>,
        /// A transfer without error is in progress; `hit`, `row` and `column` belong to it.
        pub looks: Out<Bit>,
        /// The transfer writes in this cycle, without error.
        pub writes: Out<Bit>,
        looking: Reg<Bit>,
        reading: Reg<Bit>,
        sampling: Reg<Bit>,
        answering: Reg<Bit>,
        hit_register: Reg<Bits<REGISTERS>>,
        row_register: Reg<Bits<8>>,
        column_register: Reg<Bits<8>>,
        data_register: Reg<Bits<32>>,
        write_register: Reg<Bit>,
        error_register: Reg<Bit>,
        read_register: Reg<Bits<32>>,
        /// Address of each register, and the address bits to compare; addresses within a
        /// word are errors.
        #[value(|i| all[i].offset)]
        base: [Constant<Bits<ADDRESS_W>>; REGISTERS],
        #[value(|i| ((1 << ADDRESS_W) - 1) & !((all[i].room - 1) & !3))]
        base_mask: [Constant<Bits<ADDRESS_W>>; REGISTERS],
        /// Lowest bit of the row's number, its bits, the last row.
        #[value(|i| all[i].row_stride.ilog2())]
        row_lsb: [Constant<Bits<4>>; REGISTERS],
        #[value(|i| all[i].room / all[i].row_stride - 1)]
        row_mask: [Constant<Bits<8>>; REGISTERS],
        #[value(|i| all[i].rows.max(1) - 1)]
        last_row: [Constant<Bits<8>>; REGISTERS],
        #[value(|i| all[i].row_stride / 4 - 1)]
        column_mask: [Constant<Bits<8>>; REGISTERS],
        #[value(|i| all[i].columns - 1)]
        last_column: [Constant<Bits<8>>; REGISTERS],
        /// One bit per register: it exists in this parameter set; it can be written.
        #[value(bits_where(all, |register| register.rows > 0))]
        present: Constant<Bits<REGISTERS>>,
        #[value(bits_where(all, Register::is_written))]
        writable: Constant<Bits<REGISTERS>>,
        /// Read data of constant registers.
        #[value(|i| constant(&all[i]))]
        constant: [Constant<Bits<32>>; REGISTERS],
    }

    fn update(&mut self) {
        comment!("The register addressed, and whether the access is legal.");
        // The transfer writes all bytes.
        let whole: Bit = !self.write | self.strobe.all();
        let mut hits: Bits<REGISTERS> = 0;
        let mut rows: Bits<8> = 0;
        let mut columns: Bits<8> = 0;
        for i in 0..REGISTERS {
            let one_row: Bits<8> = self.address.get_bits::<8>(self.row_lsb[i]) & self.row_mask[i];
            let one_column: Bits<8> = self.address.get_bits::<8>(2) & self.column_mask[i];
            if (self.address & self.base_mask[i]) == self.base[i] {
                rows = rows | one_row;
                columns = columns | one_column;
                hits = hits.replace_bit(
                    i,
                    whole
                        & self.present[i]
                        & (!self.write | self.writable[i])
                        & (one_row <= self.last_row[i])
                        & (one_column <= self.last_column[i]),
                );
            }
        }

        comment!("The transfer, one cycle per step.");
        let idle: Bit = !self.looking & !self.reading & !self.sampling & !self.answering;
        self.looking.next = self.select & (idle | (self.looking & self.hold));
        self.reading.next = self.select & self.looking & !self.hold;
        self.sampling.next = self.select & self.reading;
        self.answering.next = self.select & self.sampling;
        if idle {
            self.hit_register.next = hits;
            self.row_register.next = rows;
            self.column_register.next = columns;
            self.data_register.next = self.write_data;
            self.write_register.next = self.write;
        }

        comment!("The answer.");
        let wrong: Bit = !self.hit_register.any() | (self.write_register & self.refuse);
        let mut read: Bits<32> = self.value;
        for i in 0..REGISTERS {
            if self.hit_register[i] {
                read = read | self.constant[i];
            }
        }
        self.error_register.next = self.select & self.sampling & wrong;
        self.read_register.next = 0;
        if self.select & self.sampling & !self.write_register & self.hit_register.any() {
            self.read_register.next = read;
        }
        self.done.next = self.answering;
        self.error.next = self.error_register;
        self.read_data.next = self.read_register;
        self.hit.next = self.hit_register;
        self.row.next = self.row_register;
        self.column.next = self.column_register;
        self.data.next = self.data_register;
        self.looks.next = self.looking & self.hit_register.any();
        self.writes.next = self.answering & self.write_register & !self.error_register;
    }
}

/// The unit and the parameters that determine its registers.
fn identity(map: &Map) -> Vec<(&'static str, usize)> {
    let unit = map.find("UNIT").map_or(0, |register| register.reset(0));
    let parameters = map.parameters.iter().copied();
    std::iter::once(("UNIT", unit as usize))
        .chain(parameters)
        .collect()
}

/// The registers of the description that are decoded, and their number.
fn registers_of(map: &Map, registers: usize) -> &[Register] {
    let all = &map.registers[..map.decoded];
    assert_eq!(all.len(), registers, "REGISTERS is the number of registers");
    all
}

/// One bit per register, from a predicate.
fn bits_where(all: &[Register], is: impl Fn(&Register) -> bool) -> u64 {
    let bits = all.iter().enumerate();
    bits.fold(0, |bits, (i, register)| bits | u64::from(is(register)) << i)
}

/// The value of a constant register, else 0.
fn constant(register: &Register) -> u32 {
    let fixed = |access| matches!(access, Access::Constant | Access::Parameter);
    let always = register.fields.iter().all(|field| fixed(field.access));
    if always {
        register.reset(0)
    } else {
        0
    }
}
