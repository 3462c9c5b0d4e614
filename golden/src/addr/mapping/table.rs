//! A mapping as a person writes it, and what can be wrong with it.

use serde::{Deserialize, Serialize};

use super::Field;
use crate::addr::gf2;
use crate::llc::cache::MAX_SETS;

/// The most banks of all modules.
pub const MAX_BANKS: u64 = 1 << 16;
/// The longest line in bytes.
const MAX_LINE: u64 = crate::llc::cache::MAX_LINE;

/// The fields of an address that a table says to be a bijection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Claim {
    /// Bank, row and column.
    Bank,
    /// Set, tag and the byte within the line.
    Set,
}

/// For each bit of an index, lowest first, the address bits whose XOR it is.
pub type Lists = Vec<Vec<u32>>;

/// A mapping as its file has it. `None` stands for what a file leaves out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// The name by which it is asked for.
    pub name: String,
    /// What it is, in a line.
    pub title: String,
    /// Bits of an address, 1 to 64.
    pub width: u32,
    /// Bytes of a line of the cache, a power of two up to 1024.
    pub line: u64,
    /// Bytes that are fetched at a time, a power of two up to `line`.
    pub sector: u64,
    /// Bytes of a page, for colours; a power of two, at least `line`.
    pub page: u64,
    /// Memory modules, a power of two.
    pub modules: u64,
    /// Banks of all modules, a power of two up to [`MAX_BANKS`].
    pub banks: u64,
    /// Sets of all modules, a power of two.
    pub sets: u64,
    /// What is said to be a bijection.
    pub bijective: Vec<Claim>,
    /// Without it, what banks and sets have in common.
    pub module: Option<Lists>,
    /// The bank, counted over all modules.
    pub bank: Lists,
    /// The set, counted over all modules.
    pub set: Lists,
    /// The row of a bank; without it rows are unknown.
    pub row: Option<Lists>,
    /// The place in a row; without it columns are unknown.
    pub column: Option<Lists>,
    /// Without it, the highest address bits that tell the lines of a set apart.
    pub tag: Option<Lists>,
}

/// What is wrong with a table.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}{} is {value}, expected {expected}", key, self.place())]
pub struct Fault {
    /// The key: `functions.bank`.
    pub key: String,
    /// The function among those of the key, from 0.
    pub function: Option<usize>,
    /// What was found.
    pub value: String,
    /// What may stand there.
    pub expected: String,
}

impl Fault {
    pub(super) fn new(key: &str, value: impl ToString, expected: impl ToString) -> Self {
        Self {
            key: key.into(),
            function: None,
            value: value.to_string(),
            expected: expected.to_string(),
        }
    }

    fn at(field: Field, function: usize, value: impl ToString, expected: impl ToString) -> Self {
        Self {
            function: Some(function),
            ..Self::new(&field.key(), value, expected)
        }
    }

    fn place(&self) -> String {
        self.function
            .map_or(String::new(), |place| format!("[{place}]"))
    }
}

impl Table {
    /// The lists of a field.
    pub fn lists(&self, field: Field) -> Option<&Lists> {
        match field {
            Field::Module => self.module.as_ref(),
            Field::Bank => Some(&self.bank),
            Field::Set => Some(&self.set),
            Field::Row => self.row.as_ref(),
            Field::Column => self.column.as_ref(),
            Field::Tag => self.tag.as_ref(),
        }
    }

    /// All bits of an address.
    pub(super) fn mask(&self) -> u64 {
        u64::MAX >> (64 - self.width)
    }

    /// A field's functions as masks over address bits.
    ///
    /// # Errors
    /// [`Fault`] in a single list, or in the lists of the field alone.
    pub(super) fn functions(&self, field: Field) -> Result<Option<Vec<u64>>, Fault> {
        let Some(lists) = self.lists(field) else {
            return Ok(None);
        };
        let mut functions = vec![];
        for (place, bits) in lists.iter().enumerate() {
            functions.push(self.function(field, place, bits)?);
        }
        if functions.len() > self.width as usize {
            let found = format!("{} functions", functions.len());
            let expected = format!("at most {}, the bits of an address", self.width);
            return Err(Fault::new(&field.key(), found, expected));
        }
        if let Some(sum) = gf2::dependency(&functions) {
            let last = sum.ilog2() as usize;
            let before = (0..last).filter(|place| sum >> place & 1 == 1);
            let before: Vec<String> = before.map(|place| place.to_string()).collect();
            let found = match &before[..] {
                [same] => format!("equal to function {same}"),
                _ => format!("the XOR of functions {}", before.join(", ")),
            };
            let expected = "functions that are linearly independent, so that the index has every \
                            value";
            return Err(Fault::at(field, last, found, expected));
        }
        Ok(Some(functions))
    }

    fn function(&self, field: Field, place: usize, bits: &[u32]) -> Result<u64, Fault> {
        let (lowest, why) = match field {
            Field::Module | Field::Set | Field::Tag => (self.line, ", a line being in one set"),
            Field::Bank => (self.sector, ", a sector being in one bank"),
            Field::Row | Field::Column => (1, ""),
        };
        let bounds = lowest.ilog2()..self.width;
        let mut function = 0u64;
        for bit in bits {
            if !bounds.contains(bit) {
                let expected = format!("{} to {}{why}", bounds.start, self.width - 1);
                return Err(Fault::at(field, place, format!("bit {bit}"), expected));
            }
            if function >> bit & 1 == 1 {
                let found = format!("bit {bit} twice");
                return Err(Fault::at(field, place, found, "each bit once"));
            }
            function |= 1 << bit;
        }
        match function {
            0 => Err(Fault::at(field, place, "empty", "one address bit or more")),
            _ => Ok(function),
        }
    }

    /// The numbers by themselves.
    pub(super) fn numbers(&self) -> Result<(), Fault> {
        if !(1..=64).contains(&self.width) {
            return Err(Fault::new("width", self.width, "1 to 64"));
        }
        let powers = [
            ("line", self.line, 1, MAX_LINE.min(self.mask())),
            ("sector", self.sector, 1, self.line),
            ("page", self.page, self.line, self.mask()),
            ("modules", self.modules, 1, self.banks.min(self.sets)),
            ("banks", self.banks, 1, MAX_BANKS),
            ("sets", self.sets, 1, MAX_SETS as u64),
        ];
        for (key, value, least, most) in powers {
            if !value.is_power_of_two() || !(least..=most).contains(&value) {
                let expected = format!("a power of two from {least} to {most}");
                return Err(Fault::new(key, value, expected));
            }
        }
        let counts = [
            (Field::Module, "modules", self.modules),
            (Field::Bank, "banks", self.banks),
            (Field::Set, "sets", self.sets),
        ];
        for (field, key, count) in counts {
            let Some(lists) = self.lists(field) else {
                continue;
            };
            if lists.len() != count.ilog2() as usize {
                let found = format!("{} functions", lists.len());
                let expected = format!("{}, as {key} is {count}", count.ilog2());
                return Err(Fault::new(&field.key(), found, expected));
            }
        }
        Ok(())
    }
}
