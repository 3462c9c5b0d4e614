//! `product`: multiplies two numbers.
//!
//! Source: TAP, appendix A: marginal utilities are quotients; `ucp` compares them by products.
//!
//! Timing: combinational; a sum of the first factor once for each bit of the second.

use crate::unit;
use cotenant_netlist::hdl::*;

#[unit(source = "TAP, appendix A, get_mu_value")]
mod product {
    /// Product of a number of `A_W` bits and one of `B_W` bits.
    pub struct Product<
        #[range(1..)] const A_W: usize,
        #[range(1..)] const B_W: usize,
        const PRODUCT_W: usize = { A_W + B_W },
    > {
        /// First factor.
        pub a: In<Bits<A_W>>,
        /// Second factor.
        pub b: In<Bits<B_W>>,
        /// Their product.
        pub product: Out<Bits<PRODUCT_W>>,
    }

    fn update(&mut self) {
        let mut sum: Bits<PRODUCT_W> = 0;
        for i in 0..B_W {
            let mut part: Bits<PRODUCT_W> = 0;
            if self.b[B_W - 1 - i] {
                part = self.a.cast::<PRODUCT_W>();
            }
            sum = (sum << 1) + part;
        }
        self.product.next = sum;
    }
}
