//! Lines and sectors of an access to a range of bytes.

use super::SECTOR;

/// Calls `part` with the first byte and the sectors of each line that `width` bytes, at least one,
/// from `address` touch, in rising order. The address space does not wrap; `line` is a power of
/// two up to 32 sectors.
#[inline]
pub(crate) fn parts(address: u64, width: u64, line: u64, mut part: impl FnMut(u64, u32)) {
    let last = address.saturating_add(width - 1);
    let sector = |address: u64| (address & (line - 1)) / SECTOR;
    let mut first = address;
    loop {
        let line_end = first | (line - 1);
        let to = last.min(line_end);
        part(
            first,
            (u32::MAX << sector(first)) & (u32::MAX >> (31 - sector(to))),
        );
        if last <= line_end {
            break;
        }
        first = line_end + 1;
    }
}
