//! The cycles of a run: reset, segments if there are any, then seeded stimulus.

use cotenant_golden::Model;

use super::{stream, Drive, Knobs, Mix, Odds, Pace, Profile, Random, Segment, Source, Stream};
use crate::error::Result;
use crate::verify::interface::{unpack_in, Form, InOf, Packer, ParamsOf};

/// Stimulus for a design that starts from its reset: that, then segments, for instance those of a
/// [`Plan`](crate::verify::directed::Plan), then a stream without an end.
#[derive(Debug)]
pub struct FromReset<U: Drive> {
    params: ParamsOf<U>,
    form: Form,
    reset: Reset<U>,
    /// Cycles of reset yet to come.
    resets: u64,
    /// Segments yet to come, the next one last.
    segments: Vec<Segment>,
    /// The segment that is gone, and its cycles left.
    segment: Option<(Stream<U>, u64)>,
    stimulus: Stream<U>,
    input: InOf<U>,
    row: Vec<u64>,
}

impl<U: Drive> FromReset<U> {
    /// Reset, segments, mix; the same for the same unit and arguments, on every machine.
    pub fn new(params: &ParamsOf<U>, segments: &[Segment], mix: impl Into<Mix>, seed: u64) -> Self {
        let form = U::form(params);
        Self {
            params: params.clone(),
            reset: Reset::new(params, seed),
            resets: form.reset_cycles(),
            segments: segments.iter().rev().copied().collect(),
            segment: None,
            stimulus: stream::<U>(params, mix, seed),
            input: U::idle(params),
            row: form.input_row(),
            form,
        }
    }

    /// The inputs of the next cycle, which the golden model is in front of.
    ///
    /// # Errors
    /// [`Error::Interface`](crate::Error::Interface) if the unit's ports and its model do not fit.
    pub fn input(&mut self, model: &U::Model) -> Result<&InOf<U>> {
        if self.resets > 0 {
            self.reset.input(&self.params, model, &mut self.input);
            self.resets -= 1;
            self.input = self.in_reset()?;
        } else {
            self.drive(model);
        }
        Ok(&self.input)
    }

    /// The inputs that were asked for last.
    pub fn last_input(&self) -> &InOf<U> {
        &self.input
    }

    /// The inputs of a cycle behind the reset.
    fn drive(&mut self, model: &U::Model) {
        while self.segment.as_ref().is_none_or(|(_, left)| *left == 0) {
            let before = self.segment.take().map(|(stream, _)| stream.into_world());
            let Some(next) = self.segments.pop() else {
                if let Some(world) = before {
                    self.stimulus.set_world(world);
                }
                break;
            };
            let world = before.unwrap_or_else(|| U::world(&self.params));
            let stream = Stream::segment(&self.params, &next, world);
            self.segment = Some((stream, next.cycles));
        }
        match &mut self.segment {
            Some((stream, left)) => {
                *left -= 1;
                stream.input(&self.params, model, &mut self.input);
            }
            None => {
                self.stimulus.input(&self.params, model, &mut self.input);
            }
        }
    }

    /// The inputs with the reset high: a unit's stimulus need not reset in every cycle that it may.
    fn in_reset(&mut self) -> Result<InOf<U>> {
        U::pack_in(&self.params, &self.input, &mut Packer::new(&mut self.row));
        self.form.reset(&mut self.row);
        unpack_in::<U>(&self.form.inputs, &self.row)
    }
}

/// A golden model from its reset on, and what drives it: the cycles of vectors, without an end.
///
/// ```
/// use cotenant::unit::llc::LruStack;
/// use cotenant::verify::interface::Interface;
/// use cotenant::verify::stimulus::{Mix, Run};
///
/// let mut run = Run::<LruStack>::new(&LruStack::read("4x2")?, &[], Mix::default(), 1)?;
/// assert!(run.input()?.reset);
/// let (inputs, outputs) = run.answer();
/// assert_eq!((inputs.len(), outputs.len()), (8, 7));
/// # Ok::<(), cotenant::Error>(())
/// ```
#[derive(Debug)]
pub struct Run<U: Drive> {
    golden: U::Model,
    stimulus: FromReset<U>,
    inputs: Vec<u64>,
    outputs: Vec<u64>,
}

impl<U: Drive> Run<U> {
    /// See [`FromReset::new`].
    ///
    /// # Errors
    /// [`Error::Golden`](crate::Error::Golden).
    pub fn new(
        params: &ParamsOf<U>,
        segments: &[Segment],
        mix: impl Into<Mix>,
        seed: u64,
    ) -> Result<Self> {
        let stimulus = FromReset::new(params, segments, mix, seed);
        Ok(Self {
            golden: U::model(params)?,
            inputs: stimulus.form.input_row(),
            outputs: stimulus.form.output_row(),
            stimulus,
        })
    }

    /// The inputs of the next cycle; [`answer`](Run::answer) then goes through it.
    ///
    /// # Errors
    /// See [`FromReset::input`].
    pub fn input(&mut self) -> Result<&InOf<U>> {
        self.stimulus.input(&self.golden)
    }

    /// The inputs that were asked for last.
    pub fn last_input(&self) -> &InOf<U> {
        self.stimulus.last_input()
    }

    /// The golden model, before the cycle of these inputs.
    pub fn model(&self) -> &U::Model {
        &self.golden
    }

    /// Goes through the cycle of these inputs: rows of its inputs and outputs, in which each port starts
    /// a word.
    pub fn answer(&mut self) -> (&[u64], &[u64]) {
        let FromReset { params, input, .. } = &self.stimulus;
        U::pack_in(params, input, &mut Packer::new(&mut self.inputs));
        let out = self.golden.step(input);
        U::pack_out(params, &out, &mut Packer::new(&mut self.outputs));
        (&self.inputs, &self.outputs)
    }
}

/// Reset as often as can be, and anything on the other ports.
#[derive(Debug)]
struct Reset<U: Drive> {
    knobs: Knobs,
    pace: Pace,
    random: Random,
    transaction: U::Transaction,
    /// Not the stream's, which starts when the reset is over.
    world: U::World,
}

impl<U: Drive> Reset<U> {
    fn new(params: &ParamsOf<U>, seed: u64) -> Self {
        // Other numbers than the stream's.
        let mut random = Random::new(!seed);
        Self {
            knobs: Knobs {
                reset: Odds::ALWAYS,
                ..Profile::Uniform.knobs()
            },
            pace: Pace::new(U::kernels(params), &mut random),
            random,
            transaction: U::nothing(params),
            world: U::world(params),
        }
    }

    fn input(&mut self, params: &ParamsOf<U>, golden: &U::Model, input: &mut InOf<U>) {
        let Self {
            knobs,
            pace,
            random,
            transaction,
            world,
        } = self;
        U::draw(params, knobs, pace, random, transaction);
        U::resolve(params, golden, world, transaction, input);
    }
}
