//! `xor_hash`: an index of a cache or memory as XOR of address bits.
//!
//! Source: Fractional GPUs, sections IV-B to IV-D and figure 6. An index bit is the XOR of a list of
//! physical address bits; an index is their concatenation, bit 0 first. Lists are those of a
//! [`Mapping`](super::mapping::Mapping), as masks.
//!
//! Combinational.
//!
//! ASSUMPTION: a list may be empty, then the bit is 0.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::model::{Model, ParamError, Violation};
use crate::ports::{Parameters, Ports, Registers};
use crate::rules::Rules;

/// Maximum number of bits of an index.
pub const MAX_INDEX_W: usize = 16;

/// Parameters of [`XorHash`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Parameters)]
pub struct Params {
    /// Bits of an address, 1 to 64.
    #[range(1..=64)]
    pub address_w: usize,
    /// Bits of the index, 1 to [`MAX_INDEX_W`].
    #[range(1..=MAX_INDEX_W)]
    pub index_w: usize,
    /// For each index bit the address bits of which it is the XOR, as a mask; 0 beyond `index_w`.
    #[range(0..=list_limit(p.address_w, at < p.index_w))]
    pub mask: [u64; 16],
}

/// The largest mask over the bits of an address; 0 of an index bit that there is not.
pub(super) fn list_limit(address_w: usize, there: bool) -> u64 {
    match there {
        true => u64::MAX >> (64 - address_w.clamp(1, 64)),
        false => 0,
    }
}

/// The bits of a mask, lowest first.
pub fn bits_of(mask: u64) -> impl Iterator<Item = u32> {
    (0..64).filter(move |bit| mask >> bit & 1 == 1)
}

/// The index of an address: each bit is 1 if an odd number of the address bits in its list are.
pub fn index(lists: &[u64], address: u64) -> u64 {
    let odd = |list: u64| bits_of(list).filter(|bit| address >> bit & 1 == 1).count() % 2;
    let bits = lists.iter().enumerate();
    bits.map(|(bit, &list)| (odd(list) as u64) << bit).sum()
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
    /// The index.
    #[port(p.index_w)]
    pub index: u16,
}

/// No registers.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Registers)]
pub struct State {}

/// The model.
#[derive(Debug, Clone)]
pub struct XorHash {
    params: Params,
    state: State,
    rules: Arc<Rules<In, State>>,
}

impl Model for XorHash {
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
        let lists = &self.params.mask[..self.params.index_w];
        Out {
            index: index(lists, input.address) as u16,
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
    //! Rationale: figure 6 by hand for single bits; the mapping's own functions for any address, which
    //! are computed in another way (linear algebra); parameters that do not fit are refused by name.
    use super::*;
    use crate::addr::mapping::{Field, Mapping};
    use proptest::prelude::*;

    fn gtx1080(field: Field) -> XorHash {
        let mapping = Mapping::named("gtx1080").unwrap();
        XorHash::new(Params::of(&mapping, field).unwrap()).unwrap()
    }

    #[test]
    fn address_bits_are_where_figure_6_has_them() {
        let mut set = gtx1080(Field::Set);
        let mut index = |bit: u32| set.step(&In { address: 1 << bit }).index;
        // Bit 7 is in the list of set bit 3 alone, bit 10 in those of 0, 4 and 5.
        assert_eq!(index(7), 1 << 3);
        assert_eq!(index(10), 1 << 0 | 1 << 4 | 1 << 5);
        assert_eq!(index(6), 0, "a byte within the line");
        assert_eq!(set.step(&In { address: 0 }).index, 0);
    }

    #[test]
    fn masks_that_do_not_fit_are_refused() {
        let mut params = Params {
            address_w: 4,
            index_w: 2,
            mask: [0; 16],
        };
        params.mask[1] = 16;
        let refused = XorHash::new(params.clone()).unwrap_err();
        assert_eq!(refused.to_string(), "mask_1 is 16, expected 0 to 15");
        params.mask[1] = 15;
        params.mask[2] = 1;
        let refused = XorHash::new(params).unwrap_err();
        assert_eq!(refused.to_string(), "mask_2 is 1, expected 0 to 0");
        let v100 = Mapping::named("v100").unwrap();
        let refused = Params::of(&v100, Field::Row).unwrap_err();
        assert_eq!(refused.to_string(), "index_w is 0, expected 1 to 16");
    }

    proptest! {
        #[test]
        fn it_is_the_index_of_the_mapping(address in 0..1u64 << 33) {
            let mapping = Mapping::named("gtx1080").unwrap();
            let place = mapping.map(address);
            for (field, index) in [(Field::Set, place.set), (Field::Bank, place.bank)] {
                prop_assert_eq!(u64::from(gtx1080(field).step(&In { address }).index), index);
            }
        }
    }
}
