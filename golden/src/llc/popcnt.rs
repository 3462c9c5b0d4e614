//! `popcnt`: counts the set bits of `data`.
//!
//! Source: GDC paper, section III-A, figure 2 (one popcnt per kernel, one input per way).
//! Combinational.

use std::sync::Arc;

use bitvec::prelude::*;
use serde::{Deserialize, Serialize};

use super::pos_w;
use crate::model::{Model, ParamError, Violation};
use crate::ports::{Parameters, Ports, Registers};
use crate::rules::*;

/// Parameters of [`Popcnt`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Parameters)]
pub struct Params {
    /// Width of `data` in bits, 1 to 64.
    #[range(1..=64)]
    pub width: usize,
}

/// Input ports.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Ports)]
pub struct In {
    /// The bits to count; `width` bits.
    #[port([1; p.width])]
    pub data: u64,
}

/// Output ports.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Ports)]
pub struct Out {
    /// How many bits are set, 0 to `width`; `clog2(width + 1)` bits.
    #[port(pos_w(p.width))]
    pub count: u32,
}

/// No registers.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Registers)]
pub struct State {}

/// The model.
#[derive(Debug, Clone)]
pub struct Popcnt {
    params: Params,
    state: State,
    rules: Arc<Rules<In, State>>,
}

impl Model for Popcnt {
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
        let data = input.data.view_bits::<Lsb0>();
        Out {
            count: data[..self.params.width].count_ones() as u32,
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
    //! Rationale: the count is a plain sum, so no bit may be left out or counted twice, at the
    //! narrowest, an odd and the widest vector.
    use super::*;

    #[test]
    fn every_single_bit_counts_once() {
        for width in [1, 4, 13, 64] {
            let mut popcnt = Popcnt::new(Params { width }).unwrap();
            assert_eq!(popcnt.step(&In { data: 0 }).count, 0);
            for bit in 0..width {
                assert_eq!(popcnt.step(&In { data: 1 << bit }).count, 1);
            }
            let all = crate::model::limit(width);
            assert_eq!(popcnt.step(&In { data: all }).count as usize, width);
        }
    }

    #[test]
    fn illegal_widths_and_data_are_named() {
        for width in [0, 65] {
            assert!(matches!(
                Popcnt::new(Params { width }),
                Err(ParamError::OutOfRange { name: "width", .. })
            ));
        }
        let popcnt = Popcnt::new(Params { width: 4 }).unwrap();
        assert!(popcnt.assume(&In { data: 15 }).is_ok());
        assert_eq!(
            popcnt.assume(&In { data: 16 }),
            Err(Violation::UnusedBits {
                field: "data".into(),
                value: 16,
                width: 4
            })
        );
    }
}
