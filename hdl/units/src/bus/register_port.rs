//! `register_port`: decodes a transfer and answers it, for a file of registers.
//!
//! What is where comes from the unit's description (crate `cotenant-registers`):
//! addresses, rows and columns, which registers can be written, and what
//! constant ones read.
//!
//! Timing, with `select` first high at cycle t: the address is decoded and
//! registered at t; `looks` at t + 1, for as long as `hold` is high; two cycles
//! later `value` and `refuse` are looked at; a cycle later, at t + 4 without
//! `hold`, `done` with what was read, and `writes`. Every transfer takes so
//! long, erroneous ones, too. A transfer whose `select` goes low before is
//! forgotten; in the cycle of `done` it is not looked at, and a new one can
//! begin in the next.
//!
//! An address that is not mapped or no multiple of 4, a write to a register
//! that is only read, and one that leaves out bytes are errors, and so is what
//! the file refuses.

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
        /// Synchronous, active high: the transfer is forgotten.
        pub reset: In<Bit>,
        /// A transfer, with the following until `done`; active high.
        pub select: In<Bit>,
        /// It is a write.
        pub write: In<Bit>,
        /// Its byte address.
        pub address: In<Bits<ADDRESS_W>>,
        /// What to write.
        pub write_data: In<Bits<32>>,
        /// One bit per byte of it; not looked at by reads.
        pub strobe: In<Bits<4>>,
        /// The file cannot take the transfer yet; looked at with `looks`.
        pub hold: In<Bit>,
        /// The file refuses what is written.
        pub refuse: In<Bit>,
        /// What the file reads; 0 without a `hit` that it knows.
        pub value: In<Bits<32>>,
        /// The transfer is over; 0 after reset.
        pub done: Out<Bit>,
        /// It was an error; 0 without `done`.
        pub error: Out<Bit>,
        /// What was read; 0 without `done`, with an error and of a write.
        pub read_data: Out<Bits<32>>,
        /// One bit per register: the transfer is to it, and is no error so far.
        pub hit: Out<Bits<REGISTERS>>,
        /// Row of the register.
        pub row: Out<Bits<8>>,
        /// Column of the register.
        pub column: Out<Bits<8>>,
        /// What is written.
        pub data: Out<Bits<32>>,
        /// A transfer without error waits or goes on; `hit` and the like are its.
        pub looks: Out<Bit>,
        /// The transfer writes now, without error.
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
        /// Of each register: where it is, and which bits of an address say so; within a
        /// word no address is right.
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
        /// One bit per register: this parameter set has it, it can be written.
        #[value(bits_where(all, |register| register.rows > 0))]
        present: Constant<Bits<REGISTERS>>,
        #[value(bits_where(all, Register::is_written))]
        writable: Constant<Bits<REGISTERS>>,
        /// What a constant one reads.
        #[value(|i| constant(&all[i]))]
        constant: [Constant<Bits<32>>; REGISTERS],
    }

    fn update(&mut self) {
        comment!("Which register it is, and whether that may be asked.");
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

/// Unit and parameters that the registers follow from.
fn identity(map: &Map) -> Vec<(&'static str, usize)> {
    let unit = map.find("UNIT").map_or(0, |register| register.reset(0));
    let parameters = map.parameters.iter().copied();
    std::iter::once(("UNIT", unit as usize))
        .chain(parameters)
        .collect()
}

/// The registers of the description, which are so many.
fn registers_of(map: &Map, registers: usize) -> &[Register] {
    let all = &map.registers;
    assert_eq!(all.len(), registers, "REGISTERS is the number of registers");
    all
}

/// One bit per register that `is` so.
fn bits_where(all: &[Register], is: impl Fn(&Register) -> bool) -> u64 {
    let bits = all.iter().enumerate();
    bits.fold(0, |bits, (i, register)| bits | u64::from(is(register)) << i)
}

/// What it reads if it always reads the same, else 0.
fn constant(register: &Register) -> u32 {
    let fixed = |access| matches!(access, Access::Constant | Access::Parameter);
    let always = register.fields.iter().all(|field| fixed(field.access));
    if always {
        register.reset(0)
    } else {
        0
    }
}
