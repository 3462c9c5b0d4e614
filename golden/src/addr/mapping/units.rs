//! The units' parameters for a mapping.

use super::{Field, Mapping};
use crate::addr::xor_hash::MAX_INDEX_W;
use crate::addr::{address_map, xor_hash};
use crate::model::ParamError;
use crate::ports::Parameters;

/// Masks of an index, and 0 for what it does not have.
///
/// # Errors
/// [`ParamError`] if the index has more than [`MAX_INDEX_W`] bits.
fn padded(name: &'static str, functions: &[u64]) -> Result<[u64; 16], ParamError> {
    ParamError::range(name, functions.len() as u64, 0, MAX_INDEX_W as u64)?;
    let mut masks = [0; 16];
    masks[..functions.len()].copy_from_slice(functions);
    Ok(masks)
}

impl xor_hash::Params {
    /// The hash that makes an index of a mapping.
    ///
    /// # Errors
    /// [`ParamError`] if the mapping does not have the index, or with more than [`MAX_INDEX_W`] bits.
    pub fn of(mapping: &Mapping, field: Field) -> Result<Self, ParamError> {
        let functions = mapping.functions(field);
        ParamError::range("index_w", functions.len() as u64, 1, MAX_INDEX_W as u64)?;
        Ok(Self {
            address_w: mapping.table().width as usize,
            index_w: functions.len(),
            mask: padded("index_w", functions)?,
        })
    }
}

impl address_map::Params {
    /// The unit for a mapping.
    ///
    /// # Errors
    /// [`ParamError`] if an index has more than [`MAX_INDEX_W`] bits, lines are as short as a sector, or
    /// the tag is not made of single address bits, lowest first.
    pub fn of(mapping: &Mapping) -> Result<Self, ParamError> {
        let table = mapping.table();
        let tag = mapping.functions(Field::Tag);
        let single = tag.iter().all(|function| function.is_power_of_two());
        if tag.is_empty() || !single || !tag.is_sorted() {
            return Err(ParamError::NoRoom {
                why: format!(
                    "{}: functions.tag has sums of address bits, or bits out of order; expected single \
                     bits, lowest first, which address_map takes out of the address as they are",
                    table.name
                ),
            });
        }
        if table.sector == table.line {
            return Err(ParamError::NoRoom {
                why: format!(
                    "{}: sector is {}, as long as a line; address_map has lines of at least two sectors: \
                     give a shorter sector, and leave the port sector open",
                    table.name, table.sector
                ),
            });
        }
        let functions = |field| mapping.functions(field);
        let width = |functions: &[u64]| functions.len().max(1);
        let colour = mapping.colours(table.page);
        let params = Self {
            address_w: table.width as usize,
            offset_w: table.line.ilog2() as usize,
            sector_w: table.sector.ilog2() as usize,
            set_w: width(functions(Field::Set)),
            bank_w: width(functions(Field::Bank)),
            module_w: width(functions(Field::Module)),
            colour_w: width(&colour),
            tag: tag.iter().sum(),
            set: padded("set_w", functions(Field::Set))?,
            bank: padded("bank_w", functions(Field::Bank))?,
            module: padded("module_w", functions(Field::Module))?,
            colour: padded("colour_w", &colour)?,
        };
        params.check_ranges()?;
        Ok(params)
    }
}
