//! `shadow_stack`: how many lines of each kernel have been used since a kernel's last use of a line.
//!
//! Source: docs/attribution.md. For each sampled set there is one LRU stack over all kernels, with
//! at most `ways` lines of each: a kernel that has used as many others since would miss the line
//! even alone. The lines of kernel j above the line that is used again are `d_j`.
//!
//! A stack is a row of places, most recently used first. A line that is used goes to the first
//! place; those above the place that it leaves move down by one, and so do they above an empty
//! place if it comes first. A kernel's line with `ways` - 1 others of the kernel above it leaves,
//! since the new line is one more.
//!
//! Timing: `lanes` places are looked at per cycle, from the first place until a line of the kernel's
//! own is found or all have been seen. An access is taken while `ready`; the answer comes with `done`, one cycle
//! after the last look, and in that cycle the next access may come. Others are ignored. After reset
//! the stacks are cleared, `lanes` places per cycle.
//!
//! ASSUMPTION: a line that another kernel has used last is that kernel's; the access moves it to
//! the accessing kernel, and `done_shared` says so.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{clog2, id_w, pos_w, MAX_KERNELS, MAX_WAYS};
use crate::model::{Model, ParamError, Part, Violation};
use crate::ports::{Parameters, Ports, Registers};
use crate::rules::*;

/// Parameters of [`ShadowStack`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Parameters)]
pub struct Params {
    /// Ways of the cache, 1 to [`MAX_WAYS`].
    #[range(1..=MAX_WAYS)]
    pub ways: usize,
    /// Number of kernels, 2 to [`MAX_KERNELS`].
    #[range(2..=MAX_KERNELS)]
    pub kernels: usize,
    /// Number of stacks, 2 or more.
    #[range(2..=1 << 20)]
    pub stacks: usize,
    /// Width of a tag in bits, 1 to 64.
    #[range(1..=64)]
    pub tag_w: usize,
    /// Places that are looked at per cycle: a stack has at least two times as many.
    #[range(1..=p.ways * p.kernels / 2)]
    pub lanes: usize,
}

impl Params {
    /// Cycles in which all places are looked at.
    pub fn rows(&self) -> usize {
        (self.ways * self.kernels).div_ceil(self.lanes)
    }

    /// Places of a stack.
    pub fn places(&self) -> usize {
        self.rows() * self.lanes
    }

    /// Width of the address of a row: of one of `stacks`, and in it.
    pub fn address_w(&self) -> usize {
        clog2(self.stacks) + clog2(self.rows())
    }
}

/// Input ports.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Ports)]
pub struct In {
    /// Synchronous reset.
    pub reset: bool,
    /// There is an access this cycle.
    pub access_valid: bool,
    /// Its stack.
    #[port(clog2(p.stacks))]
    pub access_stack: u32,
    /// Its tag.
    #[port(p.tag_w)]
    pub access_tag: u64,
    /// The accessing kernel.
    #[port(id_w(p.kernels))]
    pub access_kid: u8,
}

/// Output ports, all registered.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Ports)]
pub struct Out {
    /// An access is taken.
    pub ready: bool,
    /// An access has been looked up.
    pub done: bool,
    /// Whose it was.
    #[port(id_w(p.kernels))]
    pub done_kid: u8,
    /// The kernel used the line before, as the last one.
    pub done_again: bool,
    /// Another kernel used the line last.
    pub done_shared: bool,
    /// Lines of each kernel above it, or in the whole stack if it was not there.
    #[port([pos_w(p.ways); p.kernels])]
    pub done_above: Vec<u8>,
}

/// A line in a stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// Who used it last.
    pub kid: u8,
    /// Its tag.
    pub tag: u64,
}

/// What became of an access.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Done {
    /// Its kernel.
    pub kid: u8,
    /// The kernel used the line before, as the last one.
    pub again: bool,
    /// Another kernel used it last.
    pub shared: bool,
    /// Lines of each kernel above it.
    pub above: Vec<u8>,
}

/// An access that is being looked up.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Lookup {
    /// Its stack.
    pub stack: usize,
    /// Rows of it that have been looked at.
    pub row: usize,
    /// Rows until the answer is known.
    pub rows: usize,
    /// The stack after it.
    pub after: Vec<Option<Line>>,
    /// The answer.
    pub done: Done,
}

/// Registers, which reset to 0 but where it says otherwise, and memories, which do not.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, Registers)]
pub struct State {
    /// The next word that is cleared, if the memories are being cleared. Reset: the first.
    #[register(skip)]
    pub sweep: Option<usize>,
    /// The access that is being looked up.
    #[register(skip)]
    pub lookup: Option<Lookup>,
    /// The one that was looked up in the cycle before.
    #[register(skip)]
    pub done: Option<Done>,
    /// The memories: places from the most recently used one.
    #[register(skip)]
    pub stacks: Vec<Vec<Option<Line>>>,
}

/// Makes a kernel's line the most recently used one; the place at which it was before and whose it
/// was, if it was there.
pub fn access(stack: &mut [Option<Line>], ways: usize, new: Line) -> Option<(usize, Line)> {
    let at = |line: &Option<Line>| line.is_some_and(|line| line.tag == new.tag);
    let place = stack.iter().position(at);
    let found = place.and_then(|place| Some((place, stack[place].take()?)));
    let own = |place: &usize| stack[*place].is_some_and(|line| line.kid == new.kid);
    if let Some(last) = (0..stack.len()).filter(own).nth(ways - 1) {
        stack[last] = None;
    }
    let free = stack.iter().position(Option::is_none);
    // There are places for as many lines of each kernel as it may have.
    let free = free.unwrap_or(stack.len() - 1);
    stack[..=free].rotate_right(1);
    stack[0] = Some(new);
    found
}

/// Lines of each kernel in these places.
pub fn lines(places: &[Option<Line>], kernels: usize) -> Vec<u8> {
    let mut lines = vec![0; kernels];
    for line in places.iter().flatten() {
        lines[usize::from(line.kid)] += 1;
    }
    lines
}

/// The model.
#[derive(Debug, Clone)]
pub struct ShadowStack {
    params: Params,
    state: State,
    rules: Arc<Rules<In, State>>,
    written: Option<usize>,
}

impl ShadowStack {
    /// The word that was written at the last edge: a row of a stack, by its address.
    pub fn written(&self) -> Option<usize> {
        self.written
    }

    /// Puts lines into a stack that is not being looked up, from the first place on, with empty
    /// places between them. Lines with a tag that is there, and those beyond the ways of their
    /// kernel, are left out; so is what does not fit.
    ///
    /// For runs that start with stacks that a run comes to only after many accesses.
    pub fn preset(&mut self, stack: usize, lines: impl IntoIterator<Item = Option<Line>>) {
        let ways = self.params.ways;
        let places = &mut self.state.stacks[stack];
        places.fill(None);
        let mut filled = 0;
        for line in lines {
            let fits = line.is_none_or(|line| {
                let there = || places[..filled].iter().flatten();
                let own = there().filter(|held| held.kid == line.kid).count();
                there().all(|held| held.tag != line.tag) && own < ways
            });
            if fits && filled < places.len() {
                places[filled] = line;
                filled += 1;
            }
        }
    }

    /// Accesses are taken from the coming cycle on.
    pub fn start(&mut self) {
        self.state.sweep = None;
    }

    /// What an access would find and leave behind.
    pub fn looked_up(params: &Params, stacks: &[Vec<Option<Line>>], input: &In) -> Lookup {
        let stack = input.access_stack as usize;
        let before = &stacks[stack];
        let mut after = before.clone();
        let new = Line {
            kid: input.access_kid,
            tag: input.access_tag,
        };
        let found = access(&mut after, params.ways, new);
        let above = found.map_or(before.len(), |(place, _)| place);
        // A line that the kernel has taken over may be above the one that leaves.
        let seen = match found {
            Some((place, line)) if line.kid == new.kid => place + 1,
            _ => before.len(),
        };
        Lookup {
            stack,
            row: 0,
            rows: seen.div_ceil(params.lanes),
            after,
            done: Done {
                kid: new.kid,
                again: found.is_some_and(|(_, line)| line.kid == new.kid),
                shared: found.is_some_and(|(_, line)| line.kid != new.kid),
                above: lines(&before[..above], params.kernels),
            },
        }
    }

    /// Writes the next word of what is cleared or looked up; the memories know no reset.
    fn write(&mut self) {
        let Params { lanes, .. } = self.params;
        let row_w = clog2(self.params.rows());
        let state = &mut self.state;
        if let Some(word) = state.sweep {
            let (stack, row) = (word >> row_w, word % (1 << row_w));
            let stack = state.stacks.get_mut(stack);
            let row = stack.and_then(|stack| stack.chunks_mut(lanes).nth(row));
            row.into_iter().for_each(|places| places.fill(None));
            self.written = Some(word);
        } else if let Some(lookup) = &state.lookup {
            let Lookup { stack, row, .. } = *lookup;
            let places = row * lanes..(row + 1) * lanes;
            state.stacks[stack][places.clone()].copy_from_slice(&lookup.after[places]);
            self.written = Some(stack << row_w | row);
        } else {
            self.written = None;
        }
    }

    fn ready(&self) -> bool {
        self.state.sweep.is_none() && self.state.lookup.is_none()
    }
}

impl Model for ShadowStack {
    type Params = Params;
    type In = In;
    type Out = Out;
    type State = State;

    fn new(params: Params) -> Result<Self, ParamError> {
        params.check_ranges()?;
        let places = vec![None; params.places()];
        let state = State {
            sweep: Some(0),
            stacks: vec![places; params.stacks],
            ..State::default()
        };
        Ok(Self {
            rules: Arc::new(Self::rules(&params)),
            params,
            state,
            written: None,
        })
    }

    fn params(&self) -> &Params {
        &self.params
    }

    fn reset(&mut self) {
        let stacks = std::mem::take(&mut self.state.stacks);
        self.state = State {
            sweep: Some(0),
            stacks,
            ..State::default()
        };
    }

    fn step(&mut self, input: &In) -> Out {
        let ready = self.ready();
        let done = self.state.done.take();
        let kernels = self.params.kernels;
        let out = Out {
            ready,
            done: done.is_some(),
            ..match done {
                Some(done) => Out {
                    done_kid: done.kid,
                    done_again: done.again,
                    done_shared: done.shared,
                    done_above: done.above,
                    ..Out::default()
                },
                None => Out {
                    done_above: vec![0; kernels],
                    ..Out::default()
                },
            }
        };
        self.write();
        if input.reset {
            self.reset();
            return out;
        }
        let state = &mut self.state;
        if let Some(word) = state.sweep {
            let next = word + 1;
            state.sweep = (next >> self.params.address_w() == 0).then_some(next);
        } else if let Some(lookup) = &mut state.lookup {
            lookup.row += 1;
            if lookup.row == lookup.rows {
                state.done = state.lookup.take().map(|lookup| lookup.done);
            }
        } else if input.access_valid {
            state.lookup = Some(Self::looked_up(&self.params, &state.stacks, input));
        }
        out
    }

    fn state(&self) -> &State {
        &self.state
    }

    fn rules(p: &Params) -> Rules<In, State> {
        let known = input!(access_stack)
            .below(p.stacks)
            .and(input!(access_kid).below(p.kernels));
        Rules::new().legal(
            "known_access",
            "An access is by a kernel that there is, to a stack that there is.",
            input!(access_valid).implies(known),
        )
    }

    fn assume(&self, input: &In) -> Result<(), Violation> {
        self.rules.check(&self.params, input, &self.state)
    }
}

impl Part for ShadowStack {
    fn registers(&mut self) -> &mut State {
        &mut self.state
    }
}

#[cfg(test)]
mod tests {
    //! Rationale: by hand what is above a line that is used again, a line that leaves because its
    //! kernel has too many, one that another kernel has used, and the places that they leave; how
    //! long a look takes, and what comes meanwhile. For random streams the answers are those of
    //! [`exact`](crate::llc::exact), which keeps lines by kernel and time in place of one order,
    //! and no kernel ever has more lines than ways.
    use super::*;
    use crate::llc::exact::{Exact, Use};
    use proptest::prelude::*;

    fn shadow(ways: usize, kernels: usize, lanes: usize) -> ShadowStack {
        let params = Params {
            ways,
            kernels,
            stacks: 2,
            tag_w: 8,
            lanes,
        };
        let mut shadow = ShadowStack::new(params).unwrap();
        while !shadow.step(&In::default()).ready {}
        shadow
    }

    fn access_by(access_kid: u8, access_tag: u64) -> In {
        In {
            access_valid: true,
            access_stack: 1,
            access_tag,
            access_kid,
            ..In::default()
        }
    }

    /// What comes of an access, and after how many cycles.
    fn look(shadow: &mut ShadowStack, input: &In) -> (Out, usize) {
        assert!(shadow.step(input).ready);
        for cycles in 1.. {
            let out = shadow.step(&In::default());
            if out.done {
                return (out, cycles);
            }
            assert!(!out.ready);
        }
        unreachable!()
    }

    #[test]
    fn what_was_used_since_the_last_use() {
        let mut s = shadow(2, 3, 1);
        for (kid, tag) in [(0, 10), (1, 11), (2, 12), (1, 13)] {
            let (out, cycles) = look(&mut s, &access_by(kid, tag));
            assert!(!out.done_again && !out.done_shared);
            assert_eq!(cycles, 6 + 1, "all places are looked at");
        }
        let (out, cycles) = look(&mut s, &access_by(0, 10));
        assert_eq!((out.done_again, out.done_kid), (true, 0));
        assert_eq!(out.done_above, [0, 2, 1]);
        assert_eq!(cycles, 4 + 1, "it was in the fourth place");
        let (out, cycles) = look(&mut s, &access_by(0, 10));
        assert_eq!(
            (out.done_above, cycles),
            (vec![0, 0, 0], 2),
            "now in the first"
        );
    }

    #[test]
    fn a_kernel_has_as_many_lines_as_ways() {
        let mut s = shadow(2, 2, 2);
        for (kid, tag) in [(0, 10), (1, 20), (0, 11), (0, 12)] {
            look(&mut s, &access_by(kid, tag));
        }
        let kids = |s: &ShadowStack| lines(&s.state().stacks[1], 2);
        assert_eq!(kids(&s), [2, 1], "line 10 has left");
        let (out, _) = look(&mut s, &access_by(0, 10));
        assert!(!out.done_again);
        let (out, _) = look(&mut s, &access_by(1, 20));
        assert_eq!((out.done_again, out.done_above), (true, vec![2, 0]));
    }

    #[test]
    fn a_line_of_another_kernel_changes_hands() {
        let mut s = shadow(2, 2, 1);
        for (kid, tag) in [(0, 10), (1, 20), (1, 21)] {
            look(&mut s, &access_by(kid, tag));
        }
        let (out, _) = look(&mut s, &access_by(1, 10));
        assert_eq!(
            (out.done_again, out.done_shared, out.done_kid),
            (false, true, 1)
        );
        assert_eq!(out.done_above, [0, 2]);
        let tags: Vec<u64> = s.state().stacks[1]
            .iter()
            .flatten()
            .map(|line| line.tag)
            .collect();
        assert_eq!(tags, [10, 21], "it came, and K1's last line left");
        let (out, _) = look(&mut s, &access_by(1, 10));
        assert!(out.done_again);
    }

    #[test]
    fn what_comes_during_a_look_is_ignored() {
        let mut s = shadow(2, 2, 1);
        s.step(&access_by(0, 10));
        let mut cycles = 0;
        while !s.step(&access_by(1, 11)).done {
            cycles += 1;
        }
        assert_eq!(cycles, 4);
        assert_eq!(
            s.state().lookup.as_ref().map(|lookup| lookup.done.kid),
            Some(1)
        );
        assert_eq!(
            lines(&s.state().stacks[1], 2),
            [1, 0],
            "taken as the answer came"
        );
    }

    #[test]
    fn a_preset_stack_has_lines_as_a_run_would() {
        let mut s = shadow(2, 2, 1);
        let line = |(kid, tag)| Some(Line { kid, tag });
        s.preset(1, [(0, 10), (1, 11), (0, 12), (0, 13), (1, 10)].map(line));
        let (out, _) = look(&mut s, &access_by(0, 12));
        assert_eq!((out.done_again, out.done_above), (true, vec![1, 1]));
        let (out, _) = look(&mut s, &access_by(0, 13));
        assert!(!out.done_again, "K0 has two lines");
        let (out, _) = look(&mut s, &access_by(1, 11));
        assert!(out.done_again, "line 10 is K0's");
    }

    #[test]
    fn a_reset_clears_all_stacks() {
        let mut s = shadow(2, 2, 1);
        look(&mut s, &access_by(0, 10));
        s.step(&access_by(0, 11));
        s.step(&In {
            reset: true,
            ..access_by(0, 12)
        });
        let mut cycles = 0;
        while !s.step(&In::default()).ready {
            cycles += 1;
        }
        assert_eq!(cycles, 8, "two stacks of four rows");
        let (out, _) = look(&mut s, &access_by(0, 10));
        assert!(!out.done_again);
    }

    #[test]
    fn illegal_parameters_and_inputs_are_named() {
        for (ways, kernels, stacks, lanes) in
            [(0, 2, 2, 1), (2, 1, 2, 1), (2, 2, 1, 1), (2, 2, 2, 3)]
        {
            let params = Params {
                ways,
                kernels,
                stacks,
                tag_w: 8,
                lanes,
            };
            assert!(ShadowStack::new(params).is_err());
        }
        let s = shadow(2, 3, 1);
        assert!(s.assume(&access_by(2, 10)).is_ok());
        let at_fault = |input: In| s.assume(&input).unwrap_err().field().to_string();
        assert_eq!(at_fault(access_by(3, 10)), "access_kid");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]
        #[test]
        fn as_the_exact_pass(
            (ways, kernels) in (1usize..5, 2usize..5),
            lanes in 1usize..5,
            stream in prop::collection::vec((0u8..4, 0u64..14), 1..200),
        ) {
            let lanes = lanes.min(ways * kernels / 2);
            let mut s = shadow(ways, kernels, lanes);
            let mut exact = Exact::new(kernels, 2, ways).unwrap();
            for (kid, tag) in stream {
                let kid = kid % kernels as u8;
                let (out, _) = look(&mut s, &access_by(kid, tag));
                let kind = exact.access(kid.into(), 1, tag);
                prop_assert_eq!(out.done_shared, matches!(kind, Use::Shared { .. }));
                let all: usize = out.done_above.iter().map(|&lines| usize::from(lines)).sum();
                let expected = match (out.done_again, all < ways) {
                    (true, true) => Use::Hit,
                    (true, false) => Use::Contention,
                    (false, _) => Use::Own,
                };
                if !out.done_shared {
                    prop_assert_eq!(kind, expected);
                }
                let own = lines(&s.state().stacks[1], kernels);
                prop_assert!(own.iter().all(|&lines| usize::from(lines) <= ways));
            }
        }
    }
}
