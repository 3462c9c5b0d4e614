//! What a lockstep has but for the golden model: it knows no types of a unit.

use cotenant_netlist::sim::Engine;
use cotenant_netlist::Netlist;
use cotenant_units::table::ParameterSet;
use std::sync::Arc;

use super::record::{Record, Shape};
use super::wave::Seen;
use super::waves::Waves;
use super::{engine_name, Flow, Mismatch, Report, WATCH};
use crate::error::Result;
use crate::verify::dut::{Difference, Dut};
use crate::verify::interface::{Contents, Form};
use crate::verify::waves::hierarchy::describe;
use crate::verify::waves::recorder::AFTER;
use crate::verify::waves::BEFORE;

/// The netlist, what both sides said in the last cycles, and the waves of it.
#[derive(Debug)]
pub(crate) struct Bench {
    pub(super) set: ParameterSet,
    pub(super) dut: Dut,
    pub(super) record: Record,
    pub(super) cycle: u64,
    pub(super) waves: Waves,
}

impl Bench {
    pub(super) fn new(
        form: Arc<Form>,
        set: &ParameterSet,
        netlist: &Netlist,
        engine: Engine,
    ) -> Result<Self> {
        let shape = Shape {
            input: form.input_row().len(),
            output: form.output_row().len(),
            state: form.state.len(),
        };
        Ok(Self {
            dut: Dut::new(form, netlist, engine)?,
            set: set.clone(),
            record: Record::new(shape, BEFORE)?,
            cycle: 0,
            waves: Waves::default(),
        })
    }

    /// The netlist's side.
    pub(crate) fn dut(&self) -> &Dut {
        &self.dut
    }

    /// Cycles run so far.
    pub(crate) fn cycle(&self) -> u64 {
        self.cycle
    }

    /// The inputs of the last cycle, packed.
    pub(crate) fn last_input(&self) -> &[u64] {
        self.record.row(self.cycle.saturating_sub(1)).input
    }

    /// A report of no cycle.
    pub(crate) fn report(&self) -> Report {
        Report {
            unit: self.dut.form().unit,
            set: self.set.name.into(),
            engine: engine_name(self.dut.sim().engine()),
            profile: None,
            seed: None,
            cycles: 0,
            interrupted: false,
            mismatch: None,
            wave: None,
            coverage: None,
        }
    }

    /// Puts the netlist into the state of the golden model, whose registers are in the record.
    pub(super) fn load(&mut self, resumed: &[(String, u128)], contents: &dyn Contents) {
        self.dut.load(self.record.row(self.cycle).state, resumed);
        self.dut.load_memory(contents);
        self.waves_after_load();
    }

    /// Whether the outputs of the last cycle and the registers after it agree.
    #[inline]
    pub(super) fn agrees(&self) -> bool {
        let before = self.record.row(self.cycle - 1);
        let after = self.record.row(self.cycle);
        self.dut.agrees(before.output, after.state)
    }

    /// The first output of the last cycle that differs, or else the first register after it.
    #[cold]
    pub(super) fn step_mismatch(&self) -> Option<Mismatch> {
        let last = self.cycle - 1;
        let output = self.dut.output_difference(self.record.row(last).output);
        let output = output.map(|difference| seen(last, difference));
        output.or_else(|| self.state_mismatch())
    }

    /// The first register that differs now, before the next cycle.
    pub(super) fn state_mismatch(&self) -> Option<Mismatch> {
        let difference = self.dut.state_difference(self.record.row(self.cycle).state);
        difference.map(|difference| seen(self.cycle, difference))
    }

    /// How a word of a RAM differs now.
    #[inline]
    pub(super) fn word_mismatch(
        &mut self,
        contents: &dyn Contents,
        word: (usize, usize),
    ) -> Option<Mismatch> {
        let difference = self.dut.word_difference(contents, word);
        difference.map(|difference| seen(self.cycle, difference))
    }

    /// The first word of all RAMs that differs now.
    pub(super) fn whole_mismatch(&mut self, contents: &dyn Contents) -> Option<Mismatch> {
        let difference = self.dut.memory_difference(contents);
        difference.map(|difference| seen(self.cycle, difference))
    }
}

/// A lockstep and its stimulus.
pub(super) trait Driven {
    /// The part without types.
    fn bench(&mut self) -> &mut Bench;

    /// The first difference now.
    fn compare(&mut self) -> Option<Mismatch>;

    /// The first word of all RAMs that differs now.
    fn compare_whole(&mut self) -> Option<Mismatch>;

    /// So many cycles, or fewer if the stimulus ends or the two sides differ: how many, and the
    /// difference.
    fn cycles(&mut self, most: u64) -> Result<(u64, Option<Mismatch>)>;

    /// A cycle without a look at it, idle if the stimulus has ended.
    fn blind(&mut self) -> Result<()>;
}

/// Runs until `cycles` are done, the stimulus ends, the two sides differ, or `watch` says so.
pub(super) fn run(
    driven: &mut dyn Driven,
    mut report: Report,
    cycles: u64,
    watch: &mut dyn FnMut(u64) -> Flow,
) -> Result<Report> {
    // A step compares what it leads to, so where the run starts is compared here.
    report.mismatch = driven.compare();
    while report.cycles < cycles && report.mismatch.is_none() {
        if report.cycles % WATCH == 0 && watch(report.cycles) == Flow::Stop {
            report.interrupted = true;
            break;
        }
        let wanted = (WATCH - report.cycles % WATCH).min(cycles - report.cycles);
        let (done, mismatch) = driven.cycles(wanted)?;
        report.cycles += done;
        report.mismatch = mismatch;
        if done < wanted {
            break;
        }
    }
    if report.passed() {
        report.mismatch = driven.compare_whole();
    }
    if let Some(mismatch) = &mut report.mismatch {
        let bench = driven.bench();
        bench.waves.seen = Some(Seen {
            cycle: mismatch.cycle,
            field: mismatch.field.clone(),
            text: comment(report.unit, bench.set.name, report.seed, mismatch),
        });
        // A mismatch of a register is seen in the first cycle after it.
        while driven.bench().waves.any() && driven.bench().cycle <= mismatch.cycle + AFTER {
            driven.blind()?;
        }
        mismatch.wave = driven.bench().write_mismatch(mismatch.cycle)?;
    }
    Ok(report)
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

fn comment(unit: &str, set: &str, seed: Option<u64>, mismatch: &Mismatch) -> String {
    let seed = seed.map_or(String::new(), |seed| format!(", seed {seed:#x}"));
    let difference = Difference {
        field: mismatch.field.clone(),
        dut: mismatch.dut,
        golden: mismatch.golden,
    };
    let text = describe(&difference);
    format!("{unit} {set}{seed}: cycle {}: {text}", mismatch.cycle)
}
