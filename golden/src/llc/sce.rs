//! `sce`: share at eviction, whose lines have pushed an evicted line out of its set.
//!
//! Source: the share at eviction of docs/attribution.md: when a line of kernel *v* is evicted, for
//! each kernel *j* `SCE[v][j]` goes up by the number of lines of *j* above it, the new line
//! included. A set whose least recently used way is invalid evicts nothing.
//!
//! Timing: as in [`gdcu`](super::gdcu): the counters have changed `stages` + 1 cycles after the
//! access; snapshots and reads are not delayed.
//!
//! ASSUMPTION: an eviction of the accessor's own line is counted, too. ASSUMPTION: saturation,
//! snapshots and reads as in [`counter_matrix`].

use std::sync::Arc;

use bitvec::prelude::*;
use serde::{Deserialize, Serialize};

use super::counter_matrix::{self, known_counter, CounterMatrix};
use super::{id_w, pos_w, MAX_KERNELS, MAX_WAYS};
use crate::delay::Delayed;
use crate::model::{Model, ParamError, Part, Violation};
use crate::ports::{Parameters, Ports, Registers};
use crate::rules::*;

/// Parameters of [`Sce`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Parameters)]
pub struct Params {
    /// Ways of the cache, 1 to [`MAX_WAYS`].
    #[range(1..=MAX_WAYS)]
    pub ways: usize,
    /// Number of kernels, 1 to [`MAX_KERNELS`].
    #[range(1..=MAX_KERNELS)]
    pub kernels: usize,
    /// Width of a counter in bits, from that of a position code to 64.
    #[range(pos_w(p.ways)..=64)]
    pub cnt_w: usize,
    /// Cycles between an access and its increment, 0 to 3.
    #[range(0..=3)]
    pub stages: usize,
}

impl Params {
    /// Of the counters, whose rows are the aggressors.
    pub fn matrix(&self) -> counter_matrix::Params {
        counter_matrix::Params {
            kernels: self.kernels,
            inc_w: pos_w(self.ways),
            cnt_w: self.cnt_w,
        }
    }
}

/// Input ports.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Ports)]
pub struct In {
    /// Synchronous reset.
    pub reset: bool,
    /// There is an access this cycle.
    pub access_valid: bool,
    /// It hits.
    pub access_hit: bool,
    /// The accessing kernel.
    #[port(id_w(p.kernels))]
    pub access_kid: u8,
    /// The owner of the line in each position, before the access.
    #[port([id_w(p.kernels); p.ways])]
    pub stack_owner: Vec<u8>,
    /// The positions that hold a valid line, before the access.
    #[port([1; p.ways])]
    pub stack_valid: u64,
    /// Ends the period: copy the counters to the shadow registers and clear them.
    pub snapshot: bool,
    /// Victim of the counter to read.
    #[port(id_w(p.kernels))]
    pub read_victim: u8,
    /// Aggressor of the counter to read.
    #[port(id_w(p.kernels))]
    pub read_aggressor: u8,
    /// Read the counter as it is now, before this cycle's increment, not as the last period left
    /// it.
    pub read_live: bool,
}

/// Output ports, all registered.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Ports)]
pub struct Out {
    /// The counter addressed in the cycle before, of the last period or the running one; `cnt_w`
    /// bits, 0 for an unknown KID.
    #[port(p.cnt_w)]
    pub read_count: u64,
    /// That counter has saturated in its period: there were more events.
    pub read_overflow: bool,
    /// Aggressors of whose counters at least one saturated in the last period.
    #[port([1; p.kernels])]
    pub overflow: u64,
    /// Snapshots taken since reset, modulo 256.
    #[port(8)]
    pub sequence_number: u8,
}

/// An eviction.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Eviction {
    /// The kernel whose line it was.
    pub victim: u8,
    /// Lines of each kernel in the set once the new line is in it.
    pub lines: Vec<u32>,
}

/// Registers; all reset to 0.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Registers)]
pub struct State {
    /// The counters, `count[aggressor][victim]`.
    #[register(nested(p.matrix()))]
    pub matrix: counter_matrix::State,
    /// Evictions on their way to the counters.
    #[register(skip)]
    pub in_flight: Delayed<Option<Eviction>>,
}

/// The model.
#[derive(Debug, Clone)]
pub struct Sce {
    params: Params,
    state: State,
    matrix: CounterMatrix,
    rules: Arc<Rules<In, State>>,
}

impl Sce {
    /// Sets a counter, as if the evicted lines of `victim` had had so many lines of `aggressor`
    /// above them in the period. Unknown KIDs have none.
    ///
    /// For runs that start close to the limit, which a wide counter reaches only after hours.
    pub fn preset(&mut self, victim: usize, aggressor: usize, count: u64) {
        let Self { state, matrix, .. } = self;
        matrix.on(&mut state.matrix, |matrix| {
            matrix.preset(aggressor, victim, count);
        });
    }

    /// The eviction that an access brings about.
    pub fn eviction(params: &Params, input: &In) -> Option<Eviction> {
        let lru = params.ways - 1;
        let evicts =
            input.access_valid && !input.access_hit && input.stack_valid.view_bits::<Lsb0>()[lru];
        if !evicts {
            return None;
        }
        let mut lines = vec![0; params.kernels];
        // All lines but the last one, and the new line.
        let above = (0..lru).filter(|&position| input.stack_valid >> position & 1 == 1);
        let owners = above.map(|position| input.stack_owner[position]);
        for owner in owners.chain([input.access_kid]) {
            if let Some(lines) = lines.get_mut(usize::from(owner)) {
                *lines += 1;
            }
        }
        Some(Eviction {
            victim: input.stack_owner[lru],
            lines,
        })
    }
}

impl Model for Sce {
    type Params = Params;
    type In = In;
    type Out = Out;
    type State = State;

    fn new(params: Params) -> Result<Self, ParamError> {
        params.check_ranges()?;
        let matrix = CounterMatrix::new(params.matrix())?;
        let state = State {
            matrix: matrix.state().clone(),
            in_flight: Delayed::new(params.stages, None),
        };
        Ok(Self {
            rules: Arc::new(Self::rules(&params)),
            params,
            state,
            matrix,
        })
    }

    fn params(&self) -> &Params {
        &self.params
    }

    fn reset(&mut self) {
        let Self { state, matrix, .. } = self;
        matrix.on(&mut state.matrix, Model::reset);
        state.in_flight.clear(&None);
    }

    fn step(&mut self, input: &In) -> Out {
        let eviction = Self::eviction(&self.params, input);
        let due = match input.reset {
            true => None,
            false => self.state.in_flight.pass(eviction),
        };
        let due = due.as_ref();
        let counted = counter_matrix::In {
            reset: input.reset,
            inc_valid: due.is_some(),
            inc_kid: due.map_or(0, |due| due.victim),
            inc: due.map_or_else(|| vec![0; self.params.kernels], |due| due.lines.clone()),
            snapshot: input.snapshot,
            read_victim: input.read_aggressor,
            read_aggressor: input.read_victim,
            read_live: input.read_live,
        };
        let Self { state, matrix, .. } = self;
        let out = matrix.on(&mut state.matrix, |matrix| matrix.step(&counted));
        if input.reset {
            state.in_flight.clear(&None);
        }
        Out {
            read_count: out.read_count,
            read_overflow: out.read_overflow,
            overflow: out.overflow,
            sequence_number: out.sequence_number,
        }
    }

    fn state(&self) -> &State {
        &self.state
    }

    fn rules(p: &Params) -> Rules<In, State> {
        let owners = each(0..p.ways, |i| {
            input!(stack_valid[i]).implies(input!(stack_owner[i]).below(p.kernels))
        });
        Rules::new()
            .legal(
                "known_counter",
                "The counter that is read is of kernels that there are.",
                known_counter(input!(read_victim), input!(read_aggressor), p.kernels),
            )
            .legal(
                "known_kernel",
                "An access is by a kernel that there is.",
                input!(access_valid).implies(input!(access_kid).below(p.kernels)),
            )
            .legal(
                "known_owners",
                "The owners of valid lines are kernels that there are.",
                input!(access_valid).implies(owners),
            )
    }

    fn assume(&self, input: &In) -> Result<(), Violation> {
        self.rules.check(&self.params, input, &self.state)
    }
}

impl Part for Sce {
    fn registers(&mut self) -> &mut State {
        &mut self.state
    }
}

#[cfg(test)]
mod tests {
    //! Rationale: by hand the lines of a set as one is evicted, by another kernel and by its own; a
    //! hit, an invalid least recently used way and a bubble, which evict nothing; the delay by
    //! `stages`, also beside a snapshot, and a reset that meets an eviction on its way. Counters and
    //! reads are those of `counter_matrix`, which are tested there.
    use super::*;

    fn sce(stages: usize) -> Sce {
        Sce::new(Params {
            ways: 4,
            kernels: 4,
            cnt_w: 8,
            stages,
        })
        .unwrap()
    }

    /// A miss; owners from MRU to LRU: kernels 2, 0, 2, 1.
    fn miss(access_kid: u8) -> In {
        In {
            access_valid: true,
            access_kid,
            stack_owner: vec![2, 0, 2, 1],
            stack_valid: 0b1111,
            ..In::default()
        }
    }

    fn idle() -> In {
        In {
            access_valid: false,
            ..miss(0)
        }
    }

    /// The row of a victim: the lines of each kernel above its evicted lines.
    fn above(sce: &Sce, victim: usize) -> [u64; 4] {
        [0, 1, 2, 3].map(|aggressor: usize| sce.state().matrix.count[aggressor][victim])
    }

    #[test]
    fn the_lines_above_the_evicted_one_and_the_new_one() {
        let mut s = sce(0);
        s.step(&miss(3));
        assert_eq!(above(&s, 1), [1, 0, 2, 1], "the new line is K3's");
        s.step(&miss(1));
        assert_eq!(above(&s, 1), [2, 1, 4, 1], "K1 evicts a line of its own");
        for victim in [0, 2, 3] {
            assert_eq!(above(&s, victim), [0; 4], "no line of K{victim} is evicted");
        }
    }

    #[test]
    fn what_evicts_nothing_counts_nothing() {
        let none = [
            In {
                access_hit: true,
                ..miss(3)
            },
            In {
                stack_valid: 0b0111,
                ..miss(3)
            },
            idle(),
        ];
        for input in none {
            let mut s = sce(0);
            s.step(&input);
            assert_eq!(above(&s, 1), [0; 4], "{input:?}");
        }
    }

    #[test]
    fn an_eviction_is_counted_stages_cycles_later() {
        for stages in 0..=3 {
            let mut s = sce(stages);
            s.step(&miss(0));
            for _ in 0..stages {
                assert_eq!(above(&s, 1), [0; 4]);
                s.step(&idle());
            }
            assert_eq!(above(&s, 1), [2, 0, 2, 0], "stages {stages}");
        }
    }

    #[test]
    fn an_eviction_belongs_to_the_period_in_which_it_is_counted() {
        let mut s = sce(1);
        s.step(&miss(0));
        s.step(&In {
            snapshot: true,
            ..miss(3)
        });
        assert_eq!(above(&s, 1), [2, 0, 2, 0], "the new period");
        assert_eq!(s.state().matrix.shadow, [[0; 4]; 4]);
        s.step(&In {
            snapshot: true,
            read_victim: 1,
            read_aggressor: 2,
            read_live: true,
            ..idle()
        });
        let out = s.step(&In {
            read_victim: 1,
            read_aggressor: 0,
            ..idle()
        });
        assert_eq!((out.read_count, out.sequence_number), (2, 2));
        assert_eq!(s.step(&idle()).read_count, 2);
    }

    #[test]
    fn reset_clears_what_is_on_its_way() {
        let mut s = sce(2);
        s.step(&miss(0));
        s.step(&In {
            reset: true,
            ..miss(0)
        });
        (0..4).for_each(|_| _ = s.step(&idle()));
        assert_eq!(above(&s, 1), [0; 4]);
    }

    #[test]
    fn a_preset_counter_goes_on_from_there() {
        let mut s = sce(0);
        s.preset(1, 2, 254);
        s.step(&miss(3));
        assert_eq!(above(&s, 1), [1, 0, 255, 1]);
        s.step(&In {
            snapshot: true,
            ..idle()
        });
        assert_eq!(s.step(&idle()).overflow, 0b0100, "in the row of K2");
    }

    #[test]
    fn illegal_parameters_and_inputs_are_named() {
        for (ways, kernels, cnt_w, stages) in
            [(0, 2, 8, 0), (4, 0, 8, 0), (4, 2, 2, 0), (4, 2, 8, 4)]
        {
            let params = Params {
                ways,
                kernels,
                cnt_w,
                stages,
            };
            assert!(Sce::new(params).is_err());
        }
        let s = Sce::new(Params {
            ways: 4,
            kernels: 3,
            cnt_w: 8,
            stages: 0,
        })
        .unwrap();
        assert!(s.assume(&miss(2)).is_ok());
        let at_fault = |input: In| s.assume(&input).unwrap_err().field().to_string();
        assert_eq!(at_fault(miss(3)), "access_kid");
        let owner = In {
            stack_owner: vec![0, 3, 0, 0],
            ..miss(0)
        };
        assert_eq!(at_fault(owner), "stack_owner[1]");
        let read = In {
            read_aggressor: 3,
            ..miss(0)
        };
        assert_eq!(at_fault(read), "read_aggressor");
    }
}
