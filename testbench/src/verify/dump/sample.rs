//! Samples a dump at the edges of its clock.

use std::collections::VecDeque;
use std::path::Path;

use wellen::stream::{Filter, StreamError};

use super::bits::Bits;
use super::map::{Edge, Sample, Window};
use super::open::{broken, guarded, Wave};
use super::signals::Part;
use super::{Error, Result};

/// When to sample.
#[derive(Debug, Clone)]
pub(super) struct Sampling {
    pub clock: Part,
    pub edge: Edge,
    pub offsets: Sample,
    pub window: Window,
}

/// An edge of the clock, and the values of all signals.
pub(super) struct Sampled<'a> {
    pub time: u64,
    /// The clock is neither 0 nor 1: no edge, but there may have been one.
    pub lost: bool,
    /// As the inputs are to be taken from.
    pub inputs: &'a [Bits],
    /// As the outputs are to be taken from.
    pub outputs: &'a [Bits],
}

/// Whether to go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    More,
    Enough,
}

/// Why the reader stops.
enum Halt {
    Enough,
    Failed(Box<Error>),
}

impl From<Error> for Halt {
    fn from(error: Error) -> Self {
        Self::Failed(Box::new(error))
    }
}

/// What changed at a time.
struct Step {
    time: i128,
    changes: Vec<(usize, Bits)>,
}

/// The signals as they are at some time that moves on.
struct View {
    values: Vec<Bits>,
    /// Steps seen, of all that there were.
    seen: usize,
}

/// Who looks at an edge. A closure of each unit would be a reader of each format for each unit.
pub(super) type Give<'a> = &'a mut dyn FnMut(&Sampled<'_>) -> Result<Next>;

/// Gives each edge to someone. Holds the steps between the earliest and the latest time that the
/// offsets ask for, and no more.
struct Sampler<'a> {
    sampling: &'a Sampling,
    now: Step,
    /// Steps that a view has still to see.
    steps: VecDeque<Step>,
    /// Steps that both have seen.
    dropped: usize,
    clock: Option<bool>,
    /// Edges that wait for values after them: time, and whether it is none but an X.
    edges: VecDeque<(u64, bool)>,
    inputs: View,
    outputs: View,
    give: Give<'a>,
}

/// Reads a dump and gives each edge of the clock within the window to `give`, until that has
/// enough.
///
/// # Errors
/// [`Error::Dump`], and what `give` says.
pub(super) fn edges(
    wave: &mut Wave,
    path: &Path,
    signals: &[wellen::SignalRef],
    widths: &[usize],
    sampling: &Sampling,
    give: Give<'_>,
) -> Result<()> {
    let view = || View {
        values: widths.iter().map(|&width| Bits::unknown(width)).collect(),
        seen: 0,
    };
    let mut sampler = Sampler {
        sampling,
        now: Step {
            time: 0,
            changes: vec![],
        },
        steps: VecDeque::new(),
        dropped: 0,
        clock: None,
        edges: VecDeque::new(),
        inputs: view(),
        outputs: view(),
        give,
    };
    let streamed = guarded(|| {
        wave.stream_changes(Filter::include_signals(signals), |time, signal, value| {
            let index = signals.iter().position(|&known| known == signal);
            match (index, Bits::of(value)) {
                (Some(index), Some(bits)) => sampler.change(time, index, bits),
                _ => Ok(()),
            }
        })
    });
    let ended = match streamed {
        Ok(Ok(())) => sampler.end(),
        Ok(Err(StreamError::Callback(halt))) => Err(halt),
        Ok(Err(StreamError::Wellen(error))) => return Err(broken(path, error.to_string())),
        Err(problem) => return Err(broken(path, problem)),
    };
    match ended {
        Ok(()) | Err(Halt::Enough) => Ok(()),
        Err(Halt::Failed(error)) => Err(*error),
    }
}

impl Sampler<'_> {
    fn change(&mut self, time: u64, signal: usize, bits: Bits) -> std::result::Result<(), Halt> {
        if i128::from(time) != self.now.time {
            self.step()?;
            self.now.time = time.into();
        }
        self.now.changes.push((signal, bits));
        Ok(())
    }

    /// A time is over.
    fn step(&mut self) -> std::result::Result<(), Halt> {
        let time = self.now.time;
        let changes = std::mem::take(&mut self.now.changes);
        if changes.is_empty() {
            return Ok(());
        }
        // Several changes at a time are a glitch: the last counts.
        let Part { signal, low, .. } = self.sampling.clock;
        let clock = changes.iter().rev().find(|(changed, _)| *changed == signal);
        if let Some((_, bits)) = clock {
            let mut bit = Bits::zero(1);
            bit.put(0, bits, low, 1);
            let (before, after) = (self.clock, bit.bit());
            self.clock = after;
            let active = self.sampling.edge == Edge::Rising;
            let edge = before == Some(!active) && after == Some(active);
            let lost = before.is_some() && after.is_none();
            let time = time as u64;
            if self.sampling.window.end.is_some_and(|end| time > end) {
                self.steps.push_back(Step {
                    time: time.into(),
                    changes,
                });
                self.end_edges()?;
                return Err(Halt::Enough);
            }
            if (edge || lost) && self.sampling.window.start.is_none_or(|start| time >= start) {
                self.edges.push_back((time, lost));
            }
        }
        self.steps.push_back(Step { time, changes });
        let Sample { inputs, outputs } = self.sampling.offsets;
        let late = i128::from(inputs.max(outputs));
        while let Some(&(edge, lost)) = self.edges.front() {
            // Until then, changes before the sample may be still to come.
            if time < i128::from(edge) + late {
                break;
            }
            self.edges.pop_front();
            self.sample(edge, lost)?;
        }
        // Nothing will ask for what was before.
        let next = self
            .edges
            .front()
            .map_or(time + 1, |&(edge, _)| edge.into());
        self.advance(next);
        Ok(())
    }

    fn end(&mut self) -> std::result::Result<(), Halt> {
        self.step()?;
        self.end_edges()
    }

    fn end_edges(&mut self) -> std::result::Result<(), Halt> {
        while let Some((edge, lost)) = self.edges.pop_front() {
            self.sample(edge, lost)?;
        }
        Ok(())
    }

    fn sample(&mut self, time: u64, lost: bool) -> std::result::Result<(), Halt> {
        self.advance(time.into());
        let sampled = Sampled {
            time,
            lost,
            inputs: &self.inputs.values,
            outputs: &self.outputs.values,
        };
        match (self.give)(&sampled)? {
            Next::More => Ok(()),
            Next::Enough => Err(Halt::Enough),
        }
    }

    /// Moves both views to just before an edge, and what they are away from it.
    fn advance(&mut self, edge: i128) {
        let Sample { inputs, outputs } = self.sampling.offsets;
        for (view, offset) in [(&mut self.inputs, inputs), (&mut self.outputs, outputs)] {
            let until = edge + i128::from(offset);
            while let Some(step) = self.steps.get(view.seen - self.dropped) {
                if step.time >= until {
                    break;
                }
                for (signal, bits) in &step.changes {
                    view.values[*signal].clone_from(bits);
                }
                view.seen += 1;
            }
        }
        let both = self.inputs.seen.min(self.outputs.seen);
        self.steps.drain(..both - self.dropped);
        self.dropped = both;
    }
}

#[cfg(test)]
mod tests {
    //! Rationale: where a value changes at the very time of the edge, offsets decide which one is
    //! meant; each is tried at both sides of the change, with the two views apart. Steps are
    //! dropped.
    use super::*;

    fn bits(value: u64) -> Bits {
        let mut bits = Bits::zero(8);
        bits.set(value);
        bits
    }

    /// A rising edge every 10, and a signal that counts at it, at the time itself.
    fn sampled(inputs: i64, outputs: i64, window: Window) -> Vec<(u64, u64, u64)> {
        let sampling = Sampling {
            clock: Part {
                name: "clock".into(),
                signal: 0,
                low: 0,
                width: 1,
            },
            edge: Edge::Rising,
            offsets: Sample { inputs, outputs },
            window,
        };
        let mut seen = vec![];
        let mut give = |sampled: &Sampled<'_>| {
            let value = |values: &[Bits]| values[1].words()[0];
            seen.push((sampled.time, value(sampled.inputs), value(sampled.outputs)));
            Ok(Next::More)
        };
        let view = || View {
            values: vec![Bits::unknown(1), Bits::unknown(8)],
            seen: 0,
        };
        let mut sampler = Sampler {
            sampling: &sampling,
            now: Step {
                time: 0,
                changes: vec![],
            },
            steps: VecDeque::new(),
            dropped: 0,
            clock: None,
            edges: VecDeque::new(),
            inputs: view(),
            outputs: view(),
            give: &mut give,
        };
        let mut most = 0;
        let changes = (0..100).flat_map(|cycle| {
            let time = 10 * cycle;
            [(time, 0, 1), (time, 1, cycle + 1), (time + 5, 0, 0)]
        });
        let mut halt = Ok(());
        for (time, signal, value) in changes {
            halt = halt.and_then(|()| sampler.change(time, signal, bits(value)));
            most = most.max(sampler.steps.len());
        }
        let halt = halt.and_then(|()| sampler.end());
        assert!(!matches!(halt, Err(Halt::Failed(_))));
        assert!(most < 12, "{most} steps are held");
        seen
    }

    #[test]
    fn values_are_those_just_before_the_sample() {
        let all = Window::default();
        // The first is no edge: nothing was before.
        let (first, last) = (10, 990);
        for (offset, at_first) in [
            (0, 1),
            (1, 2),
            (-9, 1),
            (-10, 0),
            (10, 2),
            (11, 3),
            (-20, 0),
        ] {
            let seen = sampled(offset, 0, all);
            assert_eq!(seen[0], (first, at_first, 1), "{offset}");
            assert_eq!(seen.len(), 99);
            let late = 99 + i64::from(offset > 0)
                - i64::from(offset == -10)
                - 2 * i64::from(offset == -20);
            assert_eq!(seen[98], (last, late as u64, 99), "{offset}");
            let swapped = sampled(0, offset, all);
            assert_eq!(swapped[0], (first, 1, at_first), "{offset}");
        }
    }

    #[test]
    fn the_window_has_both_its_ends() {
        let window = Window {
            start: Some(20),
            end: Some(40),
        };
        let times = |window| {
            let seen = sampled(0, 1, window).into_iter();
            seen.map(|(time, ..)| time).collect::<Vec<_>>()
        };
        assert_eq!(times(window), [20, 30, 40]);
        let narrow = Window {
            start: Some(21),
            end: Some(39),
        };
        assert_eq!(times(narrow), [30]);
    }
}
