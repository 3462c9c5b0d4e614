//! `quota_victim`: which line of a set makes room for a miss, so that each application comes to the
//! ways that it has been given.
//!
//! Source: TAP, section 3.3, whose UCP (Qureshi and Patt) enforces a partition by replacement: a
//! miss of an application that has fewer lines in the set than its quota takes one of another, a
//! miss of one that has as many takes its own least recently used line.
//!
//! Combinational. The set is described as by [`lru_stack`](crate::llc::lru_stack), by position, MRU
//! first.
//!
//! ASSUMPTION: a quota is a number of owned lines in a set, not a mask of ways, so that a new
//! partition needs no flush: an application above its quota loses lines as others miss.
//! ASSUMPTION: an invalid way is filled first, the lowest in the stack.
//! ASSUMPTION: an application below its quota takes the least recently used line of those that are
//! above theirs, so that none at or below its quota loses a line to another.
//! ASSUMPTION: where quotas do not add up to the ways there may be none above its quota, then an
//! application below its own takes its own least recently used line, and without one that of the
//! set. One that has no line and a quota of 0 takes a line as one below its quota does.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{ByApplication, MAX_APPLICATIONS};
use crate::llc::{id_w, pos_w, ByPosition, MAX_WAYS};
use crate::model::{Model, ParamError, Violation};
use crate::ports::{Parameters, Ports, Registers};
use crate::rules::*;

/// Parameters of [`QuotaVictim`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Parameters)]
pub struct Params {
    /// Ways of the cache, 2 to [`MAX_WAYS`].
    #[range(2..=MAX_WAYS)]
    pub ways: usize,
    /// Applications, 2 to [`MAX_APPLICATIONS`].
    #[range(2..=MAX_APPLICATIONS)]
    pub applications: usize,
}

/// Input ports.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Ports)]
pub struct In {
    /// The application that misses.
    #[port(id_w(p.applications))]
    pub requester: u8,
    /// The way in each position.
    #[port([id_w(p.ways); p.ways])]
    pub stack_way: ByPosition,
    /// The application whose line is in each position.
    #[port([id_w(p.applications); p.ways])]
    pub stack_owner: ByPosition,
    /// The positions that hold a valid line.
    #[port([1; p.ways])]
    pub stack_valid: u64,
    /// The ways of each application.
    #[port([pos_w(p.ways); p.applications])]
    pub quota: ByApplication,
}

/// Output ports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, Ports)]
pub struct Out {
    /// The position of the line to replace.
    #[port(id_w(p.ways))]
    pub victim_position: u8,
    /// Its way.
    #[port(id_w(p.ways))]
    pub victim_way: u8,
    /// Its owner.
    #[port(id_w(p.applications))]
    pub victim_owner: u8,
    /// It is valid, so that replacing it is an eviction.
    pub victim_valid: bool,
}

/// No registers.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Registers)]
pub struct State {}

/// Why a line is the victim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// It is invalid.
    Invalid,
    /// The requester is below its quota, or without a line; the owner is above its quota.
    Above,
    /// It is the requester's own, which has as many lines as its quota or more.
    Own,
    /// The requester is below its quota, but none is above its own: its own line.
    OwnBelow,
    /// The same, and the requester has none: any line.
    Any,
}

/// How many of the valid lines each application has.
pub fn held(owners: &[u8], valid: u64, applications: usize) -> ByApplication {
    let mut lines = [0; MAX_APPLICATIONS];
    for (position, &owner) in owners.iter().enumerate() {
        if valid >> position & 1 == 1 {
            lines[usize::from(owner)] += 1;
        }
    }
    ByApplication::copied(&lines[..applications])
}

/// The position of the victim, and why it is that one.
pub fn victim(params: &Params, input: &In) -> (usize, Reason) {
    let In {
        stack_owner,
        stack_valid,
        ..
    } = input;
    let requester = usize::from(input.requester);
    let valid = |position: usize| stack_valid >> position & 1 == 1;
    let owner = |position: usize| usize::from(stack_owner[position]);
    // From LRU to MRU.
    let lowest = |of: &dyn Fn(usize) -> bool| (0..params.ways).rev().find(|&p| of(p));

    if let Some(position) = lowest(&|p| !valid(p)) {
        return (position, Reason::Invalid);
    }
    let lines = held(stack_owner, *stack_valid, params.applications);
    let own = lowest(&|p| owner(p) == requester);
    let of_others = lowest(&|p| lines[owner(p)] > input.quota[owner(p)]);
    let below = lines[requester] < input.quota[requester];
    match (own, of_others) {
        (Some(own), _) if !below => (own, Reason::Own),
        (_, Some(position)) => (position, Reason::Above),
        (Some(own), None) => (own, Reason::OwnBelow),
        (None, None) => (params.ways - 1, Reason::Any),
    }
}

/// The model.
#[derive(Debug, Clone)]
pub struct QuotaVictim {
    params: Params,
    state: State,
    rules: Arc<Rules<In, State>>,
}

impl Model for QuotaVictim {
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
        let (position, reason) = victim(&self.params, input);
        Out {
            victim_position: position as u8,
            victim_way: input.stack_way[position],
            victim_owner: input.stack_owner[position],
            victim_valid: reason != Reason::Invalid,
        }
    }

    fn state(&self) -> &State {
        &self.state
    }

    fn rules(p: &Params) -> Rules<In, State> {
        let Params { ways, applications } = *p;
        Rules::new()
            .legal(
                "known_requester",
                "The requester is an application that there is.",
                input!(requester).below(applications),
            )
            .legal(
                "known_lines",
                "The stack holds ways and applications that there are.",
                each(0..ways, |i| {
                    let way = input!(stack_way[i]).below(ways);
                    way.and(input!(stack_owner[i]).below(applications))
                }),
            )
    }

    fn assume(&self, input: &In) -> Result<(), Violation> {
        self.rules.check(&self.params, input, &self.state)
    }
}

#[cfg(test)]
mod tests {
    //! Rationale: each reason by hand, and the least recently used of several; what the rule is for,
    //! that none at or below its quota loses a line to another, for random sets; and that a set
    //! comes to the quotas, whatever it began with.
    use super::*;
    use proptest::prelude::*;

    fn params(ways: usize, applications: usize) -> Params {
        Params { ways, applications }
    }

    /// A set whose ways are in the order of their numbers, the first MRU.
    fn set(requester: u8, owners: &[u8], valid: u64, quota: &[u64]) -> In {
        In {
            requester,
            stack_way: ByPosition::from_fn(owners.len(), |i| i as u8),
            stack_owner: ByPosition::copied(owners),
            stack_valid: valid,
            quota: ByApplication::copied(quota),
        }
    }

    fn of(requester: u8, owners: [u8; 4], valid: u64, quota: [u64; 3]) -> (usize, Reason) {
        victim(&params(4, 3), &set(requester, &owners, valid, &quota))
    }

    #[test]
    fn an_invalid_way_comes_first() {
        assert_eq!(of(0, [0, 0, 0, 0], 0b0011, [2, 1, 1]), (3, Reason::Invalid));
        assert_eq!(of(0, [0, 0, 0, 1], 0b1101, [1, 2, 1]), (1, Reason::Invalid));
    }

    #[test]
    fn one_below_its_quota_takes_the_oldest_of_those_above() {
        assert_eq!(of(0, [0, 1, 1, 2], 15, [2, 1, 1]), (2, Reason::Above));
        assert_eq!(of(0, [1, 2, 1, 2], 15, [2, 1, 1]), (3, Reason::Above));
        assert_eq!(of(2, [1, 1, 1, 1], 15, [2, 1, 1]), (3, Reason::Above));
    }

    #[test]
    fn one_at_or_above_its_quota_takes_its_own() {
        assert_eq!(of(1, [1, 0, 0, 2], 15, [2, 1, 1]), (0, Reason::Own));
        assert_eq!(of(1, [1, 1, 0, 2], 15, [2, 1, 1]), (1, Reason::Own));
        assert_eq!(of(1, [1, 0, 0, 0], 15, [2, 1, 1]), (0, Reason::Own));
    }

    #[test]
    fn quotas_that_do_not_add_up() {
        assert_eq!(of(1, [1, 0, 0, 2], 15, [4, 4, 4]), (0, Reason::OwnBelow));
        assert_eq!(of(1, [0, 0, 2, 0], 15, [4, 4, 4]), (3, Reason::Any));
        assert_eq!(of(1, [0, 0, 2, 2], 15, [2, 0, 1]), (3, Reason::Above));
        assert_eq!(of(1, [2, 0, 0, 2], 15, [2, 0, 2]), (3, Reason::Any));
    }

    #[test]
    fn the_victim_is_told_by_position_way_and_owner() {
        let mut unit = QuotaVictim::new(params(4, 3)).unwrap();
        let mut input = set(0, &[0, 1, 1, 2], 15, &[2, 1, 1]);
        input.stack_way = ByPosition::copied(&[3, 2, 0, 1]);
        let out = unit.step(&input);
        let Out {
            victim_position,
            victim_way,
            victim_owner,
            victim_valid,
        } = out;
        assert_eq!((victim_position, victim_way, victim_owner), (2, 0, 1));
        assert!(victim_valid);
        input.stack_valid = 0b1101;
        let out = unit.step(&input);
        assert_eq!((out.victim_way, out.victim_valid), (2, false));
    }

    /// Quotas that add up to the ways, at least one each.
    fn quotas(ways: usize, draws: &[usize]) -> Vec<u64> {
        let mut quotas = vec![1; draws.len()];
        for way in draws.len()..ways {
            quotas[draws[way % draws.len()].wrapping_mul(way + 7) % draws.len()] += 1;
        }
        quotas
    }

    proptest! {
        #[test]
        fn none_at_or_below_its_quota_loses_a_line_to_another(
            ways in prop::sample::select(vec![4usize, 7, 16, 32]),
            draws in prop::collection::vec(0usize..1000, 2..=4),
            owners in prop::collection::vec(0usize..4, 32),
            requester in 0usize..4,
        ) {
            let applications = draws.len();
            let owners: Vec<u8> = owners[..ways].iter().map(|&o| (o % applications) as u8).collect();
            let requester = requester % applications;
            let quotas = quotas(ways, &draws);
            let all = u64::MAX >> (64 - ways);
            let input = set(requester as u8, &owners, all, &quotas);
            let (position, reason) = victim(&params(ways, applications), &input);
            prop_assert!(matches!(reason, Reason::Above | Reason::Own), "quotas add up");
            let loser = usize::from(owners[position]);
            if loser != requester {
                let lines = held(&owners, all, applications);
                prop_assert!(lines[loser] > quotas[loser]);
                prop_assert!(lines[requester] < quotas[requester]);
            }
        }

        #[test]
        fn a_set_comes_to_the_quotas(
            draws in prop::collection::vec(0usize..1000, 2..=4),
            mut owners in prop::collection::vec(0u8..4, 16),
            misses in prop::collection::vec(0u8..4, 200),
        ) {
            let applications = draws.len();
            let of = |kid: u8| kid % applications as u8;
            owners.iter_mut().for_each(|owner| *owner = of(*owner));
            let quotas = quotas(16, &draws);
            for miss in misses.into_iter().chain((0..applications as u8).cycle().take(64)) {
                let input = set(of(miss), &owners, 0xffff, &quotas);
                let (position, _) = victim(&params(16, applications), &input);
                owners[..=position].rotate_right(1);
                owners[0] = of(miss);
            }
            prop_assert_eq!(held(&owners, 0xffff, applications).to_vec(), quotas);
        }
    }

    #[test]
    fn illegal_parameters_and_inputs_are_named() {
        for (ways, applications) in [(1, 2), (65, 2), (4, 1), (4, 17)] {
            assert!(QuotaVictim::new(params(ways, applications)).is_err());
        }
        let unit = QuotaVictim::new(params(4, 3)).unwrap();
        let at_fault = |input: In| unit.assume(&input).unwrap_err().field().to_string();
        assert_eq!(at_fault(set(3, &[0; 4], 0, &[1; 3])), "requester");
        assert_eq!(
            at_fault(set(0, &[0, 3, 0, 0], 0, &[1; 3])),
            "stack_owner[1]"
        );
        assert!(unit.assume(&set(2, &[0; 4], 0, &[1; 3])).is_ok());
    }
}
