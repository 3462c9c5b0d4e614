//! `gdcu`: the GPU demotion counter unit.
//!
//! Source: GDC paper, section III and figures 1 and 2.
//!
//! On an access by kernel *a* that hits in position *k* of the LRU stack, the lines in the
//! positions 0 to *k* - 1 are demoted by one position; on a miss, all lines are. For each
//! demoted line, owned by *v*, the counter `GDC[v][a]` goes up by one.
//!
//! Timing: the counters of an access presented at cycle t have changed at t + `stages` + 1.
//! Snapshots and reads are not delayed, so an access belongs to the period in which its
//! demotions reach the counters. One access every cycle, without a stall.
//!
//! ASSUMPTION: an invalid line is never demoted. ASSUMPTION: saturation, snapshots and reads as
//! in [`counter_matrix`](super::counter_matrix).

use bitvec::prelude::*;
use serde::{Deserialize, Serialize};

use super::{id_w, pos_w, MAX_KERNELS, MAX_WAYS};
use crate::model::{limit, Model, ParamError, Violation};

/// Parameters of [`Gdcu`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Params {
    /// Ways of the cache, 1 to [`MAX_WAYS`].
    pub ways: usize,
    /// Kernels told apart, 1 to [`MAX_KERNELS`].
    pub kernels: usize,
    /// Width of a counter in bits, from that of a position code to 64.
    pub cnt_w: usize,
    /// Cycles between an access and its increment, 0 to 2. Figure 2 has one, the latch.
    pub stages: usize,
}

/// Input ports.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct In {
    /// Synchronous reset.
    pub reset: bool,
    /// There is an access this cycle.
    pub access_valid: bool,
    /// The position hit, or `ways` for a miss.
    pub access_pos: u8,
    /// The accessing kernel.
    pub access_kid: u8,
    /// The owner of the line in each position, before the access.
    pub stack_owner: Vec<u8>,
    /// The positions that hold a valid line, before the access.
    pub stack_valid: u64,
    /// Ends the period: copy the counters to the shadow registers and clear them.
    pub snapshot: bool,
    /// Victim of the counter to read.
    pub read_victim: u8,
    /// Aggressor of the counter to read.
    pub read_aggressor: u8,
}

/// Output ports, all registered.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Out {
    /// The shadow register addressed in the cycle before; `cnt_w` bits, 0 for an unknown KID.
    pub read_count: u64,
    /// Victims of whose counters at least one saturated in the last period.
    pub overflow: u64,
    /// Snapshots taken since reset, modulo 256.
    pub sequence: u8,
}

/// An access on its way to the counters, or the bubble of a cycle without one.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct InFlight {
    /// It is an access.
    pub valid: bool,
    /// What `access_kid` carried, also in a bubble.
    pub kid: u8,
    /// How many lines of each kernel it demotes; zeros in a bubble.
    pub demotions: Vec<u32>,
}

/// Registers; all reset to 0.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct State {
    /// Demotions in the present period, `count[victim][aggressor]`.
    pub count: Vec<Vec<u64>>,
    /// Demotions in the last period.
    pub shadow: Vec<Vec<u64>>,
    /// Victims that overflowed in the present period.
    pub live_overflow: u64,
    /// Victims that overflowed in the last period.
    pub overflow: u64,
    /// Snapshots taken, modulo 256.
    pub sequence: u8,
    /// The read port's register.
    pub read_count: u64,
    /// What was presented in the last `stages` cycles, the youngest first.
    pub in_flight: Vec<InFlight>,
}

/// The model.
#[derive(Debug, Clone)]
pub struct Gdcu {
    params: Params,
    state: State,
    // The access of this cycle, before it joins those in flight.
    access: InFlight,
}

impl Gdcu {
    /// Which kernels' lines the access demotes, and how many of each.
    fn observe(&mut self, input: &In) {
        let InFlight {
            valid,
            kid,
            demotions,
        } = &mut self.access;
        *valid = input.access_valid;
        *kid = input.access_kid;
        demotions.fill(0);
        if !input.access_valid {
            return;
        }
        let pushed = usize::from(input.access_pos).min(self.params.ways);
        for position in input.stack_valid.view_bits::<Lsb0>()[..pushed].iter_ones() {
            let owner = input.stack_owner.get(position).map(|&kid| usize::from(kid));
            if let Some(lines) = owner.and_then(|kid| demotions.get_mut(kid)) {
                *lines += 1;
            }
        }
    }

    /// Ages what is in flight by a cycle; `self.access` becomes the one that is due now.
    fn age(&mut self) {
        // Without stages an access is due at once.
        self.state.in_flight.rotate_right(1.min(self.params.stages));
        if let Some(youngest) = self.state.in_flight.first_mut() {
            std::mem::swap(youngest, &mut self.access);
        }
    }

    /// Adds the demotions of the access that is due.
    fn count(&mut self) {
        let InFlight {
            valid,
            kid,
            demotions,
        } = &self.access;
        let aggressor = usize::from(*kid);
        if !valid || aggressor >= self.params.kernels {
            return;
        }
        let max = limit(self.params.cnt_w);
        for (victim, &lines) in demotions.iter().enumerate() {
            let count = &mut self.state.count[victim][aggressor];
            if u64::from(lines) > max - *count {
                self.state.live_overflow |= 1 << victim;
                *count = max;
            } else {
                *count += u64::from(lines);
            }
        }
    }

    /// Closes the period: its counters become the shadow.
    fn snapshot(&mut self) {
        let state = &mut self.state;
        for (shadow, count) in state.shadow.iter_mut().zip(&mut state.count) {
            shadow.copy_from_slice(count);
            count.fill(0);
        }
        state.overflow = state.live_overflow;
        state.live_overflow = 0;
        state.sequence = state.sequence.wrapping_add(1);
    }
}

impl Model for Gdcu {
    type Params = Params;
    type In = In;
    type Out = Out;
    type State = State;

    fn new(params: Params) -> Result<Self, ParamError> {
        ParamError::range("ways", params.ways as u64, 1, MAX_WAYS as u64)?;
        ParamError::range("kernels", params.kernels as u64, 1, MAX_KERNELS as u64)?;
        ParamError::range("cnt_w", params.cnt_w as u64, pos_w(params.ways) as u64, 64)?;
        ParamError::range("stages", params.stages as u64, 0, 2)?;
        let zeros = vec![vec![0; params.kernels]; params.kernels];
        let bubble = InFlight {
            demotions: vec![0; params.kernels],
            ..InFlight::default()
        };
        let state = State {
            count: zeros.clone(),
            shadow: zeros,
            in_flight: vec![bubble.clone(); params.stages],
            ..State::default()
        };
        Ok(Self {
            params,
            state,
            access: bubble,
        })
    }

    fn params(&self) -> &Params {
        &self.params
    }

    fn reset(&mut self) {
        let State {
            count,
            shadow,
            live_overflow,
            overflow,
            sequence,
            read_count,
            in_flight,
        } = &mut self.state;
        count.iter_mut().chain(shadow).for_each(|row| row.fill(0));
        (*live_overflow, *overflow, *sequence, *read_count) = (0, 0, 0, 0);
        for InFlight {
            valid,
            kid,
            demotions,
        } in in_flight
        {
            (*valid, *kid) = (false, 0);
            demotions.fill(0);
        }
    }

    fn step(&mut self, input: &In) -> Out {
        let state = &mut self.state;
        let out = Out {
            read_count: state.read_count,
            overflow: state.overflow,
            sequence: state.sequence,
        };
        if input.reset {
            self.reset();
            return out;
        }
        state.read_count = state
            .shadow
            .get(usize::from(input.read_victim))
            .and_then(|row| row.get(usize::from(input.read_aggressor)))
            .map_or(0, |&count| count);
        if input.snapshot {
            self.snapshot();
        }
        self.observe(input);
        self.age();
        self.count();
        out
    }

    fn state(&self) -> &State {
        &self.state
    }

    fn assume(&self, input: &In) -> Result<(), Violation> {
        let Params { ways, kernels, .. } = self.params;
        Violation::length("stack_owner", input.stack_owner.len(), ways)?;
        for (position, &owner) in input.stack_owner.iter().enumerate() {
            Violation::fits(("stack_owner", position), owner.into(), id_w(kernels))?;
        }
        Violation::mask("stack_valid", input.stack_valid, ways)?;
        Violation::fits("access_pos", input.access_pos.into(), pos_w(ways))?;
        Violation::fits("access_kid", input.access_kid.into(), id_w(kernels))?;
        Violation::below("read_victim", input.read_victim.into(), kernels)?;
        Violation::below("read_aggressor", input.read_aggressor.into(), kernels)?;
        if !input.access_valid {
            return Ok(());
        }
        Violation::below("access_pos", input.access_pos.into(), ways + 1)?;
        Violation::below("access_kid", input.access_kid.into(), kernels)?;
        let valid = input.stack_valid.view_bits::<Lsb0>();
        for position in valid[..ways].iter_ones() {
            let owner = input.stack_owner[position];
            Violation::below(("stack_owner", position), owner.into(), kernels)?;
        }
        let position = usize::from(input.access_pos);
        if position < ways && !valid[position] {
            let value = input.access_pos.into();
            return Err(Violation::HitOnInvalid {
                field: "access_pos".into(),
                value,
            });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    //! Rationale: every hit position and the miss take another set of demoted lines; invalid
    //! lines, the delay by `stages` and its meeting with a snapshot, saturation and reset are the
    //! other branches. Numbers are by hand, for the four-way, four-kernel unit of figure 2.
    use super::*;

    fn gdcu(cnt_w: usize, stages: usize) -> Gdcu {
        Gdcu::new(Params {
            ways: 4,
            kernels: 4,
            cnt_w,
            stages,
        })
        .unwrap()
    }

    /// Owners from MRU to LRU: kernels 2, 0, 2, 1.
    fn access(access_pos: u8, access_kid: u8) -> In {
        In {
            access_valid: true,
            access_pos,
            access_kid,
            stack_owner: vec![2, 0, 2, 1],
            stack_valid: 0b1111,
            ..In::default()
        }
    }

    fn idle() -> In {
        In {
            access_valid: false,
            ..access(0, 0)
        }
    }

    /// The column of `aggressor`: demotions each victim suffered from it.
    fn caused_by(gdcu: &Gdcu, aggressor: usize) -> [u64; 4] {
        [0, 1, 2, 3].map(|victim: usize| gdcu.state().count[victim][aggressor])
    }

    #[test]
    fn each_position_by_hand() {
        let by_position = [
            (0, [0, 0, 0, 0]),
            (1, [0, 0, 1, 0]),
            (2, [1, 0, 1, 0]),
            (3, [1, 0, 2, 0]),
            (4, [1, 1, 2, 0]),
        ];
        for (position, demotions) in by_position {
            let mut g = gdcu(16, 0);
            g.step(&access(position, 3));
            assert_eq!(caused_by(&g, 3), demotions, "position {position}");
            assert_eq!(
                caused_by(&g, 0),
                [0; 4],
                "only the aggressor's counters change"
            );
        }
    }

    #[test]
    fn a_kernel_demotes_its_own_lines_too() {
        let mut g = gdcu(16, 0);
        g.step(&access(4, 2));
        assert_eq!(caused_by(&g, 2), [1, 1, 2, 0]);
    }

    #[test]
    fn invalid_lines_are_not_demoted() {
        let mut g = gdcu(16, 0);
        g.step(&In {
            stack_valid: 0b0011,
            ..access(4, 0)
        });
        assert_eq!(caused_by(&g, 0), [1, 0, 1, 0]);
        g.step(&In {
            stack_valid: 0,
            ..access(4, 1)
        });
        assert_eq!(caused_by(&g, 1), [0; 4], "miss in an empty set");
    }

    #[test]
    fn an_access_counts_after_its_stages() {
        for stages in 0..=2 {
            let mut g = gdcu(16, stages);
            g.step(&access(4, 0));
            for waited in 0..stages {
                assert_eq!(caused_by(&g, 0), [0; 4], "stages {stages}");
                assert!(g.state().in_flight[waited].valid, "index 0 is the youngest");
                assert_eq!(g.state().in_flight[waited].demotions, [1, 1, 2, 0]);
                g.step(&idle());
            }
            assert_eq!(caused_by(&g, 0), [1, 1, 2, 0], "stages {stages}");
            g.step(&idle());
            assert_eq!(caused_by(&g, 0), [1, 1, 2, 0], "counted once");
        }
    }

    #[test]
    fn bubbles_keep_the_kid_and_demote_nothing() {
        let mut g = gdcu(16, 1);
        g.step(&In {
            access_valid: false,
            ..access(4, 3)
        });
        let bubble = InFlight {
            valid: false,
            kid: 3,
            demotions: vec![0; 4],
        };
        assert_eq!(g.state().in_flight, [bubble]);
    }

    #[test]
    fn an_access_belongs_to_the_period_in_which_it_reaches_the_counters() {
        // Presented together with the snapshot: with stages 0 it reaches the counters then, in
        // the new period. Presented `stages` cycles earlier, the same.
        for stages in 0..=2 {
            let mut g = gdcu(16, stages);
            g.step(&access(1, 0));
            for _ in 0..stages {
                g.step(&idle());
            }
            for cycle in 0..=stages {
                let snapshot = cycle == stages;
                let present = if cycle == 0 { access(4, 0) } else { idle() };
                g.step(&In {
                    snapshot,
                    ..present
                });
            }
            assert_eq!(g.state().shadow[2][0], 1, "stages {stages}: old period");
            assert_eq!(
                caused_by(&g, 0),
                [1, 1, 2, 0],
                "stages {stages}: new period"
            );
        }
    }

    #[test]
    fn saturation_is_sticky_and_handed_over_by_the_snapshot() {
        let mut g = gdcu(3, 0);
        for _ in 0..3 {
            g.step(&access(4, 0));
        }
        assert_eq!(
            (caused_by(&g, 0), g.state().live_overflow),
            ([3, 3, 6, 0], 0)
        );
        g.step(&access(1, 0));
        assert_eq!(
            (caused_by(&g, 0), g.state().live_overflow),
            ([3, 3, 7, 0], 0),
            "exactly 7"
        );
        g.step(&access(4, 0));
        assert_eq!(
            (caused_by(&g, 0), g.state().live_overflow),
            ([4, 4, 7, 0], 0b0100)
        );
        g.step(&In {
            snapshot: true,
            ..access(4, 0)
        });
        assert_eq!(
            (caused_by(&g, 0), g.state().live_overflow),
            ([1, 1, 2, 0], 0)
        );
        let out = g.step(&idle());
        assert_eq!((out.overflow, out.sequence), (0b0100, 1));
        g.step(&In {
            snapshot: true,
            ..idle()
        });
        assert_eq!(g.step(&idle()).overflow, 0);
    }

    #[test]
    fn a_read_takes_one_cycle() {
        let mut g = gdcu(16, 0);
        g.step(&access(4, 1));
        g.step(&In {
            snapshot: true,
            ..idle()
        });
        g.step(&In {
            read_victim: 2,
            read_aggressor: 1,
            ..idle()
        });
        assert_eq!(g.step(&idle()).read_count, 2);
        assert_eq!(g.step(&idle()).read_count, 0);
    }

    #[test]
    fn reset_clears_what_is_in_flight() {
        let mut g = gdcu(16, 2);
        let fresh = g.state().clone();
        g.step(&access(4, 1));
        g.step(&In {
            snapshot: true,
            ..access(4, 1)
        });
        g.step(&In {
            reset: true,
            ..access(4, 1)
        });
        assert_eq!(*g.state(), fresh);
        g.step(&idle());
        g.step(&idle());
        g.step(&idle());
        assert_eq!(*g.state(), fresh, "nothing arrives later");
    }

    #[test]
    fn illegal_parameters_are_named() {
        let name = |ways, kernels, cnt_w, stages| match Gdcu::new(Params {
            ways,
            kernels,
            cnt_w,
            stages,
        })
        .unwrap_err()
        {
            ParamError::OutOfRange { name, .. } => name,
            other => panic!("{other}"),
        };
        assert_eq!(name(0, 4, 16, 1), "ways");
        assert_eq!(name(65, 4, 16, 1), "ways");
        assert_eq!(name(16, 0, 16, 1), "kernels");
        assert_eq!(name(16, 65, 16, 1), "kernels");
        assert_eq!(name(16, 4, 4, 1), "cnt_w");
        assert_eq!(name(16, 4, 65, 1), "cnt_w");
        assert_eq!(name(16, 4, 16, 3), "stages");
    }

    #[test]
    fn illegal_inputs_are_named() {
        let g = Gdcu::new(Params {
            ways: 4,
            kernels: 3,
            cnt_w: 8,
            stages: 1,
        })
        .unwrap();
        let at_fault = |input: &In| g.assume(input).unwrap_err().field().to_string();
        assert!(g.assume(&access(4, 0)).is_ok());
        assert_eq!(at_fault(&access(5, 0)), "access_pos");
        assert_eq!(at_fault(&access(4, 3)), "access_kid");
        assert_eq!(
            at_fault(&In {
                stack_owner: vec![0, 3, 0, 0],
                ..access(4, 0)
            }),
            "stack_owner[1]"
        );
        assert_eq!(
            at_fault(&In {
                stack_owner: vec![0; 3],
                ..access(4, 0)
            }),
            "stack_owner"
        );
        assert_eq!(
            at_fault(&In {
                stack_valid: 0b10000,
                ..access(4, 0)
            }),
            "stack_valid"
        );
        assert_eq!(
            at_fault(&In {
                read_victim: 3,
                ..idle()
            }),
            "read_victim"
        );
        assert_eq!(
            at_fault(&In {
                read_aggressor: 3,
                ..idle()
            }),
            "read_aggressor"
        );
        let hit_on_invalid = In {
            stack_valid: 0b0001,
            ..access(1, 0)
        };
        assert!(matches!(
            g.assume(&hit_on_invalid),
            Err(Violation::HitOnInvalid { .. })
        ));
        let garbage = In {
            stack_owner: vec![3; 4],
            access_kid: 3,
            access_pos: 7,
            ..idle()
        };
        assert!(
            g.assume(&garbage).is_ok(),
            "a bubble may carry anything that fits its ports"
        );
        let invalid_owner = In {
            stack_owner: vec![0, 0, 0, 3],
            stack_valid: 0b0111,
            ..access(4, 0)
        };
        assert!(
            g.assume(&invalid_owner).is_ok(),
            "the owner of an invalid line is not looked at"
        );
    }
}
