//! `demotion`: which LRU stack positions of a set an access demotes.
//!
//! Source: GDC paper, section III: a hit in position k demotes the lines from the MRU position
//! to k - 1 by one position each; a miss demotes all of them, the LRU line out of the cache.
//! Combinational.
//!
//! ASSUMPTION: a position without a valid line has nothing to demote (the paper never mentions
//! invalid ways). A miss is coded as position `ways`.

use std::sync::Arc;

use bitvec::prelude::*;
use serde::{Deserialize, Serialize};

use super::{pos_w, MAX_WAYS};
use crate::model::{Model, ParamError, Violation};
use crate::ports::{Parameters, Ports, Registers};
use crate::rules::*;

/// Parameters of [`Demotion`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Parameters)]
pub struct Params {
    /// Ways of the set, 1 to [`MAX_WAYS`].
    #[range(1..=MAX_WAYS)]
    pub ways: usize,
}

/// Input ports.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Ports)]
pub struct In {
    /// There is an access this cycle.
    pub access_valid: bool,
    /// The position hit, or `ways` for a miss.
    #[port(pos_w(p.ways))]
    pub access_pos: u8,
    /// The positions that hold a valid line, before the access.
    #[port([1; p.ways])]
    pub stack_valid: u64,
}

/// Output ports.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Ports)]
pub struct Out {
    /// The positions whose line is demoted.
    #[port([1; p.ways])]
    pub demoted: u64,
}

/// No registers.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Registers)]
pub struct State {}

/// The model.
#[derive(Debug, Clone)]
pub struct Demotion {
    params: Params,
    state: State,
    rules: Arc<Rules<In, State>>,
}

impl Model for Demotion {
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
        let mut demoted = BitArray::<[u64; 1], Lsb0>::ZERO;
        if input.access_valid {
            let pushed = usize::from(input.access_pos).min(self.params.ways);
            let valid = input.stack_valid.view_bits::<Lsb0>();
            demoted[..pushed].copy_from_bitslice(&valid[..pushed]);
        }
        Out {
            demoted: demoted.into_inner()[0],
        }
    }

    fn state(&self) -> &State {
        &self.state
    }

    fn rules(p: &Params) -> Rules<In, State> {
        Rules::new().legal(
            "known_position",
            "The position is one of the stack's, or the code for a miss.",
            input!(access_pos).at_most(p.ways),
        )
    }

    fn assume(&self, input: &In) -> Result<(), Violation> {
        self.rules.check(&self.params, input, &self.state)
    }
}

#[cfg(test)]
mod tests {
    //! Rationale: the set of demoted positions depends on k alone (first, inner, last, miss) and
    //! on which lines are valid; 1, 4 and 64 ways are the ends of the mask.
    use super::*;

    fn demoted(ways: usize, access_pos: u8, stack_valid: u64) -> u64 {
        let input = In {
            access_valid: true,
            access_pos,
            stack_valid,
        };
        Demotion::new(Params { ways }).unwrap().step(&input).demoted
    }

    #[test]
    fn by_hand_for_four_ways() {
        assert_eq!(demoted(4, 0, 0b1111), 0b0000, "MRU hit");
        assert_eq!(demoted(4, 1, 0b1111), 0b0001);
        assert_eq!(demoted(4, 3, 0b1111), 0b0111, "LRU hit");
        assert_eq!(demoted(4, 4, 0b1111), 0b1111, "miss");
        assert_eq!(demoted(4, 4, 0b0011), 0b0011, "miss in a half-filled set");
        assert_eq!(demoted(4, 4, 0b0000), 0b0000, "miss in an empty set");
    }

    #[test]
    fn ends_of_the_mask() {
        assert_eq!(demoted(64, 64, u64::MAX), u64::MAX);
        assert_eq!(demoted(64, 63, u64::MAX), u64::MAX >> 1);
        assert_eq!(demoted(1, 1, 1), 1);
        assert_eq!(demoted(1, 0, 1), 0);
    }

    #[test]
    fn no_access_no_demotion() {
        let input = In {
            access_valid: false,
            access_pos: 4,
            stack_valid: 0b1111,
        };
        assert_eq!(
            Demotion::new(Params { ways: 4 })
                .unwrap()
                .step(&input)
                .demoted,
            0
        );
    }

    #[test]
    fn a_position_above_the_miss_code_is_refused() {
        let demotion = Demotion::new(Params { ways: 4 }).unwrap();
        let mut input = In {
            access_valid: true,
            access_pos: 4,
            stack_valid: 0b1111,
        };
        assert!(demotion.assume(&input).is_ok());
        input.access_pos = 5;
        assert_eq!(
            demotion.assume(&input),
            Err(Violation::TooLarge {
                field: "access_pos".into(),
                value: 5,
                max: 4
            })
        );
    }
}
