//! `lru_matrix`: finds the LRU way from one bit per pair of ways.
//!
//! Source: GDC, section III: the replacement bits of a set order its lines. Here one bit per pair
//! of ways says which of the two was used last (a matrix LRU), so that the way at LRU is the one
//! after which all others were used, without a search by position.
//!
//! Timing: combinational.

use super::{mask, MAX_WAYS};
use crate::unit;
use cotenant_netlist::hdl::*;

#[unit(source = "GDC, section III")]
mod lru_matrix {
    /// Order of `WAYS` ways.
    pub struct LruMatrix<#[range(2..=MAX_WAYS)] const WAYS: usize> {
        /// Bit w of row v, w below v: way w was used after way v. Bits from v up are 0.
        pub order: In<[Bits<WAYS>; WAYS]>,
        /// Ways that are left out: they count as used after all others.
        pub without: In<Bits<WAYS>>,
        /// Bit w of row v: way w was used after way v, for all pairs.
        pub newer: Out<[Bits<WAYS>; WAYS]>,
        /// One-hot: the way at LRU of those that are not left out.
        pub last: Out<Bits<WAYS>>,
        row: [Local<Bits<WAYS>>; WAYS],
        /// Bit w of row v, as in `newer`.
        used_after: [Local<Bits<WAYS>>; WAYS],
        /// The ways below v, and those above.
        #[value(|v| mask(v))]
        below: [Constant<Bits<WAYS>>; WAYS],
        #[value(|v| mask(WAYS) & !mask(v + 1))]
        above: [Constant<Bits<WAYS>>; WAYS],
    }

    fn update(&mut self) {
        comment!("The bit of a pair is in the row of its higher way.");
        for v in 0..WAYS {
            self.row[v].next = self.order[v];
        }
        for v in 0..WAYS {
            for w in 0..WAYS {
                self.used_after[v][w].next = self.row[v][w] | (self.above[v][w] & !self.row[w][v]);
            }
            self.newer[v].next = self.used_after[v];
        }

        comment!("A way is at LRU if all others were used after it, or are left out.");
        for v in 0..WAYS {
            let own: Bits<WAYS> = !(self.below[v] | self.above[v]);
            let others: Bits<WAYS> = self.used_after[v] | self.without | own;
            self.last[v].next = others.all() & !self.without[v];
        }
    }
}
