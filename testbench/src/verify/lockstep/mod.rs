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

mod check;
mod record;
mod report;
mod wave;
mod waves;

use cotenant_golden::Model;
use cotenant_netlist::sim::{Engine, SimError};
use cotenant_netlist::Netlist;
use cotenant_units::table::ParameterSet;

use crate::error::{Error, Result};
use crate::verify::dut::{Difference, Dut};
use crate::verify::interface::{InOf, Interface, OutOf, Packer, ParamsOf};
use crate::verify::stimulus::{Drive, Source};
use crate::verify::waves::hierarchy::describe;
use crate::verify::waves::recorder::AFTER;
use crate::verify::waves::BEFORE;
pub(crate) use record::RECORDED;
use record::{Record, Shape};
use wave::Seen;
use waves::Waves;

pub use check::{check, check_in, Check};
pub use report::{Mismatch, Report};

/// Cycles between two calls of a run's watcher.
const WATCH: u64 = 4096;
/// Cycles between two comparisons of whole RAMs. What the netlist writes and the golden model does
/// not is seen so much later at most; 4 banks of 64 sets of 16 ways are 4352 words, which makes
/// about one word per cycle.
const WHOLE: u64 = 4096;

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
    set: ParameterSet,
    model: U::Model,
    dut: Dut,
    record: Record,
    cycle: u64,
    assume: bool,
    waves: Waves,
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
        let model = U::model(&params)?;
        let dut = Dut::new::<U>(&params, netlist, engine)?;
        let words = |ports: Vec<crate::verify::interface::Port>| {
            ports.iter().map(|port| port.words()).sum()
        };
        let shape = Shape {
            input: words(U::inputs(&params)),
            output: words(U::outputs(&params)),
            state: dut.fields().len(),
        };
        let mut lockstep = Self {
            params,
            set: set.clone(),
            model,
            dut,
            record: Record::new(shape, BEFORE)?,
            cycle: 0,
            assume: cfg!(debug_assertions),
            waves: Waves::default(),
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
        self.cycle
    }

    /// What runs the netlist: `jit` or `interpreter`.
    pub fn engine(&self) -> &'static str {
        engine_name(self.dut.sim().engine())
    }

    /// Puts both sides into the state of `model`, by the flops' and RAMs' names; cycles count on.
    pub fn load(&mut self, model: U::Model) {
        self.model = model;
        self.keep_state();
        let resumed = U::resumed(&self.params, self.model.state());
        self.dut.load(self.record.row(self.cycle).state, &resumed);
        self.dut.load_memory::<U>(&self.params, self.model.state());
        self.waves_after_load();
    }

    /// The first register or word of a RAM that differs now, before the next cycle. A step
    /// compares what it leads to, but of RAMs what the golden model writes.
    pub fn compare(&mut self) -> Option<Mismatch> {
        self.state_mismatch().or_else(|| self.whole_mismatch())
    }

    /// The netlist's side.
    pub(crate) fn dut(&self) -> &Dut {
        &self.dut
    }

    /// A report of no cycle.
    fn report(&self) -> Report {
        Report {
            unit: U::NAME,
            set: self.set.name.into(),
            engine: self.engine(),
            profile: None,
            seed: None,
            cycles: 0,
            interrupted: false,
            mismatch: None,
            wave: None,
            coverage: None,
        }
    }

    /// The golden model's registers as those of the coming cycle.
    fn keep_state(&mut self) {
        let state = self.record.state_mut(self.cycle);
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
        let before = self.record.row(self.cycle - 1);
        let after = self.record.row(self.cycle);
        if self.dut.agrees(before.output, after.state) {
            return Ok((out, self.memory_mismatch()));
        }
        let output = self.dut.output_difference(before.output);
        let output = output.map(|difference| seen(self.cycle - 1, difference));
        Ok((out, output.or_else(|| self.state_mismatch())))
    }

    /// The first register that differs now, before the next cycle.
    fn state_mismatch(&self) -> Option<Mismatch> {
        let difference = self.dut.state_difference(self.record.row(self.cycle).state);
        difference.map(|difference| seen(self.cycle, difference))
    }

    /// The first word that the golden model has written at the last edge and that differs; now and
    /// then of all words.
    #[inline]
    fn memory_mismatch(&mut self) -> Option<Mismatch> {
        if !self.dut.has_memory() {
            return None;
        }
        let (params, state) = (&self.params, self.model.state());
        let mut difference = None;
        U::written(params, &self.model, &mut |word| {
            if difference.is_none() {
                difference = self.dut.word_difference::<U>(params, state, word);
            }
        });
        match difference {
            Some(difference) => Some(seen(self.cycle, difference)),
            None if self.cycle % WHOLE == 0 => self.whole_mismatch(),
            None => None,
        }
    }

    /// The first word of all RAMs that differs now.
    fn whole_mismatch(&mut self) -> Option<Mismatch> {
        let state = self.model.state();
        let difference = self.dut.memory_difference::<U>(&self.params, state);
        difference.map(|difference| seen(self.cycle, difference))
    }

    /// Both sides through one cycle, without a look at them; the golden model's outputs.
    #[inline]
    fn advance(&mut self, input: &InOf<U>) -> Result<OutOf<U>> {
        if self.assume {
            let violated = |violation| Error::Assumption {
                unit: U::NAME,
                cycle: self.cycle,
                violation: Box::new(violation),
            };
            self.model.assume(input).map_err(violated)?;
        }
        self.record.before(self.cycle, self.dut.sim());
        if self.waves.shows(self.cycle) {
            self.place()?;
        }
        let row = self.record.write(self.cycle);
        U::pack_in(&self.params, input, &mut Packer::new(row.input));
        self.dut.drive(row.input);
        self.dut.sim_mut().step();
        let out = self.model.step(input);
        U::pack_out(&self.params, &out, &mut Packer::new(row.output));
        let state = self.model.state();
        U::pack_state(&self.params, state, &mut Packer::new(row.next_state));
        self.cycle += 1;
        if self.waves.shows(self.cycle - 1) {
            self.show(self.cycle - 1)?;
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
        mut stimulus: impl Source<U>,
        cycles: u64,
        watch: &mut dyn FnMut(u64) -> Flow,
    ) -> Result<Report> {
        let mut input = U::idle(&self.params);
        let mut report = Report {
            profile: stimulus.profile(),
            seed: stimulus.seed(),
            ..self.report()
        };
        // A step compares what it leads to, so where the run starts is compared here.
        report.mismatch = self.compare();
        while report.cycles < cycles && report.mismatch.is_none() {
            if report.cycles % WATCH == 0 && watch(report.cycles) == Flow::Stop {
                report.interrupted = true;
                break;
            }
            if !stimulus.input(&self.params, &self.model, &mut input) {
                break;
            }
            report.cycles += 1;
            report.mismatch = self.step(&input)?;
        }
        if report.passed() {
            report.mismatch = self.whole_mismatch();
        }
        if let Some(mismatch) = &mut report.mismatch {
            self.waves.seen = Some(Seen {
                cycle: mismatch.cycle,
                field: mismatch.field.clone(),
                text: mismatch_comment(U::NAME, self.set.name, report.seed, mismatch),
            });
            // A mismatch of a register is seen in the first cycle after it.
            while self.waves.any() && self.cycle <= mismatch.cycle + AFTER {
                if !stimulus.input(&self.params, &self.model, &mut input) {
                    input = U::idle(&self.params);
                }
                self.advance(&input)?;
            }
            mismatch.wave = self.write_mismatch(mismatch.cycle)?;
        }
        Ok(report)
    }
}

fn seen(cycle: u64, difference: Difference) -> Mismatch {
    Mismatch {
        cycle,
        field: difference.field,
        dut: difference.dut,
        golden: difference.golden,
        wave: None,
    }
}

fn mismatch_comment(unit: &str, set: &str, seed: Option<u64>, mismatch: &Mismatch) -> String {
    let seed = seed.map_or(String::new(), |seed| format!(", seed {seed:#x}"));
    let difference = Difference {
        field: mismatch.field.clone(),
        dut: mismatch.dut,
        golden: mismatch.golden,
    };
    let text = describe(&difference);
    format!("{unit} {set}{seed}: cycle {}: {text}", mismatch.cycle)
}

/// `jit` or `interpreter`.
pub fn engine_name(engine: Engine) -> &'static str {
    match engine {
        Engine::Interpreter => "interpreter",
        _ => "jit",
    }
}
