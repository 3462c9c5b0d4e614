//! Binary and decimal digits, appended without allocation.

/// The eight digits of each byte.
const BYTE_DIGITS: [[u8; 8]; 256] = {
    let mut table = [[b'0'; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            table[byte][7 - bit] += ((byte >> bit) & 1) as u8;
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// Appends `limbs` (least significant first) in binary without leading zeros; readers extend
/// with 0 (IEEE 1364-2005, section 18.2.1).
#[inline]
pub(crate) fn push_binary(buffer: &mut Vec<u8>, limbs: &[u64]) {
    let top = limbs.iter().rposition(|limb| *limb != 0).unwrap_or(0);
    for (index, limb) in limbs[..=top].iter().enumerate().rev() {
        let mut digits = [0; 64];
        for (place, byte) in digits.chunks_exact_mut(8).zip(limb.to_be_bytes()) {
            place.copy_from_slice(&BYTE_DIGITS[byte as usize]);
        }
        let leading = if index == top {
            (limb.leading_zeros() as usize).min(63)
        } else {
            0
        };
        buffer.extend_from_slice(&digits[leading..]);
    }
}

/// Appends all `width` binary digits of `limbs` (least significant first).
#[inline]
pub(crate) fn push_fixed(buffer: &mut Vec<u8>, limbs: &[u64], width: u32) {
    let mut left = width as usize;
    for (index, limb) in limbs.iter().enumerate().rev() {
        let mut digits = [0; 64];
        for (place, byte) in digits.chunks_exact_mut(8).zip(limb.to_be_bytes()) {
            place.copy_from_slice(&BYTE_DIGITS[byte as usize]);
        }
        let wanted = left - 64 * index;
        buffer.extend_from_slice(&digits[64 - wanted..]);
        left -= wanted;
    }
}

/// Appends `value` in decimal.
#[inline]
pub(crate) fn push_decimal(buffer: &mut Vec<u8>, mut value: u64) {
    let mut digits = [0; 20];
    let mut first = digits.len();
    loop {
        first -= 1;
        digits[first] = b'0' + (value % 10) as u8;
        value /= 10;
        if value == 0 {
            break;
        }
    }
    buffer.extend_from_slice(&digits[first..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    // Rationale: the two branches are the leading zeros of the top limb and whole lower limbs; the
    // reference is the standard library's formatting.
    #[test]
    fn digits_are_those_of_the_standard_library() {
        let interesting = [0, 1, 2, 255, 256, u64::MAX >> 1, 1 << 63, u64::MAX];
        for low in interesting {
            for high in interesting {
                let value = u128::from(high) << 64 | u128::from(low);
                let mut out = Vec::new();
                push_binary(&mut out, &[low, high]);
                assert_eq!(String::from_utf8_lossy(&out), format!("{value:b}"));
            }
            for width in [1usize, 2, 63, 64, 65, 127, 128] {
                let value = u128::from(low.wrapping_mul(5)) << 64 | u128::from(low);
                let value = value & (u128::MAX >> (128 - width));
                let limbs = [value as u64, (value >> 64) as u64];
                let mut out = Vec::new();
                push_fixed(&mut out, &limbs[..width.div_ceil(64)], width as u32);
                assert_eq!(String::from_utf8_lossy(&out), format!("{value:0width$b}"));
            }
            let mut out = Vec::new();
            push_decimal(&mut out, low);
            assert_eq!(String::from_utf8_lossy(&out), low.to_string());
        }
    }
}
