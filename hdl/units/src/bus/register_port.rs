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
use crate::prim::Reg;
use cotenant_netlist::hdl::*;
use cotenant_netlist::About;
use cotenant_registers::{Access, Map, Register};
use std::array::from_fn;

/// Port to `REGISTERS` registers, in the order of the description.
#[derive(Clone, Debug, LogicBlock)]
pub struct RegisterPort<const REGISTERS: usize> {
    /// Rising edge active.
    pub clock: Signal<In, Clock>,
    /// Synchronous, active high: the transfer is forgotten.
    pub reset: Signal<In, Bit>,
    /// A transfer, with the following until `done`; active high.
    pub select: Signal<In, Bit>,
    /// It is a write.
    pub write: Signal<In, Bit>,
    /// Its byte address.
    pub address: Signal<In, Bits<ADDRESS_W>>,
    /// What to write.
    pub write_data: Signal<In, Bits<32>>,
    /// One bit a byte of it; not looked at by reads.
    pub strobe: Signal<In, Bits<4>>,
    /// The file cannot take the transfer yet; looked at with `looks`.
    pub hold: Signal<In, Bit>,
    /// The file refuses what is written.
    pub refuse: Signal<In, Bit>,
    /// What the file reads; 0 without a `hit` that it knows.
    pub value: Signal<In, Bits<32>>,
    /// The transfer is over; 0 after reset.
    pub done: Signal<Out, Bit>,
    /// It was an error; 0 without `done`.
    pub error: Signal<Out, Bit>,
    /// What was read; 0 without `done`, with an error and of a write.
    pub read_data: Signal<Out, Bits<32>>,
    /// One bit a register: the transfer is to it, and is no error so far.
    pub hit: Signal<Out, Bits<REGISTERS>>,
    /// Row of the register.
    pub row: Signal<Out, Bits<8>>,
    /// Column of the register.
    pub column: Signal<Out, Bits<8>>,
    /// What is written.
    pub data: Signal<Out, Bits<32>>,
    /// A transfer without error waits or goes on; `hit` and the like are its.
    pub looks: Signal<Out, Bit>,
    /// The transfer writes now, without error.
    pub writes: Signal<Out, Bit>,
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
    idle: Signal<Local, Bit>,
    /// The transfer writes all bytes.
    whole: Signal<Local, Bit>,
    one_row: Signal<Local, Bits<8>>,
    one_column: Signal<Local, Bits<8>>,
    hits: Signal<Local, Bits<REGISTERS>>,
    rows: Signal<Local, Bits<8>>,
    columns: Signal<Local, Bits<8>>,
    read: Signal<Local, Bits<32>>,
    wrong: Signal<Local, Bit>,
    /// Of each register: where it is, and which bits of an address say so.
    base: [Constant<Bits<ADDRESS_W>>; REGISTERS],
    base_mask: [Constant<Bits<ADDRESS_W>>; REGISTERS],
    /// Lowest bit of the row's number, its bits, the last row.
    row_lsb: [Constant<Bits<4>>; REGISTERS],
    row_mask: [Constant<Bits<8>>; REGISTERS],
    last_row: [Constant<Bits<8>>; REGISTERS],
    column_mask: [Constant<Bits<8>>; REGISTERS],
    last_column: [Constant<Bits<8>>; REGISTERS],
    /// One bit a register: this parameter set has it, it can be written.
    present: Constant<Bits<REGISTERS>>,
    writable: Constant<Bits<REGISTERS>>,
    /// What a constant one reads.
    constant: [Constant<Bits<32>>; REGISTERS],
    column_lsb: Constant<Bits<4>>,
    about: About,
}

/// One bit a register that `is` so.
fn bits_where<const REGISTERS: usize>(
    map: &Map,
    is: impl Fn(&Register) -> bool,
) -> Constant<Bits<REGISTERS>> {
    let bits = map.registers.iter().enumerate();
    let bits = bits.fold(0u64, |bits, (i, register)| {
        bits | u64::from(is(register)) << i
    });
    Constant::new(bits.into())
}

/// What it reads if it always reads the same.
fn constant(register: &Register) -> u32 {
    let fixed = |access| matches!(access, Access::Constant | Access::Parameter);
    if register.fields.iter().all(|field| fixed(field.access)) {
        register.reset(0)
    } else {
        0
    }
}

impl<const REGISTERS: usize> RegisterPort<REGISTERS> {
    /// A port to the registers of this description; it has `REGISTERS` of them.
    pub fn new(map: &Map) -> Self {
        assert_eq!(
            map.registers.len(),
            REGISTERS,
            "register_port: REGISTERS is the number of registers"
        );
        let all = &map.registers;
        let words = |bytes: u32| u64::from(bytes / 4 - 1);
        let unit = all[2].reset(0) as usize;
        let about = About::new("register_port").parameter("UNIT", unit);
        let about = map
            .parameters
            .iter()
            .fold(about, |about, (name, value)| about.parameter(name, *value))
            .citing("crate cotenant-registers")
            .documented_in(include_str!("register_port.rs"));
        RegisterPort {
            clock: Default::default(),
            reset: Default::default(),
            select: Default::default(),
            write: Default::default(),
            address: Default::default(),
            write_data: Default::default(),
            strobe: Default::default(),
            hold: Default::default(),
            refuse: Default::default(),
            value: Default::default(),
            done: Default::default(),
            error: Default::default(),
            read_data: Default::default(),
            hit: Default::default(),
            row: Default::default(),
            column: Default::default(),
            data: Default::default(),
            looks: Default::default(),
            writes: Default::default(),
            looking: Default::default(),
            reading: Default::default(),
            sampling: Default::default(),
            answering: Default::default(),
            hit_register: Default::default(),
            row_register: Default::default(),
            column_register: Default::default(),
            data_register: Default::default(),
            write_register: Default::default(),
            error_register: Default::default(),
            read_register: Default::default(),
            idle: Default::default(),
            whole: Default::default(),
            one_row: Default::default(),
            one_column: Default::default(),
            hits: Default::default(),
            rows: Default::default(),
            columns: Default::default(),
            read: Default::default(),
            wrong: Default::default(),
            base: from_fn(|i| Constant::new(u64::from(all[i].offset).into())),
            // Within a word no address is right.
            base_mask: from_fn(|i| {
                let within = u64::from(all[i].room - 1) & !3;
                Constant::new((((1 << ADDRESS_W) - 1) & !within).into())
            }),
            row_lsb: from_fn(|i| Constant::new(u64::from(all[i].row_stride.ilog2()).into())),
            row_mask: from_fn(|i| {
                Constant::new(u64::from(all[i].room / all[i].row_stride - 1).into())
            }),
            last_row: from_fn(|i| Constant::new((all[i].rows.max(1) as u64 - 1).into())),
            column_mask: from_fn(|i| Constant::new(words(all[i].row_stride).into())),
            last_column: from_fn(|i| Constant::new((all[i].columns as u64 - 1).into())),
            present: bits_where(map, |register| register.rows > 0),
            writable: bits_where(map, Register::is_written),
            constant: from_fn(|i| Constant::new(u64::from(constant(&all[i])).into())),
            column_lsb: Constant::new(2.into()),
            about,
        }
    }
}

impl<const REGISTERS: usize> Logic for RegisterPort<REGISTERS> {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(
            self,
            clock,
            looking,
            reading,
            sampling,
            answering,
            hit_register,
            row_register
        );
        clock!(
            self,
            clock,
            column_register,
            data_register,
            write_register,
            error_register
        );
        clock!(self, clock, read_register);
        self.looking.reset.next = self.reset.val();
        self.reading.reset.next = self.reset.val();
        self.sampling.reset.next = self.reset.val();
        self.answering.reset.next = self.reset.val();
        self.hit_register.reset.next = self.reset.val();
        self.row_register.reset.next = self.reset.val();
        self.column_register.reset.next = self.reset.val();
        self.data_register.reset.next = self.reset.val();
        self.write_register.reset.next = self.reset.val();
        self.error_register.reset.next = self.reset.val();
        self.read_register.reset.next = self.reset.val();

        comment!("Which register it is, and whether that may be asked.");
        self.whole.next = !self.write.val() | self.strobe.val().all();
        self.hits.next = 0.into();
        self.rows.next = 0.into();
        self.columns.next = 0.into();
        for i in 0..REGISTERS {
            self.one_row.next = self
                .address
                .val()
                .get_bits::<8>(self.row_lsb[i].val().index())
                & self.row_mask[i].val();
            self.one_column.next = self
                .address
                .val()
                .get_bits::<8>(self.column_lsb.val().index())
                & self.column_mask[i].val();
            if (self.address.val() & self.base_mask[i].val()) == self.base[i].val() {
                self.rows.next = self.rows.val() | self.one_row.val();
                self.columns.next = self.columns.val() | self.one_column.val();
                self.hits.next = self.hits.val().replace_bit(
                    i,
                    self.whole.val()
                        & self.present.val().get_bit(i)
                        & (!self.write.val() | self.writable.val().get_bit(i))
                        & (self.one_row.val() <= self.last_row[i].val())
                        & (self.one_column.val() <= self.last_column[i].val()),
                );
            }
        }

        comment!("The transfer, a cycle a step.");
        self.idle.next = !self.looking.q.val()
            & !self.reading.q.val()
            & !self.sampling.q.val()
            & !self.answering.q.val();
        self.looking.d.next =
            self.select.val() & (self.idle.val() | (self.looking.q.val() & self.hold.val()));
        self.reading.d.next = self.select.val() & self.looking.q.val() & !self.hold.val();
        self.sampling.d.next = self.select.val() & self.reading.q.val();
        self.answering.d.next = self.select.val() & self.sampling.q.val();
        self.hit_register.d.next = self.hit_register.q.val();
        self.row_register.d.next = self.row_register.q.val();
        self.column_register.d.next = self.column_register.q.val();
        self.data_register.d.next = self.data_register.q.val();
        self.write_register.d.next = self.write_register.q.val();
        if self.idle.val() {
            self.hit_register.d.next = self.hits.val();
            self.row_register.d.next = self.rows.val();
            self.column_register.d.next = self.columns.val();
            self.data_register.d.next = self.write_data.val();
            self.write_register.d.next = self.write.val();
        }

        comment!("The answer.");
        self.wrong.next =
            !self.hit_register.q.val().any() | (self.write_register.q.val() & self.refuse.val());
        self.read.next = self.value.val();
        for i in 0..REGISTERS {
            if self.hit_register.q.val().get_bit(i) {
                self.read.next = self.read.val() | self.constant[i].val();
            }
        }
        self.error_register.d.next = self.select.val() & self.sampling.q.val() & self.wrong.val();
        self.read_register.d.next = 0.into();
        if self.select.val()
            & self.sampling.q.val()
            & !self.write_register.q.val()
            & self.hit_register.q.val().any()
        {
            self.read_register.d.next = self.read.val();
        }
        self.done.next = self.answering.q.val();
        self.error.next = self.error_register.q.val();
        self.read_data.next = self.read_register.q.val();
        self.hit.next = self.hit_register.q.val();
        self.row.next = self.row_register.q.val();
        self.column.next = self.column_register.q.val();
        self.data.next = self.data_register.q.val();
        self.looks.next = self.looking.q.val() & self.hit_register.q.val().any();
        self.writes.next =
            self.answering.q.val() & self.write_register.q.val() & !self.error_register.q.val();
    }
}
