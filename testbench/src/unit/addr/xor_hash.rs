//! `xor_hash`.
//!
//! Stimulus: any addresses; single address bits and pairs of them; runs of lines.
//!
//! Functional coverage: both values of each index bit, and each address bit alone.
//!
//! Example waveform: four address bits, and two index bits that share one of them.

use cotenant_golden::addr::xor_hash::{index, In, Params, XorHash as Model};

use crate::unit::prelude::*;

/// The unit [`xor_hash`](cotenant_golden::addr::xor_hash).
#[derive(Debug, Clone, Copy)]
pub struct XorHash;

impl Interface for XorHash {
    const NAME: &'static str = "xor_hash";
    const SUMMARY: &'static str = "makes an index of address bits by XOR";
    const PLACE: Place = Place::Part;
    type Model = Model;

    from_golden!();
}

driven_by_addresses!(XorHash);

collector! {
    /// Sorts addresses.
    pub struct Collector {
        crosses { bits, alone }
        params: Params,
    }
}

impl Cover for XorHash {
    type Collector = Collector;

    fn collector(params: &Params) -> Collector {
        let lists = params.mask;
        Collector {
            params: params.clone(),
            bits: Cross::named("index bits")
                .numbers("bit", params.index_w)
                .flag("it is 1")
                .without("a bit without a list is 0", move |at| {
                    lists[at[0]] == 0 && at[1] == 1
                }),
            alone: Cross::named("address bits").numbers("it alone is 1", params.address_w),
        }
    }
}

impl Collect<XorHash> for Collector {
    fn sample(&mut self, _: &Model, input: &In) {
        let found = index(&self.params.mask, input.address);
        for bit in 0..self.params.index_w {
            self.bits.hit((bit, found >> bit & 1 == 1));
        }
        if input.address.is_power_of_two() {
            self.alone.hit(input.address.ilog2() as usize);
        }
    }
}

impl Teach for XorHash {
    const SETS: &'static [&'static str] = &["4-to-2"];

    fn scene(_: &Params) -> Scene<Self> {
        // Bit 0 is the XOR of address bits 1 and 2, bit 1 that of 0, 1 and 3.
        let hashed =
            |caption, address, index: u64| Step::new(caption, In { address }).sees("index", index);
        Scene::new("bit 0 is address bits 1 and 2, bit 1 is 0, 1 and 3")
            .rows("address", "address binary")
            .rows("index", "index binary")
            .step(hashed("No address bit is 1: index 0.", 0b0000, 0b00))
            .step(hashed("Bit 1 is in both lists.", 0b0010, 0b11))
            .step(hashed("Bit 2 is in the first list alone.", 0b0100, 0b01))
            .step(hashed(
                "Two bits of one list cancel: the index is that of bits 1 and 2 together, by XOR.",
                0b0110,
                0b10,
            ))
            .step(hashed(
                "An address that differs from the first in bits 0 and 3 has its index: a conflict.",
                0b1001,
                0b00,
            ))
    }
}

impl Facts for XorHash {}
