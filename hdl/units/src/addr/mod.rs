//! Units that find the place of a physical address: cache set, tag, bank, module and colour.

pub(crate) mod address_map;
pub(crate) mod xor_hash;

mod shipped;

pub use address_map::AddressMap;
pub use xor_hash::XorHash;

/// Maximum number of bits of an index.
pub const MAX_INDEX_W: usize = 16;

/// The largest mask over the bits of an address; 0 of an index bit that there is not.
pub(crate) const fn list_limit(address_w: usize, there: bool) -> usize {
    if there {
        (u64::MAX >> (64 - address_w)) as usize
    } else {
        0
    }
}

/// TAG_W: the address bits in a mask, at least 1.
pub const fn bits_in(mask: usize) -> usize {
    match mask.count_ones() {
        0 => 1,
        bits => bits as usize,
    }
}

/// The bit of a mask that has so many bits below it, as a mask; 0 if there is none.
pub(crate) fn bit_of(mask: usize, below: usize) -> usize {
    let lowest = |mask: usize| mask & mask.wrapping_neg();
    let rest = (0..below).fold(mask, |mask, _| mask & !lowest(mask));
    lowest(rest)
}

/// Masks that have about half of the bits each, all of them other ones.
pub(crate) fn spread(address_w: u32, masks: u32) -> Vec<usize> {
    let mask = |at: u32| 0x9e37_79b9_7f4a_7c15_u64.rotate_left(5 * at) >> (64 - address_w);
    (0..masks).map(|at| mask(at) as usize).collect()
}
