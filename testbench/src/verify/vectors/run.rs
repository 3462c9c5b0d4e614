//! The cycles of a run: reset, legs if there are any, then seeded stimulus.

use cotenant_golden::Model;
use cotenant_units::table::ParameterSet;

use super::{Vectors, RESET_CYCLES};
use crate::error::Result;
use crate::verify::coverage::{Collect, Cover, CoverageReport};
use crate::verify::interface::{unpack_in, Form, InOf, Packer, ParamsOf};
use crate::verify::stimulus::{
    stream, Drive, Knobs, Leg, Odds, Pace, Profile, Random, Source, Stream,
};

/// A golden model and what drives it; the same cycles for the same unit, set and [`Vectors`].
pub(crate) struct Run<U: Drive> {
    params: ParamsOf<U>,
    form: Form,
    golden: U::Model,
    reset: Reset<U>,
    /// Cycles of reset yet to come.
    resets: u64,
    /// Legs yet to come, the next one last.
    legs: Vec<Leg>,
    /// The leg that is gone, and its cycles left.
    leg: Option<(Stream<U>, u64)>,
    stimulus: Stream<U>,
    input: InOf<U>,
    inputs: Vec<u64>,
    outputs: Vec<u64>,
}

impl<U: Drive> Run<U> {
    pub fn new(set: &ParameterSet, vectors: &Vectors) -> Result<Self> {
        let params = U::params(set)?;
        let form = U::form(&params);
        Ok(Self {
            golden: U::model(&params)?,
            reset: Reset::new(&params, vectors.seed),
            resets: reset_cycles(&form),
            legs: vectors.legs.iter().rev().copied().collect(),
            leg: None,
            stimulus: stream::<U>(&params, vectors.mix.clone(), vectors.seed),
            input: U::idle(&params),
            inputs: form.input_row(),
            outputs: form.output_row(),
            form,
            params,
        })
    }

    /// The inputs of the next cycle.
    ///
    /// # Errors
    /// [`Error::Interface`](crate::Error::Interface) if the unit's ports and its model do not fit.
    pub fn input(&mut self) -> Result<&InOf<U>> {
        let (params, golden) = (&self.params, &self.golden);
        if self.resets > 0 {
            self.reset.input(params, golden, &mut self.input);
            self.resets -= 1;
            self.input = self.in_reset()?;
        } else {
            self.drive();
        }
        Ok(&self.input)
    }

    /// The inputs of a cycle behind the reset.
    fn drive(&mut self) {
        while self.leg.as_ref().is_none_or(|(_, left)| *left == 0) {
            let before = self.leg.take().map(|(stream, _)| stream.into_world());
            let Some(next) = self.legs.pop() else {
                if let Some(world) = before {
                    self.stimulus.set_world(world);
                }
                break;
            };
            let world = before.unwrap_or_else(|| U::world(&self.params));
            let stream = Stream::leg(&self.params, &next, world);
            self.leg = Some((stream, next.cycles));
        }
        let (params, golden) = (&self.params, &self.golden);
        match &mut self.leg {
            Some((stream, left)) => {
                *left -= 1;
                stream.input(params, golden, &mut self.input);
            }
            None => {
                self.stimulus.input(params, golden, &mut self.input);
            }
        }
    }

    /// The inputs with the reset high: a unit's stimulus need not reset in every cycle that it may.
    fn in_reset(&mut self) -> Result<InOf<U>> {
        U::pack_in(
            &self.params,
            &self.input,
            &mut Packer::new(&mut self.inputs),
        );
        self.form.reset(&mut self.inputs);
        unpack_in::<U>(&self.form.inputs, &self.inputs)
    }

    /// Goes through that cycle: rows of its inputs and outputs, in which each port starts a word.
    pub fn answer(&mut self) -> (&[u64], &[u64]) {
        U::pack_in(
            &self.params,
            &self.input,
            &mut Packer::new(&mut self.inputs),
        );
        let out = self.golden.step(&self.input);
        U::pack_out(&self.params, &out, &mut Packer::new(&mut self.outputs));
        (&self.inputs, &self.outputs)
    }
}

/// What vectors hit of a unit's functional coverage.
///
/// # Errors
/// What keeps the unit's model from being built.
pub fn coverage<U: Cover>(set: &ParameterSet, vectors: &Vectors) -> Result<CoverageReport> {
    let mut run = Run::<U>::new(set, vectors)?;
    let mut collector = U::collector(&run.params);
    for _ in 0..vectors.cycles {
        run.input()?;
        collector.sample(&run.golden, &run.input);
        run.golden.step(&run.input);
    }
    Ok(CoverageReport::of::<U>(&collector))
}

/// A run without the unit's types.
pub(super) trait AnyRun {
    /// The inputs and outputs of the next cycle, as [`Run::answer`] gives them.
    ///
    /// # Errors
    /// As [`Run::input`].
    fn cycle(&mut self) -> Result<(&[u64], &[u64])>;
}

impl<U: Drive> AnyRun for Run<U> {
    fn cycle(&mut self) -> Result<(&[u64], &[u64])> {
        self.input()?;
        Ok(self.answer())
    }
}

/// Cycles of reset in front: none where there is nothing to reset.
pub(crate) fn reset_cycles(form: &Form) -> u64 {
    match form.has_reset() {
        true => RESET_CYCLES,
        false => 0,
    }
}

/// Reset as often as can be, and anything on the other ports.
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
