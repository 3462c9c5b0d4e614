//! `address_map`.
//!
//! Stimulus: as that of [`xor_hash`](super::xor_hash).
//!
//! Functional coverage: both values of each bit of each output, and each address bit alone.
//!
//! Example waveform: a small cache of eight sets in two modules.

use cotenant_golden::addr::address_map::{AddressMap as Model, In, Params};

use crate::unit::prelude::*;

/// The unit [`address_map`](cotenant_golden::addr::address_map).
#[derive(Debug, Clone, Copy)]
pub struct AddressMap;

impl Interface for AddressMap {
    const NAME: &'static str = "address_map";
    const SUMMARY: &'static str = "finds set, tag, bank, module and colour of a physical address";
    const PLACE: Place = Place::Bank;
    type Model = Model;

    from_golden!();
}

driven_by_addresses!(AddressMap);

collector! {
    /// Sorts addresses.
    pub struct Collector {
        crosses { set, bank, module, colour, tag, place, alone }
        params: Params,
    }
}

/// Both values of each bit of an index; of one without a list 0 alone.
fn index(name: &'static str, width: usize, lists: [u64; 16]) -> Cross {
    let bits = Cross::named(name).numbers("bit", width).flag("it is 1");
    bits.without("a bit without a list is 0", move |at| {
        lists[at[0]] == 0 && at[1] == 1
    })
}

impl Cover for AddressMap {
    type Collector = Collector;

    fn collector(params: &Params) -> Collector {
        let bits = |name, width| Cross::named(name).numbers("bit", width).flag("it is 1");
        Collector {
            params: params.clone(),
            set: index("set", params.set_w, params.set),
            bank: index("bank", params.bank_w, params.bank),
            module: index("module", params.module_w, params.module),
            colour: index("colour", params.colour_w, params.colour),
            tag: bits("tag", params.tag_w()),
            place: bits("offset", params.offset_w),
            alone: Cross::named("address bits").numbers("it alone is 1", params.address_w),
        }
    }
}

impl Collect<AddressMap> for Collector {
    fn sample(&mut self, model: &Model, input: &In) {
        let out = model.clone().step(input);
        let Params {
            set_w,
            bank_w,
            module_w,
            colour_w,
            offset_w,
            ..
        } = self.params;
        let fields = [
            (&mut self.set, set_w, u64::from(out.set_index)),
            (&mut self.bank, bank_w, out.bank_index.into()),
            (&mut self.module, module_w, out.module_index.into()),
            (&mut self.colour, colour_w, out.colour.into()),
            (&mut self.tag, self.params.tag_w(), out.tag),
            (&mut self.place, offset_w, out.offset.into()),
        ];
        for (bits, width, value) in fields {
            (0..width).for_each(|bit| bits.hit((bit, value >> bit & 1 == 1)));
        }
        if input.address.is_power_of_two() {
            self.alone.hit(input.address.ilog2() as usize);
        }
    }
}

impl Teach for AddressMap {
    const SETS: &'static [&'static str] = &["8-bit"];

    fn scene(_: &Params) -> Scene<Self> {
        let at = |caption, address, [set, tag, module]: [u64; 3]| {
            Step::new(caption, In { address })
                .sees("set_index", set)
                .sees("tag", tag)
                .sees("module_index", module)
        };
        Scene::new("eight sets in two modules: set bit 0 is address bits 2 and 6, and the module")
            .rows("physical address", "address binary")
            .rows("the line, and the byte in it", "line, offset, sector")
            .rows("in the cache", "set_index, tag")
            .rows("in memory", "module_index, bank_index")
            .step(at("Address 0 is in set 0.", 0, [0, 0, 0]))
            .step(at("The next line is in another module.", 0b100, [1, 0, 1]))
            .step(at("The byte and the sector do not matter.", 0b111, [1, 0, 1]))
            .step(at(
                "Bit 6 is in the tag and in the hash: a line 64 bytes further is in set 1 as well, \
                 with another tag.",
                0b100_0000,
                [1, 0b010, 1],
            ))
            .step(at(
                "Both bits together: set 0 again, where the tag tells the line from address 0.",
                0b100_0100,
                [0, 0b010, 0],
            ))
    }
}

impl Facts for AddressMap {}
