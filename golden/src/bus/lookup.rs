//! Looks up accesses in the register description: address, access rights, fields.

use cotenant_registers::{Map, Place};

use super::access::Access;

/// All four bytes.
const WHOLE_WORD: u8 = 0xf;

/// The register that an access reads or writes; nothing if it is an error, whatever the value.
pub(super) fn reached<'a>(map: &'a Map, access: &Access) -> Option<Place<'a>> {
    let place = map.at(access.address.into())?;
    let may = !access.write || place.register.is_written() && access.strobe == WHOLE_WORD;
    may.then_some(place)
}

/// What a field of the register gets from this word; 0 if there is no such field.
pub(super) fn field(place: &Place<'_>, name: &str, word: u32) -> u32 {
    let field = place.register.field(name);
    field.map_or(0, |field| (word & field.mask()) >> field.lsb)
}

/// A word of the values of its fields.
pub(super) fn word(place: &Place<'_>, value: impl Fn(&str) -> u64) -> u32 {
    let fields = place.register.fields.iter();
    fields.fold(0, |word, field| {
        word | ((value(field.name) << field.lsb) as u32 & field.mask())
    })
}

/// What the registers that all units have read.
pub(super) fn identity(register: &str, name: &str, unit: u64) -> u64 {
    match (register, name) {
        ("ID", _) => u32::from_be_bytes(*b"COTN").into(),
        ("VERSION", "MAJOR") => 1,
        ("VERSION", _) => 0,
        _ => unit,
    }
}
