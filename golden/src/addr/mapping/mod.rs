//! From an address to module, bank, row, column, set, tag and colour, by a table of XOR functions.
//!
//! Source: Fractional GPUs, sections IV-B to IV-E and figure 6. An index bit is the XOR of a list
//! of physical address bits; an index is their concatenation, bit 0 first. No list is part of the
//! code: a mapping is a file, and those that come with the crate are files like others.
//!
//! | name | mapping |
//! | --- | --- |
//! | `gtx1080` | NVIDIA GTX 1080 and GTX 1070 (figure 6) |
//! | `v100` | NVIDIA Tesla V100 with 16 GB (section IV-D), without rows |
//!
//! ```toml
//! name = "small"
//! title = "Two modules of two banks each, eight sets"
//! width = 20              # address bits
//! line = 128              # bytes of a line of the cache
//! sector = 32             # bytes fetched at a time
//! page = 4096             # bytes of a page, for colours
//! modules = 2
//! banks = 4               # of all modules
//! sets = 8                # of all modules
//! bijective = ["bank"]    # checked: bank, row and column; "set": set, tag and offset
//!
//! [functions]             # for each index bit, lowest first, the address bits of which it is the XOR
//! module = [[12, 15]]     # may be left out: what banks and sets have in common
//! bank = [[12, 15], [13, 16]]
//! set = [[12, 15], [7, 14], [8]]
//! row = [[15], [16], [17], [18], [19]]                                        # may be left out
//! column = [[0], [1], [2], [3], [4], [5], [6], [7], [8], [9], [10], [11], [14]] # with row
//! # tag: may be left out, then the highest address bits that tell lines of a set apart
//! ```
//!
//! A line is in one set, so functions of sets use no bit of the byte within a line; a sector is in
//! one bank. Each bank and each set belongs to one module, so the module's functions are sums of
//! the bank's and also of the set's. On GTX 1080 they are the three lowest of both; in general, as on
//! V100, they need be none of either.
//!
//! ```
//! use cotenant_golden::addr::mapping::Mapping;
//!
//! let gtx = Mapping::named("gtx1080")?;
//! let place = gtx.map(0x1_2345_6789);
//! assert_eq!(place.bank % 8, place.module);
//! assert_eq!(gtx.line_address(place.set, place.tag, place.offset), Some(0x1_2345_6789));
//! // Section IV-E: two colours with pages of 4 KB, none with larger ones.
//! assert_eq!((gtx.colours(4 << 10).len(), gtx.colours(64 << 10).len()), (1, 0));
//! # Ok::<(), cotenant_golden::addr::mapping::MappingError>(())
//! ```

mod check;
mod read;
mod table;
mod units;
mod write;

use std::path::Path;

use cotenant_registers::mappings;

use super::gf2;
pub use read::MappingError;
pub use table::{Claim, Fault, Lists, Table, MAX_BANKS};

/// What functions of an address say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Field {
    /// The memory module.
    Module,
    /// The bank, over all modules.
    Bank,
    /// The cache set, over all modules.
    Set,
    /// The row of a bank.
    Row,
    /// The place in a row.
    Column,
    /// The tag of a line in its set.
    Tag,
}

impl Field {
    /// All fields, in the order of a file.
    pub const ALL: [Self; 6] = [
        Self::Module,
        Self::Bank,
        Self::Set,
        Self::Row,
        Self::Column,
        Self::Tag,
    ];

    /// Its name in a file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Module => "module",
            Self::Bank => "bank",
            Self::Set => "set",
            Self::Row => "row",
            Self::Column => "column",
            Self::Tag => "tag",
        }
    }

    fn key(self) -> String {
        format!("functions.{}", self.name())
    }
}

/// Where an address is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Location {
    /// The memory module.
    pub module: u64,
    /// The bank, counted over all modules.
    pub bank: u64,
    /// The row in its bank, if the table has rows.
    pub row: Option<u64>,
    /// The place in its row, if the table has columns.
    pub column: Option<u64>,
    /// The cache set, counted over all modules.
    pub set: u64,
    /// The line's tag in its set.
    pub tag: u64,
    /// The byte within the line.
    pub offset: u64,
    /// The colour of the page, 0 if there is one colour only.
    pub colour: u64,
}

/// A mapping of addresses that has been checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mapping {
    table: Table,
    module: Vec<u64>,
    bank: Vec<u64>,
    set: Vec<u64>,
    row: Option<Vec<u64>>,
    column: Option<Vec<u64>>,
    tag: Vec<u64>,
    colour: Vec<u64>,
    /// From column, bank and row, lowest first, to the address.
    from_bank: Option<Vec<u64>>,
    /// From offset, set and tag, lowest first, to the address.
    from_set: Option<Vec<u64>>,
}

/// The names of all mappings.
pub fn names() -> impl Iterator<Item = &'static str> {
    mappings::TEXTS.iter().map(|(name, _)| *name)
}

impl Mapping {
    /// The mapping of a name.
    ///
    /// # Errors
    /// [`MappingError::Unknown`] with the names that there are.
    pub fn named(name: &str) -> Result<Self, MappingError> {
        let unknown = || MappingError::Unknown { name: name.into() };
        Self::from_toml(Self::text(name).ok_or_else(unknown)?)
    }

    /// The TOML text of a mapping, to read its sources or to start one of one's own.
    pub fn text(name: &str) -> Option<&'static str> {
        let found = mappings::TEXTS.iter().find(|(known, _)| *known == name);
        found.map(|(_, text)| *text)
    }

    /// The mapping in a file.
    ///
    /// # Errors
    /// [`MappingError`] with the file, the line and what is expected there.
    pub fn read(path: &Path) -> Result<Self, MappingError> {
        let text = std::fs::read_to_string(path).map_err(|source| MappingError::Unreadable {
            path: path.into(),
            source,
        })?;
        Self::from_toml(&text).map_err(|source| MappingError::In {
            path: path.into(),
            source: source.into(),
        })
    }

    /// The mapping in a TOML text.
    ///
    /// # Errors
    /// [`MappingError`] with line and key.
    pub fn from_toml(text: &str) -> Result<Self, MappingError> {
        read::read(text)
    }

    /// The mapping of a table.
    ///
    /// # Errors
    /// The first [`Fault`] of the table.
    pub fn new(table: Table) -> Result<Self, Fault> {
        table.numbers()?;
        let functions = |field| table.functions(field);
        let bank = functions(Field::Bank)?.unwrap_or_default();
        let set = functions(Field::Set)?.unwrap_or_default();
        let module = match functions(Field::Module)? {
            Some(module) => module,
            None => gf2::intersection(&bank, &set),
        };
        let (row, column) = (functions(Field::Row)?, functions(Field::Column)?);
        let tag = match functions(Field::Tag)? {
            Some(tag) => tag,
            None => check::completion(&table, &set),
        };
        let mut mapping = Self {
            colour: vec![],
            from_bank: None,
            from_set: None,
            module,
            bank,
            set,
            row,
            column,
            tag,
            table,
        };
        mapping.one_module()?;
        mapping.colour = mapping.colours(mapping.table.page);
        mapping.from_bank = mapping.inverse_of(Claim::Bank)?;
        mapping.from_set = mapping.inverse_of(Claim::Set)?;
        Ok(mapping)
    }

    /// The table that it was made of.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The functions of a field, the lowest bit's first, as masks over address bits; none if the
    /// table does not have the field.
    pub fn functions(&self, field: Field) -> &[u64] {
        match field {
            Field::Module => &self.module,
            Field::Bank => &self.bank,
            Field::Set => &self.set,
            Field::Row => self.row.as_deref().unwrap_or_default(),
            Field::Column => self.column.as_deref().unwrap_or_default(),
            Field::Tag => &self.tag,
        }
    }

    /// Where an address is; bits beyond the width are ignored.
    pub fn map(&self, address: u64) -> Location {
        let of = |functions: &Vec<u64>| gf2::apply(functions, address);
        Location {
            module: of(&self.module),
            bank: of(&self.bank),
            row: self.row.as_ref().map(of),
            column: self.column.as_ref().map(of),
            set: of(&self.set),
            tag: of(&self.tag),
            offset: address & (self.table.line - 1),
            colour: of(&self.colour),
        }
    }

    /// The address of a byte of a line; none if set, tag and offset do not determine it, or are
    /// beyond what there is.
    pub fn line_address(&self, set: u64, tag: u64, offset: u64) -> Option<u64> {
        let bits = self.table.line.ilog2();
        let fields = [
            (offset, bits),
            (set, self.set.len() as u32),
            (tag, self.tag.len() as u32),
        ];
        Some(gf2::apply(self.from_set.as_ref()?, joined(&fields)?))
    }

    /// The address with offset, set and tag side by side, lowest first: a cache that takes the set from
    /// the address bits above the offset has its line where this one has it by its functions. None if
    /// the address is beyond the width.
    pub fn folded(&self, address: u64) -> Option<u64> {
        if address & !self.table.mask() != 0 {
            return None;
        }
        let place = self.map(address);
        let (offset, set) = (self.table.line.ilog2(), self.set.len() as u32);
        Some(place.offset | place.set << offset | place.tag << (offset + set))
    }

    /// The address of a place in memory; none if bank, row and column do not determine it, or are
    /// beyond what there is.
    pub fn bank_address(&self, bank: u64, row: u64, column: u64) -> Option<u64> {
        let inverse = self.from_bank.as_ref()?;
        let bits = |field| self.functions(field).len() as u32;
        let fields = [
            (column, bits(Field::Column)),
            (bank, bits(Field::Bank)),
            (row, bits(Field::Row)),
        ];
        Some(gf2::apply(inverse, joined(&fields)?))
    }

    /// Functions of the module that use no bit of the byte within a page: with n of them pages
    /// have 2^n colours (section IV-E).
    pub fn colours(&self, page: u64) -> Vec<u64> {
        let within: Vec<u64> = (0..64)
            .map(|bit| 1 << bit)
            .filter(|bit| *bit < page)
            .collect();
        let outside = gf2::kernel(&within, self.table.mask());
        gf2::intersection(&self.module, &outside)
    }
}

/// Fields side by side, the first lowest; none if one does not fit.
fn joined(fields: &[(u64, u32)]) -> Option<u64> {
    let (mut all, mut at) = (0u64, 0);
    for (value, bits) in fields {
        if value.checked_shr(*bits).unwrap_or(0) != 0 {
            return None;
        }
        all |= value.checked_shl(at).unwrap_or(0);
        at += bits;
    }
    Some(all)
}

#[cfg(test)]
mod tests;
