//! `address_map`: the place of a physical address in a cache and in memory.
//!
//! Source: Fractional GPUs, sections IV-B to IV-E and figure 6: set, bank, module and colour are XOR
//! functions of the address, as those of a [`Mapping`](super::mapping::Mapping); line, sector and
//! offset are parts of it, the tag is some of its bits.
//!
//! Combinational.
//!
//! ASSUMPTION: the tag is address bits as they are, the lowest first. A mapping whose tag is made of
//! sums of bits is refused.
//! ASSUMPTION: an index that there is not, as the colour with large pages, is one bit, 0.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::xor_hash::{bits_of, index, list_limit, MAX_INDEX_W};
use crate::model::{Model, ParamError, Violation};
use crate::ports::{Parameters, Ports, Registers};
use crate::rules::Rules;

/// Parameters of [`AddressMap`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Parameters)]
pub struct Params {
    /// Bits of an address, 2 to 64.
    #[range(2..=64)]
    pub address_w: usize,
    /// Bits of a byte's place in its line, of at most 1024 bytes.
    #[range(1..=(p.address_w - 1).min(10))]
    pub offset_w: usize,
    /// Bits of a byte's place in its sector, less than those of the line.
    #[range(0..=p.offset_w - 1)]
    pub sector_w: usize,
    /// Bits of the cache set, over all modules.
    #[range(1..=MAX_INDEX_W)]
    pub set_w: usize,
    /// Bits of the memory bank, over all modules.
    #[range(1..=MAX_INDEX_W)]
    pub bank_w: usize,
    /// Bits of the memory module.
    #[range(1..=MAX_INDEX_W)]
    pub module_w: usize,
    /// Bits of the colour.
    #[range(1..=MAX_INDEX_W)]
    pub colour_w: usize,
    /// The address bits of the tag, as a mask.
    #[range(1..=list_limit(p.address_w, true))]
    pub tag: u64,
    /// The address bits of which a bit of the set is the XOR, as a mask; 0 beyond its width.
    #[range(0..=list_limit(p.address_w, at < p.set_w))]
    pub set: [u64; 16],
    /// The same of the bank.
    #[range(0..=list_limit(p.address_w, at < p.bank_w))]
    pub bank: [u64; 16],
    /// The same of the module.
    #[range(0..=list_limit(p.address_w, at < p.module_w))]
    pub module: [u64; 16],
    /// The same of the colour.
    #[range(0..=list_limit(p.address_w, at < p.colour_w))]
    pub colour: [u64; 16],
}

impl Params {
    /// Bits of a tag.
    pub fn tag_w(&self) -> usize {
        self.tag.count_ones() as usize
    }
}

/// Input ports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, Ports)]
pub struct In {
    /// The physical address of a byte.
    #[port(p.address_w)]
    pub address: u64,
}

/// Output ports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, Ports)]
pub struct Out {
    /// The number of its line in memory.
    #[port(p.address_w - p.offset_w)]
    pub line: u64,
    /// The byte in its line.
    #[port(p.offset_w)]
    pub offset: u16,
    /// The sector in the line.
    #[port(p.offset_w - p.sector_w)]
    pub sector: u16,
    /// The cache set, counted over all modules.
    #[port(p.set_w)]
    pub set_index: u16,
    /// The tag that tells the line from others of its set.
    #[port(p.tag_w())]
    pub tag: u64,
    /// The memory bank, counted over all modules.
    #[port(p.bank_w)]
    pub bank_index: u16,
    /// The memory module.
    #[port(p.module_w)]
    pub module_index: u16,
    /// The colour of the page.
    #[port(p.colour_w)]
    pub colour: u16,
}

/// No registers.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Registers)]
pub struct State {}

/// The model.
#[derive(Debug, Clone)]
pub struct AddressMap {
    params: Params,
    state: State,
    rules: Arc<Rules<In, State>>,
}

impl Model for AddressMap {
    type Params = Params;
    type In = In;
    type Out = Out;
    type State = State;

    fn new(params: Params) -> Result<Self, ParamError> {
        params.check_ranges()?;
        Ok(Self {
            rules: Arc::new(Self::rules(&params)),
            params,
            state: State {},
        })
    }

    fn params(&self) -> &Params {
        &self.params
    }

    fn reset(&mut self) {}

    fn step(&mut self, input: &In) -> Out {
        let In { address } = *input;
        let p = &self.params;
        let offset = address % (1 << p.offset_w);
        let tag = bits_of(p.tag).map(|bit| address >> bit & 1);
        let tag = tag.enumerate().map(|(place, bit)| bit << place).sum();
        Out {
            line: address / (1 << p.offset_w),
            offset: offset as u16,
            sector: (offset / (1 << p.sector_w)) as u16,
            set_index: index(&p.set, address) as u16,
            tag,
            bank_index: index(&p.bank, address) as u16,
            module_index: index(&p.module, address) as u16,
            colour: index(&p.colour, address) as u16,
        }
    }

    fn state(&self) -> &State {
        &self.state
    }

    fn rules(_: &Params) -> Rules<In, State> {
        Rules::new()
    }

    fn assume(&self, input: &In) -> Result<(), Violation> {
        self.rules.check(&self.params, input, &self.state)
    }
}

#[cfg(test)]
mod tests {
    //! Rationale: the mapping says where an address is by linear algebra, the unit by its lists, and both
    //! must agree; set, tag and offset lead back to the address, so no two lines are confused; a mapping
    //! that is no hardware is refused.
    use super::*;
    use crate::addr::mapping::Mapping;
    use proptest::prelude::*;

    #[test]
    fn lines_of_one_sector_are_refused() {
        let mut table = Mapping::named("gtx1080").unwrap().table().clone();
        table.sector = table.line;
        let refused = Params::of(&Mapping::new(table).unwrap());
        let refused = refused.unwrap_err().to_string();
        assert!(refused.contains("at least two sectors"), "{refused}");
    }

    #[test]
    fn a_tag_of_sums_is_refused() {
        let mut table = Mapping::named("gtx1080").unwrap().table().clone();
        if let Some(tag) = &mut table.tag {
            tag[0] = vec![17, 18];
        }
        let refused = Params::of(&Mapping::new(table).unwrap())
            .unwrap_err()
            .to_string();
        assert!(
            refused.starts_with("gtx1080: functions.tag has sums"),
            "{refused}"
        );
    }

    proptest! {
        #[test]
        fn it_is_the_place_by_the_mapping(name in prop::sample::select(vec!["gtx1080", "v100"]), bits: u64) {
            let mapping = Mapping::named(name).unwrap();
            let params = Params::of(&mapping).unwrap();
            let address = bits >> (64 - params.address_w);
            let place = mapping.map(address);
            let out = AddressMap::new(params).unwrap().step(&In { address });
            let ours = [out.set_index, out.bank_index, out.module_index, out.colour, out.offset];
            let its = [place.set, place.bank, place.module, place.colour, place.offset];
            prop_assert_eq!(ours.map(u64::from), its);
            prop_assert_eq!(out.tag, place.tag);
            let back = mapping.line_address(out.set_index.into(), out.tag, out.offset.into());
            prop_assert_eq!(back, Some(address));
            prop_assert_eq!(out.line * mapping.table().line + u64::from(out.offset), address);
        }
    }
}
