//! A unit's storage relative to the cache's arrays.

use cotenant_golden::llc::cache::Geometry;
use cotenant_golden::ParamError;
use cotenant_netlist::area::Storage;
use cotenant_units::table::ParameterSet;
use serde::Serialize;

use super::width::parameter;
use crate::verify::interface::Place;

/// Bits of an address, if nothing else is said: Volta's virtual addresses.
pub const ADDRESS_BITS: u32 = 49;

/// The cache's arrays.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Cache {
    /// Dimensions.
    #[serde(flatten)]
    pub geometry: Geometry,
    /// Bits of an address; byte, set and bank are taken off for the tag.
    pub address_bits: u32,
}

impl Cache {
    /// Bits of a tag.
    ///
    /// # Errors
    /// [`ParamError`] if the cache does not exist, or its sets and lines take all address bits.
    pub fn tag_width(&self) -> Result<u32, ParamError> {
        self.geometry.check()?;
        let index = self.geometry.line.trailing_zeros() + self.geometry.sets.trailing_zeros();
        let (value, min) = (u64::from(self.address_bits), u64::from(index) + 1);
        match (min..=64).contains(&value) {
            true => Ok(self.address_bits - index),
            false => Err(ParamError::OutOfRange {
                name: "address-bits",
                value,
                min,
                max: 64,
            }),
        }
    }
}

/// A unit's storage as a part of the cache's.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Share {
    /// Flop and RAM bits of one unit.
    pub unit_bits: u64,
    /// Units that the cache needs.
    pub copies: u64,
    /// Why so many.
    pub copies_are: &'static str,
    /// Bits of the tag array.
    pub tag_bits: u64,
    /// Bits of the data array.
    pub data_bits: u64,
    /// Bits of one tag.
    pub tag_width: u32,
    /// All units' bits over tag and data bits.
    pub share: f64,
}

/// How many units a cache needs, and what there is one for; none if it stands elsewhere.
fn copies(place: Place, set: &ParameterSet, geometry: &Geometry) -> Option<(u64, &'static str)> {
    let banks = geometry.banks as u64;
    match place {
        Place::Part | Place::Cache => Some((1, "one")),
        // It holds the replacement bits of one set.
        Place::Set => Some((geometry.sets as u64, "one per set")),
        Place::Bank => Some((banks, "one per bank")),
        Place::Banks => {
            let own = parameter(set, "BANKS").unwrap_or(1) as u64;
            Some((banks.div_ceil(own), "one for its banks"))
        }
        Place::Application | Place::Kernel | Place::Sm => None,
    }
}

/// The share of a unit in a cache; none if it does not stand beside the cache.
///
/// Counted: flop and RAM bits of the unit; tags and data of the cache, without its valid, dirty
/// and replacement bits.
///
/// # Errors
/// [`ParamError`] if there is no such cache.
pub fn share(
    place: Place,
    set: &ParameterSet,
    storage: Storage,
    cache: &Cache,
) -> Result<Option<Share>, ParamError> {
    let tag_width = cache.tag_width()?;
    let geometry = &cache.geometry;
    let lines = (geometry.sets * geometry.ways) as u64;
    let Some((copies, copies_are)) = copies(place, set, geometry) else {
        return Ok(None);
    };
    let unit_bits = storage.bits() as u64;
    let tag_bits = lines * u64::from(tag_width);
    let data_bits = lines * geometry.line * 8;
    Ok(Some(Share {
        unit_bits,
        copies,
        copies_are,
        tag_bits,
        data_bits,
        tag_width,
        share: (unit_bits * copies) as f64 / (tag_bits + data_bits) as f64,
    }))
}

#[cfg(test)]
mod tests {
    //! Rationale: the preset's cache by hand, and addresses that are too short for it.
    use super::*;
    use cotenant_golden::presets::Preset;

    fn xavier(address_bits: u32) -> Cache {
        Cache {
            geometry: Preset::named("xavier").unwrap().llc,
            address_bits,
        }
    }

    #[test]
    fn tags_by_hand() {
        // 128-byte lines take 7 bits, 256 sets 8.
        assert_eq!(xavier(49).tag_width(), Ok(34));
        assert_eq!(xavier(16).tag_width(), Ok(1));
        let error = xavier(15).tag_width().unwrap_err().to_string();
        assert_eq!(error, "address-bits is 15, expected 16 to 64");
        assert!(xavier(65).tag_width().is_err());
    }

    #[test]
    fn xavier_by_hand() {
        let set = cotenant_units::table::set("gdcu", "table-1").unwrap();
        let unit = crate::registry::find("gdcu").unwrap();
        let netlist = unit.netlist(&set).unwrap();
        let area = Storage::of(&netlist).unwrap();
        let whole = cotenant_netlist::area::Area::of(&netlist).unwrap();
        assert_eq!(area, whole.storage());
        let share = share(unit.place(), &set, area, &xavier(49))
            .unwrap()
            .unwrap();
        assert_eq!(
            (share.tag_bits, share.data_bits),
            (4096 * 34, 512 * 1024 * 8)
        );
        assert_eq!((share.unit_bits, share.copies), (869, 4));
        let expected = 4.0 * 869.0 / (4096.0 * (34.0 + 1024.0));
        assert!((share.share - expected).abs() < 1e-12);
        let on_an_sm = crate::export::area::share::share(Place::Sm, &set, area, &xavier(49));
        assert_eq!(on_an_sm, Ok(None));
    }
}
