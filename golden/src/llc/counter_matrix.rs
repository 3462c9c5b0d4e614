//! `counter_matrix`: event counters, one per pair of victim and aggressor, read by snapshots.
//!
//! Source: GDC paper, section III-A, figure 2: the counters `GDC[victim][aggressor]`, one adder
//! a victim, of which only the accessing kernel's counters change.
//!
//! Timing: an increment at cycle t is in `count` at t + 1. A snapshot at t copies the counters
//! into the shadow registers and clears them. `read_count` at t + 1 is the shadow of cycle t, or
//! with `read_live` at t the counter of cycle t, which lacks the increment of that cycle.
//! `read_overflow` is the mark of that counter: its period had more events than it can hold.
//!
//! ASSUMPTION: a counter that would pass its limit stays there and marks its victim's row as
//! overflowed, until the next snapshot hands that mark to the reader.
//! ASSUMPTION: an increment that arrives together with a snapshot opens the new period, so that
//! nothing is lost or counted twice.

use std::sync::Arc;

use bitvec::prelude::*;
use serde::{Deserialize, Serialize};

use super::{id_w, MAX_KERNELS};
use crate::delay::Delayed;
use crate::model::{limit, Model, ParamError, Part, Violation};
use crate::ports::{Parameters, Ports, Registers};
use crate::rules::*;

/// Parameters of [`CounterMatrix`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Parameters)]
pub struct Params {
    /// Number of kernels, 1 to [`MAX_KERNELS`].
    #[range(1..=MAX_KERNELS)]
    pub kernels: usize,
    /// Width of an increment in bits, 1 to 32.
    #[range(1..=32)]
    pub inc_w: usize,
    /// Width of a counter in bits, `inc_w` to 64.
    #[range(p.inc_w..=64)]
    pub cnt_w: usize,
}

impl Params {
    /// Rows of counters, one per victim.
    fn rows(&self) -> usize {
        self.kernels
    }
}

/// A matrix whose rows are kinds of events in place of victims.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kinds {
    /// How many kinds there are, up to 64.
    pub kinds: usize,
    /// Number of kernels, 1 to [`MAX_KERNELS`].
    pub kernels: usize,
    /// Width of a counter in bits.
    pub cnt_w: usize,
}

impl Kinds {
    fn rows(&self) -> usize {
        self.kinds
    }
}

/// Input ports.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Ports)]
pub struct In {
    /// Synchronous reset.
    pub reset: bool,
    /// There are increments this cycle.
    pub inc_valid: bool,
    /// The aggressor that causes them.
    #[port(id_w(p.kernels))]
    pub inc_kid: u8,
    /// How many events each victim suffers; one element per kernel.
    #[port([p.inc_w; p.kernels])]
    pub inc: Vec<u32>,
    /// Ends the period: copy to the shadow registers and clear.
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
    /// Victims of whose counters at least one saturated in the last period.
    #[port([1; p.kernels])]
    pub overflow: u64,
    /// Snapshots taken since reset, modulo 256.
    #[port(8)]
    pub sequence_number: u8,
}

/// Registers; all reset to 0.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Registers)]
#[registers(Params, Kinds)]
pub struct State {
    /// Events of the present period, `count[victim][aggressor]`.
    #[register([[p.cnt_w; p.kernels]; p.rows()])]
    pub count: Vec<Vec<u64>>,
    /// Events of the last period.
    #[register([[p.cnt_w; p.kernels]; p.rows()])]
    pub shadow: Vec<Vec<u64>>,
    /// By victim, the aggressors whose counters would have passed their limit in the present
    /// period.
    #[register([p.kernels; p.rows()])]
    pub passed: Vec<u64>,
    /// The same of the last period.
    #[register([p.kernels; p.rows()])]
    pub last_passed: Vec<u64>,
    /// Snapshots taken, modulo 256.
    #[register(8)]
    pub sequence_number: u8,
    /// What was asked for in the cycles before; [`READ_LATENCY`].
    #[register(skip)]
    pub answers: Delayed<Answer>,
}

/// Cycles from a read to its answer.
pub const READ_LATENCY: usize = 1;

/// A counter that was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Answer {
    /// Its value; 0 if it is not there.
    pub count: u64,
    /// It has saturated.
    pub overflow: bool,
}

/// The counter that is read is one of so many kernels.
pub(super) fn known_counter<I, S>(
    victim: Value<I, S>,
    aggressor: Value<I, S>,
    kernels: usize,
) -> Fact<I, S> {
    victim.below(kernels).and(aggressor.below(kernels))
}

/// The victims with a bit in their row.
pub(super) fn rows_of(passed: &[u64]) -> u64 {
    let mut victims = 0u64;
    for (victim, &row) in passed.iter().enumerate() {
        victims.view_bits_mut::<Lsb0>().set(victim, row != 0);
    }
    victims
}

/// The answer to a read.
pub(super) fn read(
    counters: &[Vec<u64>],
    passed: &[u64],
    (victim, aggressor): (usize, usize),
) -> Answer {
    let counter = counters.get(victim).and_then(|row| row.get(aggressor));
    counter.map_or_else(Answer::default, |&count| Answer {
        count,
        overflow: passed[victim].view_bits::<Lsb0>()[aggressor],
    })
}

/// A counter after so many events in a period, where `max` is its limit; if it is there.
pub(super) fn preset(
    counters: &mut [Vec<u64>],
    passed: &mut [u64],
    (victim, aggressor): (usize, usize),
    (count, max): (u64, u64),
) {
    let row = counters.get_mut(victim).zip(passed.get_mut(victim));
    let Some((row, passed)) = row else { return };
    if let Some(counter) = row.get_mut(aggressor) {
        *counter = count.min(max);
        passed.view_bits_mut::<Lsb0>().set(aggressor, count > max);
    }
}

impl State {
    /// What a read of a row and column, of the last period or `live`, finds.
    pub(crate) fn at(&self, at: (usize, usize), live: bool) -> Answer {
        match live {
            false => read(&self.shadow, &self.last_passed, at),
            true => read(&self.count, &self.passed, at),
        }
    }

    /// Victims that overflowed in the present period.
    pub fn live_overflow(&self) -> u64 {
        rows_of(&self.passed)
    }

    /// Victims that overflowed in the last period.
    pub fn overflow(&self) -> u64 {
        rows_of(&self.last_passed)
    }
}

/// The model.
#[derive(Debug, Clone)]
pub struct CounterMatrix {
    params: Params,
    state: State,
    rules: Arc<Rules<In, State>>,
}

impl CounterMatrix {
    /// A matrix whose rows, up to 64, are kinds of events in place of victims.
    pub(crate) fn with_rows(rows: usize, params: Params) -> Result<Self, ParamError> {
        params.check_ranges()?;
        let zeros = vec![vec![0; params.kernels]; rows];
        let state = State {
            count: zeros.clone(),
            shadow: zeros,
            passed: vec![0; rows],
            last_passed: vec![0; rows],
            answers: Delayed::new(READ_LATENCY, Answer::default()),
            ..State::default()
        };
        Ok(Self {
            rules: Arc::new(Self::rules(&params)),
            params,
            state,
        })
    }

    /// Sets a counter, as if so many events had come in the period: more than its limit leave it
    /// there, and marked. Unknown KIDs have none.
    ///
    /// For runs that start close to the limit, which a wide counter reaches only after hours.
    pub fn preset(&mut self, victim: usize, aggressor: usize, count: u64) {
        let max = limit(self.params.cnt_w);
        let State {
            count: counters,
            passed,
            ..
        } = &mut self.state;
        preset(counters, passed, (victim, aggressor), (count, max));
    }

    fn count_events(&mut self, aggressor: usize, inc: &[u32]) {
        let max = limit(self.params.cnt_w);
        let State { count, passed, .. } = &mut self.state;
        for ((row, passed), &events) in count.iter_mut().zip(passed).zip(inc) {
            // A KID without a kernel has no counter.
            let Some(count) = row.get_mut(aggressor) else {
                return;
            };
            let sum = count.saturating_add(events.into());
            // At 64 bits the addition itself saturates: compare what was lost, not the sum.
            let lost = sum - *count != u64::from(events) || sum > max;
            *count = sum.min(max);
            if lost {
                passed.view_bits_mut::<Lsb0>().set(aggressor, true);
            }
        }
    }
}

impl Model for CounterMatrix {
    type Params = Params;
    type In = In;
    type Out = Out;
    type State = State;

    fn new(params: Params) -> Result<Self, ParamError> {
        Self::with_rows(params.kernels, params)
    }

    fn params(&self) -> &Params {
        &self.params
    }

    fn reset(&mut self) {
        let State {
            count,
            shadow,
            passed,
            last_passed,
            sequence_number,
            answers,
        } = &mut self.state;
        count.iter_mut().chain(shadow).for_each(|row| row.fill(0));
        passed
            .iter_mut()
            .chain(last_passed)
            .for_each(|row| *row = 0);
        *sequence_number = 0;
        answers.clear(&Answer::default());
    }

    fn step(&mut self, input: &In) -> Out {
        let state = &mut self.state;
        let answer = state.answers.due_or_default();
        let out = Out {
            read_count: answer.count,
            read_overflow: answer.overflow,
            overflow: state.overflow(),
            sequence_number: state.sequence_number,
        };
        if input.reset {
            self.reset();
            return out;
        }
        let (asked, marks) = match input.read_live {
            true => (&state.count, &state.passed),
            false => (&state.shadow, &state.last_passed),
        };
        let at = (input.read_victim.into(), input.read_aggressor.into());
        state.answers.pass(read(asked, marks, at));
        if input.snapshot {
            std::mem::swap(&mut state.shadow, &mut state.count);
            state.count.iter_mut().for_each(|row| row.fill(0));
            state.last_passed.copy_from_slice(&state.passed);
            state.passed.fill(0);
            state.sequence_number = state.sequence_number.wrapping_add(1);
        }
        if input.inc_valid {
            self.count_events(input.inc_kid.into(), &input.inc);
        }
        out
    }

    fn state(&self) -> &State {
        &self.state
    }

    fn rules(p: &Params) -> Rules<In, State> {
        Rules::new()
            .legal(
                "known_aggressor",
                "Increments are caused by a kernel that there is.",
                input!(inc_valid).implies(input!(inc_kid).below(p.kernels)),
            )
            .legal(
                "known_counter",
                "The counter that is read is of kernels that there are.",
                known_counter(input!(read_victim), input!(read_aggressor), p.kernels),
            )
    }

    fn assume(&self, input: &In) -> Result<(), Violation> {
        self.rules.check(&self.params, input, &self.state)
    }
}

impl Part for CounterMatrix {
    fn registers(&mut self) -> &mut State {
        &mut self.state
    }
}

#[cfg(test)]
mod tests {
    //! Rationale: what can go wrong is at the edges: the last value below the limit, the limit
    //! itself and the first above; an increment beside a snapshot; a read beside a snapshot; the
    //! sequence number's wrap; KIDs without a kernel. 8-bit counters reach their limit quickly,
    //! 64-bit ones overflow the host's own arithmetic.
    use super::*;

    fn matrix(kernels: usize, inc_w: usize, cnt_w: usize) -> CounterMatrix {
        CounterMatrix::new(Params {
            kernels,
            inc_w,
            cnt_w,
        })
        .unwrap()
    }

    fn idle(kernels: usize) -> In {
        In {
            inc: vec![0; kernels],
            ..In::default()
        }
    }

    fn inc(aggressor: u8, inc: &[u32]) -> In {
        In {
            inc_valid: true,
            inc_kid: aggressor,
            inc: inc.to_vec(),
            ..In::default()
        }
    }

    #[test]
    fn only_the_aggressors_counters_change() {
        let mut m = matrix(3, 5, 8);
        m.step(&inc(1, &[4, 0, 7]));
        m.step(&inc(2, &[1, 1, 1]));
        m.step(&inc(1, &[1, 0, 0]));
        assert_eq!(m.state().count, [[0, 5, 1], [0, 0, 1], [0, 7, 1]]);
    }

    #[test]
    fn not_valid_not_counted() {
        let mut m = matrix(2, 5, 8);
        m.step(&In {
            inc_valid: false,
            ..inc(1, &[4, 4])
        });
        assert_eq!(m.state().count, [[0, 0], [0, 0]]);
    }

    #[test]
    fn reaching_the_limit_is_no_overflow_passing_it_is_sticky() {
        let mut m = matrix(2, 8, 8);
        m.step(&inc(0, &[254, 255]));
        assert_eq!(m.state().live_overflow(), 0, "255 is representable");
        m.step(&inc(0, &[1, 0]));
        assert_eq!((m.state().count[0][0], m.state().live_overflow()), (255, 0));
        m.step(&inc(0, &[0, 1]));
        assert_eq!(
            (m.state().count[1][0], m.state().live_overflow()),
            (255, 0b10)
        );
        m.step(&inc(1, &[0, 0]));
        assert_eq!(m.state().live_overflow(), 0b10, "sticky");

        let seen_during = m.step(&In {
            snapshot: true,
            ..idle(2)
        });
        assert_eq!(seen_during.overflow, 0);
        let seen_after = m.step(&In {
            snapshot: true,
            ..idle(2)
        });
        assert_eq!((seen_after.overflow, seen_after.sequence_number), (0b10, 1));
        let third = m.step(&idle(2));
        assert_eq!(
            (third.overflow, third.sequence_number),
            (0, 2),
            "the new period had none"
        );
    }

    #[test]
    fn sixty_four_bit_counters_saturate_too() {
        let mut m = matrix(1, 32, 64);
        m.state.count[0][0] = u64::MAX - 5;
        m.step(&inc(0, &[5]));
        assert_eq!(
            (m.state().count[0][0], m.state().live_overflow()),
            (u64::MAX, 0)
        );
        m.step(&inc(0, &[1]));
        assert_eq!(
            (m.state().count[0][0], m.state().live_overflow()),
            (u64::MAX, 1)
        );
    }

    #[test]
    fn a_preset_counter_goes_on_from_there() {
        let mut m = matrix(2, 8, 8);
        m.preset(0, 1, 250);
        m.preset(1, 1, 1000);
        m.preset(2, 0, 7);
        assert_eq!(
            m.state().count,
            [[0, 250], [0, 255]],
            "no more than the limit"
        );
        m.step(&inc(1, &[5, 0]));
        assert_eq!(
            (m.state().count[0][1], m.state().live_overflow()),
            (255, 0b10),
            "the limit reached is not passed"
        );
    }

    #[test]
    fn an_increment_beside_a_snapshot_opens_the_new_period() {
        let mut m = matrix(2, 8, 8);
        m.step(&inc(1, &[3, 200]));
        m.step(&In {
            snapshot: true,
            ..inc(1, &[2, 100])
        });
        assert_eq!(m.state().shadow, [[0, 3], [0, 200]]);
        assert_eq!(m.state().count, [[0, 2], [0, 100]], "0 + inc: no overflow");
        assert_eq!((m.state().live_overflow(), m.state().overflow()), (0, 0));
    }

    #[test]
    fn a_read_takes_one_cycle_and_sees_the_old_shadow_beside_a_snapshot() {
        let mut m = matrix(2, 8, 8);
        let read = In {
            read_victim: 1,
            read_aggressor: 0,
            ..idle(2)
        };
        m.step(&inc(0, &[0, 9]));
        m.step(&In {
            snapshot: true,
            ..read.clone()
        });
        assert_eq!(
            m.step(&read).read_count,
            0,
            "shadow as of the snapshot's cycle"
        );
        assert_eq!(m.step(&idle(2)).read_count, 9);
        assert_eq!(m.step(&idle(2)).read_count, 0);
    }

    #[test]
    fn a_live_read_is_of_the_running_period_up_to_the_cycle_before() {
        let mut m = matrix(2, 8, 8);
        let live = |input: In| In {
            read_victim: 1,
            read_live: true,
            ..input
        };
        m.step(&live(inc(0, &[0, 200])));
        assert_eq!(m.step(&live(inc(0, &[0, 9]))).read_count, 0);
        assert_eq!(m.step(&live(inc(0, &[0, 90]))).read_count, 200);
        assert_eq!(m.step(&live(inc(1, &[0, 9]))).read_count, 209);
        let snapshot = In {
            snapshot: true,
            ..inc(0, &[0, 1])
        };
        assert_eq!(m.step(&live(snapshot)).read_count, 255, "saturated");
        assert_eq!(m.step(&live(idle(2))).read_count, 255, "before it ended");
        let last = In {
            read_live: false,
            ..live(idle(2))
        };
        assert_eq!(m.step(&last).read_count, 1, "the new period");
        assert_eq!(m.step(&idle(2)).read_count, 255, "the last one");
    }

    #[test]
    fn a_count_that_was_cut_is_read_with_its_mark() {
        let mut m = matrix(2, 8, 8);
        let live = In {
            read_live: true,
            ..idle(2)
        };
        let seen = |m: &mut CounterMatrix, input: &In| {
            m.step(input);
            let out = m.step(&idle(2));
            (out.read_count, out.read_overflow)
        };
        m.step(&inc(0, &[255, 0]));
        assert_eq!(seen(&mut m, &live), (255, false), "the limit is reached");
        m.step(&inc(0, &[1, 0]));
        assert_eq!(seen(&mut m, &live), (255, true), "and passed");
        let others = [(0, 1), (1, 0), (1, 1), (2, 0), (0, 2)];
        for (read_victim, read_aggressor) in others {
            let other = In {
                read_victim,
                read_aggressor,
                ..live.clone()
            };
            assert_eq!(seen(&mut m, &other), (0, false));
        }
        let last = idle(2);
        assert_eq!(seen(&mut m, &last), (0, false), "not of the last period");
        m.step(&In {
            snapshot: true,
            ..idle(2)
        });
        assert_eq!(seen(&mut m, &last), (255, true));
        assert_eq!(seen(&mut m, &live), (0, false), "nor of the new one");
    }

    #[test]
    fn unknown_kids_read_zero_and_count_nothing() {
        let mut m = matrix(3, 8, 8);
        m.step(&inc(3, &[9, 9, 9]));
        assert_eq!(m.state().count, [[0; 3]; 3]);
        m.step(&inc(2, &[9, 9, 9]));
        m.step(&In {
            snapshot: true,
            ..idle(3)
        });
        for (read_victim, read_aggressor) in [(3, 2), (2, 3), (255, 255)] {
            m.step(&In {
                read_victim,
                read_aggressor,
                ..idle(3)
            });
            assert_eq!(m.step(&idle(3)).read_count, 0);
        }
    }

    #[test]
    fn the_sequence_number_wraps_at_256() {
        let mut m = matrix(1, 1, 1);
        for n in 0..=256u32 {
            let out = m.step(&In {
                snapshot: true,
                ..idle(1)
            });
            assert_eq!(u32::from(out.sequence_number), n % 256);
        }
    }

    #[test]
    fn reset_wins_over_everything() {
        let mut m = matrix(2, 8, 8);
        let fresh = m.state().clone();
        m.step(&inc(0, &[255, 255]));
        m.step(&In {
            snapshot: true,
            ..inc(0, &[255, 1])
        });
        m.step(&In {
            reset: true,
            snapshot: true,
            ..inc(0, &[1, 1])
        });
        assert_eq!(*m.state(), fresh);
    }

    #[test]
    fn illegal_parameters_and_inputs_are_named() {
        for (kernels, inc_w, cnt_w) in [(0, 1, 1), (65, 1, 1), (2, 0, 1), (2, 9, 8), (2, 9, 65)] {
            assert!(CounterMatrix::new(Params {
                kernels,
                inc_w,
                cnt_w
            })
            .is_err());
        }
        let m = matrix(3, 4, 8);
        let at_fault = |input: &In| m.assume(input).unwrap_err().field().to_string();
        assert!(m.assume(&idle(3)).is_ok());
        assert!(
            m.assume(&In {
                inc_kid: 3,
                ..idle(3)
            })
            .is_ok(),
            "the value is ignored"
        );
        assert_eq!(at_fault(&inc(3, &[0; 3])), "inc_kid");
        assert_eq!(at_fault(&inc(0, &[0; 2])), "inc");
        assert_eq!(at_fault(&inc(0, &[0, 16, 0])), "inc[1]");
        assert_eq!(
            at_fault(&In {
                read_victim: 3,
                ..idle(3)
            }),
            "read_victim"
        );
        assert_eq!(
            at_fault(&In {
                read_aggressor: 3,
                ..idle(3)
            }),
            "read_aggressor"
        );
    }
}
