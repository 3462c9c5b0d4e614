//! Netlist and golden model side by side: the same inputs every cycle, every output and every
//! register compared. Of RAMs the words that the golden model writes are compared as they are
//! written, and all words from time to time and at the end of a run.
//!
//! ```
//! use cotenant::verify::lockstep::Lockstep;
//! use cotenant::verify::stimulus::{Mix, stream};
//! use cotenant::unit::llc::LruStack;
//! use cotenant_units::table;
//!
//! let set = table::set("lru_stack", "table-1")?;
//! let mut lockstep = Lockstep::<LruStack>::new(&set)?;
//! let stimulus = stream::<LruStack>(lockstep.params(), Mix::default(), 0x9e37);
//! let report = lockstep.run(stimulus, 10_000)?;
//! assert!(report.passed(), "{report}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bench;
mod check;
mod record;
mod report;
mod wave;
mod waves;

use cotenant_golden::Model;
use cotenant_netlist::sim::{Engine, SimError};
use cotenant_netlist::Netlist;
use cotenant_units::table::ParameterSet;
use std::sync::Arc;

use crate::error::{Error, Result};
use crate::verify::interface::{ContentsOf, InOf, Interface, OutOf, Packer, ParamsOf};
use crate::verify::stimulus::{Drive, Source};
pub(crate) use bench::Bench;
use bench::Driven;
pub(crate) use record::RECORDED;
pub(crate) use wave::Captions;

pub use check::{check, check_in, Check};
pub use report::{Mismatch, Report};

/// Cycles between two calls of a run's watcher.
const WATCH: u64 = 4096;
/// Cycles between two comparisons of whole RAMs. What the netlist writes and the golden model does
/// not is seen so much later at most; 4 banks of 64 sets of 16 ways are 4352 words, which makes
/// about one word per cycle.
pub(crate) const WHOLE: u64 = 4096;

/// What the watcher of a run wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    /// Go on.
    Continue,
    /// Stop here; what was compared so far counts.
    Stop,
}

/// A netlist and its golden model, in the same state and at the same cycle.
#[derive(Debug)]
pub struct Lockstep<U: Interface> {
    params: ParamsOf<U>,
    model: U::Model,
    assume: bool,
    bench: Bench,
}

impl<U: Interface> Lockstep<U> {
    /// A unit with a parameter set of the table, on the default engine.
    ///
    /// # Errors
    /// Whatever keeps it from being built: [`Error`].
    pub fn new(set: &ParameterSet) -> Result<Self> {
        match Self::with_engine(set, Engine::default()) {
            // No code generator for this machine.
            Err(Error::Simulate {
                source: SimError::Host { .. },
                ..
            }) => Self::with_engine(set, Engine::Interpreter),
            other => other,
        }
    }

    /// The same on a chosen engine.
    ///
    /// # Errors
    /// As [`Lockstep::new`].
    pub fn with_engine(set: &ParameterSet, engine: Engine) -> Result<Self> {
        Self::with_netlist(set, &U::netlist(set)?, engine)
    }

    /// A netlist of one's own, for instance one with a fault, under the name of a parameter set.
    ///
    /// # Errors
    /// [`Error::Interface`] if its ports or registers are not the golden model's.
    pub fn with_netlist(set: &ParameterSet, netlist: &Netlist, engine: Engine) -> Result<Self> {
        let params = U::params(set)?;
        let form = Arc::new(U::form(&params));
        let mut lockstep = Self {
            model: U::model(&params)?,
            params,
            assume: cfg!(debug_assertions),
            bench: Bench::new(form, set, netlist, engine)?,
        };
        lockstep.keep_state();
        Ok(lockstep)
    }

    /// Whether each cycle's inputs are checked against the unit's assumptions. By default only in
    /// builds with debug assertions: streams and strategies keep them by construction.
    #[must_use]
    pub fn check_assumptions(mut self, check: bool) -> Self {
        self.assume = check;
        self
    }

    /// The golden model's parameters.
    pub fn params(&self) -> &ParamsOf<U> {
        &self.params
    }

    /// The golden model.
    pub fn model(&self) -> &U::Model {
        &self.model
    }

    /// Cycles run so far.
    pub fn cycle(&self) -> u64 {
        self.bench.cycle
    }

    /// What runs the netlist: `jit` or `interpreter`.
    pub fn engine(&self) -> &'static str {
        engine_name(self.bench.dut.sim().engine())
    }

    /// Puts both sides into the state of `model`, by the flops' and RAMs' names; cycles count on.
    pub fn load(&mut self, model: U::Model) {
        self.model = model;
        self.keep_state();
        let resumed = U::resumed(&self.params, self.model.state());
        let (bench, contents) = self.parts();
        bench.load(&resumed, &contents);
    }

    /// The first register or word of a RAM that differs now, before the next cycle. A step
    /// compares what it leads to, but of RAMs what the golden model writes.
    pub fn compare(&mut self) -> Option<Mismatch> {
        let registers = self.bench.state_mismatch();
        registers.or_else(|| self.whole_mismatch())
    }

    /// What is there but for the golden model.
    pub(crate) fn bench(&self) -> &Bench {
        &self.bench
    }

    /// The same, and the golden model's RAMs.
    fn parts(&mut self) -> (&mut Bench, ContentsOf<'_, U>) {
        let (params, state) = (&self.params, self.model.state());
        (&mut self.bench, ContentsOf { params, state })
    }

    /// The golden model's registers as those of the coming cycle.
    fn keep_state(&mut self) {
        let state = self.bench.record.state_mut(self.bench.cycle);
        U::pack_state(&self.params, self.model.state(), &mut Packer::new(state));
    }

    /// One cycle. `None` if outputs and, after the edge, registers and words written agree.
    ///
    /// # Errors
    /// [`Error::Assumption`] if the inputs are checked and illegal.
    #[inline]
    pub fn step(&mut self, input: &InOf<U>) -> Result<Option<Mismatch>> {
        Ok(self.step_with_outputs(input)?.1)
    }

    /// [`step`](Lockstep::step), with the outputs: those of both sides if there is no mismatch,
    /// or else the golden model's.
    ///
    /// # Errors
    /// As [`step`](Lockstep::step).
    #[inline]
    pub fn step_with_outputs(&mut self, input: &InOf<U>) -> Result<(OutOf<U>, Option<Mismatch>)> {
        let out = self.advance(input)?;
        let mismatch = match self.bench.agrees() {
            true => self.memory_mismatch(),
            false => self.bench.step_mismatch(),
        };
        Ok((out, mismatch))
    }

    /// The first word that the golden model has written at the last edge and that differs; now and
    /// then of all words.
    #[inline]
    fn memory_mismatch(&mut self) -> Option<Mismatch> {
        if !self.bench.dut.has_memory() {
            return None;
        }
        let (params, state) = (&self.params, self.model.state());
        let contents = ContentsOf::<U> { params, state };
        let mut differs = None;
        U::written(params, &self.model, &mut |word| {
            if differs.is_none() && !self.bench.dut.agrees_in_word(&contents, word) {
                differs = Some(word);
            }
        });
        match differs {
            Some(word) => self.bench.word_mismatch(&contents, word),
            None if self.bench.cycle % WHOLE == 0 => self.whole_mismatch(),
            None => None,
        }
    }

    /// The first word of all RAMs that differs now.
    fn whole_mismatch(&mut self) -> Option<Mismatch> {
        let (bench, contents) = self.parts();
        bench.whole_mismatch(&contents)
    }

    /// Both sides through one cycle, without a look at them; the golden model's outputs.
    #[inline]
    fn advance(&mut self, input: &InOf<U>) -> Result<OutOf<U>> {
        let Self {
            params,
            model,
            assume,
            bench,
        } = self;
        if *assume {
            let violated = |violation| Error::Assumption {
                unit: U::NAME,
                cycle: bench.cycle,
                violation: Box::new(violation),
            };
            model.assume(input).map_err(violated)?;
        }
        bench.record.before(bench.cycle, bench.dut.sim());
        if bench.waves.shows(bench.cycle) {
            bench.place()?;
        }
        let row = bench.record.write(bench.cycle);
        U::pack_in(params, input, &mut Packer::new(row.input));
        bench.dut.drive(row.input);
        bench.dut.sim_mut().step();
        let out = model.step(input);
        U::pack_out(params, &out, &mut Packer::new(row.output));
        U::pack_state(params, model.state(), &mut Packer::new(row.next_state));
        bench.cycle += 1;
        if bench.waves.shows(bench.cycle - 1) {
            bench.show(bench.cycle - 1)?;
        }
        Ok(out)
    }
}

impl<U: Drive> Lockstep<U> {
    /// Runs until `cycles` are done, the stimulus ends, or the two sides differ.
    ///
    /// # Errors
    /// [`Error::Assumption`], [`Error::Wave`], [`Error::Io`].
    pub fn run(&mut self, stimulus: impl Source<U>, cycles: u64) -> Result<Report> {
        self.run_watched(stimulus, cycles, &mut |_| Flow::Continue)
    }

    /// [`run`](Lockstep::run), telling `watch` from time to time how many cycles are done.
    ///
    /// # Errors
    /// As [`run`](Lockstep::run).
    pub fn run_watched(
        &mut self,
        stimulus: impl Source<U>,
        cycles: u64,
        watch: &mut dyn FnMut(u64) -> Flow,
    ) -> Result<Report> {
        let report = Report {
            profile: stimulus.profile(),
            seed: stimulus.seed(),
            ..self.bench.report()
        };
        let mut stimulated = Stimulated {
            input: U::idle(&self.params),
            lockstep: self,
            stimulus,
        };
        bench::run(&mut stimulated, report, cycles, watch)
    }
}

/// A lockstep, its stimulus, and the inputs of a cycle.
struct Stimulated<'a, U: Drive, S> {
    lockstep: &'a mut Lockstep<U>,
    stimulus: S,
    input: InOf<U>,
}

impl<U: Drive, S: Source<U>> Stimulated<'_, U, S> {
    /// The inputs of the next cycle; whether there are any.
    #[inline]
    fn draw(&mut self) -> bool {
        let Lockstep { params, model, .. } = &*self.lockstep;
        self.stimulus.input(params, model, &mut self.input)
    }
}

impl<U: Drive, S: Source<U>> Driven for Stimulated<'_, U, S> {
    fn bench(&mut self) -> &mut Bench {
        &mut self.lockstep.bench
    }

    fn compare(&mut self) -> Option<Mismatch> {
        self.lockstep.compare()
    }

    fn compare_whole(&mut self) -> Option<Mismatch> {
        self.lockstep.whole_mismatch()
    }

    fn cycles(&mut self, most: u64) -> Result<(u64, Option<Mismatch>)> {
        for done in 0..most {
            if !self.draw() {
                return Ok((done, None));
            }
            let mismatch = self.lockstep.step(&self.input)?;
            if mismatch.is_some() {
                return Ok((done + 1, mismatch));
            }
        }
        Ok((most, None))
    }

    fn blind(&mut self) -> Result<()> {
        if !self.draw() {
            self.input = U::idle(&self.lockstep.params);
        }
        self.lockstep.advance(&self.input)?;
        Ok(())
    }
}

/// `jit` or `interpreter`.
pub fn engine_name(engine: Engine) -> &'static str {
    match engine {
        Engine::Interpreter => "interpreter",
        _ => "jit",
    }
}
