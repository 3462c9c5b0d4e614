//! Linear algebra over GF(2).
//!
//! A `u64` is a row: bit *i* is the coefficient of address bit *i*. As a *function* a row maps an
//! address to the XOR of the address bits that it has (Fractional GPUs, figure 6: `X(addr, ..)`);
//! as a *vector* it is a difference of two addresses. Addition is XOR in both. The paper tries
//! every function against all pairs (algorithm 1, line 17); the functions that are zero on a set
//! of differences are the [`kernel`] of these differences, which needs no trial.
//!
//! ```
//! use cotenant_golden::addr::gf2;
//!
//! // Two functions of four address bits, and the differences that change neither.
//! let functions = [0b0011, 0b0110];
//! assert_eq!(gf2::kernel(&functions, 0b1111), [0b0111, 0b1000]);
//! // The same functions after a change of basis.
//! assert!(gf2::same_span(&functions, &[0b0101, 0b0110]));
//! ```

/// The XOR of the bits of `address` that `function` has: 0 or 1.
#[inline]
pub fn parity(function: u64, address: u64) -> u64 {
    u64::from((function & address).count_ones() & 1)
}

/// The values of up to 64 functions, the first function's in bit 0.
#[inline]
pub fn apply(functions: &[u64], address: u64) -> u64 {
    let values = functions.iter().enumerate();
    values.fold(0, |index, (bit, function)| {
        index | parity(*function, address) << bit
    })
}

/// Functions as tables by byte of the address, for many addresses.
#[derive(Debug, Clone)]
pub struct Tables(Vec<[u64; 256]>);

impl Tables {
    /// Tables of up to 64 functions.
    pub fn new(functions: &[u64]) -> Self {
        let bits = functions.iter().fold(0, |bits, function| bits | function);
        let bytes = (64 - bits.leading_zeros()).div_ceil(8);
        let table =
            |byte| std::array::from_fn(|value| apply(functions, (value as u64) << (8 * byte)));
        Self((0..bytes).map(table).collect())
    }

    /// What [`apply`] says.
    #[inline]
    pub fn apply(&self, address: u64) -> u64 {
        let bytes = self.0.iter().zip(address.to_le_bytes());
        bytes.fold(0, |index, (table, byte)| index ^ table[usize::from(byte)])
    }
}

/// A subspace, built a vector at a time.
///
/// ```
/// use cotenant_golden::addr::gf2::Span;
///
/// let mut span = Span::default();
/// assert!(span.insert(0b110) && span.insert(0b011));
/// assert!(!span.insert(0b101), "the sum of the others");
/// assert_eq!(span.rank(), 2);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Span {
    /// Highest leading bit first; no vector has the leading bit of another one.
    rows: Vec<u64>,
}

impl Span {
    /// What remains of a vector when the leading bits of the basis are removed from it.
    fn rest(&self, vector: u64) -> u64 {
        self.rows.iter().fold(vector, |rest, row| {
            let leading = 1 << row.ilog2();
            rest ^ if rest & leading == 0 { 0 } else { *row }
        })
    }

    /// Adds a vector; whether it was not in the span before.
    pub fn insert(&mut self, vector: u64) -> bool {
        let rest = self.rest(vector);
        if rest == 0 {
            return false;
        }
        let leading = 1 << rest.ilog2();
        for row in &mut self.rows {
            *row ^= if *row & leading == 0 { 0 } else { rest };
        }
        let place = self.rows.partition_point(|row| *row > rest);
        self.rows.insert(place, rest);
        true
    }

    /// Whether a vector is in the span.
    pub fn contains(&self, vector: u64) -> bool {
        self.rest(vector) == 0
    }

    /// The dimension.
    pub fn rank(&self) -> usize {
        self.rows.len()
    }

    /// The basis in reduced echelon form, which equal spans share: highest leading bit first, and
    /// a leading bit occurs in one vector.
    pub fn rows(&self) -> &[u64] {
        &self.rows
    }
}

impl FromIterator<u64> for Span {
    fn from_iter<I: IntoIterator<Item = u64>>(vectors: I) -> Self {
        let mut span = Self::default();
        for vector in vectors {
            span.insert(vector);
        }
        span
    }
}

/// The span of rows.
pub fn span(rows: &[u64]) -> Span {
    rows.iter().copied().collect()
}

/// How many rows are linearly independent.
pub fn rank(rows: &[u64]) -> usize {
    span(rows).rank()
}

/// The reduced echelon form, as [`Span::rows`] has it.
pub fn reduced(rows: &[u64]) -> Vec<u64> {
    span(rows).rows
}

/// Whether two sets of rows are one up to a change of basis.
pub fn same_span(a: &[u64], b: &[u64]) -> bool {
    span(a) == span(b)
}

/// A basis of all vectors within `mask` on which every row is zero. In ascending order of the one
/// free bit that each of them has.
///
/// Rows and vectors change places without change: the kernel of differences are the functions.
pub fn kernel(rows: &[u64], mask: u64) -> Vec<u64> {
    let rows: Span = rows.iter().map(|row| row & mask).collect();
    let leading = |row: &u64| 1u64 << row.ilog2();
    let pivots = rows.rows.iter().fold(0, |bits, row| bits | leading(row));
    let free = (0..64).map(|bit| 1u64 << bit);
    let free = free.filter(|bit| mask & !pivots & bit != 0);
    // A free bit chosen, each row's leading bit makes the row zero.
    free.map(|bit| {
        let with = rows.rows.iter().filter(|row| *row & bit != 0);
        with.fold(bit, |vector, row| vector | leading(row))
    })
    .collect()
}

/// A basis of what two spans have in common, in reduced echelon form.
pub fn intersection(a: &[u64], b: &[u64]) -> Vec<u64> {
    // What is in both is zero on the kernel of either.
    let mut both = kernel(a, u64::MAX);
    both.extend(kernel(b, u64::MAX));
    reduced(&kernel(&both, u64::MAX))
}

/// A vector that is not zero and on which every row is: two addresses that differ by it have the
/// same values of all functions. The lowest of a basis, if there is any within `mask`.
pub fn collision(rows: &[u64], mask: u64) -> Option<u64> {
    kernel(rows, mask).into_iter().min()
}

/// Rows that add up to zero, as a mask over their places: the first row that is a sum of rows
/// before it, and these. Up to 64 rows.
pub fn dependency(rows: &[u64]) -> Option<u64> {
    // Each row with the rows that it is the sum of.
    let mut basis: Vec<(u64, u64)> = vec![];
    for (place, row) in rows.iter().take(64).enumerate() {
        let (mut rest, mut from) = (*row, 1 << place);
        for (other, parts) in &basis {
            if rest >> other.ilog2() & 1 == 1 {
                rest ^= other;
                from ^= parts;
            }
        }
        if rest == 0 {
            return Some(from);
        }
        basis.push((rest, from));
    }
    None
}

/// The inverse of a square matrix, if it has one: rows by which the values of `rows` (the first
/// function's in bit 0) become the address again.
pub fn inverse(rows: &[u64]) -> Option<Vec<u64>> {
    let size = rows.len();
    let outside = u64::MAX.checked_shl(size as u32).unwrap_or(0);
    if size > 64 || rows.iter().any(|row| row & outside != 0) {
        return None;
    }
    // Gauss and Jordan: what makes the unit matrix of `left` makes the inverse of a unit matrix.
    let mut left = rows.to_vec();
    let mut right: Vec<u64> = (0..size).map(|bit| 1 << bit).collect();
    for column in 0..size {
        let pivot = (column..size).find(|row| left[*row] >> column & 1 == 1)?;
        left.swap(column, pivot);
        right.swap(column, pivot);
        for row in 0..size {
            if row != column && left[row] >> column & 1 == 1 {
                left[row] ^= left[column];
                right[row] ^= right[column];
            }
        }
    }
    Some(right)
}

#[cfg(test)]
mod tests;
