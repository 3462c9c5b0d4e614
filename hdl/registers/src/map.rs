//! Registers and their fields.

use serde::Serialize;

use crate::MapError;

/// The registers of one unit with one parameter set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Map {
    /// The unit: `llc_monitor`.
    pub unit: &'static str,
    /// The same in a C header: `LLC`.
    pub prefix: &'static str,
    /// What the unit does.
    pub summary: &'static str,
    /// Parameters of the set that the registers follow from, by name.
    pub parameters: Vec<(&'static str, usize)>,
    /// Bits of a byte address.
    pub width: usize,
    /// The newest version of the unit's registers, whatever this parameter set has of it.
    pub minor: u32,
    /// The registers by address; then, by address, those that this parameter set has not and does
    /// not decode, but which keep their addresses.
    pub registers: Vec<Register>,
    /// How many it decodes.
    pub decoded: usize,
}

/// A register, a row of them, or a matrix.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Register {
    /// `DEMOTION_LIMIT`.
    pub name: &'static str,
    /// What it holds, and what a write does.
    pub doc: &'static str,
    /// Address of the first one, in bytes; a multiple of `room`.
    pub offset: u32,
    /// Bytes set aside for all of them in any parameter set, a power of two.
    pub room: u32,
    /// How many rows; 1 of a single register, 0 of one that this parameter set does not have.
    pub rows: usize,
    /// Bytes from row to row, a power of two.
    pub row_stride: u32,
    /// What a row is of: `victim`; empty of a single register.
    pub row: &'static str,
    /// How many columns; 1 of a single register or a row.
    pub columns: usize,
    /// Bytes from column to column, a power of two.
    pub column_stride: u32,
    /// What a column is of: `aggressor`; empty of a single register or a row.
    pub column: &'static str,
    /// The fields, lowest first.
    pub fields: Vec<Field>,
}

/// Bits of a register.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Field {
    /// `COUNT`.
    pub name: &'static str,
    /// Its lowest bit.
    pub lsb: usize,
    /// Its bits in this parameter set; those above them, up to `span`, read 0.
    pub width: usize,
    /// The bits set aside for it in any parameter set.
    pub span: usize,
    /// What reading and writing it does.
    pub access: Access,
    /// Its value after reset.
    pub reset: Reset,
    /// What it means.
    pub doc: &'static str,
}

/// What reading and writing a field does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub enum Access {
    /// Reads its reset value, the same in every parameter set.
    Constant,
    /// Reads its reset value, which follows from the parameter set.
    Parameter,
    /// Reads what the hardware says.
    ReadOnly,
    /// Reads what was written, or what is in force.
    ReadWrite,
    /// Writing 1 does something once; reads 0.
    Pulse,
    /// Reads what the hardware has set; writing 1 clears.
    ClearByOne,
}

/// A value after reset.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub enum Reset {
    /// The same in all rows.
    Same(u32),
    /// One per row.
    ByRow(Vec<u32>),
}

/// Where an address leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Place<'a> {
    /// The register.
    pub register: &'a Register,
    /// Which row of it; 0 of a single register.
    pub row: usize,
    /// Which column; 0 of a single register or a row.
    pub column: usize,
}

impl Access {
    /// A write is no error.
    pub fn is_written(self) -> bool {
        matches!(self, Access::ReadWrite | Access::Pulse | Access::ClearByOne)
    }

    /// As tables name it.
    pub fn name(self) -> &'static str {
        match self {
            Access::Constant => "constant",
            Access::Parameter => "parameter",
            Access::ReadOnly => "read",
            Access::ReadWrite => "read, write",
            Access::Pulse => "write 1",
            Access::ClearByOne => "read, clear by 1",
        }
    }
}

impl Reset {
    /// The value in this row.
    pub fn of_row(&self, row: usize) -> u32 {
        match self {
            Reset::Same(value) => *value,
            Reset::ByRow(values) => values.get(row).copied().unwrap_or(0),
        }
    }
}

impl Field {
    /// Its bits in place, as this parameter set has them.
    pub fn mask(&self) -> u32 {
        ones(self.width) << self.lsb
    }

    /// Its value after reset until software writes it, of constants and parameters always; nothing
    /// if hardware may change it at once.
    pub fn settled(&self, row: usize) -> Option<u32> {
        (self.access != Access::ReadOnly).then(|| self.reset.of_row(row))
    }

    /// The bits set aside for it, in place.
    pub fn span_mask(&self) -> u32 {
        ones(self.span) << self.lsb
    }
}

impl Register {
    /// A write is no error: some field can be written.
    pub fn is_written(&self) -> bool {
        self.fields.iter().any(|field| field.access.is_written())
    }

    /// What it reads after reset, of constants and parameters always.
    pub fn reset(&self, row: usize) -> u32 {
        let fields = self.fields.iter();
        fields.fold(0, |word, f| word | f.reset.of_row(row) << f.lsb)
    }

    /// Rows have reset values of their own. Where formats have arrays of equal registers only, each
    /// row is a register of [its own name](Self::name_of_row).
    pub fn rows_differ(&self) -> bool {
        let mut fields = self.fields.iter();
        fields.any(|field| matches!(field.reset, Reset::ByRow(_)))
    }

    /// The name of one row alone: `MAP_2`.
    pub fn name_of_row(&self, row: usize) -> String {
        format!("{}_{row}", self.name)
    }

    /// The field of this name.
    pub fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// Address of one of them.
    pub fn address(&self, row: usize, column: usize) -> u32 {
        self.offset + row as u32 * self.row_stride + column as u32 * self.column_stride
    }
}

impl Map {
    /// The register of this name.
    pub fn find(&self, name: &str) -> Option<&Register> {
        self.registers.iter().find(|register| register.name == name)
    }

    /// Where a register is in the list (`"STATUS"`), or the lowest bit of a field
    /// (`"STATUS.READY"`).
    ///
    /// # Panics
    /// If the description has it not: the RTL that asks is then wrong.
    pub fn number(&self, name: &str) -> usize {
        let (register, field) = match name.split_once('.') {
            Some((register, field)) => (register, Some(field)),
            None => (name, None),
        };
        let place = self.registers.iter().position(|r| r.name == register);
        let number = place.and_then(|place| match field {
            None => Some(place),
            Some(field) => Some(self.registers[place].field(field)?.lsb),
        });
        number.unwrap_or_else(|| panic!("{} has no {name} in its description", self.unit))
    }

    /// What is at this byte address; nothing if it is not mapped or no multiple of 4.
    pub fn at(&self, address: u32) -> Option<Place<'_>> {
        self.registers.iter().find_map(|register| {
            let within = address.checked_sub(register.offset)?;
            let row = (within / register.row_stride) as usize;
            let column = (within % register.row_stride / register.column_stride) as usize;
            let there = row < register.rows
                && column < register.columns
                && register.address(row, column) == address;
            there.then_some(Place {
                register,
                row,
                column,
            })
        })
    }

    /// Checks that the description does not contradict itself.
    ///
    /// # Errors
    /// [`MapError`]: two registers or fields share a name, an address or a bit, or something does
    /// not fit where it is.
    pub fn check(&self) -> Result<(), MapError> {
        let mut end = 0;
        for (place, register) in self.registers.iter().enumerate() {
            if place == self.decoded {
                end = 0;
            }
            let wrong = |problem: String| MapError {
                unit: self.unit,
                register: register.name,
                problem,
            };
            let others = &self.registers[..place];
            if others.iter().any(|other| other.name == register.name) {
                return Err(wrong("two registers of this name".into()));
            }
            if place >= self.decoded && register.rows > 0 {
                return Err(wrong("it is there, but not decoded".into()));
            }
            if register.offset < end {
                return Err(wrong(format!(
                    "offset {:#x} is below the end of the register before, {end:#x}",
                    register.offset
                )));
            }
            end = register.offset + register.room;
            if end > 1 << self.width {
                return Err(wrong(format!("ends at {end:#x}, beyond the space")));
            }
            register.check().map_err(wrong)?;
        }
        Ok(())
    }
}

impl Register {
    /// What contradicts itself in it alone.
    fn check(&self) -> Result<(), String> {
        let powers = [self.room, self.row_stride, self.column_stride];
        if powers.iter().any(|bytes| !bytes.is_power_of_two()) || self.offset % self.room != 0 {
            return Err(format!(
                "offset {:#x} is no multiple of the room {:#x}, or that or a stride no power of two",
                self.offset, self.room
            ));
        }
        if self.rows as u32 * self.row_stride > self.room
            || self.columns as u32 * self.column_stride > self.row_stride
            || self.column_stride < 4
        {
            return Err(format!(
                "{} rows of {} columns do not fit into {:#x} bytes",
                self.rows, self.columns, self.room
            ));
        }
        let mut end = 0;
        for field in &self.fields {
            if field.lsb < end || field.span == 0 || field.lsb + field.span > 32 {
                return Err(format!("{}: its bits are another's, or none", field.name));
            }
            end = field.lsb + field.span;
            let fits = |value: u32| value & !ones(field.width) == 0;
            let reset = match &field.reset {
                Reset::Same(value) => fits(*value),
                Reset::ByRow(values) => {
                    values.len() == self.rows && values.iter().all(|value| fits(*value))
                }
            };
            if field.width > field.span || !reset {
                return Err(format!(
                    "{}: its width or reset value is too large",
                    field.name
                ));
            }
        }
        Ok(())
    }
}

/// The lowest `width` bits, at most 32.
fn ones(width: usize) -> u32 {
    ((1u64 << width) - 1) as u32
}
