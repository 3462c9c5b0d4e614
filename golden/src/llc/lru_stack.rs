//! `lru_stack`: the replacement bits of one set.
//!
//! Source: GDC paper, sections II-A (owner bits) and III-A: "replacement bits are kept together
//! per set, in the form of a sorted list of way identifiers from the MRU to the LRU way [...]
//! Along with the way identifiers, the owner bits (kernel IDs) are stored."
//!
//! Timing: an access at cycle t is seen in the stack at t + 1; `hit_pos` answers in the same
//! cycle, from the stack before the access. Of several requests in one cycle the first of flush,
//! invalidate and access is served.
//!
//! ASSUMPTION: the paper never mentions invalid ways. Here each position has a valid bit, and an
//! invalidated way moves to the LRU position: invalid ways are always at the bottom, the victim
//! is always the way in the LRU position. An invalidation keeps the owner bits.
//! ASSUMPTION: flushing returns to the reset state, all ways invalid, in order, owned by KID 0.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{id_w, pos_w, ByPosition, MAX_KERNELS, MAX_WAYS};
use crate::model::{Model, ParamError, Violation};
use crate::ports::{Parameters, Ports, Registers};
use crate::rules::*;

/// Parameters of [`LruStack`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Parameters)]
pub struct Params {
    /// Ways of the set, 1 to [`MAX_WAYS`].
    #[range(1..=MAX_WAYS)]
    pub ways: usize,
    /// Number of kernels, 1 to [`MAX_KERNELS`].
    #[range(1..=MAX_KERNELS)]
    pub kernels: usize,
}

/// Input ports.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Ports)]
pub struct In {
    /// Synchronous reset.
    pub reset: bool,
    /// There is an access this cycle.
    pub access_valid: bool,
    /// The access hits.
    pub access_hit: bool,
    /// The way that it hits; not looked at on a miss.
    #[port(id_w(p.ways))]
    pub access_way: u8,
    /// The accessing kernel.
    #[port(id_w(p.kernels))]
    pub access_kid: u8,
    /// Invalidate one way.
    pub invalidate_valid: bool,
    /// The way to invalidate.
    #[port(id_w(p.ways))]
    pub invalidate_way: u8,
    /// Invalidate all ways.
    pub flush: bool,
}

/// Output ports.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Ports)]
pub struct Out {
    /// Combinational: the position of `access_way` if `access_hit`, else `ways`.
    #[port(pos_w(p.ways))]
    pub hit_pos: u8,
    /// The way in each position.
    #[port([id_w(p.ways); p.ways])]
    pub stack_way: ByPosition,
    /// The owner of the line in each position.
    #[port([id_w(p.kernels); p.ways])]
    pub stack_owner: ByPosition,
    /// The positions that hold a valid line.
    #[port([1; p.ways])]
    pub stack_valid: u64,
    /// The way in the LRU position, which a miss replaces.
    #[port(id_w(p.ways))]
    pub victim_way: u8,
    /// Its owner.
    #[port(id_w(p.kernels))]
    pub victim_owner: u8,
    /// It holds a valid line, so that replacing it is an eviction.
    pub victim_valid: bool,
}

/// Registers, by position. Reset: position i holds way i, owner 0, invalid.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Registers)]
pub struct State {
    /// The way in each position.
    #[register([id_w(p.ways); p.ways])]
    pub way: Vec<u8>,
    /// The owner of the line in each position.
    #[register([id_w(p.kernels); p.ways])]
    pub owner: Vec<u8>,
    /// The positions that hold a valid line.
    #[register([1; p.ways])]
    pub valid: u64,
}

/// One way in the stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Entry {
    way: u8,
    owner: u8,
    valid: bool,
}

/// The model.
#[derive(Debug, Clone)]
pub struct LruStack {
    params: Params,
    /// From MRU to LRU.
    stack: Vec<Entry>,
    /// `stack` in the form of the registers.
    state: State,
    rules: Arc<Rules<In, State>>,
}

impl LruStack {
    fn position_of(&self, way: u8) -> Option<usize> {
        self.stack.iter().position(|entry| entry.way == way)
    }

    /// Makes the entry at `position` the MRU one; those above it move down.
    fn promote(&mut self, position: usize) -> &mut Entry {
        self.stack[..=position].rotate_right(1);
        &mut self.stack[0]
    }

    fn access(&mut self, input: &In) {
        let lru = self.params.ways - 1;
        let entry = if input.access_hit {
            let Some(position) = self.position_of(input.access_way) else {
                return;
            };
            self.promote(position)
        } else {
            let filled = self.promote(lru);
            filled.valid = true;
            filled
        };
        entry.owner = input.access_kid;
    }

    fn invalidate(&mut self, way: u8) {
        let Some(position) = self.position_of(way) else {
            return;
        };
        self.stack[position].valid = false;
        self.stack[position..].rotate_left(1);
    }

    fn flush(&mut self) {
        for (way, entry) in (0..).zip(&mut self.stack) {
            *entry = Entry {
                way,
                owner: 0,
                valid: false,
            };
        }
    }

    fn clock(&mut self) {
        let State { way, owner, valid } = &mut self.state;
        *valid = 0;
        for (position, entry) in self.stack.iter().enumerate() {
            way[position] = entry.way;
            owner[position] = entry.owner;
            *valid |= u64::from(entry.valid) << position;
        }
    }
}

impl Model for LruStack {
    type Params = Params;
    type In = In;
    type Out = Out;
    type State = State;

    fn new(params: Params) -> Result<Self, ParamError> {
        params.check_ranges()?;
        let stack = vec![
            Entry {
                way: 0,
                owner: 0,
                valid: false
            };
            params.ways
        ];
        let state = State {
            way: vec![0; params.ways],
            owner: vec![0; params.ways],
            valid: 0,
        };
        let mut model = Self {
            rules: Arc::new(Self::rules(&params)),
            params,
            stack,
            state,
        };
        model.reset();
        Ok(model)
    }

    fn params(&self) -> &Params {
        &self.params
    }

    fn reset(&mut self) {
        self.flush();
        self.clock();
    }

    fn step(&mut self, input: &In) -> Out {
        let ways = self.params.ways;
        let hit = if input.access_hit {
            self.position_of(input.access_way)
        } else {
            None
        };
        let victim = self.stack[ways - 1];
        let out = Out {
            hit_pos: hit.unwrap_or(ways) as u8,
            stack_way: ByPosition::copied(&self.state.way),
            stack_owner: ByPosition::copied(&self.state.owner),
            stack_valid: self.state.valid,
            victim_way: victim.way,
            victim_owner: victim.owner,
            victim_valid: victim.valid,
        };
        if input.reset || input.flush {
            self.flush();
        } else if input.invalidate_valid {
            self.invalidate(input.invalidate_way);
        } else if input.access_valid {
            self.access(input);
        }
        self.clock();
        out
    }

    fn state(&self) -> &State {
        &self.state
    }

    fn rules(p: &Params) -> Rules<In, State> {
        let Params { ways, kernels } = *p;
        let way = |i: usize| register!(way[i] as stack_way);
        let owner = |i: usize| register!(owner[i] as stack_owner);
        let valid = |i: usize| register!(valid[i] as stack_valid);
        let hit = each(0..ways, |i| {
            let line = valid_line(valid(i), input!(access_way));
            input!(access_way).is(way(i)).implies(line)
        });
        Rules::new()
            .legal(
                "known_ways",
                "Ways are some that there are, whether they are used or not.",
                input!(access_way)
                    .below(ways)
                    .and(input!(invalidate_way).below(ways)),
            )
            .legal(
                "known_kernel",
                "The kernel is one that there is.",
                input!(access_kid).below(kernels),
            )
            .legal(
                "valid_hit",
                "A hit is in a way that holds a valid line.",
                input!(access_valid).and(input!(access_hit)).implies(hit),
            )
            .invariant(
                "known_lines",
                "The stack holds ways and kernels that there are.",
                each(0..ways, |i| way(i).below(ways).and(owner(i).below(kernels))),
            )
            .invariant(
                "one_position",
                "Each way has one position.",
                each(0..ways, |i| each(0..i, |j| way(i).is(way(j)).not())),
            )
            // It follows, but only by counting, which provers do badly.
            .invariant(
                "some_position",
                "Each way has a position.",
                each(0..ways, |w| any((0..ways).map(|i| way(i).is(w)))),
            )
            .invariant(
                "valid_on_top",
                "The valid lines are above the others.",
                each(1..ways, |i| valid(i).implies(valid(i - 1))),
            )
    }

    fn assume(&self, input: &In) -> Result<(), Violation> {
        self.rules.check(&self.params, input, &self.state)
    }
}

#[cfg(test)]
mod tests {
    //! Rationale: hits at the top, inside and at the bottom, misses into invalid and valid ways,
    //! invalidations of every kind and the priority of requests, by hand, starting from the
    //! paper's example of four ways in the order 2, 0, 3, 1.
    use super::*;

    fn idle() -> In {
        In::default()
    }

    fn miss(kid: u8) -> In {
        In {
            access_valid: true,
            access_kid: kid,
            ..In::default()
        }
    }

    fn hit(way: u8, kid: u8) -> In {
        In {
            access_hit: true,
            access_way: way,
            ..miss(kid)
        }
    }

    fn invalidate(way: u8) -> In {
        In {
            invalidate_valid: true,
            invalidate_way: way,
            ..In::default()
        }
    }

    /// MRU to LRU: ways 2, 0, 3, 1, owned by kernels 1, 2, 3, 0.
    fn paper() -> LruStack {
        let mut stack = LruStack::new(Params {
            ways: 4,
            kernels: 4,
        })
        .unwrap();
        for _ in 0..4 {
            stack.step(&miss(0));
        }
        for (way, kid) in [(3, 3), (0, 2), (2, 1)] {
            stack.step(&hit(way, kid));
        }
        assert_eq!(
            (&stack.state().way[..], &stack.state().owner[..]),
            (&[2, 0, 3, 1][..], &[1, 2, 3, 0][..])
        );
        stack
    }

    fn check(stack: &LruStack, way: [u8; 4], owner: [u8; 4], valid: u64) {
        let expected = State {
            way: way.to_vec(),
            owner: owner.to_vec(),
            valid,
        };
        assert_eq!(*stack.state(), expected);
    }

    #[test]
    fn starts_in_order_and_invalid() {
        let stack = LruStack::new(Params {
            ways: 4,
            kernels: 4,
        })
        .unwrap();
        check(&stack, [0, 1, 2, 3], [0; 4], 0);
    }

    #[test]
    fn misses_fill_from_the_bottom() {
        let mut stack = LruStack::new(Params {
            ways: 4,
            kernels: 4,
        })
        .unwrap();
        let out = stack.step(&miss(2));
        assert_eq!(
            (out.hit_pos, out.victim_way, out.victim_valid),
            (4, 3, false)
        );
        check(&stack, [3, 0, 1, 2], [2, 0, 0, 0], 0b0001);
        stack.step(&miss(1));
        check(&stack, [2, 3, 0, 1], [1, 2, 0, 0], 0b0011);
    }

    #[test]
    fn hits_at_each_position_of_the_papers_example() {
        let after = [
            (2, 0, [2, 0, 3, 1], [1, 2, 3, 0]),
            (0, 1, [0, 2, 3, 1], [1, 1, 3, 0]),
            (3, 2, [3, 2, 0, 1], [1, 1, 2, 0]),
            (1, 3, [1, 2, 0, 3], [1, 1, 2, 3]),
        ];
        for (way, position, ways, owners) in after {
            let mut stack = paper();
            let out = stack.step(&hit(way, 1));
            assert_eq!(out.hit_pos, position);
            assert_eq!(out.stack_way, [2, 0, 3, 1], "the state before the access");
            assert_eq!(out.stack_owner, [1, 2, 3, 0]);
            check(&stack, ways, owners, 0b1111);
        }
    }

    #[test]
    fn a_miss_evicts_the_lru_way() {
        let mut stack = paper();
        let out = stack.step(&miss(3));
        assert_eq!(
            (out.victim_way, out.victim_owner, out.victim_valid),
            (1, 0, true)
        );
        check(&stack, [1, 2, 0, 3], [3, 1, 2, 3], 0b1111);
    }

    #[test]
    fn an_invalidated_way_sinks_and_keeps_its_owner() {
        let mut stack = paper();
        stack.step(&invalidate(0));
        check(&stack, [2, 3, 1, 0], [1, 3, 0, 2], 0b0111);
        stack.step(&invalidate(2));
        check(&stack, [3, 1, 0, 2], [3, 0, 2, 1], 0b0011);
        stack.step(&invalidate(0));
        check(&stack, [3, 1, 2, 0], [3, 0, 1, 2], 0b0011);
        assert!(!stack.step(&miss(2)).victim_valid);
        check(&stack, [0, 3, 1, 2], [2, 3, 0, 1], 0b0111);
    }

    #[test]
    fn flush_is_the_reset_state() {
        for input in [
            In {
                flush: true,
                ..idle()
            },
            In {
                reset: true,
                ..idle()
            },
        ] {
            let mut stack = paper();
            stack.step(&input);
            check(&stack, [0, 1, 2, 3], [0; 4], 0);
        }
    }

    #[test]
    fn flush_before_invalidate_before_access() {
        let mut stack = paper();
        stack.step(&In {
            invalidate_valid: true,
            invalidate_way: 3,
            ..hit(1, 1)
        });
        check(&stack, [2, 0, 1, 3], [1, 2, 0, 3], 0b0111);
        stack.step(&In {
            flush: true,
            ..invalidate(2)
        });
        check(&stack, [0, 1, 2, 3], [0; 4], 0);
    }

    #[test]
    fn nothing_asked_nothing_changed() {
        let mut stack = paper();
        let out = stack.step(&In {
            access_hit: true,
            access_way: 3,
            ..idle()
        });
        assert_eq!(out.hit_pos, 2, "hit_pos looks at access_hit alone");
        check(&stack, [2, 0, 3, 1], [1, 2, 3, 0], 0b1111);
    }

    #[test]
    fn one_way_and_sixty_four() {
        for ways in [1, 64] {
            let mut stack = LruStack::new(Params { ways, kernels: 2 }).unwrap();
            for _ in 0..ways {
                assert!(!stack.step(&miss(1)).victim_valid);
            }
            assert!(stack.step(&miss(0)).victim_valid);
            assert_eq!(stack.state().valid, crate::model::limit(ways));
        }
    }

    #[test]
    fn illegal_parameters_and_inputs_are_named() {
        for (ways, kernels) in [(0, 2), (65, 2), (2, 0), (2, 65)] {
            assert!(LruStack::new(Params { ways, kernels }).is_err());
        }
        let mut stack = LruStack::new(Params {
            ways: 3,
            kernels: 3,
        })
        .unwrap();
        let at_fault =
            |stack: &LruStack, input: &In| stack.assume(input).unwrap_err().field().to_string();
        assert_eq!(at_fault(&stack, &hit(3, 0)), "access_way");
        assert_eq!(at_fault(&stack, &invalidate(3)), "invalidate_way");
        assert_eq!(at_fault(&stack, &miss(3)), "access_kid");
        let hit_on_invalid = stack.assume(&hit(2, 0));
        assert!(matches!(
            hit_on_invalid,
            Err(Violation::HitOnInvalid { value: 2, .. })
        ));
        stack.step(&miss(0));
        assert!(stack.assume(&hit(2, 0)).is_ok());
    }
}
