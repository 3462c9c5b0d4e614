//! `xor_hash`: an index of a cache or memory as XOR of address bits.
//!
//! Source: Fractional GPUs, sections IV-B to IV-D and figure 6. An index bit is the XOR of a list of
//! physical address bits, an index their concatenation, bit 0 first. A list is given as a mask: bit b
//! says that address bit b is in it. A file with the lists of a GPU is read by `--config mapping=FILE`; those of
//! GTX 1080 come with the units.
//!
//! The function is linear over GF(2): the index of the XOR of two addresses is the XOR of their
//! indices. So sets that conflict can be found by differences of addresses alone.
//!
//! Timing: combinational, one XOR tree per index bit.
//!
//! ASSUMPTION: lists may be equal, and may be empty, in which case the bit is 0. Whether an index has
//! every value is asked where a mapping is read.

use super::shipped::{padded, Shipped};
use super::{list_limit, spread, MAX_INDEX_W};
use crate::table::line::{usually, Line, Sets};
use crate::unit;
use cotenant_netlist::hdl::*;

#[unit(source = "Fractional GPUs, section IV-C and figure 6")]
mod xor_hash {
    /// An index of `INDEX_W` bits of an address of `ADDRESS_W`.
    pub struct XorHash<
        /// Bits of an address.
        #[range(1..=64)] const ADDRESS_W: usize,
        /// Bits of the index.
        #[range(1..=MAX_INDEX_W)] const INDEX_W: usize,
        /// The address bits of which an index bit is the XOR, as a mask; 0 beyond INDEX_W.
        #[range(0..=list_limit(ADDRESS_W, AT < INDEX_W))] const MASK: [usize; 16] = { 0 },
    > {
        /// The physical address of a byte.
        pub address: In<Bits<ADDRESS_W>>,
        /// The index.
        pub index: Out<Bits<INDEX_W>>,
        /// The bits of which each index bit is the XOR.
        #[value(|i| MASK[i])]
        list: [Constant<Bits<ADDRESS_W>>; INDEX_W],
    }

    fn update(&mut self) {
        comment!("Each index bit is the XOR of the address bits of its list.");
        for i in 0..INDEX_W {
            let listed: Bits<ADDRESS_W> = self.address & self.list[i];
            self.index[i].next = listed.xor();
        }
    }
}

/// Parameter sets.
pub(crate) static LINE: Line = Line::new(
    &<XorHash!(@any)>::DEFINITION,
    &[
        ("table-1", "gtx1080-set"),
        ("small", "4-to-2"),
        ("large", "64x16"),
    ],
    Sets::Named(|| {
        let gtx1080 = Shipped::named("gtx1080");
        let every_other: Vec<usize> = (0..10).map(|bit| 1 << (2 * bit)).collect();
        let sets = [
            ("gtx1080-set", gtx1080.hash("set")),
            ("gtx1080-bank", gtx1080.hash("bank")),
            ("gtx1080-module", gtx1080.hash("module")),
            ("64x16", hash(64, &spread(64, 16))),
            ("bits", hash(20, &every_other)),
            ("4-to-2", hash(4, &[0b0110, 0b1011])),
            ("one", hash(1, &[1])),
        ];
        sets.map(|(name, values)| (name.to_owned(), values))
            .to_vec()
    }),
)
.usual(&[usually("MASK_*", 0)]);

/// The parameters of a hash by its masks.
fn hash(address_w: usize, masks: &[usize]) -> Vec<usize> {
    let sizes = [address_w, masks.len()];
    sizes.into_iter().chain(padded(masks)).collect()
}
